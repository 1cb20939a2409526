//! The right to write in a folder of feeds, which one hub has at a time: two would write over each other's files and sweep them away.

use std::fs::{File, OpenOptions, TryLockError};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

/// The file by which a hub holds its folder.
const FILE: &str = ".in-use";

/// Held by whoever took it first, until the last clone is dropped.
#[derive(Debug, Clone)]
pub struct Lease {
    folder: PathBuf,
    held: Arc<Mutex<Option<File>>>,
}

impl Lease {
    /// The lease of a folder, not yet taken.
    pub fn of(folder: &Path) -> Lease {
        Lease {
            folder: folder.to_owned(),
            held: Arc::default(),
        }
    }

    /// Takes it, or keeps it; a folder that was removed is taken anew.
    ///
    /// # Errors
    /// [`io::ErrorKind::ResourceBusy`] while another hub has it; the system's, when the folder takes no file.
    pub(super) async fn take(&self) -> io::Result<()> {
        let lease = self.clone();
        let taken = tokio::task::spawn_blocking(move || lease.take_now());
        taken
            .await
            .unwrap_or_else(|_| Err(io::ErrorKind::Other.into()))
    }

    fn take_now(&self) -> io::Result<()> {
        let path = self.folder.join(FILE);
        let mut held = self.held.lock().unwrap_or_else(PoisonError::into_inner);
        if held.is_some() && path.exists() {
            return Ok(());
        }
        *held = None;
        let named =
            |error: io::Error| io::Error::new(error.kind(), format!("{}: {error}", path.display()));
        std::fs::create_dir_all(&self.folder).map_err(named)?;
        let mut options = OpenOptions::new();
        let file = options
            .create(true)
            .truncate(false)
            .write(true)
            .open(&path)
            .map_err(named)?;
        match file.try_lock() {
            Err(TryLockError::WouldBlock) => Err(io::Error::new(
                io::ErrorKind::ResourceBusy,
                format!(
                    "into {}: another hub writes its files there",
                    self.folder.display()
                ),
            )),
            // A share that knows no locks is as good as before there were any.
            Ok(()) | Err(TryLockError::Error(_)) => {
                *held = Some(file);
                Ok(())
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_hub_at_a_time_has_a_folder() {
        let place = tempfile::tempdir().expect("a folder");
        let folder = place.path().join("feeds");
        let (one, other) = (Lease::of(&folder), Lease::of(&folder));
        let taken = |lease: &Lease| lease.take_now().map_err(|error| error.kind());
        let busy = Err(io::ErrorKind::ResourceBusy);
        assert_eq!(taken(&one), Ok(()));
        assert_eq!((taken(&other), taken(&one.clone())), (busy, Ok(())));
        std::fs::remove_dir_all(&folder).expect("removed");
        assert_eq!((taken(&one), taken(&other)), (Ok(()), busy));
        drop(one);
        assert_eq!(taken(&other), Ok(()));
    }
}
