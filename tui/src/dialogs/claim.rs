//! Judging a claim of a draw (9.2, 9.3): what the record says, the written move, and what follows when it is not correct.

use protocol::{BySide, GameResult, OrderBody, ResultHow, Side};

use super::dialog::{Dialog, Opening};
use super::form::{Choose, Form, Held, NOTE};

const WHAT: &str = "Claim";
const BY: &str = "Claimed by";
const EXTRA: &str = "Opponent gets";

/// Opens the dialog.
pub(super) fn open(opening: &Opening<'_>) -> Dialog {
    let table = opening.table;
    let choices = vec![
        Choose::with("correct: the position three times (9.2)", "½ – ½").under("The claim is"),
        Choose::with("correct: fifty moves (9.3)", "½ – ½"),
        Choose::with("not correct (9.5.3)", "time for the opponent"),
    ];
    let at = match (table.repetitions >= 3, table.quiet_plies >= 100) {
        (true, _) => 0,
        (false, true) => 1,
        (false, false) => 2,
    };
    let sides = vec![Choose::plain("White"), Choose::plain("Black")];
    let form = Form::new(vec![
        (WHAT, Held::List(choices, at)),
        (BY, Held::Row(sides, usize::from(table.turn == Side::Black))),
        (EXTRA, Held::Change("+2:00".to_owned())),
        (NOTE, Held::Text(String::new())),
    ]);
    let record = format!(
        "the present position {} times · {} half-moves without capture or pawn move",
        table.repetitions, table.quiet_plies
    );
    Dialog::about(opening, "Claim of a draw", form, body)
        .knowing("Record", record)
        .knowing(
            "Written",
            "a move written and not made counts too (9.2.1, 9.3.1); put it into the note",
        )
}

fn body(dialog: &Dialog) -> Result<OrderBody, String> {
    let table = dialog.about.table;
    match dialog.form.chosen(WHAT) {
        0 => Ok(draw(dialog, ResultHow::Threefold)),
        1 => Ok(draw(dialog, ResultHow::FiftyMoves)),
        _ => {
            let claimant = [Side::White, Side::Black][dialog.form.chosen(BY)];
            let extra = dialog.form.change(EXTRA).ok_or("the time is no time")?;
            let mut change_ms = BySide { white: 0, black: 0 };
            *change_ms.get_mut(claimant.other()) = extra;
            Ok(OrderBody::AdjustTime {
                table,
                change_ms,
                article: "9.5.3".to_owned(),
            })
        }
    }
}

fn draw(dialog: &Dialog, how: ResultHow) -> OrderBody {
    OrderBody::Result {
        table: dialog.about.table,
        result: GameResult::Draw,
        how,
        confirm: true,
        signed: BySide::default(),
    }
}
