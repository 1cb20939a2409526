//! What stands on the squares, independent of any rules.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};
use shakmaty::{Board, Square};
use thiserror::Error;

/// A text that is no piece placement.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("{0:?} is no piece placement (first field of a FEN)")]
pub struct PlacementError(pub String);

/// Pieces on squares, in JSON the first field of a FEN.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Default, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct Placement(pub Board);

impl FromStr for Placement {
    type Err = PlacementError;

    fn from_str(text: &str) -> Result<Self, PlacementError> {
        Board::from_ascii_board_fen(text.as_bytes())
            .map(Placement)
            .map_err(|_| PlacementError(text.chars().take(80).collect()))
    }
}

impl TryFrom<String> for Placement {
    type Error = PlacementError;

    fn try_from(text: String) -> Result<Self, PlacementError> {
        text.parse()
    }
}

impl From<Placement> for String {
    fn from(placement: Placement) -> String {
        placement.to_string()
    }
}

impl fmt::Display for Placement {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.0.board_fen())
    }
}

/// A square by name, in JSON `"e4"`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct SquareName(pub Square);

impl FromStr for SquareName {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        text.parse()
            .map(SquareName)
            .map_err(|_| format!("{text:?} is no square"))
    }
}

impl TryFrom<String> for SquareName {
    type Error = String;

    fn try_from(text: String) -> Result<Self, String> {
        text.parse()
    }
}

impl From<SquareName> for String {
    fn from(square: SquareName) -> String {
        square.0.to_string()
    }
}
