//! `replay`: a recording offline, as facts, moves or PGN, or as a live table on a running hub.

use std::io::{BufWriter, Write};
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Duration;

use clap::{Args, ValueEnum};
use protocol::Envelope;
use shakmaty::CastlingMode;
use shakmaty::fen::Fen;

use super::say::{Problem, asked_to_stop, json_line, log_to_stderr, progress, runtime};
use super::{HubArgs, turned_away};
use crate::config::Config;
use crate::devices::{Capture, Orientation};
use crate::ports::{any_words, read_recording};
use crate::scoresheet::Scoresheet;
use crate::simulate::Tables;
use crate::transcript::{self, Reading};

/// Half seconds after the last byte in which the board may still tell a result.
const QUIET: u32 = 20;

/// What `replay` is asked.
#[derive(Debug, Args)]
pub(super) struct Replay {
    /// The recording: .cap, .hex, or raw bytes.
    file: PathBuf,
    /// The family of the board.
    #[arg(long, value_name = "FAMILY")]
    family: Option<String>,
    /// Where the game starts; without it at the usual array.
    #[arg(long, value_name = "FEN")]
    start_fen: Option<String>,
    /// Whether the board's connector was at White's right hand.
    #[arg(long, value_enum, default_value_t = Rotated::Auto)]
    rotated: Rotated,
    /// What is printed.
    #[arg(long, value_enum, default_value_t = Format::Facts)]
    format: Format,
    #[command(flatten)]
    hub: HubArgs,
    /// The table, for people; the hub binds the board by its serial number.
    #[arg(long, value_name = "N")]
    table: Option<u16>,
    /// How much quicker than recorded, on a hub.
    #[arg(long, default_value_t = 1.0, value_name = "X")]
    speed: f64,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Rotated {
    Auto,
    Yes,
    No,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Format {
    /// Every fact as a JSON line.
    Facts,
    /// One line of moves a game.
    Uci,
    /// A game with the clock times.
    Pgn,
}

impl Replay {
    pub(super) fn run(self) -> Result<ExitCode, Problem> {
        log_to_stderr("warn");
        let (capture, driver) = read_recording(&self.file, self.family.as_deref())?;
        any_words(&self.file, driver, &driver.transcript(&capture.bytes()))?;
        if !(self.speed.is_finite() && self.speed > 0.0) {
            return Err(Problem::usage(
                "A29",
                "the speed is no speed",
                "give a number above 0 with --speed",
            ));
        }
        if self.hub.is_given() {
            return self.on_a_hub(capture);
        }
        let facts = transcript::read(driver, &capture, &self.reading()?);
        let mut out = BufWriter::new(std::io::stdout().lock());
        match self.format {
            Format::Facts => facts
                .iter()
                .try_for_each(|envelope| fact_line(&mut out, envelope))?,
            Format::Uci => self
                .sheets(&facts)
                .sheets()
                .try_for_each(|sheet| writeln!(out, "{}", sheet.moves().join(" ")))?,
            Format::Pgn => self.print_pgn(&mut out, &facts)?,
        }
        out.flush()?;
        Ok(ExitCode::SUCCESS)
    }

    fn reading(&self) -> Result<Reading, Problem> {
        let no_position = |fen: &str| {
            Problem::usage(
                "A27",
                format!("{fen:?} is no position"),
                "give a whole FEN in quotes with --start-fen",
            )
        };
        if let Some(fen) = &self.start_fen {
            let parsed: Fen = fen.parse().map_err(|_| no_position(fen))?;
            parsed
                .into_position::<shakmaty::Chess>(CastlingMode::Standard)
                .map_err(|_| no_position(fen))?;
        }
        Ok(Reading {
            start_fen: self.start_fen.clone(),
            orientation: match self.rotated {
                Rotated::Auto => None,
                Rotated::Yes => Some(Orientation::Rotated),
                Rotated::No => Some(Orientation::Normal),
            },
        })
    }

    fn sheets(&self, facts: &[Envelope]) -> Scoresheet {
        let mut sheets = Scoresheet::new(self.start_fen.clone());
        facts
            .iter()
            .for_each(|envelope| sheets.take(&envelope.fact));
        sheets
    }

    fn print_pgn(&self, out: &mut impl Write, facts: &[Envelope]) -> std::io::Result<()> {
        for (number, sheet) in self.sheets(facts).sheets().enumerate() {
            if number > 0 {
                writeln!(out)?;
            }
            let result = sheet.result.map_or("*", |result| result.text());
            write!(out, "{}", sheet.to_pgn(result))?;
        }
        Ok(())
    }

    /// The recording as a device, and a whole agent that reads it.
    fn on_a_hub(&self, capture: Capture) -> Result<ExitCode, Problem> {
        let folder = Scratch::new()?;
        let entry = self.hub.entry()?;
        let config = Config {
            state: folder.path.join("state"),
            ports: vec![
                format!("{}/table-*", folder.path.display())
                    .parse()
                    .map_err(|error| Problem::new("A10", error, "-"))?,
            ],
            hubs: entry.into_iter().collect(),
            ..Config::default()
        };
        runtime()?.block_on(async {
            let tables = Tables::capture(&folder.path, capture.chunks, self.speed)?;
            let agent = crate::start(config).await?;
            let device = tables.device(0).clone();
            let table = self
                .table
                .map_or(String::new(), |table| format!("table {table}, "));
            let name = format!("{table}{device}");
            tokio::select! {
                () = played_and_journalled(&tables, &agent, &name) => {}
                () = asked_to_stop() => {}
                problem = turned_away(&agent) => return Err(problem),
            }
            let waiting = agent.outbox.backlog(&device).waiting;
            agent.stop().await;
            tables.stop().await;
            if waiting > 0 {
                return Err(Problem::new(
                    "A44",
                    format!("{waiting} facts were not acknowledged by the hub"),
                    "is the hub running? see its log",
                ));
            }
            Ok(ExitCode::SUCCESS)
        })
    }
}

/// Until the recording is over, the board was quiet for a while, and the hub has everything.
async fn played_and_journalled(tables: &Tables, agent: &crate::Agent, name: &str) {
    let mut quiet = 0;
    while quiet < QUIET {
        tokio::time::sleep(Duration::from_millis(500)).await;
        let waiting = agent.outbox.backlog(tables.device(0)).waiting;
        progress(&format!("{name}: {waiting} facts wait for the hub"));
        quiet = if tables.finished() { quiet + 1 } else { 0 };
        if quiet == QUIET && waiting > 0 && agent.exchange.connected() {
            quiet = QUIET - 1;
        }
    }
    progress("");
}

fn fact_line(out: &mut impl Write, envelope: &Envelope) -> std::io::Result<()> {
    #[derive(serde::Serialize)]
    struct Line<'a> {
        t_ms: i64,
        seq: u64,
        #[serde(flatten)]
        fact: &'a protocol::Fact,
    }
    let line = Line {
        t_ms: envelope.at.0,
        seq: envelope.seq,
        fact: &envelope.fact,
    };
    json_line(out, &line)
}

/// A folder of this process that goes with it.
pub(super) struct Scratch {
    pub(super) path: PathBuf,
}

impl Scratch {
    pub(super) fn new() -> std::io::Result<Scratch> {
        let path = std::env::temp_dir().join(format!(
            "zeitnot-agent-{}-{:08x}",
            std::process::id(),
            rand::random::<u32>()
        ));
        std::fs::create_dir_all(&path)?;
        Ok(Scratch { path })
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        let _already_gone = std::fs::remove_dir_all(&self.path);
    }
}
