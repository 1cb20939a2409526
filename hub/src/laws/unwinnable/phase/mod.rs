//! The phase graph: a static proof that no mate can arise.

mod answers;
mod check;
mod closure;
mod edges;
mod exploration;
mod flood;
mod graph;
mod kings;
mod mate;
mod state;

pub(super) use exploration::{Manner, Order};
pub(super) use flood::steps as king_steps;
pub(super) use graph::{Attempt, Closed};
pub use kings::Kings;
pub use state::{Kind, Man, Phase};
