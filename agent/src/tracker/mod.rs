//! What did the hands do? Legal games out of a stream of squares and presses.

mod observation;
mod inference;
mod setup;
mod tracker;
mod core;
mod tree;
mod hypothesis;
mod growth;
mod prices;
mod recover;
mod occupancy;
mod publish;
mod margin;
mod record;
mod board;

pub use inference::{Code, Evidence, Fact, Inference, Irregular, PlyNumber, Weight};
pub use observation::{ClockState, LogEntry, Millis, Observation, Profile, Reading, Readings, Sensing};
pub use record::{Played, Ply, Status};
pub use setup::{HistoryError, Setup};
pub use tracker::Tracker;
