//! Looks for a helpmate the quick way: both sides follow one simple plan and nothing is ever taken back.
//!
//! The plan: the losing king walks to a corner, the winning king to a square from which it helps to mate there, a pawn becomes a
//! queen if there is no queen or rook, and at every move of the winner each check is tried for mate. A dive costs a few microseconds
//! and settles most positions of real games; what it does not find proves nothing.

use std::ops::Range;

use shakmaty::{Bitboard, Chess, Color, Move, Position, Role, Square, attacks};

use super::{mates::mate_by_direct_check, runner::runner};
use crate::laws::unwinnable::{
    budget::Budget,
    geometry::{in_front, steps},
};

const PLIES: usize = 90;
/// Plies without progress after which a dive is given up.
const PATIENCE: usize = 14;

/// Dives towards each corner in turn, nearest first; each try differs a little. A line that ends in mate by `winner`, or nothing.
pub(in crate::laws::unwinnable) fn dive(
    start: &Chess,
    winner: Color,
    tries: Range<usize>,
    budget: &mut Budget<'_>,
) -> Option<Vec<Move>> {
    let corners = corners_by_distance(start, winner);
    let mut line = Vec::with_capacity(PLIES);
    for attempt in tries {
        let mut plan = Plan::new(start, winner, corners[attempt % 4], attempt as u32);
        line.clear();
        if plan.follow(start.clone(), &mut line, budget) {
            return Some(line);
        }
    }
    None
}

fn corners_by_distance(pos: &Chess, winner: Color) -> [Square; 4] {
    let mut corners = [Square::A1, Square::H1, Square::A8, Square::H8];
    let king = |color| pos.board().king_of(color).unwrap_or(Square::A1);
    let (loser, helper) = (king(!winner), king(winner));
    corners.sort_by_key(|&c| 3 * steps(c, loser) + steps(c, helper));
    corners
}

/// Where everybody is to go.
pub(super) struct Plan {
    pub winner: Color,
    pub corner: Square,
    helpers: [Square; 2],
    careful: bool,
    noise: u32,
}

impl Plan {
    fn new(_start: &Chess, winner: Color, corner: Square, attempt: u32) -> Self {
        let inward = |at: i32, by: i32| if at == 0 { by } else { 7 - by };
        let (file, rank) = (corner.file() as i32, corner.rank() as i32);
        let square = |f: i32, r: i32| Square::new((r * 8 + f) as u32);
        let helpers = [
            square(inward(file, 1), inward(rank, 2)),
            square(inward(file, 2), inward(rank, 1)),
        ];
        Self {
            winner,
            corner,
            helpers,
            careful: attempt % 2 == 1,
            noise: 0x9e37_79b9 ^ attempt.wrapping_mul(0x85eb_ca6b),
        }
    }

    fn follow(&mut self, mut pos: Chess, line: &mut Vec<Move>, budget: &mut Budget<'_>) -> bool {
        let mut least = i32::MAX;
        let mut patience = PATIENCE;
        while line.len() < PLIES && patience > 0 && budget.spend(1) {
            let left = self.way_left(&pos);
            patience = if left < least { PATIENCE } else { patience - 1 };
            least = least.min(left);
            let next = if pos.turn() == self.winner {
                match self.attack(&pos) {
                    Step::Mate(m) => {
                        line.push(m);
                        return true;
                    }
                    Step::Move(m) => m,
                    Step::Stuck => return false,
                }
            } else {
                match self.help(&pos) {
                    Some(m) => m,
                    None => return false,
                }
            };
            line.push(next);
            pos.play_unchecked(next);
        }
        false
    }

    /// Steps of the plan still to be made; what is left when it shrinks is progress.
    fn way_left(&self, pos: &Chess) -> i32 {
        let board = pos.board();
        let ours = board.by_color(self.winner);
        let (Some(prey), Some(king)) = (board.king_of(!self.winner), board.king_of(self.winner))
        else {
            return 0;
        };
        let promote = if (ours & board.rooks_and_queens()).any() {
            0
        } else {
            10 + runner(pos, self.winner).map_or(0, |run| {
                run.path.count() as i32 * 2 + i32::from(run.blocker.is_some())
            })
        };
        let men = board.occupied().count() as i32;
        promote + men + steps(self.corner, prey) + self.helper_distance(king)
    }

    fn attack(&mut self, pos: &Chess) -> Step {
        if !self.careful {
            if let Some(m) = mate_by_direct_check(pos) {
                return Step::Mate(m);
            }
            if let Some(m) = self.quick_attack(pos) {
                return Step::Move(m);
            }
        }
        self.best_attack(pos)
    }

    /// The next step of the plan when nothing is in its way: push the runner, else bring the king nearer.
    fn quick_attack(&self, pos: &Chess) -> Option<Move> {
        let board = pos.board();
        let king = board.king_of(self.winner)?;
        if pos.is_check() {
            return None;
        }
        let heavy = board.by_color(self.winner) & board.rooks_and_queens();
        if heavy.is_empty() {
            let run = runner(pos, self.winner)?;
            let to = in_front(run.pawn, self.winner)?;
            let open = attacks::queen_attacks(king, board.occupied());
            if board.occupied().contains(to) || open.contains(run.pawn) {
                return None;
            }
            let last = Bitboard::BACKRANKS.contains(to);
            return Some(Move::Normal {
                role: Role::Pawn,
                from: run.pawn,
                capture: None,
                to,
                promotion: last.then_some(Role::Queen),
            });
        }
        let near = self.helper_distance(king);
        king_step(pos, king, |to| self.helper_distance(to) < near)
    }

    fn quick_help(&self, pos: &Chess) -> Option<Move> {
        let prey = pos.board().king_of(!self.winner)?;
        let here = steps(self.corner, prey);
        if here == 0 {
            return None;
        }
        king_step(pos, prey, |to| steps(self.corner, to) < here)
    }

    fn help(&mut self, pos: &Chess) -> Option<Move> {
        if !self.careful
            && let Some(m) = self.quick_help(pos)
        {
            return Some(m);
        }
        self.best_help(pos)
    }

    pub(super) fn helper_distance(&self, at: Square) -> i32 {
        steps(self.helpers[0], at).min(steps(self.helpers[1], at))
    }

    pub(super) fn jitter(&mut self) -> i32 {
        self.noise ^= self.noise << 13;
        self.noise ^= self.noise >> 17;
        self.noise ^= self.noise << 5;
        (self.noise & 7) as i32
    }
}

/// What the winner does next.
pub(super) enum Step {
    Mate(Move),
    Move(Move),
    Stuck,
}

/// A quiet legal king move to a square that `wanted` accepts.
fn king_step(pos: &Chess, king: Square, wanted: impl Fn(Square) -> bool) -> Option<Move> {
    let board = pos.board();
    let without_king = board.occupied().without(king);
    let to = (attacks::king_attacks(king) & !board.occupied())
        .into_iter()
        .find(|&to| wanted(to) && board.attacks_to(to, !pos.turn(), without_king).is_empty())?;
    Some(Move::Normal {
        role: Role::King,
        from: king,
        capture: None,
        to,
        promotion: None,
    })
}
