//! Pieces of screens: board, clocks, moves, text.

mod board;
mod moves;
mod text;

pub use board::{board, differing, move_squares};
pub use moves::{Row as MoveRow, ply_text, rows as move_rows};
pub use text::{clock_text, wrap};
