//! A picture of a mate with minor pieces, and how far the men are from it.
//!
//! A picture is only a direction for the search: a line counts when it ends in mate.

use std::rc::Rc;

use shakmaty::{Bitboard, Board, Color, Piece, Role, Square, attacks};

use super::{
    gallery::Sketch,
    geometry::ahead,
    phase::king_steps,
    ways::{BLOCKED, UNREACHABLE, Way, Ways},
};

/// A man of some kind that should get to a square.
#[derive(Clone, Debug)]
struct Errand {
    piece: Piece,
    way: Rc<Way>,
}

/// Men and the squares they should reach.
#[derive(Clone, Debug)]
pub(super) struct Goal {
    /// The ways of the losing king.
    prey: Rc<Way>,
    /// Where the winning king helps; nowhere in a smothered mate.
    king: Option<Rc<Way>>,
    men: Vec<Errand>,
    /// Where the losing king is mated.
    to: Square,
    /// Pawns that hold or guard squares around the king.
    pawns: Bitboard,
}

impl Goal {
    /// The picture that a sketch shows.
    pub(super) fn new(ways: &mut Ways, winner: Color, sketch: &Sketch) -> Self {
        let errands = sketch.men.iter().map(|&(piece, to)| Errand {
            piece,
            way: ways.of(piece, to),
        });
        Self {
            men: errands.collect(),
            to: sketch.prey,
            pawns: sketch.pawns,
            prey: ways.of(Role::King.of(!winner), sketch.prey),
            king: sketch.king.map(|to| ways.of(Role::King.of(winner), to)),
        }
    }

    /// Moves still needed, roughly, by the men of `winner` and of the other side. The losing king counts double, as the others are in its
    /// way once they stand; the checking man is best one move away until the end.
    pub(super) fn distance(&self, board: &Board, winner: Color) -> i32 {
        let (Some(prey), Some(king)) = (board.king_of(!winner), board.king_of(winner)) else {
            return UNREACHABLE;
        };
        let mut free = board.occupied() & !self.pawns;
        let mut settled = attacks::king_attacks(king).with(king);
        let mut moves = PAWN_LEFT * (self.pawns & !board.pawns()).count() as i32;
        moves += self
            .king
            .as_ref()
            .map_or(0, |way| i32::from(way[usize::from(king)]));
        for (nth, errand) in self.men.iter().enumerate() {
            let (cost, from) = nearest(board, free, errand.piece, &errand.way);
            moves += match (nth, cost) {
                (0, 0) => 2,
                _ => cost,
            };
            if let Some(from) = from {
                free.discard(from);
                if cost == 0 {
                    settled.add(from);
                }
            }
        }
        moves + 2 * self.way_of_prey(prey, settled)
    }

    /// Moves the losing king needs past the men that stand where they should, and past the other king.
    fn way_of_prey(&self, prey: Square, settled: Bitboard) -> i32 {
        let past_pawns = i32::from(self.prey[usize::from(prey)]);
        if prey == self.to {
            return past_pawns;
        }
        let mut reached = Bitboard::from_square(self.to);
        for moves in 1..past_pawns + SHUT_IN {
            let near = king_steps(reached);
            if near.contains(prey) {
                return past_pawns.max(moves);
            }
            reached |= near & !settled;
        }
        past_pawns + SHUT_IN
    }
}

/// What it costs when a picture is shut before the king is in it.
const SHUT_IN: i32 = 4;
/// What it costs when a pawn has left that should have stayed.
const PAWN_LEFT: i32 = 4;

/// Moves until some man of this kind, promotion included, stands at the end of `way`, and which man of `free` that is.
pub(super) fn nearest(
    board: &Board,
    free: Bitboard,
    piece: Piece,
    way: &Way,
) -> (i32, Option<Square>) {
    let side = board.by_color(piece.color) & free;
    let mut best = (UNREACHABLE, None);
    for from in side & board.by_role(piece.role) {
        let cost = i32::from(way[usize::from(from)]);
        if cost < best.0 {
            best = (cost, Some(from));
        }
    }
    if best.0 < UNREACHABLE || piece.role == Role::Pawn {
        return best;
    }
    for from in side & board.pawns() {
        let (left, last) = piece
            .color
            .fold_wb((7 - from.rank() as i32, 56), (from.rank() as i32, 0));
        let born = last + from.file() as usize;
        let blocked = (ahead(from, piece.color) & board.pawns()).any();
        let cost = 2 + left + i32::from(way[born]) + if blocked { BLOCKED } else { 0 };
        if cost < best.0 {
            best = (cost, Some(from));
        }
    }
    best
}
