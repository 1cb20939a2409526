//! `simulate`: virtual boards, played on by hands or by a recording, on a hub or as serial devices.

use std::collections::BTreeMap;
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Duration;

use clap::Args;

use super::replay::Scratch;
use super::say::{Problem, asked_to_stop, log_to_stderr, progress, runtime};
use super::{HubArgs, turned_away};
use crate::config::Config;
use crate::ports::read_recording;
use crate::simulate::hands::{Control, Ending, Game, Tempo, read_games};
use crate::simulate::whole::{MAKES, family_of};
use crate::simulate::{Tables, TablesOptions, Trouble};

/// Devices that are no board with a port of its own: a chessclock, and DGT boards that share a line.
const CLOCK: &str = "diyclock";
const LINE: &str = "dgtbus";

/// What `simulate` is asked.
#[derive(Debug, Args)]
pub(super) struct Simulate {
    #[command(flatten)]
    hub: HubArgs,
    /// The boards as serial devices in this folder: table-1, table-2 …
    #[arg(long, value_name = "DIR")]
    pty: Option<PathBuf>,
    /// How many boards.
    #[arg(long, default_value = "1", value_name = "N")]
    tables: NonZeroUsize,
    /// A PGN file with the games to play; without it the games that come with the program.
    #[arg(long, value_name = "FILE.pgn")]
    games: Option<PathBuf>,
    /// 0 careful players on sound boards, 1 normal, 2 time scramble, 3 faulty boards.
    #[arg(long, default_value_t = 1, value_parser = clap::value_parser!(u8).range(0..=3))]
    noise: u8,
    /// All chance follows from it.
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// How much quicker than real; boards and clocks included.
    #[arg(long, default_value_t = 1.0, value_name = "X")]
    speed: f64,
    /// The families of the boards, dealt out in turn.
    #[arg(long, value_delimiter = ',', default_value = "dgt")]
    family: Vec<String>,
    /// A whole game in about so many seconds, hands at their real speed; 0 plays at the pace of the time control.
    #[arg(long, default_value_t = 60, value_name = "SECONDS")]
    lasting: u64,
    /// The time control: SECONDS+INCREMENT.
    #[arg(long, value_name = "5400+30")]
    control: Option<String>,
    /// What goes wrong on purpose: lost-bytes, noise, split-frames, wrong-speed, collisions, restarts, silence, silent-clock, vanishing-port.
    #[arg(
        long,
        value_delimiter = ',',
        value_enum,
        hide_possible_values = true,
        value_name = "TROUBLE"
    )]
    fault: Vec<Trouble>,
    /// A recording to play instead of games.
    #[arg(long, value_name = "FILE", conflicts_with_all = ["games", "hub"])]
    capture: Option<PathBuf>,
    /// Ends when all games are over, instead of at Ctrl-C.
    #[arg(long)]
    once: bool,
    /// Folder for facts that wait for the hub; without it one that goes with the command.
    #[arg(long, value_name = "DIR")]
    state: Option<PathBuf>,
}

impl Simulate {
    pub(super) fn run(self) -> Result<ExitCode, Problem> {
        log_to_stderr("warn");
        self.look_at_families()?;
        if !(self.speed.is_finite() && self.speed > 0.0) {
            return Err(Problem::usage(
                "A29",
                "the speed is no speed",
                "give a number above 0 with --speed",
            ));
        }
        match (&self.pty, self.hub.is_given()) {
            (Some(folder), false) => runtime()?.block_on(self.as_devices(folder.clone())),
            (None, true) => self.on_a_hub(),
            _ => Err(Problem::usage(
                "A30",
                "where shall the boards be?",
                "give --pty DIR or --hub URL (or --credentials, --data)",
            )),
        }
    }

    fn look_at_families(&self) -> Result<(), Problem> {
        let known = |make: &String| {
            MAKES.contains(&make.as_str()) || [CLOCK, LINE].contains(&make.as_str())
        };
        if let Some(family) = self.family.iter().find(|make| !known(make)) {
            return Err(Problem::usage(
                "A04",
                format!("there is no virtual board of the family {family:?}"),
                &format!("--family takes {}, {CLOCK}, {LINE}", MAKES.join(", ")),
            ));
        }
        if self.family.iter().any(|make| make == LINE) && self.family.len() > 1 {
            return Err(Problem::usage(
                "A04",
                "boards that share a line have no port for others",
                "give --family dgtbus alone; another simulate can have the others",
            ));
        }
        if self.fault.contains(&Trouble::Collisions) && !self.is_one_line() {
            return Err(Problem::usage(
                "A29",
                "only boards that share a line can collide",
                "give --family dgtbus with --fault collisions",
            ));
        }
        Ok(())
    }

    /// Which family is behind which port, as nobody could find out of all of them.
    fn families_of_ports(&self, boards: &Path) -> BTreeMap<String, String> {
        let port = |name: &str| boards.join(name).display().to_string();
        if self.is_one_line() {
            return [(port("line-1"), LINE.to_owned())].into();
        }
        let makes = self.family.iter().cycle().take(self.tables.get());
        let named = (1..).zip(makes);
        named
            .map(|(table, make)| (port(&format!("table-{table}")), family_of(make).to_owned()))
            .collect()
    }

    fn is_one_line(&self) -> bool {
        self.family.iter().any(|make| make == LINE)
    }

    async fn as_devices(&self, folder: PathBuf) -> Result<ExitCode, Problem> {
        let tables = self.tables(&folder)?;
        for table in 0..tables.len() {
            println!("{}", tables.link(table).display());
            if self.is_one_line() {
                break;
            }
        }
        self.wait(&tables).await;
        tables.stop().await;
        Ok(ExitCode::SUCCESS)
    }

    fn on_a_hub(&self) -> Result<ExitCode, Problem> {
        let folder = Scratch::new()?;
        let boards = folder.path.join("boards");
        let config = Config {
            state: self
                .state
                .clone()
                .unwrap_or_else(|| folder.path.join("state")),
            ports: vec![
                format!("{}/*-*", boards.display())
                    .parse()
                    .map_err(|error| Problem::new("A10", error, "-"))?,
            ],
            families: self.families_of_ports(&boards),
            hubs: self.hub.entry()?.into_iter().collect(),
            ..Config::default()
        };
        runtime()?.block_on(async {
            let tables = self.tables(&boards)?;
            let agent = crate::start(config).await?;
            tokio::select! {
                () = self.wait(&tables) => {}
                problem = turned_away(&agent) => return Err(problem),
            }
            let all_told = async {
                while agent
                    .outbox
                    .devices()
                    .iter()
                    .any(|(_, backlog)| backlog.waiting > 0)
                {
                    tokio::time::sleep(Duration::from_millis(200)).await;
                }
            };
            let _hub_is_away = tokio::time::timeout(Duration::from_secs(10), all_told).await;
            agent.stop().await;
            tables.stop().await;
            Ok(ExitCode::SUCCESS)
        })
    }

    fn tables(&self, folder: &Path) -> Result<Tables, Problem> {
        if let Some(file) = &self.capture {
            let (capture, _) = read_recording(file, None)?;
            return Ok(Tables::capture(folder, capture.chunks, self.speed)?);
        }
        let options = TablesOptions {
            games: self.games()?,
            noise: self.noise,
            seed: self.seed,
            tempo: if self.lasting == 0 {
                Tempo::Natural
            } else {
                Tempo::Lasting(self.lasting * 1000)
            },
            control: self.time_control()?,
            ending: Ending::Kings,
            speed: self.speed,
            families: self.family.clone(),
            troubles: self.fault.clone(),
            ..TablesOptions::new(folder, self.tables.get())
        };
        Ok(if self.is_one_line() {
            Tables::on_one_line(&options)?
        } else {
            Tables::start(&options)?
        })
    }

    fn games(&self) -> Result<Vec<Game>, Problem> {
        let Some(path) = &self.games else {
            return Ok(crate::simulate::games::classics());
        };
        let text = std::fs::read_to_string(path).map_err(|why| {
            Problem::usage(
                "A21",
                format!("cannot read {}: {why}", path.display()),
                "give a PGN file with --games",
            )
        })?;
        let games: Result<Vec<Game>, _> = read_games(&text).into_iter().collect();
        let games = games
            .map_err(|why| Problem::usage("A22", why, "every game must be legal to its end"))?;
        if games.is_empty() {
            return Err(Problem::usage(
                "A22",
                format!("{} holds no game", path.display()),
                "give a PGN file with --games",
            ));
        }
        Ok(games)
    }

    fn time_control(&self) -> Result<Option<Control>, Problem> {
        let Some(text) = &self.control else {
            return Ok(None);
        };
        let control = Control::from_tag(text);
        let bad = || {
            Problem::usage(
                "A29",
                format!("{text:?} is no time control"),
                "write seconds and increment: 5400+30",
            )
        };
        control.ok_or_else(bad).map(Some)
    }

    async fn wait(&self, tables: &Tables) {
        let over = async {
            while !(self.once && tables.finished()) {
                tokio::time::sleep(Duration::from_millis(500)).await;
                let truths: Vec<_> = (0..tables.len()).map(|table| tables.truth(table)).collect();
                let played: usize = truths.iter().map(|truth| truth.plies.len()).sum();
                let over = truths.iter().filter(|truth| truth.finished).count();
                progress(&format!(
                    "{played} plies played, {over} of {} games over",
                    truths.len()
                ));
            }
            // The last move of a recording is settled by the peace after it.
            let stays = if self.capture.is_some() { 10 } else { 3 };
            tokio::time::sleep(Duration::from_secs(stays)).await;
        };
        tokio::select! {
            () = over => {}
            () = asked_to_stop() => {}
        }
        progress("");
    }
}
