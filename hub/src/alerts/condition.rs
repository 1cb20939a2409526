//! Something that holds now and may want an arbiter: a small value that is compared, not a text.

use std::fmt;

use protocol::{AgentId, DeviceId, Side, TableId, Timestamp};
use serde::{Deserialize, Serialize};

use crate::laws::Code;

/// What an alert is about.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Place {
    /// A table.
    Table(TableId),
    /// A board that no table has, or that two claim.
    Device(DeviceId),
    /// An agent.
    Agent(AgentId),
}

impl Place {
    /// The table, if it is one.
    pub fn table(&self) -> Option<TableId> {
        match self {
            Place::Table(table) => Some(*table),
            Place::Device(_) | Place::Agent(_) => None,
        }
    }
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Place::Table(table) => write!(f, "{table}"),
            Place::Device(device) => write!(f, "{device}"),
            Place::Agent(agent) => write!(f, "{agent}"),
        }
    }
}

/// Set in a cause when the moment for acting upon it has passed (7.3, A.5.1): what was a call is silent from then on.
pub(crate) const PAST: u64 = 1 << 40;

/// Something that holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Condition {
    /// What.
    pub code: Code,
    /// What tells it from another of the same code: the half-move, the game's own count.
    pub cause: u64,
    /// Whose it is, where it is somebody's.
    pub side: Option<Side>,
    /// Since when, hub's time.
    pub since: Timestamp,
}

impl Condition {
    /// The half-move of a cause that is one.
    pub(crate) fn ply(&self) -> u32 {
        ply_of(self.cause)
    }

    /// A condition of nobody in particular.
    pub fn new(code: Code, cause: u64, since: Timestamp) -> Condition {
        Condition {
            code,
            cause,
            side: None,
            since,
        }
    }
}

/// The half-move of a cause that is one.
pub(crate) fn ply_of(cause: u64) -> u32 {
    u32::try_from(cause & u64::from(u32::MAX)).unwrap_or(u32::MAX)
}
