//! What can happen in a venue: the closed list of events that the journal keeps and from which the whole state is made.

use protocol::{
    AgentId, AgentPresence, Alert, Boot, ClientId, Control, DeviceId, DeviceInfo, Envelope,
    OrderBody, TableId, Timestamp,
};
use serde::{Deserialize, Serialize};

use crate::alerts::Kept;
use crate::game::{GameEvent, Source};
use crate::rounds::{RoundSetup, TableSetup};

/// One entry of the journal.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Event {
    /// Its number, from 1 without gaps.
    pub number: u64,
    /// When the hub wrote it, hub's time.
    pub at: Timestamp,
    /// What happened.
    pub body: EventBody,
}

/// A ruling as it stands in the journal.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Ruling {
    /// Initials of the arbiter.
    pub by: String,
    /// Name of his connection.
    pub user: String,
    /// Who sent it, and its number there: the same order again is the same ruling.
    pub order: (ClientId, u64),
    /// What was ordered.
    pub body: OrderBody,
    /// What was ruled, in words.
    pub words: String,
    /// The article.
    pub article: String,
    /// The arbiter's note.
    pub note: String,
    /// What undoes it.
    pub undo: Vec<GameEvent>,
}

impl Ruling {
    /// A note is kept like a ruling and rules nothing.
    pub fn is_note(&self) -> bool {
        matches!(self.body, OrderBody::Note { .. })
    }
}

/// Everything that can happen.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum EventBody {
    /// The hub has started.
    HubStarted {
        /// A random id of this start.
        boot: Boot,
        /// Version of the program.
        version: String,
    },
    /// A fact came, kept as it is. Readings and what stands on the board take effect with it.
    FactReceived {
        /// The board.
        device: DeviceId,
        /// The fact.
        envelope: Envelope,
    },
    /// A fact that had come too early takes its place in the order.
    EarlyFactTaken {
        /// The board.
        device: DeviceId,
        /// The agent.
        agent: AgentId,
        /// Its start.
        boot: Boot,
        /// The number.
        seq: u64,
    },
    /// Facts that never came are given up.
    FactsMissed {
        /// The board.
        device: DeviceId,
        /// The agent.
        agent: AgentId,
        /// Its start.
        boot: Boot,
        /// The first missing number.
        from: u64,
        /// The last missing number.
        to: u64,
    },
    /// A fact came with a number that no fact can have; it was not taken.
    FactRefused {
        /// The board.
        device: DeviceId,
        /// The agent.
        agent: AgentId,
        /// Its start.
        boot: Boot,
        /// The number.
        seq: u64,
    },
    /// An agent said that it is there, or its last will came.
    AgentChanged {
        /// What it said.
        presence: AgentPresence,
    },
    /// A device said what it is and how it is.
    DeviceChanged {
        /// What it said.
        info: DeviceInfo,
    },
    /// A round with its tables.
    RoundOpened {
        /// The round.
        setup: RoundSetup,
        /// Games that are being played without a pairing, or whose pairing was corrected, go on; journals of older programs have them end.
        #[serde(default)]
        goes_on: bool,
    },
    /// What was played at a table goes on at another one, whose board it is; what was played there goes the other way.
    GameCarried {
        /// Where it was taken to be played.
        from: TableId,
        /// Where it is played.
        to: TableId,
        /// Initials, or `pairings` or `gesture`.
        by: String,
    },
    /// The clocks may run.
    RoundStarted {
        /// The round.
        round: u16,
        /// Initials.
        by: String,
    },
    /// The round is being closed: results that are missing are asked for.
    RoundClosing {
        /// The round.
        round: u16,
        /// Initials.
        by: String,
    },
    /// A table without a pairing, for a board that came by itself.
    TableOpened {
        /// The round that such tables belong to.
        round: RoundSetup,
        /// The table.
        setup: TableSetup,
    },
    /// The round is not being closed after all.
    RoundReopened {
        /// The round.
        round: u16,
        /// Initials.
        by: String,
    },
    /// The next game at a table.
    NextGame {
        /// The table.
        table: TableId,
        /// The one before was annulled by a ruling, which may be countered.
        #[serde(default)]
        annulled: bool,
    },
    /// A board stands on a table, or no longer.
    Bound {
        /// The table.
        table: TableId,
        /// The board.
        device: Option<DeviceId>,
        /// Initials, or `pairings`, `gesture` or `hub`.
        by: String,
    },
    /// The next free board whose white king is lifted stands on this table.
    GestureAwaited {
        /// The table.
        table: TableId,
        /// Until when, hub's time.
        until: Timestamp,
        /// Initials.
        by: String,
    },
    /// A second table names a board that stands on another.
    ClaimedTwice {
        /// The board.
        device: DeviceId,
        /// The second table.
        table: TableId,
    },
    /// The desired state of a device.
    ControlSet {
        /// The device.
        device: DeviceId,
        /// The state.
        control: Control,
    },
    /// Something happened in a game.
    Game {
        /// The earlier round it belongs to; none: this round.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        past: Option<u16>,
        /// Its table.
        table: TableId,
        /// From where.
        source: Source,
        /// What.
        event: GameEvent,
    },
    /// A game is kept back from those outside the hall, or no longer.
    Held {
        /// The table.
        table: TableId,
        /// The earlier round whose game is meant; none: this round's.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        past: Option<u16>,
        /// Whether it is kept back.
        held: bool,
        /// Initials.
        by: String,
    },
    /// The hub's clock was set.
    ClockSet {
        /// By how much, milliseconds; negative: back.
        by_ms: i64,
    },
    /// An arbiter ruled; its effects stand before it.
    RulingGiven {
        /// The earlier round that the game belongs to; none: this round.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        past: Option<u16>,
        /// The table, none for rulings on the whole.
        table: Option<TableId>,
        /// The ruling.
        ruling: Ruling,
    },
    /// A ruling was undone by another one.
    RulingCountered {
        /// The earlier round that the game belongs to; none: this round.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        past: Option<u16>,
        /// The table.
        table: TableId,
        /// The ruling that no longer counts.
        ruling: u64,
    },
    /// An alert was raised, or raised again.
    AlertRaised {
        /// The alert.
        kept: Kept,
    },
    /// Somebody is on the way.
    AlertTaken {
        /// The alert.
        id: String,
        /// Initials.
        by: String,
    },
    /// Nobody is on the way any more.
    AlertGivenBack {
        /// The alert.
        id: String,
        /// Initials.
        by: String,
    },
    /// Put aside.
    AlertSnoozed {
        /// The alert.
        id: String,
        /// Until when.
        until: Timestamp,
        /// Initials.
        by: String,
    },
    /// Over.
    AlertClosed {
        /// The alert.
        id: String,
        /// `ruled`, `cleared`, `lapsed` or `dismissed`.
        why: String,
        /// Initials, where a person closed it.
        by: Option<String>,
    },
    /// The facts of an open alert have grown: it says more than before.
    AlertTold {
        /// The alert with its new words.
        alert: Alert,
    },
    /// The condition of an alert holds no longer.
    AlertEnded {
        /// The alert.
        id: String,
    },
}
