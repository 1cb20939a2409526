//! One alert as one line, wide or narrow.

use protocol::{Alert, AlertLife, Urgency};
use ratatui::layout::Rect;

use super::draw::Sheet;
use crate::app::Pane;
use crate::canvas::Hit;
use crate::language::t;
use crate::theme::Tone;
use crate::venue::{is_overdue, is_snoozed};
use crate::words;

/// How an alert is written into a line.
#[derive(Clone, Copy)]
pub(super) struct AlertRow {
    /// Which list it stands in.
    pub(super) pane: Pane,
    /// Its row there.
    pub(super) row: usize,
    /// Whether it is the selected one.
    pub(super) selected: bool,
    /// The word of the urgency beside the glyph.
    pub(super) word: bool,
}

/// Draws an open or snoozed alert into a line.
pub(super) fn alert(sheet: &mut Sheet<'_, '_>, line: Rect, alert: &Alert, how: AlertRow) {
    let app = sheet.app;
    let at = app.hub_now();
    let tone = match is_overdue(alert, at) {
        true => Tone::Overdue,
        false => Tone::from(alert.urgency),
    };
    let mark = if how.selected { "▸" } else { " " };
    let marked = if app.lists.marks.contains(&alert.id) {
        "*"
    } else {
        " "
    };
    let word = if how.word {
        format!("{:8}", app.language.say(alert.urgency.word()))
    } else {
        String::new()
    };
    let joined = match how.pane {
        Pane::Needs => app.lists.needs_joined.get(&alert.id),
        _ => app.lists.alerts_joined.get(&alert.id),
    };
    let number = match joined {
        Some(_) => String::new(),
        None => alert.table.map_or("–".to_owned(), |t| app.venue.number(t)),
    };
    let words = match joined {
        Some(ids) => app.joined_words(alert, ids),
        None => headline(sheet, alert),
    };
    let left = format!(
        "{mark}{:2}{marked}{word}{number:width$}  ",
        alert.urgency.glyph(),
        width = app.venue.digits()
    );
    let x = sheet
        .canvas
        .put_within(line.x, line.y, line.width, &left, tone);
    let life = life(sheet, alert);
    let narrow = line.width < 60;
    let life_x = line.right().saturating_sub(if narrow {
        0
    } else {
        5.max(sheet.canvas.width(&life) + 1)
    });
    if !narrow {
        sheet.canvas.put(life_x, line.y, &life, Tone::Plain);
    }
    let age_end = life_x.saturating_sub(if narrow { 0 } else { 2 });
    let age = short_age(at.since(alert.since));
    sheet.canvas.put_right(age_end, line.y, &age, Tone::Plain);
    let article = if alert.article.is_empty() {
        "–"
    } else {
        &alert.article
    };
    let article_x = age_end.saturating_sub(12);
    sheet
        .canvas
        .put_within(article_x, line.y, 7, article, Tone::Plain);
    let room = article_x.saturating_sub(x + 1);
    sheet.canvas.put_within(x, line.y, room, &words, tone);
    if how.selected {
        sheet.canvas.select(line);
    }
    sheet
        .canvas
        .hit(line, Hit::Line(how.pane as usize, how.row));
}

/// The headline; that of a SILENT one is masked while nobody sits here.
pub(super) fn headline(sheet: &Sheet<'_, '_>, alert: &Alert) -> String {
    match alert.urgency == Urgency::Silent && sheet.app.is_masked() {
        true => t!(sheet.app.language, "(masked: press a key)"),
        false => words::headline(alert),
    }
}

fn life(sheet: &Sheet<'_, '_>, alert: &Alert) -> String {
    let app = sheet.app;
    if is_snoozed(alert, app.hub_now())
        && let Some(snooze) = &alert.snoozed
    {
        return t!(
            app.language,
            "until {} {}",
            words::hour_minute(snooze.until, app.zone),
            snooze.by
        );
    }
    match &alert.life {
        AlertLife::New if is_overdue(alert, app.hub_now()) => t!(app.language, "NEW"),
        AlertLife::New if alert.snoozed.is_some() => t!(app.language, "back"),
        AlertLife::New => t!(app.language, "new"),
        AlertLife::Taken { by, .. } => words::tame(by),
        AlertLife::Closed { why, .. } => words::tame(app.language.say(why)),
    }
}

/// An age that stays narrow: `0:21`, `59:59`, `2h05`.
pub(super) fn short_age(ms: u64) -> String {
    match ms / 3_600_000 {
        0 => words::age(ms),
        h => format!("{h}h{:02}", ms / 60_000 % 60),
    }
}
