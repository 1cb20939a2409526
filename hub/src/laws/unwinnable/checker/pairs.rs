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
                && a.castling.is_subset(b.castling)
        }),
    }
}

/// For each square of the white king, squares of the black king.
pub(super) type Rows = [Bitboard; 64];

const NOBODY: Rows = [Bitboard::EMPTY; 64];

/// No reversible move leads out of the pairs, and the sets of the kings agree with them.
pub(super) fn are_closed(view: &View<'_>) -> bool {
    let Some(kings) = view.phase.kings.as_deref() else {
        return true;
    };
    let moves_stay = [Color::White, Color::Black].into_iter().all(|color| {
        let (now, next) = (rows(kings, color), rows(kings, !color));
        let forbidden = view.forbidden_to_king(color);
        let closed = view.fixed_without_kings() | forbidden;
        let stays = !may_pass(view, color) || are_among(&on(now, color, !forbidden), next);
        stays
            && king_steps_stay(now, next, color, closed)
            && castled(kings, color, closed, forbidden)
                .all(|p| next[usize::from(p.white)].contains(p.black))
    });
    moves_stay && sets_agree(view, kings)
}

fn are_among(some: &Rows, all: &Rows) -> bool {
    some.iter().zip(all).all(|(some, all)| some.is_subset(*all))
}

/// The pairs with the king of `color` on one of `squares`.
fn on(pairs: &Rows, color: Color, squares: Bitboard) -> Rows {
    let mut kept = *pairs;
    for (white, blacks) in Square::ALL.into_iter().zip(&mut kept) {
        *blacks = match color {
            Color::Black => *blacks & squares,
            Color::White if squares.contains(white) => *blacks,
            Color::White => Bitboard::EMPTY,
        };
    }
    kept
}

/// Every step of `color`'s king to a square that is not `closed` and keeps its distance leads to one of `next`.
fn king_steps_stay(now: &Rows, next: &Rows, color: Color, closed: Bitboard) -> bool {
    let mut whites = Square::ALL
        .into_iter()
        .filter(|w| now[usize::from(*w)].any());
    whites.all(|white| {
        let blacks = now[usize::from(white)];
        if color.is_white() {
            let mut goals = (attacks::king_attacks(white) & !closed).into_iter();
            goals.all(|to| (blacks & !around(to)).is_subset(next[usize::from(to)]))
        } else {
            let open = !(closed | around(white));
            let mut steps = blacks
                .into_iter()
                .map(|at| attacks::king_attacks(at) & open);
            steps.all(|goals| goals.is_subset(next[usize::from(white)]))
        }
    })
}

/// The pairs after the king of `color` has castled, in the normal game. The rook needs no look: what castling asks for lets it walk.
fn castled(
    kings: &Kings,
    color: Color,
    closed: Bitboard,
    forbidden: Bitboard,
) -> impl Iterator<Item = Pair> + '_ {
    let ways = color.fold_wb(
        [
            (Square::A1, [Square::D1, Square::C1]),
            (Square::H1, [Square::F1, Square::G1]),
        ],
        [
            (Square::A8, [Square::D8, Square::C8]),
            (Square::H8, [Square::F8, Square::G8]),
        ],
    );
    let home = color.fold_wb(Square::E1, Square::E8);
    ways.into_iter()
        .filter(move |(rook, path)| {
            kings.castling.contains(*rook)
                && !forbidden.contains(home)
                && path.iter().all(|s| !closed.contains(*s))
        })
        .flat_map(move |(_, path)| {
            each_pair(rows(kings, color))
                .filter(move |pair| {
                    let (own, other) = pair.seen_by(color);
                    own == home && path.iter().all(|s| !around(*s).contains(other))
                })
                .map(move |pair| pair.with_king(color, path[1]))
        })
}

/// A square and its neighbours.
fn around(square: Square) -> Bitboard {
    attacks::king_attacks(square).with(square)
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
    let before = rows(kings, step.mover);
    let Some(to) = step.king_to else {
        let after = elsewhere(before, step.empty);
        return enter(next, step.mover, winner, kings.castling, (&after, &after));
    };
    let (mut after, mut checking) = (NOBODY, NOBODY);
    for pair in each_pair(&on(before, step.mover, attacks::king_attacks(to))) {
        for reached in pair.king_goals(step.mover, !Bitboard::from_square(to)) {
            after[usize::from(reached.white)].add(reached.black);
            if pair.uncovers(view, step.mover) {
                checking[usize::from(reached.white)].add(reached.black);
            }
        }
    }
    enter(
        next,
        step.mover,
        winner,
        kings.castling,
        (&after, &checking),
    )
}

/// Carries them over a double step and the capture en passant that answers it.
pub(super) fn carry_twice(view: &View<'_>, next: &mut Phase, step: Step, winner: Color) -> bool {
    let Some(kings) = view.phase.kings.as_deref() else {
        return true;
    };
    let after = elsewhere(rows(kings, step.mover), step.empty);
    enter(next, !step.mover, winner, kings.castling, (&after, &after))
}

/// The pairs with neither king on one of `squares`.
fn elsewhere(pairs: &Rows, squares: Bitboard) -> Rows {
    on(&on(pairs, Color::White, !squares), Color::Black, !squares)
}

/// Starts `next` with the pairs after the move, those among them that may be in check given apart.
fn enter(
    next: &mut Phase,
    mover: Color,
    winner: Color,
    castling: Bitboard,
    (after, checking): (&Rows, &Rows),
) -> bool {
    let allowed = !View::new(next).forbidden_to_king(mover);
    let after = on(after, mover, allowed);
    let mut squares = [Bitboard::EMPTY; 2];
    for (white, blacks) in Square::ALL.into_iter().zip(after) {
        if blacks.any() {
            squares[0].add(white);
            squares[1] |= blacks;
        }
    }
    for man in next.men.iter_mut().filter(|m| m.kind == Kind::King) {
        man.squares = squares[usize::from(man.color.is_black())];
    }
    let mut kings = Kings {
        white_to_move: NOBODY,
        black_to_move: NOBODY,
        just_entered: NOBODY,
        castling,
    };
    if mover.is_black() {
        kings.white_to_move = after;
    } else {
        kings.black_to_move = after;
    }
    if mover == winner {
        kings.just_entered = on(checking, mover, allowed);
    }
    next.kings = Some(Box::new(kings));
    squares[0].any()
}

/// The pairs in which the losing side is to move and may be in check from the last move.
pub(super) fn checked(view: &View<'_>, kings: &Kings, winner: Color) -> Rows {
    let mut found = kings.just_entered;
    let before = rows(kings, winner);
    let forbidden = view.forbidden_to_king(winner);
    if may_pass(view, winner) {
        for (all, more) in found.iter_mut().zip(on(before, winner, !forbidden)) {
            *all |= more;
        }
    }
    let closed = view.fixed_without_kings() | forbidden;
    for pair in castled(kings, winner, closed, forbidden) {
        found[usize::from(pair.white)].add(pair.black);
    }
    let slides = |kind| {
        matches!(
            kind,
            Kind::Queen | Kind::Rook | Kind::Bishop | Kind::Promoted
        )
    };
    let mut men = view.phase.men.iter();
    if !men.any(|m| m.color == winner && slides(m.kind) && m.squares.any()) {
        return found;
    }
    for pair in each_pair(before).filter(|pair| pair.uncovers(view, winner)) {
        for reached in pair.king_goals(winner, closed) {
            found[usize::from(reached.white)].add(reached.black);
        }
    }
    found
}

/// A side that has no move but with its king must move its king.
fn may_pass(view: &View<'_>, color: Color) -> bool {
    let mut men = view.phase.men.iter().enumerate();
    men.any(|(index, man)| {
        let counts = man.color == color && man.kind != Kind::King && !man.anchored;
        let mut goals = (view.goals(man) & !view.fixed(!color)).into_iter();
        counts && goals.any(|to| may_go(view, index, to))
    })
}

/// Whether man `index`, no king, may go to `to` in some pair with its side to move: its king is not left in check for certain.
pub(super) fn may_go(view: &View<'_>, index: usize, to: Square) -> bool {
    let Some(kings) = view.phase.kings.as_deref() else {
        return true;
    };
    let color = view.phase.men[index].color;
    let mut tried = Bitboard::EMPTY;
    each_pair(rows(kings, color)).any(|pair| {
        let king = pair.seen_by(color).0;
        let new = !tried.contains(king);
        tried.add(king);
        new && !view.leaves_in_check(index, to, king)
    })
}

fn rows(kings: &Kings, color: Color) -> &Rows {
    if color.is_white() {
        &kings.white_to_move
    } else {
        &kings.black_to_move
    }
}

pub(super) fn each_pair(rows: &Rows) -> impl Iterator<Item = Pair> + '_ {
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

    /// The pairs after a step of `color`'s king to a square that is not `closed` and keeps its distance.
    fn king_goals(self, color: Color, closed: Bitboard) -> impl Iterator<Item = Pair> {
        let (own, other) = self.seen_by(color);
        let near = attacks::king_attacks(other).with(other);
        let goals = attacks::king_attacks(own) & !closed & !near;
        goals.into_iter().map(move |to| self.with_king(color, to))
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
