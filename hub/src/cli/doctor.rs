//! `doctor`: numbered checks, each `ok`, `warn` or `fail`, with a code and a cure.

use std::fs;
use std::net::{SocketAddr, TcpListener};
use std::path::Path;
use std::time::SystemTime;

use anyhow::Result;
use clap::Args;
use nix::sys::statvfs::statvfs;
use serde::Serialize;

use super::args::{NO_HUB, Settings, Where};
use super::check::can_write;
use super::say;
use crate::config::{Config, HttpConfig};
use crate::credentials::Book;
use crate::journal::read_all;
use crate::run::Addresses;
use crate::store::Store;

/// Looks at this machine and its data folder.
#[derive(Debug, Args)]
pub(super) struct Doctor {
    #[command(flatten)]
    place: Where,
    #[command(flatten)]
    settings: Settings,
    /// One JSON object a line.
    #[arg(long)]
    json: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
enum Verdict {
    Ok,
    Warn,
    Fail,
}

#[derive(Debug, Serialize)]
struct Finding {
    number: usize,
    check: &'static str,
    verdict: Verdict,
    code: &'static str,
    words: String,
    cure: &'static str,
}

/// A verdict, its code, what was seen and what to do.
type Seen = (Verdict, &'static str, String, &'static str);

fn ok(words: impl Into<String>) -> Seen {
    (Verdict::Ok, "", words.into(), "")
}

impl Doctor {
    pub(super) fn run(self) -> Result<bool> {
        let configured = self.place.is_configured();
        let mut config = self.place.config()?;
        let data = config.data()?;
        let running = is_running(&data);
        // A hub that runs says itself where it listens; one that will be started without configuration listens where it did.
        if let Some(last) = Addresses::last(&data).filter(|_| running || !configured) {
            listens_at(&mut config, &last);
        }
        if !running {
            self.settings.over(&mut config);
        }
        let checks = [
            ("configuration", configuration(&config)),
            ("data folder", data_folder(&self.place, &data)),
            ("disk", disk(&data)),
            ("journal", journal(&data)),
            ("store", store(&data, running)),
            ("credentials", credentials(&data)),
            (
                "broker port",
                port(
                    config.broker.listen,
                    running,
                    config.broker.external.is_some(),
                ),
            ),
            ("wall page port", walls(&config, running)),
            ("feeds", feeds(&config)),
            ("clock", clock()),
        ];
        let mut good = true;
        for (number, (check, (verdict, code, words, cure))) in (1..).zip(checks) {
            good &= verdict != Verdict::Fail;
            report(
                self.json,
                &Finding {
                    number,
                    check,
                    verdict,
                    code,
                    words,
                    cure,
                },
            )?;
        }
        Ok(good)
    }
}

fn listens_at(config: &mut Config, last: &Addresses) {
    if let Some(mqtt) = last.mqtt {
        config.broker.listen = mqtt;
    }
    let wall = |(listen, audience): &(SocketAddr, String)| HttpConfig::new(*listen, audience);
    config.http = last.http.iter().map(wall).collect();
}

fn report(json: bool, finding: &Finding) -> Result<()> {
    if json {
        say::line(serde_json::to_string(finding)?);
        return Ok(());
    }
    let word = match finding.verdict {
        Verdict::Ok => "ok  ",
        Verdict::Warn => "warn",
        Verdict::Fail => "fail",
    };
    let mut line = format!("{:>2} {word} {}: ", finding.number, finding.check);
    if !finding.code.is_empty() {
        line.push_str(finding.code);
        line.push(' ');
    }
    line.push_str(&finding.words);
    if !finding.cure.is_empty() {
        line.push_str("\n        help: ");
        line.push_str(finding.cure);
    }
    say::line(line);
    Ok(())
}

/// Whether a hub holds the journal of a data folder.
pub(super) fn is_running(data: &Path) -> bool {
    fs::File::open(data.join("journal/lock"))
        .is_ok_and(|file| matches!(file.try_lock(), Err(fs::TryLockError::WouldBlock)))
}

fn configuration(config: &Config) -> Seen {
    let problems = config.problems();
    if problems.is_empty() {
        return ok(format!("venue {}", config.venue));
    }
    (
        Verdict::Fail,
        "H03",
        problems.join("; "),
        "correct the configuration file",
    )
}

fn data_folder(place: &Where, data: &Path) -> Seen {
    if place.is_mistyped(data) {
        let words = format!("no hub has run in {}", data.display());
        return (Verdict::Fail, "H57", words, NO_HUB);
    }
    writable(data)
}

fn writable(data: &Path) -> Seen {
    match can_write(data) {
        Ok(()) if data.exists() => ok(data.display().to_string()),
        Ok(()) => ok(format!(
            "{} will be made at the first start",
            data.display()
        )),
        Err(error) => (
            Verdict::Fail,
            "H10",
            format!("{}: {error}", data.display()),
            "give the folder to the user that runs the hub, or give another one",
        ),
    }
}

fn disk(data: &Path) -> Seen {
    let data = std::path::absolute(data).unwrap_or_else(|_| data.to_owned());
    let place = data.ancestors().find(|p| p.exists()).unwrap_or(&data);
    let free = statvfs(place).map(|s| s.blocks_available().saturating_mul(s.fragment_size()) >> 20);
    match free {
        Ok(mib) if mib < 200 => (
            Verdict::Fail,
            "H80",
            format!("{mib} MiB free"),
            "free some space: a day of 200 tables writes about 2 GiB",
        ),
        Ok(mib) if mib < 4096 => (
            Verdict::Warn,
            "H80",
            format!("{mib} MiB free"),
            "enough for a small event; a day of 200 tables writes about 2 GiB: free some space or give a larger disk with --data",
        ),
        Ok(mib) => ok(format!("{} GiB free", mib >> 10)),
        Err(error) => (
            Verdict::Warn,
            "H80",
            format!("{}: {error}", place.display()),
            "how much is free cannot be read; look with `df` whether some gigabytes are",
        ),
    }
}

fn journal(data: &Path) -> Seen {
    let folder = data.join("journal");
    if !folder.exists() {
        return ok("none yet");
    }
    match read_all(&folder, |_| ()) {
        Ok(findings) if findings.damage.is_empty() => {
            ok(format!("{} events, whole", findings.events))
        }
        Ok(findings) => {
            let words: Vec<String> = findings.damage.iter().map(ToString::to_string).collect();
            let verdict = if findings.is_loss() {
                Verdict::Fail
            } else {
                Verdict::Warn
            };
            (verdict, findings.damage[0].code(), words.join("; "), "")
        }
        Err(error) => (Verdict::Fail, "H10", error.to_string(), "look at the disk"),
    }
}

fn store(data: &Path, running: bool) -> Seen {
    let folder = data.join("store");
    if running {
        return ok("in use by the running hub");
    }
    if !folder.exists() {
        return ok("none yet");
    }
    match Store::try_open(&folder).and_then(|s| s.snapshot()) {
        Ok(Some(snapshot)) => ok(format!("snapshot at event {}", snapshot.place.number)),
        Ok(None) => ok("no snapshot; the next start reads the journal"),
        Err(error) => (
            Verdict::Warn,
            "H23",
            error.to_string(),
            "nothing to do: the next start makes it anew",
        ),
    }
}

fn credentials(data: &Path) -> Seen {
    if !data.join("credentials").exists() {
        return ok("made at the first start");
    }
    match Book::open(data) {
        Ok(book) => ok(format!("{} names", book.entries().len())),
        Err(error) => (
            Verdict::Fail,
            "H51",
            error.to_string(),
            "restore the file from a copy",
        ),
    }
}

fn port(address: std::net::SocketAddr, running: bool, external: bool) -> Seen {
    if external {
        return ok("an external broker is configured");
    }
    match TcpListener::bind(address) {
        Ok(_) => ok(format!("{address} is free")),
        Err(_) if running => ok(format!("{address} is the running hub's")),
        Err(error) => (
            Verdict::Fail,
            "H40",
            format!("{address}: {error}"),
            "stop what uses it, or set another port",
        ),
    }
}

fn walls(config: &Config, running: bool) -> Seen {
    let seen = config.http.iter().map(|h| port(h.listen, running, false));
    seen.max_by_key(|(verdict, ..)| *verdict as u8)
        .unwrap_or_else(|| ok("no wall page is configured"))
}

fn feeds(config: &Config) -> Seen {
    if !config.feeds.enabled {
        return ok("switched off");
    }
    match config.feeds_folder() {
        Ok(folder) => writable(&folder),
        Err(error) => (
            Verdict::Fail,
            "H04",
            error.to_string(),
            "set [feeds] folder",
        ),
    }
}

fn clock() -> Seen {
    let years = SystemTime::now()
        .duration_since(SystemTime::UNIX_EPOCH)
        .map_or(0, |d| d.as_secs() / 31_556_952);
    if years < 56 {
        return (
            Verdict::Fail,
            "H81",
            format!("this machine thinks it is {}", 1970 + years),
            "set the clock: `timedatectl set-ntp true`",
        );
    }
    ok("plausible")
}
