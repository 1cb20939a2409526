//! What did the hands do? Legal games out of a stream of squares and presses.
//!
//! A small tree of legal continuations is kept, each predicting the whole board and paying for every square that reads
//! otherwise, by kind and by time. The cheapest explains the stream best; when a move is shown, completed and settled is a
//! separate policy; what no legal line explains becomes an alert.
//!
//! The work of one event is bounded: at most 72 hypotheses (110 where all pieces look alike) and the ancestors of the best are
//! kept, 48 (32) of them are asked for moves in each of five rounds, a line goes back at most 32 plies, and a dump looks at no
//! more than 5,000 positions. Nothing else grows but the record.

mod alarms;
mod announce;
mod board;
mod boards;
mod candidate;
mod catching_up;
mod core;
mod doubt;
mod elsewhere;
mod growth;
mod hidden;
mod hypothesis;
mod inference;
mod irregular;
mod lifecycle;
mod log;
mod machine;
mod margin;
mod observation;
mod occupancy;
mod orders;
mod press;
mod presses;
mod prices;
mod publish;
mod record;
mod recover;
mod setup;
mod taken_back;
mod touch;
mod tree;
mod twins;
mod watch;
mod ways;
mod withdrawn;

#[cfg(test)]
mod tests;

pub use boards::{Side, TwoBoards};
pub use inference::{Code, Evidence, Fact, Inference, Irregular, PlyNumber, Weight};
pub use machine::Tracker;
pub use observation::{
    ClockState, LogEntry, Millis, Observation, Profile, Reading, Readings, Sensing,
};
pub use record::{Played, Ply, Status};
pub use setup::{HistoryError, Setup};
