//! Phases that hold no mate and lead only to each other, kept for asking.

use std::{collections::HashMap, hash::BuildHasherDefault};

use shakmaty::{CastlingMode, Chess, Color, Position};

use super::{
    exploration::{Exploration, Manner, Order},
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

/// Closed phases that hold no mate and lead only to each other: a position in any of them is unwinnable.
#[derive(Debug)]
pub(in crate::laws::unwinnable) struct Closed {
    pub(super) winner: Color,
    pub(super) phases: Vec<Phase>,
    by_pawns: HashMap<(u64, u64), Vec<usize>, BuildHasherDefault<Mixer>>,
}

impl Closed {
    pub(in crate::laws::unwinnable) fn new(winner: Color) -> Self {
        Self {
            winner,
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
        order: Order,
        limit: usize,
        budget: &mut Budget<'_>,
    ) -> Attempt {
        let manner = Manner {
            anchors: None,
            order,
        };
        self.prove_from(start, Phase::of(start), manner, limit, budget)
    }

    /// The same with the kings as pairs: slower by far, and it proves more.
    pub(in crate::laws::unwinnable) fn prove_sharply(
        &mut self,
        start: &Chess,
        manner: Manner,
        limit: usize,
        budget: &mut Budget<'_>,
    ) -> Attempt {
        self.prove_from(start, Phase::sharp(start), manner, limit, budget)
    }

    fn prove_from(
        &mut self,
        start: &Chess,
        first: Phase,
        manner: Manner,
        limit: usize,
        budget: &mut Budget<'_>,
    ) -> Attempt {
        if jumps_when_castling(start) {
            return Attempt::MayMate;
        }
        let before = self.phases.len();
        let end = Exploration::new(self, manner, limit, budget).run(start, first);
        if end != Attempt::Proven {
            self.forget_after(before);
        }
        end
    }

    pub(super) fn covers(&self, phase: &Phase) -> bool {
        self.with_pawns_of(phase)
            .any(|i| phase.within(&self.phases[i]))
    }

    /// Phases with the same pawns, the latest first.
    pub(super) fn with_pawns_of(&self, phase: &Phase) -> impl Iterator<Item = usize> {
        let known = self.by_pawns.get(&pawns(phase));
        known.into_iter().flatten().rev().copied()
    }

    /// Takes in one more; its number.
    pub(super) fn push(&mut self, phase: Phase) -> usize {
        let number = self.phases.len();
        self.by_pawns.entry(pawns(&phase)).or_default().push(number);
        self.phases.push(phase);
        number
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
