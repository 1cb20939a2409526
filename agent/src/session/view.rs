//! A device as a program beside it sees it: what stands on the board, what the clock shows, and the game so far.

use protocol::{ClockReading, Millis, Played};

use super::device::Device;
use super::recorder::wire_placement;

/// What can be shown of a device now.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct View {
    /// The placement field of a FEN; none before the board has spoken.
    pub board: Option<String>,
    /// The last reading of its clock, and when it came.
    pub clock: Option<(Millis, ClockReading)>,
    /// The initial position of its game, full FEN; none: the usual array.
    pub start_fen: Option<String>,
    /// Castling by the rules of Chess960.
    pub chess960: bool,
    /// The game so far.
    pub line: Vec<Played>,
}

impl Device {
    /// What can be shown of it now.
    pub fn view(&self) -> View {
        let start = self.start();
        View {
            board: self.board.map(|board| wire_placement(&board).to_string()),
            clock: self.last_reading(),
            start_fen: start.fen,
            chess960: start.chess960,
            line: self.line(),
        }
    }

    /// A program beside the board says from which position on a game is played. A hub's game stays what it is, and so does a game that
    /// had this position.
    pub(super) fn set_up(&mut self, now: Millis, fen: &str) {
        let start = self.start();
        if self.memory.control.is_some() || start.had(&self.line(), fen) {
            return;
        }
        if super::position::position(fen, start.mode()).is_some() {
            self.begin_at(now, fen);
        }
    }
}
