//! The screen Tables: who needs me, then the hall as it stands; on a large terminal the selected table beside it.

use protocol::{AlertLife, TableId};
use ratatui::layout::Rect;

use super::draw::{LARGE, Sheet};
use super::rows::{AlertRow, alert};
use super::{around, hall, panel};
use crate::app::{App, Pane};
use crate::language::{t, word};
use crate::theme::Tone;
use crate::words;

/// Draws the screen.
pub(super) fn draw(sheet: &mut Sheet<'_, '_>, area: Rect) {
    around::head(sheet, area);
    let large = area.width >= LARGE.0 && area.height >= LARGE.1;
    let body = Rect {
        y: area.y + 2,
        height: area.height.saturating_sub(5),
        width: if large { hall::LEFT } else { area.width },
        ..area
    };
    lists(sheet, body);
    if large {
        sheet.canvas.upright(body.right(), body.y, body.bottom());
        let right = Rect {
            x: body.right() + 1,
            width: area.width.saturating_sub(body.width + 1),
            ..body
        };
        panels(sheet, right);
    }
    below(sheet, area);
}

fn lists(sheet: &mut Sheet<'_, '_>, body: Rect) {
    let lines = hall::map_lines(sheet.app).len();
    let needs = sheet.app.lists.needs.order().len().max(1);
    let room = usize::from(body.height.saturating_sub(2));
    let needs = match needs + lines <= room {
        true => needs,
        false => needs.min(room.saturating_sub(lines).max(room / 2)).max(1),
    };
    let needs_area = Rect {
        height: u16::try_from(needs + 1).unwrap_or(body.height),
        ..body
    };
    self::needs(sheet, needs_area);
    let map = Rect {
        y: needs_area.bottom(),
        height: body.height.saturating_sub(needs_area.height),
        ..body
    };
    hall::draw(sheet, map);
}

/// The list of open alerts.
pub(super) fn needs(sheet: &mut Sheet<'_, '_>, area: Rect) {
    let app = sheet.app;
    let roster = &app.lists.needs;
    let mut head = summary(sheet);
    if let Some(since) = roster.frozen() {
        head = t!(
            app.language,
            "frozen {} · {}",
            words::age(app.now.since(since)),
            head
        );
    }
    sheet
        .canvas
        .heading(area, area.y, app.language.say(word!("Needs you")), &head);
    let height = usize::from(area.height.saturating_sub(1));
    sheet.heights.push((Pane::Needs, height));
    if roster.order().is_empty() {
        let none = app.language.say(nobody(app));
        sheet.canvas.put(area.x + 4, area.y + 1, none, Tone::Muted);
    }
    let top = roster.window(height);
    let in_hand = app.lists.pane == Pane::Needs;
    for (line, id) in roster.order().iter().skip(top).take(height).enumerate() {
        let Some(one) = app.venue.alerts.get(id) else {
            continue;
        };
        let how = AlertRow {
            pane: Pane::Needs,
            row: top + line,
            selected: in_hand && roster.selected() == Some(id),
            word: true,
        };
        let line = Rect {
            y: area.y + 1 + u16::try_from(line).unwrap_or(0),
            height: 1,
            ..area
        };
        alert(sheet, line, one, how);
    }
}

/// Why the list is empty.
pub(super) fn nobody(app: &App) -> &'static str {
    match app.venue.open_alerts(app.hub_now()).count() {
        0 => word!("nobody needs you"),
        _ => word!("nobody in your sector or filter needs you"),
    }
}

fn summary(sheet: &Sheet<'_, '_>) -> String {
    let app = sheet.app;
    let at = app.hub_now();
    let open = app.venue.open_alerts(at).count();
    let taken = app
        .venue
        .open_alerts(at)
        .filter(|a| matches!(a.life, AlertLife::Taken { .. }))
        .count();
    let l = &app.language;
    let joined = &app.lists.needs_joined;
    let behind = |id: &String| joined.get(id).map_or(1, Vec::len);
    let shown: usize = app.lists.needs.order().iter().map(behind).sum();
    let shown = if shown == open {
        String::new()
    } else {
        t!(l, "{} shown of ", shown)
    };
    let turned = match app.lists.reverse {
        true => t!(l, ", reversed"),
        false => String::new(),
    };
    let proposed = match app.venue.counts(at).proposed {
        0 => String::new(),
        n => format!(" · {}", t!(l, "{} to confirm", n)),
    };
    t!(
        l,
        "{}{} open · {} taken{} · {}{}",
        shown,
        open,
        taken,
        proposed,
        l.say(app.lists.sorting.word()),
        turned
    )
}

fn panels(sheet: &mut Sheet<'_, '_>, area: Rect) {
    let four = area.width >= 119;
    if !four {
        let table = sheet.app.subject().table.map(|t| t.table);
        panel::draw(sheet, area, table);
        return;
    }
    let tables = four_tables(sheet);
    let (width, height) = (area.width / 2, area.height / 2);
    for (index, table) in tables.into_iter().enumerate() {
        let (column, row) = (index as u16 % 2, index as u16 / 2);
        let part = Rect {
            x: area.x + column * width,
            y: area.y + row * height,
            width: width - 1,
            height,
        };
        panel::draw(sheet, part, table);
    }
}

/// The selected table, then those of the most urgent alerts.
fn four_tables(sheet: &Sheet<'_, '_>) -> Vec<Option<TableId>> {
    let app = sheet.app;
    let mut tables: Vec<TableId> = app.subject().table.map(|t| t.table).into_iter().collect();
    let alerts = app.lists.needs.order().iter();
    for table in alerts.filter_map(|id| app.venue.alerts.get(id)?.table) {
        if !tables.contains(&table) && tables.len() < 4 {
            tables.push(table);
        }
    }
    let mut tables: Vec<_> = tables.into_iter().map(Some).collect();
    tables.resize(4, None);
    tables
}

/// The line of counts above the footer.
pub(super) fn below(sheet: &mut Sheet<'_, '_>, area: Rect) {
    let y = area.bottom().saturating_sub(3);
    sheet.canvas.rule(area, y);
    let app = sheet.app;
    let l = &app.language;
    let counts = app.venue.counts(app.hub_now());
    let next = counts
        .next
        .map_or(String::new(), |t| t!(l, " (next {})", app.venue.number(t)));
    let mut waiting = match counts.waiting {
        0 => String::new(),
        n => t!(l, " · {} not begun", n),
    };
    if counts.adjourned > 0 {
        waiting.push_str(&t!(l, " · {} adjourned", counts.adjourned));
    }
    let text = t!(
        l,
        " {} playing · {} over · {} out{} · short of time {}{}",
        counts.playing,
        counts.over,
        counts.out,
        waiting,
        counts.short,
        next
    );
    let end = sheet.canvas.put(area.x, y + 1, &text, Tone::Plain);
    let ruling = app.venue.last_ruling(None).map_or(String::new(), |line| {
        let at = words::hour_minute(line.line.at, app.zone);
        t!(l, "last ruling {} {}", at, words::tame(&line.line.source))
    });
    if end + 2 + sheet.canvas.width(&ruling) < area.right() {
        sheet
            .canvas
            .put_right(area.right().saturating_sub(1), y + 1, &ruling, Tone::Plain);
    }
}
