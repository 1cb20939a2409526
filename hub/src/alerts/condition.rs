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
