//! What sits at the far end of a line, as whoever carries the bytes and whoever moves the pieces see it.

use shakmaty::{Piece, Square};

use super::dgt::ClockAction;
use crate::devices::Millis;

/// What sits at the far end of a line, seen by whoever carries the bytes.
pub trait FarEnd: Send {
    /// The host wrote these bytes.
    fn host_bytes(&mut self, now: Millis, bytes: &[u8]);
    /// The bytes that have arrived at the host by now.
    fn take_output(&mut self, now: Millis) -> Vec<u8>;
    /// When something may be there to take, if nobody touches anything.
    fn wake(&self) -> Option<Millis>;
}

/// A virtual board as hands see it.
pub trait VirtualBoard: FarEnd {
    /// A true square holds this now.
    fn set_square(&mut self, now: Millis, square: Square, piece: Option<Piece>);
    /// Somebody touches the chessclock, if there is one.
    fn clock(&mut self, _now: Millis, _action: ClockAction) {}
    /// The board is switched off or on.
    fn power(&mut self, now: Millis, on: bool);
    /// How many commands were heard that no host may send in a game.
    fn harmful_commands(&self) -> u32;
    /// Whether it talks without being asked.
    fn talks_by_itself(&self) -> bool {
        false
    }
}
