//! The irreversible moves: every phase that can follow a closed one.

use shakmaty::{Bitboard, Chess, Color, Position, Square, attacks};

use super::{
    closure::{Obstacles, guarded_against_king, sliders},
    kings::{self, Kings},
    state::{Kind, Man, Phase},
};
use crate::laws::unwinnable::geometry::in_front;

/// Calls `found` with every phase one irreversible move away: captures of pawns and of hard men, pawn moves, promotions.
/// Stops when `found` answers false, and answers false then.
pub(super) fn each_edge(
    phase: &Phase,
    winner: Color,
    found: &mut dyn FnMut(Phase) -> bool,
) -> bool {
    [!winner, winner].into_iter().all(|color| {
        let mut edges = Edges {
            phase,
            winner,
            color,
            found: &mut *found,
        };
        edges.captures_by_men() && edges.moves_of_anchored_men() && edges.pawn_moves()
    })
}

/// The phases after an en passant capture that is possible in the very first position.
pub(super) fn en_passant_at_once(pos: &Chess, phase: &Phase, winner: Color) -> Vec<Phase> {
    let color = pos.turn();
    let captures = pos.en_passant_moves();
    let after = captures.iter().filter_map(|m| {
        let (from, to) = (m.from()?, m.to());
        let victim = Square::from_coords(to.file(), from.rank());
        let mut next = phase.without_kings();
        next.pawns_mut(!color).discard(victim);
        let possible = land(&mut next, color, from, to)
            && move_on(
                phase,
                &mut next,
                Mover {
                    color,
                    winner,
                    empty: Bitboard::from_square(to),
                },
            );
        possible.then_some(next)
    });
    after.collect()
}

struct Edges<'a> {
    phase: &'a Phase,
    winner: Color,
    color: Color,
    found: &'a mut dyn FnMut(Phase) -> bool,
}

impl Edges<'_> {
    fn pawn_moves(&mut self) -> bool {
        let phase = self.phase;
        let blocked = phase.all_pawns() | phase.hard(Color::White) | phase.hard(Color::Black);
        phase
            .pawns(self.color)
            .into_iter()
            .all(|from| self.pushes(from, blocked) && self.pawn_captures(from))
    }

    fn pushes(&mut self, from: Square, blocked: Bitboard) -> bool {
        let Some(one) = in_front(from, self.color).filter(|&to| !blocked.contains(to)) else {
            return true;
        };
        let mut next = self.phase.without_kings();
        if land(&mut next, self.color, from, one) && !self.pawn_moved(next, one.into()) {
            return false;
        }
        let home = self.color.fold_wb(1, 6);
        let two = in_front(one, self.color)
            .filter(|&to| from.rank() as i32 == home && !blocked.contains(to));
        two.is_none_or(|two| self.double_push(from, one, two))
    }

    fn double_push(&mut self, from: Square, one: Square, two: Square) -> bool {
        let both = Bitboard::from_square(one).with(two);
        let mut pushed = self.phase.without_kings();
        vacate(&mut pushed, one);
        if !land(&mut pushed, self.color, from, two) {
            return true;
        }
        let takers = attacks::pawn_attacks(self.color, one) & pushed.pawns(!self.color);
        for taker in takers {
            let mut taken = pushed.clone();
            taken.pawns_mut(self.color).discard(two);
            if land(&mut taken, !self.color, taker, one) && !self.taken_en_passant(taken, both) {
                return false;
            }
        }
        self.pawn_moved(pushed, both)
    }

    /// Two moves in one edge: the double step, and the pawn that takes it.
    fn taken_en_passant(&mut self, mut next: Phase, empty: Bitboard) -> bool {
        let Some(before) = &self.phase.kings else {
            return (self.found)(next);
        };
        let mut between = Kings::none();
        between.castling = before.castling;
        *between.to_move_mut(!self.color) = *before.to_move(self.color);
        let between = Phase {
            kings: Some(Box::new(between)),
            ..self.phase.without_kings()
        };
        let mover = Mover {
            color: !self.color,
            winner: self.winner,
            empty,
        };
        !move_on(&between, &mut next, mover) || (self.found)(next)
    }

    fn pawn_captures(&mut self, from: Square) -> bool {
        let phase = self.phase;
        let color = self.color;
        attacks::pawn_attacks(color, from).into_iter().all(|to| {
            if phase.pawns(!color).contains(to) {
                let mut next = phase.without_kings();
                next.pawns_mut(!color).discard(to);
                return !land(&mut next, color, from, to) || self.pawn_moved(next, to.into());
            }
            phase.pawns(color).contains(to) || self.pawn_takes_men(from, to)
        })
    }

    fn pawn_takes_men(&mut self, from: Square, to: Square) -> bool {
        let (phase, color) = (self.phase, self.color);
        (0..phase.men.len()).all(|victim| {
            let man = &phase.men[victim];
            if man.color == color || man.is_king() || !man.squares.contains(to) {
                return true;
            }
            let mut next = phase.without_kings();
            remove(&mut next.men[victim]);
            !land(&mut next, color, from, to) || self.pawn_moved(next, to.into())
        })
    }

    fn pawn_moved(&mut self, mut next: Phase, empty: Bitboard) -> bool {
        let mover = Mover {
            color: self.color,
            winner: self.winner,
            empty,
        };
        !move_on(self.phase, &mut next, mover) || (self.found)(next)
    }

    fn captures_by_men(&mut self) -> bool {
        let phase = self.phase;
        let obstacles = Obstacles::of(phase);
        (0..phase.men.len()).all(|index| {
            let man = phase.men[index];
            if man.color != self.color || man.squares.is_empty() {
                return true;
            }
            let goals = obstacles.reach(phase, &man);
            self.man_takes_pawns(index, goals) && self.man_takes_hard_men(index, goals)
        })
    }

    fn man_takes_pawns(&mut self, index: usize, goals: Bitboard) -> bool {
        let phase = self.phase;
        let pawns = goals & phase.pawns(!self.color);
        pawns.into_iter().all(|to| {
            let mut next = phase.without_kings();
            next.pawns_mut(!self.color).discard(to);
            !arrive(&mut next, index, to) || self.man_moved(next, index, to)
        })
    }

    fn man_takes_hard_men(&mut self, index: usize, goals: Bitboard) -> bool {
        let phase = self.phase;
        (0..phase.men.len()).all(|victim| {
            let prey = phase.men[victim];
            let taken = prey.color != self.color && !prey.is_king() && prey.is_hard();
            let Some(to) = (prey.squares & goals).first().filter(|_| taken) else {
                return true;
            };
            let mut next = phase.without_kings();
            remove(&mut next.men[victim]);
            !arrive(&mut next, index, to) || self.man_moved(next, index, to)
        })
    }

    /// What a man that keeps its square does when it leaves it; captures of pawns and of hard men are among the others'.
    fn moves_of_anchored_men(&mut self) -> bool {
        let phase = self.phase;
        let obstacles = Obstacles::of(phase);
        (0..phase.men.len()).all(|index| {
            let man = phase.men[index];
            if man.color != self.color || !man.anchored {
                return true;
            }
            let goals = obstacles.reach(phase, &man) & !obstacles.of_color(!self.color);
            goals.into_iter().all(|to| {
                let mut next = phase.without_kings();
                expose(&mut next, !self.color, to);
                !arrive(&mut next, index, to) || self.man_moved(next, index, to)
            })
        })
    }

    fn man_moved(&mut self, mut next: Phase, index: usize, to: Square) -> bool {
        let mover = Mover {
            color: self.color,
            winner: self.winner,
            empty: to.into(),
        };
        let possible = if self.phase.men[index].is_king() {
            king_moved_on(self.phase, &mut next, mover)
        } else {
            move_on(self.phase, &mut next, mover)
        };
        !possible || (self.found)(next)
    }
}

/// Who made an irreversible move, and the squares on which no king stood then.
#[derive(Clone, Copy)]
struct Mover {
    color: Color,
    winner: Color,
    empty: Bitboard,
}

/// Carries the pairs of kings over a move of a pawn or a piece. False if no pair allows the move.
fn move_on(before: &Phase, next: &mut Phase, mover: Mover) -> bool {
    let Some(pairs) = &before.kings else {
        return true;
    };
    let mut after = *pairs.to_move(mover.color);
    kings::keep(&mut after, !mover.empty, !mover.empty);
    enter(next, mover, pairs.castling, after, None)
}

/// Carries them over a capture by the king itself, which gives check only by uncovering a line.
fn king_moved_on(before: &Phase, next: &mut Phase, mover: Mover) -> bool {
    let Some(pairs) = &before.kings else {
        return true;
    };
    let from = pairs.to_move(mover.color);
    let after = kings::king_moves(from, mover.color, mover.empty);
    let uncovering = kings::may_uncover(from, mover.color, sliders(before, mover.color));
    enter(
        next,
        mover,
        pairs.castling,
        after,
        Some(kings::king_moves(&uncovering, mover.color, mover.empty)),
    )
}

/// Starts `next` with the pairs `after` the move, the mover's king not left in check. `checking` are those after which there may be a
/// check, where these are not all.
fn enter(
    next: &mut Phase,
    mover: Mover,
    castling: Bitboard,
    mut after: kings::Squares,
    checking: Option<kings::Squares>,
) -> bool {
    let safe = !guarded_against_king(next, mover.color);
    let (white, black) = kings::keep_king_on(&mut after, mover.color, safe);
    if white.is_empty() {
        return false;
    }
    let mut pairs = Box::new(Kings::none());
    pairs.castling = castling;
    *pairs.to_move_mut(!mover.color) = after;
    if mover.color == mover.winner {
        pairs.just_entered = checking.unwrap_or(after);
        kings::keep_king_on(&mut pairs.just_entered, mover.color, safe);
    }
    for man in next.men.iter_mut().filter(|m| m.is_king()) {
        man.squares = man.color.fold_wb(white, black);
    }
    next.kings = Some(pairs);
    true
}

fn remove(man: &mut Man) {
    man.squares = Bitboard::EMPTY;
    man.certain = false;
}

/// Men of `color` that may have stood on `to` may have been captured there.
fn expose(phase: &mut Phase, color: Color, to: Square) {
    for man in &mut phase.men {
        if man.color == color && !man.is_king() && man.squares.contains(to) {
            man.certain = false;
        }
    }
}

/// A man has just come to `to`, so it stands there and nobody else does. False if no position allows it.
fn arrive(phase: &mut Phase, index: usize, to: Square) -> bool {
    vacate(phase, to);
    let man = &mut phase.men[index];
    man.squares = to.into();
    man.certain = true;
    settled(phase)
}

/// A pawn has just moved to `to`, and is a new man if that is the last rank. False if no position allows it.
fn land(phase: &mut Phase, color: Color, from: Square, to: Square) -> bool {
    phase.pawns_mut(color).discard(from);
    vacate(phase, to);
    if !settled(phase) {
        return false;
    }
    if Bitboard::BACKRANKS.contains(to) {
        phase.men.push(Man {
            color,
            kind: Kind::Promoted,
            squares: to.into(),
            certain: true,
            anchored: false,
        });
    } else {
        phase.pawns_mut(color).add(to);
    }
    true
}

fn vacate(phase: &mut Phase, square: Square) {
    for man in &mut phase.men {
        man.squares.discard(square);
    }
}

fn settled(phase: &Phase) -> bool {
    phase.men.iter().all(|m| !m.certain || m.squares.any())
}
