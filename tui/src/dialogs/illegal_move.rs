//! Ruling on an illegal move (7.5).

use protocol::{DeskPly, DeskTable, EditionId, Judgement, OrderBody, Played, Side};

use super::dialog::{Dialog, Opening};
use super::form::{Choose, Form, Held, NOTE};
use crate::words;

const JUDGEMENTS: [Judgement; 5] = [
    Judgement::First,
    Judgement::Second,
    Judgement::NoIllegalMove,
    Judgement::NotCompleted,
    Judgement::Stands,
];

/// Opens the dialog; what the Laws say to each choice comes from the hub.
pub(super) fn open(opening: &Opening<'_>) -> Dialog {
    let table = opening.table;
    let last = table.record.last();
    let told = opening.alert.and_then(|alert| alert.side);
    let offender = told.unwrap_or_else(|| last.map_or(table.turn.other(), |ply| ply.by));
    let mut dialog = Dialog::about(opening, "Illegal move", form(), body);
    dialog.title = format!(
        "{} · {} {}",
        dialog.title,
        words::edition(table.edition),
        words::speed(table.regime.speed)
    );
    dialog.form.choose(WHAT, preselected(table, offender));
    dialog
        .form
        .choose(OFFENDER, usize::from(offender == Side::Black));
    let seen = last.map_or("no move in the record".to_owned(), |ply| seen(ply, opening));
    let because = opening.alert.map(|a| a.because.join(" "));
    let because = because.filter(|words| !words.is_empty());
    let because = because.unwrap_or_else(|| "nothing reported; as you saw it".to_owned());
    dialog
        .knowing("Seen", seen)
        .knowing("Because", because)
        .knowing("Before", before(table))
}

const WHAT: &str = "Ruling";
const OFFENDER: &str = "By";
const INCREMENT: &str = "take back the increment of the press";

fn form() -> Form {
    let choices = vec![
        Choose::with("the first one, as the Laws say", "time for the opponent")
            .under("The Laws say"),
        Choose::with("the last one allowed, as the Laws say", "lost, or drawn"),
        Choose::with("no illegal move: the board misread", "game continues")
            .under("Your judgement"),
        Choose::with(
            "not completed: the clock was not pressed",
            "correct it, 4.3",
        ),
        Choose::with(
            "it stands: noticed too late, or both agree",
            "game continues",
        ),
    ];
    let sides = vec![Choose::plain("White"), Choose::plain("Black")];
    Form::new(vec![
        (WHAT, Held::List(choices, 0)),
        (OFFENDER, Held::Row(sides, 0)),
        (INCREMENT, Held::Tick(false)),
        (NOTE, Held::Text(String::new())),
    ])
}

/// Only a preselection: how many illegal moves an edition forgives is said by the hub's preview.
fn preselected(table: &DeskTable, offender: Side) -> usize {
    let forgiven = match table.edition {
        EditionId::Fide2023 | EditionId::Fide2018 | EditionId::Fide2014 => 1,
        EditionId::Fide2009 | EditionId::Fide2001 | EditionId::Fide1929 => 2,
    };
    usize::from(*table.illegal_moves.get(offender) >= forgiven)
}

fn seen(ply: &DeskPly, opening: &Opening<'_>) -> String {
    let number = u32::try_from(opening.table.record.len()).unwrap_or(u32::MAX);
    let what = match &ply.played {
        Played::Legal(_) => &ply.san,
        Played::Irregular { words, .. } => words,
    };
    let press = match (ply.pressed, ply.completed_at) {
        (true, Some(at)) => format!(
            "{} pressed the clock at {}",
            ply.by.word(),
            words::exact_time(at, opening.zone)
        ),
        (false, Some(_)) => "completed without a press seen".to_owned(),
        (_, None) => "not completed".to_owned(),
    };
    format!("{} {what} · {press}", words::move_number(number))
}

fn before(table: &DeskTable) -> String {
    let one = |side: Side| match table.illegal_moves.get(side) {
        0 => format!("{} none", side.word()),
        n => format!("{} {n}", side.word()),
    };
    format!(
        "completed illegal moves: {}, {}",
        one(Side::White),
        one(Side::Black)
    )
}

fn body(dialog: &Dialog) -> Result<OrderBody, String> {
    let form = &dialog.form;
    Ok(OrderBody::IllegalMove {
        table: dialog.about.table,
        offender: [Side::White, Side::Black][form.chosen(OFFENDER)],
        judgement: JUDGEMENTS[form.chosen(WHAT)],
        take_increment: form.ticked(INCREMENT),
    })
}
