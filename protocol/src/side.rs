//! The two players of a game, and pairs of anything that each of them has.

use serde::{Deserialize, Serialize};
use shakmaty::{ByColor, Color};

/// White or Black, in JSON `"white"` and `"black"`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Side {
    /// The player of the white pieces.
    White,
    /// The player of the black pieces.
    Black,
}

impl Side {
    /// Both players, White first.
    pub const BOTH: [Side; 2] = [Side::White, Side::Black];

    /// The opponent.
    pub fn other(self) -> Side {
        match self {
            Side::White => Side::Black,
            Side::Black => Side::White,
        }
    }

    /// The English word with a capital, for sentences.
    pub fn word(self) -> &'static str {
        match self {
            Side::White => "White",
            Side::Black => "Black",
        }
    }
}

impl From<Color> for Side {
    fn from(color: Color) -> Side {
        color.fold_wb(Side::White, Side::Black)
    }
}

impl From<Side> for Color {
    fn from(side: Side) -> Color {
        match side {
            Side::White => Color::White,
            Side::Black => Color::Black,
        }
    }
}

/// One value for each player.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Serialize, Deserialize)]
pub struct BySide<T> {
    /// White's.
    pub white: T,
    /// Black's.
    pub black: T,
}

impl<T> BySide<T> {
    /// A pair made by asking for each side.
    pub fn new_with(mut each: impl FnMut(Side) -> T) -> BySide<T> {
        BySide {
            white: each(Side::White),
            black: each(Side::Black),
        }
    }

    /// The value of one side.
    pub fn get(&self, side: Side) -> &T {
        match side {
            Side::White => &self.white,
            Side::Black => &self.black,
        }
    }

    /// The value of one side, to change.
    pub fn get_mut(&mut self, side: Side) -> &mut T {
        match side {
            Side::White => &mut self.white,
            Side::Black => &mut self.black,
        }
    }

    /// Each value turned into another.
    pub fn map<U>(self, mut each: impl FnMut(T) -> U) -> BySide<U> {
        BySide {
            white: each(self.white),
            black: each(self.black),
        }
    }

    /// The same pair seen from the other side of the board.
    pub fn swapped(self) -> BySide<T> {
        BySide {
            white: self.black,
            black: self.white,
        }
    }
}

impl<T> From<ByColor<T>> for BySide<T> {
    fn from(by: ByColor<T>) -> BySide<T> {
        BySide {
            white: by.white,
            black: by.black,
        }
    }
}
