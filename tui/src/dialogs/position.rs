//! The position: the record is right, the board is right, strike moves, write moves in, another piece for a promotion.

use protocol::{OrderBody, Ply, PromotionPiece, Side};

use super::dialog::{Dialog, Opening};
use super::form::{Choose, Form, Held, NOTE};
use crate::language::{Language, t, word};
use crate::words;

const WHAT: &str = word!("Position");
const FROM: &str = word!("Move");
const MOVES: &str = word!("Moves");
const TURN: &str = word!("To move");
const PIECE: &str = word!("Piece");
const PIECES: [(PromotionPiece, &str); 4] = [
    (PromotionPiece::Queen, word!("queen")),
    (PromotionPiece::Rook, word!("rook")),
    (PromotionPiece::Bishop, word!("bishop")),
    (PromotionPiece::Knight, word!("knight")),
];

/// Opens the dialog.
pub(super) fn open(opening: &Opening<'_>) -> Dialog {
    let (table, l) = (opening.table, opening.language);
    let with = |words: &str, effect: &str| Choose::with(l.say(words), l.say(effect));
    let last = u32::try_from(table.record.len()).unwrap_or(u32::MAX);
    let choices = vec![
        with(
            word!("the record is right: the board is to be restored"),
            word!("compare again"),
        ),
        with(
            word!("the board is right: adopt what stands there"),
            word!("the record goes on from it"),
        ),
        with(
            word!("strike the moves from … on"),
            word!("record gets shorter"),
        ),
        with(
            word!("write moves in, from … on"),
            word!("record is replaced"),
        ),
        with(
            word!("the pawn of move … became another piece"),
            word!("record is replaced"),
        ),
    ];
    let pieces = PIECES.map(|(_, name)| Choose::plain(l.say(name))).to_vec();
    let form = Form::new(vec![
        (WHAT, Held::List(choices, 0)),
        (FROM, Held::Text(words::move_number(last.max(1)))),
        (MOVES, Held::Text(String::new())),
        (TURN, super::small::sides(l, table.turn)),
        (PIECE, Held::Row(pieces, 0)),
        (NOTE, Held::Text(String::new())),
    ]);
    Dialog::about(opening, &t!(l, "Position"), form, body)
        .knowing(word!("Record"), ending(opening))
        .knowing(word!("Board"), board(opening))
}

fn ending(opening: &Opening<'_>) -> String {
    let record = &opening.table.record;
    let from = record.len().saturating_sub(4);
    let moves = record.iter().enumerate().skip(from).map(|(i, ply)| {
        let number = words::move_number(u32::try_from(i + 1).unwrap_or(u32::MAX));
        format!("{number} {}", opening.notation.san(&ply.san))
    });
    let text = moves.collect::<Vec<_>>().join(" · ");
    if text.is_empty() {
        t!(opening.language, "no moves")
    } else {
        text
    }
}

fn board(opening: &Opening<'_>) -> String {
    match &opening.table.board {
        None => t!(opening.language, "stands as the record says"),
        Some(board) => {
            let squares = crate::widgets::differing(&opening.table.position, board);
            let names: Vec<String> = squares.iter().take(12).map(ToString::to_string).collect();
            t!(opening.language, "differs at {}", names.join(" "))
        }
    }
}

fn body(dialog: &Dialog) -> Result<OrderBody, String> {
    let (form, l) = (&dialog.form, &dialog.language);
    let table = dialog.about.table;
    match form.chosen(WHAT) {
        0 => Ok(OrderBody::Resync { table }),
        1 => Ok(OrderBody::AdoptBoard {
            table,
            turn: Side::BOTH[form.chosen(TURN)],
        }),
        2 => Ok(OrderBody::Strike {
            table,
            from_ply: from_ply(l, form.text(FROM))?,
        }),
        4 => Ok(OrderBody::Promotion {
            table,
            ply: from_ply(l, form.text(FROM))?,
            piece: PIECES[form.chosen(PIECE)].0,
        }),
        _ => Ok(OrderBody::Insert {
            table,
            from_ply: from_ply(l, form.text(FROM))?,
            moves: moves(l, &dialog.notation.read(form.text(MOVES)))?,
        }),
    }
}

fn moves(l: &Language, text: &str) -> Result<Vec<String>, String> {
    let numbered = |word: &&str| !word.ends_with(['.', '…']);
    let moves: Vec<String> = text
        .split_whitespace()
        .filter(numbered)
        .map(str::to_owned)
        .collect();
    match moves.is_empty() {
        true => Err(t!(l, "write the moves: Nxg3 fxg3")),
        false => Ok(moves),
    }
}

/// Reads `28`, `28.`, `28…`, `28...`, `28b` and `28w` as a half-move.
pub(super) fn from_ply(l: &Language, text: &str) -> Result<Ply, String> {
    let wrong = || t!(l, "{} is no move number: 28. or 28…", text);
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
            assert_eq!(from_ply(&Language::default(), text).ok(), want, "{text}");
        }
    }
}
