//! Which games are played at which tables when a round opens: new ones, those that go on, and those that nobody has paired.

use std::collections::BTreeMap;

use protocol::{TableId, Timestamp};

use super::evolve::{Changes, unbind};
use super::past;
use super::state::{State, Table, game_id, game_setup};
use crate::game::{Game, GameSetup};
use crate::rounds::{RoundSetup, TableSetup};

/// Opens a round. `goes_on`: what is being played without a pairing keeps its table, or gets a free one beyond the pairings.
pub(super) fn open_round(
    state: &mut State,
    at: Timestamp,
    setup: &RoundSetup,
    goes_on: bool,
    changes: &mut Changes,
) {
    let same_round = state.paired && state.round.round == setup.round;
    let first = goes_on && !state.paired;
    if !same_round && !first {
        past::close(state, at, setup.round, changes);
    }
    let mut before = std::mem::take(&mut state.tables);
    let unpaired = if first {
        take_unpaired(state, &mut before, changes)
    } else {
        Vec::new()
    };
    if !same_round {
        changes.alerts_gone.extend(state.book.clear());
        state
            .started
            .take_if(|_| !first || state.round.round != setup.round);
        if first {
            // No round ends that would take its holds along; games that go on bring theirs.
            state.histories.values_mut().for_each(|h| h.hold(None));
        }
        state.closing = None;
        state.closed_by = None;
    }
    // A round that is opened once more goes on with its games.
    let mut again = past::open_again(state, at, setup.round);
    for table in &setup.tables {
        let old = before.remove(&table.table);
        let known = again.remove(&table.table);
        let same = same_round || known.is_some();
        let device = old.as_ref().and_then(|t| t.device.clone());
        let clock = old.as_ref().and_then(|t| t.clock.clone());
        let again = |table| Table {
            device,
            clock,
            ..table
        };
        let old = known.map(again).or(old);
        let mut opened = table_of(setup, table, old, same);
        if goes_on && same {
            follow_round(&mut opened.game, &state.round, setup, table);
        }
        state.tables.insert(table.table, opened);
    }
    for (id, old) in before {
        let stays = !old.game.record.is_empty() || goes_on && past::is_played(&old.game);
        if same_round && stays {
            state.tables.insert(id, old);
        } else {
            changes.tables_gone.insert(id);
            unbind(state, old.device.as_ref());
            unbind(state, old.clock.as_ref());
        }
    }
    for seat in unpaired {
        seat_unpaired(state, setup, seat);
    }
    state.round = RoundSetup {
        tables: Vec::new(),
        ..setup.clone()
    };
    state.paired = true;
    changes.desk.extend(state.tables.keys());
    changes.hall.extend(state.tables.keys());
    changes.round = true;
}

/// A table that opens for a board which nobody has paired.
pub(super) fn open_table(
    state: &mut State,
    round: &RoundSetup,
    setup: &TableSetup,
    changes: &mut Changes,
) {
    if state.tables.is_empty() {
        state.round = RoundSetup {
            tables: Vec::new(),
            ..round.clone()
        };
    }
    let table = Table {
        casual: true,
        ..fresh(&state.round, setup)
    };
    state.tables.insert(setup.table, table);
    changes.desk.insert(setup.table);
    changes.hall.insert(setup.table);
    changes.round = true;
}

/// A game that nobody has paired, with its table so far and whether it is kept back from outside.
struct Unpaired {
    id: TableId,
    table: Table,
    held: Option<Timestamp>,
}

/// Takes out what is being played without a pairing; every other table that had opened by itself makes room.
fn take_unpaired(
    state: &mut State,
    before: &mut BTreeMap<TableId, Table>,
    changes: &mut Changes,
) -> Vec<Unpaired> {
    let (seats, others): (Vec<_>, Vec<_>) = std::mem::take(before)
        .into_iter()
        .partition(|(_, table)| past::is_played(&table.game));
    for (id, table) in others {
        changes.tables_gone.insert(id);
        unbind(state, table.device.as_ref());
        unbind(state, table.clock.as_ref());
    }
    let held = |id: TableId| state.histories.get(&id).and_then(|h| h.held());
    let unpaired = |(id, table)| Unpaired {
        held: held(id),
        id,
        table,
    };
    seats.into_iter().map(unpaired).collect()
}

/// Such a game keeps its number, or gets the first one after all others.
fn seat_unpaired(state: &mut State, setup: &RoundSetup, seat: Unpaired) {
    let Unpaired {
        id,
        mut table,
        held,
    } = seat;
    let last = state.tables.last_key_value().map_or(0, |(id, _)| id.0);
    let free = if state.tables.contains_key(&id) {
        last.checked_add(1).map(TableId)
    } else {
        Some(id)
    };
    let Some(to) = free else {
        unbind(state, table.device.as_ref());
        return unbind(state, table.clock.as_ref());
    };
    table.game.setup.round = setup.round;
    table.game.setup.id = game_id(setup.round, to, table.games);
    for device in table.device.iter().chain(&table.clock) {
        if let Some(device) = state.devices.get_mut(device) {
            device.table = Some(to);
        }
    }
    state.tables.insert(to, table);
    if held.is_some() {
        state.histories.entry(to).or_default().hold(held);
    }
}

fn table_of(round: &RoundSetup, setup: &TableSetup, old: Option<Table>, same_round: bool) -> Table {
    match old {
        Some(mut table) if same_round && past::is_played(&table.game) => {
            table.game.setup.players = setup.players.clone();
            table.place.clone_from(&setup.place);
            table
        }
        Some(old) => Table {
            device: old.device,
            clock: old.clock,
            ..fresh(round, setup)
        },
        None => fresh(round, setup),
    }
}

fn fresh(round: &RoundSetup, setup: &TableSetup) -> Table {
    Table {
        game: new_game(round, setup),
        place: setup.place.clone(),
        device: None,
        clock: None,
        games: 1,
        casual: false,
        annulled: None,
    }
}

/// A game that goes on is played by what the round says now; a control that was ruled for it, or is its own, stays.
fn follow_round(game: &mut Game, before: &RoundSetup, now: &RoundSetup, table: &TableSetup) {
    let usual = before.time_control == game.setup.time_control;
    let agreed = game_setup(now, table, 1);
    game.setup.edition = agreed.edition;
    game.setup.regime = agreed.regime;
    game.setup.regulations = agreed.regulations;
    if usual && agreed.time_control != game.setup.time_control {
        game.setup.time_control = agreed.time_control;
        game.clock.model.ruled();
    }
}

/// A game that has not begun; a start that is no position was refused before it came here, the usual array stands in for it.
fn new_game(round: &RoundSetup, setup: &TableSetup) -> Game {
    let agreed = game_setup(round, setup, 1);
    let usual = GameSetup {
        start_fen: None,
        ..agreed.clone()
    };
    Game::new(agreed)
        .or_else(|_| Game::new(usual))
        .expect("the usual array is a position")
}
