//! Whole sets of squares moved one step at once.

use shakmaty::{Bitboard, Square, attacks};

const NOT_A: u64 = 0xfefe_fefe_fefe_fefe;
const NOT_H: u64 = 0x7f7f_7f7f_7f7f_7f7f;
const ALL: u64 = !0;

/// Shift by `by` squares towards h8 (positive) or a1 (negative), with the files that must not be entered masked away.
const STRAIGHT: [(i32, u64); 4] = [(8, ALL), (-8, ALL), (1, NOT_A), (-1, NOT_H)];
const DIAGONAL: [(i32, u64); 4] = [(9, NOT_A), (7, NOT_H), (-7, NOT_A), (-9, NOT_H)];

#[inline]
fn shift(set: u64, by: i32) -> u64 {
    if by > 0 { set << by } else { set >> -by }
}

/// Squares seen along ranks and files from any square of `from`; a square of `blockers` is seen, nothing behind it.
pub(super) fn straight(from: Bitboard, blockers: Bitboard) -> Bitboard {
    rays(from, blockers, &STRAIGHT)
}

/// The same along diagonals.
pub(super) fn diagonal(from: Bitboard, blockers: Bitboard) -> Bitboard {
    rays(from, blockers, &DIAGONAL)
}

fn rays(from: Bitboard, blockers: Bitboard, directions: &[(i32, u64); 4]) -> Bitboard {
    let free = !blockers.0;
    let mut seen = 0;
    for &(by, mask) in directions {
        let open = free & mask;
        let mut fill = from.0;
        let mut gate = open;
        fill |= gate & shift(fill, by);
        gate &= shift(gate, by);
        fill |= gate & shift(fill, 2 * by);
        gate &= shift(gate, 2 * by);
        fill |= gate & shift(fill, 4 * by);
        seen |= shift(fill, by) & mask;
    }
    Bitboard(seen)
}

/// Squares a knight's leap away from any square of `from`.
pub(super) fn leaps(from: Bitboard) -> Bitboard {
    let from = from.0;
    let one_left = (from >> 1) & NOT_H;
    let two_left = (from >> 2) & (NOT_H & NOT_H >> 1);
    let one_right = (from << 1) & NOT_A;
    let two_right = (from << 2) & (NOT_A & NOT_A << 1);
    let (near, far) = (one_left | one_right, two_left | two_right);
    Bitboard(near << 16 | near >> 16 | far << 8 | far >> 8)
}

/// Squares one king's step away from any square of `from`.
pub(in crate::laws::unwinnable) fn steps(from: Bitboard) -> Bitboard {
    let set = from.0;
    let wide = set | (set << 1 & NOT_A) | (set >> 1 & NOT_H);
    Bitboard((wide | wide << 8 | wide >> 8) & !set | neighbours_inside(set))
}

fn neighbours_inside(set: u64) -> u64 {
    let side = (set << 1 & NOT_A) | (set >> 1 & NOT_H);
    let wide = set | side;
    (side | wide << 8 | wide >> 8) & set
}

/// Squares attacked by pawns of a side standing on `from`.
pub(super) fn pawn_attacks(from: Bitboard, white: bool) -> Bitboard {
    let (left, right) = (from.0 >> 1 & NOT_H, from.0 << 1 & NOT_A);
    Bitboard(if white {
        left << 8 | right << 8
    } else {
        left >> 8 | right >> 8
    })
}

/// The neighbours of one square.
pub(super) fn around(square: Square) -> Bitboard {
    attacks::king_attacks(square)
}

#[cfg(test)]
mod tests {
    use super::*;
    use shakmaty::Color;

    fn each(from: Bitboard, one: impl Fn(Square) -> Bitboard) -> Bitboard {
        from.into_iter()
            .fold(Bitboard::EMPTY, |all, s| all | one(s))
    }

    #[test]
    fn floods_agree_with_one_square_at_a_time() {
        let mut seed = 0x2545_f491_4f6c_dd1du64;
        let mut next = || {
            seed ^= seed << 13;
            seed ^= seed >> 7;
            seed ^= seed << 17;
            seed
        };
        for _ in 0..2_000 {
            let from = Bitboard(next() & next() & next());
            let blockers = Bitboard(next() & next());
            assert_eq!(
                straight(from, blockers),
                each(from, |s| attacks::rook_attacks(s, blockers))
            );
            assert_eq!(
                diagonal(from, blockers),
                each(from, |s| attacks::bishop_attacks(s, blockers))
            );
            assert_eq!(leaps(from), each(from, attacks::knight_attacks));
            assert_eq!(steps(from), each(from, attacks::king_attacks));
            for color in [Color::White, Color::Black] {
                let seen = each(from, |s| attacks::pawn_attacks(color, s));
                assert_eq!(pawn_attacks(from, color.is_white()), seen);
            }
        }
    }
}
