//! A page of lines over the screen, scrolled when it is longer than the room.

use ratatui::layout::Rect;

use super::draw::Sheet;
use crate::language::t;
use crate::theme::Tone;

/// One line: what stands in the column before it, and its text.
pub(super) type Line = (String, String, Tone);

/// Draws a page; `foot` says what its keys do.
pub(super) fn draw(
    sheet: &mut Sheet<'_, '_>,
    area: Rect,
    title: &str,
    (lines, column): (&[Line], u16),
    (top, foot): (usize, &str),
) {
    let width = area.width.min(79);
    let wanted = u16::try_from(lines.len() + 3).unwrap_or(u16::MAX);
    let height = wanted.min(area.height.saturating_sub(1));
    let frame = Rect {
        x: area.x + (area.width.saturating_sub(width)) / 2,
        y: area.y + 1,
        width,
        height,
    };
    sheet.canvas.cover();
    sheet.canvas.frame(frame, title);
    let room = usize::from(height.saturating_sub(3));
    let top = top.min(lines.len().saturating_sub(room));
    for (row, (before, text, tone)) in lines.iter().skip(top).take(room).enumerate() {
        let y = frame.y + 1 + u16::try_from(row).unwrap_or(0);
        sheet
            .canvas
            .put_within(frame.x + 2, y, column, before, Tone::Strong);
        let x = frame.x + 2 + if before.is_empty() { 0 } else { column };
        let room = frame.right().saturating_sub(x + 2);
        sheet.canvas.put_within(x, y, room, text, *tone);
    }
    let more = match lines.len() > room {
        true => t!(sheet.app.language, "↑↓ more   "),
        false => String::new(),
    };
    let y = frame.bottom().saturating_sub(2);
    let foot = format!("{more}{foot}");
    sheet
        .canvas
        .put_within(frame.x + 2, y, width.saturating_sub(4), &foot, Tone::Muted);
}

/// The game of a table as PGN.
pub(super) fn pgn(sheet: &mut Sheet<'_, '_>, area: Rect, table: protocol::TableId, top: usize) {
    let app = sheet.app;
    let Some(one) = app.venue.tables.get(&table) else {
        return;
    };
    let text = crate::pgn::game(&app.language, &app.venue.round, one);
    let width = usize::from(area.width.min(79).saturating_sub(4));
    let lines: Vec<Line> = text
        .lines()
        .flat_map(|line| match line.is_empty() {
            true => vec![String::new()],
            false => crate::widgets::wrap(line, width),
        })
        .map(|line| (String::new(), line, Tone::Plain))
        .collect();
    let title = t!(app.language, "PGN · Table {}", app.venue.number(table));
    let foot = t!(app.language, "esc back");
    draw(sheet, area, &title, (&lines, 0), (top, &foot));
}
