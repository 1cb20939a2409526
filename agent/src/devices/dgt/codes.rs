//! Numbers for squares and pieces, as every DGT message and the board's memory use them.

use serde::{Serialize, Serializer};
use shakmaty::{Color, Piece, Role, Square};

use crate::devices::ResultSign;

/// The number of a square in the board's own numbering: 0 = a8, 7 = h8, 56 = a1, 63 = h1.
pub fn square_number(square: Square) -> u8 {
    u8::from(square.flip_vertical())
}

/// The square a number stands for; `None` above 63.
pub fn square_of_number(number: u8) -> Option<Square> {
    Square::try_from(u32::from(number))
        .ok()
        .map(Square::flip_vertical)
}

/// The code of a piece, 00 for an empty square.
pub fn piece_code(piece: Option<Piece>) -> u8 {
    piece.map_or(0, |piece| {
        role_code(piece.role) + if piece.color.is_black() { 6 } else { 0 }
    })
}

/// The piece a code stands for; `None` for an empty square, a result piece or nonsense.
pub fn piece_of_code(code: u8) -> Option<Piece> {
    let (color, role) = match code {
        1..=6 => (Color::White, code),
        7..=12 => (Color::Black, code - 6),
        _ => return None,
    };
    Role::ALL
        .into_iter()
        .find(|&r| role_code(r) == role)
        .map(|role| role.of(color))
}

/// One square with what stands there, in the board's own numbering.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Field {
    pub(super) number: u8,
    pub(super) code: u8,
}

impl Serialize for Field {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        #[derive(Serialize)]
        struct Shown {
            square: Option<String>,
            piece: Option<char>,
            code: u8,
        }
        let square = square_of_number(self.number).map(|square| square.to_string());
        let piece = piece_of_code(self.code).map(Piece::char);
        Shown {
            square,
            piece,
            code: self.code,
        }
        .serialize(serializer)
    }
}

/// The result a special piece stands for.
pub(super) fn result_of_code(code: u8) -> Option<ResultSign> {
    match code {
        0x0D => Some(ResultSign::Draw),
        0x0E => Some(ResultSign::WhiteWins),
        0x0F => Some(ResultSign::BlackWins),
        _ => None,
    }
}

/// Codes no board should send; defective ones do.
pub(super) fn is_nonsense(code: u8) -> bool {
    code > 0x0F
}

fn role_code(role: Role) -> u8 {
    match role {
        Role::Pawn => 1,
        Role::Rook => 2,
        Role::Knight => 3,
        Role::Bishop => 4,
        Role::King => 5,
        Role::Queen => 6,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn squares_are_numbered_like_a_page() {
        for (number, square) in [
            (0, Square::A8),
            (7, Square::H8),
            (8, Square::A7),
            (56, Square::A1),
            (63, Square::H1),
        ] {
            assert_eq!(square_of_number(number), Some(square));
            assert_eq!(square_number(square), number);
        }
        assert_eq!(square_of_number(64), None);
    }

    #[test]
    fn pieces_have_the_documented_codes() {
        let codes = ".PRNBKQprnbkq";
        for (code, letter) in (0..).zip(codes.chars()) {
            let piece = Piece::from_char(letter);
            assert_eq!(piece_of_code(code), piece, "{code}");
            assert_eq!(piece_code(piece), code);
        }
        for code in 13..=255 {
            assert_eq!(piece_of_code(code), None);
        }
        assert_eq!(result_of_code(0x0E), Some(ResultSign::WhiteWins));
    }
}
