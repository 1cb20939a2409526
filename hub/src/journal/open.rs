//! Opening the journal: lock, read, repair a torn tail, start the writer.

use std::fs::{self, File, OpenOptions, TryLockError};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::thread::JoinHandle;

use super::damage::{Damage, Findings};
use super::error::JournalError;
use super::frame::Record;
use super::reader::{Place, Reading};
use super::segment;
use super::writer::{self, Appender, FileTail, Tail};

/// Where the journal lies and how long its segments are.
#[derive(Debug, Clone)]
pub struct JournalConfig {
    /// Its folder, made when missing.
    pub folder: PathBuf,
    /// A new segment begins when one would become longer than this, bytes.
    pub segment_bytes: u64,
}

impl JournalConfig {
    /// The journal in `folder` with segments of 64 MiB.
    pub fn new(folder: impl Into<PathBuf>) -> JournalConfig {
        JournalConfig {
            folder: folder.into(),
            segment_bytes: 64 << 20,
        }
    }
}

/// The right to write the journal of a folder, and everything beside it that belongs to the same hub.
#[derive(Debug)]
pub struct Lock(#[expect(dead_code, reason = "the lock lasts as long as the file is open")] File);

impl Lock {
    /// Takes it; the folder is made when missing.
    ///
    /// # Errors
    /// [`JournalError::InUse`] when another hub has it; [`JournalError::File`].
    pub fn take(folder: &Path) -> Result<Lock, JournalError> {
        fs::create_dir_all(folder).map_err(JournalError::file("make", folder))?;
        let path = folder.join("lock");
        let file = OpenOptions::new()
            .create(true)
            .truncate(false)
            .write(true)
            .open(&path)
            .map_err(JournalError::file("open", &path))?;
        match file.try_lock() {
            Ok(()) => Ok(Lock(file)),
            Err(TryLockError::WouldBlock) => Err(JournalError::InUse {
                path: folder.to_owned(),
            }),
            Err(TryLockError::Error(source)) => Err(JournalError::file("lock", &path)(source)),
        }
    }
}

/// An open journal; dropping it or [`Journal::close`] ends the writer after what was handed to it is written.
#[derive(Debug)]
pub struct Journal {
    appender: Option<Appender>,
    thread: Option<JoinHandle<()>>,
    _lock: Lock,
}

/// What opening gave.
#[derive(Debug)]
pub struct Opened {
    /// The journal, ready to be appended to.
    pub journal: Journal,
    /// What was read and found.
    pub findings: Findings,
    /// Whether it was read from the given place; false: from the beginning.
    pub resumed: bool,
    /// The end of the journal.
    pub end: Place,
}

/// Whoever is given the records at opening.
pub trait Replay {
    /// The journal has no such place as was asked for: what is known is not true, every record comes from the first on.
    fn restart(&mut self);
    /// The next record.
    fn record(&mut self, record: Record);
}

impl<F: FnMut(Record)> Replay for F {
    fn restart(&mut self) {}

    fn record(&mut self, record: Record) {
        self(record);
    }
}

impl Journal {
    /// Opens the journal, hands every record after `from` (all of them without one) to `replay`, and repairs a torn tail.
    ///
    /// # Errors
    /// [`JournalError::InUse`] when another hub has it open; [`JournalError::File`].
    pub fn open(
        config: &JournalConfig,
        from: Option<&Place>,
        mut replay: impl Replay,
    ) -> Result<Opened, JournalError> {
        let lock = Lock::take(&config.folder)?;
        Journal::open_locked(config, lock, from, &mut replay)
    }

    /// As [`Journal::open`], for whoever took the lock before he looked at anything else.
    ///
    /// # Errors
    /// [`JournalError::File`].
    pub fn open_locked(
        config: &JournalConfig,
        lock: Lock,
        from: Option<&Place>,
        replay: &mut dyn Replay,
    ) -> Result<Opened, JournalError> {
        Journal::open_on(config, lock, from, replay, Box::new(FileTail::default()))
    }

    pub(crate) fn open_on(
        config: &JournalConfig,
        lock: Lock,
        from: Option<&Place>,
        replay: &mut dyn Replay,
        tail: Box<dyn Tail>,
    ) -> Result<Opened, JournalError> {
        let folder = &config.folder;
        let mut reading = Reading::new();
        let resumed = match from {
            Some(place) => match reading.resume(folder, place, &mut |r| replay.record(r)) {
                Ok(()) => true,
                Err(JournalError::NoSuchPlace { .. }) => false,
                Err(error) => return Err(error),
            },
            None => false,
        };
        if !resumed {
            replay.restart();
            reading = Reading::new();
            reading.segments(folder, &segment::list(folder)?, &mut |r| replay.record(r))?;
        }
        let (end, torn) = repair(folder, &mut reading)?;
        let (appender, thread) = writer::start(config, end.clone(), torn, tail)?;
        Ok(Opened {
            journal: Journal {
                appender: Some(appender),
                thread: Some(thread),
                _lock: lock,
            },
            findings: reading.findings,
            resumed,
            end,
        })
    }

    /// The handle through which events are appended; cloneable.
    ///
    /// # Panics
    /// Never while the journal is open.
    pub fn appender(&self) -> Appender {
        self.appender.clone().expect("the journal is open")
    }

    /// Ends the writer when everything handed to it is on disk; while the disk refuses, what is waiting is given up.
    pub fn close(mut self) {
        self.end();
    }

    fn end(&mut self) {
        if let Some(appender) = self.appender.take() {
            appender.finish();
        }
        if let Some(thread) = self.thread.take()
            && thread.join().is_err()
        {
            tracing::error!("H13 the journal's writer ended by a panic");
        }
    }
}

impl Drop for Journal {
    fn drop(&mut self) {
        self.end();
    }
}

/// A piece at the end of a segment that is no whole record and could not be moved aside yet.
#[derive(Debug, Clone)]
pub(super) struct Torn {
    segment: u64,
    keep: usize,
}

impl Torn {
    /// Moves it aside; before that nothing can be written.
    pub(super) fn mend(&self, folder: &Path) -> io::Result<()> {
        set_aside(folder, self.segment, self.keep).map_err(|error| match error {
            JournalError::File { source, .. } => source,
            other => io::Error::other(other.to_string()),
        })
    }
}

/// Moves what follows the last whole record aside and returns the place where the journal goes on. On a full disk that waits, and so
/// does everything that is to be written.
fn repair(folder: &Path, reading: &mut Reading) -> Result<(Place, Option<Torn>), JournalError> {
    let (segment, length, end) = reading.last.unwrap_or((1, 0, 0));
    let mut torn = None;
    if end < length {
        let waits = match set_aside(folder, segment, end) {
            Err(JournalError::File { source, .. }) if is_full(&source) => true,
            moved => moved.map(|()| false)?,
        };
        torn = waits.then_some(Torn { segment, keep: end });
        reading.findings.damage.push(Damage::TornTail {
            segment,
            offset: end as u64,
            bytes: (length - end) as u64,
            waits,
        });
    }
    let place = Place {
        segment,
        offset: end as u64,
        number: reading.cursor.number,
        chain: reading.cursor.chain.unwrap_or_default(),
    };
    Ok((place, torn))
}

fn is_full(error: &io::Error) -> bool {
    matches!(
        error.kind(),
        io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded
    )
}

/// Copies a segment's bytes from `keep` on into a `.torn` file and cuts the segment there.
fn set_aside(folder: &Path, segment: u64, keep: usize) -> Result<(), JournalError> {
    let path = segment::path(folder, segment);
    let bytes = fs::read(&path).map_err(JournalError::file("read", &path))?;
    let aside = (1..)
        .map(|n| folder.join(format!("{segment:08}.{n}.torn")))
        .find(|p| !p.exists())
        .expect("there is always another number");
    let mut torn = File::create(&aside).map_err(JournalError::file("make", &aside))?;
    let written = torn
        .write_all(&bytes[keep..])
        .and_then(|()| torn.sync_all());
    written.map_err(|error| {
        // Half of it is no copy, and takes room.
        let _stays_where_it_is = fs::remove_file(&aside);
        JournalError::file("write", &aside)(error)
    })?;
    let file = OpenOptions::new().write(true).open(&path);
    file.and_then(|f| f.set_len(keep as u64).and_then(|()| f.sync_all()))
        .map_err(JournalError::file("repair", &path))
}
