//! Left or right, White or Black: at which side of the chessclock White sits.

use std::fmt;

use serde::{Deserialize, Serialize};
use shakmaty::Color;

use super::Orientation;

/// A side of the chessclock as seen by someone who reads its display.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum ClockSide {
    /// The left one.
    Left,
    /// The right one.
    Right,
}

/// How White's side became known, the stronger the later.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum SidesKnownBy {
    /// Nothing but habit: the chessclock stands at the connector's side of a board that is not rotated.
    Assumption,
    /// The board's orientation.
    Board,
    /// The first press of a game, made when only White had moved.
    FirstPress,
    /// An arbiter or the configuration said so.
    Configuration,
}

/// Where White sits at the chessclock, from the strongest evidence there is.
///
/// White is at the left of a board that is not rotated and at the right of a rotated one; a chessclock that
/// somebody turned round shows itself at the first press. What an arbiter fixes prevails over both.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct ChessclockSides {
    configured: Option<ClockSide>,
    pressed: Option<ClockSide>,
    board: Option<Orientation>,
}

impl ChessclockSides {
    /// Begins with what the configuration says about White's side, and how the board lies if that is known.
    pub fn new(configured: Option<ClockSide>, board: Option<Orientation>) -> ChessclockSides {
        ChessclockSides {
            configured,
            board,
            pressed: None,
        }
    }

    /// White's side.
    pub fn white(&self) -> ClockSide {
        self.configured
            .or(self.pressed)
            .unwrap_or_else(|| self.by_board())
    }

    /// Who sits at `side`.
    pub fn color(&self, side: ClockSide) -> Color {
        Color::from_white(side == self.white())
    }

    /// What [`white`](Self::white) rests on.
    pub fn known_by(&self) -> SidesKnownBy {
        match (self.configured, self.pressed, self.board) {
            (Some(_), _, _) => SidesKnownBy::Configuration,
            (None, Some(_), _) => SidesKnownBy::FirstPress,
            (None, None, Some(_)) => SidesKnownBy::Board,
            (None, None, None) => SidesKnownBy::Assumption,
        }
    }

    /// Whether the chessclock stands the other way round than the board suggests.
    pub fn contradicts_board(&self) -> bool {
        self.white() != self.by_board()
    }

    /// The first press when only White had moved came from `side`. Says whether that is news.
    pub fn first_press_of_white(&mut self, side: ClockSide) -> bool {
        let before = (self.white(), self.known_by());
        self.pressed = Some(side);
        before != (self.white(), self.known_by())
    }

    /// The board lies this way; a change makes an earlier first press worthless. Says whether it is news.
    pub fn board_lies(&mut self, orientation: Orientation) -> bool {
        let before = self.white();
        if self.board.is_some_and(|known| known != orientation) {
            self.pressed = None;
        }
        self.board = Some(orientation);
        before != self.white()
    }

    /// Fixes White's side, or lets it be found out again.
    pub fn configure(&mut self, white: Option<ClockSide>) {
        self.configured = white;
    }

    fn by_board(&self) -> ClockSide {
        match self.board {
            Some(Orientation::Rotated) => ClockSide::Right,
            Some(Orientation::Normal) | None => ClockSide::Left,
        }
    }
}

impl ClockSide {
    /// The other side.
    pub fn other(self) -> ClockSide {
        match self {
            ClockSide::Left => ClockSide::Right,
            ClockSide::Right => ClockSide::Left,
        }
    }
}

impl fmt::Display for ClockSide {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            ClockSide::Left => "left",
            ClockSide::Right => "right",
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_strongest_evidence_prevails() {
        use ClockSide::{Left, Right};
        use Orientation::{Normal, Rotated};
        let rows = [
            (None, None, None, Left, SidesKnownBy::Assumption, false),
            (None, None, Some(Normal), Left, SidesKnownBy::Board, false),
            (None, None, Some(Rotated), Right, SidesKnownBy::Board, false),
            (
                None,
                Some(Right),
                Some(Normal),
                Right,
                SidesKnownBy::FirstPress,
                true,
            ),
            (
                None,
                Some(Right),
                Some(Rotated),
                Right,
                SidesKnownBy::FirstPress,
                false,
            ),
            (
                Some(Left),
                Some(Right),
                Some(Rotated),
                Left,
                SidesKnownBy::Configuration,
                true,
            ),
        ];
        for (configured, pressed, board, white, known_by, contradicts) in rows {
            let sides = ChessclockSides {
                configured,
                pressed,
                board,
            };
            assert_eq!((sides.white(), sides.known_by()), (white, known_by));
            assert_eq!(sides.contradicts_board(), contradicts);
            assert_eq!(sides.color(white), Color::White);
            assert_eq!(sides.color(white.other()), Color::Black);
        }
    }

    #[test]
    fn a_turned_board_forgets_the_press() {
        let mut sides = ChessclockSides::new(None, None);
        assert!(!sides.board_lies(Orientation::Normal));
        assert!(sides.first_press_of_white(ClockSide::Right));
        assert!(!sides.first_press_of_white(ClockSide::Right));
        assert!(!sides.board_lies(Orientation::Rotated));
        assert_eq!(sides.known_by(), SidesKnownBy::Board);
        assert_eq!(sides.white(), ClockSide::Right);
    }
}
