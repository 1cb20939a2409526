//! What a table's whole life costs the hub: processor time for each fact as a board tells them, laws, record, alerts and screens
//! included, and the size of a table's state. The goals are 50 µs a fact and 64 KiB a table.

use std::time::{Duration, Instant};

use hub::rounds::{RoundSetup, TableSetup};
use hub::venue::{Input, Venue, VenueConfig};
use protocol::{
    BySide, ClockReading, DeviceId, Envelope, Fact, Played, Side, SquareName, TableId, Timestamp,
};
use rand::rngs::StdRng;
use rand::{Rng, SeedableRng};
use shakmaty::{CastlingMode, Chess, Position};

/// Games that are measured.
const GAMES: u64 = 40;

/// Half-moves of each, and of a long one.
const PLIES: u32 = 160;
const LONG: u32 = 300;

/// Names of the kinds of facts, in the order of [`kind`].
const KINDS: [&str; 6] = [
    "squares",
    "made",
    "press",
    "completed",
    "settled",
    "reading",
];

fn main() {
    println!(
        "facts of a table in the venue: laws, record, alerts, what desk and hall are shown (goal 50 µs, 64 KiB)"
    );
    for plies in [PLIES, LONG] {
        let mut cost = Cost::default();
        let mut size = 0;
        for seed in 0..GAMES {
            size = size.max(play(seed, plies, &mut cost));
        }
        cost.print(plies);
        println!(
            "  state of a table, as the snapshot holds it: {:.1} KiB at most",
            size as f64 / 1024.0
        );
    }
}

#[derive(Default)]
struct Cost {
    spent: [Duration; 6],
    facts: [u32; 6],
}

impl Cost {
    fn print(&self, plies: u32) {
        let spent: Duration = self.spent.iter().sum();
        let facts: u32 = self.facts.iter().sum();
        println!(
            "{GAMES} games of up to {plies} half-moves, {facts} facts: {:.1} µs a fact",
            micros(spent, facts)
        );
        for (kind, name) in KINDS.iter().enumerate() {
            let each = micros(self.spent[kind], self.facts[kind]);
            println!(
                "  {name:<10} {:>7} facts  {each:>6.1} µs each",
                self.facts[kind]
            );
        }
    }
}

fn micros(spent: Duration, facts: u32) -> f64 {
    spent.as_secs_f64() * 1e6 / f64::from(facts.max(1))
}

fn kind(fact: &Fact) -> usize {
    match fact {
        Fact::Squares { .. } => 0,
        Fact::Made { .. } => 1,
        Fact::Press { .. } => 2,
        Fact::Completed { .. } => 3,
        Fact::Settled { .. } => 4,
        _ => 5,
    }
}

/// Plays a game of random moves with its clock; answers the size of the table's state in bytes.
fn play(seed: u64, plies: u32, cost: &mut Cost) -> usize {
    let mut table = OneTable::new(cost);
    let mut dice = StdRng::seed_from_u64(seed);
    let mut position = Chess::default();
    let mut time = BySide {
        white: 5_400_000_u64,
        black: 5_400_000,
    };
    for ply in 1..=plies {
        let moves = position.legal_moves();
        if moves.is_empty() || position.is_insufficient_material() {
            break;
        }
        let chosen = moves[dice.random_range(0..moves.len())];
        position.play_unchecked(chosen);
        let by = if ply % 2 == 1 {
            Side::White
        } else {
            Side::Black
        };
        let seconds = dice.random_range(5..40_u64);
        let own = time.get_mut(by);
        *own = *own + 30_000 - seconds * 1000;
        table.turn(
            ply,
            by,
            chosen.to_uci(CastlingMode::Standard).to_string(),
            seconds,
            time,
        );
    }
    let state = table.venue.state();
    let mut bytes = Vec::new();
    ciborium::into_writer(&state.tables[&TableId(1)], &mut bytes).expect("memory");
    bytes.len()
}

struct OneTable<'a> {
    venue: Venue,
    now: Timestamp,
    seq: u64,
    cost: &'a mut Cost,
}

impl<'a> OneTable<'a> {
    fn new(cost: &'a mut Cost) -> OneTable<'a> {
        let mut venue = Venue::new(VenueConfig::new("bench".parse().expect("a name")));
        let setup = TableSetup {
            device: Some(device()),
            ..TableSetup::new(TableId(1), "Okafor, T", "Kuznetsova, A")
        };
        let round = RoundSetup {
            round: 1,
            time_control: "5400+30".parse().expect("a control"),
            tables: vec![setup],
            ..RoundSetup::default()
        };
        venue.handle(Timestamp(0), Input::Round(round));
        OneTable {
            venue,
            now: Timestamp(0),
            seq: 0,
            cost,
        }
    }

    /// What a board tells of one move: squares, the move, the press with its reading, completed, settled, and readings while somebody thinks.
    fn turn(&mut self, ply: u32, by: Side, uci: String, seconds: u64, time: BySide<u64>) {
        for _ in 0..2 {
            self.pass(seconds * 500);
            let running = if ply == 1 {
                Some(Side::White)
            } else {
                Some(by)
            };
            self.say(Fact::Reading(reading(time, running)));
        }
        let changes = vec![(SquareName(shakmaty::Square::E2), None)];
        self.say(Fact::Squares {
            changes: changes.clone(),
        });
        self.pass(300);
        self.say(Fact::Squares { changes });
        self.say(Fact::Made {
            ply,
            played: Played::Legal(uci),
            by,
            certainty: 0.97,
            squares: Vec::new(),
            after_ms: 120,
        });
        let clock = reading(time, Some(by.other()));
        self.pass(400);
        self.say(Fact::Press { by, clock });
        self.say(Fact::Completed {
            ply,
            pressed: true,
            clock: Some(clock),
        });
        self.pass(500);
        self.say(Fact::Settled { ply });
    }

    fn pass(&mut self, ms: u64) {
        self.now = self.now.after(ms);
    }

    fn say(&mut self, fact: Fact) {
        self.seq += 1;
        let at = kind(&fact);
        let envelope = Envelope {
            agent: "hall-1".parse().expect("a name"),
            boot: "4f1c09d2a7e3b865".parse().expect("a name"),
            seq: self.seq,
            at: self.now,
            offset: Some(0),
            fact,
        };
        let device = device();
        let begun = Instant::now();
        let outputs = self
            .venue
            .handle(self.now, Input::Fact { device, envelope });
        self.cost.spent[at] += begun.elapsed();
        self.cost.facts[at] += 1;
        drop(outputs);
    }
}

fn device() -> DeviceId {
    DeviceId::of("dgt", "00001")
}

fn reading(time: BySide<u64>, running: Option<Side>) -> ClockReading {
    ClockReading {
        time: time.map(|ms| ms / 1000 * 1000),
        running,
        turn: running,
        flag: BySide::default(),
        bonus_sign: BySide::default(),
        battery_low: false,
    }
}
