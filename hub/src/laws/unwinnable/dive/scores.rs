//! Which move serves the plan best, when the obvious one is not to be had.

use shakmaty::{Bitboard, Chess, Color, Move, Position, Role, Square, attacks};

use super::{
    mates::{discoverers, is_mate},
    plan::{Plan, Step},
    runner::{Runner, needed_runner},
};
use crate::laws::unwinnable::geometry::steps;

/// What both sides look at when they weigh a move.
struct Scene {
    prey: Square,
    king: Square,
    occupied: Bitboard,
    runner: Option<Runner>,
}

impl Scene {
    fn new(pos: &Chess, winner: Color) -> Option<Self> {
        let board = pos.board();
        Some(Self {
            prey: board.king_of(!winner)?,
            king: board.king_of(winner)?,
            occupied: board.occupied(),
            runner: needed_runner(pos, winner),
        })
    }
}

impl Plan {
    /// A mate if there is one, else the move that brings the plan on.
    pub(super) fn best_attack(&mut self, pos: &Chess) -> Step {
        let Some(scene) = Scene::new(pos, self.winner) else {
            return Step::Stuck;
        };
        let discoverers = discoverers(pos, scene.prey);
        let mut best = (i32::MIN, None);
        for &m in &pos.legal_moves() {
            let from = m.from().unwrap_or(scene.king);
            let seen = seen_after(m, from, self.winner, scene.occupied);
            let check = seen.contains(scene.prey) || discoverers.contains(from);
            if check && mates(pos, m) {
                return Step::Mate(m);
            }
            let score =
                self.jitter() + self.attack_score(m, from, &scene) - if check { 60 } else { 0 };
            if score > best.0 {
                best = (score, Some(m));
            }
        }
        best.1.map_or(Step::Stuck, Step::Move)
    }

    fn attack_score(&self, m: Move, from: Square, scene: &Scene) -> i32 {
        let mut score = m.capture().map_or(0, capture_value);
        if m.role() == Role::King {
            score += 40 * (self.helper_distance(scene.king) - self.helper_distance(m.to()));
            score -= if m.is_castle() { 50 } else { 0 };
        }
        if let Some(run) = scene.runner {
            score += run_score(m, from, &run, scene.king);
        }
        score
            + match m.promotion() {
                Some(Role::Queen) => 100,
                Some(_) => -50,
                None => 0,
            }
    }

    /// The losing side's move that helps most, or at least does no harm.
    pub(super) fn best_help(&mut self, pos: &Chess) -> Option<Move> {
        let scene = Scene::new(pos, self.winner)?;
        let mut best = (i32::MIN, None);
        for &m in &pos.legal_moves() {
            let score = self.jitter() + self.help_score(m, &scene);
            if score > best.0 {
                best = (score, Some(m));
            }
        }
        best.1
    }

    fn help_score(&self, m: Move, scene: &Scene) -> i32 {
        let from = m.from().unwrap_or(scene.prey);
        let mut score = m
            .capture()
            .map_or(0, |taken| -60 - 2 * capture_value(taken));
        if m.role() == Role::King {
            let here = steps(self.corner, scene.prey);
            score += 40 * (here - steps(self.corner, m.to()));
            score -= if here == 0 { 10 } else { 0 } + if m.is_castle() { 30 } else { 0 };
        } else {
            let checks = seen_after(m, from, !self.winner, scene.occupied).contains(scene.king);
            score -= if checks { 50 } else { 0 } + if m.role() == Role::Pawn { 6 } else { 0 };
        }
        score -= match m.promotion() {
            Some(Role::Queen) => 35,
            Some(_) => 20,
            None => 0,
        };
        let path = scene.runner.map_or(Bitboard::EMPTY, |run| run.path);
        score + 45 * (i32::from(path.contains(from)) - i32::from(path.contains(m.to())))
    }
}

fn run_score(m: Move, from: Square, run: &Runner, king: Square) -> i32 {
    let onto_path = run.path.contains(m.to());
    let mut score = 0;
    if from == run.pawn {
        score += 50;
    } else if onto_path && !m.is_capture() {
        score -= 60;
    }
    if run.path.contains(from) {
        score += 45;
    }
    if onto_path && m.is_capture() {
        score += 60;
    }
    match run.blocker {
        Some(goal) if m.role() == Role::King => {
            score + 30 * (steps(goal, king) - steps(goal, m.to()))
        }
        _ => score,
    }
}

fn mates(pos: &Chess, m: Move) -> bool {
    let mut next = pos.clone();
    next.play_unchecked(m);
    is_mate(&next)
}

/// What the moved man sees from its new square; a king gives no check.
fn seen_after(m: Move, from: Square, color: Color, occupied: Bitboard) -> Bitboard {
    match m.promotion().unwrap_or(m.role()) {
        Role::King => Bitboard::EMPTY,
        role => attacks::attacks(m.to(), role.of(color), occupied.without(from)),
    }
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
