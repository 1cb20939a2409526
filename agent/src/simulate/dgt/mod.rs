//! Virtual DGT boards: the other end of the line, byte for byte, for demonstrations, tests and any software that
//! can open a port.
//!
//! Pure: hands move pieces and the chessclock, bytes of a host go in, bytes of a board come out when the wire of
//! 9600 baud would have carried them. [`CaptureBoard`] is a recording that answers like a board.

mod board;
mod bus;
mod capture;
pub(super) mod chessclock;
mod hearing;
mod memory;
mod sensor;
mod wire;

#[cfg(test)]
mod tests;

pub use board::{ClockAction, VirtualDgt, VirtualOptions};
pub use bus::VirtualBus;
pub use capture::CaptureBoard;
