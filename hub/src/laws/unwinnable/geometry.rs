//! Small facts about the 8x8 board that the searches ask for all the time.

use shakmaty::{Bitboard, Board, Color, Square, attacks};

const DISTANCE: [[u8; 64]; 64] = distances();

const fn distances() -> [[u8; 64]; 64] {
    let mut table = [[0; 64]; 64];
    let mut a = 0;
    while a < 64 {
        let mut b = 0;
        while b < 64 {
            let files = ((a % 8) as u8).abs_diff((b % 8) as u8);
            let ranks = ((a / 8) as u8).abs_diff((b / 8) as u8);
            table[a][b] = if files > ranks { files } else { ranks };
            b += 1;
        }
        a += 1;
    }
    table
}

/// Moves an unhindered king needs from `a` to `b`.
#[inline]
pub(super) fn steps(a: Square, b: Square) -> i32 {
    i32::from(DISTANCE[usize::from(a)][usize::from(b)])
}

const LEAPS: [[u8; 64]; 64] = leap_table();

const fn leap_table() -> [[u8; 64]; 64] {
    let mut table = [[9; 64]; 64];
    let mut from = 0;
    while from < 64 {
        table[from][from] = 0;
        let mut round = 0;
        while round < 6 {
            let mut at = 0;
            while at < 64 {
                if table[from][at] == round {
                    let next = attacks::knight_attacks(Square::new(at as u32)).0;
                    let mut to = 0;
                    while to < 64 {
                        if next >> to & 1 == 1 && table[from][to] > round + 1 {
                            table[from][to] = round + 1;
                        }
                        to += 1;
                    }
                }
                at += 1;
            }
            round += 1;
        }
        from += 1;
    }
    table
}

/// Moves an unhindered knight needs from `a` to `b`.
pub(super) fn leaps(a: Square, b: Square) -> i32 {
    i32::from(LEAPS[usize::from(a)][usize::from(b)])
}

/// The squares in front of a pawn, up to the last rank.
pub(super) fn ahead(pawn: Square, color: Color) -> Bitboard {
    let file = Bitboard::from_file(pawn.file());
    let at = u32::from(pawn);
    let beyond = if color.is_white() {
        Bitboard((!0u64 << at) << 1)
    } else {
        Bitboard((1u64 << at) - 1)
    };
    file & beyond
}

/// The square one step in front of a pawn; a pawn on its last rank has none.
pub(super) fn in_front(pawn: Square, color: Color) -> Option<Square> {
    pawn.offset(color.fold_wb(8, -8))
}

/// Whether every square beside a king is held by its own men or guarded by pawns or the king of the other side, as far as `from` sees it.
pub(super) fn is_walled_in(board: &Board, king: Square, color: Color) -> bool {
    let theirs = board.by_color(!color);
    let open = attacks::king_attacks(king) & !board.by_color(color);
    open.into_iter().all(|to| {
        let by_pawn = attacks::pawn_attacks(color, to) & board.pawns();
        let by_king = attacks::king_attacks(to) & board.kings();
        (theirs & (by_pawn | by_king)).any()
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn steps_are_king_moves() {
        assert_eq!(steps(Square::A1, Square::H8), 7);
        assert_eq!(steps(Square::E4, Square::E4), 0);
        assert_eq!(steps(Square::B1, Square::C7), 6);
    }

    #[test]
    fn leaps_are_knight_moves() {
        assert_eq!(leaps(Square::A1, Square::B2), 4);
        assert_eq!(leaps(Square::A1, Square::H8), 6);
        assert_eq!(leaps(Square::G1, Square::F3), 1);
    }

    #[test]
    fn ahead_stays_on_the_file() {
        assert_eq!(ahead(Square::H6, Color::White).count(), 2);
        assert_eq!(ahead(Square::A2, Color::Black).count(), 1);
        assert_eq!(ahead(Square::H8, Color::White).count(), 0);
        assert_eq!(in_front(Square::C3, Color::Black), Some(Square::C2));
    }
}
