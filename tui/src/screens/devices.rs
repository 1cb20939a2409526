//! The screen Devices: for technicians; a likely cause in words, and whether the game is safe.

use protocol::{DeskTable, DeviceInfo};
use ratatui::layout::Rect;

use super::around;
use super::draw::Sheet;
use crate::app::{App, Pane, trouble};
use crate::canvas::Hit;
use crate::language::{t, word};
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
    let names = if narrow {
        word!("  Table  Board     Heard  State")
    } else {
        word!("  Table  Board       Clock     Heard    Delay   Drops  Queue  Battery  State")
    };
    let names = sheet.app.language.say(names);
    sheet.canvas.put(body.x, body.y + 1, names, Tone::Muted);
    // The hub stands below the board, on a low screen in one line.
    let hubs = match (narrow, area.height >= 30) {
        (true, _) => 0,
        (false, false) => 2,
        (false, true) => 7,
    };
    let below = 7 + hubs;
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
        let room = Rect {
            height: rest.height.saturating_sub(hubs),
            ..rest
        };
        let y = detail(sheet, room, table);
        if hubs > 0 {
            let rest = Rect {
                y,
                height: rest.bottom().saturating_sub(y),
                ..rest
            };
            hub(sheet, rest);
        }
    }
}

/// The hub as a technician wants it: its version, its broker and its disk, its feeds, its wall pages.
fn hub(sheet: &mut Sheet<'_, '_>, area: Rect) {
    let app = sheet.app;
    let version = app.venue.hub_version();
    let head = match version.is_empty() {
        true => String::new(),
        false => t!(app.language, "version {}", words::tame(version)),
    };
    let title = t!(app.language, "Hub");
    sheet.canvas.heading(area, area.y, &title, &head);
    let walls = app.venue.round.walls.iter().map(|wall| {
        let word = app.language.say(word!("wall page"));
        format!("{word}   {}", words::tame(wall))
    });
    let lines = vitals(app).into_iter();
    let lines = lines.chain(super::round::feeds(app)).chain(walls);
    for (y, line) in (area.y + 1..area.bottom()).zip(lines) {
        let room = area.width.saturating_sub(3);
        sheet
            .canvas
            .put_within(area.x + 2, y, room, &line, Tone::Plain);
    }
}

/// What the hub last said of its broker and its disk.
fn vitals(app: &App) -> Option<String> {
    let vitals = app.venue.hub_vitals()?;
    let l = &app.language;
    let clients = vitals.clients.map_or_else(
        || t!(l, "broker of another program"),
        |n| {
            let n = usize::try_from(n).unwrap_or(usize::MAX);
            t!(l, "broker {}", l.many(n, "1 client", "{} clients"))
        },
    );
    let free = vitals.free_bytes.map_or(String::new(), |bytes| {
        t!(l, " · {} free", words::bytes(bytes))
    });
    let messages = vitals.messages.to_string();
    let viewers = usize::try_from(vitals.viewers).unwrap_or(usize::MAX);
    Some(t!(
        l,
        "{} · {} msg/s  journal {}{}  wall {}",
        clients,
        messages,
        words::bytes(vitals.journal_bytes),
        free,
        l.many(viewers, "1 viewer", "{} viewers")
    ))
}

fn heading(sheet: &mut Sheet<'_, '_>, area: Rect) {
    let (venue, l) = (&sheet.app.venue, &sheet.app.language);
    let infos = || venue.tables.values().filter_map(|t| t.device_info.as_ref());
    let all = venue.tables.len();
    let boards = infos().filter(|i| i.health.board).count();
    let clocks = infos().filter(|i| i.health.clock).count();
    let unbound = match venue.round.unbound.len() {
        0 => String::new(),
        n => t!(l, " · {} unbound", n),
    };
    let ill = venue.round.feeds.iter();
    let ill = ill.filter(|f| f.state == protocol::FeedState::Failing);
    let feeds = match ill.count() {
        0 => String::new(),
        n => t!(l, " · {} failing", l.many(n, "1 feed", "{} feeds")),
    };
    let agents = venue.agents.values();
    let agents = match agents.len() {
        0 => t!(l, "Devices"),
        n => {
            let there = agents.filter(|a| a.online).count();
            t!(l, "Agents {}", format!("{there}/{n}"))
        }
    };
    let there = venue
        .tables
        .values()
        .filter(|t| t.device_info.as_ref().is_some_and(|i| i.health.board));
    let worst = there.filter_map(|t| t.delay_ms).max();
    let worst = worst.map_or(String::new(), |ms| {
        t!(l, " · worst delay {}", words::delay(ms))
    });
    let right = t!(
        l,
        "boards {} · clocks {}{}{}{}",
        format!("{boards}/{all}"),
        format!("{clocks}/{all}"),
        unbound,
        feeds,
        worst
    );
    sheet.canvas.heading(area, area.y, &agents, &right);
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
        None => (
            t!(app.language, "no board"),
            format!("# {}", t!(app.language, "none")),
        ),
        Some(info) => (words::tame(&info.family), state(app, table, info)),
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
        let (board, none) = (t!(app.language, "no board"), t!(app.language, "none"));
        return format!(
            "{mark} {number}   {board:11} –         {heard:>5}        –       –      –        –  # {none}"
        );
    };
    let health = &info.health;
    let clock = match (&info.clock, health.clock) {
        (Some(kind), true) => kind.clone(),
        (None, true) => t!(app.language, "yes"),
        (_, false) => t!(app.language, "none"),
    };
    let battery = health
        .battery
        .map_or("–".to_owned(), |b| format!("{} %", b.percent));
    let delay = table.delay_ms.filter(|_| health.board);
    let delay = delay.map_or("–".to_owned(), words::delay);
    format!(
        "{mark} {number}   {:10}  {clock:8}  {heard:>5}  {delay:>7}  {:>6} {:>6}  {battery:>7}  {}",
        words::tame(&info.family),
        health.drops,
        health.queued,
        state(app, table, info)
    )
}

fn state(app: &App, table: &DeskTable, info: &DeviceInfo) -> String {
    let sign = if trouble(table) > 0 { "#" } else { " " };
    let low = info
        .health
        .battery
        .is_some_and(|b| b.percent < 20 && !b.charging);
    let word = match (&info.health.state[..], info.health.clock) {
        ("ok", true) if low => word!("low"),
        ("ok", false) => word!("no clock"),
        ("", _) => "?",
        (word, _) => word,
    };
    format!("{sign} {}", words::tame(app.language.say(word)))
}

/// Gives the row after it.
fn detail(sheet: &mut Sheet<'_, '_>, area: Rect, table: &DeskTable) -> u16 {
    let number = sheet.app.venue.number(table.table);
    sheet.canvas.heading(area, area.y, &number, "");
    let mut y = area.y + 1;
    for (label, text) in facts(sheet, table) {
        let width = usize::from(area.width.saturating_sub(14));
        for (index, part) in wrap(&text, width).into_iter().enumerate() {
            if y >= area.bottom() {
                return y;
            }
            let head = if index == 0 {
                sheet.app.language.say(label)
            } else {
                ""
            };
            sheet.canvas.put(area.x + 2, y, head, Tone::Muted);
            sheet.canvas.put(area.x + 12, y, &part, Tone::Plain);
            y += 1;
        }
    }
    y
}

/// The program that reads the board, as it last said of itself.
fn agent(app: &App, info: &DeviceInfo) -> Option<(&'static str, String)> {
    let agent = app.venue.agents.get(&info.agent)?;
    let l = &app.language;
    let there = match agent.online {
        true => l.say(word!("there")),
        false => l.say(word!("gone")),
    };
    let text = t!(
        l,
        "{}   {}   version {}   {}",
        agent.agent,
        words::tame(&agent.host),
        words::tame(&agent.version),
        there
    );
    Some((word!("Agent"), text))
}

fn facts(sheet: &Sheet<'_, '_>, table: &DeskTable) -> Vec<(&'static str, String)> {
    let app = sheet.app;
    let l = &app.language;
    let heard = table
        .heard
        .map_or_else(|| t!(l, "never"), |at| words::time_of_day(at, app.zone));
    let mut facts = Vec::new();
    if let Some(info) = &table.device_info {
        facts.push((
            word!("Board"),
            words::tame(&t!(
                l,
                "{}   serial {}   {}   read by {}",
                info.device,
                info.long_serial.as_ref().unwrap_or(&info.serial),
                info.port,
                info.agent
            )),
        ));
        facts.extend(agent(app, info));
        let cause = match info.health.cause.as_str() {
            "" => l.say(word!("nothing is wrong")),
            cause => cause,
        };
        facts.push((word!("Likely"), words::tame(cause)));
        let queue = match info.health.queued {
            0 => t!(l, "nothing waits in the queue"),
            n => t!(
                l,
                "{} wait at the agent",
                l.many(
                    usize::try_from(n).unwrap_or(usize::MAX),
                    "1 fact",
                    "{} facts"
                )
            ),
        };
        let moves = table.record.len().div_ceil(2);
        let safe = match moves {
            _ if app.is_masked() => t!(l, "{} are in the journal; {}", t!(l, "the moves"), queue),
            0 => t!(l, "no move was made yet; {}", queue),
            1 => t!(l, "move 1 is in the journal; {}", queue),
            n => t!(
                l,
                "{} are in the journal; {}",
                t!(l, "moves 1–{}", n),
                queue
            ),
        };
        facts.push((word!("Safe"), safe));
    } else {
        facts.push((word!("Board"), t!(l, "none is bound to this table")));
    }
    let damaged = table.device_info.as_ref().map_or(0, |i| i.health.damaged);
    let damaged = match usize::try_from(damaged).unwrap_or(usize::MAX) {
        0 => String::new(),
        n => format!(" · {}", l.many(n, "1 damaged frame", "{} damaged frames")),
    };
    facts.push((word!("Heard"), t!(l, "last at {}{}", heard, damaged)));
    facts
}

/// Three lines about the board of a table, for the large screen.
pub(super) fn brief(sheet: &mut Sheet<'_, '_>, area: Rect, table: &DeskTable) {
    if area.height < 2 {
        return;
    }
    sheet
        .canvas
        .heading(area, area.y, &t!(sheet.app.language, "Device"), "");
    for (y, (label, text)) in (area.y + 1..area.bottom()).zip(facts(sheet, table)) {
        let room = area.width.saturating_sub(10);
        let label = sheet.app.language.say(label);
        sheet.canvas.put(area.x + 2, y, label, Tone::Muted);
        sheet
            .canvas
            .put_within(area.x + 9, y, room, &text, Tone::Plain);
    }
}
