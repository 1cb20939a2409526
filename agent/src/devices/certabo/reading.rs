//! What stands on the squares when every third reading may be wrong: the majority of the last three, and what
//! turns up elsewhere at once.

use std::collections::BTreeMap;

use shakmaty::{Piece, Square};

use super::frame::{Tag, squares};
use super::pieces::Pieces;
use crate::devices::Placement;

/// The last readings and what they mean together.
#[derive(Debug)]
pub(super) struct Readings {
    last: [[Option<Piece>; 3]; 64],
    frames: usize,
    board: Placement,
    /// Where each number was read last: a piece that turns up elsewhere has left.
    places: BTreeMap<Tag, Square>,
}

impl Default for Readings {
    fn default() -> Readings {
        Readings {
            last: [[None; 3]; 64],
            frames: 0,
            board: Placement::EMPTY,
            places: BTreeMap::new(),
        }
    }
}

impl Readings {
    /// Adds a frame; gives the board once there are enough of them.
    pub(super) fn add(&mut self, tags: &[Tag], pieces: &Pieces) -> Option<Placement> {
        for (square, tag) in squares().zip(tags) {
            let reading = self.reading(square, tag, pieces);
            self.last[usize::from(square)][self.frames % 3] = reading;
        }
        for (square, tag) in squares().zip(tags) {
            // A disturbed number may be another piece's; that one is read at its own place as well.
            let once = tags.iter().filter(|other| *other == tag).count() == 1;
            if let Some(piece) = pieces.piece(tag).filter(|_| once) {
                self.turn_up(square, *tag, piece);
            }
        }
        self.frames += 1;
        if self.frames < 3 {
            return None;
        }
        for square in Square::ALL {
            let [a, b, c] = self.last[usize::from(square)];
            if a == b || a == c {
                self.board.set(square, a);
            } else if b == c {
                self.board.set(square, b);
            }
        }
        Some(self.board)
    }

    /// No noise reads like a known number: where it is read its piece stands, and nowhere else. Only what is not read
    /// any more needs several frames to be believed.
    fn turn_up(&mut self, square: Square, tag: Tag, piece: Piece) {
        let left = self.places.insert(tag, square);
        if let Some(left) = left.filter(|left| *left != square) {
            let history = &mut self.last[usize::from(left)];
            history
                .iter_mut()
                .filter(|read| **read == Some(piece))
                .for_each(|read| *read = None);
            self.last[usize::from(square)] = [Some(piece); 3];
        }
    }

    /// A number that nobody knows is nothing, unless it looks like a disturbed one of the set: then it is what it was.
    fn reading(&self, square: Square, tag: &Tag, pieces: &Pieces) -> Option<Piece> {
        let piece = pieces.piece(tag);
        if piece.is_none() && pieces.is_like_the_set(tag) && self.frames > 0 {
            return self.last[usize::from(square)][(self.frames - 1) % 3];
        }
        piece
    }
}
