//! One simulated game given to the tracker: what came of it, compared with the truth.

use std::collections::BTreeMap;
use std::time::Duration;

use nix::time::{ClockId, clock_gettime};
use shakmaty::uci::UciMove;

use super::command::InferError;
use super::events::{Event, Game, parse};
use crate::simulate::hands::{self, Noise, Performance, Play};
use crate::tracker::{Fact, Inference, Millis, Played, Ply, Setup, Tracker};

/// After the last event the board is taken to be at peace for this long, in milliseconds.
const PEACE: Millis = 12_000;
/// Plies with less certainty count as marked.
const CERTAIN: f32 = 0.88;

/// A kind of board.
#[derive(Clone, Copy, Debug)]
pub(super) struct Board {
    /// Its name in the table.
    pub(super) name: &'static str,
    sensing: hands::Sensing,
    timing: hands::Profile,
    profile: &'static str,
}

impl Board {
    /// The kinds that are reported.
    pub(super) const ALL: [Board; 3] = [
        Board {
            name: "usb",
            sensing: hands::Sensing::Identity,
            timing: hands::Profile::Usb,
            profile: "usb",
        },
        Board {
            name: "bluetooth",
            sensing: hands::Sensing::Identity,
            timing: hands::Profile::Bluetooth,
            profile: "bt",
        },
        Board {
            name: "occupancy",
            sensing: hands::Sensing::Occupancy,
            timing: hands::Profile::Fast,
            profile: "fast",
        },
    ];

    fn play(self, noise: Noise, seed: u64) -> Play {
        Play {
            sensing: self.sensing,
            ..Play::new(noise, seed).on(self.timing)
        }
    }

    fn setup(self, start: &hands::Game) -> Result<Setup, InferError> {
        let board = match self.sensing {
            hands::Sensing::Identity => "identity",
            hands::Sensing::Occupancy => "occupancy",
        };
        let game = Game {
            board: Some(board.to_owned()),
            profile: Some(self.profile.to_owned()),
            start_fen: Some(start.start_fen()),
            ..Game::default()
        };
        Ok(game.setup_unseen()?)
    }
}

/// What came of games, added up.
#[derive(Clone, Debug, Default)]
pub(super) struct Outcome {
    pub(super) games: usize,
    /// The line is the truth.
    pub(super) exact: usize,
    /// The line is the truth, or differs only in uncertain plies whose choices contain it.
    pub(super) perfect: usize,
    pub(super) plies: usize,
    /// Plies that are not the truth and not marked as uncertain.
    pub(super) wrong: usize,
    pub(super) uncertain: usize,
    /// Moves shown for a ply that were not played there.
    pub(super) withdrawn: usize,
    /// Moves settled for a ply that were not played there: what feeds that wait would have to take back.
    pub(super) withdrawn_settled: usize,
    /// From the hands done to the move shown, in milliseconds, one for each ply.
    pub(super) latency: Vec<i64>,
    /// Nanoseconds of this thread's own time, one for each event: what else the machine does is no cost of ours.
    pub(super) cost: Vec<u64>,
    /// The most bytes a tracker ever held.
    pub(super) bytes: usize,
}

/// Plays a game, lets the tracker watch, and adds what came of it.
///
/// # Errors
/// A start the tracker cannot take.
pub(super) fn run(
    game: &hands::Game,
    board: Board,
    noise: Noise,
    seed: u64,
    all: &mut Outcome,
) -> Result<(), InferError> {
    let play = board.play(noise, seed);
    let performance = hands::play(game, &play);
    let mut tracker = Tracker::new(board.setup(game)?);
    let mut shown = Showings::default();
    let mut last = 0;
    for (at, sensed) in hands::sense(&performance, &play) {
        let Event::Observed { observation, .. } = parse(hands::json_line(at, &sensed).as_bytes())
        else {
            continue;
        };
        last = at;
        let before = own_time();
        let found = tracker.observe(at, observation);
        all.cost
            .push(own_time().saturating_sub(before).as_nanos() as u64);
        all.bytes = all.bytes.max(tracker.footprint());
        shown.note(&found);
    }
    shown.note(&tracker.tick(last + PEACE));
    all.compare(&performance, &tracker.record(), &shown);
    Ok(())
}

/// What this thread has computed so far.
fn own_time() -> Duration {
    clock_gettime(ClockId::CLOCK_THREAD_CPUTIME_ID).map_or(Duration::ZERO, Duration::from)
}

/// Every move ever shown for a ply, with the time it was shown last.
#[derive(Default)]
struct Showings {
    shown: BTreeMap<u32, Vec<(UciMove, Millis)>>,
    /// Every move ever settled for a ply.
    settled: BTreeMap<u32, Vec<UciMove>>,
}

impl Showings {
    fn note(&mut self, found: &[Inference]) {
        for inference in found {
            match &inference.fact {
                Fact::Made { ply, uci } => self.show(*ply, *uci, inference.at),
                Fact::Revised { from_ply, line } => {
                    for (ply, uci) in (*from_ply..).zip(line) {
                        self.show(ply, *uci, inference.at);
                    }
                }
                Fact::Settled { ply, uci } => {
                    let moves = self.settled.entry(*ply).or_default();
                    moves.retain(|known| known != uci);
                    moves.push(*uci);
                }
                _ => {}
            }
        }
    }

    fn show(&mut self, ply: u32, uci: UciMove, at: Millis) {
        let moves = self.shown.entry(ply).or_default();
        moves.retain(|(known, _)| *known != uci);
        moves.push((uci, at));
    }
}

impl Outcome {
    fn compare(&mut self, performance: &Performance, record: &[Ply], shown: &Showings) {
        let truth = performance.moves();
        let line: Vec<UciMove> = record.iter().map_while(legal).collect();
        let covered = covered(record);
        let differ = (0..truth.len().min(line.len())).filter(|&ply| line[ply] != truth[ply]);
        let wrong = differ
            .filter(|&ply| !covered.contains(&(ply as u32 + 1, truth[ply])))
            .count();
        self.games += 1;
        self.exact += usize::from(line == truth);
        self.perfect += usize::from(wrong == 0 && line.len() == truth.len());
        self.plies += truth.len();
        self.wrong += wrong;
        self.uncertain += record.iter().filter(|ply| ply.certainty < CERTAIN).count();
        for (ply, played) in (1..).zip(&performance.truth) {
            let moves = shown.shown.get(&ply).map_or(&[][..], Vec::as_slice);
            let right = moves.iter().find(|(uci, _)| Some(*uci) == played.uci());
            self.withdrawn += moves.len() - usize::from(right.is_some());
            let settled = shown.settled.get(&ply).map_or(&[][..], Vec::as_slice);
            let false_ones = settled.iter().filter(|uci| Some(**uci) != played.uci());
            self.withdrawn_settled += false_ones.count();
            self.latency
                .extend(right.map(|(_, at)| *at as i64 - played.made_at as i64));
        }
    }
}

fn legal(ply: &Ply) -> Option<UciMove> {
    match ply.played {
        Played::Legal(uci) => Some(uci),
        Played::Irregular(_) => None,
    }
}

/// The plies with the moves their choices allow.
fn covered(record: &[Ply]) -> Vec<(u32, UciMove)> {
    let unsure = record.iter().filter(|ply| ply.certainty < CERTAIN);
    unsure
        .flat_map(|ply| {
            let lines = ply.choices.iter();
            lines.flat_map(|line| (ply.number..).zip(line.iter().copied()))
        })
        .collect()
}
