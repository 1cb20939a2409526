//! A penalty for conduct (12.9).

use protocol::{OrderBody, Penalty, Side};

use super::dialog::{Dialog, Opening};
use super::form::{Choose, Form, Held, NOTE};

const OFFENDER: &str = "Offender";
const PENALTY: &str = "Penalty";
const TIME: &str = "Time";
const HOW_MUCH: &str = "How much";

/// Opens the dialog.
pub(super) fn open(opening: &Opening<'_>) -> Dialog {
    let penalties = [
        ("a warning", "12.9.1"),
        ("more time for the opponent", "12.9.2"),
        ("less time for the offender", "12.9.3"),
        ("half points more for the opponent", "12.9.4"),
        ("half points less for the offender", "12.9.5"),
        ("the game is lost", "12.9.6"),
        ("a fine", "12.9.7"),
        ("excluded from rounds", "12.9.8"),
        ("expelled from the event", "12.9.9"),
    ];
    let penalties = penalties.map(|(words, article)| Choose::with(words, article));
    let sides = vec![Choose::plain("White"), Choose::plain("Black")];
    let form = Form::new(vec![
        (PENALTY, Held::List(penalties.to_vec(), 0)),
        (OFFENDER, Held::Row(sides, 0)),
        (TIME, Held::Change("2:00".to_owned())),
        (HOW_MUCH, Held::Text("1".to_owned())),
        (NOTE, Held::Text(String::new())),
    ]);
    Dialog::about(opening, "Conduct", form, body).knowing(
        "Write",
        "Time for 12.9.2 and 12.9.3; How much: half points, rounds, or the fine as announced",
    )
}

fn body(dialog: &Dialog) -> Result<OrderBody, String> {
    let form = &dialog.form;
    let much = form.text(HOW_MUCH);
    let number = || {
        much.parse::<u8>()
            .map_err(|_| format!("{much:?} is no number"))
    };
    let ms = || {
        let ms = form.change(TIME).and_then(|ms| u64::try_from(ms).ok());
        ms.filter(|ms| *ms > 0)
            .ok_or("the time is no time".to_owned())
    };
    let penalty = match form.chosen(PENALTY) {
        0 => Penalty::Warning,
        1 => Penalty::OpponentTime { ms: ms()? },
        2 => Penalty::OffenderTime { ms: ms()? },
        3 => Penalty::OpponentPoints { halves: number()? },
        4 => Penalty::OffenderPoints { halves: number()? },
        5 => Penalty::Loss,
        6 => Penalty::Fine {
            amount: much.to_owned(),
        },
        7 => Penalty::Exclusion { rounds: number()? },
        _ => Penalty::Expulsion,
    };
    Ok(OrderBody::Conduct {
        table: dialog.about.table,
        offender: [Side::White, Side::Black][form.chosen(OFFENDER)],
        penalty,
    })
}
