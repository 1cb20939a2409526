//! Adjusting the times, and setting a new chessclock (6.10.1); the clock itself is set by hand.

use protocol::{BySide, OrderBody, Side};

use super::dialog::{Dialog, Opening};
use super::form::{Choose, Form, Held, NOTE};
use crate::language::{t, word};
use crate::words;

const ARTICLES: [(&str, &str); 6] = [
    ("7.5.5", word!("illegal move")),
    ("9.5.3", word!("claim not correct")),
    ("12.9", word!("penalty")),
    ("6.10", word!("clock defect")),
    ("6.11", word!("stoppage")),
    ("12.5", word!("other")),
];
const UNDER: &str = word!("Under");

/// Opens the dialog for adding and taking away.
pub(super) fn open_adjust(opening: &Opening<'_>) -> Dialog {
    let l = opening.language;
    let articles = ARTICLES.map(|(article, words)| Choose::with(article, l.say(words)));
    let form = Form::new(vec![
        ("White", Held::Change(String::new())),
        ("Black", Held::Change(String::new())),
        (UNDER, Held::Row(articles.to_vec(), 0)),
        (NOTE, Held::Text(String::new())),
    ]);
    Dialog::about(opening, &t!(l, "Adjust time"), form, adjust)
        .knowing(word!("Now"), now(opening))
        .knowing(
            word!("Write"),
            t!(l, "+2:00, -0:30, 2m; empty for no change"),
        )
}

/// The article under which the time is adjusted, for commands that name it.
pub fn choose_article(dialog: &mut Dialog, article: &str) {
    if let Some(index) = ARTICLES.iter().position(|(known, _)| *known == article) {
        dialog.form.choose(UNDER, index);
    }
}

const CLOCK: &str = word!("Clock");

/// Opens the dialog for a new clock: the times that the hub works out, or others by the arbiter's judgement.
pub(super) fn open_clock(opening: &Opening<'_>) -> Dialog {
    let shown = opening.table.clock.map(|c| c.extrapolated(opening.at));
    let text = |side: Side| shown.map_or(String::new(), |t| words::clock(*t.get(side)));
    let (table, l) = (opening.table, opening.language);
    let choices = vec![
        Choose::with(
            l.say(word!("set it to the times that are worked out")),
            l.say(word!("as shown below")),
        ),
        Choose::with(
            l.say(word!("set it to other times, by your judgement")),
            l.say(word!("as you write them")),
        ),
    ];
    let form = Form::new(vec![
        (CLOCK, Held::List(choices, 0)),
        ("White", Held::Change(text(Side::White))),
        ("Black", Held::Change(text(Side::Black))),
        (NOTE, Held::Text(String::new())),
    ]);
    let control = words::control(&table.time_control);
    let dialog = Dialog::about(opening, &t!(l, "Replace the chessclock"), form, set);
    let dialog = Dialog {
        has_card: true,
        works_out: |dialog, times| {
            // The boxes show what is to be set; from there the arbiter goes on by his own judgement.
            if dialog.form.chosen(CLOCK) == 0 {
                for side in Side::BOTH {
                    let time = words::clock(*times.get(side));
                    dialog.form.write(side.word(), &time);
                }
            }
        },
        ..dialog
    };
    dialog
        .knowing(word!("Last read"), last_read(opening))
        .knowing(word!("Control"), control)
        .knowing(word!("Moves"), last_moves(opening))
        .knowing(
            word!("Set"),
            t!(
                l,
                "the figures inform; your best judgement decides (6.10.1); p writes a card"
            ),
        )
}

fn now(opening: &Opening<'_>) -> String {
    let l = opening.language;
    let Some(clock) = &opening.table.clock else {
        return t!(l, "no reading of the clock");
    };
    let time = clock.extrapolated(opening.at);
    let about = if clock.running.is_some() { "≈" } else { "" };
    t!(
        l,
        "White {} · Black {}",
        format!("{about}{}", words::clock(time.white)),
        format!("{about}{}", words::clock(time.black))
    )
}

fn last_read(opening: &Opening<'_>) -> String {
    let l = opening.language;
    let Some(clock) = &opening.table.clock else {
        return t!(l, "no reading of the clock");
    };
    let runs = clock.running.map_or_else(
        || t!(l, "stopped"),
        |side| t!(l, "{} runs", l.say(side.word())),
    );
    let (white, black) = (clock.time.white, clock.time.black);
    let both = t!(
        l,
        "White {} · Black {}",
        words::clock(white),
        words::clock(black)
    );
    let at = words::time_of_day(clock.at, opening.zone);
    format!("{at} · {both} · {runs}")
}

fn last_moves(opening: &Opening<'_>) -> String {
    let record = &opening.table.record;
    let from = record.len().saturating_sub(2);
    let numbered = record.iter().enumerate().skip(from).map(|(i, ply)| {
        let number = words::move_number(u32::try_from(i + 1).unwrap_or(u32::MAX));
        let at = words::time_of_day(ply.made_at, opening.zone);
        format!("{at} {number} {}", opening.notation.san(&ply.san))
    });
    let text = numbered.collect::<Vec<_>>().join(" · ");
    if text.is_empty() {
        t!(opening.language, "none")
    } else {
        text
    }
}

fn adjust(dialog: &Dialog) -> Result<OrderBody, String> {
    let white = change(dialog, "White")?;
    let black = change(dialog, "Black")?;
    if white == 0 && black == 0 {
        return Err(t!(dialog.language, "no change yet"));
    }
    Ok(OrderBody::AdjustTime {
        table: dialog.about.table,
        change_ms: BySide { white, black },
        article: ARTICLES[dialog.form.chosen(UNDER)].0.to_owned(),
    })
}

fn set(dialog: &Dialog) -> Result<OrderBody, String> {
    if dialog.form.chosen(CLOCK) == 0 {
        return Ok(OrderBody::ReplaceClock {
            table: dialog.about.table,
        });
    }
    let one = |side: Side| {
        let wanted = change(dialog, side.word())?;
        let now = i64::try_from(*dialog.about.now_ms.get(side)).unwrap_or(i64::MAX);
        match dialog.form.text(side.word()).is_empty() || wanted < 0 {
            true => Err(t!(
                dialog.language,
                "{} needs a time such as 0:13:18",
                dialog.language.say(side.word())
            )),
            false => Ok(wanted.saturating_sub(now / 1000 * 1000)),
        }
    };
    let change_ms = BySide {
        white: one(Side::White)?,
        black: one(Side::Black)?,
    };
    Ok(OrderBody::AdjustTime {
        table: dialog.about.table,
        change_ms,
        article: "6.10.1".to_owned(),
    })
}

fn change(dialog: &Dialog, name: &str) -> Result<i64, String> {
    let text = dialog.form.text(name);
    dialog.form.change(name).ok_or_else(|| {
        t!(
            dialog.language,
            "{}: {} is no time",
            dialog.language.say(name),
            text
        )
    })
}
