//! Grows the sets of a phase until no move that leaves the pawns and the certain men alone leads outside them.
//!
//! Only pawns and hard men are in the way; everything else is transparent. As sets grow, hard men become soft and the attacks that
//! can be relied on shrink, never the other way, so there is one least fixpoint and no circular assumption.

use shakmaty::{Bitboard, Color};

use super::{
    check, flood,
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

/// Anchors every hard man that has at most `moves` moves now. Not while a side may castle, which moves a rook along with its king.
pub(super) fn drop_anchors(phase: &mut Phase, moves: usize) {
    let obstacles = Obstacles::of(phase);
    let castles = phase.kings.as_ref().is_none_or(|k| k.castling.any());
    for index in 0..phase.men.len() {
        let man = phase.men[index];
        let few = man.is_hard() && obstacles.reach(phase, &man).count() <= moves;
        phase.men[index].anchored = few && !man.is_king() && !castles;
    }
}

/// Moves the kings, or lets a side that has another move leave its king where it is. A side whose king is certainly attacked after
/// its move cannot have made that move.
fn grow_kings(phase: &mut Phase) -> bool {
    if phase.kings.is_none() {
        return false;
    }
    let sides = [Color::White, Color::Black].map(|color| Freedom::of(phase, color));
    let Some(mut pairs) = phase.kings.take() else {
        return false;
    };
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
    /// The ways its king may castle now.
    castling: Vec<kings::Castle>,
}

impl Freedom {
    fn of(phase: &Phase, color: Color) -> Self {
        let obstacles = Obstacles::of(phase);
        let guarded = guarded_against_king(phase, color);
        let passes = may_pass(phase, &obstacles, color);
        let open = !(guarded | obstacles.pieces_and_pawns(phase));
        let ways = phase.kings.iter().flat_map(|k| k.ways_to_castle(color));
        Self {
            color,
            open,
            stay: if passes { !guarded } else { Bitboard::EMPTY },
            castling: ways
                .filter(|way| way.path.is_subset(open) && !guarded.contains(way.from))
                .collect(),
        }
    }

    /// The pairs after any move of this side.
    fn after_a_move(&self, before: &kings::Squares) -> kings::Squares {
        let mut after = kings::king_moves(before, self.color, self.open);
        kings::join(&mut after, &self.staying(before));
        kings::join(&mut after, &self.castled(before));
        after
    }

    /// The pairs after this side has castled.
    fn castled(&self, before: &kings::Squares) -> kings::Squares {
        let mut after = kings::NONE;
        for way in &self.castling {
            kings::join(&mut after, &kings::castled(before, self.color, way));
        }
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
    kings::join(&mut after, &freedom.castled(before));
    let uncovering = kings::may_uncover(before, winner, sliders(phase, winner));
    let moved = kings::king_moves(&uncovering, winner, freedom.open);
    kings::join(&mut after, &moved);
    after
}

/// Whether `color` may have a move inside the phase other than with its king.
pub(super) fn may_pass(phase: &Phase, obstacles: &Obstacles, color: Color) -> bool {
    phase.men.iter().enumerate().any(|(index, man)| {
        let movable = man.color == color && !man.is_king() && !man.anchored && man.squares.any();
        let goals = || obstacles.reach(phase, man) & !obstacles.of_color(!color);
        movable && (goals() & check::allowed(phase, index)).any()
    })
}

fn grow(phase: &mut Phase) -> bool {
    let mut grown = false;
    let mut obstacles = Obstacles::of(phase);
    for index in 0..phase.men.len() {
        let man = phase.men[index];
        if man.squares.is_empty() || man.anchored {
            continue;
        }
        let mut reach = obstacles.reach(phase, &man);
        if man.is_king() && phase.kings.is_some() {
            grown |= mark_captured(phase, man.color, reach);
            continue;
        }
        reach &= check::allowed(phase, index);
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
    guarded_with(phase, color, possible(phase, color, None))
}

/// The same with `shields` as all that may stand in between.
pub(super) fn guarded_with(phase: &Phase, color: Color, shields: Bitboard) -> Bitboard {
    let guarded = flood::pawn_attacks(phase.pawns(!color), !color.is_white());
    sure_attackers(phase, color).fold(guarded, |all, man| all | sight(man, shields))
}

/// Men of the other side whose square and way of moving are known.
pub(super) fn sure_attackers(phase: &Phase, color: Color) -> impl Iterator<Item = &Man> {
    let men = phase.men.iter();
    men.filter(move |m| m.color != color && m.is_hard() && m.kind != Kind::Promoted)
}

/// Every square on which anything but the king of `color` may stand, one man left out if so wished.
pub(super) fn possible(phase: &Phase, color: Color, without: Option<usize>) -> Bitboard {
    let men = phase.men.iter().enumerate();
    men.filter(|(i, m)| !(m.is_king() && m.color == color) && Some(*i) != without)
        .fold(phase.all_pawns(), |all, (_, m)| all | m.squares)
}
