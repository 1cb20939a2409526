//! A desk of 1,000 tables: how long a key takes, what an idle dashboard costs, what it holds, and whether the selection stays.
//!
//! `cargo bench -p tui` prints the figures; nothing is asserted but that the selection stays.

use std::time::{Duration, Instant};

use protocol::{Alert, DeskTable, HubPresence, Role, TableId, Timestamp, Urgency};
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use tui::app::{App, Me};
use tui::example;
use tui::key::Key;
use tui::message::{Heard, Link, Message};
use tui::settings::Settings;

const TABLES: u16 = 1000;
const SIZES: [(u16, u16); 3] = [(80, 24), (120, 40), (250, 80)];

fn main() {
    let mut app = desk();
    println!("{TABLES} tables, {} open alerts", app.venue.alerts.len());
    for size in SIZES {
        let mut times = keys(&mut app, size);
        times.sort_unstable();
        let at = |percent: usize| times[(times.len() - 1) * percent / 100];
        println!(
            "key to picture at {}x{}: p50 {:.1} ms, p99 {:.1} ms, worst {:.1} ms ({} keys)",
            size.0,
            size.1,
            ms(at(50)),
            ms(at(99)),
            ms(at(100)),
            times.len()
        );
    }
    println!("idle: {:.2} % of a core", share(&mut app, 0));
    println!(
        "in play, 100 tables change each second: {:.2} % of a core",
        share(&mut app, 100)
    );
    println!("held in memory: {:.1} MB", memory_mb());
    println!(
        "selection stayed on its table: {}",
        selection_stays(&mut app)
    );
}

fn ms(time: Duration) -> f64 {
    time.as_secs_f64() * 1000.0
}

fn table(number: u16) -> DeskTable {
    let mut table = example::table(number % 99 + 1);
    table.table = TableId(number);
    table.place = Some(format!(
        "Row {} seat {}",
        (b'A' + (number / 40) as u8) as char,
        number % 40 + 1
    ));
    table
}

fn alert(number: u16, model: &Alert) -> Alert {
    let urgencies = [
        Urgency::Call,
        Urgency::Asked,
        Urgency::Silent,
        Urgency::Tech,
    ];
    Alert {
        id: format!("{number}-{}-1", model.code),
        table: Some(TableId(number)),
        urgency: urgencies[usize::from(number) % 4],
        since: example::NOW.shifted(-i64::from(number) * 500),
        ..model.clone()
    }
}

/// A dashboard that has heard 1,000 tables, with an alert at every fifth.
fn desk() -> App {
    let me = Me {
        initials: "MK".to_owned(),
        role: Role::Arbiter,
        client: "tui-bench".parse().expect("a name"),
        read_only: false,
    };
    let mut app = App::new(&Settings::default(), me).expect("the usual settings");
    app.update(Message::Tick(example::NOW));
    app.update(Message::Link(Link::Up));
    for heard in example::heard().into_iter().take(2) {
        app.update(Message::Heard(heard));
    }
    let model = example::venue().alerts["17-fivefold-1"].clone();
    for number in 1..=TABLES {
        app.update(Message::Heard(Heard::Table(Box::new(table(number)))));
        if number % 5 == 0 {
            let alert = alert(number, &model);
            app.update(Message::Heard(Heard::Alert(Box::new(alert))));
        }
    }
    app
}

fn beat(app: &mut App, now: Timestamp) {
    let presence = HubPresence {
        online: true,
        now,
        boot: "b1".parse().expect("a name"),
        version: String::new(),
        vitals: None,
    };
    let live = true;
    app.update(Message::Heard(Heard::Presence { presence, live }));
}

/// Keys of an arbiter at work, each answered by a picture, with changed tables between them.
fn keys(app: &mut App, size: (u16, u16)) -> Vec<Duration> {
    let round = "j j k right down down up left esc 2 j j j e e 3 j j 4 j j 5 j j 1 / o k esc s s s s : 4 2 esc";
    let round = tui::key::keys(round).expect("keys");
    let mut buffer = Buffer::empty(Rect::new(0, 0, size.0, size.1));
    let mut times = Vec::new();
    for turn in 0..12 {
        for key in &round {
            let now = app.now.after(150);
            app.update(Message::Tick(now));
            let number = (turn * 37 + times.len() as u16 * 13) % TABLES + 1;
            app.update(Message::Heard(Heard::Table(Box::new(table(number)))));
            beat(app, now);
            times.push(press(app, *key, &mut buffer));
        }
    }
    times
}

fn press(app: &mut App, key: Key, buffer: &mut Buffer) -> Duration {
    let began = Instant::now();
    app.update(Message::Key(key));
    buffer.reset();
    app.draw(buffer);
    began.elapsed()
}

/// A minute of the program's loop without keys: time passes, the hub beats, tables change; work as a share of that time.
fn share(app: &mut App, changes_a_second: u16) -> f64 {
    let mut buffer = Buffer::empty(Rect::new(0, 0, 120, 40));
    let seconds = 60;
    let began = Instant::now();
    for second in 0..seconds {
        for _ in 0..5 {
            let now = app.now.after(200);
            app.update(Message::Tick(now));
            for change in 0..changes_a_second / 5 {
                let number = (second * 31 + change * 7) % TABLES + 1;
                app.update(Message::Heard(Heard::Table(Box::new(table(number)))));
            }
            if app.is_dirty() {
                buffer.reset();
                app.draw(&mut buffer);
            }
        }
        let now = app.now;
        beat(app, now);
    }
    began.elapsed().as_secs_f64() / f64::from(seconds) * 100.0
}

fn memory_mb() -> f64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find(|l| l.starts_with("VmRSS"));
    let kib = line.and_then(|l| l.split_whitespace().nth(1)?.parse::<f64>().ok());
    kib.map_or(f64::NAN, |kib| kib / 1024.0)
}

/// Alerts come and go for a minute while one is selected.
fn selection_stays(app: &mut App) -> bool {
    let mut buffer = Buffer::empty(Rect::new(0, 0, 120, 40));
    for key in tui::key::keys("1 esc esc g j j j").expect("keys") {
        app.update(Message::Key(key));
        app.draw(&mut buffer);
    }
    let chosen = app.lists.needs.selected().cloned();
    let model = example::venue().alerts["17-fivefold-1"].clone();
    for second in 0..60_u16 {
        let now = app.now.after(1000);
        app.update(Message::Tick(now));
        beat(app, now);
        let mut fresh = alert(second * 5 + 1, &model);
        fresh.urgency = Urgency::Call;
        app.update(Message::Heard(Heard::Alert(Box::new(fresh))));
        app.draw(&mut buffer);
    }
    let stays = app.lists.needs.selected().cloned() == chosen;
    assert!(stays, "the selection moved under the finger");
    stays
}
