//! What sessions want to find again after a restart, written in a thread of its own: no fact waits for it.

use std::collections::BTreeMap;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread::{self, JoinHandle};

use super::write_whole;

/// The newest memory of every device; dropping it writes what is waiting.
pub(super) struct States {
    desk: Arc<Desk>,
    writer: Option<JoinHandle<()>>,
}

#[derive(Default)]
struct Desk {
    waiting: Mutex<Waiting>,
    news: Condvar,
}

#[derive(Default)]
struct Waiting {
    memories: BTreeMap<PathBuf, Vec<u8>>,
    over: bool,
}

impl States {
    pub(super) fn start() -> io::Result<States> {
        let desk = Arc::new(Desk::default());
        let writer = thread::Builder::new().name("states".to_owned()).spawn({
            let desk = Arc::clone(&desk);
            move || desk.write()
        })?;
        Ok(States {
            desk,
            writer: Some(writer),
        })
    }

    /// Replaces the memory of a device; the facts it rests on are durable.
    pub(super) fn put(&self, path: PathBuf, memory: Vec<u8>) {
        self.desk.locked().memories.insert(path, memory);
        self.desk.news.notify_one();
    }

    /// Whether the newest memory is not on the disk yet.
    pub(super) fn is_waiting(&self, path: &Path) -> bool {
        self.desk.locked().memories.contains_key(path)
    }

    /// The newest memory, written or not.
    pub(super) fn get(&self, path: &Path) -> Option<Vec<u8>> {
        let waiting = self.desk.locked().memories.get(path).cloned();
        waiting.or_else(|| fs::read(path).ok())
    }
}

impl Drop for States {
    fn drop(&mut self) {
        self.desk.locked().over = true;
        self.desk.news.notify_one();
        if let Some(writer) = self.writer.take() {
            let _ended_by_a_panic = writer.join();
        }
    }
}

impl Desk {
    fn locked(&self) -> MutexGuard<'_, Waiting> {
        self.waiting.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn write(&self) {
        while let Some(memories) = self.next() {
            for (path, memory) in &memories {
                if let Err(why) = write_whole(path, memory) {
                    tracing::warn!(path = %path.display(), %why, "A37 the state of the device could not be kept");
                }
            }
            let mut waiting = self.locked();
            waiting
                .memories
                .retain(|path, memory| memories.get(path) != Some(memory));
        }
    }

    /// What is to be written; nothing when everything is and no more will come.
    fn next(&self) -> Option<BTreeMap<PathBuf, Vec<u8>>> {
        let mut waiting = self.locked();
        while waiting.memories.is_empty() && !waiting.over {
            waiting = self
                .news
                .wait(waiting)
                .unwrap_or_else(PoisonError::into_inner);
        }
        (!waiting.memories.is_empty()).then(|| waiting.memories.clone())
    }
}
