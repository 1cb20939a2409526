//! The record as numbered rows, with what is open about a half-move said beside it.

use protocol::{DeskPly, DeskTable, Played};
use shakmaty::{Board, Role, Square};

use crate::language::word;
use crate::told::Reader;

/// One numbered row of the record.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Row {
    /// The number: `28.`
    pub number: String,
    /// White's half-move, empty when Black's came first.
    pub white: String,
    /// Black's half-move, empty when it is not there yet.
    pub black: String,
    /// Whether the record ends here.
    pub last: bool,
}

/// The text of a half-move in the arbiter's letters; `(?)` after what is not certain, `(illegal)` after what is no legal move.
pub fn ply_text(table: &DeskTable, index: usize, reader: &Reader) -> String {
    let Some(ply) = table.record.get(index) else {
        return String::new();
    };
    let number = u32::try_from(index + 1).unwrap_or(u32::MAX);
    let uncertain = table.uncertain.iter().any(|u| u.ply == number);
    let mark = match (&ply.played, uncertain) {
        (Played::Irregular { .. }, _) => format!(" ({})", reader.language().say(word!("illegal"))),
        (_, true) => " (?)".to_owned(),
        _ => String::new(),
    };
    format!("{}{mark}", words_of(ply, reader))
}

fn words_of(ply: &DeskPly, reader: &Reader) -> String {
    match &ply.played {
        Played::Legal(_) => reader.notation().san(&ply.san).into_owned(),
        Played::Irregular {
            from_fen, words, ..
        } => {
            let short = from_to(from_fen, words);
            short.map_or_else(|| reader.put(words), |m| reader.notation().moves_in(&m))
        }
    }
}

/// `Nb1-d1` for what an agent says of it: `an illegal move: b1 to d1`.
fn from_to(from_fen: &str, words: &str) -> Option<String> {
    let (from, to) = words.rsplit_once(": ")?.1.split_once(" to ")?;
    let (from, to): (Square, Square) = (from.parse().ok()?, to.parse().ok()?);
    let board = from_fen.split(' ').next()?;
    let board = Board::from_ascii_board_fen(board.as_bytes()).ok()?;
    let piece = match board.role_at(from)? {
        Role::Pawn => String::new(),
        role => role.upper_char().to_string(),
    };
    Some(format!("{piece}{from}-{to}"))
}

/// All rows of a record, numbered as the initial position says.
pub fn rows(table: &DeskTable, reader: &Reader) -> Vec<Row> {
    let (first, black_first) = start(table.start_fen.as_deref());
    let shift = usize::from(black_first);
    let cells = table.record.len() + shift;
    let text = |cell: usize| match cell.checked_sub(shift) {
        Some(index) => ply_text(table, index, reader),
        None => "…".to_owned(),
    };
    (0..cells.div_ceil(2))
        .map(|row| Row {
            number: format!("{}.", first as usize + row),
            white: text(row * 2),
            black: text(row * 2 + 1),
            last: row + 1 == cells.div_ceil(2),
        })
        .collect()
}

fn start(fen: Option<&str>) -> (u32, bool) {
    let Some(fen) = fen else { return (1, false) };
    let fields: Vec<&str> = fen.split_whitespace().collect();
    let number = fields.get(5).and_then(|n| n.parse().ok()).unwrap_or(1);
    (number, fields.get(1) == Some(&"b"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_move_that_is_none_stands_as_from_and_to() {
        let fen = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
        let rows = [
            ("an illegal move: b1 to d1", Some("Nb1-d1")),
            ("an illegal move: e2 to e5", Some("e2-e5")),
            ("an illegal move: e4 to e5", None),
            ("Ng1xe2", None),
        ];
        for (words, want) in rows {
            assert_eq!(from_to(fen, words).as_deref(), want, "{words}");
        }
    }
}
