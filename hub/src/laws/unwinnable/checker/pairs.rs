//! The kings as pairs, checked pair by pair.

use shakmaty::{Bitboard, Color, Square, attacks};

use super::view::{View, attacked};
use crate::laws::unwinnable::phase::{Kind, Kings, Phase};

/// An irreversible move: who made it, where his king went if it was the king, and what was free of kings then.
#[derive(Clone, Copy)]
pub(super) struct Step {
    pub mover: Color,
    pub king_to: Option<Square>,
    pub empty: Bitboard,
}

/// Whether the pairs of `small` are all pairs of `large`; a phase without pairs allows all.
pub(super) fn inside(small: Option<&Kings>, large: Option<&Kings>) -> bool {
    match (small, large) {
        (_, None) => true,
        (None, Some(_)) => false,
        (Some(a), Some(b)) => Square::ALL.into_iter().map(usize::from).all(|i| {
            a.white_to_move[i].is_subset(b.white_to_move[i])
                && a.black_to_move[i].is_subset(b.black_to_move[i])
                && a.just_entered[i].is_subset(b.just_entered[i])
        }),
    }
}

/// No reversible move leads out of the pairs, and the sets of the kings agree with them.
pub(super) fn are_closed(view: &View<'_>) -> bool {
    let Some(kings) = view.phase.kings.as_deref() else {
        return true;
    };
    let moves_stay = [Color::White, Color::Black].into_iter().all(|color| {
        let next = rows(kings, !color);
        let forbidden = view.forbidden_to_king(color);
        let passes = may_pass(view, color);
        each_pair(rows(kings, color)).all(|pair| {
            let (own, _) = pair.seen_by(color);
            let stays = passes && !forbidden.contains(own);
            (!stays || next[usize::from(pair.white)].contains(pair.black))
                && pair
                    .king_goals(color, view.fixed_without_kings() | forbidden)
                    .all(|to| next[usize::from(to.white)].contains(to.black))
        })
    });
    moves_stay && sets_agree(view, kings)
}

fn sets_agree(view: &View<'_>, kings: &Kings) -> bool {
    view.phase
        .men
        .iter()
        .filter(|m| m.kind == Kind::King)
        .all(|king| {
            let mut pairs = each_pair(&kings.white_to_move).chain(each_pair(&kings.black_to_move));
            pairs.all(|pair| king.squares.contains(pair.seen_by(king.color).0))
        })
}

/// Carries the pairs of a phase over an irreversible move into `next`. False if no pair allows the move.
pub(super) fn carry(view: &View<'_>, next: &mut Phase, step: Step, winner: Color) -> bool {
    let Some(kings) = view.phase.kings.as_deref() else {
        return true;
    };
    let mut after = Vec::new();
    for pair in each_pair(rows(kings, step.mover)) {
        after.extend(pair.after(view, step));
    }
    enter(next, step.mover, winner, &after)
}

/// Carries them over a double step and the capture en passant that answers it.
pub(super) fn carry_twice(view: &View<'_>, next: &mut Phase, step: Step, winner: Color) -> bool {
    let Some(kings) = view.phase.kings.as_deref() else {
        return true;
    };
    let elsewhere = each_pair(rows(kings, step.mover)).filter(|p| p.avoids(step.empty));
    let after: Vec<_> = elsewhere.map(|pair| (pair, true)).collect();
    enter(next, !step.mover, winner, &after)
}

fn enter(next: &mut Phase, mover: Color, winner: Color, after: &[(Pair, bool)]) -> bool {
    let forbidden = View::new(next).forbidden_to_king(mover);
    let mut kings = Kings {
        white_to_move: [Bitboard::EMPTY; 64],
        black_to_move: [Bitboard::EMPTY; 64],
        just_entered: [Bitboard::EMPTY; 64],
    };
    let mut squares = [Bitboard::EMPTY; 2];
    for &(pair, checks) in after
        .iter()
        .filter(|(pair, _)| !forbidden.contains(pair.seen_by(mover).0))
    {
        let to_move = if mover.is_black() {
            &mut kings.white_to_move
        } else {
            &mut kings.black_to_move
        };
        to_move[usize::from(pair.white)].add(pair.black);
        if checks && mover == winner {
            kings.just_entered[usize::from(pair.white)].add(pair.black);
        }
        squares[0].add(pair.white);
        squares[1].add(pair.black);
    }
    for man in next.men.iter_mut().filter(|m| m.kind == Kind::King) {
        man.squares = squares[usize::from(man.color.is_black())];
    }
    next.kings = Some(Box::new(kings));
    squares[0].any()
}

/// The pairs in which the losing side is to move and may be in check from the last move.
pub(super) fn checked(view: &View<'_>, kings: &Kings, winner: Color) -> Vec<Pair> {
    let mut found: Vec<Pair> = each_pair(&kings.just_entered).collect();
    let passes = may_pass(view, winner);
    let forbidden = view.forbidden_to_king(winner);
    for pair in each_pair(rows(kings, winner)) {
        if passes && !forbidden.contains(pair.seen_by(winner).0) {
            found.push(pair);
        }
        if pair.uncovers(view, winner) {
            found.extend(pair.king_goals(winner, view.fixed_without_kings() | forbidden));
        }
    }
    found
}

/// A side that has no move but with its king must move its king.
fn may_pass(view: &View<'_>, color: Color) -> bool {
    let others = view
        .phase
        .men
        .iter()
        .filter(|m| m.color == color && m.kind != Kind::King);
    others
        .into_iter()
        .any(|man| (view.goals(man) & !view.fixed(!color)).any())
}

fn rows(kings: &Kings, color: Color) -> &[Bitboard; 64] {
    if color.is_white() {
        &kings.white_to_move
    } else {
        &kings.black_to_move
    }
}

fn each_pair(rows: &[Bitboard; 64]) -> impl Iterator<Item = Pair> + '_ {
    Square::ALL.into_iter().flat_map(|white| {
        rows[usize::from(white)]
            .into_iter()
            .map(move |black| Pair { white, black })
    })
}

/// The squares of both kings.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) struct Pair {
    pub white: Square,
    pub black: Square,
}

impl Pair {
    /// The own king's square and the other's.
    pub(super) fn seen_by(self, color: Color) -> (Square, Square) {
        color.fold_wb((self.white, self.black), (self.black, self.white))
    }

    fn with_king(self, color: Color, at: Square) -> Self {
        match color {
            Color::White => Self { white: at, ..self },
            Color::Black => Self { black: at, ..self },
        }
    }

    fn avoids(self, squares: Bitboard) -> bool {
        !squares.contains(self.white) && !squares.contains(self.black)
    }

    /// The pairs after a step of `color`'s king to a square that is not `closed` and keeps its distance.
    fn king_goals(self, color: Color, closed: Bitboard) -> impl Iterator<Item = Pair> {
        let (own, other) = self.seen_by(color);
        let near = attacks::king_attacks(other).with(other);
        let goals = attacks::king_attacks(own) & !closed & !near;
        goals.into_iter().map(move |to| self.with_king(color, to))
    }

    /// The pair after an irreversible move, and whether that move may have given check.
    fn after(self, view: &View<'_>, step: Step) -> Option<(Self, bool)> {
        let Some(to) = step.king_to else {
            return self.avoids(step.empty).then_some((self, true));
        };
        let reached = self
            .king_goals(step.mover, !Bitboard::from_square(to))
            .next()?;
        Some((reached, self.uncovers(view, step.mover)))
    }

    /// Whether the king of `color` may stand between a slider of its own and the other king.
    fn uncovers(self, view: &View<'_>, color: Color) -> bool {
        let (own, other) = self.seen_by(color);
        let blocked = view.fixed_without_kings();
        [Kind::Rook, Kind::Bishop].into_iter().any(|line| {
            attacked(line, other, blocked).contains(own) && behind(view, color, line, own, blocked)
        })
    }
}

/// Whether a man of `color` that moves along `line` can see the square of its king.
fn behind(view: &View<'_>, color: Color, line: Kind, king: Square, blocked: Bitboard) -> bool {
    let seen = attacked(line, king, blocked);
    view.phase.men.iter().any(|man| {
        let slides = matches!(man.kind, Kind::Queen | Kind::Promoted) || man.kind == line;
        man.color == color && slides && (man.squares & seen).any()
    })
}
