//! How many moves a man needs from square to square past the pawns as they stand; it only decides what to look at first.

use std::rc::Rc;

use shakmaty::{Bitboard, Board, Color, Piece, Role, Square, attacks};

use super::geometry::{leaps, steps};

/// Moves from every square to one square, or back.
pub(super) type Way = [u8; 64];

/// More moves than any man needs.
pub(super) const UNREACHABLE: i32 = 30;
/// What it costs when the pawns have to change first.
pub(super) const BLOCKED: i32 = 8;

/// Ways past the pawns of one board, worked out when they are asked for.
pub(super) struct Ways {
    pawns: Bitboard,
    guarded: [Bitboard; 2],
    known: Vec<Option<Rc<Way>>>,
}

impl Ways {
    pub(super) fn new(board: &Board) -> Self {
        let guarded = [Color::White, Color::Black].map(|color| {
            let pawns = board.pawns() & board.by_color(!color);
            let guard = |all, pawn| all | attacks::pawn_attacks(!color, pawn);
            pawns.into_iter().fold(Bitboard::EMPTY, guard)
        });
        Self {
            pawns: board.pawns(),
            guarded,
            known: vec![None; 12 * 64],
        }
    }

    /// Squares that pawns of the other side keep a king of `color` from.
    pub(super) fn guarded(&self, color: Color) -> Bitboard {
        self.guarded[usize::from(color.is_black())]
    }

    /// The moves a man of this kind needs between `square` and every other.
    pub(super) fn of(&mut self, piece: Piece, square: Square) -> Rc<Way> {
        let kind = piece.role as usize - 1 + 6 * usize::from(piece.color.is_black());
        let at = 64 * kind + usize::from(square);
        if let Some(known) = &self.known[at] {
            return Rc::clone(known);
        }
        let way = Rc::new(self.spread(piece, square));
        self.known[at] = Some(Rc::clone(&way));
        way
    }

    fn spread(&self, piece: Piece, start: Square) -> Way {
        let mut way = [u8::MAX; 64];
        let closed = match piece.role {
            Role::King => self.pawns | self.guarded(piece.color),
            _ => self.pawns,
        };
        let mut open = !closed.with(start);
        let mut front = Bitboard::from_square(start);
        let mut moves = 0;
        while front.any() && piece.role != Role::Pawn {
            let mut next = Bitboard::EMPTY;
            for square in front {
                way[usize::from(square)] = moves;
                next |= attacks::attacks(square, piece, self.pawns);
            }
            front = next & open;
            open &= !front;
            moves += 1;
        }
        for square in Square::ALL {
            let moves = &mut way[usize::from(square)];
            if *moves == u8::MAX {
                *moves = past_pawns(piece, square, start) as u8;
            }
        }
        way
    }
}

/// A guess for a way that is closed as the pawns stand.
fn past_pawns(piece: Piece, from: Square, to: Square) -> i32 {
    let straight = from.file() == to.file() || from.rank() == to.rank();
    let diagonal = from.file().distance(to.file()) == from.rank().distance(to.rank());
    let moves = match piece.role {
        Role::King => steps(from, to),
        Role::Knight => leaps(from, to),
        Role::Bishop if from.is_light() != to.is_light() => return UNREACHABLE,
        Role::Bishop => 2 - i32::from(diagonal),
        Role::Rook => 2 - i32::from(straight),
        Role::Queen => 2 - i32::from(straight || diagonal),
        Role::Pawn => return pawn_way(piece.color, from, to),
    };
    BLOCKED + moves
}

fn pawn_way(color: Color, from: Square, to: Square) -> i32 {
    let forward = (to.rank() as i32 - from.rank() as i32) * color.fold_wb(1, -1);
    if from.file() == to.file() && forward >= 0 {
        forward
    } else {
        UNREACHABLE
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::laws::unwinnable::position_from_fen;
    use shakmaty::Position;

    #[test]
    fn a_king_walks_round_a_wall_and_a_bishop_past_it() {
        let pos = position_from_fen("4k3/8/8/2p1p1p1/2P1P1P1/8/8/K1B5 w - - 0 1");
        let mut ways = Ways::new(pos.expect("a position").board());
        let king = ways.of(Role::King.of(Color::White), Square::A1);
        assert_eq!(king[usize::from(Square::A5)], 4);
        assert_eq!(king[usize::from(Square::D6)], 6);
        let bishop = ways.of(Role::Bishop.of(Color::White), Square::C1);
        assert_eq!(bishop[usize::from(Square::H2)], 2);
        assert_eq!(bishop[usize::from(Square::H5)], UNREACHABLE as u8);
    }
}
