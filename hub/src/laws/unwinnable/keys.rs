//! Exact keys: two positions have the same key if and only if the Laws call them the same position.
//!
//! What changes rarely (pawns, rights, material, side to move) is numbered as a *shape*; the squares of the other men follow, six bits
//! each, like men in the order of their squares. Nothing is hashed away, so a key never confuses two positions.

use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};

use shakmaty::{
    Bitboard, Board, ByColor, CastlingMode, Chess, Color, FromSetup, Position, PositionError, Role,
    Setup, Square,
};

/// Most men other than pawns that a key has room for.
pub(super) const MEN: usize = 21;
const ROLES: [Role; 5] = [
    Role::King,
    Role::Queen,
    Role::Rook,
    Role::Bishop,
    Role::Knight,
];
const MAX_SHAPES: usize = 1 << 18;

/// The number of a shape and the squares of its men, exactly.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Key {
    pub shape: u32,
    pub squares: u128,
}

/// Everything about a position except where its pieces stand.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) struct Shape {
    pub white_pawns: u64,
    pub black_pawns: u64,
    rights: u64,
    /// Four bits for each kind and colour, then the en passant file plus one, then the side to move.
    rest: u64,
}

impl Shape {
    pub(super) fn of(pos: &Chess) -> Option<Self> {
        let board = pos.board();
        let mut rest = 0;
        for color in [Color::White, Color::Black] {
            for role in ROLES {
                let count = board.by_piece(role.of(color)).count() as u64;
                if count > 15 {
                    return None;
                }
                rest = rest << 4 | count;
            }
        }
        let men = board.occupied() & !board.pawns();
        if men.count() > MEN {
            return None;
        }
        let file = pos.legal_ep_square().map_or(0, |s| s.file() as u64 + 1);
        Some(Self {
            white_pawns: (board.pawns() & board.white()).0,
            black_pawns: (board.pawns() & board.black()).0,
            rights: pos.castles().castling_rights().0,
            rest: rest << 5 | file << 1 | u64::from(pos.turn().is_white()),
        })
    }

    fn turn(&self) -> Color {
        Color::from_white(self.rest & 1 == 1)
    }

    fn count(&self, color: Color, role: Role) -> u64 {
        let nth = ROLES.iter().position(|&r| r == role).unwrap_or(0);
        let place = color.fold_wb(5, 0) + 4 - nth;
        self.rest >> (5 + 4 * place) & 15
    }

    fn en_passant(&self) -> Option<Square> {
        let file = (self.rest >> 1 & 15).checked_sub(1)?;
        let rank = self.turn().fold_wb(5, 2);
        Some(Square::new(rank * 8 + file as u32))
    }
}

/// The shapes met so far, numbered.
#[derive(Default)]
pub(super) struct Shapes {
    numbers: HashMap<Shape, u32, BuildHasherDefault<Mixer>>,
    list: Vec<Shape>,
    mode: Option<CastlingMode>,
}

impl Shapes {
    pub(super) fn new(mode: CastlingMode) -> Self {
        Self {
            mode: Some(mode),
            ..Self::default()
        }
    }

    /// The number of the shape of `pos`, and whether it is a new one; nothing when it cannot be keyed.
    pub(super) fn number(&mut self, pos: &Chess) -> Option<(u32, bool)> {
        let shape = Shape::of(pos)?;
        if let Some(&known) = self.numbers.get(&shape) {
            return Some((known, false));
        }
        if self.list.len() >= MAX_SHAPES {
            return None;
        }
        let number = self.list.len() as u32;
        self.list.push(shape);
        self.numbers.insert(shape, number);
        Some((number, true))
    }

    /// The position behind a key.
    pub(super) fn position(&self, key: Key) -> Option<Chess> {
        let shape = self.list.get(key.shape as usize)?;
        let mut squares = key.squares;
        let mut by_role = shakmaty::ByRole::new_with(|_| Bitboard::EMPTY);
        let mut by_color = ByColor {
            white: Bitboard(shape.white_pawns),
            black: Bitboard(shape.black_pawns),
        };
        *by_role.get_mut(Role::Pawn) = by_color.white | by_color.black;
        for color in [Color::White, Color::Black] {
            for role in ROLES {
                for _ in 0..shape.count(color, role) {
                    let square = Square::new((squares & 63) as u32);
                    squares >>= 6;
                    by_role.get_mut(role).add(square);
                    by_color.get_mut(color).add(square);
                }
            }
        }
        let board = Board::try_from_bitboards(by_role, by_color).ok()?;
        let setup = Setup {
            board,
            promoted: Bitboard::EMPTY,
            pockets: None,
            turn: shape.turn(),
            castling_rights: Bitboard(shape.rights),
            ep_square: shape.en_passant(),
            remaining_checks: None,
            halfmoves: 0,
            fullmoves: std::num::NonZeroU32::MIN,
        };
        Chess::from_setup(setup, self.mode.unwrap_or(CastlingMode::Standard))
            .or_else(PositionError::ignore_too_much_material)
            .or_else(PositionError::ignore_impossible_check)
            .ok()
    }
}

/// The key of a position of the given shape.
pub(super) fn key(shape: u32, board: &Board) -> Key {
    let mut squares = 0;
    let mut at = 0;
    for side in [board.white(), board.black()] {
        for role in ROLES {
            for square in board.by_role(role) & side {
                squares |= u128::from(u32::from(square)) << at;
                at += 6;
            }
        }
    }
    Key { shape, squares }
}

/// A quick hasher for keys that are already spread out; equality, not the hash, decides.
#[derive(Default)]
pub(super) struct Mixer(u64);

impl Hasher for Mixer {
    fn finish(&self) -> u64 {
        self.0 ^ self.0 >> 32
    }

    fn write(&mut self, bytes: &[u8]) {
        for &byte in bytes {
            self.write_u64(u64::from(byte));
        }
    }

    fn write_isize(&mut self, word: isize) {
        self.write_u64(word as u64);
    }

    fn write_u64(&mut self, word: u64) {
        self.0 = (self.0.rotate_left(5) ^ word).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    }
}
