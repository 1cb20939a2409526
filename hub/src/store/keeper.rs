//! Writes to the store in a thread of its own, so that nobody waits for it; gathers what changes often.

use std::collections::BTreeMap;
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
            .spawn(move || keep(&store, &waiting));
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

fn keep(store: &Store, waiting: &Receiver<Keep>) {
    let mut games: BTreeMap<GameId, HallBoard> = BTreeMap::new();
    loop {
        let work = waiting.recv_timeout(GATHER);
        let flush = !matches!(work, Ok(Keep::Game(_))) || games.len() >= 256;
        match work {
            Ok(Keep::Game(board)) => {
                games.insert(board.game.clone(), *board);
            }
            Ok(Keep::Snapshot(snapshot)) => say(store.put_snapshot(&snapshot)),
            Ok(Keep::Round(round)) => say(store.put_round(&round)),
            Err(RecvTimeoutError::Timeout) => {}
            Err(RecvTimeoutError::Disconnected) => {
                write(store, &mut games);
                return;
            }
        }
        if flush {
            write(store, &mut games);
        }
    }
}

fn write(store: &Store, games: &mut BTreeMap<GameId, HallBoard>) {
    if !games.is_empty() {
        let boards: Vec<HallBoard> = std::mem::take(games).into_values().collect();
        say(store.put_games(&boards));
    }
}

fn say(result: Result<(), StoreError>) {
    if let Err(error) = result {
        tracing::warn!("{error}");
    }
}
