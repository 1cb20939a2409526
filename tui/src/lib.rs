//! The arbiters' dashboard: which table needs me now, and may I speak?
//!
//! [`app::App`] is pure: [`message::Message`]s go in, [`message::Effect`]s come out, time arrives as a message, and the
//! picture is drawn into a buffer. The rim around it is small: the terminal, the line to the hub, the command line.
//! No law is computed here: what a ruling would do is asked of the hub.

pub mod action;
pub mod app;
pub mod canvas;
pub mod dialogs;
pub mod example;
pub mod filter;
pub mod glyphs;
pub mod key;
pub mod keymap;
pub mod message;
pub mod notation;
pub mod roster;
pub mod screens;
pub mod settings;
pub mod theme;
pub mod venue;
pub mod widgets;
pub mod words;
