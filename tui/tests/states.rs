//! No two states look alike when every style is taken away.

use std::collections::HashMap;

use protocol::{AlertLife, DeskTable, Flag, Role, Snooze, TableState, Urgency};
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use tui::app::App;
use tui::example;
use tui::message::{Heard, Link, Message};
use tui::settings::Settings;

fn letters(app: &mut App, place: &str) -> String {
    example::play(app, &tui::key::keys(place).expect("keys"));
    picture(app)
}

fn picture(app: &mut App) -> String {
    let mut buffer = Buffer::empty(Rect::new(0, 0, 80, 24));
    app.draw(&mut buffer);
    tui::screenshot::text(&buffer)
}

fn example_app() -> App {
    example::app(&Settings::default())
}

/// Fails when two states give the same letters.
fn all_differ(states: Vec<(String, String)>) {
    let mut seen: HashMap<String, String> = HashMap::new();
    for (name, letters) in states {
        if let Some(other) = seen.insert(letters.clone(), name.clone()) {
            panic!("{name} looks like {other}:\n{letters}");
        }
    }
}

/// The one alert left in the example, in a state.
fn with_alert(urgency: Urgency, life: &str, seconds: i64) -> App {
    let mut app = example_app();
    let mut alert = app.venue.alerts["17-fivefold-1"].clone();
    app.venue.alerts.clear();
    alert.urgency = urgency;
    alert.since = example::NOW.shifted(-seconds * 1000);
    match life {
        "taken" => {
            alert.life = AlertLife::Taken {
                by: "JP".to_owned(),
                at: example::NOW,
            }
        }
        "closed" => {
            alert.life = AlertLife::Closed {
                why: "ruled".to_owned(),
                by: None,
                at: example::NOW,
            }
        }
        "snoozed" => {
            alert.snoozed = Some(Snooze {
                until: example::NOW.after(60_000),
                by: "JP".to_owned(),
            });
        }
        _ => {}
    }
    app.venue.alerts.insert(alert.id.clone(), alert);
    app
}

#[test]
fn urgency_life_role_and_trust() {
    let mut states = Vec::new();
    for urgency in [
        Urgency::Call,
        Urgency::Asked,
        Urgency::Silent,
        Urgency::Tech,
    ] {
        for life in ["new", "taken", "snoozed", "closed"] {
            if urgency == Urgency::Call && life == "snoozed" {
                continue;
            }
            for role in [Role::Arbiter, Role::Chief, Role::Technician, Role::Viewer] {
                for stale in [false, true] {
                    let mut app = with_alert(urgency, life, 20);
                    app.me.role = role;
                    if stale {
                        app.update(Message::Link(Link::Down("cut".to_owned())));
                        app.notice = None;
                    }
                    let name = format!("{urgency:?} {life} {role} stale {stale}");
                    states.push((name, alerts_screen(&mut app)));
                }
            }
        }
    }
    all_differ(states);
}

fn alerts_screen(app: &mut App) -> String {
    app.update(Message::Key("2".parse().expect("a key")));
    picture(app)
}

#[test]
fn a_call_that_nobody_takes_for_a_minute_is_told_by_more_than_its_age() {
    let line = |seconds| {
        let mut app = with_alert(Urgency::Call, "new", seconds);
        let text = letters(&mut app, "");
        let line = text
            .lines()
            .find(|l| l.contains("fivefold"))
            .map(str::to_owned);
        line.expect("the alert is shown")
            .replace(char::is_numeric, "")
    };
    assert_ne!(line(59), line(60));
}

fn with_table(change: impl Fn(&mut DeskTable)) -> String {
    let mut app = example_app();
    let mut table = example::table(61);
    if let Some(clock) = &mut table.clock {
        clock.at = example::NOW.after(1000);
    }
    change(&mut table);
    app.update(Message::Heard(Heard::Table(Box::new(table))));
    letters(&mut app, ": 6 1 enter")
}

#[test]
fn what_a_table_can_be() {
    let clock = |change: fn(&mut protocol::ChessclockView)| {
        move |t: &mut DeskTable| {
            if let Some(clock) = &mut t.clock {
                clock.running = None;
                change(clock);
            }
        }
    };
    let states = vec![
        ("as it is", with_table(|_| {})),
        ("kept back", with_table(|t| t.held = true)),
        ("stopped", with_table(clock(|_| {}))),
        ("flag", with_table(clock(|c| c.flag.white = Flag::Shown))),
        (
            "other flag",
            with_table(clock(|c| c.flag.black = Flag::Shown)),
        ),
        ("no clock", with_table(|t| t.clock = None)),
        (
            "old reading",
            with_table(|t| {
                if let Some(clock) = &mut t.clock {
                    clock.at = clock.at.shifted(-5000);
                    *clock.time.get_mut(t.turn) += 5000;
                }
            }),
        ),
        (
            "not completed",
            with_table(|t| t.record[0..].last_mut().expect("moves").completed_at = None),
        ),
        (
            "not settled",
            with_table(|t| t.record[0..].last_mut().expect("moves").settled = false),
        ),
        (
            "board differs",
            with_table(|t| t.board = Some(Default::default())),
        ),
        (
            "over",
            with_table(|t| t.standing = example::table(11).standing),
        ),
        (
            "proposed",
            with_table(|t| {
                t.standing = example::table(11).standing;
                t.standing.as_mut().expect("a result").state = protocol::ResultState::Proposed;
            }),
        ),
        ("adjourned", with_table(|t| t.state = TableState::Adjourned)),
        ("out", with_table(|t| t.state = TableState::Out)),
        ("not begun", with_table(|t| t.state = TableState::Waiting)),
        (
            "no legal move",
            with_table(|t| {
                let played = protocol::Played::Irregular {
                    from_fen: t.fen.clone(),
                    to_fen: t.fen.clone(),
                    words: "an illegal move".to_owned(),
                };
                t.record.last_mut().expect("moves").played = played;
            }),
        ),
        ("no board", with_table(|t| t.device_info = None)),
        (
            "uncertain",
            with_table(|t| {
                let ply = t.record.len() as u32;
                t.uncertain = vec![protocol::Uncertain {
                    ply,
                    choices: Vec::new(),
                    more: false,
                }];
            }),
        ),
    ];
    all_differ(states.into_iter().map(|(n, l)| (n.to_owned(), l)).collect());
}

#[test]
fn every_state_has_its_own_sign_on_the_map() {
    use TableState::{Adjourned, Out, Over, Playing, Stopped, Waiting};
    let states = [Adjourned, Out, Over, Playing, Stopped, Waiting].map(|state| {
        let mut app = example_app();
        let table = DeskTable {
            state,
            ..example::table(1)
        };
        app.update(Message::Heard(Heard::Table(Box::new(table))));
        let text = letters(&mut app, "");
        let line = text.lines().find(|l| l.starts_with(" A  ")).expect("row A");
        (format!("{state:?}"), line.chars().take(8).collect())
    });
    all_differ(states.to_vec());
}

#[test]
fn frozen_masked_filtered_marked_and_curtained() {
    let masked = {
        let mut app = example_app();
        let later = app.now.after(121_000);
        app.update(Message::Tick(later));
        picture(&mut app)
    };
    let states = [
        ("as it is", ""),
        ("frozen", "z"),
        ("reversed", "S"),
        ("by age", "s"),
        ("filtered", "/ ! 4 2 enter"),
        ("marked", "space k"),
        ("in the hall", "right"),
        ("curtain", "\\"),
        ("writing a filter", "/"),
        ("nonsense", "ctrl-x"),
        ("least time first", "right s"),
        ("help", "?"),
        ("every key", "? ?"),
        ("going somewhere", ":"),
        ("another sector", ": s e c t o r space B enter"),
        ("a decision", "r"),
        ("another judgement", "r 3"),
    ];
    let states = states.map(|(name, keys)| (name.to_owned(), letters(&mut example_app(), keys)));
    all_differ(
        states
            .into_iter()
            .chain([("masked".to_owned(), masked)])
            .collect(),
    );
}

#[test]
fn a_masked_screen_tells_no_secret_but_how_many_there_are() {
    let mut app = example_app();
    let open = letters(&mut app, ": 9 enter");
    assert!(
        open.contains("ply ") && open.contains("your eyes only") && open.contains("not pressed")
    );
    let later = app.now.after(121_000);
    app.update(Message::Tick(later));
    let masked = picture(&mut app);
    for secret in ["not pressed, ", "your eyes only", "White 31", "ply 3"] {
        assert!(!masked.contains(secret), "{secret}:\n{masked}");
    }
    let list = letters(&mut example_app(), "");
    let mut app = example_app();
    let later = app.now.after(121_000);
    app.update(Message::Tick(later));
    let masked = picture(&mut app);
    assert_eq!(
        masked.matches("SILENT").count(),
        list.matches("SILENT").count()
    );
    assert!(!masked.contains("threefold"), "{masked}");
}

#[test]
fn the_curtain_shows_nothing_of_the_games() {
    let text = letters(&mut example_app(), "\\");
    for secret in ["CALL", "088", "Okafor", "open", "Needs"] {
        assert!(!text.contains(secret), "{secret}:\n{text}");
    }
}

#[test]
fn games_that_are_kept_back_are_listed_on_the_round_screen() {
    let mut app = example_app();
    assert!(!letters(&mut app, "3").contains("kept back"));
    let table = protocol::TableId;
    app.venue.round.kept_back = vec![(4, table(12)), (5, table(88))];
    let shown = picture(&mut app);
    assert!(
        shown.contains("kept back from outside (round/table): 4/012 · 5/088"),
        "{shown}"
    );
}
