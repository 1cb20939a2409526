//! Which way round the board lies: a board numbers its squares by its connector, not by where White sits.

use std::fmt;

use serde::{Deserialize, Serialize};

use super::Placement;

/// How the board's own numbering stands to the players.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Orientation {
    /// The connector is at White's left hand: the board's numbering is right as it is.
    Normal,
    /// The connector is at White's right hand: every square is its opposite through the centre.
    Rotated,
}

/// Where a line takes its orientation from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum OrientationChoice {
    /// Unknown until an initial array is seen; normal is assumed until then.
    #[default]
    Auto,
    /// What this board had last; the next initial array may say otherwise.
    Kept(Orientation),
    /// Fixed by the configuration; nothing changes it.
    Given(Orientation),
}

impl Orientation {
    /// Reads the orientation off a board in its own numbering; `None` unless an initial array stands there.
    /// A game in progress never tells: both kings may wander.
    pub fn of_initial_array(raw: &Placement) -> Option<Orientation> {
        [Orientation::Normal, Orientation::Rotated]
            .into_iter()
            .find(|orientation| orientation.apply(raw).is_initial_array())
    }

    /// The board in its own numbering turned into true squares, and the other way round.
    pub fn apply(self, placement: &Placement) -> Placement {
        match self {
            Orientation::Normal => *placement,
            Orientation::Rotated => placement.rotated(),
        }
    }

    /// A square in the board's own numbering turned into the true one, and the other way round.
    pub fn square(self, square: shakmaty::Square) -> shakmaty::Square {
        match self {
            Orientation::Normal => square,
            Orientation::Rotated => square.rotate_180(),
        }
    }
}

impl OrientationChoice {
    /// The orientation to begin with, when there is one.
    pub fn known(self) -> Option<Orientation> {
        match self {
            OrientationChoice::Auto => None,
            OrientationChoice::Kept(orientation) | OrientationChoice::Given(orientation) => {
                Some(orientation)
            }
        }
    }

    /// Whether an initial array on the board may change it.
    pub fn may_change(self) -> bool {
        !matches!(self, OrientationChoice::Given(_))
    }
}

impl fmt::Display for Orientation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Orientation::Normal => "normal",
            Orientation::Rotated => "rotated",
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_an_initial_array_tells() {
        let chess960 = "nrbbkqrn/pppppppp/8/8/8/8/PPPPPPPP/NRBBKQRN";
        let rows = [
            (Placement::start(), Some(Orientation::Normal)),
            (Placement::start().rotated(), Some(Orientation::Rotated)),
            (
                Placement::from_fen(chess960).expect("good"),
                Some(Orientation::Normal),
            ),
            (
                Placement::from_fen(chess960).expect("good").rotated(),
                Some(Orientation::Rotated),
            ),
            (
                Placement::from_fen("4K3/8/8/8/8/8/8/4k3").expect("good"),
                None,
            ),
            (Placement::EMPTY, None),
        ];
        for (raw, expect) in rows {
            assert_eq!(Orientation::of_initial_array(&raw), expect, "{raw}");
        }
    }
}
