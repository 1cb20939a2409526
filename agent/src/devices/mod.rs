//! What the boards and chessclocks of the hall say, family by family: bytes in, [`DeviceEvent`]s and bytes out.
//!
//! Pure: no port, no clock, no thread. A caller opens the port, hands over what arrives with the time of
//! arrival and writes what [`Line::next_write`] gives. Adding a family is one file (or folder) and one line
//! in [`DRIVERS`].

mod capture;
mod chessclock;
mod clock_face;
mod driver;
mod event;
mod lines;
mod orientation;
mod placement;
mod shadow;
mod words;

mod whole;

mod certabo;
mod chessnut;
mod club;
pub mod dgt;
mod diyclock;
mod ichessone;
mod millennium;
mod novag;
mod zmartfun;

#[cfg(test)]
mod tests;

pub use capture::{Capture, CaptureError, Chunk, parse_examples, parse_hex, to_hex};
pub use chessclock::{ChessclockSides, ClockSide, SidesKnownBy};
pub use driver::{
    Command, DRIVERS, Driver, Family, Frame, Line, LineOptions, Millis, Pace, PortKind, driver,
};
pub use event::{
    Battery, ButtonPress, ClockFace, ClockReading, ClockType, DeviceEvent, Disbelief, Flag,
    Identity, LogEntry, LostBecause, NoClockBecause, ResultSign,
};
pub use orientation::{Orientation, OrientationChoice};
pub use placement::Placement;
