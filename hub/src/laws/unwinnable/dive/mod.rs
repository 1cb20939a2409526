//! Looks for a helpmate the quick way: both sides follow one simple plan and nothing is ever taken back.

mod mates;
mod plan;
mod runner;
mod scores;

pub(super) use plan::dive;
