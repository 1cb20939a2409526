//! A guess at how far away a mate is; it only decides what to look at first.

use shakmaty::{Board, Color, Square};

use super::{
    geometry::{ahead, is_walled_in, steps},
    goal::Goal,
};

/// The largest estimate.
pub(super) const FARTHEST: usize = 63;

/// What a walk is guided by.
pub(super) enum Guide {
    /// Promote, free a pawn, bring the kings to a corner.
    General,
    /// One picture of a mate.
    Picture(Goal),
}

impl Guide {
    /// Whether the walk hunts for one picture and need not be complete.
    pub(super) fn is_picture(&self) -> bool {
        matches!(self, Self::Picture(_))
    }

    /// Smaller is nearer; at most [`FARTHEST`].
    pub(super) fn distance(&self, board: &Board, winner: Color) -> usize {
        let guess = match self {
            Self::General => general(board, winner),
            Self::Picture(goal) => goal.distance(board, winner),
        };
        (guess.max(0) as usize).min(FARTHEST)
    }
}

fn general(board: &Board, winner: Color) -> i32 {
    let (Some(prey), Some(king)) = (board.king_of(!winner), board.king_of(winner)) else {
        return FARTHEST as i32;
    };
    let ours = board.by_color(winner);
    if (ours & board.rooks_and_queens()).any() {
        return kings(prey, king);
    }
    let pawns = ours & board.pawns();
    let walled_in = is_walled_in(board, prey, !winner).then_some(prey);
    let ways = pawns
        .into_iter()
        .map(|pawn| way_to_promote(board, winner, king, pawn, walled_in));
    ways.min()
        .map_or_else(|| 20 + kings(prey, king), |way| 12 + way)
}

/// What it costs when a king that cannot move stands before the pawn.
const BARRED: i32 = 14;

fn kings(prey: Square, king: Square) -> i32 {
    let corners = [Square::A1, Square::H1, Square::A8, Square::H8];
    let ways = corners.map(|corner| 2 * steps(corner, prey) + (steps(corner, king) - 2).abs());
    ways.into_iter().min().unwrap_or(0)
}

fn way_to_promote(
    board: &Board,
    winner: Color,
    king: Square,
    pawn: Square,
    walled_in: Option<Square>,
) -> i32 {
    let path = ahead(pawn, winner);
    let blocked = path & board.pawns() & board.by_color(!winner);
    let own = path & board.pawns() & board.by_color(winner);
    let pieces = path & board.occupied() & !board.pawns();
    let nearest = if winner.is_white() {
        blocked.first()
    } else {
        blocked.last()
    };
    2 * path.count() as i32
        + 6 * blocked.count() as i32
        + 12 * own.count() as i32
        + pieces.count() as i32
        + if walled_in.is_some_and(|prey| path.contains(prey)) {
            BARRED
        } else {
            0
        }
        + nearest.map_or(0, |square| steps(king, square))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::laws::unwinnable::position_from_fen;
    use shakmaty::Position;

    #[test]
    fn a_pawn_behind_a_king_that_cannot_move_is_not_the_nearest_to_promote() {
        let far = |fen: &str| {
            let pos = position_from_fen(fen).expect("a position");
            Guide::General.distance(pos.board(), Color::Black)
        };
        let walled_in = far("k7/2p5/8/8/8/6p1/2P3Pp/7K w - - 0 1");
        let nearer = far("8/2p5/2k5/8/8/6p1/6Pp/7K w - - 0 1");
        let can_step_aside = far("k7/2p5/8/8/8/8/2P4p/7K w - - 0 1");
        assert!(can_step_aside < walled_in);
        assert!(nearer < walled_in);
    }
}
