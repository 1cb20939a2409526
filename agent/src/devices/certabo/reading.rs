//! What stands on the squares when every third reading may be wrong: the majority of the last three.

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
}

impl Default for Readings {
    fn default() -> Readings {
        Readings {
            last: [[None; 3]; 64],
            frames: 0,
            board: Placement::EMPTY,
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

    /// A number that nobody knows is nothing, unless it looks like a disturbed one of the set: then it is what it was.
    fn reading(&self, square: Square, tag: &Tag, pieces: &Pieces) -> Option<Piece> {
        let piece = pieces.piece(tag);
        if piece.is_none() && pieces.is_like_the_set(tag) && self.frames > 0 {
            return self.last[usize::from(square)][(self.frames - 1) % 3];
        }
        piece
    }
}
