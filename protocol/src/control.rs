//! What the hub wants of a device: the desired state, and short commands.

use serde::{Deserialize, Serialize};

use crate::{Boot, EditionId, GameId, Placement, Played, Seq, Side, TableId};

/// Retained at `device/<id>/control`: each generation is applied once.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Control {
    /// Number of this state; a higher one replaces a lower one.
    pub generation: u64,
    /// The table the board stands on; none: not yet bound.
    #[serde(default)]
    pub table: Option<TableId>,
    /// The game to record; none: nothing is recorded.
    #[serde(default)]
    pub game: Option<GameId>,
    /// The edition of the Laws.
    #[serde(default)]
    pub edition: EditionId,
    /// The initial position, full FEN; none: the usual array.
    #[serde(default)]
    pub start_fen: Option<String>,
    /// Castling by the rules of Chess960.
    #[serde(default)]
    pub chess960: bool,
    /// The hub says the game is over: nothing on the board is a move any more.
    #[serde(default)]
    pub over: bool,
    /// Where the tracker is to start again.
    #[serde(default)]
    pub adopt: Option<Adopt>,
}

/// Start the tracker again from a record that the hub holds for true.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Adopt {
    /// The last fact the hub had seen: facts of that start with higher numbers are still unread and are not lost.
    #[serde(default)]
    pub after: Option<(Boot, Seq)>,
    /// The record so far, from the initial position.
    pub line: Vec<Played>,
    /// The position after it, full FEN.
    pub position: String,
}

/// At `device/<id>/command`, expires by itself.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "command", rename_all = "kebab-case")]
pub enum Command {
    /// Ask the board for a dump and compare.
    Resync,
    /// Say the whole board again, as a fact.
    Read,
    /// Let the board's lamps blink: which one is it? Never while a game is in play.
    Blink,
    /// Say which way the board lies: White sits at the connector's other side or not.
    Orientation {
        /// Whether the board is turned.
        rotated: bool,
    },
    /// Say on which hand of the clock White sits, when the agent guessed wrong.
    ClockSide {
        /// The player at the left of the clock's display.
        left: Side,
    },
    /// The board must stand like this (an arbiter restored it).
    Expect {
        /// The placement.
        board: Placement,
    },
}
