//! Boards that wait for their pieces to be set up: nothing on them is a move before the array stands.
//!
//! A game that begins again leaves the pieces of the old one on the board, and a board that lost its table those of its last game. What
//! led there is not to be found again: such a board records nothing until its initial array stands, or nearly so.

use protocol::{Control, DeviceId, Fact, Placement, TableId, Timestamp};
use shakmaty::Bitboard;

use super::Venue;
use super::binding::next_generation;
use super::event::EventBody;
use super::state::{Device, State, is_clock};
use crate::game::{Game, GameEvent, Source};
use crate::laws::Code;

/// Whether the array stands as far as it can be told: nothing on squares that are empty in it, and seven men in eight on theirs. A
/// man that is missing or in a wrong place is a matter for the arbiter, and no reason to record nothing.
pub(super) fn stands(board: &Placement, array: &Placement) -> bool {
    let (seen, wanted): (Bitboard, Bitboard) = (board.0.occupied(), array.0.occupied());
    (seen & !wanted).is_empty() && (seen & wanted).count() * 8 >= wanted.count() * 7
}

impl State {
    /// Whether a game that begins anew at a table must wait for its array: the pieces of the old one stand there yet.
    pub(super) fn waits_for_array(&self, id: TableId, annulled: &Game) -> bool {
        let table = self.tables.get(&id);
        let device = table.and_then(|t| t.device.as_ref());
        let board = device.and_then(|d| self.devices.get(d)?.board.as_ref());
        let array = annulled.record.start().placement();
        // The array was set up before the arbiter said so: what stands there by now is the new game.
        let set_up_since = annulled.irregularity(Code::ResultMissing, annulled.record.len());
        set_up_since.is_none() && board.is_some_and(|board| !stands(board, &array))
    }
}

impl Venue {
    /// A fact may have been the last man of an array; `had_moves`: the board had told moves before it without having a table.
    pub(super) fn follow_set_up(
        &mut self,
        now: Timestamp,
        id: &DeviceId,
        fact: &Fact,
        had_moves: bool,
    ) {
        let Some(device) = self.state.devices.get(id).filter(|_| !is_clock(id)) else {
            return;
        };
        if let Some(table) = device.table {
            return self.begin_when_set_up(now, table);
        }
        let again = had_moves && matches!(fact, Fact::SetUp { correct: true, .. });
        let control = device.control.generation > 0 && (device.control.game.is_none() || again);
        if control && let Some(control) = recording(device, now) {
            let device = id.clone();
            self.record(now, EventBody::ControlSet { device, control });
        }
    }

    /// A game that waits for its array begins to be recorded when that stands.
    pub(super) fn begin_when_set_up(&mut self, now: Timestamp, id: TableId) {
        let Some(table) = self.state.tables.get(&id) else {
            return;
        };
        let board = table.device.as_ref();
        let board = board.and_then(|d| self.state.devices.get(d)?.board.as_ref());
        let array = table.game.record.start().placement();
        if !table.game.array_awaited || !board.is_some_and(|board| stands(board, &array)) {
            return;
        }
        let seen = GameEvent::SetUpSeen {
            correct: true,
            squares: Vec::new(),
            at: now,
            turned: false,
            words: Vec::new(),
        };
        self.game(now, id, Source::Hub, seen);
        self.set_control(now, id, false);
    }

    /// Boards that lost their table record nothing of what stands on them; from the next array on they record for the table they
    /// will get.
    pub(super) fn free_controls(&mut self, now: Timestamp) {
        let freed = |(_, d): &(&DeviceId, &Device)| d.table.is_none() && d.control.table.is_some();
        let freed = self.state.devices.iter().filter(freed);
        let controls: Vec<(DeviceId, Control)> = freed
            .map(|(id, d)| {
                let nothing = || Control {
                    generation: next_generation(d, now),
                    ..Control::default()
                };
                let control = recording(d, now).filter(|_| !is_clock(id));
                (id.clone(), control.unwrap_or_else(nothing))
            })
            .collect();
        for (device, control) in controls {
            self.record(now, EventBody::ControlSet { device, control });
        }
    }
}

/// The control under which a board without a table records from the usual array on, once that stands.
fn recording(device: &Device, now: Timestamp) -> Option<Control> {
    let array = crate::game::GamePosition::initial().placement();
    let board = device.board.as_ref()?;
    let generation = next_generation(device, now);
    let game = format!("free-{generation}").parse().ok()?;
    stands(board, &array).then(|| Control {
        generation,
        game: Some(game),
        ..Control::default()
    })
}
