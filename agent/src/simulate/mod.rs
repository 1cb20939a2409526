//! Virtual boards that speak the real byte protocols, and the hands that play on them.
//!
//! Pure: [`hands`] and [`games`] say what happens at a table, [`dgt`] is a board at the far end of a line. Around them,
//! [`pty`] makes a board a serial device that any program can open, and [`Tables`] plays games on many of them in real time.

pub mod games;
pub mod hands;
pub mod script;

mod bad_line;
pub mod dgt;
mod far_end;
mod lines;
mod uart;
pub mod whole;

pub mod pty;
mod seat;
mod shared_line;
mod tables;
mod trouble;

pub use bad_line::{BadLine, Flaws};
pub use dgt::ClockAction;
pub use far_end::{FarEnd, VirtualBoard};
pub use seat::{Truth, TruthPly, touch};
pub use shared_line::at_the_board;
pub use tables::{Tables, TablesOptions};
pub use trouble::Trouble;
