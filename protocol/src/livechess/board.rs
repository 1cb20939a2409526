//! A board and its clock as the API lists them, and what a client can be shown of a game.

use serde::Serialize;

use crate::{BySide, Side, Timestamp};

/// A reading of the clocks, whole seconds.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct Clock {
    /// White's time.
    pub white: u64,
    /// Black's time.
    pub black: u64,
    /// White's clock runs, Black's does, or none.
    pub run: Option<bool>,
    /// When it was read, milliseconds since 1970.
    pub time: i64,
}

impl Clock {
    /// From times in milliseconds.
    pub fn new(time: BySide<u64>, running: Option<Side>, read: Timestamp) -> Clock {
        Clock {
            white: time.white / 1000,
            black: time.black / 1000,
            run: running.map(|side| side == Side::White),
            time: read.0,
        }
    }
}

/// A board; all eight keys always present, because a client breaks on one more or one less.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize)]
pub struct EBoard {
    /// Its serial number.
    pub serialnr: String,
    /// Where it is plugged in; none: it is not there.
    pub source: Option<String>,
    /// `ACTIVE`, `INACTIVE`, `NOTRESPONDING`, `DELAYED`; none: never seen at work.
    pub state: Option<&'static str>,
    /// `85%`.
    pub battery: Option<String>,
    /// In words.
    pub comment: Option<String>,
    /// What stands on it, the placement field of a FEN.
    pub board: Option<String>,
    /// Seen from Black's side.
    pub flipped: bool,
    /// Its clock.
    pub clock: Option<Clock>,
}

/// A board with the game that is played on it.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Watched {
    /// The board.
    pub board: EBoard,
    /// Initial position, full FEN; none: the usual array.
    pub start_fen: Option<String>,
    /// Castling by the rules of Chess960.
    pub chess960: bool,
    /// The half-moves: UCI and standard algebraic notation.
    pub moves: Vec<(String, String)>,
}

/// What the clients of one listener are shown.
pub trait House {
    /// Every board.
    fn eboards(&self) -> Vec<EBoard>;
    /// The board with this serial number.
    fn watched(&self, serial: &str) -> Option<Watched>;
    /// The document at `tournament/<uuid>` and the like; a house without tournaments has none.
    fn document(&self, _address: &str) -> Option<String> {
        None
    }
    /// A client wants the moves from this position on; where nobody else says what is played, the record begins there.
    fn set_up(&self, _serial: &str, _fen: &str) {}
}
