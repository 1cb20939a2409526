//! An example hall of 99 tables in a busy minute: for pictures, documentation and tests.

mod hall;
mod hub;
mod inbox;
mod scenes;

pub use hall::{NOW, table};
pub use hub::answer;
pub use scenes::{SCENES, app, heard, play, venue};
