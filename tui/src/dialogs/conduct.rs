//! A penalty for conduct (12.9).

use protocol::{OrderBody, Penalty, Side};

use super::dialog::{Dialog, Opening};
use super::form::{Choose, Form, Held, NOTE};
use crate::language::{t, word};

const OFFENDER: &str = word!("Offender");
const PENALTY: &str = word!("Penalty");
const TIME: &str = word!("Time");
const HOW_MUCH: &str = word!("How much");

/// Opens the dialog.
pub(super) fn open(opening: &Opening<'_>) -> Dialog {
    let l = opening.language;
    let penalties = [
        (word!("a warning"), "12.9.1"),
        (word!("more time for the opponent"), "12.9.2"),
        (word!("less time for the offender"), "12.9.3"),
        (word!("half points more for the opponent"), "12.9.4"),
        (word!("half points less for the offender"), "12.9.5"),
        (word!("the game is lost"), "12.9.6"),
        (word!("a fine"), "12.9.7"),
        (word!("excluded from rounds"), "12.9.8"),
        (word!("expelled from the event"), "12.9.9"),
    ];
    let penalties = penalties.map(|(words, article)| Choose::with(l.say(words), article));
    let form = Form::new(vec![
        (PENALTY, Held::List(penalties.to_vec(), 0)),
        (OFFENDER, super::small::sides(l, Side::White)),
        (TIME, Held::Change("2:00".to_owned())),
        (HOW_MUCH, Held::Text("1".to_owned())),
        (NOTE, Held::Text(String::new())),
    ]);
    Dialog::about(opening, &t!(l, "Conduct"), form, body).knowing(
        word!("Write"),
        t!(
            l,
            "Time for 12.9.2 and 12.9.3; How much: half points, rounds, or the fine as announced"
        ),
    )
}

fn body(dialog: &Dialog) -> Result<OrderBody, String> {
    let (form, l) = (&dialog.form, &dialog.language);
    let much = form.text(HOW_MUCH);
    let number = || {
        let number = much.parse::<u8>().ok().filter(|n| *n > 0);
        number.ok_or_else(|| t!(l, "How much: {} is no number", much))
    };
    let ms = || {
        let ms = form.change(TIME).and_then(|ms| u64::try_from(ms).ok());
        ms.filter(|ms| *ms > 0)
            .ok_or_else(|| t!(l, "{} is no time: 2:00", form.text(TIME)))
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
        offender: Side::BOTH[form.chosen(OFFENDER)],
        penalty,
    })
}
