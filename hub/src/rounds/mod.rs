//! Rounds: who plays whom, at which table, on which board, read from header-only PGN or from CSV.

mod setup;

mod csv_pairs;
mod pgn_headers;

mod faithful_pgn;
mod import_error;

pub use csv_pairs::from_csv;
pub use faithful_pgn::{Note, faithful_game};
pub use import_error::{ImportError, Problem};
pub use pgn_headers::from_pgn;
pub use setup::{RoundSetup, TableSetup};
