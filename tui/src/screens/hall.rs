//! The map of the hall: every table with one sign, in the rows of the plan.

use protocol::{DeskTable, TableId, TableState};
use ratatui::layout::Rect;

use super::draw::{LARGE, Sheet};
use crate::app::{App, Pane};
use crate::canvas::Hit;
use crate::language::t;
use crate::theme::Tone;
use crate::venue::{Seat, seat};

/// Width of the left column on a large terminal.
pub(super) const LEFT: u16 = 80;
/// Columns of one table beyond its digits: sign and gap.
const BESIDE: usize = 4;
const LABEL: u16 = 4;

/// Lines of the map: the label of the row, and the tables in it.
pub fn map_lines(app: &App) -> Vec<(String, Vec<TableId>)> {
    let width = match app.size {
        (w, h) if w >= LARGE.0 && h >= LARGE.1 => LEFT,
        (w, _) => w,
    };
    let columns = columns(width, app.venue.digits());
    let mut lines: Vec<(String, Vec<TableId>)> = Vec::new();
    let mut row = None;
    for table in app.lists.hall.order() {
        let here = match app.lists.hall_by_time {
            true => None,
            false => app.venue.tables.get(table).and_then(row_of),
        };
        let full = lines.last().is_none_or(|(_, line)| line.len() >= columns);
        if full || here != row {
            let label = if here == row && !lines.is_empty() {
                None
            } else {
                here.clone()
            };
            lines.push((label.unwrap_or_default(), Vec::new()));
            row = here;
        }
        if let Some((_, line)) = lines.last_mut() {
            line.push(*table);
        }
    }
    lines
}

fn columns(width: u16, digits: usize) -> usize {
    // The gap after the last table may fall off the edge.
    (usize::from(width.saturating_sub(LABEL)) + 2)
        .div_euclid(digits + BESIDE)
        .max(1)
}

fn row_of(table: &DeskTable) -> Option<String> {
    let Seat { row, .. } = seat(table.place.as_deref()?)?;
    Some(row)
}

/// The sign of a state.
pub(super) fn state_sign(state: TableState) -> &'static str {
    match state {
        TableState::Out => "-",
        TableState::Waiting => ":",
        TableState::Playing => "·",
        TableState::Stopped => "|",
        TableState::Adjourned => "/",
        TableState::Over => "=",
    }
}

/// Draws the map with its heading.
pub(super) fn draw(sheet: &mut Sheet<'_, '_>, area: Rect) {
    let lines = map_lines(sheet.app);
    let height = usize::from(area.height.saturating_sub(1));
    sheet.heights.push((Pane::Hall, height));
    let selected = sheet.app.lists.hall.selected().copied();
    let here = lines
        .iter()
        .position(|(_, tables)| selected.is_some_and(|s| tables.contains(&s)));
    let top = (here.unwrap_or(0) + 1)
        .saturating_sub(height)
        .min(lines.len().saturating_sub(height));
    heading(sheet, area, lines.len(), height);
    if sheet.app.venue.tables.is_empty() && height > 0 {
        let none = t!(
            sheet.app.language,
            "no tables yet: zeitnot-hub import brings the pairings"
        );
        let (x, room) = (area.x + LABEL, area.width.saturating_sub(LABEL));
        sheet
            .canvas
            .put_within(x, area.y + 1, room, &none, Tone::Muted);
    }
    let urgencies = sheet.app.venue.urgencies(sheet.app.hub_now());
    for (line, (label, tables)) in lines.iter().skip(top).take(height).enumerate() {
        let y = area.y + 1 + u16::try_from(line).unwrap_or(0);
        sheet
            .canvas
            .put_within(area.x + 1, y, LABEL - 1, label, Tone::Strong);
        let mut x = area.x + LABEL;
        for table in tables {
            let urgency = urgencies.get(table).copied();
            x = cell(sheet, x, y, *table, urgency);
        }
    }
}

fn heading(sheet: &mut Sheet<'_, '_>, area: Rect, lines: usize, height: usize) {
    let app = sheet.app;
    let has = |state| app.venue.tables.values().any(|t| t.state == state);
    let l = &app.language;
    let mut legend = t!(l, "!! call ? asked ~ silent # tech");
    legend.push_str(&t!(l, " · playing"));
    if has(TableState::Stopped) {
        legend.push_str(&t!(l, " | stopped"));
    }
    if has(TableState::Adjourned) {
        legend.push_str(&t!(l, " / adjourned"));
    }
    legend.push_str(&t!(l, " = over"));
    if has(TableState::Waiting) {
        legend.push_str(&t!(l, " : not begun"));
    }
    legend.push_str(&t!(l, " - out"));
    let shown = app.lists.hall.order().len();
    let all = app.venue.tables.len();
    let mut title = t!(l, "Hall");
    if shown != all {
        title.push_str(&t!(l, " {} of {}", shown, all));
    }
    if app.lists.hall_by_time {
        title.push_str(&t!(l, ", least time first"));
    }
    if lines > height {
        title.push_str(" ↓");
    }
    if sheet.canvas.width(&title) + sheet.canvas.width(&legend) + 6 > area.width {
        let long = t!(l, "!! call ? asked ~ silent # tech");
        legend = legend.replace(&long, &t!(l, "!!?~# alerts"));
    }
    sheet.canvas.heading(area, area.y, &title, &legend);
}

fn cell(
    sheet: &mut Sheet<'_, '_>,
    x: u16,
    y: u16,
    table: TableId,
    urgency: Option<protocol::Urgency>,
) -> u16 {
    let app = sheet.app;
    let number = app.venue.number(table);
    let state = app
        .venue
        .tables
        .get(&table)
        .map_or(TableState::Out, |t| t.state);
    let (sign, tone) = match urgency {
        Some(urgency) => (urgency.glyph(), Tone::from(urgency)),
        None if state == TableState::Playing => (state_sign(state), Tone::Plain),
        None => (state_sign(state), Tone::Muted),
    };
    let roster = &app.lists.hall;
    let selected = app.lists.pane == Pane::Hall && roster.selected() == Some(&table);
    let mark = if selected { "▸" } else { " " };
    sheet.canvas.put(x - 1, y, mark, Tone::Plain);
    let end = sheet.canvas.put(x, y, &format!("{number}{sign}"), tone);
    let hit = Rect {
        x: x - 1,
        y,
        width: end - x + 1,
        height: 1,
    };
    if selected {
        sheet.canvas.select(hit);
    }
    if let Some(row) = roster.order().iter().position(|t| *t == table) {
        sheet.canvas.hit(hit, Hit::Line(Pane::Hall as usize, row));
    }
    x + u16::try_from(app.venue.digits() + BESIDE).unwrap_or(7)
}
