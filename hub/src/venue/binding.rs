//! Which board stands on which table, and what the hub wants of each: tables that open by themselves, control.

use protocol::{Adopt, Boot, Control, DeviceId, Seq, TableId, Timestamp};

use super::Venue;
use super::event::EventBody;
use super::state::{Device, Table, is_clock};
use crate::game::{GameEvent, Source};
use crate::rounds::{RoundSetup, TableSetup};

/// How often a board is asked to start again from the record before an arbiter is needed.
const ASKED_AGAIN: u32 = 3;

impl Venue {
    /// Puts a board on a table, or takes it away.
    pub(super) fn bind(
        &mut self,
        now: Timestamp,
        table: TableId,
        device: Option<DeviceId>,
        by: &str,
    ) {
        let seat = self.state.tables.get(&table);
        let before = seat.map(|t| [t.device.clone(), t.clock.clone()]);
        self.seat(now, table, device.clone(), by);
        let before = before.into_iter().flatten().flatten();
        for device in before.chain(device) {
            self.alerts_of(now, &device);
        }
    }

    /// The same, before the alerts of the boards are looked at.
    pub(super) fn seat(
        &mut self,
        now: Timestamp,
        table: TableId,
        device: Option<DeviceId>,
        by: &str,
    ) {
        let clock = device.as_ref().is_some_and(is_clock);
        let seat = self.state.tables.get(&table);
        let before = seat.and_then(|t| match &device {
            Some(_) if clock => t.clock.clone(),
            Some(_) => t.device.clone(),
            None => t.shown_device().cloned(),
        });
        if before == device {
            return;
        }
        let waiting = device
            .as_ref()
            .and_then(|d| self.state.devices.get(d))
            .map_or(Vec::new(), |d| d.unplaced.clone());
        let displaced = device.as_ref().and_then(|d| self.state.displaced(d, table));
        if let Some(device) = &device {
            self.carry_along(now, device, table, by);
        }
        self.record(
            now,
            EventBody::Bound {
                table,
                device: device.clone(),
                by: by.to_owned(),
            },
        );
        if let Some((from, board)) = displaced {
            self.seat(now, from, Some(board), by);
        }
        // Only the board that stood there can have lost its table.
        if before.is_some() {
            self.free_controls(now);
        }
        if let (false, Some(device)) = (self.has_record(table), &device) {
            for fact in &waiting {
                self.decide(now, device, fact);
            }
        }
        if !clock {
            self.set_control(now, table, self.has_record(table));
            self.begin_when_set_up(now, table);
        }
        self.touched.insert(table);
    }

    fn has_record(&self, table: TableId) -> bool {
        let table = self.state.tables.get(&table);
        table.is_some_and(|t| !t.game.record.is_empty())
    }

    /// A board that was not there before.
    pub(super) fn new_device(&mut self, now: Timestamp, device: &DeviceId) {
        let bound = self.state.devices.get(device).and_then(|d| d.table);
        match (bound, self.config.casual.clone()) {
            (Some(table), _) => {
                self.set_control(now, table, self.has_record(table));
                self.touched.insert(table);
            }
            (None, Some(round)) if !self.state.paired => self.open_casual(now, device, round),
            (None, _) => self.alerts_of(now, device),
        }
    }

    fn open_casual(&mut self, now: Timestamp, device: &DeviceId, round: RoundSetup) {
        let Some(free) = (1..=u16::MAX)
            .map(TableId)
            .find(|t| !self.state.tables.contains_key(t))
        else {
            return;
        };
        let setup = TableSetup::new(free, "?", "?");
        self.record(now, EventBody::TableOpened { round, setup });
        self.bind(now, free, Some(device.clone()), "hub");
    }

    /// The agent of a board has started again: it begins from the hub's record.
    pub(super) fn start_again(&mut self, now: Timestamp, device: &DeviceId) {
        let table = self.state.devices.get(device).and_then(|d| d.table);
        let begun = |t: &TableId| {
            let table = self.state.tables.get(t);
            table.is_some_and(|t| !t.game.record.is_empty() || t.game.held.is_some())
        };
        if let Some(table) = table.filter(begun) {
            self.set_control(now, table, true);
        }
    }

    /// Boards that were asked to start from a record which has grown since by facts of an earlier start.
    pub(super) fn catch_up_controls(&mut self, now: Timestamp) {
        let behind: Vec<TableId> = self
            .state
            .devices
            .values()
            .filter(|d| d.behind)
            .filter_map(|d| d.table)
            .collect();
        for table in behind {
            self.set_control(now, table, true);
        }
    }

    /// A fact did not follow the record: the board starts again from it, a few times at most.
    pub(super) fn ask_again(&mut self, now: Timestamp, table: TableId) {
        let stray = self
            .state
            .tables
            .get(&table)
            .and_then(|t| t.game.stray.as_ref());
        if stray.is_some_and(|s| s.count <= ASKED_AGAIN) {
            self.hold(now, table, Source::Hub);
        }
    }

    /// The board starts again from the record; facts about moves are not taken until it has.
    pub(super) fn hold(&mut self, now: Timestamp, table: TableId, source: Source) {
        let bound = self
            .state
            .tables
            .get(&table)
            .is_some_and(|t| t.device.is_some());
        if !bound {
            return;
        }
        if let Some(generation) = self.set_control(now, table, true) {
            let held = GameEvent::Held {
                generation,
                since: now,
            };
            self.game(now, table, source, held);
        }
    }

    /// Sets the control of a table's board if it is another one now; a game that has moves goes on with them.
    pub(super) fn renew_control(&mut self, now: Timestamp, table: TableId) {
        let Some(seat) = self.state.tables.get(&table) else {
            return;
        };
        let device = seat.device.as_ref().and_then(|d| self.state.devices.get(d));
        let differs =
            device.is_some_and(|d| !is_same(&wanted(now, table, seat, d, false), &d.control));
        if differs {
            self.set_control(now, table, self.has_record(table));
        }
    }

    /// Sets the control of a table's board if it is another one now; answers its generation.
    pub(super) fn set_control(
        &mut self,
        now: Timestamp,
        table: TableId,
        adopt: bool,
    ) -> Option<u64> {
        let seat = self.state.tables.get(&table)?;
        let id = seat.device.clone()?;
        let device = self.state.devices.get(&id)?;
        let control = wanted(now, table, seat, device, adopt);
        if !adopt && is_same(&control, &device.control) {
            return Some(device.control.generation);
        }
        let generation = control.generation;
        self.record(
            now,
            EventBody::ControlSet {
                device: id,
                control,
            },
        );
        Some(generation)
    }
}

/// Whether two controls want the same game, wherever it is to start from.
fn is_same(one: &Control, other: &Control) -> bool {
    let one = Control {
        generation: other.generation,
        adopt: other.adopt.clone(),
        ..one.clone()
    };
    one == *other
}

/// What the hub wants of the board of a table.
fn wanted(now: Timestamp, table: TableId, seat: &Table, device: &Device, adopt: bool) -> Control {
    let game = &seat.game;
    Control {
        generation: next_generation(device, now),
        table: Some(table),
        game: (!game.array_awaited).then(|| game.setup.id.clone()),
        edition: game.setup.edition,
        start_fen: game.setup.start_fen.clone(),
        chess960: game.setup.chess960,
        over: game.is_over() || game.adjourned.is_some(),
        adopt: adopt.then(|| Adopt {
            after: last_seen(device),
            line: game.record.line(),
            position: game.record.position().fen(),
        }),
    }
}

/// Generations rise with the time, so that a hub whose data were lost is still followed.
pub(super) fn next_generation(device: &Device, now: Timestamp) -> u64 {
    let by_time = u64::try_from(now.0).unwrap_or(0);
    by_time.max(device.control.generation + 1)
}

fn last_seen(device: &Device) -> Option<(Boot, Seq)> {
    let (agent, boot) = (device.agent.as_ref()?, device.boot.as_ref()?);
    Some((boot.clone(), device.numbers.last(agent, boot)))
}
