//! What can go wrong with the journal's files.

use std::io;
use std::path::{Path, PathBuf};

use thiserror::Error;

/// Why the journal cannot be opened, read or written.
#[derive(Debug, Error)]
pub enum JournalError {
    /// A file or folder cannot be read or written.
    #[error(
        "H10 cannot {doing} {}: {source} · help: check the disk, its free space and that this user may write there", path.display()
    )]
    File {
        /// What was tried: "read", "write" …
        doing: &'static str,
        /// The file or folder.
        path: PathBuf,
        /// The system's reason.
        source: io::Error,
    },
    /// Another hub has the journal open.
    #[error(
        "H11 {} is in use by another hub · help: stop that one first, or give this one another --data folder", path.display()
    )]
    InUse {
        /// The journal's folder.
        path: PathBuf,
    },
    /// The place a snapshot names is not in the journal (any more).
    #[error(
        "H12 the journal has no event {number} where the snapshot says: its end, or all of it, is gone or another one; what is left is read from the beginning · help: stop the hub, put `journal` back from a copy, start it again; without a copy compare the games with the scoresheets"
    )]
    NoSuchPlace {
        /// Number of the last event before that place.
        number: u64,
    },
    /// The journal has nothing, and the store knows games.
    #[error(
        "H12 the journal is empty, and the store knows {games} games: their events are gone · help: stop the hub, put `journal` back from a copy, start it again; without a copy take the games from the folder of the feeds and from the scoresheets"
    )]
    Emptied {
        /// How many.
        games: usize,
    },
    /// The writer has ended.
    #[error("H13 the journal is closed; nothing more can be written down")]
    Closed,
}

impl JournalError {
    /// A file error with its context.
    pub(crate) fn file(doing: &'static str, path: &Path) -> impl FnOnce(io::Error) -> Self {
        let path = path.to_owned();
        move |source| JournalError::File {
            doing,
            path,
            source,
        }
    }
}
