//! Catching up: which legal lines lead from a position to the board a dump shows.

use shakmaty::{Chess, Color, Move, Position, Role};

use super::board::readings_of;
use super::observation::{Reading, Readings, Sensing};

/// Positions looked at for one dump, at most; a few milliseconds.
pub(super) const BUDGET: u32 = 5_000;
/// Lines kept of one search.
const MOST_LINES: usize = 12;

/// What a search found.
pub(super) struct Found {
    /// The lines, most natural first, with what is held against each.
    pub(super) lines: Vec<(f64, Vec<Move>)>,
    /// There are no others.
    pub(super) all: bool,
}

/// Which moves a search tries.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Breadth {
    /// Those of pieces that do not stand any more where they stood: what nearly always was played.
    Departed,
    /// All: also a piece that came back, or whose place another one took.
    All,
}

/// Legal lines of exactly `plies` moves from a position to the readings; `budget` is what may still be looked at, and 0
/// afterwards where that did not suffice.
pub(super) fn lines(
    from: &Chess,
    target: &Readings,
    sensing: Sensing,
    (plies, breadth): (u32, Breadth),
    budget: &mut u32,
) -> Found {
    let mut search = Search {
        target,
        sensing,
        breadth,
        left: *budget,
        line: Vec::new(),
        found: Vec::new(),
    };
    search.walk(from, &readings_of(from.board()), plies);
    *budget = search.left;
    let mut lines: Vec<(f64, Vec<Move>)> = search
        .found
        .into_iter()
        .map(|line| (unnatural(&line), line))
        .collect();
    lines.sort_by(|a, b| a.0.total_cmp(&b.0));
    let all = search.left > 0 && lines.len() <= MOST_LINES && breadth == Breadth::All;
    lines.truncate(MOST_LINES);
    Found { lines, all }
}

struct Search<'a> {
    target: &'a Readings,
    sensing: Sensing,
    breadth: Breadth,
    left: u32,
    line: Vec<Move>,
    found: Vec<Vec<Move>>,
}

impl Search<'_> {
    fn walk(&mut self, at: &Chess, pred: &Readings, plies: u32) {
        self.left = self.left.saturating_sub(1);
        if self.left == 0 || self.found.len() >= 4 * MOST_LINES {
            return;
        }
        let gap = Gap::between(pred, self.target, self.sensing);
        if plies == 0 {
            if gap.closed() {
                self.found.push(self.line.clone());
            }
            return;
        }
        let turn = at.turn();
        if !gap.bridgeable(at, turn, plies) {
            return;
        }
        let wanted = gap.arrivals(turn);
        let may_be_taken = plies == 2 && gap.departures(turn) > 0;
        if plies <= 2 && wanted == 0 && !may_be_taken && !self.blind() {
            return;
        }
        // Castling brings two pieces at once.
        let castles = u32::from(at.castles().has_color(turn));
        let tight = wanted == plies.div_ceil(2) + castles;
        for mv in at.legal_moves() {
            if tight && !self.lands_where_wanted(mv, turn, pred) {
                continue;
            }
            if self.breadth == Breadth::Departed && !self.has_departed(mv, pred) {
                continue;
            }
            let mut next = at.clone();
            next.play_unchecked(mv);
            self.line.push(mv);
            self.walk(&next, &pieces_after(pred, mv, &next), plies - 1);
            self.line.pop();
        }
    }

    /// Arrivals have no colour on this board.
    fn blind(&self) -> bool {
        self.sensing == Sensing::Occupancy
    }

    /// Something else, or nothing, stands where the piece comes from.
    fn has_departed(&self, mv: Move, pred: &Readings) -> bool {
        let from = mv.from().map_or(0, shakmaty::Square::to_usize);
        self.target[from] != self.sensing.see(pred[from])
    }

    fn lands_where_wanted(&self, mv: Move, turn: Color, pred: &Readings) -> bool {
        if mv.is_castle() {
            return true;
        }
        let to = mv.to().to_usize();
        let arrives = Reading::of(mv.promotion().unwrap_or(mv.role()).of(turn));
        self.target[to] == self.sensing.see(arrives)
            && self.target[to] != self.sensing.see(pred[to])
            || self.blind()
    }
}

/// The pieces after a move.
fn pieces_after(before: &Readings, mv: Move, after: &Chess) -> Readings {
    let Move::Normal {
        from,
        to,
        promotion: None,
        ..
    } = mv
    else {
        return readings_of(after.board());
    };
    let mut pieces = *before;
    pieces[to.to_usize()] = std::mem::replace(&mut pieces[from.to_usize()], Reading::EMPTY);
    pieces
}

/// What separates a position from the board, by the colour of the pieces that must still arrive or leave.
struct Gap {
    arrive: [u32; 2],
    leave: [u32; 2],
    unknown: u32,
}

impl Gap {
    fn between(pred: &Readings, target: &Readings, sensing: Sensing) -> Gap {
        let mut gap = Gap {
            arrive: [0; 2],
            leave: [0; 2],
            unknown: 0,
        };
        for (&truth, &wanted) in pred.iter().zip(target) {
            if sensing.see(truth) == wanted {
                continue;
            }
            match wanted.color() {
                Some(color) => gap.arrive[color as usize] += 1,
                None if !wanted.is_empty() => gap.unknown += 1,
                None => {}
            }
            if let Some(color) = truth.color() {
                gap.leave[color as usize] += 1;
            }
        }
        gap
    }

    fn closed(&self) -> bool {
        self.arrive == [0; 2] && self.leave == [0; 2] && self.unknown == 0
    }

    fn arrivals(&self, color: Color) -> u32 {
        self.arrive[color as usize]
    }

    fn departures(&self, color: Color) -> u32 {
        self.leave[color as usize]
    }

    fn bridgeable(&self, at: &Chess, turn: Color, plies: u32) -> bool {
        let mut enough = self.unknown <= plies + 2;
        for color in Color::ALL {
            let moves = if color == turn {
                plies.div_ceil(2)
            } else {
                plies / 2
            };
            let castles = u32::from(at.castles().has_color(color));
            enough &= self.arrive[color as usize] <= moves + castles;
            enough &= self.leave[color as usize] <= plies + castles;
        }
        enough
    }
}

/// What is held against an order of moves: pieces coming out before the pawns, and so on. Small; it only breaks ties.
fn unnatural(line: &[Move]) -> f64 {
    let late = |mv: &Move| match mv.role() {
        Role::Pawn => 0.0,
        Role::Knight => 1.0,
        Role::Bishop => 2.0,
        Role::Rook => 3.0,
        Role::Queen => 4.0,
        Role::King => 5.0,
    };
    let count = line.len().max(1) as f64;
    line.iter()
        .enumerate()
        .map(|(ply, mv)| late(mv) * (count - ply as f64))
        .sum::<f64>()
        / (count * count)
        * 0.3
}
