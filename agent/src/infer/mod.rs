//! `zeitnot-agent infer`: the tracker alone, square events in as JSON lines, facts out.

mod command;
mod events;
mod facts;
mod table;

pub use command::{Args, InferError, infer, run};
pub use events::{Game, GameError};
