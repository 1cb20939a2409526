//! The sensing board: what it and its cable make of the hands.

mod hardware;
mod lines;
mod link;
mod squares;

pub use hardware::Hardware;
pub use lines::json_line;
pub use link::{Reading, Sensed, coils, sense};
