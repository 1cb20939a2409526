//! The link from the board to the host: delays, losses, interruptions, dumps, and the chessclock's readings.

use shakmaty::{ByColor, Color, Piece, Square};

use super::super::act::{Act, Millis, Performance};
use super::super::chessclock::Chessclock;
use super::super::control::Control;
use super::super::dice::Dice;
use super::super::how::{Play, Sensing};
use super::hardware::Hardware;
use super::squares::{Change, arrivals, changes};

/// The whole board is asked for this long after the link is back, in milliseconds.
const DUMP_AFTER: f64 = 400.0;

/// What a host is told about a square.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reading {
    /// It is empty.
    Empty,
    /// This piece stands there.
    Piece(Piece),
    /// Something stands there, on a board that cannot tell what.
    Something,
}

/// What a host is told.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Sensed {
    /// A square changed. On a turned board it is the board's own square, not the true one.
    Square {
        /// Which.
        square: Square,
        /// What it reads now.
        reading: Reading,
    },
    /// The whole board, indexed by [`Square`] (a1 = 0).
    Dump(Box<[Reading; 64]>),
    /// The rocker was moved; whole seconds as shown right after it.
    Press {
        /// Who pressed.
        by: Color,
        /// Seconds left for each, rounded down.
        shown: ByColor<u64>,
    },
    /// The chessclock was set to these seconds.
    ClockSet {
        /// Seconds left for each, rounded down.
        shown: ByColor<u64>,
    },
    /// The chessclock was started or stopped.
    ClockRuns {
        /// Whether it runs now.
        runs: bool,
        /// Seconds left for each, rounded down.
        shown: ByColor<u64>,
    },
    /// The link came up or went down, and the host noticed.
    Link {
        /// Whether it is up.
        up: bool,
    },
}

/// The acts as the squares of this board feel them: crowded squares decided, faults of squares mixed in, outages as pulled
/// cables. A virtual board that is told these, and sweeps by itself, sends what a faulty board would.
pub fn coils(performance: &Performance, how: &Play) -> Vec<(Millis, Act)> {
    let mut dice = Dice::new(how.seed, 2);
    let felt = changes(performance, &how.hardware, 0.0, &mut dice);
    let squares = felt.into_iter().map(|change| {
        (
            change.at.round() as Millis,
            Act::Square {
                square: change.square,
                piece: change.piece,
            },
        )
    });
    let others = performance
        .acts
        .iter()
        .filter(|(_, act)| !matches!(act, Act::Square { .. } | Act::Crowd { .. }))
        .cloned();
    let outages = outages(&how.hardware, performance, &mut dice)
        .into_iter()
        .flat_map(|(from, until)| {
            [
                (from as Millis, Act::Cable { connected: false }),
                (until as Millis, Act::Cable { connected: true }),
            ]
        });
    let mut acts: Vec<(Millis, Act)> = others.chain(squares).chain(outages).collect();
    acts.sort_by_key(|(at, _)| *at);
    acts
}

/// What a host is told, in order of time, beginning with the whole board at 0.
pub fn sense(performance: &Performance, how: &Play) -> Vec<(Millis, Sensed)> {
    let mut dice = Dice::new(how.seed, 2);
    let seen = changes(performance, &how.hardware, how.hardware.sweep, &mut dice);
    let mut link = Link::new(performance, how, dice);
    link.squares(&seen);
    link.dumps(&seen, &how.hardware, performance.ended.quiet_at as f64);
    link.clock(performance, how.control);
    link.delivered(how.sensing)
}

struct Link<'a> {
    performance: &'a Performance,
    hardware: &'a Hardware,
    dice: Dice,
    gaps: Vec<(f64, f64)>,
    told: Vec<(f64, Sensed)>,
}

impl<'a> Link<'a> {
    fn new(performance: &'a Performance, how: &'a Play, mut dice: Dice) -> Link<'a> {
        let scripted = scripted_gaps(performance);
        let mut told = Vec::new();
        for &(from, until) in &scripted {
            told.push((from, Sensed::Link { up: false }));
            told.push((until, Sensed::Link { up: true }));
        }
        let mut gaps = outages(&how.hardware, performance, &mut dice);
        gaps.extend(scripted);
        Link {
            performance,
            hardware: &how.hardware,
            dice,
            gaps,
            told,
        }
    }

    fn is_down(&self, at: f64) -> bool {
        self.gaps
            .iter()
            .any(|&(from, until)| from <= at && at < until)
    }

    /// Delays vary, but no change overtakes another.
    fn squares(&mut self, seen: &[Change]) {
        let mut last = 0.0f64;
        for change in seen {
            let lost = self.dice.chance(self.hardware.lost)
                || change.unreported
                || self.is_down(change.at);
            if lost {
                continue;
            }
            last = last.max(
                change.at + self.hardware.latency + self.dice.between(0.0, self.hardware.jitter),
            );
            let reading = change.piece.map_or(Reading::Empty, Reading::Piece);
            self.told.push((
                last,
                Sensed::Square {
                    square: change.square,
                    reading,
                },
            ));
        }
    }

    fn dumps(&mut self, seen: &[Change], hardware: &Hardware, until: f64) {
        let mut asked: Vec<f64> = self
            .gaps
            .iter()
            .map(|&(_, until)| until + DUMP_AFTER)
            .collect();
        if hardware.dump_every > 0.0 {
            let times = (until / hardware.dump_every) as u64;
            asked.extend(
                (1..=times)
                    .map(|n| n as f64 * hardware.dump_every)
                    .filter(|&at| !self.is_down(at)),
            );
        }
        self.told.push((0.0, self.board_at(seen, 0.0)));
        for at in asked {
            let board = self.board_at(seen, at);
            self.told.push((at + hardware.latency + 30.0, board));
        }
    }

    /// What the board itself believes at an instant.
    fn board_at(&self, seen: &[Change], at: f64) -> Sensed {
        let initial = &self.performance.initial;
        let mut board = Square::ALL.map(|square| {
            initial
                .piece_at(square)
                .map_or(Reading::Empty, Reading::Piece)
        });
        for change in seen.iter().take_while(|change| change.at <= at && at > 0.0) {
            board[change.square.to_usize()] = change.piece.map_or(Reading::Empty, Reading::Piece);
        }
        Sensed::Dump(Box::new(board))
    }

    fn clock(&mut self, performance: &Performance, control: Control) {
        let mut clock = Chessclock::new(control);
        for (at, act) in &performance.acts {
            let told = follow(&mut clock, *at, act);
            let noticed = *at as f64
                + self.hardware.latency
                + self.dice.between(0.0, self.hardware.lever_poll);
            let down = self.is_down(*at as f64);
            self.told.extend(
                told.filter(|_| !down && *at > 0)
                    .map(|told| (noticed, told)),
            );
        }
    }

    fn delivered(mut self, sensing: Sensing) -> Vec<(Millis, Sensed)> {
        self.told.sort_by(|a, b| a.0.total_cmp(&b.0));
        let told = self
            .told
            .into_iter()
            .map(|(at, told)| (at.max(0.0).round() as Millis, told));
        match sensing {
            Sensing::Identity => told.collect(),
            Sensing::Occupancy => occupancy(told),
        }
    }
}

/// Lets the clock follow an act; gives what the host is told of it.
fn follow(clock: &mut Chessclock, at: Millis, act: &Act) -> Option<Sensed> {
    match *act {
        Act::Press { by } => {
            clock.press(at, by);
            Some(Sensed::Press {
                by,
                shown: shown(clock, at),
            })
        }
        Act::ClockStart { running } => {
            clock.start(at, running);
            Some(Sensed::ClockRuns {
                runs: true,
                shown: shown(clock, at),
            })
        }
        Act::ClockStop => {
            clock.stop(at);
            Some(Sensed::ClockRuns {
                runs: false,
                shown: shown(clock, at),
            })
        }
        Act::ClockSet { time, .. } => {
            clock.stop(at);
            clock.set(time);
            Some(Sensed::ClockSet {
                shown: shown(clock, at),
            })
        }
        _ => None,
    }
}

fn shown(clock: &Chessclock, at: Millis) -> ByColor<u64> {
    clock.left(at).map(|left| left / 1000)
}

/// Gaps that the acts lay down: a pulled cable, a board without power.
fn scripted_gaps(performance: &Performance) -> Vec<(f64, f64)> {
    let mut gaps: Vec<(f64, f64)> = Vec::new();
    for (at, act) in &performance.acts {
        match (act, gaps.last_mut()) {
            (Act::Cable { connected: false } | Act::Power { on: false }, _) => {
                gaps.push((*at as f64, f64::MAX))
            }
            (Act::Cable { connected: true } | Act::Power { on: true }, Some(gap)) => {
                gap.1 = *at as f64
            }
            _ => {}
        }
    }
    gaps.retain(|gap| gap.1 < f64::MAX);
    gaps
}

fn outages(hardware: &Hardware, performance: &Performance, dice: &mut Dice) -> Vec<(f64, f64)> {
    let instants = arrivals(hardware.outages, performance.ended.quiet_at as f64, dice);
    instants
        .into_iter()
        .map(|at| (at, at + dice.between(1000.0, 6000.0)))
        .collect()
}

/// The same for a board that only knows where something stands; changes of a piece are no news.
fn occupancy(told: impl Iterator<Item = (Millis, Sensed)>) -> Vec<(Millis, Sensed)> {
    let blur = |reading| {
        if reading == Reading::Empty {
            Reading::Empty
        } else {
            Reading::Something
        }
    };
    let mut known = [Reading::Empty; 64];
    let mut blurred = Vec::new();
    for (at, sensed) in told {
        let sensed = match sensed {
            Sensed::Dump(board) => {
                known = board.map(blur);
                Sensed::Dump(Box::new(known))
            }
            Sensed::Square { square, reading } if blur(reading) == known[square.to_usize()] => {
                continue;
            }
            Sensed::Square { square, reading } => {
                known[square.to_usize()] = blur(reading);
                Sensed::Square {
                    square,
                    reading: blur(reading),
                }
            }
            other => other,
        };
        blurred.push((at, sensed));
    }
    blurred
}
