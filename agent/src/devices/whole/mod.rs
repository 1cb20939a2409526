//! What all families have in common whose reports show the whole board.

mod cutter;
mod family;
mod line;
mod polls;
mod speech;

#[cfg(test)]
mod tests;

pub(super) use cutter::{Cutter, Probe};
pub(super) use family::WholeFamily;
pub(super) use speech::{Heard, Manner, Speech, Stretch};
