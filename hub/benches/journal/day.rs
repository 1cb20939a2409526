//! An afternoon of made-up games: random legal moves, a press and a reading each.

use hub::rounds::{RoundSetup, TableSetup};
use hub::venue::{Event, Input, Output, Venue};
use protocol::{
    AgentId, BySide, ClockReading, DeviceId, Envelope, Fact, Flag, Played, Side, TableId, Timestamp,
};
use rand::rngs::StdRng;
use rand::{Rng, SeedableRng};
use shakmaty::{CastlingMode, Chess, Position};

/// Tables in the hall.
pub(crate) const TABLES: u16 = 200;

/// What happened.
#[derive(Default)]
pub(crate) struct Day {
    pub(crate) facts: u64,
    pub(crate) events: Vec<Event>,
    seqs: Vec<u64>,
}

impl Day {
    fn take(&mut self, outputs: Vec<Output>) {
        for output in outputs {
            if let Output::Append(event) = output {
                self.events.push(event);
            }
        }
    }

    fn say(&mut self, venue: &mut Venue, table: u16, at: i64, fact: Fact) {
        let seq = &mut self.seqs[usize::from(table)];
        *seq += 1;
        let envelope = Envelope {
            agent: agent(),
            boot: "b1".parse().expect("a name"),
            seq: *seq,
            at: Timestamp(at),
            offset: Some(0),
            fact,
        };
        self.facts += 1;
        let device = device(table);
        self.take(venue.handle(Timestamp(at), Input::Fact { device, envelope }));
    }
}

/// Opens a round and plays so many half-moves on every table.
pub(crate) fn games(venue: &mut Venue, tables: u16, plies: u32) -> Day {
    let mut day = Day {
        seqs: vec![0; usize::from(tables) + 1],
        ..Day::default()
    };
    day.take(venue.handle(Timestamp(0), Input::Round(round(tables))));
    let mut dice = StdRng::seed_from_u64(1);
    let mut positions = vec![Chess::default(); usize::from(tables) + 1];
    for ply in 1..=plies {
        for table in 1..=tables {
            let position = &mut positions[usize::from(table)];
            let moves = position.legal_moves();
            if moves.is_empty() || position.is_insufficient_material() {
                continue;
            }
            let chosen = moves[dice.random_range(0..moves.len())];
            position.play_unchecked(chosen);
            let at = i64::from(ply) * 30_000 + i64::from(table);
            let uci = chosen.to_uci(CastlingMode::Standard).to_string();
            day.say(venue, table, at, made(ply, uci));
            let completed = Fact::Completed {
                ply,
                pressed: true,
                clock: Some(reading(at)),
            };
            day.say(venue, table, at + 500, completed);
        }
    }
    day
}

/// So many more readings of the clocks, in turn.
pub(crate) fn readings(venue: &mut Venue, count: u32) -> Day {
    let mut day = Day {
        seqs: vec![1_000_000; usize::from(TABLES) + 1],
        ..Day::default()
    };
    for (table, second) in (0..count).map(|n| (n % u32::from(TABLES) + 1, n / u32::from(TABLES))) {
        let at = 7_000_000 + i64::from(second) * 1000;
        let table = u16::try_from(table).expect("a table");
        day.say(venue, table, at, Fact::Reading(reading(at)));
    }
    day
}

fn made(ply: u32, uci: String) -> Fact {
    Fact::Made {
        ply,
        played: Played::Legal(uci),
        by: if ply % 2 == 1 {
            Side::White
        } else {
            Side::Black
        },
        certainty: 1.0,
        squares: Vec::new(),
        after_ms: 0,
    }
}

fn round(tables: u16) -> RoundSetup {
    let table = |n: u16| TableSetup {
        device: Some(device(n)),
        ..TableSetup::new(TableId(n), &format!("White {n}"), &format!("Black {n}"))
    };
    RoundSetup {
        round: 1,
        tables: (1..=tables).map(table).collect(),
        ..RoundSetup::default()
    }
}

fn device(table: u16) -> DeviceId {
    DeviceId::of("dgt", &format!("{table:05}"))
}

fn agent() -> AgentId {
    "hall-1".parse().expect("a name")
}

fn reading(at: i64) -> ClockReading {
    let left = 7_200_000_u64.saturating_sub(at.unsigned_abs() / 2);
    ClockReading {
        time: BySide {
            white: left,
            black: left,
        },
        running: Some(Side::White),
        turn: Some(Side::White),
        flag: BySide {
            white: Flag::Up,
            black: Flag::Up,
        },
        bonus_sign: BySide::default(),
        battery_low: false,
    }
}
