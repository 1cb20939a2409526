//! The sled database: opened guarded, written in batches that are on disk when a call returns.
//!
//! Measured with sled 0.34.7: `flush` alone is no fsync, and a torn tail can make it panic at open. So every write is a
//! flush and an fdatasync of its `db` file, and whatever does not open is moved aside: the journal makes it again.

use std::fs::{self, File};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};

use protocol::HallBoard;
use sled::{Batch, Db};

use super::error::StoreError;
use super::snapshot::Snapshot;
use crate::rounds::RoundSetup;

/// Pieces of a snapshot, bytes: sled likes values small.
const PIECE: usize = 256 << 10;
const CACHE: u64 = 16 << 20;

/// How opening went.
#[derive(Debug)]
pub enum Opening {
    /// As it was.
    Whole,
    /// It did not open and was moved aside; it is empty now.
    Remade {
        /// Where the old one lies.
        aside: PathBuf,
        /// Why.
        why: StoreError,
    },
}

/// Snapshots, games and rounds.
#[derive(Debug)]
pub struct Store {
    db: Db,
    folder: PathBuf,
}

impl Store {
    /// Opens the store in a folder, and makes a new one when it does not open.
    ///
    /// # Errors
    /// [`StoreError`] when even a new one cannot be made.
    pub fn open(folder: &Path) -> Result<(Store, Opening), StoreError> {
        match Store::try_open(folder) {
            Ok(store) => Ok((store, Opening::Whole)),
            Err(why) if why.is_lock() => Err(why),
            Err(why) => {
                let aside = move_aside(folder)?;
                let store = Store::try_open(folder)?;
                Ok((store, Opening::Remade { aside, why }))
            }
        }
    }

    /// Moves the store aside, because it tells of events that the journal has lost, and makes an empty one in its place.
    ///
    /// # Errors
    /// [`StoreError`] when it cannot be moved or no new one can be made.
    pub fn set_aside(self) -> Result<(Store, PathBuf), StoreError> {
        let folder = self.folder.clone();
        drop(self);
        let aside = move_aside(&folder)?;
        Ok((Store::try_open(&folder)?, aside))
    }

    /// Opens the store as it is and moves nothing.
    ///
    /// # Errors
    /// [`StoreError`]: damaged, or in use by a running hub.
    pub fn try_open(folder: &Path) -> Result<Store, StoreError> {
        let config = sled::Config::new()
            .path(folder)
            .cache_capacity(CACHE)
            .flush_every_ms(None);
        let opened = catch_unwind(AssertUnwindSafe(|| config.open()));
        let db = opened.map_err(|_| StoreError::Damaged(folder.to_owned()))??;
        Ok(Store {
            db,
            folder: folder.to_owned(),
        })
    }

    /// Its folder.
    pub(crate) fn folder(&self) -> &Path {
        &self.folder
    }

    /// Keeps a snapshot in place of the one before.
    ///
    /// # Errors
    /// [`StoreError`].
    pub fn put_snapshot(&self, snapshot: &Snapshot) -> Result<(), StoreError> {
        let tree = self.db.open_tree("snapshot")?;
        let bytes = snapshot.bytes();
        let mut batch = Batch::default();
        let mut pieces = 0u32;
        for piece in bytes.chunks(PIECE) {
            batch.insert(&pieces.to_be_bytes(), piece);
            pieces += 1;
        }
        for old in tree.range(pieces.to_be_bytes()..).keys() {
            batch.remove(old?);
        }
        tree.apply_batch(batch)?;
        self.make_durable()
    }

    /// The snapshot, none when there is none of this version.
    ///
    /// # Errors
    /// [`StoreError::Value`] when it is damaged.
    pub fn snapshot(&self) -> Result<Option<Snapshot>, StoreError> {
        let mut bytes = Vec::new();
        for piece in self.db.open_tree("snapshot")?.iter().values() {
            bytes.extend_from_slice(&piece?);
        }
        if bytes.is_empty() {
            return Ok(None);
        }
        Snapshot::parse(&bytes)
    }

    /// Keeps the newest state of some games, as the hall sees them.
    ///
    /// # Errors
    /// [`StoreError`].
    pub fn put_games(&self, boards: &[HallBoard]) -> Result<(), StoreError> {
        let mut batch = Batch::default();
        for board in boards {
            let mut value = Vec::new();
            ciborium::into_writer(board, &mut value).expect("a vector takes everything");
            batch.insert(board.game.as_str().as_bytes(), value);
        }
        self.db.open_tree("games")?.apply_batch(batch)?;
        self.make_durable()
    }

    /// Every game, by its id.
    ///
    /// # Errors
    /// [`StoreError`].
    pub fn games(&self) -> Result<Vec<HallBoard>, StoreError> {
        let tree = self.db.open_tree("games")?;
        let read = |value: Result<sled::IVec, sled::Error>| {
            ciborium::from_reader(&value?[..]).map_err(|e| StoreError::Value(e.to_string()))
        };
        tree.iter().values().map(read).collect()
    }

    /// Whether any game is kept.
    pub fn knows_games(&self) -> bool {
        let games = self.db.open_tree("games");
        games.is_ok_and(|games| !games.is_empty())
    }

    /// Keeps the set-up of a round.
    ///
    /// # Errors
    /// [`StoreError`].
    pub fn put_round(&self, round: &RoundSetup) -> Result<(), StoreError> {
        let value = serde_json::to_vec(round).map_err(|e| StoreError::Value(e.to_string()))?;
        let tree = self.db.open_tree("rounds")?;
        tree.insert(round.round.to_be_bytes(), value)?;
        self.make_durable()
    }

    /// Every round, rising.
    ///
    /// # Errors
    /// [`StoreError`].
    pub fn rounds(&self) -> Result<Vec<RoundSetup>, StoreError> {
        let tree = self.db.open_tree("rounds")?;
        let read = |value: Result<sled::IVec, sled::Error>| {
            serde_json::from_slice(&value?).map_err(|e| StoreError::Value(e.to_string()))
        };
        tree.iter().values().map(read).collect()
    }

    fn make_durable(&self) -> Result<(), StoreError> {
        self.db.flush()?;
        let path = self.folder.join("db");
        let synced = File::open(&path).and_then(|f| f.sync_data());
        synced.map_err(|source| StoreError::File { path, source })
    }
}

/// Renames the folder of a store that cannot be used.
fn move_aside(folder: &Path) -> Result<PathBuf, StoreError> {
    let name = |n: u32| folder.with_extension(format!("broken-{n}"));
    let aside = (1..)
        .map(name)
        .find(|p| !p.exists())
        .expect("there is always another number");
    fs::rename(folder, &aside).map_err(|source| StoreError::File {
        path: folder.to_owned(),
        source,
    })?;
    Ok(aside)
}
