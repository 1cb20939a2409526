//! Earlier rounds: kept when the next one opens, shown as they ended, corrected by counter-rulings.

use std::collections::BTreeMap;
use std::sync::Arc;

use protocol::{TableId, Timestamp, Topic, encode};

use super::evolve::Changes;
use super::show::past_round;
use super::state::{PAST_ROUNDS, PastRound, State, Table};
use super::{Output, Venue};
use crate::game::{Game, GameEvent, Source};
use crate::views::{hall, release_closed, to_hall};

/// Whether there is anything to keep of a game.
pub(super) fn is_played(game: &Game) -> bool {
    !game.record.is_empty() || game.standing.is_some()
}

/// This round is over because another one opens: its games are kept.
pub(super) fn close(state: &mut State, at: Timestamp, next: u16, changes: &mut Changes) {
    let round = state.round.round;
    let played = |(id, table): (&TableId, &Table)| {
        let kept = Table {
            device: None,
            clock: None,
            annulled: None,
            ..table.clone()
        };
        is_played(&table.game).then_some((*id, kept))
    };
    let tables: BTreeMap<TableId, Table> = state.tables.iter().filter_map(played).collect();
    if tables.is_empty() || round == next {
        return;
    }
    changes.past.extend(tables.keys().map(|id| (round, *id)));
    let setup = state.round.clone();
    let closed = at;
    let past = PastRound {
        setup,
        closed,
        tables,
    };
    state.past.insert(round, Arc::new(past));
    while state.past.len() > PAST_ROUNDS {
        state.past.pop_first();
    }
}

/// The games of an earlier round that is opened again; it is no earlier round any more.
pub(super) fn open_again(state: &mut State, round: u16) -> BTreeMap<TableId, Table> {
    let past = state.past.remove(&round);
    past.map_or_else(BTreeMap::new, |past| Arc::unwrap_or_clone(past).tables)
}

/// The hub's clock was set: what closed a while ago closed so much later, or earlier, by the new time.
pub(super) fn shift(state: &mut State, by_ms: i64) {
    for past in state.past.values_mut() {
        let past = Arc::make_mut(past);
        past.closed = past.closed.shifted(by_ms);
    }
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
    let done = crate::game::evolve(&mut table.game, at, source, event);
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
        let Some(table) = past.tables.get(&id) else {
            return;
        };
        let unconfirmed = self.config.show_unconfirmed;
        let number = self.state.number;
        let board = hall(id, &past.setup, &table.game, false, unconfirmed);
        let mut next: Option<Timestamp> = None;
        for audience in &self.config.audiences {
            let due = past.closed.after(audience.delay_ms);
            match release_closed(board.clone(), audience, past.closed, now, number) {
                Some(released) => self.others.push(Output::Past(released)),
                None => next = Some(next.map_or(due, |next| next.min(due))),
            }
        }
        self.others.push(Output::Past(to_hall(board, now, number)));
        if let Some(at) = next {
            self.shown.past_due.insert((round, id), at);
        }
    }
}
