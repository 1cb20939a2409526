//! Feeds an LED wall or a sign: what the hub tells of the boards, as short lines on a serial port.

mod run;
mod sign;

pub use run::{WallOptions, run};
