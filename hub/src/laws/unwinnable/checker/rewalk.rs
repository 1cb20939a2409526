//! Walks every position that can arise again, with the plain rules and no cleverness.

use std::collections::HashSet;

use shakmaty::{Chess, Color, Position};

use super::{answer::lemma_holds, cover};
use crate::laws::unwinnable::{material::Lemma, phase::Phase};

/// What a second walk found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Rewalk {
    /// No mate among so many positions, and nothing left to visit.
    Confirmed(u64),
    /// A mate: the first walk was wrong.
    Refuted,
    /// More positions than allowed.
    TooMany,
}

/// Visits every position that can follow from `start`, turning back where a lemma applies or a listed phase holds the position; at most
/// `most` positions (about 150 bytes of memory each). The phases must have been checked.
pub fn rewalk(start: &Chess, winner: Color, phases: &[Phase], most: usize) -> Rewalk {
    let mut seen: HashSet<Chess> = HashSet::from([start.clone()]);
    let mut open = vec![start.clone()];
    while let Some(pos) = open.pop() {
        for m in pos.legal_moves() {
            let mut next = pos.clone();
            next.play_unchecked(m);
            if next.turn() != winner && next.is_checkmate() {
                return Rewalk::Refuted;
            }
            if settled(&next, winner, phases) || seen.contains(&next) {
                continue;
            }
            if seen.len() >= most {
                return Rewalk::TooMany;
            }
            seen.insert(next.clone());
            open.push(next);
        }
    }
    Rewalk::Confirmed(seen.len() as u64)
}

fn settled(pos: &Chess, winner: Color, phases: &[Phase]) -> bool {
    let lemmas = [
        Lemma::BareKing,
        Lemma::KnightAgainstQueens,
        Lemma::OneColouredBishops,
    ];
    lemmas
        .into_iter()
        .any(|lemma| lemma_holds(pos, winner, lemma))
        || pos.castles().is_empty()
            && phases.iter().any(|phase| {
                phase.kings.is_none() && pos.maybe_ep_square().is_none() && cover::holds(phase, pos)
            })
}
