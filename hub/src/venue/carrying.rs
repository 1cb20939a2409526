//! Which game goes along when a board comes to another table: the one that is being played on it.
//!
//! **A record stays with the pieces it tells of.** Pairings that come while boards play, a pairing that named the wrong board and boards
//! that were named the wrong way round are put right without a half-move lost, the board of either game with it; a board that is carried to another table alone is not
//! followed by a game.

use protocol::{DeviceId, TableId, Timestamp};

use super::Venue;
use super::event::EventBody;
use super::evolve::{Changes, unbind};
use super::past::is_played;
use super::state::{State, Table, is_clock};
use crate::game::Game;

/// Squares that may differ while a move is being made.
const IN_THE_HAND: usize = 4;

impl State {
    /// The table whose game goes along when a board comes to a table.
    pub(super) fn goes_along(&self, device: &DeviceId, to: TableId) -> Option<TableId> {
        let from = self.devices.get(device)?.table.filter(|from| *from != to)?;
        let (left, entered) = (self.tables.get(&from)?, self.tables.get(&to)?);
        let same_start = left.game.record.start() == entered.game.record.start();
        if is_clock(device) || !is_played(&left.game) || !same_start {
            return None;
        }
        let free = !is_played(&entered.game);
        let stands = || !left.game.is_over() && self.shows(left);
        let follows = match (left.casual, free) {
            (true, true) => true,
            (false, true) => stands(),
            (_, false) => stands() && !entered.game.is_over() && self.shows(entered),
        };
        follows.then_some(from)
    }

    /// The board of a game that is exchanged for the one that goes along, and the table it goes to.
    pub(super) fn displaced(&self, device: &DeviceId, to: TableId) -> Option<(TableId, DeviceId)> {
        let from = self.goes_along(device, to)?;
        let entered = self.tables.get(&to)?;
        let board = entered.device.clone()?;
        is_played(&entered.game).then_some((from, board))
    }

    /// Whether the pieces of a table stand as in its game, or nearly so while a move is being made.
    fn shows(&self, table: &Table) -> bool {
        let device = table.device.as_ref().and_then(|d| self.devices.get(d));
        let Some(board) = device.and_then(|d| d.board.as_ref()) else {
            return false;
        };
        let record = &table.game.record;
        let apart = |other: &protocol::Placement| differences(&board.0, &other.0);
        let (now, start) = (
            apart(&record.position().placement()),
            apart(&record.start().placement()),
        );
        self.is_read(table) && now <= IN_THE_HAND && now < start
    }
}

/// Squares on which two boards differ.
pub(super) fn differences(one: &shakmaty::Board, other: &shakmaty::Board) -> usize {
    let differs = |square: &shakmaty::Square| one.piece_at(*square) != other.piece_at(*square);
    shakmaty::Square::ALL.into_iter().filter(differs).count()
}

impl Venue {
    /// The game that is being played on a board goes with it to a table.
    pub(super) fn carry_along(&mut self, now: Timestamp, device: &DeviceId, to: TableId, by: &str) {
        let Some(from) = self.state.goes_along(device, to) else {
            return;
        };
        self.carry(now, from, to, by);
    }

    /// What was played at two tables changes places.
    pub(super) fn carry(&mut self, now: Timestamp, from: TableId, to: TableId, by: &str) {
        let by = by.to_owned();
        self.record(now, EventBody::GameCarried { from, to, by });
        for table in [from, to] {
            self.behind.remove(&table);
            self.touched.insert(table);
        }
    }
}

/// What was played at two tables changes places; what was agreed there stays. A table that had opened by itself is no longer needed.
pub(super) fn carry(state: &mut State, from: TableId, to: TableId, changes: &mut Changes) {
    let Some(mut left) = state.tables.remove(&from) else {
        return;
    };
    let Some(entered) = state.tables.get_mut(&to) else {
        state.tables.insert(from, left);
        return;
    };
    exchange(&mut left.game, &mut entered.game);
    (left.annulled, entered.annulled) = (None, None);
    let held = [from, to].map(|t| state.histories.get(&t).and_then(|h| h.held()));
    if let Some(held) = held.into_iter().flatten().min() {
        // Whoever was kept back from outside stays so, whichever of the two it was.
        for table in [from, to] {
            state.histories.entry(table).or_default().hold(Some(held));
        }
    }
    if left.casual && !is_played(&left.game) {
        take_clock_along(state, &left, to);
        unbind(state, left.device.as_ref());
        changes.tables_gone.insert(from);
    } else {
        state.tables.insert(from, left);
    }
    for table in [from, to] {
        changes.desk.insert(table);
        changes.hall.insert(table);
    }
    changes.round = true;
}

fn exchange(left: &mut Game, entered: &mut Game) {
    let revision = left.revision.max(entered.revision) + 1;
    std::mem::swap(left, entered);
    std::mem::swap(&mut left.setup, &mut entered.setup);
    for game in [left, entered] {
        game.revision = revision;
        game.clock.model.ruled();
        game.clock.model.counts_from(game.record.completed_moves());
        game.draws.changed(&game.record, 1, game.setup.laws());
    }
}

/// A chessclock with a line of its own stands beside the board.
fn take_clock_along(state: &mut State, left: &Table, to: TableId) {
    let Some(clock) = &left.clock else {
        return;
    };
    let free = state.tables.get_mut(&to).filter(|t| t.clock.is_none());
    let table = free.map(|table| {
        table.clock = Some(clock.clone());
        to
    });
    if let Some(clock) = state.devices.get_mut(clock) {
        clock.table = table;
    }
}
