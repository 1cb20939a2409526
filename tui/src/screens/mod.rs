//! The screens, one file each, and what lies around and over them.

mod alerts;
mod around;
mod devices;
mod draw;
mod forecast;
mod hall;
mod help;
mod journal;
mod log;
mod page;
mod palette;
mod panel;
mod round;
mod rows;
mod small;
mod table;
mod tables;
mod unheard;

pub use around::footer_actions;
pub use draw::draw;
pub use hall::map_lines;
