//! What can go wrong with the store; none of it loses anything, because the journal is the truth.

use std::io;
use std::path::PathBuf;

use thiserror::Error;

/// Why the store cannot be opened, read or written.
#[derive(Debug, Error)]
pub enum StoreError {
    /// sled's own reason.
    #[error(
        "H22 the store: {0} · help: nothing is lost, the journal has everything; see that the disk has room and no other hub uses the folder; if it stays, stop the hub and remove the folder `store`"
    )]
    Sled(#[from] sled::Error),
    /// sled ended by a panic while opening.
    #[error("H23 the store in {} is damaged · help: nothing is lost; the hub makes it again from the journal", .0.display())]
    Damaged(PathBuf),
    /// A file cannot be read or written.
    #[error("H24 cannot write {}: {source} · help: check the disk and its free space", path.display())]
    File {
        /// The file.
        path: PathBuf,
        /// The system's reason.
        source: io::Error,
    },
    /// A value cannot be read.
    #[error(
        "H25 a value in the store cannot be read: {0} · help: nothing is lost; it is made again from the journal"
    )]
    Value(String),
}

impl StoreError {
    /// Whether another program has the store open; then it is not to be touched.
    pub fn is_lock(&self) -> bool {
        matches!(self, StoreError::Sled(sled::Error::Io(error)) if error.to_string().contains("lock"))
    }
}
