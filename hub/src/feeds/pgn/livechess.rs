//! e-PGN as LiveChess 2.2 writes it to disk, for readers that know nothing else: its own first tag, two digits for the hours, lines that
//! break inside comments. Clock and time spent stand in one comment, which every reader accepts, or in two side by side, letter for letter
//! as LiveChess has them: of these chess.js refuses the game, because its grammar knows one comment behind a move.

use protocol::{HallBoard, HallPly};

use super::tags::{began_tags, clock_tags};
use super::{clean_moves, first_move, marker, tag, tags, wrapped};

/// The version whose form this is.
const FORM: &str = "0.1;DGT LiveChess/2.2.5";

/// How clock and time spent stand behind a move.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Times {
    /// `{[%clk 00:15:18][%emt 00:00:02]}`
    Together,
    /// `{[%clk 00:15:18]} {[%emt 00:00:02]}`
    Apart,
}

/// Several games; only the first one says what kind of file this is.
pub(super) fn livechess_games<'a>(
    boards: impl Iterator<Item = &'a HallBoard>,
    times: Times,
) -> String {
    boards
        .enumerate()
        .map(|(index, board)| text(board, index == 0, times))
        .collect()
}

fn text(board: &HallBoard, first: bool, times: Times) -> String {
    let marker = marker(board);
    let form = if first {
        tag("ePGN", FORM)
    } else {
        String::new()
    };
    let tags: String = livechess_tags(board, marker)
        .iter()
        .map(|(name, value)| tag(name, value))
        .collect();
    let words = movetext(board, marker, times);
    let words: Vec<String> = words.split(' ').map(str::to_owned).collect();
    format!("{form}{tags}\n{}\n", wrapped(&words))
}

/// The seven, then the time control, then each player's, then the clocks.
fn livechess_tags(board: &HallBoard, marker: &str) -> Vec<(String, String)> {
    let mut all = tags(board, marker);
    let mut others = all.split_off(7);
    let clocks = clock_tags(board, marker, two_digits);
    let began = began_tags(board);
    let elsewhere = |name: &str| clocks.iter().chain(&began).any(|(known, _)| known == name);
    others.retain(|(name, _)| !elsewhere(name) && name != "Board" && name != "GameId");
    others.sort_by_key(|(name, _)| name != "TimeControl");
    all.extend(others);
    all.extend(clocks);
    all
}

fn movetext(board: &HallBoard, marker: &str, times: Times) -> String {
    let (mut number, mut black) = first_move(board);
    let mut words = Vec::new();
    for (index, ply) in clean_moves(board).iter().enumerate() {
        if !black || index == 0 {
            words.push(format!("{number}{}", if black { "..." } else { "." }));
        }
        words.push(ply.san.clone());
        words.extend(comments(ply, times));
        number += u32::from(black);
        black = !black;
    }
    words.push(marker.to_owned());
    words.join(" ")
}

fn comments(ply: &HallPly, times: Times) -> Option<String> {
    let part = |name: &str, ms: Option<u64>| ms.map(|ms| format!("[%{name} {}]", two_digits(ms)));
    let parts = [part("clk", ply.clock_ms), part("emt", ply.spent_ms)];
    let parts: Vec<String> = parts.into_iter().flatten().collect();
    let between = match times {
        Times::Together => "",
        Times::Apart => "} {",
    };
    (!parts.is_empty()).then(|| format!("{{{}}}", parts.join(between)))
}

/// `00:15:19`.
fn two_digits(ms: u64) -> String {
    let seconds = ms / 1000;
    format!(
        "{:02}:{:02}:{:02}",
        seconds / 3600,
        seconds / 60 % 60,
        seconds % 60
    )
}
