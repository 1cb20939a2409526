//! The wall page: demonstration boards for the hall, from the binary alone.

mod board_svg;
pub mod cards;
#[cfg(test)]
pub(crate) mod example;
pub mod overlay;
pub mod page;
mod qr;
mod server;
mod serving;
mod teams;
#[cfg(test)]
mod tests;
pub(crate) mod words;

#[cfg(test)]
mod server_tests;

pub use server::{Wall, serve};
pub(crate) use serving::serve_router;
