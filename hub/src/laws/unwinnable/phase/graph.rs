//! Explores phases until one might hold a mate (no proof) or none is left (proof).

use std::collections::HashMap;

use shakmaty::{Chess, Color};

use super::{closure::close, edges, mate::may_mate, state::Phase};
use crate::laws::unwinnable::budget::Budget;

/// The phases that can arise from `start`, none of which holds a mate by `winner`; nothing if one may, if there are more than
/// `limit`, or if the budget ends.
pub fn prove(start: &Chess, winner: Color, limit: usize, budget: &mut Budget<'_>) -> Option<Vec<Phase>> {
    let mut graph = Graph { winner, limit, phases: Vec::new(), by_pawns: HashMap::new() };
    let first = Phase::of(start);
    let mut sound = graph.add(first.clone(), budget);
    for next in edges::en_passant_at_once(start, &first) {
        sound = sound && graph.add(next, budget);
    }
    let mut open = 0;
    while sound && open < graph.phases.len() {
        let phase = graph.phases[open].clone();
        sound = edges::each_edge(&phase, &mut |next| graph.add(next, budget));
        open += 1;
    }
    sound.then_some(graph.phases)
}

struct Graph {
    winner: Color,
    limit: usize,
    phases: Vec<Phase>,
    by_pawns: HashMap<(u64, u64), Vec<usize>>,
}

impl Graph {
    /// Closes a phase and takes it in, unless one that contains it is there. False when the proof has failed.
    fn add(&mut self, mut phase: Phase, budget: &mut Budget<'_>) -> bool {
        let key = (phase.white_pawns.0, phase.black_pawns.0);
        let known = self.by_pawns.entry(key).or_default();
        if known.iter().any(|&i| phase.within(&self.phases[i])) {
            return true;
        }
        if self.phases.len() >= self.limit || !budget.spend(2) {
            return false;
        }
        close(&mut phase);
        if may_mate(&phase, self.winner) {
            return false;
        }
        known.push(self.phases.len());
        self.phases.push(phase);
        true
    }
}
