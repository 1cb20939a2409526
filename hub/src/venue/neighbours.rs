//! What one table's board or clock says beside the others: positions that stand on another table's board, clocks set otherwise than the rest.

use std::collections::BTreeMap;

use protocol::TableId;

use super::Venue;
use super::state::{State, Table};
use crate::game::Game;
use crate::laws::chessclock::{Neighbour, Odd, odd_ones_out};

/// Half-moves after which a position is that of one game and no other.
const OF_ONE_GAME: u32 = 12;

/// Half-moves after which two boards that each show the other's position are exchanged.
const OF_TWO_GAMES: u32 = 2;

impl Venue {
    /// Compares the clocks of tables that share a time control; looked at with every tick.
    pub(super) fn compare_clocks(&mut self) {
        let mut controls: BTreeMap<String, Vec<Neighbour>> = BTreeMap::new();
        for (id, table) in &self.state.tables {
            if table.game.clock.model.last.is_some() {
                let control = table.game.setup.time_control.to_string();
                let here = Neighbour::of(*id, &table.game.clock.model);
                controls.entry(control).or_default().push(here);
            }
        }
        let odd = controls.values().flat_map(|tables| odd_ones_out(tables));
        self.odd = odd.map(|odd| (table_of(&odd), odd)).collect();
    }
}

fn table_of(odd: &Odd) -> TableId {
    match odd {
        Odd::Start(table, ..) | Odd::Bonus(table, ..) => *table,
    }
}

/// The table whose position stands on the board of this one, if only one can be meant.
pub(super) fn exchanged(state: &State, own: TableId, game: &Game) -> Option<TableId> {
    let board = &game.differs.as_ref()?.board;
    let shows =
        |table: &Table, of: &protocol::Placement| table.game.record.position().placement() == *of;
    let mut found = state
        .tables
        .iter()
        .filter(|(id, table)| **id != own && shows(table, board))
        .filter(|(_, table)| {
            let mutual = table
                .game
                .differs
                .as_ref()
                .is_some_and(|d| d.board == game.record.position().placement());
            let plies = table.game.record.len();
            plies >= if mutual { OF_TWO_GAMES } else { OF_ONE_GAME }
        })
        .map(|(id, _)| *id);
    let first = found.next()?;
    found.next().is_none().then_some(first)
}
