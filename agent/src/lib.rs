//! Listens to boards and clocks at the tables and tells the hub.
//!
//! Bytes come in through [`ports`], become [`devices::DeviceEvent`]s, are understood by the [`tracker`], numbered by a
//! [`session`], kept by the [`outbox`] until the hub has them, and carried by the [`link`]. The [`supervisor`] keeps many
//! boards apart: what happens to one never stops another. [`simulate`] plays games on virtual boards that speak the real
//! byte protocols.

pub mod cli;
pub mod config;
pub mod daemon;
pub mod devices;
pub mod doctor;
pub mod exchange;
pub mod infer;
pub mod link;
pub mod livechess;
pub mod outbox;
pub mod ports;
pub mod scoresheet;
pub mod session;
pub mod simulate;
pub mod supervisor;
pub mod time;
pub mod tracker;
pub mod transcript;
pub mod wall;

pub use daemon::{Agent, StartError, start};
