//! Rulings: what an arbiter's order would do, prepared without doing it, with the arithmetic and the article.

mod prepared;

mod adjournment;
mod claim;
mod clock_replacement;
mod conduct;
mod illegal_move;
mod record;
mod report;
mod result;
mod time;

mod prepare;

pub use prepare::{Around, prepare};
pub use prepared::{Prepared, Refusal};
