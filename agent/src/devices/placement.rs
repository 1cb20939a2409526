//! Which piece stands on which square: a board as it is seen, legal or not.

use std::fmt;

use shakmaty::{Color, File, Piece, Rank, Role, Square};

/// The pieces a board sees, one reading for each of the 64 squares, indexed by [`Square`] (a1 = 0, h8 = 63).
///
/// Nothing is implied about legality: a placement may hold three kings or none.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Placement([Option<Piece>; 64]);

impl Placement {
    /// The board without any piece.
    pub const EMPTY: Placement = Placement([None; 64]);

    /// A placement from 64 readings in the order a1, b1 … h8.
    pub const fn new(squares: [Option<Piece>; 64]) -> Placement {
        Placement(squares)
    }

    /// The initial array of standard chess.
    pub fn start() -> Placement {
        Placement::from_fen("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR")
            .unwrap_or(Placement::EMPTY)
    }

    /// Reads the piece-placement field of a FEN (further fields are ignored); `None` when it is malformed.
    pub fn from_fen(fen: &str) -> Option<Placement> {
        let mut placement = Placement::EMPTY;
        let ranks: Vec<&str> = fen.split_whitespace().next()?.split('/').collect();
        if ranks.len() != 8 {
            return None;
        }
        for (text, rank) in ranks.iter().zip(Rank::ALL.into_iter().rev()) {
            placement.read_rank(text, rank)?;
        }
        Some(placement)
    }

    /// What stands on `square`.
    pub fn at(&self, square: Square) -> Option<Piece> {
        self.0[square.to_usize()]
    }

    /// Puts `piece` on `square`, or empties it.
    pub fn set(&mut self, square: Square, piece: Option<Piece>) {
        self.0[square.to_usize()] = piece;
    }

    /// The 64 readings in the order a1, b1 … h8.
    pub fn squares(&self) -> &[Option<Piece>; 64] {
        &self.0
    }

    /// All squares with their readings, a1 first.
    pub fn iter(&self) -> impl Iterator<Item = (Square, Option<Piece>)> + '_ {
        Square::ALL.into_iter().zip(self.0)
    }

    /// How many pieces stand on the board.
    pub fn count(&self) -> usize {
        self.0.iter().flatten().count()
    }

    /// The same board seen from the other side: every square becomes its opposite through the centre.
    pub fn rotated(&self) -> Placement {
        let mut turned = Placement::EMPTY;
        for (square, piece) in self.iter() {
            turned.set(square.rotate_180(), piece);
        }
        turned
    }

    /// Squares that read differently in `other`.
    pub fn differences(&self, other: &Placement) -> Vec<Square> {
        self.iter()
            .filter(|&(square, piece)| other.at(square) != piece)
            .map(|(square, _)| square)
            .collect()
    }

    /// Whether both armies stand ready for a game with White on the first rank: standard chess, Chess960, or
    /// an array somebody set up in a wrong order (eight men on the edge, one king, eight pawns in front).
    pub fn is_initial_array(&self) -> bool {
        self.count() == 32
            && self.is_army(Color::White, Rank::First, Rank::Second)
            && self.is_army(Color::Black, Rank::Eighth, Rank::Seventh)
    }

    fn is_army(&self, color: Color, edge: Rank, front: Rank) -> bool {
        let row = |rank: Rank| File::ALL.map(|file| self.at(Square::from_coords(file, rank)));
        let officer =
            |p: Option<Piece>| p.is_some_and(|p| p.color == color && p.role != Role::Pawn);
        let king = Some(Role::King.of(color));
        let kings = row(edge).iter().filter(|&&p| p == king).count();
        row(edge).into_iter().all(officer)
            && row(front)
                .into_iter()
                .all(|p| p == Some(Role::Pawn.of(color)))
            && kings == 1
    }

    fn read_rank(&mut self, text: &str, rank: Rank) -> Option<()> {
        let mut file = 0;
        for ch in text.chars() {
            match ch.to_digit(10) {
                Some(empty @ 1..=8) => file += empty,
                Some(_) => return None,
                None => {
                    let square = Square::from_coords(File::try_from(file).ok()?, rank);
                    self.set(square, Some(Piece::from_char(ch)?));
                    file += 1;
                }
            }
        }
        (file == 8).then_some(())
    }
}

/// The piece-placement field of a FEN.
impl fmt::Display for Placement {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for rank in Rank::ALL.into_iter().rev() {
            if rank != Rank::Eighth {
                f.write_str("/")?;
            }
            write_rank(
                f,
                File::ALL.map(|file| self.at(Square::from_coords(file, rank))),
            )?;
        }
        Ok(())
    }
}

impl fmt::Debug for Placement {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Placement({self})")
    }
}

fn write_rank(f: &mut fmt::Formatter<'_>, row: [Option<Piece>; 8]) -> fmt::Result {
    let mut empty = 0;
    for piece in row {
        match piece {
            None => empty += 1,
            Some(piece) => {
                write_gap(f, empty)?;
                empty = 0;
                write!(f, "{}", piece.char())?;
            }
        }
    }
    write_gap(f, empty)
}

fn write_gap(f: &mut fmt::Formatter<'_>, empty: u32) -> fmt::Result {
    if empty > 0 {
        write!(f, "{empty}")
    } else {
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const ROWS: [(&str, bool); 8] = [
        ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR", true),
        ("bbqnnrkr/pppppppp/8/8/8/8/PPPPPPPP/BBQNNRKR", true),
        ("rnbkqbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR", true),
        ("RNBKQBNR/PPPPPPPP/8/8/8/8/pppppppp/rnbkqbnr", false),
        ("rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR", false),
        ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQQBNR", false),
        ("4k3/8/8/8/8/8/8/4K3", false),
        ("8/8/8/8/8/8/8/8", false),
    ];

    #[test]
    fn initial_arrays_are_recognised_and_fens_survive() {
        for (fen, initial) in ROWS {
            let placement = Placement::from_fen(fen).expect("rows hold good placements");
            assert_eq!(placement.to_string(), fen);
            assert_eq!(placement.is_initial_array(), initial, "{fen}");
            assert_eq!(placement.rotated().rotated(), placement);
        }
        assert_eq!(Placement::start().count(), 32);
    }

    #[test]
    fn malformed_placements_are_refused() {
        for fen in [
            "",
            "8/8",
            "9/8/8/8/8/8/8/8",
            "8/8/8/8/8/8/8/7",
            "x7/8/8/8/8/8/8/8",
            "kkkkkkkkk/8/8/8/8/8/8/8",
        ] {
            assert_eq!(Placement::from_fen(fen), None, "{fen}");
        }
    }
}
