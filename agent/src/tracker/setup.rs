//! Says what a tracker is told before the first observation: position, history, kind of board.

use shakmaty::{CastlingMode, Chess, Move, Position, uci::UciMove};

use super::observation::{Millis, Profile, Readings, Sensing};

/// What is known of the game and of the board beforehand.
#[derive(Clone, Debug)]
pub struct Setup {
    /// The position before the history.
    pub position: Chess,
    /// How castling is written (`e1g1`, or king takes rook).
    pub mode: CastlingMode,
    /// Moves played before, legal from `position`.
    pub history: Vec<Move>,
    /// What the board showed at the beginning, where that is known.
    pub placement: Option<Box<Readings>>,
    /// What the board can tell about a piece.
    pub sensing: Sensing,
    /// How quickly it reports.
    pub profile: Profile,
    /// How long a move that could go on is held back, in milliseconds (250; 500 for feeds that cannot take back).
    pub hold: Millis,
}

/// The history contains a move that is not legal.
#[derive(Clone, Debug, thiserror::Error)]
#[error("move {number} of the history, {uci}, is not legal")]
pub struct HistoryError {
    /// Counting from 1.
    pub number: usize,
    /// The move.
    pub uci: UciMove,
}

impl Default for Setup {
    fn default() -> Self {
        Setup::from_position(Chess::default())
    }
}

impl Setup {
    /// A game from a position on a wired board that knows its pieces.
    pub fn from_position(position: Chess) -> Setup {
        Setup {
            position,
            mode: CastlingMode::Standard,
            history: Vec::new(),
            placement: None,
            sensing: Sensing::Identity,
            profile: Profile::Usb,
            hold: 250,
        }
    }

    /// Adds moves played before.
    ///
    /// # Errors
    /// The first move that is not legal where it stands.
    pub fn with_history(mut self, moves: &[UciMove]) -> Result<Setup, HistoryError> {
        let mut now = self.current();
        for uci in moves {
            let number = self.history.len() + 1;
            let legal = uci
                .to_move(&now)
                .map_err(|_| HistoryError { number, uci: *uci })?;
            now.play_unchecked(legal);
            self.history.push(legal);
        }
        Ok(self)
    }

    /// The positions of the history, the current one last.
    pub(super) fn positions(&self) -> Vec<Chess> {
        let mut positions = vec![self.position.clone()];
        for mv in &self.history {
            let mut next = positions[positions.len() - 1].clone();
            next.play_unchecked(*mv);
            positions.push(next);
        }
        positions
    }

    /// The position after the history.
    pub fn current(&self) -> Chess {
        let mut now = self.position.clone();
        for mv in &self.history {
            now.play_unchecked(*mv);
        }
        now
    }
}
