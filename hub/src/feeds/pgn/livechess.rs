//! e-PGN as LiveChess 2.2 writes it to disk, for readers that know nothing else: clock and time spent in two comments side by side
//! with two digits for the hours, broken into lines inside comments, and its own first tag.
//!
//! chess.js does not read two adjacent comments; everything else that was tried does.

use protocol::{HallBoard, HallPly};

use super::tags::clock_tags;
use super::{clean_moves, first_move, marker, tag, tags, wrapped};

/// The version whose form this is.
const FORM: &str = "0.1;DGT LiveChess/2.2.5";

/// Several games; only the first one says what kind of file this is.
pub fn livechess_games<'a>(boards: impl Iterator<Item = &'a HallBoard>) -> String {
    boards
        .enumerate()
        .map(|(index, board)| text(board, index == 0))
        .collect()
}

/// One game as a file of its own.
pub fn livechess_game(board: &HallBoard) -> String {
    text(board, true)
}

fn text(board: &HallBoard, first: bool) -> String {
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
    let words = movetext(board, marker);
    let words: Vec<String> = words.split(' ').map(str::to_owned).collect();
    format!("{form}{tags}\n{}\n", wrapped(&words))
}

/// The seven, then the time control, then each player's, then the clocks.
fn livechess_tags(board: &HallBoard, marker: &str) -> Vec<(String, String)> {
    let mut all = tags(board, marker);
    let mut others = all.split_off(7);
    let clocks = clock_tags(board);
    let known = |name: &str| clocks.iter().any(|(clock, _)| clock == name);
    others.retain(|(name, _)| !known(name) && name != "Board" && name != "GameId");
    others.sort_by_key(|(name, _)| name != "TimeControl");
    all.extend(others);
    all.extend(clocks);
    all
}

fn movetext(board: &HallBoard, marker: &str) -> String {
    let (mut number, mut black) = first_move(board);
    let mut words = Vec::new();
    for (index, ply) in clean_moves(board).iter().enumerate() {
        if !black || index == 0 {
            words.push(format!("{number}{}", if black { "..." } else { "." }));
        }
        words.push(ply.san.clone());
        words.extend(comments(ply));
        number += u32::from(black);
        black = !black;
    }
    words.push(marker.to_owned());
    words.join(" ")
}

fn comments(ply: &HallPly) -> impl Iterator<Item = String> {
    let clk = ply
        .clock_ms
        .map(|ms| format!("{{[%clk {}]}}", two_digits(ms)));
    let emt = ply
        .spent_ms
        .map(|ms| format!("{{[%emt {}]}}", two_digits(ms)));
    clk.into_iter().chain(emt)
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
