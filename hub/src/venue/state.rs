//! The state of a venue: everything that its events have made, and nothing that cannot be made from them again.

use std::collections::BTreeMap;
use std::sync::Arc;

use protocol::{
    AgentId, AgentPresence, Boot, ClientId, Control, DeviceId, DeviceInfo, Envelope, GameId,
    OrderBody, Placement, Standing, TableId, Timestamp,
};
use serde::{Deserialize, Serialize};

use super::gesture::{Awaiting, Gesturing};
use super::numbering::Numbering;
use crate::alerts::Book;
use crate::game::{Game, GameSetup};
use crate::rounds::{RoundSetup, TableSetup};
use crate::views::Histories;

/// Facts of a board without a table that are kept for the moment it gets one.
pub(super) const UNPLACED: usize = 2_000;

/// A table.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Table {
    /// Its game.
    pub game: Game,
    /// Row and seat.
    pub place: Option<String>,
    /// Its board.
    pub device: Option<DeviceId>,
    /// A chessclock with a line of its own, beside the board or without one; what it shows holds then.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub clock: Option<DeviceId>,
    /// Games played here in this round.
    pub games: u32,
    /// It was opened for a board that came by itself.
    pub casual: bool,
    /// The game that was annulled for this one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub annulled: Option<Box<Game>>,
}

/// A board.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct Device {
    /// What it said of itself.
    pub info: Option<DeviceInfo>,
    /// The agent that reads it.
    pub agent: Option<AgentId>,
    /// The start of that agent.
    pub boot: Option<Boot>,
    /// When it was seen first, hub's time.
    pub first_seen: Timestamp,
    /// When it was heard last, hub's time.
    pub heard: Option<Timestamp>,
    /// From what its last fact tells of until it was heard, milliseconds.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub delay_ms: Option<u64>,
    /// What another agent says that reads it at the same time.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub also_read: Option<AlsoRead>,
    /// The table it stands on.
    pub table: Option<TableId>,
    /// Tables that name it although it stands on another.
    pub also_claimed: Vec<TableId>,
    /// What stands on it, as it said.
    pub board: Option<Placement>,
    /// Since when it does not answer.
    pub board_out: Option<Timestamp>,
    /// Since when it has no clock.
    pub clock_out: Option<Timestamp>,
    /// What the hub wants of it.
    pub control: Control,
    /// The numbers of its facts.
    pub numbers: Numbering,
    /// Facts about moves from before it had a table.
    pub unplaced: Vec<Envelope>,
    /// Facts of an earlier start changed the record after the control was set.
    pub behind: bool,
    /// The first fact of the agent's start that was refused for its number.
    #[serde(default)]
    pub refused: Option<RefusedFact>,
    /// What is done on it to name its table.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub gesture: Option<Gesturing>,
}

impl Table {
    /// The board, or the clock of a table without one.
    pub fn shown_device(&self) -> Option<&DeviceId> {
        self.device.as_ref().or(self.clock.as_ref())
    }

    /// Whether what a device says of a chessclock is said of this table's.
    pub fn believes_clock_of(&self, device: &DeviceId) -> bool {
        self.clock.as_ref().is_none_or(|clock| clock == device)
    }
}

/// Families of chessclocks that are no boards.
const CLOCKS: [&str; 1] = ["diyclock"];

/// Whether a device is a chessclock without a board.
pub(super) fn is_clock(device: &DeviceId) -> bool {
    CLOCKS.contains(&device.family())
}

impl Device {
    /// The agent's word for its state; empty before one was heard.
    pub fn state_word(&self) -> &str {
        self.info.as_ref().map_or("", |info| &info.health.state)
    }
}

/// Another agent says that it reads the same board.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct AlsoRead {
    /// What it says.
    pub info: DeviceInfo,
    /// Since when there are two, hub's time.
    pub since: Timestamp,
}

/// A fact with a number that no fact can have.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct RefusedFact {
    /// The agent that stated it.
    pub agent: AgentId,
    /// That agent's start.
    pub boot: Boot,
    /// Its number.
    pub seq: u64,
    /// When it came, hub's time.
    pub at: Timestamp,
}

/// An agent.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Agent {
    /// What it said last.
    pub presence: AgentPresence,
    /// Since when it is as it is, hub's time.
    pub since: Timestamp,
}

/// The last order of a client that was carried out: the same once more is not carried out again.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct LastOrder {
    /// Its number at the client.
    pub id: u64,
    /// What was ordered.
    pub body: OrderBody,
    /// Number of the ruling in the journal.
    pub ruling: u64,
    /// What was ruled.
    pub words: String,
}

/// Rounds that are over and kept; the journal has all of them.
pub(super) const PAST_ROUNDS: usize = 64;

/// A round that is over, with the games that were played in it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct PastRound {
    /// Its set-up, without tables.
    pub setup: RoundSetup,
    /// When the next one was opened, hub's time.
    pub closed: Timestamp,
    /// Its tables, without their boards.
    pub tables: BTreeMap<TableId, Table>,
    /// Games as they were before a correction, each until its moment, oldest first: those outside see the correction after their delay.
    #[serde(default)]
    pub before: BTreeMap<TableId, Vec<(Timestamp, Game)>>,
    /// What the hall saw of games that are still kept back from everybody outside.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub held: Histories,
}

/// A table of this round, or of an earlier one.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct GameAt {
    /// The earlier round; none: this one.
    pub past: Option<u16>,
    /// The table.
    pub table: TableId,
}

impl GameAt {
    /// A table of this round.
    pub fn now(table: TableId) -> GameAt {
        GameAt { past: None, table }
    }
}

/// The venue.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct State {
    /// Number of the last event.
    pub number: u64,
    /// The round.
    pub round: RoundSetup,
    /// When its clocks may run, hub's time.
    pub started: Option<Timestamp>,
    /// Since when the round is being closed, hub's time.
    #[serde(default)]
    pub closing: Option<Timestamp>,
    /// There is a round with pairings.
    pub paired: bool,
    /// The tables.
    pub tables: BTreeMap<TableId, Table>,
    /// Earlier rounds; shared, because nearly nothing changes in them any more.
    #[serde(default, with = "shared")]
    pub past: BTreeMap<u16, Arc<PastRound>>,
    /// The boards.
    pub devices: BTreeMap<DeviceId, Device>,
    /// The agents.
    pub agents: BTreeMap<AgentId, Agent>,
    /// The alerts.
    pub book: Book,
    /// The last ruling of each client.
    pub orders: BTreeMap<ClientId, LastOrder>,
    /// What the hall saw, for those who see it later.
    #[serde(default)]
    pub histories: Histories,
    /// When the last event was, hub's time.
    #[serde(default)]
    pub latest: Timestamp,
    /// When this hub was started last: before that it heard nobody.
    #[serde(default)]
    pub listens: Timestamp,
    /// The event that closes the round, as a ruling to be countered.
    #[serde(default)]
    pub closed_by: Option<ClosingRound>,
    /// The table that waits for a board whose white king is lifted.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub awaiting: Option<Awaiting>,
}

/// The closing of a round as far as it can be countered.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ClosingRound {
    /// Number of the event.
    pub number: u64,
    /// Initials.
    pub by: String,
    /// Results that it published, as they were before.
    pub published: BTreeMap<TableId, Standing>,
}

impl State {
    /// A table of this round or of an earlier one.
    pub fn table_at(&self, at: GameAt) -> Option<&Table> {
        match at.past {
            None => self.tables.get(&at.table),
            Some(round) => self.past.get(&round)?.tables.get(&at.table),
        }
    }

    /// The same, to be changed.
    pub(super) fn table_at_mut(&mut self, at: GameAt) -> Option<&mut Table> {
        match at.past {
            None => self.tables.get_mut(&at.table),
            Some(round) => {
                let round = Arc::make_mut(self.past.get_mut(&round)?);
                round.tables.get_mut(&at.table)
            }
        }
    }

    /// Every game, those of this round first.
    pub fn games(&self) -> impl Iterator<Item = (GameAt, &Game)> {
        let now = self
            .tables
            .iter()
            .map(|(id, t)| (GameAt::now(*id), &t.game));
        let past = self.past.iter().flat_map(|(round, past)| {
            let at = |table| GameAt {
                past: Some(*round),
                table,
            };
            past.tables.iter().map(move |(id, t)| (at(*id), &t.game))
        });
        now.chain(past)
    }

    /// Since when the silence of a device says something: it, its agent and this hub have been there.
    pub fn heard(&self, device: &Device) -> Option<Timestamp> {
        let agent = device.agent.as_ref().and_then(|a| self.agents.get(a));
        let there = agent.map_or(self.listens, |a| a.since.max(self.listens));
        device.heard.map(|heard| heard.max(there))
    }

    /// Since when a device does not answer, by the present start of its agent.
    pub fn board_out(&self, device: &Device) -> Option<Timestamp> {
        let agent = device.agent.as_ref().and_then(|a| self.agents.get(a));
        let of_now = agent.is_none_or(|a| device.boot.as_ref() == Some(&a.presence.boot));
        device.board_out.filter(|_| of_now)
    }

    /// Another agent that reads the board now, beside the one that the hub hears it from.
    pub fn also_read<'a>(&self, device: &'a Device) -> Option<&'a AlsoRead> {
        let also = device.also_read.as_ref()?;
        (self.reads(&also.info) && device.info.as_ref().is_some_and(|i| self.reads(i)))
            .then_some(also)
    }

    /// Whether what an agent said of a board it reads holds still.
    pub(super) fn reads(&self, info: &DeviceInfo) -> bool {
        let agent = self.agents.get(&info.agent);
        let there = |a: &Agent| a.presence.online && a.presence.boot == info.boot;
        info.health.board && agent.is_none_or(there)
    }

    /// Whether a board was heard in a paired round and stands on no table of the pairings.
    pub fn is_unpaired(&self, device: &Device) -> bool {
        let seat = device.table.and_then(|t| self.tables.get(&t));
        self.paired && device.heard.is_some() && seat.is_none_or(|t| t.casual)
    }

    /// Whether the agent of a device is there, as far as is known.
    pub fn agent_there(&self, device: &Device) -> bool {
        let agent = device.agent.as_ref().and_then(|a| self.agents.get(a));
        agent.is_none_or(|a| a.presence.online)
    }

    /// Whether the pieces of a table are being read.
    pub fn is_read(&self, table: &Table) -> bool {
        let device = table.device.as_ref().and_then(|d| self.devices.get(d));
        device.is_some_and(|d| d.heard.is_some() && d.board_out.is_none() && self.agent_there(d))
    }
}

/// What is agreed for a game at a table of a round.
pub(super) fn game_setup(round: &RoundSetup, table: &TableSetup, games: u32) -> GameSetup {
    GameSetup {
        id: game_id(round.round, table.table, games),
        round: round.round,
        players: table.players.clone(),
        edition: round.edition,
        regime: round.regime,
        time_control: table
            .time_control
            .clone()
            .unwrap_or_else(|| round.time_control.clone()),
        start_fen: table.start_fen.clone(),
        chess960: table.chess960,
        regulations: round.regulations,
    }
}

/// `r5-t12`, and `r5-t12-2` for the second game.
pub(super) fn game_id(round: u16, table: TableId, games: u32) -> GameId {
    let text = match games {
        0 | 1 => format!("r{round}-t{table}"),
        n => format!("r{round}-t{table}-{n}"),
    };
    text.parse().expect("letters, digits and hyphens only")
}

/// Earlier rounds in a snapshot: as if they were not shared.
mod shared {
    use std::collections::BTreeMap;
    use std::sync::Arc;

    use serde::{Deserialize, Deserializer, Serializer};

    use super::PastRound;

    pub(super) fn serialize<S: Serializer>(
        past: &BTreeMap<u16, Arc<PastRound>>,
        serializer: S,
    ) -> Result<S::Ok, S::Error> {
        serializer.collect_map(past.iter().map(|(round, past)| (round, &**past)))
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(
        deserializer: D,
    ) -> Result<BTreeMap<u16, Arc<PastRound>>, D::Error> {
        let past = BTreeMap::<u16, PastRound>::deserialize(deserializer)?;
        let share = |(round, past)| (round, Arc::new(past));
        Ok(past.into_iter().map(share).collect())
    }
}
