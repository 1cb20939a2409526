//! Novag boards: they say moves, not squares; what stands on the board follows from the moves since the array.

mod family;
mod game;
mod said;

pub(super) use family::{CITRINE, UNIVERSAL};
