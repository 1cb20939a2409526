//! Adjourning a game with its envelope, and resuming it (Guidelines I).

use protocol::{BySide, Missing, OrderBody, Side, Timestamp};

use super::dialog::{Dialog, Opening};
use super::form::{Choose, Form, Held, NOTE};
use crate::language::{t, word};
use crate::words;

const SEALED_BY: &str = word!("Sealed by");
const WHITE: &str = word!("White");
const BLACK: &str = word!("Black");
const OFFER: &str = word!("Offer by");
const ENDS: &str = word!("Ends");
const RESUMES: &str = word!("Goes on");
const PLACE: &str = word!("Where");

/// Opens the adjournment: who sealed, the times, what was offered, when and where it goes on.
pub(super) fn open_adjourn(opening: &Opening<'_>) -> Dialog {
    let (table, l) = (opening.table, opening.language);
    let shown = table.clock.map(|c| c.extrapolated(opening.at));
    let time =
        |side: Side| Held::Change(shown.map_or(String::new(), |t| words::clock(*t.get(side))));
    let offers = [word!("nobody"), Side::White.word(), Side::Black.word()];
    let form = Form::new(vec![
        (SEALED_BY, super::small::sides(l, table.turn)),
        (WHITE, time(Side::White)),
        (BLACK, time(Side::Black)),
        (
            OFFER,
            Held::Row(offers.map(|o| Choose::plain(l.say(o))).to_vec(), 0),
        ),
        (ENDS, Held::Text(String::new())),
        (RESUMES, Held::Text(String::new())),
        (PLACE, Held::Text(String::new())),
        (NOTE, Held::Text(String::new())),
    ]);
    let hint = t!(
        l,
        "the player on move seals; early: till when the session goes, charged to him (A.1); times of day as 19:30; empty: not known"
    );
    Dialog::about(opening, &t!(l, "Adjournment"), form, adjourn).knowing(word!("Write"), hint)
}

fn adjourn(dialog: &Dialog) -> Result<OrderBody, String> {
    let form = &dialog.form;
    let offers = [None, Some(Side::White), Some(Side::Black)];
    Ok(OrderBody::Adjourn {
        table: dialog.about.table,
        sealed_by: Side::BOTH[form.chosen(SEALED_BY)],
        time_ms: times(dialog)?,
        draw_offer: offers[form.chosen(OFFER)],
        session_ends: time_of_day(dialog, ENDS)?,
        resumes: time_of_day(dialog, RESUMES)?,
        place: form.text(PLACE).to_owned(),
    })
}

/// Both times, or none when both fields are empty.
fn times(dialog: &Dialog) -> Result<Option<BySide<u64>>, String> {
    if dialog.form.text(WHITE).is_empty() && dialog.form.text(BLACK).is_empty() {
        return Ok(None);
    }
    let one = |side: Side| {
        let text = dialog.form.text(side.word());
        let ms = words::read_change(text).and_then(|ms| u64::try_from(ms).ok());
        let l = &dialog.language;
        ms.ok_or_else(|| t!(l, "{} needs a time such as 0:13:18", l.say(side.word())))
    };
    Ok(Some(BySide {
        white: one(Side::White)?,
        black: one(Side::Black)?,
    }))
}

const DAY_MS: i64 = 86_400_000;

/// The next moment at which a watch in the hall shows the time that was written.
fn time_of_day(dialog: &Dialog, field: &str) -> Result<Option<Timestamp>, String> {
    let text = dialog.form.text(field);
    if text.is_empty() {
        return Ok(None);
    }
    let wrong = || t!(dialog.language, "{} is no time of day: 19:30", text);
    let (hours, minutes) = text.split_once(':').ok_or_else(wrong)?;
    let read = |text: &str, most: i64| text.parse().ok().filter(|n| (0..most).contains(n));
    let hours = read(hours, 24).ok_or_else(wrong)?;
    let minutes = read(minutes, 60).ok_or_else(wrong)?;
    let zone = i64::from(dialog.about.zone) * 1000;
    let now = dialog.about.at.0 + zone;
    let today = now.div_euclid(DAY_MS) * DAY_MS + (hours * 60 + minutes) * 60_000;
    let next = if today > now { today } else { today + DAY_MS };
    Ok(Some(Timestamp(next - zone)))
}

const MISSING: &str = word!("Missing");
const ENVELOPE: &str = word!("Envelope");
const IS: &str = word!("It is");
const WHO: [Missing; 4] = [
    Missing::Nobody,
    Missing::Replier,
    Missing::Sealer,
    Missing::Both,
];

/// Opens the resumption: who is there, and what stands in the envelope.
pub(super) fn open_resume(opening: &Opening<'_>) -> Dialog {
    let l = opening.language;
    let who = [
        word!("nobody: both are there"),
        word!("the player who must reply (the envelope stays closed)"),
        word!("the player who sealed"),
        word!("both"),
    ];
    let form = Form::new(vec![
        (
            MISSING,
            Held::List(who.map(|w| Choose::plain(l.say(w))).to_vec(), 0),
        ),
        (
            IS,
            Held::Row(
                [word!("here"), word!("lost")]
                    .map(|w| Choose::plain(l.say(w)))
                    .to_vec(),
                0,
            ),
        ),
        (ENVELOPE, Held::Text(String::new())),
        (NOTE, Held::Text(String::new())),
    ]);
    let hint = t!(
        l,
        "the sealed move as it is written: Nf3; opened only when the player who must reply is there"
    );
    Dialog::about(opening, &t!(l, "Resumption"), form, resume).knowing(ENVELOPE, hint)
}

fn resume(dialog: &Dialog) -> Result<OrderBody, String> {
    let missing = WHO[dialog.form.chosen(MISSING)];
    let closed = matches!(missing, Missing::Replier | Missing::Both);
    let lost = dialog.form.chosen(IS) == 1;
    let sealed = dialog.form.text(ENVELOPE);
    if !closed && !lost && sealed.is_empty() {
        return Err(t!(dialog.language, "write what stands in the envelope"));
    }
    Ok(OrderBody::Resume {
        table: dialog.about.table,
        missing,
        sealed: (!closed && !lost).then(|| dialog.notation.read(sealed)),
        lost,
    })
}
