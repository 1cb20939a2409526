//! The phase graph.
mod state;
mod flood;
mod closure;
mod edges;
mod mate;
mod graph;

pub use graph::prove;
pub use state::{Kind, Man, Phase};
