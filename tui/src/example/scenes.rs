//! The example heard, keys pressed in it, and the pictures worth keeping.

use protocol::{DeskTable, HubPresence, Role, Timestamp, Vitals};

use super::hall::{NOW, agent, table};
use super::hub::answer;
use super::inbox::{alerts, journal, past_round, round, row_without_power, second_alert};
use crate::app::{App, Me};
use crate::key::Key;
use crate::language::t;
use crate::message::{Effect, Heard, Link, Message};
use crate::settings::Settings;
use crate::venue::Venue;

/// A dashboard that has heard nothing yet.
///
/// # Panics
/// Never: the usual settings are good.
pub fn deaf(settings: &Settings) -> App {
    let me = Me {
        initials: "MK".to_owned(),
        role: Role::Arbiter,
        client: "tui-example".parse().expect("a name"),
        read_only: false,
    };
    let mut app = App::new(settings, me).expect("the settings were read before");
    app.update(Message::Tick(NOW));
    app
}

/// A dashboard that has heard the whole example.
pub fn app(settings: &Settings) -> App {
    let mut app = deaf(settings);
    app.update(Message::Link(Link::Up));
    for heard in heard() {
        app.update(Message::Heard(heard));
    }
    app.flash_until = None;
    app
}

/// Sets the stage for a picture that needs another minute than the usual one.
pub fn stage(name: &str, app: &mut App) {
    match name {
        "publish" => app.me.role = Role::Chief,
        "viewer" => app.me.role = Role::Viewer,
        "technician" => app.me.role = Role::Technician,
        "unheard" => {
            let (look, language) = (app.look, app.language.clone());
            *app = deaf(&Settings::default());
            (app.look, app.language) = (look, language);
            app.update(nobody_there(app));
        }
        "stale" => {
            app.update(nobody_there(app));
            app.update(Message::Tick(NOW.after(14_000)));
            app.notice = None;
        }
        "masked" => {
            app.update(Message::Tick(NOW.after(121_000)));
            app.update(Message::Heard(beat(NOW.after(121_000))));
        }
        "tables-joined" | "alerts-joined" => {
            let (round, alerts) = row_without_power(&app.venue.round);
            let alerts = alerts.into_iter().map(|a| Heard::Alert(Box::new(a)));
            for heard in alerts.chain([Heard::Round(Box::new(round))]) {
                app.update(Message::Heard(heard));
            }
        }
        "table-two-alerts" | "illegal-move-of-two" => {
            app.update(Message::Heard(Heard::Alert(Box::new(second_alert()))));
        }
        "round-short" => {
            for (number, minutes) in [(7, 4), (33, 6), (42, 11), (61, 40)] {
                let short = DeskTable {
                    short_of_time_at: Some(NOW.after(minutes * 60_000)),
                    time_control: "40/5400:1800".parse().expect("a time control"),
                    ..table(number)
                };
                app.update(Message::Heard(Heard::Table(Box::new(short))));
            }
        }
        _ => {}
    }
    app.flash_until = None;
}

/// The venue of the example.
pub fn venue() -> Venue {
    let mut venue = Venue::default();
    venue.link = Link::Up;
    heard().into_iter().for_each(|h| venue.hear(h, NOW));
    venue
}

const VITALS: Vitals = Vitals {
    clients: Some(103),
    messages: 212,
    journal_bytes: 1_800_000,
    free_bytes: Some(61_000_000_000),
    viewers: 23,
};

fn nobody_there(app: &App) -> Message {
    let why = t!(
        app.language,
        "nothing listens at {}: start zeitnot-hub there, or correct the address",
        "hub.local:1883"
    );
    Message::Link(Link::Down(why))
}

fn beat(now: Timestamp) -> Heard {
    let presence = HubPresence {
        online: true,
        now,
        boot: "b1".parse().expect("a name"),
        version: "0.1.0".to_owned(),
        vitals: Some(VITALS),
    };
    Heard::Presence {
        presence,
        live: true,
    }
}

/// Everything the hub of the example says.
pub fn heard() -> Vec<Heard> {
    let live = beat(NOW);
    let tables: Vec<DeskTable> = (1..=99).map(table).collect();
    let round = round(&tables);
    let past = Heard::PastRound(Box::new(past_round(&round)));
    let round = Heard::Round(Box::new(round));
    let alerts = alerts().into_iter().map(|a| Heard::Alert(Box::new(a)));
    let journal = journal().into_iter().map(|l| Heard::Journal(Box::new(l)));
    let tables = tables.into_iter().map(|t| Heard::Table(Box::new(t)));
    let agents = (1..=99).map(|n| Heard::Agent(Box::new(agent(n))));
    [live, round, past]
        .into_iter()
        .chain(agents)
        .chain(tables)
        .chain(alerts)
        .chain(journal)
        .collect()
}

/// Presses keys, 0.4 s each, with the hub of the example answering.
pub fn play(app: &mut App, keys: &[Key]) {
    for key in keys {
        let now = app.now.after(400);
        app.update(Message::Tick(now));
        app.update(Message::Heard(beat(now)));
        let mut effects = app.update(Message::Key(*key));
        while let Some(effect) = effects.pop() {
            if let Effect::Send(order) = effect {
                let answer = Box::new(answer(&order));
                effects.extend(app.update(Message::Heard(Heard::Answer(answer))));
            }
        }
    }
}

/// Pictures worth keeping: a name, and the keys that lead there from the screen Tables.
pub const SCENES: &[(&str, &str)] = &[
    ("tables", ""),
    ("tables-hall", "right down"),
    ("tables-joined", ""),
    ("alerts-joined", "2 j j j j j"),
    ("table-two-alerts", ": 8 8 enter down"),
    ("illegal-move-of-two", ": 8 8 enter r"),
    ("pgn", "3 j j j j g"),
    ("tables-filtered", "/ r o w : D enter"),
    ("table", ": 4 2 enter"),
    ("table-evidence", ": 8 8 enter e"),
    ("alerts", "2"),
    ("alerts-evidence", "2 e"),
    ("round", "3"),
    ("round-short", "3"),
    ("round-before", ": r o u n d space 4 enter"),
    ("close-alert", "2 j j j r c a l l e d"),
    ("start-round", "3 O"),
    ("publish", "3 P"),
    ("devices", "4"),
    ("journal", "5"),
    ("illegal-move", "! enter r"),
    ("result", ": 5 5 enter w"),
    ("confirm", ": 5 5 enter v"),
    ("time", ": 6 1 enter t tab + 2 : 0 0"),
    (
        "add-time",
        ": a d d - t i m e space 2 m space 4 2 space 6 1 enter",
    ),
    ("clock", ": 3 3 enter c"),
    ("clock-judged", ": 3 3 enter c 2"),
    ("position", ": 4 2 enter p 3"),
    ("promotion", ": 4 2 enter p 5"),
    ("claim", ": 6 3 enter C"),
    ("claim-ruling", ": 7 0 enter C 1"),
    ("adjourn", ": 6 1 enter J"),
    ("resume", ": 6 1 enter E tab N f 3"),
    ("conduct", ": 6 1 enter m 2"),
    ("default", ": 4 6 enter d"),
    ("hold", ": 6 1 enter H"),
    ("restart", ": 6 1 enter X"),
    ("report", ": 6 1 enter N"),
    ("note", ": 4 2 enter n s e e n space b y space J P"),
    ("bind", ": 4 6 enter B"),
    ("snooze", "2 j j j x"),
    ("counter-ruling", ": 4 2 enter U"),
    ("help", "?"),
    ("help-all", "? ?"),
    ("palette", ": 4 2"),
    ("unheard", ""),
    ("stale", ""),
    ("masked", ""),
    ("frozen", "z"),
    ("marked", "space j space"),
    ("filtering", "/ t i m"),
    ("viewer", "w"),
    ("technician", "4"),
    ("table-log", ": 4 2 enter f f"),
    ("device-log", "4 l"),
    ("position-restore", ": 4 2 enter p 1"),
    ("position-adopt", ": 4 2 enter p 2"),
    ("position-insert", ": 4 2 enter p 4"),
    ("illegal-move-misread", "! enter r 3"),
    ("claim-written", ": 6 3 enter C tab N f 3"),
    ("refused", ": 6 1 enter t tab 9 0 m"),
    ("curtain", "\\"),
];
