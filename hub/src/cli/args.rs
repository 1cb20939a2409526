//! The commands and their options; exit 0 on success, 1 on a failed check or an error, 2 on wrong usage.

use std::ffi::OsString;
use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::{Result, bail};
use clap::{Args, Parser, Subcommand};
use protocol::{Role, VenueId};

use super::{
    asyncapi, cards, check, credentials, doctor, export, feeds, import, laws, run, say, verify,
};
use crate::config::{Config, ConfigError, default_file};
use crate::run::HubError;

/// One per venue: broker, Laws, record, wall page, feeds.
#[derive(Debug, Parser)]
#[command(name = "zeitnot-hub", version)]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// The daemon: broker, journal, wall page, feeds; without configuration with safe defaults.
    Run(run::Run),
    /// Does the configuration make sense, and the round with it?
    Check(check::Check),
    /// Is the journal whole, does it give the snapshot and the PGN files?
    Verify(verify::Verify),
    /// Games out of the journal.
    Export(export::Export),
    /// Pairings and players in: header-only PGN or CSV.
    Import(import::Import),
    /// How the feeds are; pause and resume.
    #[command(subcommand)]
    Feeds(feeds::Feeds),
    /// A card for each table, to be printed: number, QR code, and how its board is bound.
    Cards(cards::Cards),
    /// Every topic with its messages, as an AsyncAPI 3 document.
    Asyncapi(asyncapi::AsyncApi),
    /// Who may connect.
    #[command(subcommand)]
    Credentials(credentials::Command),
    /// The Laws: what is known of each article, and questions, a line in and a line out.
    Laws(laws::Laws),
    /// Numbered checks of this machine and its data folder.
    Doctor(doctor::Doctor),
}

/// Where configuration and data are.
#[derive(Debug, Clone, Default, Args)]
pub(super) struct Where {
    /// The configuration file.
    #[arg(long, env = "ZEITNOT_CONFIG", value_name = "FILE")]
    pub(super) config: Option<PathBuf>,
    /// The data folder.
    #[arg(long, env = "ZEITNOT_DATA", value_name = "DIR")]
    pub(super) data: Option<PathBuf>,
}

impl Where {
    /// Whether a file says what holds.
    pub(super) fn is_configured(&self) -> bool {
        self.config.is_some() || default_file().is_some()
    }

    /// The data folder of a hub: one that has run there, or one for which a configuration prepares it. A folder that was mistyped holds
    /// neither.
    pub(super) fn hub_data(&self) -> Result<PathBuf> {
        let data = self.config()?.data()?;
        let is_prepared = self.config.is_some() || self.data.is_none() && self.is_configured();
        if !is_prepared && !is_hubs(&data) {
            bail!("H57 no hub has run in {} · help: {NO_HUB}", data.display());
        }
        if !data.join("journal").exists() {
            say::warning(&format!(
                "H57 no hub has run in {} yet; its addresses are those of the configuration · help: right if its first start is still to come, else name the folder of the running hub with --data",
                data.display()
            ));
        }
        Ok(data)
    }

    /// Whether a folder was named that is no hub's.
    pub(super) fn is_mistyped(&self, data: &Path) -> bool {
        self.data.is_some() && self.config.is_none() && !is_hubs(data)
    }

    /// The configuration: these options, then the file, then the defaults.
    pub(super) fn config(&self) -> Result<Config, ConfigError> {
        let file = self.config.clone().or_else(default_file);
        let mut config = match file {
            Some(file) => Config::read(&file)?,
            None => Config::default(),
        };
        if let Some(data) = &self.data {
            config.data = Some(data.clone());
        }
        Ok(config)
    }
}

/// What to do about a folder in which no hub has run.
pub(super) const NO_HUB: &str = "name the folder of the hub with --data; before its first start, start it there once or name its configuration with --config";

/// Whether a hub has left something in a folder, or its configuration lies there.
fn is_hubs(data: &Path) -> bool {
    let signs = ["journal", "credentials", "hub.toml"];
    signs.iter().any(|sign| data.join(sign).exists())
}

/// What can be set for a run on the command line or in the environment.
#[derive(Debug, Clone, Default, Args)]
pub(super) struct Settings {
    /// The venue's name in topics.
    #[arg(long, env = "ZEITNOT_VENUE", value_name = "NAME")]
    venue: Option<VenueId>,
    /// Where the embedded broker listens.
    #[arg(long, env = "ZEITNOT_MQTT_LISTEN", value_name = "ADDRESS:PORT")]
    mqtt_listen: Option<SocketAddr>,
    /// Where the wall page listens.
    #[arg(long, env = "ZEITNOT_HTTP_LISTEN", value_name = "ADDRESS:PORT")]
    http_listen: Option<SocketAddr>,
    /// An external MQTT 5 broker instead of the embedded one.
    #[arg(
        long,
        env = "ZEITNOT_BROKER",
        value_name = "mqtt://NAME:TOKEN@HOST:PORT",
        hide_env_values = true
    )]
    broker: Option<String>,
}

impl Settings {
    /// Puts what was given over the configuration.
    pub(super) fn over(self, config: &mut Config) {
        if let Some(venue) = self.venue {
            config.venue = venue;
        }
        if let Some(listen) = self.mqtt_listen {
            config.broker.listen = listen;
        }
        if let (Some(listen), Some(first)) = (self.http_listen, config.http.first_mut()) {
            first.listen = listen;
        }
        if self.broker.is_some() {
            config.broker.external = self.broker;
        }
    }
}

/// Reads a role's word.
pub(super) fn role(word: &str) -> Result<Role, String> {
    word.parse()
}

/// Runs the command that the arguments (program name first) ask for.
pub fn main(args: impl IntoIterator<Item = OsString>) -> ExitCode {
    let cli = match Cli::try_parse_from(args) {
        Ok(cli) => cli,
        Err(error) => return say::usage(&error),
    };
    let done = match cli.command {
        Command::Run(run) => run.run(),
        Command::Check(check) => check.run(),
        Command::Verify(verify) => verify.run(),
        Command::Export(export) => export.run(),
        Command::Import(import) => import.run(),
        Command::Feeds(feeds) => feeds.run(),
        Command::Cards(cards) => cards.run(),
        Command::Asyncapi(asyncapi) => asyncapi.run(),
        Command::Credentials(command) => command.run(),
        Command::Laws(command) => command.run(),
        Command::Doctor(doctor) => doctor.run(),
    };
    match done {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(error) => {
            say::error(&error);
            ExitCode::from(if is_usage(&error) { 2 } else { 1 })
        }
    }
}

/// A wrong configuration is wrong usage, wherever it is found.
fn is_usage(error: &anyhow::Error) -> bool {
    let configuration = matches!(error.downcast_ref::<HubError>(), Some(HubError::Config(_)));
    configuration || error.is::<ConfigError>() || error.is::<export::UnknownForm>()
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory;

    use super::*;

    #[test]
    fn the_commands_are_well_formed() {
        Cli::command().debug_assert();
    }

    #[test]
    fn options_stand_over_the_file() {
        let folder = tempfile::tempdir().expect("folder");
        let file = folder.path().join("hub.toml");
        std::fs::write(&file, "venue = 'lyon'\ndata = '/a'\n").expect("written");
        let place = Where {
            config: Some(file),
            data: Some("/b".into()),
        };
        let mut config = place.config().expect("reads");
        assert_eq!(config.data, Some("/b".into()));
        let settings = Settings {
            mqtt_listen: "127.0.0.1:0".parse().ok(),
            ..Settings::default()
        };
        settings.over(&mut config);
        assert_eq!(
            (config.venue.as_str(), config.broker.listen.port()),
            ("lyon", 0)
        );
    }
}
