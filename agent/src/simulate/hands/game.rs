//! A game to be played: where it starts, its moves, and the clock times it truly had.

use shakmaty::fen::Fen;
use shakmaty::{CastlingMode, Chess, Color, KnownOutcome, Move, Outcome, Position};

use super::act::Millis;
use super::control::Control;

/// A game from a PGN file, legal from the first move to the last.
#[derive(Clone, Debug)]
pub struct Game {
    /// Tag pairs in the order of the file.
    pub tags: Vec<(String, String)>,
    /// Where the game starts.
    pub start: Chess,
    /// How castling is written and which rooks may castle.
    pub castling: CastlingMode,
    /// The moves, each legal in its turn.
    pub moves: Vec<Move>,
    /// Time left after each move, in milliseconds, where the file tells it; as long as `moves`.
    pub clocks: Vec<Option<Millis>>,
    /// The result, unknown when the file says `*`.
    pub result: Outcome,
}

impl Game {
    /// The value of a tag, when the game has it.
    pub fn tag(&self, name: &str) -> Option<&str> {
        self.tags
            .iter()
            .find(|(tag, _)| tag == name)
            .map(|(_, value)| value.as_str())
    }

    /// The control in the tag `TimeControl`, when it is one that hands can play.
    pub fn control(&self) -> Option<Control> {
        Control::from_tag(self.tag("TimeControl")?)
    }

    /// The FEN of the start.
    pub fn start_fen(&self) -> String {
        fen(&self.start)
    }

    /// The position after the last move.
    pub fn last_position(&self) -> Chess {
        let mut position = self.start.clone();
        for &m in &self.moves {
            position.play_unchecked(m);
        }
        position
    }

    /// Who won, or `None` for a draw or an unknown result.
    pub fn winner(&self) -> Option<Color> {
        match self.result {
            Outcome::Known(KnownOutcome::Decisive { winner }) => Some(winner),
            _ => None,
        }
    }
}

/// The FEN of a position, with an en-passant square only where the capture is legal.
pub(super) fn fen(position: &Chess) -> String {
    Fen::from_position(position, shakmaty::EnPassantMode::Legal).to_string()
}
