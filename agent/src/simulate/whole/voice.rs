//! How one make of board speaks.

use crate::devices::{Millis, Placement};

/// How one make of board speaks. Positions are in the board's own numbering.
pub trait Voice: Send {
    /// Bytes a second on its line.
    fn bytes_a_second(&self) -> f64;
    /// A report without being asked this often, once the host has said what makes it talk.
    fn reports_every(&self) -> Option<Millis>;
    /// A report whenever the position has changed.
    fn reports_changes(&self) -> bool {
        false
    }
    /// The report of a position.
    fn report(&mut self, position: &Placement) -> Vec<u8>;
    /// What it answers to bytes of the host, and how many of them should never have been said.
    fn hear(&mut self, bytes: &[u8], position: &Placement) -> (Vec<u8>, u32);
    /// It was switched off and on.
    fn restart(&mut self) {}
}
