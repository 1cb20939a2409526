//! Alerts raised and closed: the conditions that hold now are compared with the book.

use protocol::{AgentId, Alert, DeviceId, TableId, Timestamp};

use super::Venue;
use super::event::EventBody;
use super::neighbours::exchanged;
use super::state::{Agent, AlsoRead, Device, Table};
use crate::alerts::{Condition, Devices, Kept, PAST, Place, for_device, for_game, of_game, ply_of};
use crate::game::{Game, Over};
use crate::laws::Code;

impl Venue {
    /// Compares what holds at a table with its alerts.
    pub(super) fn table_alerts(&mut self, now: Timestamp, id: TableId) {
        let Some(table) = self.state.tables.get(&id) else {
            return self.nothing_holds(now, id);
        };
        if self.behind.get(&id).is_some_and(|behind| behind.waits(now)) {
            return;
        }
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
            let known = self.prospects(id);
            let alert = for_game(&table.game, &devices, &place, &condition, name, known);
            self.raise(now, &place, &condition, alert);
        }
        self.tell_again(now, id, &devices, &conditions);
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

    /// A table that is gone has no alerts.
    fn nothing_holds(&mut self, now: Timestamp, id: TableId) {
        let past = self.state.book.past(&Place::Table(id), &[]);
        let past = past
            .into_iter()
            .map(|kept| (kept.alert.id.clone(), kept.alert.is_open(), "cleared"))
            .collect();
        self.end(now, past);
    }

    /// Open alerts whose facts have grown since they were told: their words follow.
    fn tell_again(
        &mut self,
        now: Timestamp,
        id: TableId,
        devices: &Devices,
        conditions: &[Condition],
    ) {
        let place = Place::Table(id);
        let Some(table) = self.state.tables.get(&id) else {
            return;
        };
        let mark = (!self.state.book.is_quiet(&place)).then(|| facts_mark(&table.game));
        if self.told.get(&id).copied() == mark {
            return;
        }
        let game = &table.game;
        let standing = self.state.book.standing(&place, conditions);
        let again = standing.map(|(kept, condition)| {
            let name = (kept.alert.id.clone(), Vec::new());
            for_game(game, devices, &place, condition, name, self.prospects(id))
        });
        let grown = |alert: &Alert| {
            let known = self.state.book.get(&alert.id).map(|kept| &kept.alert);
            known.is_some_and(|known| !says_the_same(known, alert))
        };
        let news: Vec<Alert> = again.filter(grown).collect();
        match mark {
            Some(mark) => self.told.insert(id, mark),
            None => self.told.remove(&id),
        };
        for alert in news {
            self.record(now, EventBody::AlertTold { alert });
        }
    }

    fn devices_of(&self, now: Timestamp, id: TableId, table: &Table) -> Devices {
        let device = table.shown_device();
        let device = device.and_then(|d| self.state.devices.get(d));
        let clock = table.clock.as_ref();
        let clock = clock.and_then(|d| self.state.devices.get(d));
        Devices {
            bound: device.is_some(),
            board_out: device.and_then(|d| self.state.board_out(d)),
            asked_long: device.is_some_and(|d| d.state_word() == "silent"),
            clock_out: match clock {
                Some(clock) => self.state.board_out(clock).or(clock.clock_out),
                None => device.and_then(|d| d.clock_out),
            },
            heard: device.and_then(|d| self.state.heard(d)),
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
        let mut conditions = of_device(device, self.state.is_unpaired(device), low, now);
        conditions.extend(
            self.state
                .also_read(device)
                .and_then(|a| read_twice(device, a)),
        );
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
        let full = agent.presence.online && self.disk_is_full(agent);
        if !silent && !full && self.state.book.is_quiet(&place) {
            return;
        }
        let tables = self.tables_of(id);
        let mut holding = Vec::new();
        if silent && !tables.is_empty() {
            let because = format!("Tables {}.", tables.join(", "));
            holding.push((Condition::new(Code::AgentSilent, 0, since), because));
        }
        if full {
            let because = "It tells its facts from memory: they are lost if it is ended before the hub has them. \
                           Make room where its `state` folder lies; it goes on by itself.";
            holding.push((
                Condition::new(Code::AgentDiskFull, 0, now),
                because.to_owned(),
            ));
        }
        self.compare(now, &place, &holding);
    }

    /// Whether one of the boards of this start of the agent says so.
    fn disk_is_full(&self, agent: &Agent) -> bool {
        let devices = self.state.devices.values();
        let mut infos = devices.filter_map(|d| d.info.as_ref());
        let present = &agent.presence;
        infos.any(|info| {
            let of_it = info.agent == present.agent && info.boot == present.boot;
            of_it && info.health.state == "disk-full"
        })
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
        self.tell_device_again(now, place, holding);
        let past = self.state.book.past(place, &conditions);
        let past = past
            .into_iter()
            .map(|kept| (kept.alert.id.clone(), kept.alert.is_open(), "cleared"))
            .collect();
        self.end(now, past);
    }
}

impl Venue {
    /// What is said of a board or an agent follows what holds.
    fn tell_device_again(
        &mut self,
        now: Timestamp,
        place: &Place,
        holding: &[(Condition, String)],
    ) {
        let conditions: Vec<Condition> = holding.iter().map(|(c, _)| *c).collect();
        let standing = self.state.book.standing(place, &conditions);
        let again = standing.filter_map(|(kept, condition)| {
            let (_, words) = holding.iter().find(|(c, _)| c == condition)?;
            let because = vec![words.clone()];
            let table = self.table_of_place(place);
            (kept.alert.because != because || kept.alert.table != table).then(|| Alert {
                because,
                table,
                ..kept.alert.clone()
            })
        });
        let news: Vec<Alert> = again.collect();
        for alert in news {
            self.record(now, EventBody::AlertTold { alert });
        }
    }
}

/// Another number whenever the facts an alert may tell of are others; readings of a clock that runs as it should are none.
fn facts_mark(game: &Game) -> u64 {
    use std::hash::{DefaultHasher, Hash, Hasher};
    let mut mark = DefaultHasher::new();
    game.revision.hash(&mut mark);
    game.record.len().hash(&mut mark);
    game.setup.id.hash(&mut mark);
    game.gap.map(|gap| (gap.from, gap.to)).hash(&mut mark);
    game.stray.as_ref().map(|s| s.count > 1).hash(&mut mark);
    game.standing_words.hash(&mut mark);
    let squares = |squares: &[protocol::SquareName]| -> u64 {
        squares.iter().fold(0, |all, s| all | 1 << u32::from(s.0))
    };
    game.differs
        .as_ref()
        .map(|d| squares(&d.squares))
        .hash(&mut mark);
    game.wrong_array
        .as_ref()
        .map(|w| squares(&w.squares))
        .hash(&mut mark);
    for (uncertain, _) in &game.uncertain {
        (uncertain.ply, uncertain.choices.len()).hash(&mut mark);
    }
    let off = game.clock.model.off().map(|(_, ms)| ms / SUM_STEP);
    off.hash(&mut mark);
    let due = game.clock.due.map(|due| due.lacks);
    let read = game.clock.view.filter(|_| due.is_some());
    due.map(|lacks| lacks.map(|l| (l.white, l.black)))
        .hash(&mut mark);
    read.map(|view| view.at.0.div_euclid(TIMES_STEP))
        .hash(&mut mark);
    mark.finish()
}

/// A sum of both clocks that is off by so much more is told again, milliseconds.
const SUM_STEP: i64 = 30_000;

/// Times to set on a clock that runs are told again so often, milliseconds.
const TIMES_STEP: i64 = 10_000;

fn says_the_same(one: &Alert, other: &Alert) -> bool {
    one.headline == other.headline && one.because == other.because && one.proposal == other.proposal
}

/// Per cent of charge at which a board wants a battery, and at which it no longer does.
const LOW: u8 = 10;
const WELL: u8 = 20;

/// What holds at a board, each with its reason; `low` that its battery was low before.
fn of_device(
    device: &Device,
    unknown: bool,
    low: bool,
    now: Timestamp,
) -> Vec<(Condition, String)> {
    let at = device.first_seen;
    let mut found = Vec::new();
    if !device.also_claimed.is_empty() {
        let tables: Vec<String> = device.also_claimed.iter().map(TableId::to_string).collect();
        let tables = tables.join(", ");
        let because = match device.table {
            Some(_) => format!("It stands on another table than {tables} too."),
            None => format!("Its kings name table {tables}, where another board answers."),
        };
        found.push((Condition::new(Code::TableClaimedTwice, 0, at), because));
    } else if unknown {
        let because = match device.table {
            Some(table) => format!(
                "It plays at table {table}, which nobody has paired; bind it to its table, and the game goes along."
            ),
            None => "Its facts are kept; bind it to its table.".to_owned(),
        };
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

/// Two agents say that they read one board: two boards share its name, or it has two lines.
fn read_twice(device: &Device, also: &AlsoRead) -> Option<(Condition, String)> {
    let mut both = [device.info.as_ref()?, &also.info];
    both.sort_by_key(|info| &info.agent);
    let [one, other] = both.map(|info| format!("{} ({})", info.agent, info.port));
    let because = format!(
        "Agents {one} and {other} both read a board of this name: what one says is mixed with what the other says. \
         Take one of the two boards away, or end the agent that should not read it."
    );
    let condition = Condition::new(Code::DeviceClaimedTwice, 0, also.since);
    Some((condition, because))
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
