//! Where the two kings may stand together, and who is to move: the sharper half of a phase.
//!
//! Knowing the kings as a pair, with the side to move, sees what sets alone cannot: that a side without another move must move its
//! king, that a capture may leave stalemate behind, that the kings keep each other away, and that a king's own move gives check only
//! by uncovering a line.

use shakmaty::{Bitboard, Chess, Color, Position, Square, attacks};

use super::flood;

/// For each square of the white king, the squares of the black king.
pub(super) type Squares = [Bitboard; 64];

/// Every pair of squares the kings may stand on, by the side to move.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Kings {
    /// White to move.
    pub white_to_move: Squares,
    /// Black to move.
    pub black_to_move: Squares,
    /// Pairs with the losing side to move, just after an irreversible move of the winner that may have given check.
    pub just_entered: Squares,
    /// Squares of the rooks that may still castle, in the normal game.
    pub castling: Bitboard,
}

/// No pairs.
pub(super) const NONE: Squares = [Bitboard::EMPTY; 64];

impl Kings {
    pub(super) fn none() -> Self {
        Self {
            white_to_move: NONE,
            black_to_move: NONE,
            just_entered: NONE,
            castling: Bitboard::EMPTY,
        }
    }

    pub(super) fn of(pos: &Chess) -> Self {
        let mut kings = Self::none();
        kings.castling = pos.castles().castling_rights();
        let board = pos.board();
        if let (Some(white), Some(black)) =
            (board.king_of(Color::White), board.king_of(Color::Black))
        {
            kings.to_move_mut(pos.turn())[usize::from(white)].add(black);
        }
        kings
    }

    pub(super) fn to_move(&self, color: Color) -> &Squares {
        color.fold_wb(&self.white_to_move, &self.black_to_move)
    }

    pub(super) fn to_move_mut(&mut self, color: Color) -> &mut Squares {
        color.fold_wb(&mut self.white_to_move, &mut self.black_to_move)
    }

    /// All squares of the white and of the black king.
    pub(super) fn squares(&self) -> (Bitboard, Bitboard) {
        let (mut whites, mut blacks) = (0u64, 0u64);
        for (at, (a, b)) in self
            .white_to_move
            .iter()
            .zip(&self.black_to_move)
            .enumerate()
        {
            let row = a.0 | b.0;
            whites |= u64::from(row != 0) << at;
            blacks |= row;
        }
        (Bitboard(whites), Bitboard(blacks))
    }

    /// Adds the pairs of another.
    pub(super) fn join(&mut self, more: &Self) {
        join(&mut self.white_to_move, &more.white_to_move);
        join(&mut self.black_to_move, &more.black_to_move);
        join(&mut self.just_entered, &more.just_entered);
        self.castling |= more.castling;
    }

    pub(super) fn within(&self, other: &Self) -> bool {
        let inside = |a: &Squares, b: &Squares| a.iter().zip(b).all(|(a, b)| a.is_subset(*b));
        inside(&self.white_to_move, &other.white_to_move)
            && inside(&self.black_to_move, &other.black_to_move)
            && inside(&self.just_entered, &other.just_entered)
            && self.castling.is_subset(other.castling)
    }

    /// Where the king of `color` may stand when it is to move.
    pub(super) fn squares_to_move(&self, color: Color) -> Bitboard {
        let pairs = self.to_move(color);
        match color {
            Color::White => Square::ALL
                .into_iter()
                .filter(|white| pairs[usize::from(*white)].any())
                .collect(),
            Color::Black => pairs.iter().fold(Bitboard::EMPTY, |all, row| all | *row),
        }
    }

    /// The ways of castling `color` may still have.
    pub(super) fn ways_to_castle(&self, color: Color) -> impl Iterator<Item = Castle> {
        let (home, long, short) = color.fold_wb(
            (Square::E1, Square::C1, Square::G1),
            (Square::E8, Square::C8, Square::G8),
        );
        let rooks = self.castling & Bitboard::from_rank(home.rank());
        rooks.into_iter().map(move |rook| {
            let to = if rook < home { long } else { short };
            Castle {
                from: home,
                to,
                path: attacks::between(home, to).with(to),
            }
        })
    }
}

/// A king's move in castling: from, to, and the squares it enters on the way, `to` among them.
pub(super) struct Castle {
    pub from: Square,
    pub to: Square,
    pub path: Bitboard,
}

/// The pairs after `color` has castled one way, the other king not beside the path.
pub(super) fn castled(from: &Squares, color: Color, way: &Castle) -> Squares {
    let near = flood::steps(way.path) | way.path;
    let mut after = NONE;
    match color {
        Color::White => after[usize::from(way.to)] = from[usize::from(way.from)] & !near,
        Color::Black => {
            for white in Square::ALL.into_iter().filter(|w| !near.contains(*w)) {
                if from[usize::from(white)].contains(way.from) {
                    after[usize::from(white)].add(way.to);
                }
            }
        }
    }
    after
}

/// The pairs after `color` has moved its king, wherever `open` lets it go; the other king stays.
pub(super) fn king_moves(from: &Squares, color: Color, open: Bitboard) -> Squares {
    let mut after = NONE;
    for (white, black) in Square::ALL.iter().zip(from) {
        let (white, black) = (*white, *black);
        if black.is_empty() {
            continue;
        }
        if color.is_black() {
            let kept_away = flood::around(white).with(white);
            after[usize::from(white)] |= flood::steps(black) & open & !kept_away;
        } else {
            for to in flood::around(white) & open {
                after[usize::from(to)] |= black & !flood::around(to).with(to);
            }
        }
    }
    after
}

/// Keeps the pairs with the kings on squares of `white` and `black`, and tells which squares are left for each.
pub(super) fn keep(pairs: &mut Squares, white: Bitboard, black: Bitboard) -> (Bitboard, Bitboard) {
    let (mut whites, mut blacks) = (0u64, 0u64);
    for (at, row) in pairs.iter_mut().enumerate() {
        if row.0 == 0 {
            continue;
        }
        row.0 = if white.0 >> at & 1 == 1 {
            row.0 & black.0
        } else {
            0
        };
        if row.0 != 0 {
            whites |= 1 << at;
            blacks |= row.0;
        }
    }
    (Bitboard(whites), Bitboard(blacks))
}

/// The same with only one king's squares given.
pub(super) fn keep_king_on(
    pairs: &mut Squares,
    color: Color,
    squares: Bitboard,
) -> (Bitboard, Bitboard) {
    match color {
        Color::White => keep(pairs, squares, Bitboard::FULL),
        Color::Black => keep(pairs, Bitboard::FULL, squares),
    }
}

/// Adds pairs.
pub(super) fn join(into: &mut Squares, more: &Squares) {
    for (into, more) in into.iter_mut().zip(more) {
        *into |= *more;
    }
}

/// Adds pairs; those that were new.
pub(super) fn join_new(into: &mut Squares, more: &Squares) -> Squares {
    let mut new = NONE;
    for (at, into) in into.iter_mut().enumerate() {
        new[at] = more[at] & !*into;
        *into |= more[at];
    }
    new
}

pub(super) fn any(pairs: &Squares) -> bool {
    pairs.iter().any(|s| s.any())
}

/// The winner's king squares that go with the losing king on `prey`.
pub(super) fn helpers_for(pairs: &Squares, winner: Color, prey: Square) -> Bitboard {
    match winner {
        Color::White => Square::ALL
            .into_iter()
            .filter(|w| pairs[usize::from(*w)].contains(prey))
            .fold(Bitboard::EMPTY, |all, w| all.with(w)),
        Color::Black => pairs[usize::from(prey)],
    }
}

/// What sliders of one side see, and what stands in their way for certain, the kings left out.
#[derive(Clone, Copy)]
pub(super) struct Lines {
    pub straight: Bitboard,
    pub diagonal: Bitboard,
    pub blockers: Bitboard,
}

/// The pairs in which the winner's king, leaving its square, may uncover a line from one of its sliders to the other king.
pub(super) fn may_uncover(pairs: &Squares, winner: Color, lines: Lines) -> Squares {
    let Lines {
        straight,
        diagonal,
        blockers,
    } = lines;
    let mut kept = NONE;
    if straight.is_empty() && diagonal.is_empty() {
        return kept;
    }
    for white in Square::ALL {
        for black in pairs[usize::from(white)] {
            let (from, prey) = winner.fold_wb((white, black), (black, white));
            let on_straight =
                straight.contains(from) && attacks::rook_attacks(prey, blockers).contains(from);
            let on_diagonal =
                diagonal.contains(from) && attacks::bishop_attacks(prey, blockers).contains(from);
            if on_straight || on_diagonal {
                kept[usize::from(white)].add(black);
            }
        }
    }
    kept
}
