//! Grows the sets of a phase until no move that leaves the pawns and the certain men alone leads outside them.
//!
//! Only pawns and hard men are in the way; everything else is transparent. As sets grow, hard men become soft and the attacks that
//! can be relied on shrink, never the other way, so there is one least fixpoint and no circular assumption.

use shakmaty::{Bitboard, Color};

use super::{
    flood,
    state::{Kind, Man, Phase},
};

/// Closes `phase` under quiet moves and under captures of men that are not certain to be anywhere.
pub(super) fn close(phase: &mut Phase) {
    while grow(phase) {}
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
fn guarded_against_king(phase: &Phase, color: Color) -> Bitboard {
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
    let men = phase.men.iter().filter(|m| !(m.is_king() && m.color == color));
    men.fold(phase.all_pawns(), |all, m| all | m.squares)
}
