//! The topics of a venue as an AsyncAPI 3 document: printed by the program, so that it says what the program does.

mod document;
mod schema;
mod topics;

#[cfg(test)]
mod tests;

pub use document::document;
