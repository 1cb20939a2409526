//! Makes the next state of the venue from an event; asks nobody and decides nothing, so that a replay gives what was.

use std::collections::{BTreeMap, BTreeSet};

use protocol::{AgentPresence, DeviceId, DeviceInfo, LogLine, TableId, Timestamp, Urgency};

use super::carrying;
use super::event::{Event, EventBody, Ruling};
use super::gesture::Awaiting;
use super::past;
use super::seating;
use super::sense::{healthy, known_device, received, sense};
use super::state::{
    Agent, AlsoRead, ClosingRound, GameAt, LastOrder, RefusedFact, State, Table, is_clock,
};
use crate::game::{Game, GameEvent, RulingMemo, Source};

/// What an event changed, for those who show it.
#[derive(Debug, Clone, Default)]
pub(super) struct Changes {
    /// Tables that look different at the desk.
    pub(super) desk: BTreeSet<TableId>,
    /// Tables that may look different in the hall.
    pub(super) hall: BTreeSet<TableId>,
    /// Tables whose difference may wait a moment for more.
    pub(super) later: BTreeSet<TableId>,
    /// Tables whose clock was read.
    pub(super) clocks: BTreeSet<TableId>,
    /// Tables that are gone.
    pub(super) tables_gone: BTreeSet<TableId>,
    /// Alerts that look different.
    pub(super) alerts: BTreeSet<String>,
    /// Alerts that are gone.
    pub(super) alerts_gone: BTreeSet<String>,
    /// Devices whose control changed.
    pub(super) controls: BTreeSet<DeviceId>,
    /// The round looks different.
    pub(super) round: bool,
    /// Games of earlier rounds that look different.
    pub(super) past: BTreeSet<(u16, TableId)>,
    /// Line of a table's log.
    pub(super) line: Option<(TableId, LogLine)>,
}

impl Changes {
    /// These changes and then others.
    pub(super) fn and(&mut self, others: Changes) {
        self.desk.extend(others.desk);
        self.hall.extend(others.hall);
        self.later.extend(others.later);
        self.clocks.extend(others.clocks);
        self.tables_gone.extend(others.tables_gone);
        self.alerts.extend(others.alerts);
        self.alerts_gone.extend(others.alerts_gone);
        self.controls.extend(others.controls);
        self.round |= others.round;
        self.past.extend(others.past);
        self.line = others.line.or(self.line.take());
    }
}

/// Rulings that are kept with a game.
const RULINGS: usize = 64;

/// Clients whose last order is remembered.
const CLIENTS: usize = 256;

/// Changes the state by an event.
pub(super) fn evolve(state: &mut State, event: &Event, changes: &mut Changes) {
    state.number = event.number;
    let at = event.at;
    follow_clock(state, event);
    match &event.body {
        EventBody::HubStarted { .. } => {
            state.listens = at;
            changes.hall.extend(state.tables.keys());
        }
        EventBody::ClockSet { .. } => {}
        EventBody::Held {
            table,
            past: Some(round),
            ..
        } => {
            past::let_go(state, *round, *table, changes);
            changes.round = true;
        }
        EventBody::Held { table, held, .. } => {
            let history = state.histories.entry(*table).or_default();
            history.hold(held.then_some(at));
            changes.hall.insert(*table);
            changes.desk.insert(*table);
            changes.round = true;
        }
        EventBody::FactReceived { device, envelope } => {
            received(state, at, device, envelope, changes);
        }
        EventBody::EarlyFactTaken {
            device,
            agent,
            boot,
            seq,
        } => {
            let known = state.devices.get_mut(device);
            if let Some(fact) = known.and_then(|d| d.numbers.take(agent, boot, *seq, at)) {
                sense(state, at, device, &fact, changes);
            }
        }
        EventBody::FactsMissed {
            device,
            agent,
            boot,
            to,
            ..
        } => {
            if let Some(device) = state.devices.get_mut(device) {
                device
                    .numbers
                    .skip_to(agent, boot, to.saturating_add(1), at);
            }
        }
        EventBody::FactRefused {
            device,
            agent,
            boot,
            seq,
        } => {
            known_device(state, at, device).refused = Some(RefusedFact {
                agent: agent.clone(),
                boot: boot.clone(),
                seq: *seq,
                at,
            });
        }
        EventBody::AgentChanged { presence } => agent(state, at, presence, changes),
        EventBody::DeviceChanged { info } => info_changed(state, at, info, changes),
        EventBody::RoundOpened { setup, goes_on } => {
            forget_claims(state);
            seating::open_round(state, at, setup, *goes_on, changes);
        }
        EventBody::GameCarried { from, to, .. } => carrying::carry(state, *from, *to, changes),
        EventBody::RoundStarted { .. } => {
            state.started = Some(at);
            changes.round = true;
        }
        EventBody::RoundClosing { by, .. } => {
            state.closing = Some(at);
            closing(state, event.number, by);
            changes.round = true;
        }
        EventBody::RoundReopened { .. } => {
            state.closing = None;
            state.closed_by = None;
            changes.round = true;
        }
        EventBody::TableOpened { round, setup } => {
            seating::open_table(state, round, setup, changes);
        }
        EventBody::NextGame { table, annulled } => next_game(state, *table, *annulled, changes),
        EventBody::Bound { table, device, .. } => bind(state, *table, device.as_ref(), changes),
        EventBody::GestureAwaited { table, until, .. } => {
            state.awaiting = Some(Awaiting {
                table: *table,
                until: *until,
            });
        }
        EventBody::ClaimedTwice { device, table } => {
            let device = state.devices.entry(device.clone()).or_default();
            if !device.also_claimed.contains(table) && device.also_claimed.len() < 16 {
                device.also_claimed.push(*table);
            }
        }
        EventBody::ControlSet { device, control } => {
            let known = state.devices.entry(device.clone()).or_default();
            known.control = control.clone();
            known.behind = false;
            changes.controls.insert(device.clone());
        }
        EventBody::Game {
            past: None,
            table,
            source,
            event,
        } => game(state, at, *table, source, event, changes),
        EventBody::Game {
            past: Some(round),
            table,
            source,
            event,
        } => past::game(state, at, (*round, *table), source, event, changes),
        EventBody::RulingGiven {
            past,
            table,
            ruling,
        } => {
            let seat = table.map(|table| GameAt { past: *past, table });
            ruled(state, event.number, at, seat, ruling);
            match past {
                None => changes.desk.extend(*table),
                Some(round) => changes.past.extend(table.map(|t| (*round, t))),
            }
        }
        EventBody::RulingCountered {
            past,
            table,
            ruling,
        } => {
            let seat = GameAt {
                past: *past,
                table: *table,
            };
            if let Some(table) = state.table_at_mut(seat) {
                let memos = table.game.rulings.iter_mut();
                memos
                    .filter(|m| m.number == *ruling)
                    .for_each(|m| m.countered = true);
            }
        }
        body => alert(state, at, body, changes),
    }
}

/// A delay is a time that passes, whatever the clock is set to.
fn follow_clock(state: &mut State, event: &Event) {
    let by_ms = match event.body {
        EventBody::ClockSet { by_ms } => by_ms,
        _ if event.at < state.latest => event.at.0.saturating_sub(state.latest.0),
        _ => 0,
    };
    if by_ms != 0 {
        state.histories.values_mut().for_each(|h| h.shift(by_ms));
        past::shift(state, by_ms);
    }
    state.latest = event.at;
}

fn alert(state: &mut State, at: Timestamp, body: &EventBody, changes: &mut Changes) {
    let book = &mut state.book;
    let id = match body {
        EventBody::AlertRaised { kept } => {
            book.raise(kept.clone());
            &kept.alert.id
        }
        EventBody::AlertTaken { id, by } => {
            book.take(id, by, at);
            id
        }
        EventBody::AlertGivenBack { id, .. } => {
            book.give_back(id);
            id
        }
        EventBody::AlertSnoozed { id, until, by } => {
            book.snooze(id, by, *until);
            id
        }
        EventBody::AlertClosed { id, why, by } => {
            book.close(id, why, by.as_deref(), at);
            id
        }
        EventBody::AlertTold { alert } => {
            book.tell(alert);
            &alert.id
        }
        EventBody::AlertEnded { id } => {
            book.let_go(id);
            return;
        }
        _ => return,
    };
    changes.alerts.insert(id.clone());
    changes.round |= book
        .get(id)
        .is_some_and(|k| k.alert.urgency == Urgency::Tech);
    changes.alerts_gone.extend(book.forget_old());
    if let Some(table) = book.get(id).and_then(|k| k.place.table()) {
        changes.desk.insert(table);
    }
}

fn agent(state: &mut State, at: Timestamp, presence: &AgentPresence, changes: &mut Changes) {
    let id = presence.agent.clone();
    let same = state
        .agents
        .get(&id)
        .filter(|a| a.presence.online == presence.online && a.presence.boot == presence.boot);
    let since = same.map_or(at, |a| a.since);
    let agent = Agent {
        presence: presence.clone(),
        since,
    };
    state.agents.insert(id.clone(), agent);
    for device in state.devices.values() {
        if device.agent.as_ref() == Some(&id) {
            changes.desk.extend(device.table);
            changes.hall.extend(device.table);
        }
    }
}

fn info_changed(state: &mut State, at: Timestamp, info: &DeviceInfo, changes: &mut Changes) {
    let other = other_reader(state, at, info);
    let device = known_device(state, at, &info.device);
    let leaves = device.also_read.take().filter(|_| !info.health.board);
    let of_other = |i: &DeviceInfo| i.agent != info.agent;
    let info = match leaves {
        // The one that goes is not the one the board is heard from, or leaves it to the other.
        Some(_) if device.info.as_ref().is_some_and(of_other) => return,
        Some(also) if of_other(&also.info) => &also.info.clone(),
        _ => info,
    };
    device.also_read = other;
    device.agent = Some(info.agent.clone());
    device.boot = Some(info.boot.clone());
    device.refused.take_if(|r| r.boot != info.boot);
    device.info = Some(info.clone());
    device.heard = Some(at);
    healthy(device, at, &info.health);
    changes.desk.extend(device.table);
    changes.hall.extend(device.table);
    changes.round |= device.table.is_none();
}

/// What another agent says that reads the board at the same time.
fn other_reader(state: &State, at: Timestamp, info: &DeviceInfo) -> Option<AlsoRead> {
    let device = state.devices.get(&info.device)?;
    let also = device.also_read.as_ref();
    let said = device.info.as_ref().into_iter();
    let mut others = said.chain(also.map(|a| &a.info));
    let other = others.find(|i| i.agent != info.agent && state.reads(i));
    let since = also.map_or(at, |a| a.since);
    other.filter(|_| info.health.board).map(|i| AlsoRead {
        info: i.clone(),
        since,
    })
}

/// Remembers what the closing of the round may publish, as it is before.
fn closing(state: &mut State, number: u64, by: &str) {
    let mut published = state
        .closed_by
        .take()
        .map_or_else(BTreeMap::new, |c| c.published);
    let tables = state.tables.iter();
    published.extend(tables.filter_map(|(id, t)| Some((*id, t.game.unpublished()?))));
    state.closed_by = Some(ClosingRound {
        number,
        by: by.to_owned(),
        published,
    });
}

fn next_game(state: &mut State, id: TableId, annulled: bool, changes: &mut Changes) {
    let waits = |table: &Table| annulled && state.waits_for_array(id, &table.game);
    let waits = state.tables.get(&id).is_some_and(waits);
    let Some(table) = state.tables.get_mut(&id) else {
        return;
    };
    table.games += 1;
    let agreed = crate::game::GameSetup {
        id: super::state::game_id(table.game.setup.round, id, table.games),
        ..table.game.setup.clone()
    };
    if let Ok(mut game) = Game::new(agreed) {
        game.array_awaited = waits;
        let before = std::mem::replace(&mut table.game, game);
        table.annulled = annulled.then(|| Box::new(before));
    }
    changes.desk.insert(id);
    changes.hall.insert(id);
    changes.round = true;
}

/// New pairings say anew which tables name one board; what kings have named on a board without a table stands.
fn forget_claims(state: &mut State) {
    for device in state.devices.values_mut().filter(|d| d.table.is_some()) {
        device.also_claimed.clear();
    }
}

fn bind(state: &mut State, id: TableId, device: Option<&DeviceId>, changes: &mut Changes) {
    let clock = device.is_some_and(is_clock);
    let table = state.tables.get(&id);
    let before = table.map(|t| (t.device.clone(), t.clock.clone()));
    let (board_before, clock_before) = before.unwrap_or_default();
    // Taking everything away takes the clock too.
    let gone = [
        board_before.filter(|_| !clock),
        clock_before.filter(|_| clock || device.is_none()),
    ];
    gone.iter().for_each(|gone| unbind(state, gone.as_ref()));
    if let Some(device) = device {
        let elsewhere = state.devices.get(device).and_then(|d| d.table);
        if let Some(other) = elsewhere.and_then(|t| state.tables.get_mut(&t)) {
            other.device.take_if(|d| d == device);
            other.clock.take_if(|d| d == device);
        }
        changes.desk.extend(elsewhere);
        changes.hall.extend(elsewhere);
        let known = state.devices.entry(device.clone()).or_default();
        known.table = Some(id);
        state.awaiting.take_if(|awaiting| awaiting.table == id);
        known.also_claimed.retain(|t| *t != id);
        known.unplaced.clear();
    }
    if let Some(table) = state.tables.get_mut(&id) {
        match device {
            Some(device) if clock => table.clock = Some(device.clone()),
            Some(device) => table.device = Some(device.clone()),
            None => (table.device, table.clock) = (None, None),
        }
    }
    changes.desk.insert(id);
    changes.hall.insert(id);
    changes.round = true;
}

pub(super) fn unbind(state: &mut State, device: Option<&DeviceId>) {
    if let Some(device) = device.and_then(|d| state.devices.get_mut(d)) {
        device.table = None;
    }
}

pub(super) fn game(
    state: &mut State,
    at: Timestamp,
    id: TableId,
    source: &Source,
    event: &GameEvent,
    changes: &mut Changes,
) {
    let Some(table) = state.tables.get_mut(&id) else {
        return;
    };
    if *event == GameEvent::Reinstated {
        reinstate(table);
    }
    let done = crate::game::evolve(&mut table.game, at, source, event);
    if matches!(event, GameEvent::Settled { .. }) {
        forget_annulled(table);
    }
    if matches!(event, GameEvent::ClockRead { .. }) {
        changes.clocks.insert(id);
    }
    if done.waits && (done.desk || done.hall) {
        changes.later.insert(id);
    } else if done.desk {
        changes.desk.insert(id);
        if done.hall {
            changes.hall.insert(id);
        }
    }
    changes.round |= matches!(
        event,
        GameEvent::ResultProposed { .. }
            | GameEvent::ProposalWithdrawn
            | GameEvent::ResultSet { .. }
            | GameEvent::IllegalCounted { .. }
    ) || matches!(event, GameEvent::PlyMade { number, .. } if *number <= 2);
    changes.line = done.line.map(|line| (id, line));
    mark_behind(state, id, source, event);
}

/// The annulled game stands again, with the number of changes of both, so that nothing that rests on either is mistaken.
fn reinstate(table: &mut Table) {
    if let Some(game) = table.annulled.take() {
        let revision = table.game.revision;
        table.game = *game;
        table.game.revision = table.game.revision.max(revision);
    }
}

/// Settled moves of its own make the new game the one that counts; the annulled one stays in the journal alone.
fn forget_annulled(table: &mut Table) {
    let record = &table.game.record;
    table.annulled.take_if(|before| {
        let settled = record.settled_ply() as usize;
        !before.record.line().starts_with(&record.line()[..settled])
    });
}

/// An earlier start of the agent told more of the game than the board was asked to start from.
fn mark_behind(state: &mut State, table: TableId, source: &Source, event: &GameEvent) {
    let moves = matches!(
        event,
        GameEvent::PlyMade { .. } | GameEvent::LineRevised { .. }
    );
    let device = state.tables.get(&table).and_then(|t| t.device.as_ref());
    let device = device.and_then(|d| state.devices.get_mut(d));
    if let (true, Source::Fact(fact), Some(device)) = (moves, source, device) {
        device.behind |= device.boot.as_ref().is_some_and(|boot| *boot != fact.boot);
    }
}

fn ruled(state: &mut State, number: u64, at: Timestamp, seat: Option<GameAt>, ruling: &Ruling) {
    let (client, order) = &ruling.order;
    if state.orders.len() >= CLIENTS && !state.orders.contains_key(client) {
        state.orders.pop_first();
    }
    let last = LastOrder {
        id: *order,
        body: ruling.body.clone(),
        ruling: number,
        words: ruling.words.clone(),
    };
    state.orders.insert(client.clone(), last);
    let table = seat.and_then(|seat| state.table_at_mut(seat));
    let Some(table) = table.filter(|_| !ruling.is_note()) else {
        return;
    };
    table.game.remember(LogLine {
        at,
        kind: "ruling".to_owned(),
        words: ruling.words.clone(),
        source: format!("{} #{number}", ruling.by),
    });
    let rulings = &mut table.game.rulings;
    if rulings.len() >= RULINGS {
        rulings.remove(0);
    }
    rulings.push(RulingMemo {
        number,
        at,
        by: ruling.by.clone(),
        words: ruling.words.clone(),
        article: ruling.article.clone(),
        undo: ruling.undo.clone(),
        record_version: table.game.record.version(),
        countered: false,
    });
}
