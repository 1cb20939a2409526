//! Boards, clocks, agents and the hub as devices: who they are and how they are.

use serde::{Deserialize, Serialize};

use crate::{AgentId, Boot, DeviceId, Timestamp};

/// The charge of a board's battery.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Battery {
    /// Per cent of full.
    pub percent: u8,
    /// Whether it is being charged.
    pub charging: bool,
}

/// How a board, its line and its clock are.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Health {
    /// The board answers.
    pub board: bool,
    /// A clock answers through the board.
    pub clock: bool,
    /// A short word for the state: `ok`, `silent`, `unplugged`, `other-board`, `disk-full`, `pieces-unknown`.
    pub state: String,
    /// A likely cause and a cure in words, empty when all is well.
    #[serde(default)]
    pub cause: String,
    /// Damaged frames since the agent started.
    #[serde(default)]
    pub damaged: u64,
    /// Times the line was lost since the agent started.
    #[serde(default)]
    pub drops: u64,
    /// Facts waiting in the outbox.
    #[serde(default)]
    pub queued: u64,
    /// The board's battery.
    #[serde(default)]
    pub battery: Option<Battery>,
}

/// Retained at `device/<id>/info`: what the device is.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct DeviceInfo {
    /// The device.
    pub device: DeviceId,
    /// The agent that reads it.
    pub agent: AgentId,
    /// That agent's start.
    pub boot: Boot,
    /// Family: `dgt`, `certabo` …
    pub family: String,
    /// The board's own serial number.
    pub serial: String,
    /// The long serial number, where the board has one.
    #[serde(default)]
    pub long_serial: Option<String>,
    /// Firmware as the board says it: `1.8`.
    #[serde(default)]
    pub firmware: Option<String>,
    /// The clock's kind as far as it is known: `dgt3000`, `dgt-xl`, `clock`.
    #[serde(default)]
    pub clock: Option<String>,
    /// Where it is plugged in, for technicians.
    #[serde(default)]
    pub port: String,
    /// It has lamps that may blink between games.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub lamps: bool,
    /// How it is now.
    pub health: Health,
}

/// Retained at `agent/<agent>/presence`, and its last will.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct AgentPresence {
    /// The agent.
    pub agent: AgentId,
    /// Its start; empty in the last will of an agent that never said.
    pub boot: Boot,
    /// Whether it is there.
    pub online: bool,
    /// Version of its program.
    #[serde(default)]
    pub version: String,
    /// Its host, for technicians.
    #[serde(default)]
    pub host: String,
    /// Devices it reads.
    #[serde(default)]
    pub devices: Vec<DeviceId>,
}

/// Retained at `hub/presence`, a beat a second.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct HubPresence {
    /// Whether it is there.
    pub online: bool,
    /// The hub's time.
    pub now: Timestamp,
    /// A random id made at every start of the hub.
    pub boot: Boot,
    /// Version of its program.
    #[serde(default)]
    pub version: String,
    /// How busy it is and what room it has, for technicians.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub vitals: Option<Vitals>,
}

/// How busy a hub is and what room it has.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Vitals {
    /// Clients connected to its broker; none: the broker is another program.
    #[serde(default)]
    pub clients: Option<u32>,
    /// Messages of agents and arbiters that it heard in a second.
    pub messages: u32,
    /// Bytes of its journal.
    pub journal_bytes: u64,
    /// Bytes that are free where the journal lies.
    #[serde(default)]
    pub free_bytes: Option<u64>,
    /// Browsers that follow one of its walls live.
    #[serde(default)]
    pub viewers: u32,
}
