//! The local API of LiveChess for boards of this agent: a browser on the same computer plays on the board beside it.

mod door;
mod house;
mod serve;

pub use house::Beside;
pub use serve::serve;
