//! The phase graph.
mod state;
mod kings;
mod flood;
mod closure;
mod edges;
mod mate;
mod graph;

pub(super) use graph::Closed;
pub use state::{Kind, Man, Phase};
