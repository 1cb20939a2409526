//! The wall page: demonstration boards for the hall, from the binary alone.

mod board_svg;
#[cfg(test)]
pub(crate) mod example;
pub mod page;
mod server;
#[cfg(test)]
mod tests;
pub(crate) mod words;

#[cfg(test)]
mod server_tests;

pub use server::{Wall, serve};
