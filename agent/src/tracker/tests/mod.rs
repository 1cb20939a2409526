//! The stories of `stories.txt`, and what must hold for any stream.

mod laws_of_streams;
mod stories;
