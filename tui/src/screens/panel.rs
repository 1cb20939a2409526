//! One table in a narrow column, beside the lists of a large terminal.

use protocol::{DeskTable, Side, TableId, TableState};
use ratatui::layout::Rect;

use super::draw::Sheet;
use super::{alerts, devices, log, table};
use crate::language::t;
use crate::theme::Tone;
use crate::widgets::wrap;
use crate::words;

/// Draws a table into a column of 36 columns or more; without a table says so.
pub(super) fn draw(sheet: &mut Sheet<'_, '_>, area: Rect, id: Option<TableId>) {
    let known = id.and_then(|id| sheet.app.venue.tables.get(&id));
    let Some(one) = known else {
        // An alert about no table in particular says here which ones it touches.
        if let Some(alert) = sheet.app.subject().alert.filter(|a| a.table.is_none()) {
            alerts::why(sheet, area, &alert.id);
            return;
        }
        let l = &sheet.app.language;
        let (title, none) = (t!(l, "Table"), t!(l, "none selected"));
        sheet.canvas.heading(area, area.y, &title, "");
        sheet.canvas.put(area.x + 2, area.y + 1, &none, Tone::Muted);
        return;
    };
    let number = sheet.app.venue.number(one.table);
    let mut place = one.place.as_deref().map_or(String::new(), words::tame);
    if one.state == TableState::Adjourned {
        place = t!(sheet.app.language, "adjourned {}", place);
    }
    sheet.canvas.heading(
        area,
        area.y,
        &t!(sheet.app.language, "Table {}", number),
        &place,
    );
    table::position(sheet, area.x + 1, area.y + 1, one);
    beside(
        sheet,
        Rect {
            x: area.x + 23,
            width: area.width.saturating_sub(23),
            ..area
        },
        one,
    );
    let mut y = area.y + 11;
    for (side, row) in [(Side::Black, 0), (Side::White, 1)] {
        let line = Rect {
            x: area.x + 1,
            y: y + row,
            width: area.width.saturating_sub(1),
            height: 1,
        };
        table::player(sheet, line, one, side);
    }
    y += 2;
    for (text, tone) in table::state_lines(sheet, one) {
        sheet
            .canvas
            .put_within(area.x + 1, y, area.width.saturating_sub(1), &text, tone);
        y += 1;
    }
    y = silence(sheet, Rect { y, ..area }, one);
    let rest = (area.bottom()).saturating_sub(y);
    let (log_height, device_height) = match rest {
        0..8 => (rest, 0),
        _ => (rest - 5, 5),
    };
    log::draw(
        sheet,
        Rect {
            y,
            height: log_height,
            ..area
        },
        one,
    );
    devices::brief(
        sheet,
        Rect {
            y: y + log_height,
            height: device_height,
            ..area
        },
        one,
    );
}

/// Clocks and the last moves, right of the board.
fn beside(sheet: &mut Sheet<'_, '_>, area: Rect, one: &DeskTable) {
    let line = |row: u16| Rect {
        y: area.y + row,
        height: 1,
        ..area
    };
    table::clock(sheet, line(1), one, Side::Black);
    table::moves(
        sheet,
        Rect {
            y: area.y + 3,
            height: 6,
            ..area
        },
        one,
    );
    table::clock(sheet, line(10), one, Side::White);
}

fn silence(sheet: &mut Sheet<'_, '_>, area: Rect, one: &DeskTable) -> u16 {
    let article = words::tame(&one.silence_article);
    sheet.canvas.heading(
        area,
        area.y,
        &t!(sheet.app.language, "May not be said"),
        &article,
    );
    let text = words::silence(one, " · ");
    let mut y = area.y + 1;
    for line in wrap(&text, usize::from(area.width.saturating_sub(3)))
        .iter()
        .take(5)
    {
        sheet.canvas.put_within(
            area.x + 2,
            y,
            area.width.saturating_sub(2),
            line,
            Tone::Plain,
        );
        y += 1;
    }
    y
}
