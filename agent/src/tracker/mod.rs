//! What did the hands do? Legal games out of a stream of squares and presses.
//!
//! A small tree of legal continuations is kept, each predicting the whole board and paying for every square that reads
//! otherwise, by kind and by time. The cheapest explains the stream best; when a move is shown, completed and settled is a
//! separate policy; what no legal line explains becomes an alert.

mod observation;
mod inference;
mod setup;
mod tracker;
mod announce;
mod publish;
mod margin;
mod record;
mod core;
mod tree;
mod hypothesis;
mod growth;
mod prices;
mod occupancy;
mod recover;
mod log;
mod press;
mod touch;
mod watch;
mod irregular;
mod lifecycle;
mod boards;
mod alarms;
mod board;

#[cfg(test)]
mod tests;

pub use boards::{Side, TwoBoards};
pub use inference::{Code, Evidence, Fact, Inference, Irregular, PlyNumber, Weight};
pub use observation::{ClockState, LogEntry, Millis, Observation, Profile, Reading, Readings, Sensing};
pub use record::{Played, Ply, Status};
pub use setup::{HistoryError, Setup};
pub use tracker::Tracker;
