//! How Certabo and Tabutronic boards speak: frames of numbers, over and over.

use std::collections::BTreeMap;

use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{RngCore, SeedableRng};
use shakmaty::{Color, Piece, Square};

use super::voice::Voice;
use crate::devices::{Millis, Orientation, Placement};

/// A board whose pieces carry numbers. Every piece of one kind and colour that stands keeps its own number while it moves.
pub(super) struct Numbered {
    dice: ChaCha8Rng,
    orientation: Orientation,
    /// Numbers of the pieces that stand, by square; and of those in the hand.
    stands: BTreeMap<Square, (Piece, [u8; 5])>,
    lifted: Vec<(Piece, [u8; 5])>,
    made: u8,
}

/// A board that only knows occupied squares.
pub(super) struct Rows;

/// One empty square in so many reads noise, one piece in so many is not read.
const GHOST: u32 = 4;
const MISSED: u32 = 40;

impl Numbered {
    pub(super) fn new(seed: u64, orientation: Orientation) -> Numbered {
        Numbered {
            dice: ChaCha8Rng::seed_from_u64(seed),
            orientation,
            stands: BTreeMap::new(),
            lifted: Vec::new(),
            made: 0,
        }
    }

    fn one_in(&mut self, chances: u32) -> bool {
        self.dice.next_u32().is_multiple_of(chances)
    }

    fn move_numbers(&mut self, position: &Placement) {
        for (square, piece) in position.iter() {
            let held = self.stands.get(&square).copied();
            if held.map(|(piece, _)| piece) != piece {
                self.lifted.extend(self.stands.remove(&square));
            }
        }
        for (square, piece) in position.iter() {
            if let (Some(piece), None) = (piece, self.stands.get(&square)) {
                let number = self.take(piece);
                self.stands.insert(square, (piece, number));
            }
        }
    }

    /// The number of the piece that was lifted last, or a new piece's.
    fn take(&mut self, piece: Piece) -> [u8; 5] {
        let at = self.lifted.iter().rposition(|(lifted, _)| *lifted == piece);
        match at {
            Some(at) => self.lifted.remove(at).1,
            None => self.new_number(piece),
        }
    }

    fn new_number(&mut self, piece: Piece) -> [u8; 5] {
        self.made = self.made.wrapping_add(1);
        let side = if piece.color == Color::White { 84 } else { 85 };
        let turned = u8::from(self.orientation == Orientation::Rotated);
        [3, turned, side, 100 + self.made, piece.role as u8 * 16 + 5]
    }

    fn reading(&mut self, square: Square) -> [u8; 5] {
        match self.stands.get(&square).copied() {
            Some(_) if self.one_in(MISSED) => [0; 5],
            Some((_, number)) => number,
            None if self.one_in(GHOST) => {
                let [a, b, c, d, ..] = self.dice.next_u32().to_be_bytes();
                [a | 0x40, b, c, d, a ^ b]
            }
            None => [0; 5],
        }
    }
}

impl Voice for Numbered {
    fn bytes_a_second(&self) -> f64 {
        3_840.0
    }

    fn reports_every(&self) -> Option<Millis> {
        Some(290)
    }

    fn report(&mut self, position: &Placement) -> Vec<u8> {
        self.move_numbers(position);
        let tags = page()
            .map(|square| self.reading(square))
            .collect::<Vec<_>>();
        frame(tags.as_flattened())
    }

    fn hear(&mut self, bytes: &[u8], _position: &Placement) -> (Vec<u8>, u32) {
        (Vec::new(), bytes.len() as u32)
    }
}

impl Voice for Rows {
    fn bytes_a_second(&self) -> f64 {
        3_840.0
    }

    fn reports_every(&self) -> Option<Millis> {
        Some(250)
    }

    fn report(&mut self, position: &Placement) -> Vec<u8> {
        let squares: Vec<Square> = page().collect();
        let rows = squares.chunks(8).map(|row| {
            row.iter().fold(0, |bits, square| {
                bits << 1 | u8::from(position.at(*square).is_some())
            })
        });
        frame(&rows.collect::<Vec<u8>>())
    }

    fn hear(&mut self, bytes: &[u8], _position: &Placement) -> (Vec<u8>, u32) {
        (b"L\r\n".to_vec(), bytes.len() as u32)
    }
}

/// a8, b8 … h1.
fn page() -> impl Iterator<Item = Square> {
    Square::ALL.into_iter().map(Square::flip_vertical)
}

fn frame(numbers: &[u8]) -> Vec<u8> {
    let words: Vec<String> = numbers.iter().map(u8::to_string).collect();
    format!(":{}\r\n", words.join(" ")).into_bytes()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_are_those_of_the_layout() {
        let mut position = Placement::start();
        assert_eq!(Rows.report(&position), b":255 255 0 0 0 0 255 255\r\n");
        position.set(Square::E4, position.at(Square::E2));
        position.set(Square::E2, None);
        assert_eq!(Rows.report(&position), b":255 255 0 0 8 0 247 255\r\n");
    }

    #[test]
    fn a_piece_keeps_its_number_while_it_moves() {
        let mut board = Numbered::new(1, Orientation::Normal);
        let mut position = Placement::start();
        board.report(&position);
        let number = board.stands[&Square::E2];
        let pawn = position.at(Square::E2);
        position.set(Square::E2, None);
        board.report(&position);
        position.set(Square::E4, pawn);
        board.report(&position);
        assert_eq!(board.stands[&Square::E4], number);
        let numbers: std::collections::BTreeSet<_> =
            board.stands.values().map(|(_, n)| n).collect();
        assert_eq!(numbers.len(), 32);
    }
}
