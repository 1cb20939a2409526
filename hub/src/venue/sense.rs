//! What a fact changes without any decision: what was heard, what stands on the board, how board and clock are, what the clock shows.

use protocol::{DeviceId, Envelope, Fact, Health, Placement, SquareName, TableId, Timestamp};

use super::evolve::{Changes, game};
use super::gesture;
use super::state::{Device, State, UNPLACED};
use crate::game::{GameEvent, Pressed, Source, can_be_shown};

/// A fact takes its place in the order, and its effect if it is its turn.
pub(super) fn received(
    state: &mut State,
    at: Timestamp,
    device: &DeviceId,
    envelope: &Envelope,
    changes: &mut Changes,
) {
    let known = known_device(state, at, device);
    if known.boot.is_none() {
        known.boot = Some(envelope.boot.clone());
        known.agent = Some(envelope.agent.clone());
    }
    if known.numbers.receive(envelope, at) {
        sense(state, at, device, envelope, changes);
    } else if let Some(heard) = &mut known.heard {
        // A fact that waits for earlier ones is a sign of life all the same.
        *heard = at;
    }
}

pub(super) fn known_device<'a>(
    state: &'a mut State,
    at: Timestamp,
    device: &DeviceId,
) -> &'a mut Device {
    state
        .devices
        .entry(device.clone())
        .or_insert_with(|| Device {
            first_seen: at,
            ..Device::default()
        })
}

/// When a fact happened: by its agent's clock as far as that can be believed, never in the hub's future.
pub(super) fn when(envelope: &Envelope, at: Timestamp) -> Timestamp {
    const A_DAY_AND_MORE: u64 = 30 * 3_600_000;
    let said = envelope.hub_time();
    if said > at || at.since(said) > A_DAY_AND_MORE {
        at
    } else {
        said
    }
}

/// What a fact changes without any decision: what was heard, what stands on the board, what the clock shows.
pub(super) fn sense(
    state: &mut State,
    at: Timestamp,
    id: &DeviceId,
    envelope: &Envelope,
    changes: &mut Changes,
) {
    let Some(device) = state.devices.get_mut(id) else {
        return;
    };
    let table = device.table;
    if device.heard.is_none() {
        changes.desk.extend(table);
        changes.hall.extend(table);
    }
    device.heard = Some(at);
    device.delay_ms = Some(at.since(when(envelope, at)));
    if device.boot.as_ref() == Some(&envelope.boot) {
        stands(device, &envelope.fact);
        gesture::note(device, when(envelope, at), at);
        if let Fact::Health(health) = &envelope.fact
            && !(health.board && health.clock)
            && let Some(seat) = table.and_then(|t| state.tables.get_mut(&t))
            && seat.believes_clock_of(id)
        {
            seat.game.clock.model.goes_unheard();
        }
        if let Fact::Health(health) = &envelope.fact
            && healthy(device, at, health)
        {
            changes.desk.extend(table);
            changes.hall.extend(table);
        }
    }
    match table {
        Some(table) => show_clock(state, at, table, (id, envelope), changes),
        None => keep_unplaced(device, envelope),
    }
}

fn stands(device: &mut Device, fact: &Fact) {
    match fact {
        Fact::Dump { board } | Fact::Unexplained { board, .. } | Fact::SetUp { board, .. } => {
            device.board = Some(board.clone());
        }
        Fact::Squares { changes } => {
            if let Some(board) = &mut device.board {
                changes.iter().for_each(|change| put(board, *change));
            }
        }
        _ => {}
    }
}

fn put(board: &mut Placement, (square, piece): (SquareName, Option<char>)) {
    match piece.and_then(shakmaty::Piece::from_char) {
        Some(piece) => board.0.set_piece_at(square.0, piece),
        None => {
            board.0.discard_piece_at(square.0);
        }
    }
}

/// Takes the state of board and clock in; answers whether it is another one.
pub(super) fn healthy(device: &mut Device, at: Timestamp, health: &Health) -> bool {
    let before = (device.board_out, device.clock_out);
    device.board_out = (!health.board).then(|| device.board_out.unwrap_or(at));
    device.clock_out = (!health.clock).then(|| device.clock_out.unwrap_or(at));
    if let Some(info) = &mut device.info {
        info.health = health.clone();
    }
    before != (device.board_out, device.clock_out)
}

fn show_clock(
    state: &mut State,
    at: Timestamp,
    id: TableId,
    (device, envelope): (&DeviceId, &Envelope),
    changes: &mut Changes,
) {
    // What a completed move tells of the clock is its press, which was told when it was seen: it is no reading of now.
    let (Fact::Reading(reading) | Fact::Press { clock: reading, .. }) = envelope.fact else {
        return;
    };
    let believed = state
        .tables
        .get(&id)
        .is_none_or(|table| table.believes_clock_of(device));
    if !believed || !can_be_shown(&reading) {
        return;
    }
    note_press(state, id, device, envelope, when(envelope, at));
    let event = GameEvent::ClockRead {
        reading,
        at: when(envelope, at),
    };
    let source = Source::Fact(envelope.id(device));
    game(state, at, id, &source, &event, changes);
}

/// A chessclock with a line of its own was pressed.
fn note_press(
    state: &mut State,
    id: TableId,
    device: &DeviceId,
    envelope: &Envelope,
    at: Timestamp,
) {
    let Fact::Press { by, clock } = envelope.fact else {
        return;
    };
    let seat = state.tables.get_mut(&id);
    if let Some(seat) = seat.filter(|seat| seat.clock.as_ref() == Some(device)) {
        let times = clock.time;
        *seat.game.clock.pressed.get_mut(by) = Some(Pressed { at, times });
    }
}

fn keep_unplaced(device: &mut Device, envelope: &Envelope) {
    match envelope.fact {
        Fact::SetUp { correct: true, .. } => device.unplaced.clear(),
        Fact::Made { .. }
        | Fact::Completed { .. }
        | Fact::Settled { .. }
        | Fact::Revised { .. }
        | Fact::Retracted { .. }
            if device.unplaced.len() < UNPLACED =>
        {
            device.unplaced.push(envelope.clone());
        }
        _ => {}
    }
}
