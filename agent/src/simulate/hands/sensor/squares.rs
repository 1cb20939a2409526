//! What each of the 64 squares reads, and when the board notices.

use shakmaty::{Color, Piece, Role, Square};

use super::super::act::{Act, Flaw, Millis, Performance, Reads};
use super::super::dice::Dice;
use super::super::gesture::Holds;
use super::hardware::Hardware;

/// A square with two pieces on it is looked at this often when the board has no sweep.
const LOOK_AGAIN: f64 = 225.0;

/// A change that the board notices.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Change {
    pub(super) at: f64,
    pub(super) square: Square,
    pub(super) piece: Option<Piece>,
    /// Whether a flaw keeps it from the host.
    pub(super) unreported: bool,
}

/// Every change the board notices with a sweep of `sweep` milliseconds, in order of time and, within a sweep, of squares from
/// a8 to h1.
pub(super) fn changes(
    performance: &Performance,
    hardware: &Hardware,
    sweep: f64,
    dice: &mut Dice,
) -> Vec<Change> {
    let mut squares = Squares::new(performance);
    squares.add_faults(hardware, performance.ended.quiet_at as f64, dice);
    let phase = dice.between(0.0, sweep.max(1e-9));
    let mut changes = Vec::new();
    for square in Square::ALL {
        let scan = Scan {
            first: phase + f64::from(field(square)) * sweep / 64.0,
            sweep,
        };
        squares.notice(square, &scan, dice, &mut changes);
    }
    changes.sort_by(|a, b| {
        a.at.total_cmp(&b.at)
            .then(field(a.square).cmp(&field(b.square)))
    });
    changes
}

/// The place of a square in the sweep: a8 is 0, h8 is 7, h1 is 63.
fn field(square: Square) -> u32 {
    (7 - u32::from(square.rank())) * 8 + u32::from(square.file())
}

/// When one square is looked at.
struct Scan {
    first: f64,
    sweep: f64,
}

impl Scan {
    fn at_or_after(&self, at: f64) -> f64 {
        if self.sweep <= 0.0 {
            return at;
        }
        self.first + ((at - self.first) / self.sweep - 1e-9).ceil() * self.sweep
    }

    fn interval(&self) -> f64 {
        if self.sweep > 0.0 {
            self.sweep
        } else {
            LOOK_AGAIN
        }
    }
}

/// The history of all squares with their flaws.
struct Squares {
    history: Vec<Vec<(Millis, Holds)>>,
    flaws: Vec<Vec<Flaw>>,
}

impl Squares {
    fn new(performance: &Performance) -> Squares {
        let mut squares = Squares {
            history: vec![Vec::new(); 64],
            flaws: vec![Vec::new(); 64],
        };
        for square in Square::ALL {
            let holds = performance
                .initial
                .piece_at(square)
                .map_or(Holds::Nothing, Holds::One);
            squares.history[square.to_usize()].push((0, holds));
        }
        for (at, act) in &performance.acts {
            if let Some((square, holds)) = holds(act) {
                squares.history[square.to_usize()].push((*at, holds));
            }
        }
        for flaw in &performance.flaws {
            squares.add(*flaw);
        }
        squares
    }

    fn add(&mut self, flaw: Flaw) {
        let index = flaw.square.to_usize();
        let touched = self.history[index]
            .iter()
            .map(|(at, _)| *at)
            .find(|&at| at > flaw.from);
        let until = if flaw.with_piece {
            flaw.until.min(touched.unwrap_or(Millis::MAX))
        } else {
            flaw.until
        };
        if until > flaw.from {
            self.flaws[index].push(Flaw { until, ..flaw });
        }
    }

    fn holds(&self, square: Square, at: f64) -> Holds {
        let history = &self.history[square.to_usize()];
        let next = history.partition_point(|(since, _)| *since as f64 <= at);
        history[next.saturating_sub(1)].1
    }

    fn notice(&self, square: Square, scan: &Scan, dice: &mut Dice, changes: &mut Vec<Change>) {
        let mut last = plain(self.history[square.to_usize()][0].1);
        for at in self.looks(square, scan) {
            let (piece, unreported) = self.read(square, at, dice);
            if piece != last {
                changes.push(Change {
                    at,
                    square,
                    piece,
                    unreported,
                });
                last = piece;
            }
        }
    }

    /// The looks that can find something new: after every change, and all along while two pieces share the square.
    fn looks(&self, square: Square, scan: &Scan) -> Vec<f64> {
        let (history, flaws) = (
            &self.history[square.to_usize()],
            &self.flaws[square.to_usize()],
        );
        let instants = history
            .iter()
            .map(|(at, _)| *at)
            .chain(flaws.iter().flat_map(|flaw| [flaw.from, flaw.until]));
        let mut looks: Vec<f64> = instants
            .map(|at| scan.at_or_after(at as f64))
            .filter(|at| *at >= 0.0)
            .collect();
        for pair in history.windows(2) {
            let mut at = scan.at_or_after(pair[0].0 as f64);
            while matches!(pair[0].1, Holds::Two { .. }) && at < pair[1].0 as f64 {
                looks.push(at);
                at += scan.interval();
            }
        }
        looks.sort_by(f64::total_cmp);
        looks.dedup();
        looks
    }

    fn read(&self, square: Square, at: f64, dice: &mut Dice) -> (Option<Piece>, bool) {
        let truth = match self.holds(square, at) {
            Holds::Two { under, over } => dice
                .pick(&[Some(under), Some(over), Some(over), None])
                .flatten(),
            holds => plain(holds),
        };
        let flaws = &self.flaws[square.to_usize()];
        let mut now = flaws
            .iter()
            .filter(|flaw| flaw.from as f64 <= at && at < flaw.until as f64);
        match now.next().map(|flaw| flaw.reads) {
            Some(Reads::Nothing) => (None, false),
            Some(Reads::Instead(piece)) => (truth.map(|_| piece), false),
            Some(Reads::Ghost(piece)) => (truth.or(Some(piece)), false),
            Some(Reads::Unreported) => (truth, true),
            None => (truth, false),
        }
    }

    fn add_faults(&mut self, hardware: &Hardware, until: f64, dice: &mut Dice) {
        for at in arrivals(hardware.drop_outs, until, dice) {
            let lasting = dice
                .around(hardware.drop_out, hardware.drop_out_spread)
                .clamp(50.0, 3000.0);
            self.add_fault(at, lasting, true, Reads::Nothing, dice);
        }
        for at in arrivals(hardware.misreads, until, dice) {
            let (lasting, piece) = (dice.between(150.0, 600.0), some_piece(dice));
            self.add_fault(at, lasting, true, Reads::Instead(piece), dice);
        }
        for at in arrivals(hardware.ghosts, until, dice) {
            let (lasting, piece) = (dice.between(150.0, 500.0), some_piece(dice));
            self.add_fault(at, lasting, false, Reads::Ghost(piece), dice);
        }
        let squares = dice.shuffled(Square::ALL.to_vec());
        for square in squares.into_iter().take(hardware.bad_squares) {
            self.add_bad_contact(square, hardware, until, dice);
        }
    }

    /// A fault at an occupied or an empty square.
    fn add_fault(&mut self, at: f64, lasting: f64, occupied: bool, reads: Reads, dice: &mut Dice) {
        let fits = |square: &Square| (self.holds(*square, at) != Holds::Nothing) == occupied;
        let squares: Vec<Square> = Square::ALL.into_iter().filter(fits).collect();
        if let Some(square) = dice.pick(&squares) {
            self.add(Flaw {
                square,
                from: at as Millis,
                until: (at + lasting) as Millis,
                reads,
                with_piece: false,
            });
        }
    }

    fn add_bad_contact(
        &mut self,
        square: Square,
        hardware: &Hardware,
        until: f64,
        dice: &mut Dice,
    ) {
        let mut at = dice.between(0.0, 5000.0);
        while at < until {
            let blind = dice.wait(hardware.bad_blind);
            self.add(Flaw {
                square,
                from: at as Millis,
                until: (at + blind) as Millis,
                reads: Reads::Nothing,
                with_piece: false,
            });
            at += blind + dice.wait(hardware.bad_reads);
        }
    }
}

/// The square an act changes, and what it holds afterwards.
fn holds(act: &Act) -> Option<(Square, Holds)> {
    match *act {
        Act::Square {
            square,
            piece: Some(piece),
        } => Some((square, Holds::One(piece))),
        Act::Square {
            square,
            piece: None,
        } => Some((square, Holds::Nothing)),
        Act::Crowd {
            square,
            under,
            over,
        } => Some((square, Holds::Two { under, over })),
        _ => None,
    }
}

fn plain(holds: Holds) -> Option<Piece> {
    match holds {
        Holds::Nothing => None,
        Holds::One(piece) | Holds::Two { over: piece, .. } => Some(piece),
    }
}

/// Instants of things that happen `per_hour` times an hour.
pub(super) fn arrivals(per_hour: f64, until: f64, dice: &mut Dice) -> Vec<f64> {
    let mut instants = Vec::new();
    if per_hour <= 0.0 {
        return instants;
    }
    let mut at = dice.wait(3_600_000.0 / per_hour);
    while at < until {
        instants.push(at);
        at += dice.wait(3_600_000.0 / per_hour);
    }
    instants
}

fn some_piece(dice: &mut Dice) -> Piece {
    let role = dice.pick(&Role::ALL).unwrap_or(Role::Pawn);
    Piece {
        color: Color::from_white(dice.chance(0.5)),
        role,
    }
}
