//! Writes to the store in a thread of its own, so that nobody waits for it; gathers what changes often.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, TrySendError, sync_channel};
use std::thread::{self, JoinHandle};
use std::time::Duration;

use protocol::{GameId, HallBoard};

use super::error::StoreError;
use super::sled_store::Store;
use super::snapshot::Snapshot;
use crate::rounds::RoundSetup;

/// Something to keep.
#[derive(Debug)]
pub enum Keep {
    /// The state at a place of the journal.
    Snapshot(Box<Snapshot>),
    /// The newest state of a game.
    Game(Box<HallBoard>),
    /// A round.
    Round(Box<RoundSetup>),
}

/// The thread that owns the store. What it cannot take is dropped: all of it can be made again.
#[derive(Debug)]
pub struct Keeper {
    work: Option<SyncSender<Keep>>,
    thread: Option<JoinHandle<()>>,
}

/// Games are written together, this often.
const GATHER: Duration = Duration::from_secs(2);
const WAITING: usize = 4096;

impl Keeper {
    /// Takes the store over.
    pub fn start(store: Store) -> Keeper {
        let (work, waiting) = sync_channel(WAITING);
        let thread = thread::Builder::new()
            .name("store".to_owned())
            .spawn(move || keep(Shelf::of(store), &waiting));
        match thread {
            Ok(thread) => Keeper {
                work: Some(work),
                thread: Some(thread),
            },
            Err(error) => {
                tracing::error!("H24 no thread for the store: {error}; restarts will be slow");
                Keeper::none()
            }
        }
    }

    /// Keeps nothing.
    pub fn none() -> Keeper {
        Keeper {
            work: None,
            thread: None,
        }
    }

    /// Hands something over; false when the store is behind or gone.
    pub fn keep(&self, something: Keep) -> bool {
        let Some(work) = &self.work else {
            return false;
        };
        match work.try_send(something) {
            Ok(()) => true,
            Err(TrySendError::Full(_) | TrySendError::Disconnected(_)) => false,
        }
    }

    /// Writes what waits and closes the store.
    pub fn close(mut self) {
        self.end();
    }

    fn end(&mut self) {
        self.work = None;
        if let Some(thread) = self.thread.take()
            && thread.join().is_err()
        {
            tracing::error!(
                "H24 the store's thread ended by a panic; it is made again at the next start"
            );
        }
    }
}

impl Drop for Keeper {
    fn drop(&mut self) {
        self.end();
    }
}

fn keep(mut shelf: Shelf, waiting: &Receiver<Keep>) {
    let mut games: BTreeMap<GameId, HallBoard> = BTreeMap::new();
    loop {
        let work = waiting.recv_timeout(GATHER);
        let flush = !matches!(work, Ok(Keep::Game(_))) || games.len() >= 256;
        match work {
            Ok(Keep::Game(board)) => {
                games.insert(board.game.clone(), *board);
            }
            Ok(Keep::Snapshot(snapshot)) => shelf.put(|store| store.put_snapshot(&snapshot)),
            Ok(Keep::Round(round)) => shelf.put(|store| store.put_round(&round)),
            Err(RecvTimeoutError::Timeout) => {}
            Err(RecvTimeoutError::Disconnected) => {
                shelf.put_games(&mut games);
                return;
            }
        }
        if flush {
            shelf.put_games(&mut games);
        }
    }
}

/// The store, opened again after an error: sled stays with the first one it meets, such as a full disk.
struct Shelf {
    store: Option<Store>,
    folder: PathBuf,
}

impl Shelf {
    fn of(store: Store) -> Shelf {
        Shelf {
            folder: store.folder().to_owned(),
            store: Some(store),
        }
    }

    fn put(&mut self, write: impl FnOnce(&Store) -> Result<(), StoreError>) {
        let done = match self.opened() {
            Ok(store) => write(store),
            Err(error) => Err(error),
        };
        if let Err(error) = done {
            tracing::warn!("{error}");
            self.store = None;
        }
    }

    fn put_games(&mut self, games: &mut BTreeMap<GameId, HallBoard>) {
        if !games.is_empty() {
            let boards: Vec<HallBoard> = std::mem::take(games).into_values().collect();
            self.put(|store| store.put_games(&boards));
        }
    }

    fn opened(&mut self) -> Result<&Store, StoreError> {
        let store = match self.store.take() {
            Some(store) => store,
            None => Store::open(&self.folder)?.0,
        };
        Ok(self.store.insert(store))
    }
}
