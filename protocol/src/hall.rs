//! What everybody may see: position, moves, clocks, official results (6.12.1), and nothing else.

use serde::{Deserialize, Serialize};

use crate::{
    BySide, ChessclockView, GameId, GameResult, Placement, Player, Ply, Side, TableId, Timestamp,
};

/// One half-move as the hall sees it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct HallPly {
    /// UCI.
    pub uci: String,
    /// Standard algebraic notation.
    pub san: String,
    /// What the mover's clock showed after it, milliseconds.
    #[serde(default)]
    pub clock_ms: Option<u64>,
    /// Time the move took, milliseconds, where it is known.
    #[serde(default)]
    pub spent_ms: Option<u64>,
}

/// What a hall may know of the state of a game.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum HallState {
    /// Not begun.
    Waiting,
    /// In play.
    Playing,
    /// The board is not being read: moves paused.
    Paused,
    /// Adjourned: it goes on another time.
    Adjourned,
    /// Over.
    Over,
}

/// Retained at `hall/board/<n>`; the only thing a wall page or a feed can be given.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct HallBoard {
    /// The table.
    pub table: TableId,
    /// Its game.
    pub game: GameId,
    /// Event, for headers and PGN.
    #[serde(default)]
    pub event: String,
    /// Site, for PGN.
    #[serde(default)]
    pub site: String,
    /// `YYYY.MM.DD`.
    #[serde(default)]
    pub date: String,
    /// The round.
    pub round: u16,
    /// The players.
    pub players: BySide<Player>,
    /// PGN `TimeControl`.
    #[serde(default)]
    pub time_control: String,
    /// The initial position, full FEN; none: the usual array.
    #[serde(default)]
    pub start_fen: Option<String>,
    /// Castling by the rules of Chess960.
    #[serde(default)]
    pub chess960: bool,
    /// When the first of its moves was made, hub's time; none before.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub began: Option<Timestamp>,
    /// The legal line, moves made included.
    pub moves: Vec<HallPly>,
    /// How many of them are settled: these will not change by themselves.
    pub settled_ply: Ply,
    /// How many of them are completed.
    #[serde(default)]
    pub completed_ply: Ply,
    /// The position after them.
    pub position: Placement,
    /// Who has the move.
    pub turn: Side,
    /// In check.
    #[serde(default)]
    pub check: bool,
    /// The clocks.
    #[serde(default)]
    pub clock: Option<ChessclockView>,
    /// Not begun, in play, paused, over.
    pub state: HallState,
    /// The official result.
    #[serde(default)]
    pub result: Option<GameResult>,
    /// No arbiter has confirmed the result; such results are shown only where the event wants it, with a question mark.
    #[serde(default, skip_serializing_if = "is_false")]
    pub unconfirmed: bool,
    /// The game is over and went on, after these moves, with what is no legal move.
    #[serde(default, skip_serializing_if = "is_false")]
    pub cut_short: bool,
    /// Moment of the last change, hub's time.
    pub at: Timestamp,
    /// Counts every change of this board: a higher number replaces a lower one.
    pub revision: u64,
}

#[expect(
    clippy::trivially_copy_pass_by_ref,
    reason = "serde hands over a reference"
)]
fn is_false(flag: &bool) -> bool {
    !flag
}
