//! The movetext of the clean kind: `[%clk]` and `[%emt]` in one comment, because some readers reject two adjacent ones.

use protocol::{HallBoard, HallPly};

use super::clean_moves;
use crate::web::words::clock;

/// The tokens of the movetext, marker included.
pub(super) fn movetext(board: &HallBoard, marker: &str) -> Vec<String> {
    let (mut number, mut black) = first_move(board);
    let mut tokens = Vec::new();
    let mut say_number = true;
    for ply in clean_moves(board) {
        if !black || say_number {
            tokens.push(format!("{number}{}", if black { "..." } else { "." }));
        }
        tokens.push(ply.san.clone());
        let comment = comment(ply);
        say_number = comment.is_some();
        tokens.extend(comment);
        number += u32::from(black);
        black = !black;
    }
    if board.cut_short {
        say_after_the_moves(&mut tokens);
    }
    tokens.push(marker.to_owned());
    tokens
}

/// What movetext cannot hold is said in words, in the comment that stands there already: some readers reject two side by side.
fn say_after_the_moves(tokens: &mut Vec<String>) {
    let words = "What was played after this is no legal move.}";
    let before = tokens.pop_if(|token| token.ends_with('}'));
    let text = match before {
        Some(comment) => format!("{} {words}", comment.trim_end_matches('}')),
        None => format!("{{{words}"),
    };
    tokens.extend(text.split(' ').map(str::to_owned));
}

/// Number of the first move and whether Black makes it.
pub(crate) fn first_move(board: &HallBoard) -> (u32, bool) {
    let Some(fen) = &board.start_fen else {
        return (1, false);
    };
    let field = |n| fen.split(' ').nth(n);
    (
        field(5).and_then(|n| n.parse().ok()).unwrap_or(1),
        field(1) == Some("b"),
    )
}

/// `{[%clk 1:29:58][%emt 0:00:05]}`, whole seconds as the clocks show them.
fn comment(ply: &HallPly) -> Option<String> {
    let part = |name: &str, ms: Option<u64>| ms.map(|ms| format!("[%{name} {}]", clock(ms)));
    let both: String = [part("clk", ply.clock_ms), part("emt", ply.spent_ms)]
        .into_iter()
        .flatten()
        .collect();
    (!both.is_empty()).then(|| format!("{{{both}}}"))
}

/// Lines of less than 80 characters.
pub(crate) fn wrapped(tokens: &[String]) -> String {
    let mut text = String::new();
    let mut width = 0;
    for token in tokens {
        if width > 0 && width + 1 + token.len() >= 80 {
            text.push('\n');
            width = 0;
        }
        if width > 0 {
            text.push(' ');
            width += 1;
        }
        text.push_str(token);
        width += token.len();
    }
    text.push('\n');
    text
}
