//! The pawn that is to become a queen.

use shakmaty::{Bitboard, Chess, Color, Position, Square};

use crate::laws::unwinnable::geometry::{ahead, is_walled_in};

/// What it costs when a king that cannot move stands in the way.
const BARRED: i32 = 12;

#[derive(Clone, Copy)]
pub(super) struct Runner {
    pub pawn: Square,
    pub path: Bitboard,
    pub blocker: Option<Square>,
}

/// The pawn with the cheapest way to the last rank, a pawn of the other side in the way costing extra.
pub(super) fn runner(pos: &Chess, winner: Color) -> Option<Runner> {
    let board = pos.board();
    let pawns = board.pawns();
    let prey = board.king_of(!winner);
    let mut best: Option<(i32, Runner)> = None;
    for pawn in pawns & board.by_color(winner) {
        let path = ahead(pawn, winner);
        let blockers = path & pawns;
        let barred = prey.filter(|&prey| path.contains(prey) && is_walled_in(board, prey, !winner));
        let cost = path.count() as i32
            + 5 * blockers.count() as i32
            + if barred.is_some() { BARRED } else { 0 };
        if best.is_none_or(|(least, _)| cost < least) {
            let blocker = if winner.is_white() {
                blockers.first()
            } else {
                blockers.last()
            };
            best = Some((
                cost,
                Runner {
                    pawn,
                    path,
                    blocker,
                },
            ));
        }
    }
    best.map(|(_, runner)| runner)
}

/// The same, where the winner has neither a queen nor a rook yet.
pub(super) fn needed_runner(pos: &Chess, winner: Color) -> Option<Runner> {
    let board = pos.board();
    let heavy = board.by_color(winner) & board.rooks_and_queens();
    heavy.is_empty().then(|| runner(pos, winner)).flatten()
}
