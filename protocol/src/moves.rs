//! What an agent states: what the board, the hands and the clock did. Facts, not judgements.

use serde::{Deserialize, Serialize};

use crate::{BySide, ClockReading, GameResult, Health, Millis, Placement, Ply, Side, SquareName};

/// One half-move of a record: a legal move, or what happened instead of one.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Played {
    /// A legal move in UCI form (castling as the king's two squares, king takes rook in Chess960).
    Legal(String),
    /// Something that is no legal move and stands on the board.
    Irregular {
        /// The position before, full FEN.
        from_fen: String,
        /// The position after, full FEN.
        to_fen: String,
        /// What happened in words: "Ng5xf7".
        words: String,
    },
}

/// A place of the record where the evidence allows several lines.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Uncertain {
    /// The half-move that could as well be another.
    pub ply: Ply,
    /// The lines from there that explain the evidence, UCI, the recorded one first; none: it is certain again.
    pub choices: Vec<Vec<String>>,
    /// Lines that are not listed would explain it too.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub more: bool,
}

/// What an agent says about one device. Plies are numbered in the game the hub named in its control message.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "fact", rename_all = "kebab-case")]
pub enum Fact {
    /// A move was made: the hand has let go of the piece (4.7).
    Made {
        /// Its number.
        ply: Ply,
        /// The move.
        played: Played,
        /// Who moved.
        by: Side,
        /// How sure the tracker is, 0 to 1.
        certainty: f32,
        /// Squares whose change is the evidence.
        #[serde(default)]
        squares: Vec<SquareName>,
        /// Milliseconds between the last square event and this fact.
        #[serde(default)]
        after_ms: Millis,
    },
    /// A move was completed: its player pressed the clock, or the reply was made (6.2.1).
    Completed {
        /// Its number.
        ply: Ply,
        /// Whether the player's press was seen.
        pressed: bool,
        /// What the clock showed with the press.
        #[serde(default)]
        clock: Option<ClockReading>,
    },
    /// No other explanation of this half-move and those before it is left.
    Settled {
        /// The last settled half-move.
        ply: Ply,
    },
    /// The line from a half-move on is another than was said; it replaces everything from there.
    Revised {
        /// The first half-move that changes.
        from_ply: Ply,
        /// The line from there, may be shorter than before.
        line: Vec<Played>,
        /// How sure the tracker is of the new line, 0 to 1.
        certainty: f32,
    },
    /// A move was taken back before it was completed; the record ends before `from_ply`.
    Retracted {
        /// The first half-move that is gone.
        from_ply: Ply,
    },
    /// The board stands at no position of the game, for longer than a move takes.
    Unexplained {
        /// Squares that differ from the nearest position.
        squares: Vec<SquareName>,
        /// What stands on the board.
        board: Placement,
    },
    /// The board makes sense again after `Unexplained`.
    Explained,
    /// A half-move could as well be another, or no longer could.
    Ambiguous(Uncertain),
    /// Both kings stand on centre squares: the players' sign for a result, never moves.
    KingsCentred {
        /// What the squares say.
        result: GameResult,
    },
    /// A full set of pieces stands in an initial position (right or wrong).
    SetUp {
        /// What stands on the board.
        board: Placement,
        /// Whether it is the initial position of the game.
        correct: bool,
        /// Squares that differ from it.
        #[serde(default)]
        squares: Vec<SquareName>,
        /// Whether the board's connector is on White's other hand.
        rotated: bool,
    },
    /// Something the tracker noticed that is no move; `code` in the vocabulary of the tracker.
    Notice {
        /// What: `PRESS_WITHOUT_MOVE`, `ILLEGAL_MOVE`, `LINK_LOST` …
        code: String,
        /// True when the notice is over.
        #[serde(default)]
        over: bool,
        /// In words, for people.
        #[serde(default)]
        detail: String,
    },
    /// A chessclock reading that differs from the one before by more than the passing of time, or one now and then.
    Reading(ClockReading),
    /// A player pressed the clock (the lever changed).
    Press {
        /// Who pressed.
        by: Side,
        /// What the clock showed then.
        clock: ClockReading,
    },
    /// Raw: squares that changed, as the board said; kept so that a game can be read again later.
    Squares {
        /// Each square with the FEN letter of its piece, or none.
        changes: Vec<(SquareName, Option<char>)>,
    },
    /// Raw: the whole board as the board said.
    Dump {
        /// What stands on the board.
        board: Placement,
    },
    /// The state of the board, its line and its clock.
    Health(Health),
    /// The tracker started again from a position the hub sent.
    Adopted {
        /// Generation of the control message.
        generation: u64,
    },
    /// Board clock times at the end of a gap, read from the board's own log.
    Logged {
        /// Times of the stopped side, as the log kept them, milliseconds, oldest first.
        times: Vec<BySide<Option<u64>>>,
    },
}
