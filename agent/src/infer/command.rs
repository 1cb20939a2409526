//! The command itself: files and streams in, lines out.

use std::fs::File;
use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};

use super::events::{Event, Game, GameError, parse};
use super::facts::{final_line, print};
use super::report::{GAMES, Trials, report};
use super::table::Table;
use crate::tracker::Millis;

/// After the last event the board is taken to be at peace for this long, in milliseconds.
const PEACE: Millis = 12_000;

/// What `infer` is asked on the command line.
#[derive(Clone, Debug, clap::Args)]
pub struct Args {
    /// Events as JSON lines; `-` reads the standard input.
    #[arg(default_value = "-")]
    pub file: PathBuf,
    /// The position before the history.
    #[arg(long, value_name = "FEN")]
    pub start_fen: Option<String>,
    /// Moves played before, separated by commas.
    #[arg(long, value_name = "UCI,…", value_delimiter = ',')]
    pub history: Vec<String>,
    /// A file with the `game` object a stream may begin with.
    #[arg(long, value_name = "FILE")]
    pub game: Option<PathBuf>,
    /// Runs every `*.jsonl` of a folder and prints one final line per file.
    #[arg(long, value_name = "DIR")]
    pub batch: Option<PathBuf>,
    /// Simulates games at every noise and prints how well and how fast they were read.
    #[arg(long, conflicts_with_all = ["file", "start_fen", "history", "game", "batch"])]
    pub report: bool,
    /// Games for a line of the report.
    #[arg(long, value_name = "N", requires = "report", default_value_t = GAMES)]
    pub games: usize,
    /// The seed of the report's games.
    #[arg(long, value_name = "S", requires = "report", default_value_t = 1)]
    pub seed: u64,
    /// The report as one JSON object a line.
    #[arg(long, requires = "report")]
    pub json: bool,
}

/// What went wrong with a whole stream; single bad lines are only counted.
#[derive(Debug, thiserror::Error)]
pub enum InferError {
    /// A file cannot be read or written.
    #[error("{path}: {source}")]
    File {
        /// Which file.
        path: PathBuf,
        /// Why.
        source: std::io::Error,
    },
    /// The game object makes no sense.
    #[error(transparent)]
    Game(#[from] GameError),
    /// Lines, but no events.
    #[error("none of the {0} lines is an event")]
    NoEvents(u64),
    /// The stream broke.
    #[error(transparent)]
    Stream(#[from] std::io::Error),
}

/// Runs the command; facts go to `out`.
///
/// # Errors
/// A file that cannot be read, or a game that makes no sense.
pub fn run(args: &Args, out: impl Write) -> Result<(), InferError> {
    if args.report {
        let trials = Trials {
            games: args.games,
            seed: args.seed,
            json: args.json,
        };
        return report(trials, out);
    }
    let game = game_of(args)?;
    match &args.batch {
        Some(folder) => batch(folder, &game, out),
        None if args.file == Path::new("-") => {
            only_events(infer(std::io::stdin().lock(), game, out)?)
        }
        None => only_events(infer(open(&args.file)?, game, out)?),
    }
}

/// A stream without a single event is another file than was meant.
fn only_events(lines: Lines) -> Result<(), InferError> {
    match lines {
        Lines { events: 0, bad: 0 } => Ok(()),
        Lines { events: 0, bad } => Err(InferError::NoEvents(bad)),
        _ => Ok(()),
    }
}

fn game_of(args: &Args) -> Result<Game, InferError> {
    let mut game = match &args.game {
        Some(path) => Game::from_json(&read(path)?)?,
        None => Game::default(),
    };
    if let Some(fen) = &args.start_fen {
        game.start_fen = Some(fen.clone());
    }
    if !args.history.is_empty() {
        game.history = args.history.clone();
    }
    Ok(game)
}

fn read(path: &Path) -> Result<String, InferError> {
    std::fs::read_to_string(path).map_err(|source| InferError::File {
        path: path.to_owned(),
        source,
    })
}

fn open(path: &Path) -> Result<BufReader<File>, InferError> {
    let file = File::open(path).map_err(|source| InferError::File {
        path: path.to_owned(),
        source,
    })?;
    Ok(BufReader::new(file))
}

fn batch(folder: &Path, game: &Game, mut out: impl Write) -> Result<(), InferError> {
    let entries = std::fs::read_dir(folder).map_err(|source| InferError::File {
        path: folder.to_owned(),
        source,
    })?;
    let mut files: Vec<PathBuf> = entries
        .filter_map(Result::ok)
        .map(|entry| entry.path())
        .collect();
    files.retain(|path| {
        path.extension()
            .is_some_and(|extension| extension == "jsonl")
    });
    files.sort();
    for path in files {
        let (mut last, _) = conclude(open(&path)?, game.clone(), &mut std::io::sink())?;
        last["file"] = path.to_string_lossy().into();
        writeln!(out, "{last}")?;
    }
    Ok(())
}

/// What the lines of a stream were.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Lines {
    /// Something that happened at the board, or a game to begin with.
    pub events: u64,
    /// Nothing that makes sense.
    pub bad: u64,
}

/// Reads events and writes facts, the final line last.
///
/// # Errors
/// A stream that breaks, or a game that makes no sense. Lines that are no events are skipped and counted in `bad_lines`.
pub fn infer(lines: impl BufRead, game: Game, mut out: impl Write) -> Result<Lines, InferError> {
    let (last, lines) = conclude(lines, game, &mut out)?;
    writeln!(out, "{last}")?;
    out.flush()?;
    Ok(lines)
}

/// All events of a stream; the final line as a value.
fn conclude(
    lines: impl BufRead,
    game: Game,
    out: &mut impl Write,
) -> Result<(serde_json::Value, Lines), InferError> {
    let mut game = game;
    let mut table: Option<Table> = None;
    let mut now: Millis = 0;
    let mut seen = Lines::default();
    for line in lines.split(b'\n') {
        let line = line?;
        match parse(&line) {
            Event::Nothing => {}
            Event::Bad => seen.bad += 1,
            Event::Game(first) if table.is_none() => {
                game = game.overlaid(*first);
                seen.events += 1;
            }
            Event::Game(_) => seen.bad += 1,
            Event::Observed {
                at,
                board,
                observation,
            } => {
                let table = match &mut table {
                    Some(table) => table,
                    None => table.insert(Table::new(game.setup(&observation)?)),
                };
                seen.events += 1;
                now = at.max(now);
                print(out, &table.observe(now, board, observation))?;
            }
        }
    }
    let mut table = match table {
        Some(table) => table,
        None => Table::new(game.setup_unseen()?),
    };
    print(out, &table.tick(now.saturating_add(PEACE)))?;
    Ok((final_line(&table, seen.bad), seen))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn last(stream: &str) -> serde_json::Value {
        let mut out = Vec::new();
        infer(stream.as_bytes(), Game::default(), &mut out).expect("a stream that can be read");
        let text = String::from_utf8(out).expect("JSON is UTF-8");
        serde_json::from_str(text.lines().last().expect("a final line")).expect("a JSON line")
    }

    #[test]
    fn a_stream_ends_with_its_moves() {
        let end = last(
            r#"{"game":{"start_fen":"4k3/8/8/8/8/8/4P3/4K3 w - - 0 1"}}
            {"t_ms":0,"dump":"....k...............................................P.......K..."}
            {"t_ms":1000,"square":"e2","piece":null}
            {"t_ms":1250,"square":"e4","piece":"P"}
            {"t_ms":1900,"clock":"white","wtime":100,"btime":90}"#,
        );
        assert_eq!(end["kind"], "final");
        assert_eq!(end["moves"], serde_json::json!(["e2e4"]));
        assert_eq!(end["status"], "settled");
        assert_eq!(end["uncertain"], serde_json::json!([]));
    }

    #[test]
    fn lines_that_are_no_events_are_counted() {
        let end = last(
            "nonsense\n{\"t_ms\":5,\"square\":\"j9\",\"piece\":\"P\"}\n{\"t_ms\":9,\"dump\":\"short\"}\n\n{\"square\":\"e2\"}\n\u{fffd}",
        );
        assert_eq!(end["bad_lines"], 5);
        assert_eq!(end["moves"], serde_json::json!([]));
    }

    #[test]
    fn a_dump_of_question_marks_means_presence_only() {
        let rows = [
            "????????", "????????", "........", "........", "........", "........", "????????",
            "????????",
        ];
        let end = last(&format!(
            "{{\"t_ms\":0,\"dump\":\"{}\"}}\n{{\"t_ms\":900,\"square\":\"d2\",\"piece\":null}}\n\
             {{\"t_ms\":1200,\"square\":\"d4\",\"piece\":\"?\"}}",
            rows.concat()
        ));
        assert_eq!(end["moves"], serde_json::json!(["d2d4"]));
    }

    #[test]
    fn a_history_that_cannot_be_played_is_refused() {
        let game = Game {
            history: vec!["e2e5".into()],
            ..Game::default()
        };
        let error = infer(&b""[..], game, std::io::sink()).expect_err("e2e5 is not legal");
        assert!(error.to_string().contains("e2e5"), "{error}");
    }

    #[test]
    fn what_two_boards_say_makes_one_game() {
        let end = last(
            r#"{"t_ms":0,"board":"A","square":"e2","piece":null}
            {"t_ms":260,"board":"A","square":"e4","piece":"P"}
            {"t_ms":900,"clock":"white","wtime":300,"btime":300}
            {"t_ms":5600,"board":"B","square":"e2","piece":null}
            {"t_ms":6000,"board":"B","square":"e4","piece":"P"}
            {"t_ms":9000,"board":"B","square":"e7","piece":null}
            {"t_ms":9300,"board":"B","square":"e5","piece":"p"}
            {"t_ms":9900,"clock":"black","wtime":300,"btime":300}"#,
        );
        assert_eq!(end["moves"], serde_json::json!(["e2e4", "e7e5"]));
    }
}
