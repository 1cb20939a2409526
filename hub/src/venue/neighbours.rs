//! What one table's board or clock says beside the others: positions that stand on another table's board, clocks set otherwise than the rest.

use std::collections::BTreeMap;

use protocol::{Placement, TableId};

use super::Venue;
use super::state::State;
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
    // Hardly any board differs from its game, and a hall may have thousands of tables.
    game.differs.as_ref()?;
    let others = state.tables.iter().filter(|(id, _)| **id != own);
    let mut found = others
        .filter(|(_, other)| are_exchanged(game, &other.game))
        .map(|(id, _)| *id);
    let first = found.next()?;
    found.next().is_none().then_some(first)
}

/// The board of one game shows the other's position, which is long enough to be of no other game; or each shows the other's.
fn are_exchanged(one: &Game, other: &Game) -> bool {
    let Some(differs) = &one.differs else {
        return false;
    };
    match &other.differs {
        Some(back) => {
            other.record.len() >= OF_TWO_GAMES
                && stood(other, &differs.board)
                && stood(one, &back.board)
        }
        None => {
            other.record.len() >= OF_ONE_GAME
                && other.record.position().placement() == differs.board
        }
    }
}

/// Whether a position of the game, the last one or one shortly before, is that of a board: a board that was exchanged may have been
/// read as a move or two.
fn stood(game: &Game, board: &Placement) -> bool {
    let len = game.record.len();
    let before = (0..3).map(|back| (len + 1).saturating_sub(back));
    before
        .filter(|ply| *ply >= 1)
        .any(|ply| game.record.position_before(ply).placement() == *board)
}
