//! Explores phases until one might hold a mate (no proof) or none is left (proof).

use std::{collections::HashMap, hash::BuildHasherDefault};

use shakmaty::{CastlingMode, Chess, Color, Position};

use super::{
    closure::{close, drop_anchors},
    edges,
    mate::may_mate,
    state::Phase,
};
use crate::laws::unwinnable::{budget::Budget, keys::Mixer};

/// How an attempt at a proof ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::laws::unwinnable) enum Attempt {
    /// The position is unwinnable.
    Proven,
    /// Some phase may hold a mate; more work of the same kind would find the same.
    MayMate,
    /// More phases than allowed, or the budget ended.
    OutOfRoom,
}

/// Which men keep their square while a phase lasts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::laws::unwinnable) enum Anchors {
    /// Nobody who can move.
    None,
    /// Those with at most so many moves when the phase begins.
    UpTo(usize),
}

/// Closed phases that hold no mate and lead only to each other: a position in any of them is unwinnable.
#[derive(Debug)]
pub(in crate::laws::unwinnable) struct Closed {
    winner: Color,
    anchors: Anchors,
    phases: Vec<Phase>,
    by_pawns: HashMap<(u64, u64), Vec<usize>, BuildHasherDefault<Mixer>>,
}

impl Closed {
    pub(in crate::laws::unwinnable) fn new(winner: Color) -> Self {
        Self {
            winner,
            anchors: Anchors::None,
            phases: Vec::new(),
            by_pawns: HashMap::default(),
        }
    }

    /// Whether `pos` lies in a phase already proven.
    pub(in crate::laws::unwinnable) fn contains(&self, pos: &Chess) -> bool {
        let simple = pos.maybe_ep_square().is_none() && !jumps_when_castling(pos);
        !self.phases.is_empty() && simple && self.covers(&Phase::of(pos))
    }

    pub(in crate::laws::unwinnable) fn into_phases(self) -> Vec<Phase> {
        self.phases
    }

    /// Tries to prove `start` with at most `limit` more phases. On failure nothing is kept.
    pub(in crate::laws::unwinnable) fn prove(
        &mut self,
        start: &Chess,
        limit: usize,
        budget: &mut Budget<'_>,
    ) -> Attempt {
        if jumps_when_castling(start) {
            return Attempt::MayMate;
        }
        self.prove_from(start, Phase::of(start), limit, budget)
    }

    /// The same with the kings as pairs, and with men that have few moves anchored where so wished: slower by far, and it proves more.
    pub(in crate::laws::unwinnable) fn prove_sharply(
        &mut self,
        start: &Chess,
        anchors: Anchors,
        limit: usize,
        budget: &mut Budget<'_>,
    ) -> Attempt {
        if jumps_when_castling(start) {
            return Attempt::MayMate;
        }
        self.anchors = anchors;
        self.prove_from(start, Phase::sharp(start), limit, budget)
    }

    fn prove_from(
        &mut self,
        start: &Chess,
        first: Phase,
        limit: usize,
        budget: &mut Budget<'_>,
    ) -> Attempt {
        let before = self.phases.len();
        let most = before + limit;
        let mut open = Vec::new();
        let mut end = self.add(first.clone(), most, &mut open, budget);
        for next in edges::en_passant_at_once(start, &first, self.winner) {
            if end == Attempt::Proven {
                end = self.add(next, most, &mut open, budget);
            }
        }
        while end == Attempt::Proven
            && let Some(latest) = open.pop()
        {
            let phase = self.phases[latest].clone();
            let winner = self.winner;
            edges::each_edge(&phase, winner, &mut |next| {
                end = self.add(next, most, &mut open, budget);
                end == Attempt::Proven
            });
        }
        if end != Attempt::Proven {
            self.forget_after(before);
        }
        end
    }

    /// Closes a phase and takes it in, unless one that contains it is there. The proof has failed unless it says so.
    fn add(
        &mut self,
        mut phase: Phase,
        most: usize,
        open: &mut Vec<usize>,
        budget: &mut Budget<'_>,
    ) -> Attempt {
        if phase.is_bare(self.winner) || self.covers(&phase) {
            return Attempt::Proven;
        }
        if self.phases.len() >= most
            || !budget.spend(if phase.kings.is_some() {
                Self::SHARP_COST
            } else {
                Self::COST
            })
        {
            return Attempt::OutOfRoom;
        }
        if let Anchors::UpTo(moves) = self.anchors {
            drop_anchors(&mut phase, moves);
        }
        close(&mut phase);
        if may_mate(&phase, self.winner) {
            return Attempt::MayMate;
        }
        let number = self.phases.len();
        self.by_pawns.entry(pawns(&phase)).or_default().push(number);
        open.push(number);
        self.phases.push(phase);
        Attempt::Proven
    }

    /// What a phase costs, in nodes.
    const COST: u64 = 4;
    const SHARP_COST: u64 = 10;

    fn covers(&self, phase: &Phase) -> bool {
        let known = self.by_pawns.get(&pawns(phase));
        known.is_some_and(|known| known.iter().rev().any(|&i| phase.within(&self.phases[i])))
    }

    fn forget_after(&mut self, before: usize) {
        for phase in self.phases.drain(before..) {
            if let Some(known) = self.by_pawns.get_mut(&pawns(&phase)) {
                known.retain(|&i| i < before);
            }
        }
    }
}

fn pawns(phase: &Phase) -> (u64, u64) {
    (phase.white_pawns.0, phase.black_pawns.0)
}

/// In Chess960 a king or rook may castle over men, which no walk of theirs would do; with such a right left, sets prove nothing.
fn jumps_when_castling(pos: &Chess) -> bool {
    pos.castles().any() && pos.castles().mode() == CastlingMode::Chess960
}
