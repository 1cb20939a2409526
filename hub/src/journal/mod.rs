//! The append-only record of the venue, the one truth: segments of framed, chained, checked records, one writer, durable groups.

mod damage;
mod error;
mod frame;
mod open;
mod reader;
mod segment;
#[cfg(test)]
mod tests;
mod upcast;
mod writer;

pub use damage::{Damage, Findings};
pub use error::JournalError;
pub use frame::{Chain, Record};
pub use open::{Journal, JournalConfig, Lock, Opened, Replay};
pub use reader::{Place, check_before, read_all, read_from};
pub use upcast::{NotUnderstood, decode, encode};
pub use writer::{Appender, JournalState};
