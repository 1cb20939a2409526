//! The position: the record is right, the board is right, strike moves, write moves in.

use protocol::{OrderBody, Ply, Side};

use super::dialog::{Dialog, Opening};
use super::form::{Choose, Form, Held, NOTE};
use crate::words;

const WHAT: &str = "Position";
const FROM: &str = "From move";
const MOVES: &str = "Moves";
const TURN: &str = "To move";

/// Opens the dialog.
pub(super) fn open(opening: &Opening<'_>) -> Dialog {
    let table = opening.table;
    let last = u32::try_from(table.record.len()).unwrap_or(u32::MAX);
    let choices = vec![
        Choose::with(
            "the record is right: the board is to be restored",
            "compare again",
        ),
        Choose::with(
            "the board is right: adopt what stands there",
            "record starts anew",
        ),
        Choose::with("strike the moves from … on", "record gets shorter"),
        Choose::with("write moves in, from … on", "record is replaced"),
    ];
    let sides = vec![Choose::plain("White"), Choose::plain("Black")];
    let form = Form::new(vec![
        (WHAT, Held::List(choices, 0)),
        (FROM, Held::Text(words::move_number(last.max(1)))),
        (MOVES, Held::Text(String::new())),
        (
            TURN,
            Held::Row(sides, usize::from(table.turn == Side::Black)),
        ),
        (NOTE, Held::Text(String::new())),
    ]);
    Dialog::about(opening, "Position", form, body)
        .knowing("Record", ending(opening))
        .knowing("Board", board(opening))
}

fn ending(opening: &Opening<'_>) -> String {
    let record = &opening.table.record;
    let from = record.len().saturating_sub(4);
    let moves = record.iter().enumerate().skip(from).map(|(i, ply)| {
        let number = words::move_number(u32::try_from(i + 1).unwrap_or(u32::MAX));
        format!("{number} {}", ply.san)
    });
    let text = moves.collect::<Vec<_>>().join(" · ");
    if text.is_empty() {
        "no moves".to_owned()
    } else {
        text
    }
}

fn board(opening: &Opening<'_>) -> String {
    match &opening.table.board {
        None => "stands as the record says".to_owned(),
        Some(board) => {
            let squares = crate::widgets::differing(&opening.table.position, board);
            let names: Vec<String> = squares.iter().take(12).map(ToString::to_string).collect();
            format!("differs at {}", names.join(" "))
        }
    }
}

fn body(dialog: &Dialog) -> Result<OrderBody, String> {
    let form = &dialog.form;
    let table = dialog.about.table;
    match form.chosen(WHAT) {
        0 => Ok(OrderBody::Resync { table }),
        1 => Ok(OrderBody::AdoptBoard {
            table,
            turn: [Side::White, Side::Black][form.chosen(TURN)],
        }),
        2 => Ok(OrderBody::Strike {
            table,
            from_ply: from_ply(form.text(FROM))?,
        }),
        _ => Ok(OrderBody::Insert {
            table,
            from_ply: from_ply(form.text(FROM))?,
            moves: moves(form.text(MOVES))?,
        }),
    }
}

fn moves(text: &str) -> Result<Vec<String>, String> {
    let numbered = |word: &&str| !word.ends_with(['.', '…']);
    let moves: Vec<String> = text
        .split_whitespace()
        .filter(numbered)
        .map(str::to_owned)
        .collect();
    match moves.is_empty() {
        true => Err("write the moves: Nxg3 fxg3".to_owned()),
        false => Ok(moves),
    }
}

/// Reads `28`, `28.`, `28…`, `28...`, `28b` and `28w` as a half-move.
pub(super) fn from_ply(text: &str) -> Result<Ply, String> {
    let wrong = || format!("{text:?} is no move number: 28. or 28…");
    let cut = text
        .find(|c: char| !c.is_ascii_digit())
        .unwrap_or(text.len());
    let (digits, rest) = text.split_at(cut);
    let number: Ply = digits.parse().map_err(|_| wrong())?;
    if number == 0 || number > 10_000 {
        return Err(wrong());
    }
    match rest {
        "" | "." | "w" => Ok(number * 2 - 1),
        "…" | "..." | "b" => Ok(number * 2),
        _ => Err(wrong()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn move_numbers_as_people_write_them() {
        let rows = [
            ("28", Some(55)),
            ("28.", Some(55)),
            ("28…", Some(56)),
            ("28...", Some(56)),
            ("28b", Some(56)),
            ("0", None),
            ("x", None),
            ("28?", None),
            ("99999", None),
        ];
        for (text, want) in rows {
            assert_eq!(from_ply(text).ok(), want, "{text}");
        }
    }
}
