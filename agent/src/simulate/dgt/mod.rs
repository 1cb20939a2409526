//! Virtual DGT boards: the other end of the line, byte for byte, for demonstrations, tests and any software that
//! can open a port.
//!
//! Pure: hands move pieces and the chessclock, bytes of a host go in, bytes of a board come out when the wire of
//! 9600 baud would have carried them. [`CaptureBoard`] is a recording that answers like a board.

mod board;
mod capture;
mod chessclock;
mod hearing;
mod memory;
mod sensor;
mod uart;
mod wire;

#[cfg(test)]
mod tests;

pub use board::{ClockAction, VirtualDgt, VirtualOptions};
pub use capture::CaptureBoard;

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
