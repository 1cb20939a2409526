//! What can be made again from the journal, kept so that a restart is fast: snapshots, games, rounds; sled behind one type.

mod error;
mod keeper;
mod sled_store;
mod snapshot;
#[cfg(test)]
mod tests;

pub use error::StoreError;
pub use keeper::{Keep, Keeper};
pub use sled_store::{Opening, Store};
pub use snapshot::Snapshot;
