//! Accepts or rejects a proof, sharing no code with the search that found it.
//!
//! A line is replayed. A lemma is looked up again. Phases are checked one by one: the position lies in one of them, each is closed,
//! each irreversible move leads into a listed phase, none can hold a mate. A count of visited positions is walked again on demand,
//! with the plain rules of [`shakmaty`] and nothing else.

mod answer;
mod cover;
mod mates;
mod pairs;
mod phases;
mod rewalk;
mod successors;
mod view;

pub(super) use answer::{accepts, accepts_line};
#[cfg(test)]
pub(super) use cover::holds;
pub use rewalk::{Rewalk, rewalk};
