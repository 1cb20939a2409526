//! The irreversible moves: every phase that can follow a closed one.

use shakmaty::{Bitboard, Chess, Color, Position, Square, attacks};

use super::{
    closure::Obstacles,
    state::{Kind, Man, Phase},
};
use crate::laws::unwinnable::geometry::in_front;

/// Calls `found` with every phase one irreversible move away: pawn moves, captures of pawns and of hard men, promotions.
/// Stops when `found` answers false, and answers false then.
pub(super) fn each_edge(
    phase: &Phase,
    winner: Color,
    found: &mut dyn FnMut(Phase) -> bool,
) -> bool {
    [!winner, winner]
        .into_iter()
        .all(|color| captures_by_men(phase, color, found) && pawn_moves(phase, color, found))
}

/// The phases after an en passant capture that is possible in the very first position.
pub(super) fn en_passant_at_once(pos: &Chess, phase: &Phase) -> Vec<Phase> {
    let captures = pos.en_passant_moves();
    let turn = pos.turn();
    let after = captures.iter().filter_map(|m| {
        let (from, to) = (m.from()?, m.to());
        let victim = Square::from_coords(to.file(), from.rank());
        let mut next = phase.clone();
        next.pawns_mut(!turn).discard(victim);
        land(&mut next, turn, from, to).then_some(next)
    });
    after.collect()
}

fn pawn_moves(phase: &Phase, color: Color, found: &mut dyn FnMut(Phase) -> bool) -> bool {
    let blocked = phase.all_pawns() | phase.hard(Color::White) | phase.hard(Color::Black);
    phase.pawns(color).into_iter().all(|from| {
        pushes(phase, color, from, blocked, found) && pawn_captures(phase, color, from, found)
    })
}

fn pushes(
    phase: &Phase,
    color: Color,
    from: Square,
    blocked: Bitboard,
    found: &mut dyn FnMut(Phase) -> bool,
) -> bool {
    let Some(one) = in_front(from, color).filter(|&to| !blocked.contains(to)) else {
        return true;
    };
    let mut next = phase.clone();
    if land(&mut next, color, from, one) && !found(next) {
        return false;
    }
    let home = color.fold_wb(Bitboard::SOUTH, Bitboard::NORTH);
    let from_home = home.contains(from) && !Bitboard::BACKRANKS.contains(from);
    let Some(two) = in_front(one, color).filter(|&to| from_home && !blocked.contains(to)) else {
        return true;
    };
    double_push(phase, color, [from, one, two], found)
}

fn double_push(
    phase: &Phase,
    color: Color,
    [from, one, two]: [Square; 3],
    found: &mut dyn FnMut(Phase) -> bool,
) -> bool {
    let home_rank = color.fold_wb(1, 6);
    if from.rank() as i32 != home_rank {
        return true;
    }
    let mut pushed = phase.clone();
    if !vacate(&mut pushed, one) || !land(&mut pushed, color, from, two) {
        return true;
    }
    let takers = attacks::pawn_attacks(color, one) & pushed.pawns(!color);
    for taker in takers {
        let mut taken = pushed.clone();
        taken.pawns_mut(color).discard(two);
        if land(&mut taken, !color, taker, one) && !found(taken) {
            return false;
        }
    }
    found(pushed)
}

fn pawn_captures(
    phase: &Phase,
    color: Color,
    from: Square,
    found: &mut dyn FnMut(Phase) -> bool,
) -> bool {
    attacks::pawn_attacks(color, from).into_iter().all(|to| {
        if phase.pawns(color).contains(to) {
            return true;
        }
        if phase.pawns(!color).contains(to) {
            let mut next = phase.clone();
            next.pawns_mut(!color).discard(to);
            return !land(&mut next, color, from, to) || found(next);
        }
        (0..phase.men.len()).all(|victim| {
            let man = &phase.men[victim];
            if man.color == color || man.is_king() || !man.squares.contains(to) {
                return true;
            }
            let mut next = phase.clone();
            remove(&mut next.men[victim]);
            !land(&mut next, color, from, to) || found(next)
        })
    })
}

fn captures_by_men(phase: &Phase, color: Color, found: &mut dyn FnMut(Phase) -> bool) -> bool {
    let obstacles = Obstacles::of(phase);
    (0..phase.men.len()).all(|index| {
        let man = phase.men[index];
        if man.color != color || man.squares.is_empty() {
            return true;
        }
        let goals = obstacles.reach(phase, &man);
        let pawns = goals & phase.pawns(!color);
        pawns.into_iter().all(|to| {
            let mut next = phase.clone();
            next.pawns_mut(!color).discard(to);
            !arrive(&mut next, index, to) || found(next)
        }) && (0..phase.men.len()).all(|victim| {
            let prey = phase.men[victim];
            let taken = prey.color != color
                && !prey.is_king()
                && prey.is_hard()
                && (prey.squares & goals).any();
            let Some(to) = prey.squares.first().filter(|_| taken) else {
                return true;
            };
            let mut next = phase.clone();
            remove(&mut next.men[victim]);
            !arrive(&mut next, index, to) || found(next)
        })
    })
}

fn remove(man: &mut Man) {
    man.squares = Bitboard::EMPTY;
    man.certain = false;
}

/// A man has just captured on `to`, so it stands there and nobody else does.
fn arrive(phase: &mut Phase, index: usize, to: Square) -> bool {
    if !vacate(phase, to) {
        return false;
    }
    let man = &mut phase.men[index];
    man.squares = Bitboard::from_square(to);
    man.certain = true;
    settled(phase)
}

/// A pawn has just moved to `to`, and is a new man if that is the last rank. False if no position allows it.
fn land(phase: &mut Phase, color: Color, from: Square, to: Square) -> bool {
    phase.pawns_mut(color).discard(from);
    if !vacate(phase, to) || !settled(phase) {
        return false;
    }
    if Bitboard::BACKRANKS.contains(to) {
        phase.men.push(Man {
            color,
            kind: Kind::Promoted,
            squares: Bitboard::from_square(to),
            certain: true,
        });
    } else {
        phase.pawns_mut(color).add(to);
    }
    true
}

fn vacate(phase: &mut Phase, square: Square) -> bool {
    for man in &mut phase.men {
        man.squares.discard(square);
    }
    true
}

fn settled(phase: &Phase) -> bool {
    phase.men.iter().all(|m| !m.certain || m.squares.any())
}
