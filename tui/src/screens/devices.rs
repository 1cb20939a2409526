//! The screen Devices: for technicians; a likely cause in words, and whether the game is safe.

use protocol::{DeskTable, DeviceInfo};
use ratatui::layout::Rect;

use super::around;
use super::draw::Sheet;
use crate::app::{Pane, trouble};
use crate::canvas::Hit;
use crate::theme::Tone;
use crate::widgets::wrap;
use crate::words;

/// Draws the screen.
pub(super) fn draw(sheet: &mut Sheet<'_, '_>, area: Rect) {
    around::head(sheet, area);
    let body = Rect {
        y: area.y + 2,
        height: area.height.saturating_sub(3),
        ..area
    };
    heading(sheet, body);
    let narrow = area.width < 76;
    let names = "  Table  Board        Clock       Heard   Drops  Queue  Damage  Battery  State";
    let names = if narrow {
        "  Table  Board     Heard  State"
    } else {
        names
    };
    sheet.canvas.put(body.x, body.y + 1, names, Tone::Muted);
    let below = 7;
    let list = Rect {
        y: body.y + 2,
        height: body.height.saturating_sub(2 + below).max(1),
        ..body
    };
    self::list(sheet, list);
    let rest = Rect {
        y: list.bottom(),
        height: body.bottom().saturating_sub(list.bottom()),
        ..body
    };
    let selected = sheet.app.lists.devices.selected().copied();
    if let Some(table) = selected.and_then(|t| sheet.app.venue.tables.get(&t)) {
        detail(sheet, rest, table);
    }
}

fn heading(sheet: &mut Sheet<'_, '_>, area: Rect) {
    let venue = &sheet.app.venue;
    let infos = || venue.tables.values().filter_map(|t| t.device_info.as_ref());
    let all = venue.tables.len();
    let boards = infos().filter(|i| i.health.board).count();
    let clocks = infos().filter(|i| i.health.clock).count();
    let unbound = match venue.round.unbound.len() {
        0 => String::new(),
        n => format!(" · {} at no table", words::count(n, "board")),
    };
    let ill = venue.round.feeds.iter();
    let ill = ill.filter(|f| f.state == protocol::FeedState::Failing);
    let feeds = match ill.count() {
        0 => String::new(),
        n => format!(" · {} failing", words::count(n, "feed")),
    };
    let right = format!("boards {boards}/{all} · clocks {clocks}/{all}{unbound}{feeds}");
    sheet.canvas.heading(area, area.y, "Devices", &right);
}

fn list(sheet: &mut Sheet<'_, '_>, area: Rect) {
    let app = sheet.app;
    let height = usize::from(area.height);
    sheet.heights.push((Pane::Devices, height));
    let roster = &app.lists.devices;
    let top = roster.window(height);
    for (row, id) in roster.order().iter().enumerate().skip(top).take(height) {
        let Some(table) = app.venue.tables.get(id) else {
            continue;
        };
        let y = area.y + u16::try_from(row - top).unwrap_or(0);
        let rect = Rect {
            y,
            height: 1,
            ..area
        };
        let selected = roster.selected() == Some(id);
        let tone = if trouble(table) > 0 {
            Tone::Tech
        } else {
            Tone::Plain
        };
        let text = match rect.width < 76 {
            true => short(sheet, table, selected),
            false => text(sheet, table, selected),
        };
        sheet.canvas.put_within(rect.x, y, rect.width, &text, tone);
        if selected {
            sheet.canvas.select(rect);
        }
        sheet
            .canvas
            .hit(rect, Hit::Line(Pane::Devices as usize, row));
    }
}

/// Table, family, when heard, state: for one column.
fn short(sheet: &Sheet<'_, '_>, table: &DeskTable, selected: bool) -> String {
    let app = sheet.app;
    let mark = if selected { "▸" } else { " " };
    let heard = table.heard.map_or("–".to_owned(), |at| {
        super::rows::short_age(app.hub_now().since(at))
    });
    let (family, state) = match &table.device_info {
        None => ("no board".to_owned(), "# none".to_owned()),
        Some(info) => (words::tame(&info.family), state(table, info)),
    };
    let number = app.venue.number(table.table);
    format!("{mark} {number}   {family:8} {heard:>6}  {state}")
}

fn text(sheet: &Sheet<'_, '_>, table: &DeskTable, selected: bool) -> String {
    let app = sheet.app;
    let mark = if selected { "▸" } else { " " };
    let number = app.venue.number(table.table);
    let heard = table.heard.map_or("–".to_owned(), |at| {
        super::rows::short_age(app.hub_now().since(at))
    });
    let Some(info) = &table.device_info else {
        return format!(
            "{mark} {number}   no board    –           {heard:>5}       –      –       –        –  # none"
        );
    };
    let health = &info.health;
    let clock = match (&info.clock, health.clock) {
        (Some(kind), true) => kind.clone(),
        (None, true) => "yes".to_owned(),
        (_, false) => "none".to_owned(),
    };
    let battery = health
        .battery
        .map_or("–".to_owned(), |b| format!("{} %", b.percent));
    format!(
        "{mark} {number}   {:11}  {clock:10}  {heard:>5}  {:>6} {:>6}  {:>6}  {battery:>7}  {}",
        words::tame(&info.family),
        health.drops,
        health.queued,
        health.damaged,
        state(table, info)
    )
}

fn state(table: &DeskTable, info: &DeviceInfo) -> String {
    let sign = if trouble(table) > 0 { "#" } else { " " };
    let low = info
        .health
        .battery
        .is_some_and(|b| b.percent < 20 && !b.charging);
    let word = match (&info.health.state[..], info.health.clock) {
        ("ok", true) if low => "low",
        ("ok", false) => "no clock",
        ("", _) => "?",
        (word, _) => word,
    };
    format!("{sign} {}", words::tame(word))
}

fn detail(sheet: &mut Sheet<'_, '_>, area: Rect, table: &DeskTable) {
    let number = sheet.app.venue.number(table.table);
    sheet.canvas.heading(area, area.y, &number, "");
    let mut y = area.y + 1;
    for (label, text) in facts(sheet, table) {
        let width = usize::from(area.width.saturating_sub(14));
        for (index, part) in wrap(&text, width).into_iter().enumerate() {
            if y >= area.bottom() {
                return;
            }
            let head = if index == 0 { label } else { "" };
            sheet.canvas.put(area.x + 2, y, head, Tone::Muted);
            sheet.canvas.put(area.x + 12, y, &part, Tone::Plain);
            y += 1;
        }
    }
}

fn facts(sheet: &Sheet<'_, '_>, table: &DeskTable) -> Vec<(&'static str, String)> {
    let app = sheet.app;
    let heard = table
        .heard
        .map_or("never".to_owned(), |at| words::time_of_day(at, app.zone));
    let mut facts = Vec::new();
    if let Some(info) = &table.device_info {
        facts.push((
            "Board",
            words::tame(&format!(
                "{}   serial {}   {}   read by {}",
                info.device,
                info.long_serial.as_ref().unwrap_or(&info.serial),
                info.port,
                info.agent
            )),
        ));
        let cause = match info.health.cause.as_str() {
            "" => "nothing is wrong",
            cause => cause,
        };
        facts.push(("Likely", words::tame(cause)));
        let queue = match info.health.queued {
            0 => "nothing waits in the queue".to_owned(),
            n => format!(
                "{} wait at the agent",
                words::count(usize::try_from(n).unwrap_or(usize::MAX), "fact")
            ),
        };
        let moves = table.record.len().div_ceil(2);
        let moves = if app.is_masked() {
            "the moves".to_owned()
        } else {
            format!("moves 1–{moves}")
        };
        facts.push(("Safe", format!("{moves} are in the journal; {queue}")));
    } else {
        facts.push(("Board", "none is bound to this table".to_owned()));
    }
    facts.push(("Heard", format!("last at {heard}")));
    facts
}

/// Three lines about the board of a table, for the large screen.
pub(super) fn brief(sheet: &mut Sheet<'_, '_>, area: Rect, table: &DeskTable) {
    if area.height < 2 {
        return;
    }
    sheet.canvas.heading(area, area.y, "Device", "");
    for (y, (label, text)) in (area.y + 1..area.bottom()).zip(facts(sheet, table)) {
        let room = area.width.saturating_sub(10);
        sheet.canvas.put(area.x + 2, y, label, Tone::Muted);
        sheet
            .canvas
            .put_within(area.x + 9, y, room, &text, Tone::Plain);
    }
}
