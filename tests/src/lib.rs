//! The whole venue in one process.
