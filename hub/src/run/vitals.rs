//! How busy the hub is and what room it has, looked at once a second; the disk less often.

use std::path::{Path, PathBuf};
use std::time::Duration;

use nix::sys::statvfs::statvfs;
use protocol::Vitals;
use tokio::time::Instant;

use crate::web::Viewers;

const SECOND: Duration = Duration::from_secs(1);
const DISK_EVERY: Duration = Duration::from_secs(10);

/// Counts messages and looks at the disk.
#[derive(Debug)]
pub(super) struct Watch {
    journal: PathBuf,
    viewers: Viewers,
    heard: u64,
    looked: Instant,
    disk: Option<Instant>,
    last: Vitals,
}

impl Watch {
    /// Of the hub whose journal lies in this folder and whose walls have these viewers.
    pub(super) fn new(journal: PathBuf, viewers: Viewers, now: Instant) -> Watch {
        Watch {
            journal,
            viewers,
            heard: 0,
            looked: now,
            disk: None,
            last: Vitals::default(),
        }
    }

    /// So many messages were heard.
    pub(super) fn heard(&mut self, messages: usize) {
        self.heard += messages as u64;
    }

    /// What there is to tell, at most once a second.
    pub(super) fn look(&mut self, now: Instant, clients: Option<u32>) -> Option<Vitals> {
        let passed = now.saturating_duration_since(self.looked);
        if passed < SECOND {
            return None;
        }
        self.looked = now;
        let a_second = std::mem::take(&mut self.heard) as f64 / passed.as_secs_f64();
        self.last.clients = clients;
        self.last.viewers = self.viewers.count();
        self.last.messages = a_second.round() as u32;
        if self
            .disk
            .is_none_or(|at| now.saturating_duration_since(at) >= DISK_EVERY)
        {
            self.disk = Some(now);
            self.last.journal_bytes = size_of(&self.journal);
            self.last.free_bytes = free_at(&self.journal);
        }
        Some(self.last)
    }
}

/// Bytes of the files in a folder; 0 where it cannot be read.
fn size_of(folder: &Path) -> u64 {
    let files = std::fs::read_dir(folder).into_iter().flatten().flatten();
    files
        .filter_map(|file| file.metadata().ok())
        .map(|file| file.len())
        .sum()
}

/// Bytes that a program may still write there.
fn free_at(place: &Path) -> Option<u64> {
    let found = statvfs(place).ok()?;
    Some(
        found
            .blocks_available()
            .saturating_mul(found.fragment_size()),
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn once_a_second_it_tells_messages_clients_and_room() {
        let folder = tempfile::tempdir().expect("a folder");
        std::fs::write(folder.path().join("1.journal"), [0; 700]).expect("a file");
        std::fs::write(folder.path().join("2.journal"), [0; 50]).expect("a file");
        let start = Instant::now();
        let mut watch = Watch::new(folder.path().to_owned(), Viewers::default(), start);
        watch.heard(30);
        assert_eq!(watch.look(start, Some(3)), None, "not yet a second");
        let told = watch.look(start + 2 * SECOND, Some(3));
        let told = told.expect("a second has passed");
        assert_eq!((told.clients, told.messages), (Some(3), 15));
        assert_eq!(told.journal_bytes, 750);
        assert!(told.free_bytes.is_some_and(|bytes| bytes > 0));
        let told = watch.look(start + 3 * SECOND, None);
        let told = told.expect("another second");
        assert_eq!((told.clients, told.messages), (None, 0));
    }
}
