//! How a fact travels: numbered by its agent, dated by its agent's clock, answered by the hub's acknowledgement.

use serde::{Deserialize, Serialize};

use crate::{AgentId, Boot, DeviceId, Fact, Seq, Timestamp};

/// A fact on its way from an agent to the hub, at `device/<id>/facts`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Envelope {
    /// The agent that states it.
    pub agent: AgentId,
    /// That agent's start.
    pub boot: Boot,
    /// Number within (agent, boot, device), from 1 without gaps.
    pub seq: Seq,
    /// When it happened, by the agent's clock.
    pub at: Timestamp,
    /// Milliseconds to add to the agent's clock for the hub's, as last measured; none before the first measurement.
    #[serde(default)]
    pub offset: Option<i64>,
    /// The fact.
    #[serde(flatten)]
    pub fact: Fact,
}

impl Envelope {
    /// When it happened, by the hub's clock as far as the offset is known.
    pub fn hub_time(&self) -> Timestamp {
        self.at.shifted(self.offset.unwrap_or(0))
    }

    /// Its name in evidence; the board is that of the topic it came on.
    pub fn id(&self, device: &DeviceId) -> FactId {
        FactId {
            agent: self.agent.clone(),
            boot: self.boot.clone(),
            device: Some(device.clone()),
            seq: self.seq,
        }
    }
}

/// The name of a stored fact, for evidence.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub struct FactId {
    /// The agent that stated it.
    pub agent: AgentId,
    /// That agent's start.
    pub boot: Boot,
    /// The board: numbers are counted for each. None in what was written before boards were named.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub device: Option<DeviceId>,
    /// Its number.
    pub seq: Seq,
}

/// At `device/<id>/ack`: everything up to `seq` of this agent's start is in the hub's journal.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Ack {
    /// The agent.
    pub agent: AgentId,
    /// Its start.
    pub boot: Boot,
    /// The last journalled number.
    pub seq: Seq,
}

/// At `agent/<agent>/time`: what is the hub's time?
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct TimeQuestion {
    /// The agent's clock when it asked.
    pub asked: Timestamp,
}

/// At `agent/<agent>/time/answer`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct TimeAnswer {
    /// Copied from the question.
    pub asked: Timestamp,
    /// The hub's clock when it answered.
    pub hub: Timestamp,
}

impl TimeAnswer {
    /// (milliseconds to add to the agent's clock, round trip) when the answer came at `now`; the truth lies within half a round trip.
    pub fn offset(&self, now: Timestamp) -> (i64, u64) {
        let middle = self.asked.0.midpoint(now.0);
        (self.hub.0 - middle, now.since(self.asked))
    }
}
