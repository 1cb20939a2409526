//! The wall page: demonstration boards for the hall, from the binary alone.

mod answers;
mod asked;
mod board_svg;
mod card;
#[cfg(test)]
pub(crate) mod example;
mod frame;
mod live;
pub mod overlay;
pub mod page;
pub mod projector;
mod qr;
mod reachable;
mod server;
mod serving;
mod standings;
pub mod table_cards;
pub mod tables;
mod teams;
#[cfg(test)]
mod tests;
pub(crate) mod words;

#[cfg(test)]
mod server_tests;

pub use server::{Viewers, Wall, serve};
pub(crate) use serving::serve_router;
