//! Grows the sets of a phase until no move that leaves the pawns and the certain men alone leads outside them.
//!
//! Only pawns and hard men are in the way; everything else is transparent. As sets grow, hard men become soft and the attacks that
//! can be relied on shrink, never the other way, so there is one least fixpoint and no circular assumption.

use shakmaty::{Bitboard, Color};

use super::{
    flood,
    kings::{self, Kings},
    state::{Kind, Man, Phase},
};

/// Closes `phase` under quiet moves and under captures of men that are not certain to be anywhere.
pub(super) fn close(phase: &mut Phase) {
    loop {
        let men_grew = grow(phase);
        let kings_grew = grow_kings(phase);
        if !men_grew && !kings_grew {
            return;
        }
    }
}

/// Moves the kings, or lets a side that has another move leave its king where it is. A side whose king is certainly attacked after
/// its move cannot have made that move.
fn grow_kings(phase: &mut Phase) -> bool {
    let Some(mut pairs) = phase.kings.take() else {
        return false;
    };
    let sides = [Color::White, Color::Black].map(|color| Freedom::of(phase, color));
    let mut grown = false;
    let mut fresh = [pairs.white_to_move, pairs.black_to_move];
    while fresh.iter().any(kings::any) {
        for (at, color) in [Color::White, Color::Black].into_iter().enumerate() {
            let before = std::mem::replace(&mut fresh[at], kings::NONE);
            let after = sides[at].after_a_move(&before);
            let new = kings::join_new(pairs.to_move_mut(!color), &after);
            grown |= kings::any(&new);
            kings::join(&mut fresh[1 - at], &new);
        }
    }
    let (white, black) = pairs.squares();
    for king in phase.men.iter_mut().filter(|m| m.is_king()) {
        king.squares |= king.color.fold_wb(white, black);
    }
    phase.kings = Some(pairs);
    grown
}

/// What one side can do inside a phase, as far as the kings are concerned.
struct Freedom {
    color: Color,
    /// Where its king may go.
    open: Bitboard,
    /// Where its king may stay while another man moves; nowhere if none can.
    stay: Bitboard,
}

impl Freedom {
    fn of(phase: &Phase, color: Color) -> Self {
        let obstacles = Obstacles::of(phase);
        let guarded = guarded_against_king(phase, color);
        let passes = may_pass(phase, &obstacles, color);
        Self {
            color,
            open: !(guarded | obstacles.pieces_and_pawns(phase)),
            stay: if passes { !guarded } else { Bitboard::EMPTY },
        }
    }

    /// The pairs after any move of this side.
    fn after_a_move(&self, before: &kings::Squares) -> kings::Squares {
        let mut after = kings::king_moves(before, self.color, self.open);
        kings::join(&mut after, &self.staying(before));
        after
    }

    /// The pairs after a move of this side other than with its king.
    fn staying(&self, before: &kings::Squares) -> kings::Squares {
        if self.stay.is_empty() {
            return kings::NONE;
        }
        let mut stayed = *before;
        kings::keep_king_on(&mut stayed, self.color, self.stay);
        stayed
    }
}

/// What sliders of `color` see, and what is certainly in their way.
pub(super) fn sliders(phase: &Phase, color: Color) -> kings::Lines {
    let blockers = Obstacles::of(phase).pieces_and_pawns(phase);
    let mut lines = kings::Lines {
        straight: Bitboard::EMPTY,
        diagonal: Bitboard::EMPTY,
        blockers,
    };
    for man in phase.men.iter().filter(|m| m.color == color) {
        if man.kind.is_straight() {
            lines.straight |= flood::straight(man.squares, blockers);
        }
        if man.kind.is_diagonal() {
            lines.diagonal |= flood::diagonal(man.squares, blockers);
        }
    }
    lines
}

/// The pairs, the losing side to move, in which it may have been given check or mate by the last move.
pub(super) fn after_a_check(phase: &Phase, pairs: &Kings, winner: Color) -> kings::Squares {
    let freedom = Freedom::of(phase, winner);
    let before = pairs.to_move(winner);
    let mut after = pairs.just_entered;
    kings::join(&mut after, &freedom.staying(before));
    let uncovering = kings::may_uncover(before, winner, sliders(phase, winner));
    let moved = kings::king_moves(&uncovering, winner, freedom.open);
    kings::join(&mut after, &moved);
    after
}

/// Whether `color` may have a move inside the phase other than with its king.
pub(super) fn may_pass(phase: &Phase, obstacles: &Obstacles, color: Color) -> bool {
    phase.men.iter().any(|man| {
        let movable = man.color == color && !man.is_king() && man.squares.any();
        movable && (obstacles.reach(phase, man) & !obstacles.of_color(!color)).any()
    })
}

fn grow(phase: &mut Phase) -> bool {
    let mut grown = false;
    let mut obstacles = Obstacles::of(phase);
    for index in 0..phase.men.len() {
        let man = phase.men[index];
        if man.squares.is_empty() {
            continue;
        }
        let reach = obstacles.reach(phase, &man);
        if man.is_king() && phase.kings.is_some() {
            grown |= mark_captured(phase, man.color, reach);
            continue;
        }
        let more = reach & !obstacles.of_color(!man.color);
        if !more.is_subset(man.squares) {
            phase.men[index].squares |= more;
            grown = true;
            if man.is_hard() {
                obstacles = Obstacles::of(phase);
            }
        }
        grown |= mark_captured(phase, man.color, reach);
    }
    grown
}

/// What cannot be moved through: pawns and hard men of each side.
pub(super) struct Obstacles {
    white: Bitboard,
    black: Bitboard,
}

impl Obstacles {
    pub(super) fn of(phase: &Phase) -> Self {
        Self {
            white: phase.white_pawns | phase.hard(Color::White),
            black: phase.black_pawns | phase.hard(Color::Black),
        }
    }

    /// Pawns and hard men other than kings: the kings are pairs of their own.
    fn pieces_and_pawns(&self, phase: &Phase) -> Bitboard {
        let kings = phase.men.iter().filter(|m| m.is_king() && m.is_hard());
        kings.fold(self.white | self.black, |all, king| all & !king.squares)
    }

    pub(super) fn of_color(&self, color: Color) -> Bitboard {
        color.fold_wb(self.white, self.black)
    }

    /// Squares a man may move to in one move from any of its squares, captures included, its own side's pawns and hard men excluded.
    pub(super) fn reach(&self, phase: &Phase, man: &Man) -> Bitboard {
        let seen = sight(man, self.white | self.black) & !self.of_color(man.color);
        if man.is_king() {
            seen & !guarded_against_king(phase, man.color)
        } else {
            seen
        }
    }
}

/// Soft men of the other side that stand where a man of `color` may go may have been captured.
fn mark_captured(phase: &mut Phase, color: Color, reach: Bitboard) -> bool {
    let mut marked = false;
    for man in &mut phase.men {
        let exposed = man.color != color && man.certain && !man.is_king() && !man.is_hard();
        if exposed && (man.squares & reach).any() {
            man.certain = false;
            marked = true;
        }
    }
    marked
}

/// Squares seen from any square of a man.
pub(super) fn sight(man: &Man, blockers: Bitboard) -> Bitboard {
    let mut seen = Bitboard::EMPTY;
    if man.kind.is_straight() {
        seen |= flood::straight(man.squares, blockers);
    }
    if man.kind.is_diagonal() {
        seen |= flood::diagonal(man.squares, blockers);
    }
    if man.kind.is_leaper() {
        seen |= flood::leaps(man.squares);
    }
    if man.kind == Kind::King {
        seen |= flood::steps(man.squares);
    }
    seen
}

/// Squares the king of `color` cannot enter: attacked by an enemy pawn, or by a hard enemy man with nothing possibly in between.
pub(super) fn guarded_against_king(phase: &Phase, color: Color) -> Bitboard {
    let mut guarded = flood::pawn_attacks(phase.pawns(!color), !color.is_white());
    let anything = possible(phase, color);
    for man in &phase.men {
        if man.color != color && man.is_hard() && man.kind != Kind::Promoted {
            guarded |= sight(man, anything);
        }
    }
    guarded
}

/// Every square on which anything but the king of `color` may stand.
fn possible(phase: &Phase, color: Color) -> Bitboard {
    let men = phase
        .men
        .iter()
        .filter(|m| !(m.is_king() && m.color == color));
    men.fold(phase.all_pawns(), |all, m| all | m.squares)
}
