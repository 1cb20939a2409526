//! Whether a list of phases is closed under every move and free of mates.

use std::collections::HashMap;

use shakmaty::{Bitboard, Color};

use super::{
    mates, pairs, successors,
    view::{View, fixed_square, pawns},
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
        && successors::all(&view, winner, &mut |next| {
            has_nobody(next, winner) || list.contains(next)
        })
}

/// Whoever has nothing but his king never mates.
fn has_nobody(phase: &Phase, color: Color) -> bool {
    let men = phase
        .men
        .iter()
        .filter(|m| m.color == color && m.kind != Kind::King);
    pawns(phase, color).is_empty() && men.map(|m| m.squares.count()).sum::<usize>() == 0
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
        && (pawns & Bitboard::BACKRANKS).is_empty()
        && (phase.white_pawns & phase.black_pawns).is_empty()
        && phase.men.iter().all(|m| m.squares.any() || !m.certain)
        && phase
            .men
            .iter()
            .all(|m| !m.anchored || may_be_anchored(phase, m))
}

/// A piece that is known to stand where it stands, and that no castling moves.
fn may_be_anchored(phase: &Phase, man: &Man) -> bool {
    let castling = phase.kings.as_deref().map(|k| k.castling.any());
    castling == Some(false) && man.kind != Kind::King && fixed_square(man).is_some()
}

/// No reversible move leads out of the phase, and whoever can be captured on the way is marked. The moves of anchored men are among
/// the successors, those of kings in pairs are looked at pair by pair.
fn is_closed(view: &View<'_>) -> bool {
    let paired = |man: &Man| man.kind == Kind::King && view.phase.kings.is_some();
    let mut men = view.phase.men.iter().enumerate();
    men.all(|(index, man)| {
        if man.anchored {
            return true;
        }
        let reached = |to| paired(man) || pairs::may_go(view, index, to);
        let goals = view.goals(man);
        let outside = goals & !view.fixed(!man.color) & !man.squares;
        (paired(man) || !outside.into_iter().any(reached))
            && !unmarked(view, man, goals).into_iter().any(reached)
    })
}

/// Squares of `goals` where a man may be captured that is taken for certain though its square is not known.
fn unmarked(view: &View<'_>, man: &Man, goals: Bitboard) -> Bitboard {
    let men = view.phase.men.iter().filter(|other| {
        other.color != man.color
            && other.kind != Kind::King
            && other.certain
            && fixed_square(other).is_none()
    });
    men.fold(Bitboard::EMPTY, |all, other| all | other.squares & goals)
}
