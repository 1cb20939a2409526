//! Virtual boards that report whole positions, byte for byte.
//!
//! Pure. [`Reporting`] is what they have in common: pieces, power, a line that carries one byte after the other. A
//! [`Voice`] is what tells one make from the other.

mod board;
mod certabo;
mod chessnut;
mod ichessone;
mod millennium;
mod voice;
mod zmartfun;

pub use board::{MAKES, Reporting, family_of, virtual_board};
pub use voice::Voice;
