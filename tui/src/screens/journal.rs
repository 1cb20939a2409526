//! The screen Journal: one line per event of the round, newest first.

use std::collections::BTreeSet;

use protocol::{AlertLife, JournalLine};
use ratatui::layout::Rect;

use super::around;
use super::draw::Sheet;
use crate::app::{App, Pane};
use crate::canvas::Hit;
use crate::journal::has_number;
use crate::language::t;
use crate::theme::Tone;
use crate::words;

/// Draws the screen.
pub(super) fn draw(sheet: &mut Sheet<'_, '_>, area: Rect) {
    around::head(sheet, area);
    let app = sheet.app;
    let body = Rect {
        y: area.y + 2,
        height: area.height.saturating_sub(3),
        ..area
    };
    sheet
        .canvas
        .heading(body, body.y, &t!(app.language, "Journal"), &load(sheet));
    let height = usize::from(body.height.saturating_sub(1));
    sheet.heights.push((Pane::Journal, height));
    let roster = &app.lists.journal;
    let top = roster.window(height);
    if roster.order().is_empty() {
        let none = t!(app.language, "nothing in this round yet");
        sheet.canvas.put(body.x + 2, body.y + 1, &none, Tone::Muted);
    }
    for (row, number) in roster.order().iter().enumerate().skip(top).take(height) {
        let Some(line) = find(sheet, *number) else {
            continue;
        };
        let y = body.y + 1 + u16::try_from(row - top).unwrap_or(0);
        let rect = Rect {
            y,
            height: 1,
            ..body
        };
        self::line(sheet, rect, line, roster.selected() == Some(number));
        sheet
            .canvas
            .hit(rect, Hit::Line(Pane::Journal as usize, row));
    }
}

fn find<'b>(sheet: &Sheet<'_, 'b>, number: u64) -> Option<&'b JournalLine> {
    sheet.app.venue.journal.find(number)
}

/// Alerts in ten minutes, and how many that is for each arbiter: one is a good load.
fn load(sheet: &Sheet<'_, '_>) -> String {
    let app = sheet.app;
    let at = app.hub_now();
    let recent = app
        .venue
        .alerts
        .values()
        .filter(|a| at.since(a.since) <= 600_000)
        .count();
    let l = &app.language;
    let events = app.lists.journal.order().len();
    let arbiters = arbiters(app);
    t!(
        l,
        "{} · {} in ten minutes, {} for each of {}",
        l.many(events, "1 event", "{} events"),
        l.many(recent, "1 alert", "{} alerts"),
        format!("{:.1}", recent as f64 / arbiters as f64),
        l.many(arbiters, "1 arbiter", "{} arbiters")
    )
}

/// Whoever took or closed an alert of this round, or ruled; and who sits here, unless he only reads.
fn arbiters(app: &App) -> usize {
    let answered = app.venue.alerts.values().filter_map(|a| match &a.life {
        AlertLife::Taken { by, .. } => Some(by.as_str()),
        AlertLife::Closed { by, .. } => by.as_deref(),
        AlertLife::New => None,
    });
    let here = (!app.me.read_only).then_some(app.me.initials.as_str());
    let all: BTreeSet<&str> = answered.chain(here).filter(|by| !by.is_empty()).collect();
    all.len().max(1)
}

fn line(sheet: &mut Sheet<'_, '_>, rect: Rect, line: &JournalLine, selected: bool) {
    let app = sheet.app;
    let mark = if selected { "▸" } else { " " };
    let number = line.table.map_or("–  ".to_owned(), |t| app.venue.number(t));
    let narrow = rect.width < 76;
    let time = match narrow {
        true => words::hour_minute(line.line.at, app.zone),
        false => format!("{} ", words::exact_time(line.line.at, app.zone)),
    };
    let gap = if narrow { " " } else { "  " };
    let head = format!("{mark}{time} {number}{gap}");
    let tone = match line.line.kind.as_str() {
        "ruling" => Tone::Strong,
        _ => Tone::Plain,
    };
    let x = sheet.canvas.put(rect.x, rect.y, &head, Tone::Plain);
    sheet.canvas.put_within(
        x,
        rect.y,
        9,
        &words::tame(app.language.say(&line.line.kind)),
        tone,
    );
    let source = words::tame(&line.line.source);
    let right = match has_number(line) {
        true => format!("{source}  #{}", line.number),
        false => source,
    };
    let right = if narrow { String::new() } else { right };
    let right_x = rect.right().saturating_sub(sheet.canvas.width(&right) + 1);
    sheet.canvas.put(right_x, rect.y, &right, Tone::Muted);
    let words = match line.article.as_str() {
        "" => words::tame(&line.line.words),
        article => format!(
            "{}  ({})",
            words::tame(&line.line.words),
            words::tame(article)
        ),
    };
    let x = x + 10;
    let room = right_x.saturating_sub(x + 1);
    sheet.canvas.put_within(x, rect.y, room, &words, tone);
    if selected {
        sheet.canvas.select(rect);
    }
}
