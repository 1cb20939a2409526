//! Topics: `zeitnot/v1/<venue>/…`, made and read in one place.

use crate::{AgentId, ClientId, DeviceId, TableId, VenueId};

/// A topic of the venue, without its root.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum Topic {
    /// `agent/<agent>/presence`, retained, last will.
    AgentPresence(AgentId),
    /// `agent/<agent>/time`.
    TimeQuestion(AgentId),
    /// `agent/<agent>/time/answer`.
    TimeAnswer(AgentId),
    /// `device/<id>/info`, retained.
    DeviceInfo(DeviceId),
    /// `device/<id>/facts`.
    Facts(DeviceId),
    /// `device/<id>/ack`.
    Ack(DeviceId),
    /// `device/<id>/control`, retained.
    Control(DeviceId),
    /// `device/<id>/command`.
    Command(DeviceId),
    /// `hub/presence`, retained, last will.
    HubPresence,
    /// `desk/table/<n>`, retained.
    DeskTable(TableId),
    /// `desk/alert/<id>`, retained.
    DeskAlert(String),
    /// `desk/round`, retained.
    DeskRound,
    /// `desk/round/<r>`, retained: an earlier round.
    DeskPastRound(u16),
    /// `desk/journal`, retained.
    DeskJournal,
    /// `desk/order`.
    Order,
    /// `desk/answer/<client>`.
    Answer(ClientId),
    /// `hall/board/<n>`, retained.
    HallBoard(TableId),
    /// `hall/board/<n>/…`, retained scalars for signs and LED walls: `white/clock`, `last-move`, `result` …
    HallScalar(TableId, String),
    /// `world/<audience>/board/<n>`, retained, delayed.
    WorldBoard(String, TableId),
}

/// Makes and reads the topics of one venue.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Topics {
    root: String,
}

impl Topics {
    /// The topics below `zeitnot/v1/<venue>`.
    pub fn new(venue: &VenueId) -> Topics {
        Topics {
            root: format!("zeitnot/v1/{venue}"),
        }
    }

    /// The root itself.
    pub fn root(&self) -> &str {
        &self.root
    }

    /// The full name of a topic.
    pub fn name(&self, topic: &Topic) -> String {
        format!("{}/{}", self.root, tail(topic))
    }

    /// A filter below the root: `desk/#`, `device/+/facts`.
    pub fn filter(&self, tail: &str) -> String {
        format!("{}/{tail}", self.root)
    }

    /// The topic of a full name; none for names of others and names that mean nothing.
    pub fn parse(&self, name: &str) -> Option<Topic> {
        let parts: Vec<&str> = name
            .strip_prefix(&self.root)?
            .strip_prefix('/')?
            .split('/')
            .collect();
        Some(match parts[..] {
            ["agent", agent, "presence"] => Topic::AgentPresence(agent.parse().ok()?),
            ["agent", agent, "time"] => Topic::TimeQuestion(agent.parse().ok()?),
            ["agent", agent, "time", "answer"] => Topic::TimeAnswer(agent.parse().ok()?),
            ["device", device, "info"] => Topic::DeviceInfo(device.parse().ok()?),
            ["device", device, "facts"] => Topic::Facts(device.parse().ok()?),
            ["device", device, "ack"] => Topic::Ack(device.parse().ok()?),
            ["device", device, "control"] => Topic::Control(device.parse().ok()?),
            ["device", device, "command"] => Topic::Command(device.parse().ok()?),
            ["hub", "presence"] => Topic::HubPresence,
            ["desk", "table", table] => Topic::DeskTable(table.parse().ok()?),
            ["desk", "alert", alert] => Topic::DeskAlert(alert.to_owned()),
            ["desk", "round"] => Topic::DeskRound,
            ["desk", "round", round] => Topic::DeskPastRound(round.parse().ok()?),
            ["desk", "journal"] => Topic::DeskJournal,
            ["desk", "order"] => Topic::Order,
            ["desk", "answer", client] => Topic::Answer(client.parse().ok()?),
            ["hall", "board", table] => Topic::HallBoard(table.parse().ok()?),
            ["hall", "board", table, ref rest @ ..] => {
                Topic::HallScalar(table.parse().ok()?, rest.join("/"))
            }
            ["world", audience, "board", table] => {
                Topic::WorldBoard(audience.to_owned(), table.parse().ok()?)
            }
            _ => return None,
        })
    }
}

fn tail(topic: &Topic) -> String {
    match topic {
        Topic::AgentPresence(agent) => format!("agent/{agent}/presence"),
        Topic::TimeQuestion(agent) => format!("agent/{agent}/time"),
        Topic::TimeAnswer(agent) => format!("agent/{agent}/time/answer"),
        Topic::DeviceInfo(device) => format!("device/{device}/info"),
        Topic::Facts(device) => format!("device/{device}/facts"),
        Topic::Ack(device) => format!("device/{device}/ack"),
        Topic::Control(device) => format!("device/{device}/control"),
        Topic::Command(device) => format!("device/{device}/command"),
        Topic::HubPresence => "hub/presence".to_owned(),
        Topic::DeskTable(table) => format!("desk/table/{table}"),
        Topic::DeskAlert(alert) => format!("desk/alert/{alert}"),
        Topic::DeskRound => "desk/round".to_owned(),
        Topic::DeskPastRound(round) => format!("desk/round/{round}"),
        Topic::DeskJournal => "desk/journal".to_owned(),
        Topic::Order => "desk/order".to_owned(),
        Topic::Answer(client) => format!("desk/answer/{client}"),
        Topic::HallBoard(table) => format!("hall/board/{table}"),
        Topic::HallScalar(table, rest) => format!("hall/board/{table}/{rest}"),
        Topic::WorldBoard(audience, table) => format!("world/{audience}/board/{table}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn topics() -> Topics {
        Topics::new(&"lyon".parse().expect("id"))
    }

    #[test]
    fn every_topic_reads_back() {
        let rows = [
            ("agent/a1/presence", true),
            ("agent/a1/time", true),
            ("agent/a1/time/answer", true),
            ("device/dgt-01025/info", true),
            ("device/dgt-01025/facts", true),
            ("device/dgt-01025/ack", true),
            ("device/dgt-01025/control", true),
            ("device/dgt-01025/command", true),
            ("hub/presence", true),
            ("desk/table/12", true),
            ("desk/alert/12-illegal-move-1", true),
            ("desk/round", true),
            ("desk/round/3", true),
            ("desk/round/x", false),
            ("desk/journal", true),
            ("desk/order", true),
            ("desk/answer/tui-1", true),
            ("hall/board/12", true),
            ("hall/board/12/white/clock", true),
            ("world/web/board/12", true),
            ("desk/table/x", false),
            ("device/dgt-01025", false),
            ("agent/A B/presence", false),
            ("", false),
        ];
        for (tail, known) in rows {
            let name = topics().filter(tail);
            let back = topics().parse(&name).map(|t| topics().name(&t));
            assert_eq!(back, known.then_some(name), "{tail}");
        }
        assert_eq!(topics().parse("zeitnot/v1/paris/desk/round"), None);
    }
}
