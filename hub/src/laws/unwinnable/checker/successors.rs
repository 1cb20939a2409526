//! The phases after each irreversible move, made one move at a time.

use shakmaty::{Bitboard, Color, Rank, Square, attacks};

use super::{
    pairs::{self, Step},
    view::{View, fixed_square, pawns},
};
use crate::laws::unwinnable::phase::{Kind, Man, Phase};

/// Whether `known` accepts every phase that an irreversible move can lead to.
pub(super) fn all(view: &View<'_>, winner: Color, known: &mut dyn FnMut(&Phase) -> bool) -> bool {
    [Color::White, Color::Black].into_iter().all(|mover| {
        let mut moves = Moves {
            view,
            winner,
            mover,
            known: &mut *known,
        };
        moves.by_pawns() && moves.by_men()
    })
}

struct Moves<'a, 'p> {
    view: &'a View<'p>,
    winner: Color,
    mover: Color,
    known: &'a mut dyn FnMut(&Phase) -> bool,
}

impl Moves<'_, '_> {
    fn by_pawns(&mut self) -> bool {
        pawns(self.view.phase, self.mover)
            .into_iter()
            .all(|from| self.advances(from) && self.takes(from))
    }

    fn advances(&mut self, from: Square) -> bool {
        let taken = self.view.fixed_of_both();
        let forward = self.mover.fold_wb(8, -8);
        let Some(one) = from.offset(forward).filter(|s| !taken.contains(*s)) else {
            return true;
        };
        if !self.check(
            pawn_to(self.view.phase, self.mover, from, one, &[one]),
            &[one],
        ) {
            return false;
        }
        let starts = from.rank() == self.mover.fold_wb(Rank::Second, Rank::Seventh);
        let Some(two) = one
            .offset(forward)
            .filter(|s| starts && !taken.contains(*s))
        else {
            return true;
        };
        let pushed = pawn_to(self.view.phase, self.mover, from, two, &[one, two]);
        self.en_passant(&pushed, one, two) && self.check(pushed, &[one, two])
    }

    /// Pawns beside the one that has just made a double step may take it.
    fn en_passant(&mut self, pushed: &Option<Phase>, one: Square, two: Square) -> bool {
        let Some(pushed) = pushed else {
            return true;
        };
        let beside = attacks::king_attacks(two)
            & Bitboard::from_rank(two.rank())
            & pawns(pushed, !self.mover);
        beside.into_iter().all(|taker| {
            let without = remove_pawn(pushed, self.mover, two);
            let after = pawn_to(&without, !self.mover, taker, one, &[one]);
            let step = Step {
                mover: self.mover,
                king_to: None,
                empty: [one, two].into_iter().collect(),
            };
            let Some(mut after) = after else {
                return true;
            };
            !pairs::carry_twice(self.view, &mut after, step, self.winner) || (self.known)(&after)
        })
    }

    fn takes(&mut self, from: Square) -> bool {
        attacks::pawn_attacks(self.mover, from)
            .into_iter()
            .all(|to| {
                let phase = self.view.phase;
                if pawns(phase, self.mover).contains(to) {
                    true
                } else if pawns(phase, !self.mover).contains(to) {
                    let without = remove_pawn(phase, !self.mover, to);
                    self.check(pawn_to(&without, self.mover, from, to, &[to]), &[to])
                } else {
                    self.victims(to).into_iter().all(|victim| {
                        let without = remove_man(phase, victim);
                        self.check(pawn_to(&without, self.mover, from, to, &[to]), &[to])
                    })
                }
            })
    }

    /// Men of the other side, kings left out, that may stand on `at`.
    fn victims(&self, at: Square) -> Vec<usize> {
        let men = self.view.phase.men.iter().enumerate();
        let hit = men.filter(|(_, m)| {
            m.color != self.mover && m.kind != Kind::King && m.squares.contains(at)
        });
        hit.map(|(i, _)| i).collect()
    }

    fn by_men(&mut self) -> bool {
        (0..self.view.phase.men.len()).all(|index| {
            let man = &self.view.phase.men[index];
            let goals = self.view.goals(man);
            man.color != self.mover
                || self.captures_by(index, goals) && (!man.anchored || self.leaves(index, goals))
        })
    }

    /// An anchored man goes anywhere, and may there capture men that are not certain to be anywhere else.
    fn leaves(&mut self, index: usize, goals: Bitboard) -> bool {
        let goals = goals & !self.view.fixed(!self.mover);
        goals.into_iter().all(|to| {
            let mut without = self.view.phase.clone();
            let others = without.men.iter_mut().filter(|m| m.color != self.mover);
            for man in others.filter(|m| m.kind != Kind::King && m.squares.contains(to)) {
                man.certain = false;
            }
            self.captured(man_to(&without, index, to), index, to)
        })
    }

    fn captures_by(&mut self, index: usize, goals: Bitboard) -> bool {
        let phase = self.view.phase;
        let taken_pawns = goals & pawns(phase, !self.mover);
        let pawns_done = taken_pawns.into_iter().all(|to| {
            let without = remove_pawn(phase, !self.mover, to);
            self.captured(man_to(&without, index, to), index, to)
        });
        pawns_done
            && (0..phase.men.len()).all(|victim| {
                let prey = &phase.men[victim];
                let Some(to) = fixed_square(prey).filter(|s| goals.contains(*s)) else {
                    return true;
                };
                if prey.color == self.mover || prey.kind == Kind::King {
                    return true;
                }
                self.captured(man_to(&remove_man(phase, victim), index, to), index, to)
            })
    }

    fn captured(&mut self, next: Option<Phase>, index: usize, to: Square) -> bool {
        let by_king = self.view.phase.men[index].kind == Kind::King;
        let step = Step {
            mover: self.mover,
            king_to: by_king.then_some(to),
            empty: to.into(),
        };
        self.accept(next, step)
    }

    fn check(&mut self, next: Option<Phase>, empty: &[Square]) -> bool {
        let step = Step {
            mover: self.mover,
            king_to: None,
            empty: empty.iter().copied().collect(),
        };
        self.accept(next, step)
    }

    fn accept(&mut self, next: Option<Phase>, step: Step) -> bool {
        let Some(mut next) = next else {
            return true;
        };
        !pairs::carry(self.view, &mut next, step, self.winner) || (self.known)(&next)
    }
}

/// The phase after a pawn has gone to `to`, all of `empty` free of men. Nothing if a man that is certain would be nowhere.
fn pawn_to(
    phase: &Phase,
    color: Color,
    from: Square,
    to: Square,
    empty: &[Square],
) -> Option<Phase> {
    let mut next = remove_pawn(phase, color, from);
    for man in &mut next.men {
        for &square in empty {
            man.squares.discard(square);
        }
    }
    if next.men.iter().any(|m| m.certain && m.squares.is_empty()) {
        return None;
    }
    if matches!(to.rank(), Rank::First | Rank::Eighth) {
        next.men.push(Man {
            color,
            kind: Kind::Promoted,
            squares: to.into(),
            certain: true,
            anchored: false,
        });
    } else if color.is_white() {
        next.white_pawns.add(to);
    } else {
        next.black_pawns.add(to);
    }
    Some(next)
}

/// The phase after man `index` has captured on `to`.
fn man_to(phase: &Phase, index: usize, to: Square) -> Option<Phase> {
    let mut next = phase.clone();
    for (i, man) in next.men.iter_mut().enumerate() {
        if i == index {
            man.squares = to.into();
            man.certain = true;
        } else {
            man.squares.discard(to);
        }
    }
    next.men
        .iter()
        .all(|m| m.squares.any() || !m.certain)
        .then_some(next)
}

fn remove_man(phase: &Phase, index: usize) -> Phase {
    let mut next = phase.clone();
    next.men[index].squares = Bitboard::EMPTY;
    next.men[index].certain = false;
    next
}

fn remove_pawn(phase: &Phase, color: Color, at: Square) -> Phase {
    let mut next = phase.clone();
    if color.is_white() {
        next.white_pawns.discard(at);
    } else {
        next.black_pawns.discard(at);
    }
    next
}
