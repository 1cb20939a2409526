//! What an arbiter goes through before he starts a round: what the hub sees of boards, arrays, clocks and batteries, and what only he can do.

use protocol::TableId;

use super::round_orders::named;
use super::state::{Device, State, Table};
use crate::laws::chessclock::is_start_right;

/// Per cent of charge below which a battery may not last the round.
const SPARE: u8 = 20;

/// What a person has to do.
const BY_HAND: [&str; 2] = [
    "announce: whom to call, where results and scoresheets go, telephones off",
    "start White's clock also where White is absent",
];

/// A line for everything that is not as it should be, with its tables, and for what has to be done by hand.
pub(super) fn checklist(state: &State) -> Vec<String> {
    let mut found: Vec<String> = POINTS
        .iter()
        .filter_map(|(what, holds)| point(state, what, *holds))
        .collect();
    if found.is_empty() {
        found.push("boards, arrays, clocks and batteries: nothing is amiss".to_owned());
    }
    found.extend(still_kept_back(state));
    found.extend(BY_HAND.map(str::to_owned));
    found
}

/// Games of earlier rounds that nobody outside has seen to their end.
fn still_kept_back(state: &State) -> impl Iterator<Item = String> {
    let kept = state.past.iter().filter(|(_, past)| !past.held.is_empty());
    kept.map(|(round, past)| {
        let tables: Vec<TableId> = past.held.keys().copied().collect();
        let tables = named(&tables);
        format!("still kept back from outside: round {round}, tables {tables}")
    })
}

type Holds = fn(&Table, Option<&Device>) -> bool;

const POINTS: &[(&str, Holds)] = &[
    ("without a board", |table, _| table.device.is_none()),
    ("board not heard", |_, device| {
        device.is_some_and(|d| d.heard.is_none() || d.board_out.is_some())
    }),
    ("pieces not in the initial array", |table, device| {
        let due = table.game.record.start().placement();
        device.is_some_and(|d| d.board.as_ref().is_some_and(|board| *board != due))
    }),
    ("no clock read", |table, device| {
        device.is_some() && table.game.clock.view.is_none()
    }),
    ("clock not set to the time control", |table, _| {
        let game = &table.game;
        !is_start_right(&game.clock.model, &game.setup.time_control)
    }),
    ("battery low", |table, device| {
        let board = device.and_then(|d| d.info.as_ref());
        let board = board.and_then(|info| info.health.battery);
        let low = board.is_some_and(|b| !b.charging && b.percent < SPARE);
        low || table.game.clock.model.battery_low.is_some()
    }),
];

fn point(state: &State, what: &str, holds: Holds) -> Option<String> {
    let of = |table: &Table| table.device.as_ref().and_then(|d| state.devices.get(d));
    let tables = state.tables.iter();
    let found: Vec<TableId> = tables
        .filter(|(_, table)| holds(table, of(table)))
        .map(|(id, _)| *id)
        .collect();
    (!found.is_empty()).then(|| format!("{what}: tables {}", named(&found)))
}
