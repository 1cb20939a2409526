//! Looks for a helpmate the quick way: both sides follow one simple plan and nothing is ever taken back.
//!
//! The plan: the losing king walks to a corner, the winning king to a square from which it helps to mate there, a pawn becomes a
//! queen if there is no queen or rook, and at every move of the winner each check is tried for mate. A dive costs a few microseconds
//! and settles most positions of real games; what it does not find proves nothing.

use std::ops::Range;

use shakmaty::{Bitboard, Chess, Color, Move, Position, Role, Square, attacks};

use super::{
    budget::Budget,
    geometry::{ahead, in_front, steps},
};

const PLIES: usize = 90;
/// Plies without progress after which a dive is given up.
const PATIENCE: usize = 14;

/// Dives towards each corner in turn, nearest first; each try differs a little. A line that ends in mate by `winner`, or nothing.
pub(super) fn dive(
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

struct Plan {
    winner: Color,
    corner: Square,
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
        let (Some(prey), Some(king)) = (board.king_of(!self.winner), board.king_of(self.winner)) else {
            return 0;
        };
        let promote = if (ours & board.rooks_and_queens()).any() {
            0
        } else {
            10 + runner(pos, self.winner).map_or(0, |run| run.path.count() as i32 * 2 + i32::from(run.blocker.is_some()))
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
        let board = pos.board();
        let (Some(prey), Some(king)) = (board.king_of(!self.winner), board.king_of(self.winner))
        else {
            return Step::Stuck;
        };
        let occupied = board.occupied();
        let discoverers = discoverers(pos, prey);
        let heavy = board.by_color(self.winner) & board.rooks_and_queens();
        let runner = if heavy.is_empty() {
            runner(pos, self.winner)
        } else {
            None
        };
        let near = self.helper_distance(king);
        let mut best = (i32::MIN, None);
        let moves = pos.legal_moves();
        for &m in &moves {
            let from = m.from().unwrap_or(king);
            let role = m.promotion().unwrap_or(m.role());
            let seen = after_attacks(role, self.winner, m.to(), occupied.without(from));
            let check = seen.contains(prey) || discoverers.contains(from);
            if check {
                let mut next = pos.clone();
                next.play_unchecked(m);
                if is_mate(&next) {
                    return Step::Mate(m);
                }
            }
            let mut score = self.jitter();
            if check {
                score -= 60;
            }
            if let Some(taken) = m.capture() {
                score += capture_value(taken);
            }
            if m.role() == Role::King {
                score += 40 * (near - self.helper_distance(m.to()));
                if m.is_castle() {
                    score -= 50;
                }
            }
            if let Some(run) = runner {
                if from == run.pawn {
                    score += 50;
                }
                if run.path.contains(m.to()) && from != run.pawn && !m.is_capture() {
                    score -= 60;
                }
                if run.path.contains(from) {
                    score += 45;
                }
                if run.path.contains(m.to()) && m.is_capture() {
                    score += 60;
                }
                if let Some(goal) = run.blocker {
                    if m.role() == Role::King {
                        score += 30
                            * (steps(goal, king) - steps(goal, m.to()));
                    }
                }
            }
            score += match m.promotion() {
                Some(Role::Queen) => 100,
                Some(_) => -50,
                None => 0,
            };
            if score > best.0 {
                best = (score, Some(m));
            }
        }
        best.1.map_or(Step::Stuck, Step::Move)
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
        let board = pos.board();
        let prey = board.king_of(!self.winner)?;
        let king = board.king_of(self.winner)?;
        let occupied = board.occupied();
        let heavy = board.by_color(self.winner) & board.rooks_and_queens();
        let path = if heavy.is_empty() {
            runner(pos, self.winner).map_or(Bitboard::EMPTY, |r| r.path)
        } else {
            Bitboard::EMPTY
        };
        let here = steps(self.corner, prey);
        let mut best = (i32::MIN, None);
        let moves = pos.legal_moves();
        for &m in &moves {
            let from = m.from().unwrap_or(prey);
            let mut score = self.jitter();
            if let Some(taken) = m.capture() {
                score -= 60 + 2 * capture_value(taken);
            }
            let role = m.promotion().unwrap_or(m.role());
            if role == Role::King {
                score += 40 * (here - steps(self.corner, m.to()));
                if here == 0 {
                    score -= 10;
                }
                if m.is_castle() {
                    score -= 30;
                }
            } else {
                if after_attacks(role, !self.winner, m.to(), occupied.without(from)).contains(king)
                {
                    score -= 50;
                }
                if m.role() == Role::Pawn {
                    score -= 6;
                }
            }
            if m.promotion().is_some() {
                score -= 20 + if role == Role::Queen { 15 } else { 0 };
            }
            if path.contains(m.to()) {
                score -= 45;
            } else if path.contains(from) {
                score += 45;
            }
            if score > best.0 {
                best = (score, Some(m));
            }
        }
        best.1
    }

    fn helper_distance(&self, at: Square) -> i32 {
        steps(self.helpers[0], at).min(steps(self.helpers[1], at))
    }

    fn jitter(&mut self) -> i32 {
        self.noise ^= self.noise << 13;
        self.noise ^= self.noise >> 17;
        self.noise ^= self.noise << 5;
        (self.noise & 7) as i32
    }
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

/// A move of the side to move that mates by attacking the king directly.
fn mate_by_direct_check(pos: &Chess) -> Option<Move> {
    let board = pos.board();
    let us = pos.us();
    let (prey, king) = (board.king_of(!pos.turn())?, board.king_of(pos.turn())?);
    let occupied = board.occupied();
    let by_rook = attacks::rook_attacks(prey, occupied);
    let by_bishop = attacks::bishop_attacks(prey, occupied);
    let by_knight = attacks::knight_attacks(prey);
    let pieces = us & !board.pawns() & !board.kings();
    for from in pieces {
        let role = board.role_at(from)?;
        let goals = match role {
            Role::Knight => by_knight,
            Role::Bishop => by_bishop,
            Role::Rook => by_rook,
            _ => by_rook | by_bishop,
        };
        let reach = attacks::attacks(from, role.of(pos.turn()), occupied);
        for to in reach & goals & !us {
            let m = Move::Normal {
                role,
                from,
                capture: board.role_at(to),
                to,
                promotion: None,
            };
            if mates(pos, m, king) {
                return Some(m);
            }
        }
    }
    pawn_mate(pos, prey, king)
}

fn pawn_mate(pos: &Chess, prey: Square, king: Square) -> Option<Move> {
    let board = pos.board();
    let (us, turn) = (pos.us(), pos.turn());
    let occupied = board.occupied();
    let near = attacks::pawn_attacks(!turn, prey);
    for from in us & board.pawns() {
        let single = in_front(from, turn)?;
        let mut goals = attacks::pawn_attacks(turn, from) & pos.them();
        if !occupied.contains(single) {
            goals.add(single);
        }
        let last = Bitboard::BACKRANKS.contains(single);
        for to in goals {
            let promotions: &[Option<Role>] = if last {
                &[Some(Role::Queen), Some(Role::Knight)]
            } else if near.contains(to) {
                &[None]
            } else {
                &[]
            };
            for &promotion in promotions {
                let m = Move::Normal {
                    role: Role::Pawn,
                    from,
                    capture: board.role_at(to),
                    to,
                    promotion,
                };
                let seen = promotion.map_or(Bitboard::FULL, |role| {
                    attacks::attacks(to, role.of(turn), occupied.without(from))
                });
                if seen.contains(prey) && mates(pos, m, king) {
                    return Some(m);
                }
            }
        }
    }
    None
}

fn mates(pos: &Chess, m: Move, king: Square) -> bool {
    if m.capture() == Some(Role::King) {
        return false;
    }
    let mut next = pos.clone();
    next.play_unchecked(m);
    let board = next.board();
    board.attacks_to(king, next.turn(), board.occupied()).is_empty() && is_mate(&next)
}

fn is_mate(pos: &Chess) -> bool {
    let board = pos.board();
    let Some(king) = board.king_of(pos.turn()) else {
        return false;
    };
    let without_king = board.occupied().without(king);
    for to in attacks::king_attacks(king) & !pos.us() {
        if board.attacks_to(to, !pos.turn(), without_king).is_empty() {
            return false;
        }
    }
    pos.is_checkmate()
}

enum Step {
    Mate(Move),
    Move(Move),
    Stuck,
}

#[derive(Clone, Copy)]
struct Runner {
    pawn: Square,
    path: Bitboard,
    blocker: Option<Square>,
}

/// The pawn with the cheapest way to the last rank, a pawn of the other side in the way costing extra.
fn runner(pos: &Chess, winner: Color) -> Option<Runner> {
    let board = pos.board();
    let pawns = board.pawns();
    let mut best: Option<(i32, Runner)> = None;
    for pawn in pawns & board.by_color(winner) {
        let path = ahead(pawn, winner);
        let blockers = path & pawns;
        let cost = path.count() as i32 + 5 * blockers.count() as i32;
        if best.is_none_or(|(least, _)| cost < least) {
            let blocker = if winner.is_white() {
                blockers.first()
            } else {
                blockers.last()
            };
            best = Some((cost, Runner { pawn, path, blocker }));
        }
    }
    best.map(|(_, runner)| runner)
}

fn after_attacks(role: Role, color: Color, to: Square, occupied: Bitboard) -> Bitboard {
    match role {
        Role::King => Bitboard::EMPTY,
        _ => attacks::attacks(to, role.of(color), occupied),
    }
}

fn discoverers(pos: &Chess, prey: Square) -> Bitboard {
    let board = pos.board();
    let ours = board.by_color(pos.turn());
    let snipers = ours
        & ((attacks::rook_attacks(prey, Bitboard::EMPTY) & board.rooks_and_queens())
            | (attacks::bishop_attacks(prey, Bitboard::EMPTY) & board.bishops_and_queens()));
    let mut found = Bitboard::EMPTY;
    for sniper in snipers {
        let between = attacks::between(sniper, prey) & board.occupied();
        if between.single_square().is_some() {
            found |= between & ours;
        }
    }
    found
}

fn capture_value(role: Role) -> i32 {
    match role {
        Role::Pawn => 4,
        Role::Knight | Role::Bishop => 6,
        Role::Rook => 8,
        Role::Queen => 10,
        Role::King => 0,
    }
}
