//! Under 80 columns one column remains: the list, or the table, nothing beside it.

use protocol::{DeskTable, Side, TableId};
use ratatui::layout::Rect;

use super::draw::Sheet;
use super::rows::{AlertRow, alert};
use super::{alerts, devices, hall, journal, log, round, table};
use crate::app::{Pane, Place};
use crate::language::t;
use crate::theme::Tone;
use crate::widgets::wrap;
use crate::words;

/// Draws the screen of this place in one column.
pub(super) fn draw(sheet: &mut Sheet<'_, '_>, area: Rect) {
    match sheet.app.place {
        Place::Tables => tables(sheet, area),
        Place::Table(id) => one_table(sheet, area, id),
        Place::Alerts => alerts::draw(sheet, area),
        Place::Round => round::draw(sheet, area),
        Place::Devices => devices::draw(sheet, area),
        Place::Journal => journal::draw(sheet, area),
    }
    head(sheet, area);
}

fn head(sheet: &mut Sheet<'_, '_>, area: Rect) {
    let app = sheet.app;
    let round = &app.venue.round;
    let of = if round.rounds > 0 {
        format!("/{}", round.rounds)
    } else {
        String::new()
    };
    let open = app.venue.open_alerts(app.hub_now()).count();
    let place = match app.place {
        Place::Table(id) => format!("‹ {}", app.venue.number(id)),
        Place::Tables => t!(app.language, "{} open", open),
        Place::Alerts => t!(app.language, "Alerts {}", open),
        Place::Round => t!(app.language, "Round"),
        Place::Devices => t!(app.language, "Devices"),
        Place::Journal => t!(app.language, "Journal"),
    };
    let time = super::around::time_words(app);
    let who = super::around::who(app);
    let text = format!(" R{}{of}  {time}  {place}  {who}", round.round);
    sheet.canvas.clear(Rect { height: 1, ..area });
    let room = area.width.saturating_sub(super::around::trust_width(sheet));
    sheet
        .canvas
        .put_within(area.x, area.y, room, &text, Tone::Strong);
}

fn tables(sheet: &mut Sheet<'_, '_>, area: Rect) {
    let body = Rect {
        y: area.y + 1,
        height: area.height.saturating_sub(3),
        ..area
    };
    match sheet.app.lists.pane {
        Pane::Hall => hall::draw(sheet, body),
        _ => needs(sheet, body),
    }
    let counts = sheet.app.venue.counts(sheet.app.hub_now());
    let text = t!(
        sheet.app.language,
        " {} playing  {} over  {} out",
        counts.playing,
        counts.over,
        counts.out
    );
    sheet
        .canvas
        .put(area.x, area.bottom().saturating_sub(2), &text, Tone::Plain);
}

fn needs(sheet: &mut Sheet<'_, '_>, area: Rect) {
    let app = sheet.app;
    let roster = &app.lists.needs;
    let height = usize::from(area.height);
    sheet.heights.push((Pane::Needs, height));
    let top = roster.window(height);
    if roster.order().is_empty() {
        let none = app.language.say(super::tables::nobody(app));
        let x = area.x + 1;
        sheet
            .canvas
            .put_within(x, area.y, area.width - 1, none, Tone::Muted);
    }
    for (line, id) in roster.order().iter().skip(top).take(height).enumerate() {
        let Some(one) = app.venue.alerts.get(id) else {
            continue;
        };
        let how = AlertRow {
            pane: Pane::Needs,
            row: top + line,
            selected: roster.selected() == Some(id),
            word: false,
        };
        let y = area.y + u16::try_from(line).unwrap_or(0);
        alert(
            sheet,
            Rect {
                y,
                height: 1,
                ..area
            },
            one,
            how,
        );
    }
}

fn one_table(sheet: &mut Sheet<'_, '_>, area: Rect, id: TableId) {
    let app = sheet.app;
    let Some(one) = app.venue.tables.get(&id) else {
        let none = t!(app.language, "this table is not known here");
        sheet.canvas.put(area.x, area.y + 1, &none, Tone::Plain);
        return;
    };
    let line = Rect {
        y: area.y + 1,
        height: 1,
        ..area
    };
    match app.subject().alert {
        Some(top) => {
            let how = AlertRow {
                pane: Pane::Needs,
                row: 0,
                selected: false,
                word: false,
            };
            alert(sheet, line, top, how);
        }
        None => {
            let none = t!(app.language, "no alert");
            sheet.canvas.put(line.x + 1, line.y, &none, Tone::Muted);
        }
    }
    table::position(sheet, area.x, area.y + 2, one);
    if area.width >= 38 {
        beside(
            sheet,
            Rect {
                x: area.x + 21,
                y: area.y + 2,
                width: area.width.saturating_sub(21),
                height: 10,
            },
            one,
        );
    }
    let mut y = area.y + 12;
    let silence = t!(
        app.language,
        "Not to be said: {}",
        words::silence(one, " · ")
    );
    for part in wrap(&silence, usize::from(area.width.saturating_sub(2)))
        .iter()
        .take(3)
    {
        sheet.canvas.put(area.x + 1, y, part, Tone::Muted);
        y += 1;
    }
    let rest = area.bottom().saturating_sub(y + 1);
    log::draw(
        sheet,
        Rect {
            y,
            height: rest,
            ..area
        },
        one,
    );
}

fn beside(sheet: &mut Sheet<'_, '_>, area: Rect, one: &DeskTable) {
    let line = |row: u16| Rect {
        y: area.y + row,
        height: 1,
        ..area
    };
    sheet.canvas.put_within(
        area.x,
        area.y,
        area.width,
        &words::tame(&one.players.black.name),
        Tone::Plain,
    );
    table::clock(sheet, line(1), one, Side::Black);
    for (row, (text, tone)) in table::state_lines(sheet, one).into_iter().enumerate() {
        let row = u16::try_from(row).unwrap_or(0);
        sheet
            .canvas
            .put_within(area.x, area.y + 3 + row, area.width, &text, tone);
    }
    table::clock(sheet, line(8), one, Side::White);
    sheet.canvas.put_within(
        area.x,
        area.y + 9,
        area.width,
        &words::tame(&one.players.white.name),
        Tone::Plain,
    );
}
