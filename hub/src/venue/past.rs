//! Earlier rounds: kept when the next one opens, shown as they ended, corrected by counter-rulings.

use std::collections::BTreeMap;
use std::sync::Arc;

use protocol::{TableId, Timestamp, Topic, encode};

use super::evolve::Changes;
use super::show::past_round;
use super::state::{PAST_ROUNDS, PastRound, State, Table};
use super::{Output, Venue};
use crate::game::{Game, GameEvent, Source};
use crate::views::{Histories, hall, release, release_closed, to_hall, to_house};

/// Whether there is anything to keep of a game.
pub(super) fn is_played(game: &Game) -> bool {
    !game.record.is_empty() || game.standing.is_some()
}

/// A game that was paired is one of its round, played or not; a board that nobody paired and nobody played on was none.
fn is_kept(table: &Table) -> bool {
    !table.casual || is_played(&table.game)
}

/// This round is over because another one opens: its games are kept.
pub(super) fn close(state: &mut State, at: Timestamp, next: u16, changes: &mut Changes) {
    let round = state.round.round;
    let kept = |(id, table): (&TableId, &Table)| {
        let kept = Table {
            device: None,
            clock: None,
            annulled: None,
            ..table.clone()
        };
        is_kept(table).then_some((*id, kept))
    };
    let tables: BTreeMap<TableId, Table> = state.tables.iter().filter_map(kept).collect();
    let histories = state.histories.iter_mut();
    let held: Histories = histories
        .filter_map(|(id, history)| Some((*id, history.leave(at)?)))
        .filter(|(id, _)| tables.contains_key(id))
        .collect();
    let was_played = tables.values().any(|table| is_played(&table.game));
    if !was_played || round == next {
        return;
    }
    changes.past.extend(tables.keys().map(|id| (round, *id)));
    let setup = state.round.clone();
    let closed = at;
    let past = PastRound {
        setup,
        closed,
        tables,
        before: BTreeMap::new(),
        held,
    };
    state.past.insert(round, Arc::new(past));
    while state.past.len() > PAST_ROUNDS {
        state.past.pop_first();
    }
}

/// The games of an earlier round that is opened again; it is no earlier round any more.
pub(super) fn open_again(state: &mut State, at: Timestamp, round: u16) -> BTreeMap<TableId, Table> {
    let Some(past) = state.past.remove(&round).map(Arc::unwrap_or_clone) else {
        return BTreeMap::new();
    };
    let before = at.shifted(-1);
    for table in past.held.keys() {
        let history = state.histories.entry(*table).or_default();
        history.hold(Some(before));
    }
    past.tables
}

/// The latest earlier round whose game at this table is kept back from everybody outside.
pub(super) fn held_earlier(state: &State, table: TableId) -> Option<u16> {
    let mut rounds = state.past.iter().rev();
    rounds.find_map(|(round, past)| past.held.contains_key(&table).then_some(*round))
}

/// Every game that is kept back from everybody outside, of earlier rounds and of this one.
pub(super) fn kept_back(state: &State) -> Vec<(u16, TableId)> {
    let earlier = state.past.iter();
    let earlier = earlier.flat_map(|(round, past)| past.held.keys().map(|table| (*round, *table)));
    let is_held = |table: &&TableId| {
        state
            .histories
            .get(table)
            .is_some_and(|h| h.held().is_some())
    };
    let now = state.tables.keys().filter(is_held);
    earlier
        .chain(now.map(|table| (state.round.round, *table)))
        .collect()
}

/// A game of an earlier round is shown outside again.
pub(super) fn let_go(state: &mut State, round: u16, table: TableId, changes: &mut Changes) {
    if let Some(past) = state.past.get_mut(&round) {
        Arc::make_mut(past).held.remove(&table);
        changes.past.insert((round, table));
    }
}

/// The hub's clock was set: what closed a while ago closed so much later, or earlier, by the new time.
pub(super) fn shift(state: &mut State, by_ms: i64) {
    for past in state.past.values_mut() {
        let past = Arc::make_mut(past);
        past.closed = past.closed.shifted(by_ms);
        for (until, _) in past.before.values_mut().flatten() {
            *until = until.shifted(by_ms);
        }
        past.held.values_mut().for_each(|held| held.shift(by_ms));
    }
}

/// What was corrected so long ago that everybody outside has seen the correction is forgotten.
pub(super) fn forget(state: &mut State, now: Timestamp, longest_ms: u64) {
    let is_old = |until: &Timestamp| until.after(longest_ms) <= now;
    let has_old = |past: &PastRound| {
        past.before
            .values()
            .flatten()
            .any(|(until, _)| is_old(until))
    };
    for past in state.past.values_mut().filter(|past| has_old(past)) {
        let past = Arc::make_mut(past);
        for games in past.before.values_mut() {
            games.retain(|(until, _)| !is_old(until));
        }
        past.before.retain(|_, games| !games.is_empty());
    }
}

/// A game of an earlier round as it was at a moment.
fn as_it_was(past: &PastRound, id: TableId, moment: Timestamp) -> Option<&Game> {
    let before = past.before.get(&id).map_or(&[][..], Vec::as_slice);
    let earlier = before.iter().find(|(until, _)| *until > moment);
    earlier
        .map(|(_, game)| game)
        .or_else(|| past.tables.get(&id).map(|table| &table.game))
}

/// When an audience sees something else of such a game: its end, or a correction.
fn next_change(past: &PastRound, id: TableId, delay_ms: u64, now: Timestamp) -> Option<Timestamp> {
    let corrected = past.before.get(&id).into_iter().flatten();
    let moments = std::iter::once(past.closed).chain(corrected.map(|(until, _)| *until));
    moments.map(|at| at.after(delay_ms)).find(|due| *due > now)
}

/// Changes a game of an earlier round by an event.
pub(super) fn game(
    state: &mut State,
    at: Timestamp,
    (round, id): (u16, TableId),
    source: &Source,
    event: &GameEvent,
    changes: &mut Changes,
) {
    let seat = super::GameAt {
        past: Some(round),
        table: id,
    };
    let Some(table) = state.table_at_mut(seat) else {
        return;
    };
    let before = table.game.clone();
    let done = crate::game::evolve(&mut table.game, at, source, event);
    if let Some(past) = state.past.get_mut(&round) {
        let games = Arc::make_mut(past).before.entry(id).or_default();
        // Events of one moment are one correction.
        if games.last().is_none_or(|(until, _)| *until < at) {
            games.push((at, before));
        }
    }
    changes.past.insert((round, id));
    changes.line = done.line.map(|line| (id, line));
}

impl Venue {
    /// Everything of earlier rounds, once more, at a start.
    pub(super) fn show_past_again(&mut self) {
        let all = self.state.past.iter();
        let all = all.flat_map(|(round, past)| past.tables.keys().map(|id| (*round, *id)));
        self.changes.past.extend(all);
    }

    /// Shows games of earlier rounds that changed.
    pub(super) fn show_past(
        &mut self,
        now: Timestamp,
        games: impl IntoIterator<Item = (u16, TableId)>,
    ) {
        let mut rounds = std::collections::BTreeSet::new();
        for (round, table) in games {
            rounds.insert(round);
            self.show_past_game(now, round, table);
        }
        for round in rounds {
            if let Some(past) = self.state.past.get(&round) {
                let payload = encode(&past_round(past));
                self.publish(Topic::DeskPastRound(round), true, payload);
            }
        }
    }

    /// Earlier games whose moment has come for those outside.
    pub(super) fn release_past(&mut self, now: Timestamp) {
        let due = self.shown.past_due.iter().filter(|(_, at)| **at <= now);
        let games: Vec<(u16, TableId)> = due.map(|(game, _)| *game).collect();
        for (round, table) in games {
            self.show_past_game(now, round, table);
        }
    }

    fn show_past_game(&mut self, now: Timestamp, round: u16, id: TableId) {
        self.shown.past_due.remove(&(round, id));
        let Some(past) = self.state.past.get(&round).map(Arc::clone) else {
            return;
        };
        let unconfirmed = self.config.show_unconfirmed;
        let revision = self.shown.next_revision(self.state.number);
        let as_of = |moment| {
            let game = as_it_was(&past, id, moment)?;
            Some(hall(id, &past.setup, game, false, unconfirmed))
        };
        let held = past.held.get(&id);
        let mut next: Option<Timestamp> = None;
        for audience in &self.config.audiences {
            if let Some(history) = held {
                let seen = release(history, audience, now, revision);
                let seen = seen.filter(|board| board.round == round);
                self.others.extend(seen.map(Output::Past));
                continue;
            }
            let board = as_of(audience.sees_until(now));
            let released =
                board.and_then(|b| release_closed(b, audience, past.closed, now, revision));
            self.others.extend(released.map(Output::Past));
            let due = next_change(&past, id, audience.delay_ms, now);
            next = next.into_iter().chain(due).min();
        }
        let board = as_of(now);
        if self.config.house {
            let leaves = board.clone();
            let leaves = leaves.and_then(|board| to_house(board, held, now, revision));
            let leaves = leaves.filter(|board| board.round == round);
            self.others.extend(leaves.map(Output::Past));
        }
        self.others
            .extend(board.map(|b| Output::Past(to_hall(b, now, revision))));
        if let Some(at) = next {
            self.shown.past_due.insert((round, id), at);
        }
    }
}
