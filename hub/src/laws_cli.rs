//! Questions to the laws from the command line, a line in and a line out: `laws cannot-mate`, `laws dead`, `laws history`;
//! and one question for a person, `laws show`.
//!
//! Answers come in the order of the questions, one JSON object a line. The first two use all processors. A line that cannot be read is
//! answered too, as undecided with the reason, so that answers and questions always stay in step.

mod lines;
mod show;
mod stopwatch;

use std::{
    io::{self, Read, Write},
    num::NonZeroUsize,
    sync::atomic::{AtomicU64, Ordering},
    thread,
    time::Duration,
};

use clap::Args;
use serde::{Deserialize, Serialize};
use shakmaty::{Chess, Color, Position, uci::UciMove};

pub use self::show::{ShowArgs, show};
pub use self::stopwatch::Stopwatch;

use self::lines::each_line;
use crate::laws::{
    repetition::{Firsts, History},
    unwinnable::{Budget, Dead, Reason, Verdict, dead, position_from_fen, verdict, words},
};

/// Options of `laws cannot-mate` and `laws dead`.
#[derive(Args, Clone, Debug)]
pub struct BudgetArgs {
    /// Milliseconds of processor time allowed for one verdict
    #[arg(long, default_value_t = 50)]
    pub budget_ms: u64,
    /// Threads; 0 means one for each processor
    #[arg(long, default_value_t = 0)]
    pub threads: usize,
    /// Nodes allowed for one verdict, for answers that do not depend on the machine
    #[arg(long)]
    pub budget_nodes: Option<u64>,
}

impl BudgetArgs {
    fn threads(&self) -> usize {
        match self.threads {
            0 => thread::available_parallelism().map_or(1, NonZeroUsize::get),
            some => some.min(256),
        }
    }
}

/// Reads lines `FEN;white` or `FEN;black` (who should mate) and answers each.
///
/// # Errors
/// When reading or writing fails.
pub fn cannot_mate(
    args: &BudgetArgs,
    input: impl Read,
    output: impl Write,
    troubles: &Troubles,
) -> io::Result<()> {
    each_line(args.threads(), input, output, &|line| {
        cannot_mate_line(args, line, troubles)
    })
}

/// Reads lines of FEN and says of each whether the position is dead (5.2.2).
///
/// # Errors
/// When reading or writing fails.
pub fn dead_positions(
    args: &BudgetArgs,
    input: impl Read,
    output: impl Write,
    troubles: &Troubles,
) -> io::Result<()> {
    each_line(args.threads(), input, output, &|line| {
        dead_line(args, line, troubles)
    })
}

/// Reads games as `{"start_fen", "moves"}` lines and answers when each right to claim a draw first arose.
///
/// # Errors
/// When reading or writing fails.
pub fn history(input: impl Read, output: impl Write, troubles: &Troubles) -> io::Result<()> {
    each_line(1, input, output, &|line| history_line(line, troubles))
}

/// Counts what went wrong.
#[derive(Debug, Default)]
pub struct Troubles {
    unread: AtomicU64,
    refused: AtomicU64,
}

impl Troubles {
    /// Questions that could not be read.
    pub fn unread(&self) -> u64 {
        self.unread.load(Ordering::Relaxed)
    }

    /// Proofs that the checker refused, which is an error of this program.
    pub fn refused(&self) -> u64 {
        self.refused.load(Ordering::Relaxed)
    }

    fn another_unread(&self) {
        self.unread.fetch_add(1, Ordering::Relaxed);
    }

    /// Notes why a question stayed open.
    fn open(&self, reason: Reason) {
        if reason == Reason::Rejected {
            self.refused.fetch_add(1, Ordering::Relaxed);
        }
    }
}

#[derive(Serialize)]
struct CannotMate<'a> {
    fen: &'a str,
    winner: &'a str,
    verdict: &'static str,
    line: Vec<String>,
    reason: String,
    nodes: u64,
    micros: u64,
}

fn cannot_mate_line(args: &BudgetArgs, line: &str, troubles: &Troubles) -> String {
    let (fen, side) = line
        .rsplit_once(';')
        .map_or((line, ""), |(fen, side)| (fen.trim(), side.trim()));
    let mut answer = CannotMate {
        fen,
        winner: side,
        verdict: "undecided",
        line: Vec::new(),
        reason: String::new(),
        nodes: 0,
        micros: 0,
    };
    let winner = match side {
        "white" => Color::White,
        "black" => Color::Black,
        _ => {
            troubles.another_unread();
            answer.reason = "expected FEN;white or FEN;black".to_owned();
            return json(&answer);
        }
    };
    let pos = match position_from_fen(fen) {
        Ok(pos) => pos,
        Err(why) => {
            troubles.another_unread();
            answer.reason = why.to_string();
            return json(&answer);
        }
    };
    let ((found, nodes), micros) = timed(args, |budget| verdict(&pos, winner, budget));
    if let Verdict::Undecided { reason, .. } = &found {
        troubles.open(*reason);
    }
    let found = words::concise(&pos, &found);
    answer.verdict = name(&found);
    answer.line = uci_line(&pos, &found);
    answer.reason = words::reason(&pos, winner, &found);
    (answer.nodes, answer.micros) = (nodes, micros);
    json(&answer)
}

fn name(verdict: &Verdict) -> &'static str {
    match verdict {
        Verdict::Winnable { .. } => "winnable",
        Verdict::Unwinnable { .. } => "unwinnable",
        Verdict::Undecided { .. } => "undecided",
    }
}

fn uci_line(pos: &Chess, found: &Verdict) -> Vec<String> {
    let mode = pos.castles().mode();
    match found {
        Verdict::Winnable { line } => line
            .iter()
            .map(|&m| UciMove::from_move(m, mode).to_string())
            .collect(),
        _ => Vec::new(),
    }
}

#[derive(Serialize)]
struct DeadAnswer<'a> {
    fen: &'a str,
    verdict: &'static str,
    reason: String,
    nodes: u64,
    micros: u64,
}

fn dead_line(args: &BudgetArgs, line: &str, troubles: &Troubles) -> String {
    let fen = line.trim();
    let mut answer = DeadAnswer {
        fen,
        verdict: "undecided",
        reason: String::new(),
        nodes: 0,
        micros: 0,
    };
    match position_from_fen(fen) {
        Err(why) => {
            troubles.another_unread();
            answer.reason = why.to_string();
        }
        Ok(pos) => {
            let ((found, nodes), micros) = timed(args, |budget| dead(&pos, budget));
            answer.verdict = match found {
                Dead::Dead { .. } => "dead",
                Dead::Alive { .. } => "alive",
                Dead::Undecided { reason, .. } => {
                    troubles.open(reason);
                    "undecided"
                }
            };
            answer.reason = words::dead_reason(&pos, &found);
            (answer.nodes, answer.micros) = (nodes, micros);
        }
    }
    json(&answer)
}

/// Runs one question with its time turned into a `stop`; the answer with the nodes it took, and the microseconds. Time is that of the
/// processor spent on it: while another program has the processor, a verdict neither grows older nor becomes undecided.
fn timed<T>(args: &BudgetArgs, ask: impl FnOnce(&mut Budget<'_>) -> T) -> ((T, u64), u64) {
    let watch = Stopwatch::start();
    let mut stop = || watch.has_reached(Duration::from_millis(args.budget_ms));
    let mut budget = Budget::new(args.budget_nodes.unwrap_or(u64::MAX), &mut stop);
    let found = ask(&mut budget);
    let nodes = budget.spent();
    let micros = u64::try_from(watch.elapsed().as_micros()).unwrap_or(u64::MAX);
    ((found, nodes), micros)
}

#[derive(Deserialize)]
struct Game {
    start_fen: String,
    moves: Vec<String>,
}

#[derive(Default, Serialize)]
struct HistoryAnswer {
    threefold_on_board_ply: Option<usize>,
    threefold_claimant: Option<&'static str>,
    threefold_by_intended_move_ply: Option<usize>,
    threefold_intended_moves: Option<Vec<String>>,
    fivefold_ply: Option<usize>,
    fifty_on_board_ply: Option<usize>,
    fifty_by_intended_move_ply: Option<usize>,
    seventyfive_ply: Option<usize>,
    checkmate_ply: Option<usize>,
    stalemate_ply: Option<usize>,
    dead_position_ply: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    error: Option<String>,
}

fn history_line(line: &str, troubles: &Troubles) -> String {
    let answer = match replay(line) {
        Ok(history) => {
            let dead = first_dead(&history);
            HistoryAnswer {
                dead_position_ply: dead,
                ..flat(history.firsts(), &history)
            }
        }
        Err(why) => {
            troubles.another_unread();
            HistoryAnswer {
                error: Some(why),
                ..HistoryAnswer::default()
            }
        }
    };
    json(&answer)
}

fn replay(line: &str) -> Result<History, String> {
    let game: Game = serde_json::from_str(line).map_err(|e| format!("not a game: {e}"))?;
    let start = position_from_fen(&game.start_fen).map_err(|e| e.to_string())?;
    let mut history = History::new(start);
    for (ply, word) in game.moves.iter().enumerate() {
        let legal = word
            .parse::<UciMove>()
            .ok()
            .and_then(|uci| uci.to_move(history.current()).ok());
        let m = legal.ok_or_else(|| format!("move {} ({word:?}) is not a legal move", ply + 1))?;
        history.play(m);
    }
    Ok(history)
}

fn flat(firsts: Firsts, history: &History) -> HistoryAnswer {
    let mode = history.current().castles().mode();
    let moves = firsts.threefold_intended_moves.map(|moves| {
        let mut words: Vec<String> = moves
            .into_iter()
            .map(|m| UciMove::from_move(m, mode).to_string())
            .collect();
        words.sort();
        words
    });
    HistoryAnswer {
        threefold_on_board_ply: firsts.threefold_on_board,
        threefold_claimant: firsts
            .threefold_claimant
            .map(|c| c.fold_wb("white", "black")),
        threefold_by_intended_move_ply: firsts.threefold_by_intended_move,
        threefold_intended_moves: moves,
        fivefold_ply: firsts.fivefold,
        fifty_on_board_ply: firsts.fifty_on_board,
        fifty_by_intended_move_ply: firsts.fifty_by_intended_move,
        seventyfive_ply: firsts.seventy_five,
        checkmate_ply: firsts.checkmate,
        stalemate_ply: firsts.stalemate,
        dead_position_ply: None,
        error: None,
    }
}

/// The first ply at which neither side could mate. A game that was dead stays dead, so the last position tells whether to look at all.
fn first_dead(history: &History) -> Option<usize> {
    const NODES: u64 = 200_000;
    let is_dead = |pos: &Chess| {
        let mut never = || false;
        matches!(
            dead(pos, &mut Budget::new(NODES, &mut never)),
            Dead::Dead { .. }
        )
    };
    let positions = history.positions();
    if !is_dead(history.current()) {
        return None;
    }
    let first = positions.partition_point(|pos| !is_dead(pos));
    let over = positions.get(first)?.legal_moves().is_empty();
    (!over).then_some(first)
}

fn json(answer: &impl Serialize) -> String {
    serde_json::to_string(answer)
        .unwrap_or_else(|e| format!("{{\"verdict\":\"undecided\",\"reason\":\"{e}\"}}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn args() -> BudgetArgs {
        BudgetArgs {
            budget_ms: 60_000,
            threads: 2,
            budget_nodes: Some(20_000),
        }
    }

    fn lines(bytes: Vec<u8>) -> Vec<serde_json::Value> {
        let text = String::from_utf8(bytes).expect("answers are UTF-8");
        text.lines()
            .map(|l| serde_json::from_str(l).expect("answers are JSON"))
            .collect()
    }

    #[test]
    fn answers_stay_in_step_with_questions_good_and_bad() {
        let input = "4k3/8/8/8/8/8/8/4KQ2 w - - 0 1;white\n\nnonsense\n4k3/8/8/8/8/8/8/4KQ2 w - - 0 1;black\n8/8/8/8/8/8/8/8 w - - 0 1;white\n";
        let mut output = Vec::new();
        let troubles = Troubles::default();
        cannot_mate(&args(), input.as_bytes(), &mut output, &troubles)
            .expect("memory can be written");
        assert_eq!(
            troubles.unread(),
            2,
            "the program ends with 1 and says how many"
        );
        let answers = lines(output);
        let verdicts: Vec<_> = answers
            .iter()
            .map(|a| a["verdict"].as_str().expect("a verdict"))
            .collect();
        assert_eq!(
            verdicts,
            ["winnable", "undecided", "unwinnable", "undecided"]
        );
        assert!(answers[1]["reason"].as_str().is_some_and(|r| !r.is_empty()));
    }

    #[test]
    fn only_proofs_that_the_checker_refused_are_errors_of_the_program() {
        let troubles = Troubles::default();
        for (reason, refused) in [
            (Reason::Nodes, 0),
            (Reason::Stopped, 0),
            (Reason::Memory, 0),
            (Reason::Rejected, 1),
        ] {
            troubles.open(reason);
            assert_eq!(troubles.refused(), refused, "{reason:?}");
        }
    }

    #[test]
    fn boards_that_no_game_can_reach_are_answered_with_the_reason() {
        let rows = [
            (
                "4k3/8/8/8/8/8/8/K3K3 w - - 0 1",
                "undecided",
                "more than one king",
            ),
            (
                "8/8/8/8/8/8/8/K7 w - - 0 1",
                "undecided",
                "a king is missing",
            ),
            (
                "4kr2/8/8/8/8/8/8/4RK2 w - - 0 1",
                "undecided",
                "not to move is in check",
            ),
            (
                "P3k3/8/8/8/8/8/8/4K3 w - - 0 1",
                "undecided",
                "pawn on the first or last rank",
            ),
            (
                "4k3/8/8/8/8/8/8/4K2p w - - 0 1",
                "undecided",
                "pawn on the first or last rank",
            ),
            (
                "4k3/8/8/8/8/8/8/4K3/8 w - - 0 1",
                "undecided",
                "not a position in FEN",
            ),
            (
                "4k3/8/8/8/8/8/8/4K4 w - - 0 1",
                "undecided",
                "not a position in FEN",
            ),
            (
                "4k3/8/8/8/8/P7/PPPPPPPP/4K3 w - - 0 1",
                "winnable",
                "White can mate",
            ),
            (
                "4k3/8/8/8/8/8/8/4K3 w KQkq e6 0 1",
                "unwinnable",
                "White has a bare king",
            ),
            (
                "8/8/8/8/8/2b1k1b1/8/3RKR2 w - - 0 1",
                "unwinnable",
                "White has been mated",
            ),
            (
                "NNNNNNNN/NNNNNNNN/8/8/8/8/8/K6k w - - 0 1",
                "winnable",
                "White can mate",
            ),
        ];
        let questions = rows.iter().map(|(fen, ..)| format!("{fen};white\n"));
        let input: String = questions.collect();
        let mut output = Vec::new();
        cannot_mate(&args(), input.as_bytes(), &mut output, &Troubles::default())
            .expect("memory can be written");
        for ((fen, verdict, reason), answer) in rows.iter().zip(lines(output)) {
            assert_eq!(answer["verdict"], *verdict, "{fen}: {answer}");
            let told = answer["reason"].as_str().expect("a reason");
            assert!(told.contains(reason), "{fen}: {told}");
        }
    }

    #[test]
    fn bytes_that_are_no_text_are_answered_too() {
        let mut input = vec![0xff, 0xfe, b';', b'w', b'\n'];
        input.extend(vec![b'q'; 200_000]);
        input.extend(b"\n4k3/8/8/8/8/8/8/4KQ2 w - - 0 1;white\n");
        let mut output = Vec::new();
        let troubles = Troubles::default();
        cannot_mate(&args(), input.as_slice(), &mut output, &troubles)
            .expect("memory can be written");
        assert_eq!(troubles.unread(), 2);
        assert_eq!(lines(output)[2]["verdict"], "winnable");
    }

    #[test]
    fn art_5_2_2_dead_positions() {
        let input = "4k3/8/8/8/8/8/8/4K3 w - - 0 1\n4k3/8/8/8/8/8/P7/4K3 w - - 0 1\n";
        let mut output = Vec::new();
        dead_positions(&args(), input.as_bytes(), &mut output, &Troubles::default())
            .expect("memory can be written");
        let verdicts: Vec<_> = lines(output)
            .into_iter()
            .map(|a| a["verdict"].clone())
            .collect();
        assert_eq!(verdicts, ["dead", "alive"]);
    }

    #[test]
    fn history_names_the_first_ply_of_a_dead_position() {
        let input = r#"{"start_fen":"4k3/8/8/8/8/8/3p4/4K3 w - - 0 1","moves":["e1d2","e8e7"]}"#;
        let mut output = Vec::new();
        history(input.as_bytes(), &mut output, &Troubles::default())
            .expect("memory can be written");
        assert_eq!(lines(output)[0]["dead_position_ply"], 1);
    }
}
