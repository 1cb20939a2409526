//! The arbiters' dashboard: which table needs me now, and may I speak?
//!
//! [`app::App`] is pure: [`message::Message`]s go in, [`message::Effect`]s come out, time arrives as a message, and the
//! picture is drawn into a buffer. The rim around it is small: the terminal, the line to the hub, the command line.
//! No law is computed here: what a ruling would do is asked of the hub.

pub mod access;
pub mod action;
mod answer;
pub mod app;
pub mod canvas;
pub mod cli;
pub mod dialogs;
pub mod doctor;
pub mod example;
pub mod filter;
pub mod glyphs;
pub mod journal;
pub mod key;
pub mod keymap;
pub mod language;
pub mod link;
pub mod message;
pub mod notation;
pub mod pgn;
mod picture;
pub mod plain;
pub mod roster;
pub mod run;
pub mod screens;
pub mod screenshot;
mod sentences;
pub mod settings;
mod speak;
pub mod surroundings;
pub mod terminal;
pub mod theme;
pub mod told;
mod unreached;
pub mod venue;
pub mod widgets;
pub mod words;

pub use run::{Options, RunError, run};
