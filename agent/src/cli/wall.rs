//! `wall`: feeds an LED wall or a sign over a serial line.

use std::path::PathBuf;
use std::process::ExitCode;

use clap::Args;

use super::HubArgs;
use super::say::{Problem, asked_to_stop, log_to_stderr, runtime};
use crate::config::{self, Hub};
use crate::ports::Selector;
use crate::wall::{self, WallOptions};

/// What `wall` is asked. Every line is `$<table>,<what>,<value>*<check>` with CR LF:
/// `white` and `black` (clocks, 1:29:58), `turn`, `move`, `result`, `state`, `clear`; table 0 speaks of the line itself (`hello`, `link`).
/// The check is the XOR of the bytes between `$` and `*`, in two hexadecimal digits. Changes come at once, everything every ten seconds.
#[derive(Debug, Args)]
pub(super) struct Wall {
    /// The sign's port: /dev/ttyUSB0, VID:PID or VID:PID:SERIAL.
    #[arg(long, value_name = "SELECTOR")]
    port: Selector,
    /// Its speed; 8 data bits, no parity, 1 stop bit.
    #[arg(long, default_value_t = 115_200)]
    baud: u32,
    /// The tables it shows: 1-8,12. Without it all.
    #[arg(long, value_name = "TABLES", value_parser = tables)]
    boards: Option<Tables>,
    #[command(flatten)]
    hub: HubArgs,
}

/// Tables from and to.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Tables(Vec<(u16, u16)>);

fn tables(text: &str) -> Result<Tables, String> {
    let range = |part: &str| {
        let (from, to) = part.split_once('-').unwrap_or((part, part));
        let number = |text: &str| text.trim().parse::<u16>().ok();
        number(from).zip(number(to))
    };
    let ranges: Option<Vec<_>> = text.split(',').map(range).collect();
    ranges
        .map(Tables)
        .ok_or_else(|| "write numbers and ranges: 1-8,12".to_owned())
}

impl Wall {
    pub(super) fn run(self) -> Result<ExitCode, Problem> {
        let options = WallOptions {
            hub: self.hub()?,
            port: self.port,
            baud: self.baud,
            tables: self.boards.map(|tables| tables.0).unwrap_or_default(),
        };
        log_to_stderr("info");
        runtime()?.block_on(async {
            tokio::select! {
                () = wall::run(options) => {}
                () = asked_to_stop() => {}
            }
            Ok(ExitCode::SUCCESS)
        })
    }

    /// The hub with the login of a display, which may see the hall and nothing else.
    fn hub(&self) -> Result<Hub, Problem> {
        if let Some(url) = self.hub.url_with_login() {
            return Ok(config::from_url(url, self.hub.venue.as_deref())?);
        }
        let local = || {
            let data = self.hub.data.clone().or_else(config::default_data_folder)?;
            let file = data.join("credentials").join("local-display.toml");
            file.is_file().then_some(file)
        };
        let file: Option<PathBuf> = self.hub.credentials.clone().or_else(local);
        let file = file.ok_or_else(|| {
            Problem::usage(
                "A09",
                "no hub is known",
                "make a login with `zeitnot-hub credentials add NAME --role display -o FILE` and give it with --credentials FILE",
            )
        })?;
        Ok(config::display_from_file(&file)?)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tables_are_a_list_or_an_error() {
        let rows = [
            ("1-8,12", Some(vec![(1, 8), (12, 12)])),
            (" 3 ", Some(vec![(3, 3)])),
            ("", None),
            ("x", None),
            ("1-", None),
        ];
        for (text, want) in rows {
            assert_eq!(tables(text).ok().map(|t| t.0), want, "{text:?}");
        }
    }
}
