//! What can happen to a game: the closed list of events from which its state is made.

use protocol::{
    BySide, ClockReading, DeskPly, FactId, LogLine, Placement, Ply, Side, SquareName, Standing,
    TimeControl, Timestamp, Uncertain,
};
use serde::{Deserialize, Serialize};

use super::{Adjournment, Awaited, OpenClaim};
use crate::laws::Code;

/// From where an event comes.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Source {
    /// A fact of an agent.
    Fact(FactId),
    /// An arbiter, by his initials.
    Arbiter(String),
    /// The hub itself.
    Hub,
}

/// How an irregularity came to its end.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Over {
    /// An arbiter ruled on it.
    Ruled,
    /// The moment for acting upon it has passed.
    Lapsed,
    /// The board or the record no longer shows it.
    Corrected,
}

/// Something irregular that was seen, until it is ruled upon, lapses or is corrected.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Irregularity {
    /// What kind.
    pub code: Code,
    /// The half-move concerned, or the one that comes next.
    pub ply: Ply,
    /// Who did it, where that is known.
    pub by: Option<Side>,
    /// When, hub's time.
    pub at: Timestamp,
    /// What is wrong, in words.
    pub words: String,
    /// The facts it rests on.
    pub facts: Vec<FactId>,
    /// How it ended.
    #[serde(default)]
    pub over: Option<Over>,
}

/// An event of one game.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum GameEvent {
    /// The game has begun: a move was made or White's clock runs.
    Begun,
    /// A half-move was made.
    PlyMade {
        /// Its number.
        number: Ply,
        /// What is known of it.
        ply: DeskPly,
    },
    /// A half-move was completed.
    PlyCompleted {
        /// Its number.
        number: Ply,
        /// When, hub's time.
        at: Timestamp,
        /// Whether the press was seen.
        pressed: bool,
        /// The mover's time after it, milliseconds.
        clock_ms: Option<u64>,
        /// The time it took, milliseconds.
        spent_ms: Option<u64>,
    },
    /// Everything up to a half-move is settled.
    Settled {
        /// The half-move.
        ply: Ply,
    },
    /// The record from a half-move on is another one.
    LineRevised {
        /// The first half-move that changes.
        from_ply: Ply,
        /// The half-moves from there.
        line: Vec<DeskPly>,
        /// An arbiter ruled so: facts can no longer change what stands.
        ruled: bool,
    },
    /// The clock was read.
    ClockRead {
        /// What it showed.
        reading: ClockReading,
        /// When, hub's time.
        at: Timestamp,
    },
    /// A flag was seen fallen.
    FlagSeen {
        /// Whose.
        side: Side,
        /// When, hub's time.
        at: Timestamp,
        /// The reading.
        fact: Option<FactId>,
    },
    /// Something irregular was seen.
    IrregularityFound(Irregularity),
    /// It is over.
    IrregularityOver {
        /// What kind.
        code: Code,
        /// The half-move.
        ply: Ply,
        /// How it ended.
        how: Over,
    },
    /// The board stands at no position of the game.
    BoardDiffers {
        /// Since when, hub's time.
        since: Timestamp,
        /// The squares that differ.
        squares: Vec<SquareName>,
        /// What stands on the board.
        board: Placement,
    },
    /// The board makes sense again.
    BoardAgrees,
    /// A half-move could as well be another.
    PlyUncertain(Uncertain, Timestamp),
    /// It no longer could.
    PlyCertain {
        /// Its number.
        ply: Ply,
    },
    /// A fact could not be put into the record; the board is asked to start again from the record.
    StrayFact {
        /// Why, in words.
        why: String,
        /// When, hub's time.
        at: Timestamp,
    },
    /// Facts follow the record again.
    BackInLine,
    /// Facts are missing.
    GapNoted {
        /// The first missing number.
        from: u64,
        /// The last missing number.
        to: u64,
        /// When, hub's time.
        at: Timestamp,
    },
    /// A full set stands on the board.
    SetUpSeen {
        /// In the right array.
        correct: bool,
        /// Squares that differ from it.
        squares: Vec<SquareName>,
        /// When, hub's time.
        at: Timestamp,
        /// The board lies turned by a quarter.
        #[serde(default)]
        turned: bool,
        /// What is wrong, in words.
        #[serde(default)]
        words: Vec<String>,
    },
    /// The board says another result than the one that stands.
    WitnessSeen {
        /// What it says.
        standing: Standing,
        /// When, hub's time.
        at: Timestamp,
    },
    /// A result is proposed by the position or a sign on the board.
    ResultProposed {
        /// The proposal.
        standing: Standing,
        /// When, hub's time.
        at: Timestamp,
        /// In words.
        words: String,
    },
    /// The proposal is withdrawn: play went on.
    ProposalWithdrawn,
    /// An arbiter entered a result; none: there is no result any more.
    ResultSet {
        /// The result.
        standing: Option<Standing>,
        /// Signatures on the scoresheet.
        signed: BySide<bool>,
    },
    /// The number of completed illegal moves of a player.
    IllegalCounted {
        /// The player.
        offender: Side,
        /// The number from now on.
        count: u32,
    },
    /// An arbiter changed the times.
    TimeRuled {
        /// Milliseconds more, negative for less.
        change_ms: BySide<i64>,
        /// What the clock should show afterwards, where the times are known.
        due: Option<BySide<u64>>,
        /// When, hub's time.
        at: Timestamp,
    },
    /// The clock shows the times that were ruled.
    TimeSeen,
    /// Another clock stands at the table, to be set to these times.
    ClockReplaced {
        /// What it should show.
        due: BySide<u64>,
        /// When, hub's time.
        at: Timestamp,
    },
    /// The time control is another one from now on (III.4).
    ControlRuled(TimeControl),
    /// A player claims something; none: nothing is claimed any more.
    ClaimSet(Option<OpenClaim>),
    /// The game is adjourned, or its resumption came a step further.
    AdjournmentSet(Box<Adjournment>),
    /// The adjourned game goes on.
    Resumed {
        /// A player who is missing nevertheless.
        awaited: Option<Awaited>,
    },
    /// The record waits for the board to start again from a generation of its control.
    Held {
        /// The generation.
        generation: u64,
        /// Since when, hub's time.
        since: Timestamp,
    },
    /// The board has started again from the record.
    Released,
    /// The game that was annulled goes on in place of the one that was begun for it.
    Reinstated,
    /// A line for the log that changes nothing else.
    Noted(LogLine),
}
