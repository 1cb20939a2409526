//! Adjusting the times, and setting a new chessclock (6.10.1); the clock itself is set by hand.

use protocol::{BySide, OrderBody, Side};

use super::dialog::{Dialog, Opening};
use super::form::{Choose, Form, Held, NOTE};
use crate::words;

const ARTICLES: [(&str, &str); 6] = [
    ("7.5.5", "illegal move"),
    ("9.5.3", "claim not correct"),
    ("12.9", "penalty"),
    ("6.10", "clock defect"),
    ("6.11", "stoppage"),
    ("12.5", "other"),
];
const UNDER: &str = "Under";

/// Opens the dialog for adding and taking away.
pub(super) fn open_adjust(opening: &Opening<'_>) -> Dialog {
    let articles = ARTICLES.map(|(article, words)| Choose::with(article, words));
    let form = Form::new(vec![
        ("White", Held::Change(String::new())),
        ("Black", Held::Change(String::new())),
        (UNDER, Held::Row(articles.to_vec(), 0)),
        (NOTE, Held::Text(String::new())),
    ]);
    Dialog::about(opening, "Adjust time", form, adjust)
        .knowing("Now", now(opening))
        .knowing("Write", "+2:00, -0:30, 2m; empty for no change")
}

/// The article under which the time is adjusted, for commands that name it.
pub fn choose_article(dialog: &mut Dialog, article: &str) {
    if let Some(index) = ARTICLES.iter().position(|(known, _)| *known == article) {
        dialog.form.choose(UNDER, index);
    }
}

/// Opens the dialog for a new clock, set to the last known times.
pub(super) fn open_clock(opening: &Opening<'_>) -> Dialog {
    let shown = opening.table.clock.map(|c| c.extrapolated(opening.at));
    let text = |side: Side| shown.map_or(String::new(), |t| words::clock(*t.get(side)));
    let form = Form::new(vec![
        ("White", Held::Change(text(Side::White))),
        ("Black", Held::Change(text(Side::Black))),
        (NOTE, Held::Text(String::new())),
    ]);
    let table = opening.table;
    let control = words::control(&table.time_control);
    Dialog::about(opening, "Replace the chessclock", form, set)
        .knowing("Last read", last_read(opening))
        .knowing("Control", control)
        .knowing("Moves", last_moves(opening))
        .knowing(
            "Set",
            "the figures inform; your best judgement decides (6.10.1)",
        )
}

fn now(opening: &Opening<'_>) -> String {
    let Some(clock) = &opening.table.clock else {
        return "no reading of the clock".to_owned();
    };
    let time = clock.extrapolated(opening.at);
    let about = if clock.running.is_some() { "≈" } else { "" };
    format!(
        "White {about}{} · Black {about}{}",
        words::clock(time.white),
        words::clock(time.black)
    )
}

fn last_read(opening: &Opening<'_>) -> String {
    let Some(clock) = &opening.table.clock else {
        return "nothing".to_owned();
    };
    let runs = clock
        .running
        .map_or("stopped".to_owned(), |side| format!("{} runs", side.word()));
    format!(
        "{} · White {} · Black {} · {runs}",
        words::time_of_day(clock.at, opening.zone),
        words::clock(clock.time.white),
        words::clock(clock.time.black)
    )
}

fn last_moves(opening: &Opening<'_>) -> String {
    let record = &opening.table.record;
    let from = record.len().saturating_sub(2);
    let numbered = record.iter().enumerate().skip(from).map(|(i, ply)| {
        let number = words::move_number(u32::try_from(i + 1).unwrap_or(u32::MAX));
        let at = words::time_of_day(ply.made_at, opening.zone);
        format!("{at} {number} {}", ply.san)
    });
    let text = numbered.collect::<Vec<_>>().join(" · ");
    if text.is_empty() {
        "none".to_owned()
    } else {
        text
    }
}

fn adjust(dialog: &Dialog) -> Result<OrderBody, String> {
    let white = change(dialog, "White")?;
    let black = change(dialog, "Black")?;
    if white == 0 && black == 0 {
        return Err("no change yet".to_owned());
    }
    Ok(OrderBody::AdjustTime {
        table: dialog.about.table,
        change_ms: BySide { white, black },
        article: ARTICLES[dialog.form.chosen(UNDER)].0.to_owned(),
    })
}

fn set(dialog: &Dialog) -> Result<OrderBody, String> {
    let one = |side: Side| {
        let wanted = change(dialog, side.word())?;
        let now = i64::try_from(*dialog.about.now_ms.get(side)).unwrap_or(i64::MAX);
        match dialog.form.text(side.word()).is_empty() || wanted < 0 {
            true => Err(format!("{} needs a time such as 0:13:18", side.word())),
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
    dialog
        .form
        .change(name)
        .ok_or_else(|| format!("{name}: {text:?} is no time"))
}
