//! An example hall of 99 tables in a busy minute: for pictures, documentation and tests.

mod hall;
mod hub;
mod inbox;
mod scenes;

pub use self::hub::answer;
pub use hall::{NOW, table};
pub use scenes::{SCENES, app, deaf, heard, play, stage, venue};
