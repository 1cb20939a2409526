//! Which checks a man other than the king can answer for certain, by taking the man that gives them.
//!
//! A check by one man is no mate when a pawn or a hard man of the losing side attacks that man's square with nothing possibly in between,
//! and cannot be pinned: no slider of the winner may stand behind it, seen from the king. Against two checks at once it is no answer.

use shakmaty::{Bitboard, Color, Square, attacks};

use super::{
    closure::sight,
    flood,
    state::{Kind, Man, Phase},
};

/// Squares on which a man of `winner` can be taken, if it alone gives check to the king on `king`.
pub(super) fn takeable(phase: &Phase, winner: Color, king: Square) -> Bitboard {
    let own = phase.pawns(!winner).into_iter();
    let by_pawns = own.map(|at| {
        let seen = flood::pawn_attacks(at.into(), winner.is_black());
        (at, seen)
    });
    let everything = phase
        .men
        .iter()
        .fold(phase.all_pawns(), |all, m| all | m.squares);
    let men = phase
        .men
        .iter()
        .filter(|m| m.color != winner && m.is_hard() && !m.is_king() && m.kind != Kind::Promoted);
    let by_men = men.filter_map(|m| Some((m.squares.first()?, sight(m, everything.with(king)))));
    by_pawns
        .chain(by_men)
        .filter(|(at, _)| !may_be_pinned(phase, winner, king, *at))
        .fold(Bitboard::EMPTY, |all, (_, seen)| all | seen)
}

/// Whether a slider of `winner` may stand on the line from `king` through `at`, beyond it.
fn may_be_pinned(phase: &Phase, winner: Color, king: Square, at: Square) -> bool {
    let beyond = attacks::ray(king, at) & !attacks::between(king, at).with(at).with(king);
    let sliders = phase
        .men
        .iter()
        .filter(|m| m.color == winner && slides(m, king, at));
    sliders
        .fold(Bitboard::EMPTY, |all, m| all | m.squares & beyond)
        .any()
}

fn slides(man: &Man, king: Square, at: Square) -> bool {
    if king.file() == at.file() || king.rank() == at.rank() {
        man.kind.is_straight()
    } else {
        man.kind.is_diagonal()
    }
}
