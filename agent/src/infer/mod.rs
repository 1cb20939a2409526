//! `zeitnot-agent infer`: the tracker alone, square events in as JSON lines, facts out.

#[cfg(test)]
mod accidents;
mod command;
mod events;
mod facts;
mod report;
mod table;
mod trial;

pub use command::{Args, InferError, infer, run};
pub use events::{Game, GameError};
