//! The screen Alerts: open, put aside, closed, and why the selected one is here.

use protocol::{Alert, AlertLife};
use ratatui::layout::Rect;

use super::around;
use super::draw::Sheet;
use super::rows::{self, AlertRow};
use crate::app::{Pane, section};
use crate::canvas::Hit;
use crate::language::{t, word};
use crate::theme::Tone;
use crate::widgets::wrap;
use crate::words;

/// Draws the screen.
pub(super) fn draw(sheet: &mut Sheet<'_, '_>, area: Rect) {
    around::head(sheet, area);
    let selected = sheet.app.lists.alerts.selected().cloned();
    let below = if area.height >= 40 { 12 } else { 6 };
    let list = Rect {
        y: area.y + 2,
        height: area.height.saturating_sub(3 + below),
        ..area
    };
    self::list(sheet, list);
    let why_area = Rect {
        y: list.bottom(),
        height: below,
        ..area
    };
    if let Some(id) = selected {
        why(sheet, why_area, &id);
    }
}

/// What a line of the list is.
enum Line<'a> {
    Heading(&'static str, String),
    Alert(usize, &'a Alert),
    Nothing(&'static str),
}

fn list(sheet: &mut Sheet<'_, '_>, area: Rect) {
    let app = sheet.app;
    let lines = lines(sheet);
    let height = usize::from(area.height);
    let here = app.lists.alerts.row();
    let at = lines
        .iter()
        .position(|l| matches!(l, Line::Alert(row, _) if Some(*row) == here))
        .unwrap_or(0);
    let top = (at + 2)
        .saturating_sub(height)
        .min(lines.len().saturating_sub(height));
    sheet.heights.push((Pane::Alerts, height));
    for (row, line) in lines.into_iter().skip(top).take(height).enumerate() {
        let rect = Rect {
            y: area.y + u16::try_from(row).unwrap_or(0),
            height: 1,
            ..area
        };
        match line {
            Line::Heading(left, right) => {
                let left = app.language.say(left);
                sheet.canvas.heading(rect, rect.y, left, &right);
            }
            Line::Nothing(words) => {
                let words = app.language.say(words);
                sheet.canvas.put(rect.x + 4, rect.y, words, Tone::Muted);
            }
            Line::Alert(row, alert) if alert.is_open() => {
                let how = AlertRow {
                    pane: Pane::Alerts,
                    row,
                    selected: here == Some(row),
                    word: area.width >= 100,
                };
                rows::alert(sheet, rect, alert, how);
            }
            Line::Alert(row, alert) => closed(sheet, rect, alert, row, here == Some(row)),
        }
    }
}

/// How an alert was closed, in the reader's words.
fn closed_word(app: &crate::app::App, why: &str) -> String {
    words::tame(app.language.say(why))
}

fn lines<'b>(sheet: &Sheet<'_, 'b>) -> Vec<Line<'b>> {
    let app = sheet.app;
    let at = app.hub_now();
    let all: Vec<(usize, &Alert)> = app
        .lists
        .alerts
        .order()
        .iter()
        .enumerate()
        .filter_map(|(row, id)| Some((row, app.venue.alerts.get(id)?)))
        .collect();
    let of = |n: u8| all.iter().filter(move |(_, a)| section(a, at) == n);
    let mut lines = Vec::new();
    let open = app.venue.open_alerts(at).count();
    let behind = |a: &Alert| app.lists.alerts_joined.get(&a.id).map_or(1, Vec::len);
    let shown: usize = of(0).map(|(_, a)| behind(a)).sum();
    let mut right = t!(app.language, "{} of {} shown", shown, open);
    if let Some(since) = app.lists.alerts.frozen() {
        right = t!(
            app.language,
            "frozen {} · {}",
            words::age(app.now.since(since)),
            right
        );
    }
    lines.push(Line::Heading(word!("Open"), right));
    if of(0).count() == 0 {
        lines.push(Line::Nothing(word!("nothing open")));
    }
    lines.extend(of(0).map(|(row, a)| Line::Alert(*row, a)));
    if of(1).count() > 0 {
        lines.push(Line::Heading(word!("Snoozed"), String::new()));
        lines.extend(of(1).map(|(row, a)| Line::Alert(*row, a)));
    }
    if of(2).count() > 0 {
        lines.push(Line::Heading(
            word!("Closed this round"),
            of(2).count().to_string(),
        ));
        lines.extend(of(2).map(|(row, a)| Line::Alert(*row, a)));
    }
    lines
}

fn closed(sheet: &mut Sheet<'_, '_>, line: Rect, alert: &Alert, row: usize, selected: bool) {
    let app = sheet.app;
    let AlertLife::Closed { why, by, at } = &alert.life else {
        return;
    };
    let mark = if selected { "▸" } else { " " };
    let why = closed_word(app, why);
    let number = alert.table.map_or("–".to_owned(), |t| app.venue.number(t));
    let left = format!(
        "{mark}   {number:3}  {}  {}",
        words::hour_minute(alert.since, app.zone),
        rows::headline(sheet, alert)
    );
    let right = match line.width < 60 {
        true => why,
        false => format!(
            "{why:16} {:3} {:>6}",
            by.as_deref().map_or(String::new(), words::tame),
            rows::short_age(at.since(alert.since))
        ),
    };
    let x = line.right().saturating_sub(sheet.canvas.width(&right) + 1);
    sheet
        .canvas
        .put_within(line.x, line.y, x.saturating_sub(1), &left, Tone::Muted);
    sheet.canvas.put(x, line.y, &right, Tone::Muted);
    if selected {
        sheet.canvas.select(line);
    }
    sheet
        .canvas
        .hit(line, Hit::Line(Pane::Alerts as usize, row));
}

/// Why an alert is here, what is proposed, who has it, what it rests on; gives the row after it.
pub(super) fn why(sheet: &mut Sheet<'_, '_>, area: Rect, id: &str) -> u16 {
    let app = sheet.app;
    let Some(alert) = app.venue.alerts.get(id) else {
        return area.y;
    };
    let number = alert
        .table
        .map_or_else(|| t!(app.language, "it"), |t| app.venue.number(t));
    let lapse = alert.lapse.as_deref().map_or(String::new(), |l| {
        t!(app.language, "lapses {}", words::tame(l))
    });
    sheet.canvas.heading(
        area,
        area.y,
        &t!(app.language, "Why {} is here", number),
        &lapse,
    );
    let mut y = area.y + 1;
    for (label, text, tone) in why_lines(sheet, alert) {
        let width = usize::from(area.width.saturating_sub(10));
        for (index, part) in wrap(&text, width).into_iter().enumerate() {
            if y >= area.bottom() {
                return y;
            }
            let head = if index == 0 {
                app.language.say(label)
            } else {
                ""
            };
            sheet.canvas.put(area.x + 2, y, head, Tone::Muted);
            sheet.canvas.put(area.x + 9, y, &part, tone);
            y += 1;
        }
    }
    y
}

/// The tables of a line that stands for several alerts.
fn joined(app: &crate::app::App, alert: &Alert) -> Option<(&'static str, String, Tone)> {
    let ids = app.lists.alerts_joined.get(&alert.id)?;
    let tables = app.tables_of(ids).into_iter().map(|t| app.venue.number(t));
    let tables: Vec<String> = tables.collect();
    let key = app.keymap.key(crate::action::Action::Evidence);
    let text = if tables.is_empty() {
        t!(
            app.language,
            "what you do here you do for all {}; {} shows each",
            ids.len(),
            key
        )
    } else {
        t!(
            app.language,
            "tables {}; what you do here you do for all of them; {} shows each",
            tables.join(" "),
            key
        )
    };
    Some((word!("Here"), text, Tone::Strong))
}

fn why_lines<'b>(sheet: &Sheet<'_, 'b>, alert: &'b Alert) -> Vec<(&'static str, String, Tone)> {
    let app = sheet.app;
    if app.is_masked() && alert.urgency == protocol::Urgency::Silent {
        return vec![("", t!(app.language, "masked: press a key"), Tone::Muted)];
    }
    let mut lines: Vec<_> = joined(app, alert).into_iter().collect();
    lines.push((
        word!("Seen"),
        words::tame(&alert.because.join(" ")),
        Tone::Plain,
    ));
    if !alert.proposal.is_empty() {
        lines.push((
            word!("Do"),
            words::tame(&alert.proposal.join(" ")),
            Tone::Strong,
        ));
    }
    let article = match alert.article.as_str() {
        "" => t!(app.language, "the Laws do not speak of it"),
        article => {
            let edition = app.table_of(alert).map(|t| t.edition);
            let edition = edition.unwrap_or(app.venue.round.edition);
            t!(
                app.language,
                "Art. {} ({})",
                words::tame(article),
                words::year(edition)
            )
        }
    };
    let taken = match &alert.life {
        AlertLife::New => t!(app.language, "taken by nobody yet"),
        AlertLife::Taken { by, at } => t!(
            app.language,
            "taken by {} at {}",
            words::tame(by),
            words::time_of_day(*at, app.zone)
        ),
        AlertLife::Closed { why, at, .. } => {
            t!(
                app.language,
                "{} at {}",
                closed_word(app, why),
                words::time_of_day(*at, app.zone)
            )
        }
    };
    let key = app.keymap.key(crate::action::Action::Evidence);
    let hint = match (alert.evidence.len(), app.evidence) {
        (0, _) => t!(app.language, "no evidence stored"),
        (n, false) => t!(
            app.language,
            "{} lists {}",
            key,
            app.language.many(n, "1 fact", "{} facts")
        ),
        (_, true) => t!(app.language, "evidence:"),
    };
    lines.push((
        word!("Law"),
        format!(
            "{} · {article} · {taken} · {hint}",
            app.language.say(alert.urgency.word())
        ),
        Tone::Plain,
    ));
    if app.evidence {
        lines.extend(alert.evidence.iter().rev().map(|e| {
            let at = words::exact_time(e.at, app.zone);
            let text = format!(
                "{at} {} ({} #{})",
                words::tame(&e.words),
                e.fact.agent,
                e.fact.seq
            );
            (word!("Fact"), text, Tone::Plain)
        }));
        let before = alert.history.iter().rev();
        lines.extend(before.map(|h| (word!("Before"), words::tame(h), Tone::Muted)));
    }
    lines
}
