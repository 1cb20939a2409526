//! The command line: what can be asked, and how answers and errors are said.

mod decode;
mod doctor;
mod install;
mod list;
mod record;
mod replay;
mod run;
mod say;
mod simulate;
mod wall;

use std::ffi::OsString;
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Duration;

use clap::{Args, Parser, Subcommand};

use crate::config::{self, Config, HubEntry};
use crate::infer;
use crate::link;
use crate::ports::Selector;

pub use say::Problem;

/// Listens to electronic boards and chessclocks and tells the hub.
#[derive(Debug, Parser)]
#[command(name = "zeitnot-agent", version, about)]
struct Cli {
    #[command(subcommand)]
    command: Task,
}

#[derive(Debug, Subcommand)]
enum Task {
    /// The daemon: reads boards, keeps facts, tells the hub.
    Run(run::Run),
    /// Everything plugged in, with what may not be opened and why.
    List(list::List),
    /// Numbered checks, each ok, warn or fail, with a cure.
    Doctor(doctor::Doctor),
    /// Records the bytes of a board with their times of arrival.
    Record(record::Record),
    /// Reads a recording: offline, or as a live table on a running hub.
    Replay(replay::Replay),
    /// The frames of a recording as JSON lines: what each one means, garbage included.
    Decode(decode::Decode),
    /// The tracker alone: square events in, facts out.
    Infer(infer::Args),
    /// Virtual boards: on a hub, or as serial devices in a folder.
    Simulate(simulate::Simulate),
    /// Feeds an LED wall or a sign over a serial line.
    Wall(wall::Wall),
}

/// Options that say which ports and which hub.
#[derive(Debug, Clone, Default, Args)]
struct Where {
    /// Configuration file; without it the usual places are looked at.
    #[arg(long, value_name = "FILE")]
    config: Option<PathBuf>,
    /// A port that may be opened: /dev/ttyACM0, /dev/ttyACM*, VID:PID or VID:PID:SERIAL. May be given several times.
    #[arg(long = "port", value_name = "SELECTOR")]
    ports: Vec<Selector>,
    /// Folder for facts that wait for the hub and for the state of boards.
    #[arg(long, value_name = "DIR", env = "ZEITNOT_AGENT_STATE")]
    state: Option<PathBuf>,
    #[command(flatten)]
    hub: HubArgs,
}

/// Options that say which hub.
#[derive(Debug, Clone, Default, Args)]
struct HubArgs {
    /// The hub: mqtt://name:token@host:1883.
    #[arg(long, value_name = "URL")]
    hub: Option<String>,
    /// The venue, with --hub.
    #[arg(long, value_name = "NAME")]
    venue: Option<String>,
    /// A credentials file made by `zeitnot-hub credentials add`.
    #[arg(long, value_name = "FILE", env = "ZEITNOT_CREDENTIALS")]
    credentials: Option<PathBuf>,
    /// The data folder of a hub on this machine, where its credentials lie.
    #[arg(long, value_name = "DIR")]
    data: Option<PathBuf>,
}

/// Runs the program with these arguments (the first is its name) and returns its exit code: 0, 1 on a failed check, 2 on wrong
/// usage.
pub fn main(arguments: impl IntoIterator<Item = impl Into<OsString> + Clone>) -> ExitCode {
    let cli = match Cli::try_parse_from(arguments) {
        Ok(cli) => cli,
        Err(error) => {
            let _closed = error.print();
            return ExitCode::from(u8::try_from(error.exit_code()).unwrap_or(2));
        }
    };
    match dispatch(cli.command) {
        Ok(code) => code,
        Err(problem) => problem.tell(),
    }
}

fn dispatch(task: Task) -> Result<ExitCode, Problem> {
    match task {
        Task::Run(task) => task.run(),
        Task::List(task) => task.run(),
        Task::Doctor(task) => task.run(),
        Task::Record(task) => task.run(),
        Task::Replay(task) => task.run(),
        Task::Decode(task) => task.run(),
        Task::Infer(task) => infer::run(&task, std::io::stdout().lock())
            .map(|()| ExitCode::SUCCESS)
            .map_err(|error| Problem::usage("A23", error, "see `zeitnot-agent infer --help`")),
        Task::Simulate(task) => task.run(),
        Task::Wall(task) => task.run(),
    }
}

impl Where {
    /// The configuration with the command line over it.
    fn config(&self) -> Result<Config, Problem> {
        let mut config = Config::read(self.config.as_deref())?;
        config.ports.extend(self.ports.iter().cloned());
        if let Some(state) = &self.state {
            config.state.clone_from(state);
        }
        if let Some(entry) = self.hub.entry()? {
            config.hubs = vec![entry];
        }
        if config.hubs.is_empty() {
            config.hubs.extend(local_hub());
        }
        Ok(config)
    }
}

impl HubArgs {
    fn is_given(&self) -> bool {
        self.hub.is_some() || self.credentials.is_some() || self.data.is_some()
    }

    /// An address that carries its own login.
    fn url_with_login(&self) -> Option<&str> {
        self.hub.as_deref().filter(|url| url.contains('@'))
    }

    /// The hub that is named, if one is.
    fn entry(&self) -> Result<Option<HubEntry>, Problem> {
        if let Some(url) = &self.hub {
            // An address without a login takes it from the credentials, which may be for another address of the same hub.
            let carries_login = url.contains('@');
            if carries_login || (self.credentials.is_none() && self.data.is_none()) {
                return Ok(Some(HubEntry {
                    url: Some(url.clone()),
                    venue: self.venue.clone(),
                    ..HubEntry::default()
                }));
            }
        }
        if let Some(file) = &self.credentials {
            return Ok(Some(HubEntry::file(file.clone())));
        }
        let Some(data) = &self.data else {
            return Ok(None);
        };
        let found = config::find_local(data).ok_or_else(|| {
            Problem::new(
                "A07",
                format!("there are no credentials of a hub in {}", data.display()),
                "start `zeitnot-hub run --data DIR` once, or give --credentials FILE",
            )
        })?;
        Ok(Some(HubEntry::file(found)))
    }
}

/// Until the broker does not let this agent in: nothing that is asked of the command can come true then.
async fn turned_away(agent: &crate::Agent) -> Problem {
    loop {
        if let Some(why) = agent.exchange.refusal() {
            let what = format!("the broker does not let us in: {why}");
            return Problem::new("A41", what, link::REFUSED);
        }
        tokio::time::sleep(Duration::from_millis(200)).await;
    }
}

fn local_hub() -> Option<HubEntry> {
    let folder = config::default_data_folder()?;
    config::find_local(&folder).map(HubEntry::file)
}
