//! Rulings: what an arbiter's order would do, prepared without doing it, with the arithmetic and the article.

mod prepared;

mod conduct;
mod illegal_move;
mod record;
mod result;
mod time;

mod prepare;

pub use prepare::{Around, prepare};
pub use prepared::{Prepared, Refusal};
