//! Alerts: what wants an arbiter now, from the state of a game and its devices; raised once, taken, closed, reopened.

mod condition;
mod patience;

mod clock_conditions;
mod conditions;
mod law_conditions;

mod board_words;
mod claim_words;
mod evidence;
mod law_words;
mod words;

mod book;
mod grouping;

pub use book::{Book, Kept};
pub use condition::{Condition, Place};
pub(crate) use condition::{PAST, ply_of};
pub use conditions::{Devices, of_game};
pub use grouping::by_cause;
pub use patience::Patience;
pub(crate) use words::may_snooze;
pub use words::{for_device, for_game};
