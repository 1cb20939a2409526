//! How the receivers of the feeds are, for the operator; and which of them he has paused.

use std::collections::{BTreeMap, BTreeSet};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use protocol::{FeedState, TableId, Timestamp};
use serde::{Deserialize, Serialize};

use super::Target;

/// One receiver.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct FeedLine {
    /// `pgn`, `lichess/A` …
    pub name: String,
    /// Whose boards it gets.
    pub audience: String,
    /// The operator has stopped it.
    pub paused: bool,
    /// When it got something last, hub's time.
    pub delivered: Option<Timestamp>,
    /// How much it has got since the hub started: files and messages.
    pub count: u64,
    /// What is wrong, with a cure; none: it is well.
    pub trouble: Option<String>,
}

impl FeedLine {
    /// A receiver of which nothing is known yet.
    pub(super) fn of(target: &Target) -> FeedLine {
        FeedLine {
            name: target.name.clone(),
            audience: target.audience.clone(),
            paused: false,
            delivered: None,
            count: 0,
            trouble: None,
        }
    }
}

/// All receivers; clones see the same.
#[derive(Debug, Clone, Default)]
pub struct FeedHealth(Arc<Mutex<BTreeMap<String, FeedLine>>>);

impl FeedHealth {
    /// Every receiver, by name.
    pub fn lines(&self) -> Vec<FeedLine> {
        let lines = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        lines.values().cloned().collect()
    }

    /// How each is, for the desk.
    pub fn reports(&self) -> Vec<protocol::FeedHealth> {
        let report = |line: FeedLine| protocol::FeedHealth {
            state: match (line.paused, &line.trouble) {
                (true, _) => FeedState::Paused,
                (false, Some(_)) => FeedState::Failing,
                (false, None) => FeedState::Well,
            },
            name: line.name,
            at: line.delivered,
            detail: line.trouble.unwrap_or_default(),
        };
        self.lines().into_iter().map(report).collect()
    }

    pub(super) fn know(&self, target: &Target) {
        let line = FeedLine::of(target);
        let mut lines = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        lines.entry(target.name.clone()).or_insert(line);
    }

    pub(super) fn delivered(&self, name: &str, at: Timestamp, count: u64) {
        self.change(name, |line| {
            line.delivered = Some(at);
            line.count += count;
        });
    }

    pub(super) fn paused(&self, name: &str, paused: bool) {
        self.change(name, |line| line.paused = paused);
    }

    /// Says what is wrong, or that nothing is; logged when it changes.
    pub(super) fn trouble(&self, name: &str, trouble: Option<String>) {
        let changed = self.change(name, |line| {
            let changed = line.trouble != trouble;
            line.trouble.clone_from(&trouble);
            changed
        });
        match (changed, trouble) {
            (Some(true), Some(why)) => tracing::warn!(feed = name, "H60 {why}"),
            (Some(true), None) => tracing::info!(feed = name, "feed works again"),
            _ => {}
        }
    }

    fn change<T>(&self, name: &str, change: impl FnOnce(&mut FeedLine) -> T) -> Option<T> {
        let mut lines = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        lines.get_mut(name).map(change)
    }
}

/// The games that arbiters keep back from everybody outside, for the operator's page; clones see the same.
#[derive(Debug, Clone, Default)]
pub struct KeptBack(Arc<Mutex<Vec<(u16, TableId)>>>);

impl KeptBack {
    /// Takes over which they are now: round and table.
    pub fn set(&self, games: Vec<(u16, TableId)>) {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = games;
    }

    /// Which they are.
    pub fn games(&self) -> Vec<(u16, TableId)> {
        let games = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        games.clone()
    }
}

/// The receivers that the operator has paused, kept in a file of the data folder: a restart does not start them again, and a command
/// on the same machine needs no connection to the hub.
#[derive(Debug, Clone)]
pub struct Pauses {
    file: PathBuf,
    names: Arc<Mutex<BTreeSet<String>>>,
}

impl Pauses {
    /// The pauses of a data folder; a file that cannot be read means none.
    pub fn open(data: &Path) -> Pauses {
        let file = data.join("feeds-paused.json");
        if std::fs::read(&file).is_ok_and(|bytes| parse(&bytes).is_none()) {
            let file = file.display();
            tracing::warn!(
                "H60 {file} cannot be read, so no feed is paused \u{b7} help: pause again what must not go out"
            );
        }
        let names = Arc::new(Mutex::new(read(&file)));
        Pauses { file, names }
    }

    /// Whether a receiver is paused.
    pub fn has(&self, name: &str) -> bool {
        self.names().contains(name)
    }

    /// Pauses a receiver, or lets it go on.
    ///
    /// # Errors
    /// The system's, when the file cannot be written; nothing has changed then.
    pub fn set(&self, name: &str, paused: bool) -> io::Result<()> {
        let mut names = read(&self.file);
        let changed = if paused {
            names.insert(name.to_owned())
        } else {
            names.remove(name)
        };
        if changed {
            super::deliver::write_whole(&self.file, &serde_json::to_vec(&names)?)?;
        }
        *self.names() = names;
        Ok(())
    }

    /// Takes over what a command has written.
    pub(super) fn follow(&self) {
        let names = read(&self.file);
        *self.names() = names;
    }

    fn names(&self) -> std::sync::MutexGuard<'_, BTreeSet<String>> {
        self.names.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn read(file: &Path) -> BTreeSet<String> {
    let bytes = std::fs::read(file).unwrap_or_default();
    parse(&bytes).unwrap_or_default()
}

fn parse(bytes: &[u8]) -> Option<BTreeSet<String>> {
    serde_json::from_slice(bytes).ok()
}
