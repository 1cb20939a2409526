//! Could any position of a closed phase be mate?

use shakmaty::{Bitboard, Color, Square};

use super::{
    closure::sight,
    flood,
    state::{Man, Phase},
};

/// Set of the masks that have been reached: masks say which of up to eight neighbours of the king (bits 0-7) are dealt with, and
/// whether the king is in check (bit 8).
type Masks = [u64; 8];
const CHECK: usize = 256;

/// Whether the men of `winner` may mate on some square. False is a proof; true only means that this test cannot exclude it.
pub(super) fn may_mate(phase: &Phase, winner: Color) -> bool {
    let Some(prey) = phase.men.iter().find(|m| m.is_king() && m.color != winner) else {
        return true;
    };
    prey.squares.into_iter().any(|king| may_mate_on(phase, winner, king))
}

fn may_mate_on(phase: &Phase, winner: Color, king: Square) -> bool {
    let around = flood::around(king);
    let covered = flood::pawn_attacks(phase.pawns(winner), winner.is_white());
    let mut given = compress(covered | phase.pawns(!winner), around);
    if covered.contains(king) {
        given |= CHECK;
    }
    let outside = !((1 << around.count()) - 1) & 0xff;
    let blockers = (phase.all_pawns() | phase.hard(winner) | phase.hard(!winner)).without(king);
    let helpers: Vec<Vec<u16>> = phase
        .men
        .iter()
        .filter(|m| m.color == winner && m.squares.any())
        .map(|m| placements(m, king, around, blockers))
        .collect();
    let fillable = fillable(phase, winner, around);
    let most = helpers.iter().flatten().fold(given, |all, &m| all | usize::from(m));
    let filled = (0..256).rev().find(|&m| has(&fillable, m));
    let _ = filled;
    let any_fill = phase
        .men
        .iter()
        .filter(|m| m.color != winner && !m.is_king())
        .fold(0, |all, m| all | compress(m.squares, around));
    if (most | any_fill | outside) != CHECK | 0xff || most & CHECK == 0 {
        return false;
    }
    combine(given | outside, &helpers, &fillable)
}

/// Bit i of the answer: the i-th neighbour is in `squares`.
fn compress(squares: Bitboard, around: Bitboard) -> usize {
    let hits = around.into_iter().enumerate();
    hits.filter(|&(_, s)| squares.contains(s)).fold(0, |mask, (i, _)| mask | 1 << i)
}

/// What one man of the winner can do for a mate on `king`, for each of its squares, without doubles.
fn placements(man: &Man, king: Square, around: Bitboard, blockers: Bitboard) -> Vec<u16> {
    let mut found: Vec<u16> = Vec::new();
    let near = man.is_king();
    for at in man.squares {
        if at == king || near && around.contains(at) {
            continue;
        }
        let seen = sight(&Man { squares: Bitboard::from_square(at), ..*man }, blockers);
        let mut mask = compress(seen, around);
        if seen.contains(king) {
            mask |= CHECK;
        }
        let mask = mask as u16;
        if mask != 0 && !found.contains(&mask) {
            found.push(mask);
        }
    }
    found
}

/// Which sets of neighbours distinct men of the losing side can stand on.
fn fillable(phase: &Phase, winner: Color, around: Bitboard) -> Masks {
    let mut sets = [0; 8];
    sets[0] = 1;
    for man in phase.men.iter().filter(|m| m.color != winner && !m.is_king()) {
        let mine = compress(man.squares, around);
        if mine == 0 {
            continue;
        }
        for mask in (0..256).rev() {
            if has(&sets, mask) {
                for bit in (0..8).filter(|b| mine >> b & 1 == 1) {
                    put(&mut sets, mask | 1 << bit);
                }
            }
        }
    }
    sets
}

fn combine(given: usize, helpers: &[Vec<u16>], fillable: &Masks) -> bool {
    let mut reached = [false; 512];
    reached[given] = true;
    for helper in helpers {
        for mask in (0..512).rev().filter(|&m| m & given == given) {
            if reached[mask] {
                for &more in helper {
                    reached[mask | usize::from(more)] = true;
                }
            }
        }
    }
    (CHECK..512).any(|mask| reached[mask] && has(fillable, !mask & 0xff))
}

fn has(set: &Masks, mask: usize) -> bool {
    set[mask / 64] >> (mask % 64) & 1 == 1
}

fn put(set: &mut Masks, mask: usize) {
    set[mask / 64] |= 1 << (mask % 64);
}
