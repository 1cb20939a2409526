//! The phase graph.
mod state;
mod kings;
mod flood;
mod closure;
mod edges;
mod mate;
mod graph;

pub(super) use graph::{Attempt, Closed};
pub use kings::Kings;
pub use state::{Kind, Man, Phase};
