//! Where a man may go when its king is in check for certain, or would be once it has left its square.
//!
//! Only pawns and hard men of the other side are sure to attack. What they attack can be defended by moving in between, or by taking
//! them, which is an irreversible move and therefore an edge. Everything here can only become possible as sets grow, never impossible.

use shakmaty::{Bitboard, attacks};

use super::{
    closure::{guarded_with, possible, sight, sure_attackers},
    flood,
    state::Phase,
};

/// The squares to which a man that is no king may move without leaving its king in check, in some pair in which its side is to move.
pub(super) fn allowed(phase: &Phase, index: usize) -> Bitboard {
    let Some(pairs) = &phase.kings else {
        return Bitboard::FULL;
    };
    let man = &phase.men[index];
    let kings = pairs.squares_to_move(man.color);
    let leaves = man.is_hard().then_some(index);
    let shields = possible(phase, man.color, leaves);
    if !kings.is_subset(guarded_with(phase, man.color, shields)) {
        return Bitboard::FULL;
    }
    let by_pawns = flood::pawn_attacks(phase.pawns(!man.color), man.color.is_black());
    (kings & !by_pawns)
        .into_iter()
        .fold(Bitboard::EMPTY, |all, king| {
            let attackers = sure_attackers(phase, man.color);
            let seeing = attackers.filter(|m| sight(m, shields).contains(king));
            let between = seeing.filter_map(|m| Some(attacks::between(m.squares.first()?, king)));
            all | between.fold(Bitboard::FULL, |common, line| common & line)
        })
}
