//! What arbiters see: a table with everything known about it, the round, the journal.

use serde::{Deserialize, Serialize};

use crate::{
    BySide, ChessclockView, DeviceId, DeviceInfo, EditionId, GameId, HallPly, Placement, Played,
    Player, Ply, Regime, Side, Standing, TableId, TableResult, TimeControl, Timestamp, Uncertain,
    Urgency,
};

/// One half-move as the desk sees it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct DeskPly {
    /// What was played.
    pub played: Played,
    /// Standard algebraic notation, or the words of an irregular half-move.
    pub san: String,
    /// Who moved.
    pub by: Side,
    /// When it was made, hub's time.
    pub made_at: Timestamp,
    /// When it was completed, hub's time.
    #[serde(default)]
    pub completed_at: Option<Timestamp>,
    /// Whether the player's press was seen.
    #[serde(default)]
    pub pressed: bool,
    /// Settled: no other explanation is left.
    #[serde(default)]
    pub settled: bool,
    /// How sure the tracker is, 0 to 1.
    pub certainty: f32,
    /// What the mover's clock showed after it, milliseconds.
    #[serde(default)]
    pub clock_ms: Option<u64>,
    /// Time the move took, milliseconds.
    #[serde(default)]
    pub spent_ms: Option<u64>,
}

/// How a table stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum TableState {
    /// No board is bound, or it does not answer.
    Out,
    /// The pieces stand or are being set up.
    Waiting,
    /// In play.
    Playing,
    /// Both clocks stopped in play.
    Stopped,
    /// Adjourned: it goes on another time.
    Adjourned,
    /// Over.
    Over,
}

/// One line of a table's log.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct LogLine {
    /// When, hub's time.
    pub at: Timestamp,
    /// `made`, `complete`, `clock`, `press`, `ruling`, `alert`, `board`, `result`, `note` …
    pub kind: String,
    /// In words.
    pub words: String,
    /// Where from: "agent-042 #2210", or initials.
    #[serde(default)]
    pub source: String,
}

/// A ruling on a table, as far as it can be taken back.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct RulingLine {
    /// Its number in the journal.
    pub number: u64,
    /// When, hub's time.
    pub at: Timestamp,
    /// Initials.
    pub by: String,
    /// What was ruled.
    pub words: String,
    /// The article.
    #[serde(default)]
    pub article: String,
    /// There is something that a counter-ruling would undo.
    #[serde(default)]
    pub undoable: bool,
    /// It was taken back.
    #[serde(default)]
    pub countered: bool,
}

/// How a feed does.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum FeedState {
    /// What it should deliver is delivered.
    Well,
    /// The last delivery did not succeed; it is tried again.
    Failing,
    /// Held by an arbiter, or switched off.
    Paused,
}

/// How a feed is, for the desk.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct FeedHealth {
    /// The feed: `pgn-round`.
    pub name: String,
    /// How it does.
    pub state: FeedState,
    /// The last delivery that succeeded, hub's time.
    #[serde(default)]
    pub at: Option<Timestamp>,
    /// What is wrong and what to do about it; empty when it is well.
    #[serde(default)]
    pub detail: String,
}

/// Retained at `desk/table/<n>`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct DeskTable {
    /// The table.
    pub table: TableId,
    /// Row in the hall and seat in the row, as the plan says.
    #[serde(default)]
    pub place: Option<String>,
    /// Its game.
    pub game: GameId,
    /// The round.
    pub round: u16,
    /// The players.
    pub players: BySide<Player>,
    /// The edition of the Laws.
    pub edition: EditionId,
    /// Standard, rapid or blitz, supervised or not.
    pub regime: Regime,
    /// The time control.
    pub time_control: TimeControl,
    /// The initial position, full FEN; none: the usual array.
    #[serde(default)]
    pub start_fen: Option<String>,
    /// Castling by the rules of Chess960.
    #[serde(default)]
    pub chess960: bool,
    /// The record.
    pub record: Vec<DeskPly>,
    /// Places that are not certain.
    #[serde(default)]
    pub uncertain: Vec<Uncertain>,
    /// The position after the record.
    pub position: Placement,
    /// The same as full FEN.
    pub fen: String,
    /// Who has the move.
    pub turn: Side,
    /// What stands on the board, when that differs from the record.
    #[serde(default)]
    pub board: Option<Placement>,
    /// The clocks.
    #[serde(default)]
    pub clock: Option<ChessclockView>,
    /// How the table stands.
    pub state: TableState,
    /// The result so far.
    #[serde(default)]
    pub standing: Option<Standing>,
    /// Completed illegal moves (7.5).
    #[serde(default)]
    pub illegal_moves: BySide<u32>,
    /// How often the position has stood (9.2).
    #[serde(default)]
    pub repetitions: u32,
    /// Half-moves without capture or pawn move (9.3).
    #[serde(default)]
    pub quiet_plies: u32,
    /// Moves to the next control, for the arbiter's eyes only (12.6).
    #[serde(default)]
    pub to_control: Option<BySide<u32>>,
    /// When a player is expected to come below five minutes without half a minute a move (8.4), if both use the time evenly; hub's time.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub short_of_time_at: Option<Timestamp>,
    /// What may not be said, by edition and regulations.
    #[serde(default)]
    pub silence: Vec<String>,
    /// The article of that.
    #[serde(default)]
    pub silence_article: String,
    /// The board.
    #[serde(default)]
    pub device: Option<DeviceId>,
    /// How the board is.
    #[serde(default)]
    pub device_info: Option<DeviceInfo>,
    /// When anything was last heard from the board, hub's time.
    #[serde(default)]
    pub heard: Option<Timestamp>,
    /// From what happened there last until the hub heard it, milliseconds.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub delay_ms: Option<u64>,
    /// Ids of open alerts.
    #[serde(default)]
    pub alerts: Vec<String>,
    /// The last lines of its log, newest last.
    #[serde(default)]
    pub log: Vec<LogLine>,
    /// The last rulings on it, newest last.
    #[serde(default)]
    pub rulings: Vec<RulingLine>,
    /// The game is kept back from everybody outside the hall.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub held: bool,
    /// The last half-move that is completed.
    #[serde(default)]
    pub completed_ply: Ply,
    /// Counts every change of the game; orders name the one they rest on.
    pub revision: u64,
}

/// Open alerts about devices that began together: a hub of boards, a row's power.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct AlertGroup {
    /// Their code.
    pub code: String,
    /// Their urgency.
    pub urgency: Urgency,
    /// The tables, ascending.
    pub tables: Vec<TableId>,
    /// Ids of the alerts.
    pub alerts: Vec<String>,
    /// The first of them, hub's time.
    pub since: Timestamp,
}

/// Retained at `desk/round`; an earlier one at `desk/round/<r>`.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct DeskRound {
    /// The event.
    pub event: String,
    /// The round.
    pub round: u16,
    /// Rounds of the event, 0 if not known.
    #[serde(default)]
    pub rounds: u16,
    /// The edition of the Laws.
    pub edition: EditionId,
    /// Standard, rapid or blitz, supervised or not.
    #[serde(default)]
    pub regime: Regime,
    /// The usual time control.
    #[serde(default)]
    pub time_control: TimeControl,
    /// Scheduled start, hub's time.
    #[serde(default)]
    pub starts: Option<Timestamp>,
    /// Default time (6.7.1), milliseconds.
    #[serde(default)]
    pub default_ms: u64,
    /// Since when the round is being closed, hub's time.
    #[serde(default)]
    pub closing: Option<Timestamp>,
    /// Players without a move after the start, each with the moment of the default time (6.7.1), hub's time.
    #[serde(default)]
    pub absent: Vec<(TableId, Side, Option<Timestamp>)>,
    /// Every table.
    pub tables: Vec<TableResult>,
    /// Facts that named no known table, by device.
    #[serde(default)]
    pub unbound: Vec<DeviceId>,
    /// Earlier rounds that are kept, each at `desk/round/<r>`.
    #[serde(default)]
    pub earlier: Vec<u16>,
    /// Open alerts of several tables that have one cause, as one line each.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub groups: Vec<AlertGroup>,
    /// How each feed is.
    #[serde(default)]
    pub feeds: Vec<FeedHealth>,
    /// Addresses of the wall pages, each with its audience.
    #[serde(default)]
    pub walls: Vec<String>,
    /// Games, of this round and of earlier ones, that are kept back from everybody outside the hall: round and table.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub kept_back: Vec<(u16, TableId)>,
}

/// At `desk/journal`: one event as a line, the newest retained.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct JournalLine {
    /// Its number in the journal.
    pub number: u64,
    /// The table.
    #[serde(default)]
    pub table: Option<TableId>,
    /// The line.
    #[serde(flatten)]
    pub line: LogLine,
    /// Article, for rulings.
    #[serde(default)]
    pub article: String,
}

/// A desk half-move as the hall may see it: only a legal one has a form.
impl DeskPly {
    /// The half-move for the hall, none for an irregular one.
    pub fn for_hall(&self) -> Option<HallPly> {
        match &self.played {
            Played::Legal(uci) => Some(HallPly {
                uci: uci.clone(),
                san: self.san.clone(),
                clock_ms: self.clock_ms,
                spent_ms: self.spent_ms,
            }),
            Played::Irregular { .. } => None,
        }
    }
}
