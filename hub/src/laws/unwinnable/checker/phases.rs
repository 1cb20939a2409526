//! Whether a list of phases is closed under every move and free of mates.

use std::collections::HashMap;

use shakmaty::Color;

use super::{
    mates, pairs, successors,
    view::{View, fixed_square},
};
use crate::laws::unwinnable::budget::Budget;
use crate::laws::unwinnable::phase::{Kind, Man, Phase};

/// What one phase costs to check, in nodes.
const COST: u64 = 4;
const COST_OF_PAIRS: u64 = 10;

/// Every phase is closed, holds no mate, and every irreversible move out of it ends in a listed phase. Nothing when the budget ended first.
pub(super) fn are_sound(phases: &[Phase], winner: Color, budget: &mut Budget<'_>) -> Option<bool> {
    let list = List::new(phases);
    for phase in phases {
        let pairs = phase.kings.is_some();
        if !budget.spend(if pairs { COST_OF_PAIRS } else { COST }) {
            return None;
        }
        if !is_sound(phase, winner, &list) {
            return Some(false);
        }
    }
    Some(true)
}

fn is_sound(phase: &Phase, winner: Color, list: &List<'_>) -> bool {
    let view = View::new(phase);
    well_formed(phase)
        && is_closed(&view)
        && pairs::are_closed(&view)
        && !mates::possible(&view, winner)
        && successors::all(&view, winner, &mut |next| list.contains(next))
}

/// Phases by their pawns.
struct List<'p> {
    by_pawns: HashMap<(u64, u64), Vec<&'p Phase>>,
}

impl<'p> List<'p> {
    fn new(phases: &'p [Phase]) -> Self {
        let mut by_pawns: HashMap<_, Vec<_>> = HashMap::new();
        for phase in phases {
            by_pawns
                .entry((phase.white_pawns.0, phase.black_pawns.0))
                .or_default()
                .push(phase);
        }
        Self { by_pawns }
    }

    fn contains(&self, phase: &Phase) -> bool {
        let candidates = self
            .by_pawns
            .get(&(phase.white_pawns.0, phase.black_pawns.0));
        candidates.is_some_and(|list| list.iter().any(|known| inside(phase, known)))
    }
}

/// Every position of `small` is one of `large`, man by man.
fn inside(small: &Phase, large: &Phase) -> bool {
    let longest = small.men.len().max(large.men.len());
    let men = (0..longest).all(|i| match (small.men.get(i), large.men.get(i)) {
        (Some(a), Some(b)) => man_inside(a, b),
        (Some(a), None) => a.squares.is_empty(),
        (None, Some(b)) => !b.certain,
        (None, None) => true,
    });
    men && pairs::inside(small.kings.as_deref(), large.kings.as_deref())
}

fn man_inside(a: &Man, b: &Man) -> bool {
    let same = a.color == b.color && a.kind == b.kind;
    same && a.squares.is_subset(b.squares) && (a.certain || !b.certain)
}

/// One king of each colour that is surely somewhere; no pawn on a last rank; nobody certain without a square.
fn well_formed(phase: &Phase) -> bool {
    let kings = |color| {
        let own = phase
            .men
            .iter()
            .filter(|m| m.kind == Kind::King && m.color == color);
        own.map(|king| u32::from(king.certain) + 1).eq([2])
    };
    let pawns = phase.white_pawns | phase.black_pawns;
    kings(Color::White)
        && kings(Color::Black)
        && (pawns & shakmaty::Bitboard::BACKRANKS).is_empty()
        && (phase.white_pawns & phase.black_pawns).is_empty()
        && phase.men.iter().all(|m| m.squares.any() || !m.certain)
}

/// No reversible move leads out of the phase, and whoever can be captured on the way is marked.
fn is_closed(view: &View<'_>) -> bool {
    view.phase.men.iter().all(|man| {
        let goals = view.goals(man);
        let quiet = goals & !view.fixed(!man.color);
        let paired = man.kind == Kind::King && view.phase.kings.is_some();
        (paired || quiet.is_subset(man.squares)) && captives_are_marked(view, man, goals)
    })
}

fn captives_are_marked(view: &View<'_>, man: &Man, goals: shakmaty::Bitboard) -> bool {
    view.phase.men.iter().all(|other| {
        let exposed =
            other.color != man.color && other.kind != Kind::King && (other.squares & goals).any();
        !exposed || !other.certain || fixed_square(other).is_some()
    })
}
