//! Ruling on an illegal move (7.5).

use protocol::{DeskPly, DeskTable, EditionId, Judgement, OrderBody, Played, Ply, Side};

use super::dialog::{Dialog, Opening};
use super::form::{Choose, Form, Held, NOTE};
use crate::action::Action;
use crate::language::{Language, t, word};
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
    let (table, l) = (opening.table, opening.language);
    let number = opening.alert.and_then(|alert| alert.ply);
    let number = number.unwrap_or(Ply::try_from(table.record.len()).unwrap_or(Ply::MAX));
    let index = usize::try_from(number).ok().and_then(|n| n.checked_sub(1));
    let last = index.and_then(|index| table.record.get(index));
    let told = opening.alert.and_then(|alert| alert.side);
    let offender = told.unwrap_or_else(|| last.map_or(table.turn.other(), |ply| ply.by));
    let mut dialog = Dialog::about(opening, &t!(l, "Illegal move"), form(l), body);
    dialog.title = format!(
        "{} · {} {}",
        dialog.title,
        words::edition(table.edition),
        l.say(words::speed(table.regime.speed))
    );
    dialog.leads = |dialog| {
        let other = dialog.form.chosen(WHAT) >= JUDGEMENTS.len();
        other.then_some(Action::Conduct)
    };
    dialog.form.choose(WHAT, preselected(table, offender));
    dialog
        .form
        .choose(OFFENDER, usize::from(offender == Side::Black));
    let seen = last.map_or_else(
        || t!(l, "no move in the record"),
        |ply| seen(ply, number, opening),
    );
    let because = opening.alert.map(|a| a.because.join(" "));
    let because = because.filter(|words| !words.is_empty());
    let because = because.unwrap_or_else(|| t!(l, "nothing reported; as you saw it"));
    dialog
        .knowing(word!("Seen"), seen)
        .knowing(word!("Because"), because)
        .knowing(word!("Before"), before(l, table))
}

const WHAT: &str = word!("Ruling");
const OFFENDER: &str = word!("By");
const INCREMENT: &str = word!("take back the increment of the press");

fn form(l: &Language) -> Form {
    let with = |words: &str, effect: &str| Choose::with(l.say(words), l.say(effect));
    let choices = vec![
        with(
            word!("the first one, as the Laws say"),
            word!("time for the opponent"),
        )
        .under(l.say(word!("The Laws say"))),
        with(
            word!("the last one allowed, as the Laws say"),
            word!("lost, or drawn"),
        ),
        with(
            word!("no illegal move: the board misread"),
            word!("game continues"),
        )
        .under(l.say(word!("Your judgement"))),
        with(
            word!("not completed: the clock was not pressed"),
            word!("correct it, 4.3"),
        ),
        with(
            word!("it stands: noticed too late, or both agree"),
            word!("game continues"),
        ),
        with(word!("another penalty"), "12.9"),
    ];
    Form::new(vec![
        (WHAT, Held::List(choices, 0)),
        (OFFENDER, super::small::sides(l, Side::White)),
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

fn seen(ply: &DeskPly, number: Ply, opening: &Opening<'_>) -> String {
    let l = opening.language;
    let what = match &ply.played {
        Played::Legal(_) => opening.notation.moves_in(&ply.san),
        Played::Irregular { words, .. } => opening.notation.moves_in(&l.sent(words)),
    };
    let press = match (ply.pressed, ply.completed_at) {
        (true, Some(at)) => t!(
            l,
            "{} pressed the clock at {}",
            l.say(ply.by.word()),
            words::exact_time(at, opening.zone)
        ),
        (false, Some(_)) => t!(l, "completed without a press seen"),
        (_, None) => t!(l, "not completed"),
    };
    format!("{} {what} · {press}", words::move_number(number))
}

fn before(l: &Language, table: &DeskTable) -> String {
    let one = |side: Side| match table.illegal_moves.get(side) {
        0 => t!(l, "{} none", l.say(side.word())),
        n => format!("{} {n}", l.say(side.word())),
    };
    t!(
        l,
        "completed illegal moves: {}, {}",
        one(Side::White),
        one(Side::Black)
    )
}

fn body(dialog: &Dialog) -> Result<OrderBody, String> {
    let form = &dialog.form;
    let judgement = JUDGEMENTS.get(form.chosen(WHAT));
    let judgement = judgement.ok_or_else(|| t!(dialog.language, "enter opens the penalties"))?;
    let offender = Side::BOTH[form.chosen(OFFENDER)];
    let incident = dialog.about.incident.as_ref();
    let incident = incident.filter(|(side, _)| *side == offender);
    Ok(OrderBody::IllegalMove {
        table: dialog.about.table,
        offender,
        judgement: *judgement,
        incident: incident.map(|(_, incident)| incident.clone()),
        take_increment: form.ticked(INCREMENT),
    })
}
