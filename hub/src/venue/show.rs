//! Publishes what changed: tables and alerts for the desk, boards for the hall and for those outside, control for devices.

use std::collections::{BTreeMap, BTreeSet};

use protocol::{
    AlertGroup, DeskRound, DeviceId, HallBoard, Side, TableId, TableResult, Timestamp, Topic,
    encode,
};

use super::event::Event;
use super::evolve::Changes;
use super::state::{PastRound, State, Table};
use super::{Output, Venue};
use crate::alerts::{Place, by_cause};
use crate::views::{
    Audience, Joined, Released, Seat, clocks, desk_without_record, hall, journal_line,
    ruling_lines, scalars, to_hall, to_house,
};

/// What was published last, so that only changes are published again.
#[derive(Debug, Default)]
pub(super) struct Shown {
    pub(super) boards: BTreeMap<(String, TableId), HallBoard>,
    scalars: BTreeMap<TableId, [String; 6]>,
    records: BTreeMap<TableId, Joined>,
    round: Option<DeskRound>,
    pub(super) due: BTreeMap<TableId, Timestamp>,
    pub(super) past_due: BTreeMap<(u16, TableId), Timestamp>,
    waiting: BTreeSet<TableId>,
    revision: u64,
}

impl Shown {
    /// A number for the next board that is shown, higher than every one before, also before a restart: time alone can bring a board
    /// to those outside, without any event. `number` is the last event's.
    pub(super) fn next_revision(&mut self, number: u64) -> u64 {
        self.revision = (self.revision + 1).max(number << SHOWINGS);
        self.revision
    }
}

/// Boards that are shown between two events have so many bits of a revision.
const SHOWINGS: u32 = 20;

/// How long a small change may wait for a larger one, milliseconds.
const SOON: u64 = 250;

impl Venue {
    /// Publishes everything that changed since the last time.
    pub(super) fn show(&mut self, now: Timestamp) {
        let changes = std::mem::take(&mut self.changes);
        self.wait_for_more(now, &changes);
        for device in changes.controls {
            self.show_control(device);
        }
        for table in changes.tables_gone {
            if !self.state.tables.contains_key(&table) {
                self.clear_table(table);
            }
            self.show_outside(now, table);
        }
        for table in changes.clocks {
            self.show_clocks(table);
        }
        for table in changes.hall {
            self.show_hall(now, table);
            self.show_outside(now, table);
        }
        for id in changes.alerts_gone {
            if self.state.book.get(&id).is_none() {
                self.publish(Topic::DeskAlert(id), true, Vec::new());
            }
        }
        for id in changes.alerts {
            self.show_alert(id);
        }
        for table in changes.desk {
            self.show_desk(table);
        }
        self.show_past(now, changes.past);
        if changes.round {
            self.show_round();
        }
    }

    /// Tables that changed a little are shown with their next change, or soon.
    fn wait_for_more(&mut self, now: Timestamp, changes: &Changes) {
        let waited = !self.shown.waiting.is_empty();
        let later = changes.later.iter();
        self.shown
            .waiting
            .extend(later.filter(|t| !changes.hall.contains(t)));
        self.shown
            .waiting
            .retain(|t| !(changes.desk.contains(t) && changes.hall.contains(t)));
        if !waited && !self.shown.waiting.is_empty() {
            self.others.push(Output::Wake(now.after(SOON)));
        }
    }

    /// Everything that waited is shown now.
    pub(super) fn show_waiting(&mut self) {
        let waiting = std::mem::take(&mut self.shown.waiting);
        self.changes.desk.extend(&waiting);
        self.changes.hall.extend(&waiting);
    }

    /// The line of an event in the journal's own list.
    pub(super) fn show_line(&mut self, event: &Event) {
        let line = self.changes.line.take();
        if let Some(line) = journal_line(event, line) {
            self.publish(Topic::DeskJournal, true, encode(&line));
        }
    }

    fn show_control(&mut self, device: DeviceId) {
        if let Some(known) = self.state.devices.get(&device)
            && known.control.generation > 0
        {
            let payload = encode(&known.control);
            self.publish(Topic::Control(device), true, payload);
        }
    }

    fn show_alert(&mut self, id: String) {
        if let Some(kept) = self.state.book.get(&id) {
            let payload = encode(&kept.alert);
            self.publish(Topic::DeskAlert(id), true, payload);
        }
    }

    fn clear_table(&mut self, table: TableId) {
        self.publish(Topic::DeskTable(table), true, Vec::new());
        self.publish(Topic::HallBoard(table), true, Vec::new());
        for name in SCALARS {
            let topic = Topic::HallScalar(table, name.to_owned());
            self.publish(topic, true, Vec::new());
        }
        self.shown.scalars.remove(&table);
        self.shown.records.remove(&table);
        for Audience { name, .. } in [Audience::hall(), Audience::house()] {
            let audience = name;
            self.others.push(Output::Gone { audience, table });
        }
    }

    fn show_desk(&mut self, id: TableId) {
        let Some(table) = self.state.tables.get(&id) else {
            return;
        };
        let view = desk_without_record(&table.game, seat(&self.state, id, table));
        let entries = table.game.record.entries();
        let record = self.shown.records.entry(id).or_default();
        let payload = record.fill(
            &encode(&view),
            "record",
            entries,
            crate::game::Entry::mark,
            |e| &e.ply,
        );
        self.publish(Topic::DeskTable(id), true, payload);
    }

    fn show_hall(&mut self, now: Timestamp, id: TableId) {
        let Some(table) = self.state.tables.get(&id) else {
            return;
        };
        let read = self.state.is_read(table);
        let unconfirmed = self.config.show_unconfirmed;
        let board = hall(id, &self.state.round, &table.game, read, unconfirmed);
        let revision = self.shown.next_revision(self.state.number);
        if self.config.house {
            let history = self.state.histories.get(&id);
            let leaves = to_house(board.clone(), history, now, revision);
            self.others.extend(leaves.map(Output::Hall));
        }
        let released = to_hall(board, now, revision);
        self.show_scalars(id, &released);
        self.publish(Topic::HallBoard(id), true, encode(&*released));
        self.others.push(Output::Hall(released));
    }

    fn show_clocks(&mut self, id: TableId) {
        let view = self.state.tables.get(&id).and_then(|t| t.game.clock.view);
        if let Some(view) = view {
            self.show_values(id, clocks(&view));
        }
    }

    fn show_scalars(&mut self, id: TableId, released: &Released<HallBoard>) {
        self.show_values(id, scalars(released));
    }

    /// Publishes those of the first plain values that are others now.
    fn show_values<const N: usize>(&mut self, id: TableId, values: [(&'static str, String); N]) {
        let known = self.shown.scalars.entry(id).or_default();
        let mut news = Vec::new();
        for ((name, value), old) in values.into_iter().zip(known) {
            if *old != value {
                old.clone_from(&value);
                news.push((name, value));
            }
        }
        for (name, value) in news {
            let topic = Topic::HallScalar(id, name.to_owned());
            self.publish(topic, true, value.into_bytes());
        }
    }

    fn show_round(&mut self) {
        let round = DeskRound {
            feeds: self.feeds.values().cloned().collect(),
            walls: self.walls.clone(),
            ..desk_round(&self.state)
        };
        if self.shown.round.as_ref() != Some(&round) {
            self.publish(Topic::DeskRound, true, encode(&round));
            self.shown.round = Some(round);
        }
    }
}

/// Names of the plain values beside a hall board.
const SCALARS: [&str; 6] = [
    "white/clock",
    "black/clock",
    "last-move",
    "turn",
    "result",
    "state",
];

fn seat<'a>(state: &'a State, id: TableId, table: &'a Table) -> Seat<'a> {
    let device = table.shown_device();
    let known = device.and_then(|d| state.devices.get(d));
    Seat {
        table: id,
        place: table.place.as_deref(),
        device,
        info: known.and_then(|d| d.info.as_ref()),
        heard: known.and_then(|d| d.heard),
        delay_ms: known.and_then(|d| d.delay_ms),
        read: state.is_read(table),
        alerts: state.book.open_at(&Place::Table(id)),
        held: state.histories.get(&id).is_some_and(|h| h.held().is_some()),
    }
}

fn desk_round(state: &State) -> DeskRound {
    let round = &state.round;
    let unbound = |(id, d): (&DeviceId, &super::Device)| {
        let without = d.table.is_none() && d.heard.is_some();
        (without || state.is_unpaired(d)).then(|| id.clone())
    };
    DeskRound {
        event: round.event.clone(),
        round: round.round,
        rounds: round.rounds,
        edition: round.edition,
        regime: round.regime,
        time_control: round.time_control.clone(),
        starts: state.started.or(round.starts),
        default_ms: round.default_ms,
        closing: state.closing,
        absent: state.tables.iter().flat_map(|t| absent(state, t)).collect(),
        tables: state.tables.iter().map(|(id, t)| line(*id, t)).collect(),
        unbound: state.devices.iter().filter_map(unbound).collect(),
        earlier: state.past.keys().copied().collect(),
        groups: groups(state),
        kept_back: super::past::kept_back(state),
        ..DeskRound::default()
    }
}

/// Alerts that begin within this time of each other may have one cause, milliseconds.
const TOGETHER: u64 = 10_000;

fn groups(state: &State) -> Vec<AlertGroup> {
    let mut groups = by_cause(state.book.all().map(|kept| &kept.alert), TOGETHER);
    groups.retain(|group| group.alerts.len() > 1);
    groups
}

/// An earlier round as arbiters see it.
pub(super) fn past_round(past: &PastRound) -> DeskRound {
    let round = &past.setup;
    DeskRound {
        event: round.event.clone(),
        round: round.round,
        rounds: round.rounds,
        edition: round.edition,
        regime: round.regime,
        time_control: round.time_control.clone(),
        starts: round.starts,
        default_ms: round.default_ms,
        tables: past.tables.iter().map(|(id, t)| line(*id, t)).collect(),
        ..DeskRound::default()
    }
}

/// Players of a table without a move after the start, with the moment of the default time (6.7.1): absence itself is not seen.
fn absent(
    state: &State,
    (id, table): (&TableId, &Table),
) -> Vec<(TableId, Side, Option<Timestamp>)> {
    let game = &table.game;
    let first = game.record.start().turn();
    let sides: &[Side] = match game.record.len() {
        0 => &[first, first.other()],
        1 => &[first.other()],
        _ => &[],
    };
    let started = state.started.or(state.round.starts);
    if game.standing.is_some() || started.is_none() {
        return Vec::new();
    }
    let default_ms = state.round.default_ms;
    let until = started
        .filter(|_| default_ms > 0)
        .map(|s| s.after(default_ms));
    sides.iter().map(|side| (*id, *side, until)).collect()
}

fn line(id: TableId, table: &Table) -> TableResult {
    let game = &table.game;
    TableResult {
        table: id,
        game: game.setup.id.clone(),
        players: game.setup.players.clone(),
        time_control: game.setup.time_control.clone(),
        standing: game.standing,
        signed: game.signed,
        illegal_moves: game.illegal_moves,
        ruling: ruling_lines(game)
            .into_iter()
            .rfind(|r| r.undoable && !r.countered),
    }
}
