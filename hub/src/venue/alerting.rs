//! Alerts raised and closed: the conditions that hold now are compared with the book.

use protocol::{AgentId, Alert, DeviceId, TableId, Timestamp};

use super::Venue;
use super::event::EventBody;
use super::neighbours::exchanged;
use super::state::{Device, Table};
use crate::alerts::{Condition, Devices, Kept, PAST, Place, for_device, for_game, of_game, ply_of};
use crate::game::{Game, Over};
use crate::laws::Code;

impl Venue {
    /// Compares what holds at a table with its alerts.
    pub(super) fn table_alerts(&mut self, now: Timestamp, id: TableId) {
        let Some(table) = self.state.tables.get(&id) else {
            return;
        };
        let devices = self.devices_of(now, id, table);
        let conditions = of_game(&table.game, &devices, &self.config.patience, now);
        let place = Place::Table(id);
        if conditions.is_empty() && self.state.book.is_quiet(&place) {
            return;
        }
        for condition in self.state.book.news(&place, &conditions) {
            let Some(table) = self.state.tables.get(&id) else {
                continue;
            };
            let name = self.state.book.id_for(&place, &condition);
            let test = self.config.mate_test;
            let alert = for_game(&table.game, &devices, &place, &condition, name, test);
            self.raise(now, &place, &condition, alert);
        }
        let over = |kept: &Kept| match self.state.tables.get(&id) {
            Some(table) => why_over(&table.game, &conditions, kept),
            None => "cleared",
        };
        let past: Vec<(String, bool, &'static str)> = self
            .state
            .book
            .past(&place, &conditions)
            .into_iter()
            .map(|kept| (kept.alert.id.clone(), kept.alert.is_open(), over(kept)))
            .collect();
        self.end(now, past);
    }

    fn devices_of(&self, now: Timestamp, id: TableId, table: &Table) -> Devices {
        let device = table.device.as_ref();
        let device = device.and_then(|d| self.state.devices.get(d));
        Devices {
            bound: device.is_some(),
            board_out: device.and_then(|d| d.board_out),
            asked_long: device.is_some_and(|d| d.state_word() == "silent"),
            clock_out: device.and_then(|d| d.clock_out),
            heard: device.and_then(|d| d.heard),
            agent_there: device.is_none_or(|d| self.state.agent_there(d)),
            started: self.state.started.or(self.state.round.starts),
            default_ms: self.state.round.default_ms,
            closing: self.state.closing,
            exchanged: exchanged(&self.state, id, &table.game),
            now,
            odd: self.odd.get(&id).copied(),
        }
    }

    /// The table a board stands on.
    fn table_of_place(&self, place: &Place) -> Option<TableId> {
        match place {
            Place::Table(table) => Some(*table),
            Place::Device(device) => self.state.devices.get(device)?.table,
            Place::Agent(_) => None,
        }
    }

    fn raise(&mut self, now: Timestamp, place: &Place, condition: &Condition, alert: Alert) {
        let kept = Kept {
            alert,
            place: place.clone(),
            code: condition.code,
            cause: condition.cause,
            holds: true,
        };
        self.record(now, EventBody::AlertRaised { kept });
    }

    fn end(&mut self, now: Timestamp, past: Vec<(String, bool, &'static str)>) {
        for (id, open, why) in past {
            if open {
                self.record(
                    now,
                    EventBody::AlertClosed {
                        id: id.clone(),
                        why: why.to_owned(),
                        by: None,
                    },
                );
            }
            self.record(now, EventBody::AlertEnded { id });
        }
    }

    /// Compares what holds at all boards and agents with their alerts.
    pub(super) fn device_alerts(&mut self, now: Timestamp) {
        let devices: Vec<DeviceId> = self.state.devices.keys().cloned().collect();
        for device in devices {
            self.alerts_of(now, &device);
        }
        let agents: Vec<AgentId> = self.state.agents.keys().cloned().collect();
        for agent in agents {
            self.alerts_of_agent(now, &agent);
        }
    }

    /// Compares what holds at a board with its alerts.
    pub(super) fn alerts_of(&mut self, now: Timestamp, id: &DeviceId) {
        let Some(device) = self.state.devices.get(id) else {
            return;
        };
        let place = Place::Device(id.clone());
        let low = self.state.book.holds(&place, Code::BoardBatteryLow);
        let conditions = of_device(device, self.state.paired, low, now);
        if conditions.is_empty() && self.state.book.is_quiet(&place) {
            return;
        }
        self.compare(now, &place, &conditions);
    }

    fn alerts_of_agent(&mut self, now: Timestamp, id: &AgentId) {
        let Some(agent) = self.state.agents.get(id) else {
            return;
        };
        let place = Place::Agent(id.clone());
        let since = agent.since;
        let long = now.since(since) >= self.config.patience.agent_silent;
        let silent = !agent.presence.online && long;
        if !silent && self.state.book.is_quiet(&place) {
            return;
        }
        let tables = self.tables_of(id);
        let holds = silent && !tables.is_empty();
        let condition = holds.then(|| {
            let because = format!("Tables {}.", tables.join(", "));
            (Condition::new(Code::AgentSilent, 0, since), because)
        });
        self.compare(now, &place, condition.as_slice());
    }

    fn tables_of(&self, agent: &AgentId) -> Vec<String> {
        let devices = self.state.devices.values();
        devices
            .filter(|d| d.agent.as_ref() == Some(agent))
            .filter_map(|d| d.table)
            .map(|t| t.to_string())
            .collect()
    }

    /// Compares conditions, each with its reason, with the alerts of a board or an agent.
    fn compare(&mut self, now: Timestamp, place: &Place, holding: &[(Condition, String)]) {
        let conditions: Vec<Condition> = holding.iter().map(|(c, _)| *c).collect();
        for condition in self.state.book.news(place, &conditions) {
            let name = self.state.book.id_for(place, &condition);
            let because = holding.iter().filter(|(c, _)| *c == condition);
            let because = because.map(|(_, words)| words.clone()).collect();
            let mut alert = for_device(place, &condition, name, because);
            alert.table = self.table_of_place(place);
            self.raise(now, place, &condition, alert);
        }
        let past = self.state.book.past(place, &conditions);
        let past = past
            .into_iter()
            .map(|kept| (kept.alert.id.clone(), kept.alert.is_open(), "cleared"))
            .collect();
        self.end(now, past);
    }
}

/// Per cent of charge at which a board wants a battery, and at which it no longer does.
const LOW: u8 = 10;
const WELL: u8 = 20;

/// What holds at a board, each with its reason; `low` that its battery was low before.
fn of_device(device: &Device, paired: bool, low: bool, now: Timestamp) -> Vec<(Condition, String)> {
    let at = device.first_seen;
    let unknown = device.heard.is_some() && device.table.is_none() && paired;
    let mut found = Vec::new();
    if !device.also_claimed.is_empty() {
        let tables: Vec<String> = device.also_claimed.iter().map(TableId::to_string).collect();
        let because = format!("It stands on another table than {} too.", tables.join(", "));
        found.push((Condition::new(Code::TableClaimedTwice, 0, at), because));
    } else if unknown {
        let because = "Its facts are kept; bind it to its table.".to_owned();
        found.push((Condition::new(Code::DeviceUnknown, 0, at), because));
    }
    if let Some(refused) = &device.refused {
        let because = format!(
            "Agent {} numbered a fact {}, which cannot be: it was not taken, and no other fact is lost. \
             Start that agent again.",
            refused.agent, refused.seq
        );
        found.push((Condition::new(Code::RecordGap, 0, refused.at), because));
    }
    let because = battery(device, if low { WELL } else { LOW });
    found.extend(because.map(|words| (Condition::new(Code::BoardBatteryLow, 0, now), words)));
    found
}

fn battery(device: &Device, limit: u8) -> Option<String> {
    let battery = device.info.as_ref()?.health.battery?;
    let table = device
        .table
        .map_or(String::new(), |t| format!(" at table {t}"));
    (!battery.charging && battery.percent <= limit).then(|| {
        format!(
            "{} % left{table}; charge it or change the battery. The record is safe.",
            battery.percent
        )
    })
}

/// Why the condition of an alert holds no longer.
fn why_over(game: &Game, conditions: &[Condition], kept: &Kept) -> &'static str {
    let past = |c: &Condition| c.code == kept.code && c.cause == kept.cause | PAST;
    if kept.cause & PAST == 0 && conditions.iter().any(past) {
        return "lapsed";
    }
    let ply = ply_of(kept.cause);
    match game.irregularity(kept.code, ply).and_then(|i| i.over) {
        Some(Over::Lapsed) => "lapsed",
        Some(Over::Ruled) => "ruled",
        Some(Over::Corrected) | None => "cleared",
    }
}
