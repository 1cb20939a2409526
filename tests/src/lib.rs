//! The whole venue on one machine: hub and agents as processes of their own, virtual boards as serial devices, and an
//! observer who compares what was recorded with what was played.
//!
//! The demo is the test harness: [`Venue`] is what `cargo demo` shows and what the tests in `e2e/` put through faults.

mod board;
mod compare;
pub mod hall;
mod mosquitto;
mod names;
mod observer;
mod parts;
pub mod rehearsal;
pub mod scenario;
mod summary;
mod terminal;
pub mod trial;
mod venue;

pub use board::{Boards, reading};
pub use compare::{Comparison, compare};
pub use mosquitto::Mosquitto;
pub use observer::{Observer, Seen};
pub use parts::{Part, part_main, resident_kib};
pub use summary::{Latency, Summary};
pub use terminal::Terminal;
pub use venue::{Venue, VenueOptions, free_port};
