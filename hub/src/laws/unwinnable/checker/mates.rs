//! Whether any position of a phase could be mate, by placing the men one after the other.

use shakmaty::{Bitboard, Color, Square, attacks};

use super::{
    pairs,
    view::{View, attacked, pawns},
};
use crate::laws::unwinnable::phase::{Kind, Man};

/// Whether a mate by `winner` cannot be excluded.
pub(super) fn possible(view: &View<'_>, winner: Color) -> bool {
    let helpers = helpers_by_prey(view, winner);
    let rough = Rough::new(view, winner);
    Square::ALL.into_iter().any(|prey| {
        let helpers = helpers[usize::from(prey)];
        helpers.any()
            && rough.allows(prey)
            && helpers
                .into_iter()
                .any(|helper| mate_on(view, winner, prey, helper))
    })
}

/// For each square of the losing king, the squares of the other one that go with it.
fn helpers_by_prey(view: &View<'_>, winner: Color) -> [Bitboard; 64] {
    let mut helpers = [Bitboard::EMPTY; 64];
    if let Some(kings) = view.phase.kings.as_deref() {
        for pair in pairs::each_pair(&pairs::checked(view, kings, winner)) {
            let (own, other) = pair.seen_by(winner);
            helpers[usize::from(other)].add(own);
        }
        return helpers;
    }
    let king = |color| {
        view.phase
            .men
            .iter()
            .find(|m| m.kind == Kind::King && m.color == color)
    };
    let (Some(own), Some(other)) = (king(winner), king(!winner)) else {
        return [Bitboard::FULL; 64];
    };
    for prey in other.squares {
        helpers[usize::from(prey)] = own.squares & !attacks::king_attacks(prey).with(prey);
    }
    helpers
}

/// Everything the men could do if each stood on all its squares at once: what this excludes is excluded.
struct Rough {
    attacked: Bitboard,
    dealt_with: Bitboard,
}

impl Rough {
    fn new(view: &View<'_>, winner: Color) -> Self {
        let king = |m: &&Man| m.kind == Kind::King;
        let prey = view.phase.men.iter().find(|m| king(m) && m.color != winner);
        let occupied = view.fixed_of_both() & !prey.map_or(Bitboard::EMPTY, |m| m.squares);
        let mut attacked_by_men = view.pawn_guard(winner);
        let mut near = Bitboard::EMPTY;
        let mut filled = pawns(view.phase, !winner);
        for man in &view.phase.men {
            for at in man.squares {
                match (man.color == winner, man.kind) {
                    (true, Kind::King) => near |= attacks::king_attacks(at),
                    (true, kind) => attacked_by_men |= attacked(kind, at, occupied),
                    (false, Kind::King) => {}
                    (false, _) => filled.add(at),
                }
            }
        }
        Self {
            attacked: attacked_by_men,
            dealt_with: attacked_by_men | near | filled,
        }
    }

    fn allows(&self, prey: Square) -> bool {
        self.attacked.contains(prey) && attacks::king_attacks(prey).is_subset(self.dealt_with)
    }
}

/// A choice of squares for the winner's men: the neighbours of the king still free, and how it is in check.
type State = (Bitboard, Check);

/// How a king stands in check.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Check {
    /// By nobody.
    None,
    /// By one man, which a pawn or a piece can take for certain.
    Answered,
    /// By one that perhaps nobody can take, or by two.
    Open,
}

impl Check {
    fn by_one(check: bool, answered: bool) -> Self {
        match (check, answered) {
            (false, _) => Self::None,
            (true, true) => Self::Answered,
            (true, false) => Self::Open,
        }
    }

    fn and(self, other: Self) -> Self {
        if self != Self::None && other != Self::None {
            Self::Open
        } else {
            self.max(other)
        }
    }
}

fn mate_on(view: &View<'_>, winner: Color, prey: Square, helper: Square) -> bool {
    let by_pawns = view.pawn_guard(winner);
    let held = pawns(view.phase, !winner) | by_pawns | attacks::king_attacks(helper);
    let open = attacks::king_attacks(prey) & !held;
    let answered = |at| view.is_taken_for_certain(at, winner, prey);
    let by_pawn = attacks::pawn_attacks(!winner, prey) & pawns(view.phase, winner);
    let check = Check::by_one(by_pawn.any(), by_pawn.into_iter().all(answered));
    let mut states: Vec<State> = vec![(open, check)];
    for man in view
        .phase
        .men
        .iter()
        .filter(|m| m.color == winner && m.kind != Kind::King)
    {
        states = with_man(view, man, prey, states);
    }
    states
        .into_iter()
        .any(|(open, check)| check == Check::Open && can_fill(view, winner, open))
}

fn with_man(view: &View<'_>, man: &Man, prey: Square, before: Vec<State>) -> Vec<State> {
    let around = attacks::king_attacks(prey);
    let occupied = view.fixed_of_both().without(prey);
    let mut views: Vec<State> = Vec::new();
    for at in man.squares.without(prey) {
        let sees = attacked(man.kind, at, occupied);
        let checks = sees.contains(prey);
        let answered = checks && view.is_taken_for_certain(at, man.color, prey);
        let seen = (sees & around, Check::by_one(checks, answered));
        if !views.contains(&seen) {
            views.push(seen);
        }
    }
    let mut after = before.clone();
    for (open, check) in before {
        for &(seen, checks) in &views {
            let state = (open & !seen, check.and(checks));
            if !after.contains(&state) {
                after.push(state);
            }
        }
    }
    after
}

/// Whether distinct men of the losing side can stand on all of `open`.
fn can_fill(view: &View<'_>, winner: Color, open: Bitboard) -> bool {
    let men: Vec<Bitboard> = view
        .phase
        .men
        .iter()
        .filter(|m| m.color != winner && m.kind != Kind::King)
        .map(|m| m.squares)
        .collect();
    let mut filler: Vec<Option<Square>> = vec![None; men.len()];
    open.into_iter().all(|square| {
        let mut tried = vec![false; men.len()];
        assign(square, &men, &mut filler, &mut tried)
    })
}

/// Finds a man for `square`, moving others to their other squares where that helps.
fn assign(
    square: Square,
    men: &[Bitboard],
    filler: &mut Vec<Option<Square>>,
    tried: &mut Vec<bool>,
) -> bool {
    for man in 0..men.len() {
        if tried[man] || !men[man].contains(square) {
            continue;
        }
        tried[man] = true;
        let free = match filler[man] {
            None => true,
            Some(other) => assign(other, men, filler, tried),
        };
        if free {
            filler[man] = Some(square);
            return true;
        }
    }
    false
}
