//! Honest games on right clocks, played in a hall on simulated time: whatever calls an arbiter there is a false alarm.

use agent::devices::Placement;
use agent::simulate::dgt::{ClockAction, VirtualOptions};
use agent::simulate::games::classics;
use agent::simulate::hands::{Act, Control, Ending, Noise, Performance, Play, coils, play};
use hub::rounds::{RoundSetup, TableSetup};
use protocol::{Alert, DeviceId, Millis, Speed, TableId, Urgency};

use crate::hall::{Hall, NOON};

/// Tables of one simulated hall.
pub const TABLES: usize = 10;

/// The agent finds its boards before the first hand moves, milliseconds.
const LEAD: Millis = 8_000;

/// Codes that say that a game has ended, which is true and wants an arbiter.
const ENDS: &[&str] = &[
    "checkmate",
    "stalemate",
    "dead-position",
    "fivefold",
    "seventy-five",
    "flag-fallen",
];

/// What came of one hall.
#[derive(Debug, Clone, Default)]
pub struct Trial {
    /// Games played.
    pub games: usize,
    /// Half-moves played.
    pub plies: usize,
    /// Half-moves in the records that are the ones played.
    pub recorded: usize,
    /// Alerts by urgency and code.
    pub alerts: std::collections::BTreeMap<(&'static str, String), usize>,
    /// Every call that is no end of a game: which game, and what was said.
    pub false_calls: Vec<String>,
}

/// Plays one hall: the tables differ by game and chance, the control by hall.
pub fn one_hall(number: usize, seed: u64, noise: u8) -> Trial {
    let controls = [
        (Control::CLASSICAL, "5400+30"),
        (Control::RAPID, "900+10"),
        (Control::BLITZ, "180+2"),
    ];
    let (control, name) = controls[number % controls.len()];
    let mut hall = Hall::open(Some(round(name)));
    let games = classics();
    let mut acts: Vec<(Millis, usize, Act)> = Vec::new();
    let mut devices = Vec::new();
    let mut performances = Vec::new();
    for table in 0..TABLES {
        let index = number * TABLES + table;
        let how = Play {
            control,
            ending: Ending::Kings,
            ..Play::new(
                Noise::level(noise),
                seed.wrapping_mul(100_000).wrapping_add(index as u64),
            )
        };
        let performance = play(&games[index % games.len()], &how);
        devices.push(hall.add_board(&serial(table), board(&performance)));
        let here = coils(&performance, &how).into_iter();
        acts.extend(here.map(|(at, act)| (at + LEAD, table, act)));
        performances.push(performance);
    }
    acts.sort_by_key(|(at, table, _)| (*at, *table));
    for (at, table, act) in acts {
        let due = NOON.after(at);
        while hall.step(due) {}
        perform(&mut hall, &devices[table], act);
    }
    hall.pass(30_000);
    sum_up(&hall, &performances, number, name)
}

fn round(control: &str) -> RoundSetup {
    let time_control: protocol::TimeControl = control.parse().expect("a control");
    let mut round = RoundSetup {
        event: "Honest games".to_owned(),
        round: 1,
        ..RoundSetup::default()
    };
    round.regime.speed = time_control.speed().unwrap_or_default();
    round.regime.supervised = round.regime.speed == Speed::Standard;
    round.time_control = time_control;
    for table in 0..TABLES {
        let mut setup = TableSetup::new(
            id(table),
            &format!("White {table}"),
            &format!("Black {table}"),
        );
        setup.device = Some(DeviceId::of("dgt", &serial(table)));
        round.tables.push(setup);
    }
    round
}

fn id(table: usize) -> TableId {
    TableId(u16::try_from(table + 1).unwrap_or(u16::MAX))
}

fn serial(table: usize) -> String {
    format!("{:05}", 1001 + table)
}

fn board(performance: &Performance) -> VirtualOptions {
    let mut placement = Placement::EMPTY;
    for (square, piece) in performance.initial.clone() {
        placement.set(square, Some(piece));
    }
    VirtualOptions {
        placement,
        ..VirtualOptions::default()
    }
}

fn perform(hall: &mut Hall, device: &DeviceId, act: Act) {
    match act {
        Act::Square { square, piece } => hall.touch(device, square, piece),
        Act::Crowd { square, over, .. } => hall.touch(device, square, Some(over)),
        Act::Press { by } => hall.clock(device, ClockAction::Press { by }),
        Act::ClockSet { time, increment } => {
            hall.clock(device, ClockAction::Set { time, increment })
        }
        Act::ClockStart { running } => hall.clock(device, ClockAction::Start { running }),
        Act::ClockStop => hall.clock(device, ClockAction::Stop),
        Act::FlagFall { of } => hall.clock(device, ClockAction::FlagFall { of }),
        Act::Cable { connected } => hall.at(device, |seat, now| seat.cable(now, connected)),
        Act::Power { on } => hall.at(device, |seat, now| seat.power(now, on)),
    }
}

fn sum_up(hall: &Hall, performances: &[Performance], number: usize, control: &str) -> Trial {
    let mut trial = Trial {
        games: performances.len(),
        ..Trial::default()
    };
    for (table, performance) in performances.iter().enumerate() {
        let played: Vec<String> = performance
            .moves()
            .iter()
            .map(ToString::to_string)
            .collect();
        let desk = hall.desk(id(table));
        let record = desk.iter().flat_map(|d| &d.record).map(|p| &p.played);
        let same = |(played, recorded): &(&String, &protocol::Played)| matches!(recorded, protocol::Played::Legal(uci) if uci == *played);
        trial.plies += played.len();
        trial.recorded += played.iter().zip(record).filter(same).count();
    }
    for alert in hall.alerts() {
        let lives = alert.history.len() + 1;
        *trial
            .alerts
            .entry((alert.urgency.word(), alert.code.clone()))
            .or_default() += lives;
        if alert.urgency == Urgency::Call && !ENDS.contains(&alert.code.as_str()) {
            trial.false_calls.push(words(&alert, number, control));
        }
    }
    trial
}

fn words(alert: &Alert, number: usize, control: &str) -> String {
    let table = alert.table.map_or(0, |t| t.0);
    format!(
        "hall {number} ({control}) table {table}, half-move {}: {} {} “{}” {:?} after {} s",
        alert.ply.unwrap_or(0),
        alert.code,
        alert.article,
        alert.headline,
        alert.because,
        alert.since.since(NOON) / 1000,
    )
}

impl Trial {
    /// This one and another.
    pub fn add(&mut self, other: Trial) {
        self.games += other.games;
        self.plies += other.plies;
        self.recorded += other.recorded;
        for (key, count) in other.alerts {
            *self.alerts.entry(key).or_default() += count;
        }
        self.false_calls.extend(other.false_calls);
    }
}
