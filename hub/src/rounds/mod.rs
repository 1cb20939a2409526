//! Rounds: who plays whom, at which table, on which board, read from header-only PGN or from CSV.

mod setup;

mod csv_pairs;
mod pgn_headers;

mod import_error;

pub use csv_pairs::from_csv;
pub use import_error::{ImportError, Problem};
pub use pgn_headers::from_pgn;
pub use setup::{RoundSetup, TableSetup};
