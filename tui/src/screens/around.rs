//! What stands around every screen: the two lines at the top, trust in the corner, the footer.

use protocol::Role;
use ratatui::layout::Rect;

use super::draw::Sheet;
use crate::action::Action;
use crate::app::{App, Place, trouble};
use crate::canvas::Hit;
use crate::language::{t, word};
use crate::theme::Tone;
use crate::venue::Trust;
use crate::words;

/// The actions named in the footer of a screen, most wanted first; help comes last.
pub fn footer_actions(place: Place, on_map: bool) -> &'static [Action] {
    use Action as A;
    match place {
        Place::Tables if on_map => &[A::Open, A::Rule, A::Result, A::Filter, A::Sort, A::Palette],
        Place::Tables => &[
            A::Open,
            A::Take,
            A::Rule,
            A::Filter,
            A::Sort,
            A::Freeze,
            A::Palette,
        ],
        Place::Table(_) => &[
            A::Rule,
            A::Time,
            A::Result,
            A::Confirm,
            A::Clock,
            A::Note,
            A::Back,
            A::Position,
            A::Right,
        ],
        Place::Alerts => &[
            A::Take,
            A::Rule,
            A::Snooze,
            A::OpenTable,
            A::Note,
            A::Filter,
        ],
        Place::Round => &[
            A::Result,
            A::Confirm,
            A::Default,
            A::CloseRound,
            A::Pgn,
            A::Open,
            A::Left,
            A::Filter,
        ],
        Place::Devices => &[
            A::Blink,
            A::Resync,
            A::ReadBoard,
            A::DeviceLog,
            A::Bind,
            A::Snooze,
            A::Open,
            A::Note,
            A::Filter,
        ],
        Place::Journal => &[A::Counter, A::Open, A::Filter, A::Palette],
    }
}

/// The first two lines: the event, and the screens.
pub(super) fn head(sheet: &mut Sheet<'_, '_>, area: Rect) {
    let app = sheet.app;
    let round = &app.venue.round;
    let event = if round.event.is_empty() {
        "Zeitnot"
    } else {
        &round.event
    };
    let of = if round.rounds > 0 {
        format!("/{}", round.rounds)
    } else {
        String::new()
    };
    let l = &app.language;
    let text = format!(
        " {}   {}{of}   {} {}   {}",
        words::tame(event),
        t!(l, "Round {}", round.round),
        words::edition(round.edition),
        l.say(words::speed(round.regime.speed)),
        words::control(&round.time_control)
    );
    let room = time(sheet, area).saturating_sub(area.x + 2);
    sheet
        .canvas
        .put_within(area.x, area.y, room, &text, Tone::Strong);
    screens(sheet, area);
}

/// The hub's time, left of the trust in the corner; gives the column where it begins.
pub(super) fn time(sheet: &mut Sheet<'_, '_>, area: Rect) -> u16 {
    let time = time_words(sheet.app);
    let end = area.right() - trust_width(sheet);
    sheet.canvas.put_right(end, area.y, &time, Tone::Plain)
}

/// The hub's time of day, `≈` where it is only reckoned.
pub(super) fn time_words(app: &App) -> String {
    let time = words::time_of_day(app.hub_now(), app.zone);
    match app.trust() {
        Trust::Live => time,
        _ => format!("≈{time}"),
    }
}

pub(super) fn trust_width(sheet: &Sheet<'_, '_>) -> u16 {
    sheet.canvas.width(&trust_text(sheet)) + 3
}

fn screens(sheet: &mut Sheet<'_, '_>, area: Rect) {
    let app = sheet.app;
    let open = app.venue.open_alerts(app.hub_now()).count();
    let ill = app.venue.tables.values().filter(|t| trouble(t) > 0).count();
    let screens = [
        (Action::Tables, Place::Tables, 0),
        (Action::Alerts, Place::Alerts, open),
        (Action::Round, Place::Round, 0),
        (Action::Devices, Place::Devices, ill),
        (Action::Journal, Place::Journal, 0),
    ];
    let y = area.y + 1;
    let mut x = area.x + 1;
    let narrow = area.width < super::draw::SMALL;
    for (action, place, count) in screens {
        let count = match count {
            0 => String::new(),
            _ if narrow => String::new(),
            n => format!(" {n}"),
        };
        let key = app.keymap.key(action);
        let text = match narrow {
            true => {
                let short: String = app.language.word(action).chars().take(5).collect();
                format!("{key}{short}")
            }
            false => format!("{key} {}{count}", app.language.word(action)),
        };
        let tone = if app.place == place {
            Tone::Strong
        } else {
            Tone::Plain
        };
        let end = sheet.canvas.put(x, y, &text, tone);
        let hit = Rect {
            x,
            y,
            width: end - x,
            height: 1,
        };
        sheet.canvas.hit(hit, Hit::Act(action));
        x = end + if narrow { 1 } else { 2 };
    }
    if !narrow {
        sector(sheet, area, x);
    }
}

/// The filter, the sector and who sits here, right of the screens.
fn sector(sheet: &mut Sheet<'_, '_>, area: Rect, x: u16) {
    let app = sheet.app;
    let y = area.y + 1;
    let filter = match (&app.writing, app.filter.is_empty()) {
        (None, false) => format!("/{}  ", app.filter.text()),
        _ => String::new(),
    };
    let who = who(app);
    let text = format!(
        "{filter}{}: {}  {who}",
        app.language.say(word!("sector")),
        app.language.say(app.sector.words())
    );
    let room = area.right().saturating_sub(x);
    if sheet.canvas.width(&text) <= room {
        sheet
            .canvas
            .put_right(area.right().saturating_sub(1), y, &text, Tone::Plain);
    } else {
        sheet.canvas.put_within(x, y, room, &text, Tone::Plain);
    }
}

/// Initials, and the role where it is not an arbiter's.
pub(super) fn who(app: &App) -> String {
    let initials = words::tame(&app.me.initials);
    match app.me.role {
        Role::Arbiter if app.me.read_only => t!(app.language, "{} reads", initials),
        Role::Arbiter => initials,
        role if app.me.read_only => t!(app.language, "{} reads", app.language.say(role.word())),
        role => format!("{} {initials}", app.language.say(role.word())),
    }
}

/// LIVE or STALE in the top right corner, over everything.
pub(super) fn trust(sheet: &mut Sheet<'_, '_>, area: Rect) {
    let text = trust_text(sheet);
    let tone = match sheet.app.trust() {
        Trust::Live => Tone::Good,
        _ => Tone::Stale,
    };
    let x = sheet
        .canvas
        .put_right(area.right().saturating_sub(1), area.y, &text, tone);
    if sheet.app.flash_until.is_some() && !sheet.app.curtain {
        let line = Rect { height: 1, ..area };
        sheet.canvas.paint(line, Tone::Selected);
        sheet.canvas.put(x, area.y, &text, tone);
    }
}

fn trust_text(sheet: &Sheet<'_, '_>) -> String {
    let l = &sheet.app.language;
    match sheet.app.trust() {
        Trust::Live => t!(l, "LIVE"),
        Trust::Waiting => t!(l, "NO HUB"),
        Trust::Stale(ms) => t!(l, "STALE {}", words::age(ms)),
    }
}

/// The last line: a notice, the filter being written, or the keys that matter here.
pub(super) fn footer(sheet: &mut Sheet<'_, '_>, area: Rect) {
    let y = area.bottom().saturating_sub(1);
    let app = sheet.app;
    if let Some(text) = &app.writing {
        let end = sheet
            .canvas
            .put(area.x, y, &format!(" / {text}"), Tone::Strong);
        sheet.canvas.put(end, y, "_", Tone::Strong);
        let hint = "call  row:D  t:40-50  time<5  !tech";
        if end + 4 + sheet.canvas.width(hint) < area.right() {
            sheet
                .canvas
                .put_right(area.right().saturating_sub(1), y, hint, Tone::Muted);
        }
        sheet.canvas.cursor(end, y);
        return;
    }
    if let Some(notice) = &app.notice {
        let (sign, tone) = if notice.bad {
            ("! ", Tone::Call)
        } else {
            ("", Tone::Strong)
        };
        sheet
            .canvas
            .put(area.x + 1, y, &format!("{sign}{}", notice.text), tone);
        return;
    }
    keys(sheet, area, y);
}

fn keys(sheet: &mut Sheet<'_, '_>, area: Rect, y: u16) {
    let app = sheet.app;
    let on_map = app.lists.pane == crate::app::Pane::Hall;
    let key = app.keymap.key(Action::Help);
    let help = if area.width < 60 {
        key.to_owned()
    } else {
        format!("{key} {}", app.language.say(word!("help")))
    };
    let actions = footer_actions(app.place, on_map);
    let texts: Vec<(Action, String)> = actions
        .iter()
        .filter(|a| !app.keymap.key(**a).is_empty())
        .map(|&a| (a, format!("{} {}", app.keymap.key(a), app.language.word(a))))
        .chain([(Action::Help, help)])
        .collect();
    let widths: u16 = texts.iter().map(|(_, t)| sheet.canvas.width(t)).sum();
    let gaps = u16::try_from(texts.len()).unwrap_or(1);
    let gap = if widths + gaps * 3 < area.width { 3 } else { 2 };
    let mut x = area.x + 1;
    let last = sheet.canvas.width(&texts[texts.len() - 1].1) + gap;
    for (action, text) in texts {
        let width = sheet.canvas.width(&text);
        let kept = if action == Action::Help { 0 } else { last };
        if x + width + kept > area.right() {
            continue;
        }
        let tone = match app.may(action) {
            Ok(()) => Tone::Plain,
            Err(_) => Tone::Muted,
        };
        sheet.canvas.put(x, y, &text, tone);
        sheet.canvas.hit(
            Rect {
                x,
                y,
                width,
                height: 1,
            },
            Hit::Act(action),
        );
        x += width + gap;
    }
}
