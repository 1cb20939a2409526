//! The one writer: takes records from many hands, writes them in groups, and answers when they are on disk.
//!
//! **Nobody is answered before fdatasync returned.** When the disk refuses (full, broken), the writer keeps the group, says
//! so, and tries the same group again until it is written; later records wait behind it in their order.

use std::fs::{File, OpenOptions};
use std::io::{self, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::{self, JoinHandle};
use std::time::Duration;

use tokio::sync::{mpsc, oneshot, watch};

use super::error::JournalError;
use super::frame::{self, MAX_PAYLOAD, Record};
use super::open::{JournalConfig, Torn};
use super::reader::Place;
use super::segment::{self, HEADER, Header};

/// A group is closed when it is this long, bytes.
const GROUP_BYTES: usize = 1 << 20;
/// Appends that may wait before callers are slowed down.
const WAITING: usize = 4096;
const RETRY: Duration = Duration::from_millis(250);

/// How the writer is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum JournalState {
    /// Everything handed over so far is on disk or on its way.
    Well,
    /// The disk refuses; nothing is acknowledged until it takes writes again.
    Stuck {
        /// Why, with code and help.
        why: String,
    },
}

/// Appends records; cloneable, for many hands.
#[derive(Debug, Clone)]
pub struct Appender {
    jobs: mpsc::Sender<Job>,
    state: watch::Receiver<JournalState>,
    finish: Arc<AtomicBool>,
}

impl Appender {
    /// Writes the records down and returns the place behind them once they are on disk.
    ///
    /// # Errors
    /// [`JournalError::Closed`] when the journal was closed before they could be written.
    pub async fn append(&self, records: Vec<Record>) -> Result<Place, JournalError> {
        self.submit(records).await?.await
    }

    /// Hands the records over, in order with all others, and returns what waits until they are on disk.
    ///
    /// # Errors
    /// [`JournalError::Closed`].
    pub async fn submit(
        &self,
        records: Vec<Record>,
    ) -> Result<impl Future<Output = Result<Place, JournalError>> + use<>, JournalError> {
        let (done, written) = oneshot::channel();
        let job = Job { records, done };
        let handed = self.jobs.send(job).await;
        handed.map_err(|_| JournalError::Closed)?;
        Ok(async move { written.await.map_err(|_| JournalError::Closed) })
    }

    /// Whether the disk takes writes, and news of it.
    pub fn state(&self) -> watch::Receiver<JournalState> {
        self.state.clone()
    }

    /// Ends the writer behind everything that waits.
    pub(crate) fn finish(&self) {
        self.finish.store(true, Ordering::Release);
        let (done, _) = oneshot::channel();
        let wake = Job {
            records: Vec::new(),
            done,
        };
        if self.jobs.try_send(wake).is_err() {
            tracing::trace!("the writer has work or has ended: it looks at the flag by itself");
        }
    }
}

/// The file at the journal's end; a trait so that a refusing disk can be tested.
pub(crate) trait Tail: Send {
    /// Opens or makes the file, cuts it to `at` and goes there; a new file's name is durable afterwards.
    fn open(&mut self, path: &Path, at: u64) -> io::Result<()>;
    /// Writes at the end and waits until it is on disk.
    fn write_durable(&mut self, bytes: &[u8]) -> io::Result<()>;
}

/// A real file.
#[derive(Debug, Default)]
pub(crate) struct FileTail(Option<File>);

impl Tail for FileTail {
    fn open(&mut self, path: &Path, at: u64) -> io::Result<()> {
        let new = !path.exists();
        let mut file = OpenOptions::new()
            .write(true)
            .create(true)
            .truncate(false)
            .open(path)?;
        file.set_len(at)?;
        file.seek(SeekFrom::Start(at))?;
        file.sync_all()?;
        if new && let Some(folder) = path.parent() {
            File::open(folder)?.sync_all()?;
        }
        self.0 = Some(file);
        Ok(())
    }

    fn write_durable(&mut self, bytes: &[u8]) -> io::Result<()> {
        let file = self
            .0
            .as_mut()
            .ok_or_else(|| io::Error::other("no segment is open"))?;
        file.write_all(bytes)?;
        file.sync_data()
    }
}

#[derive(Debug)]
struct Job {
    records: Vec<Record>,
    done: oneshot::Sender<Place>,
}

impl Job {
    fn size(&self) -> usize {
        self.records.iter().map(|r| r.payload.len() + 64).sum()
    }
}

/// Starts the writer at the journal's end.
pub(crate) fn start(
    config: &JournalConfig,
    end: Place,
    torn: Option<Torn>,
    tail: Box<dyn Tail>,
) -> Result<(Appender, JoinHandle<()>), JournalError> {
    let (jobs, waiting) = mpsc::channel(WAITING);
    let (state, news) = watch::channel(JournalState::Well);
    let finish = Arc::new(AtomicBool::new(false));
    let writer = Writer {
        folder: config.folder.clone(),
        segment_bytes: config.segment_bytes,
        end,
        torn,
        tail,
        open: false,
        state,
        finish: Arc::clone(&finish),
    };
    let thread = thread::Builder::new()
        .name("journal".to_owned())
        .spawn(move || writer.run(waiting))
        .map_err(JournalError::file("start a writer for", &config.folder))?;
    let appender = Appender {
        jobs,
        state: news,
        finish,
    };
    Ok((appender, thread))
}

struct Writer {
    folder: PathBuf,
    segment_bytes: u64,
    end: Place,
    /// What must be moved aside before anything is written.
    torn: Option<Torn>,
    tail: Box<dyn Tail>,
    open: bool,
    state: watch::Sender<JournalState>,
    finish: Arc<AtomicBool>,
}

impl Writer {
    fn run(mut self, mut waiting: mpsc::Receiver<Job>) {
        while let Some(first) = waiting.blocking_recv() {
            let mut size = first.size();
            let mut jobs = vec![first];
            while size < GROUP_BYTES
                && let Ok(job) = waiting.try_recv()
            {
                size += job.size();
                jobs.push(job);
            }
            if !self.commit(jobs, size) {
                return;
            }
            if self.finish.load(Ordering::Acquire) {
                waiting.close();
            }
        }
    }

    /// Writes a group, however long the disk refuses; false when the journal is closed meanwhile.
    fn commit(&mut self, jobs: Vec<Job>, size: usize) -> bool {
        if size > 0 && !self.persist(|writer| writer.make_room(size)) {
            return false;
        }
        let mut bytes = Vec::with_capacity(size);
        let mut end = self.end.clone();
        let start = end.offset;
        let mut answers = Vec::with_capacity(jobs.len());
        for job in jobs {
            for record in &job.records {
                if record.number <= end.number || record.payload.len() > MAX_PAYLOAD {
                    tracing::error!(
                        number = record.number,
                        "H19 a record out of order or too long was not written"
                    );
                    continue;
                }
                end.chain = frame::write(&mut bytes, &end.chain, record);
                end.number = record.number;
            }
            end.offset = start + bytes.len() as u64;
            answers.push((job.done, end.clone()));
        }
        if !bytes.is_empty() && !self.persist(|writer| writer.put(&bytes)) {
            return false;
        }
        self.end = end;
        for (done, place) in answers {
            if done.send(place).is_err() {
                tracing::trace!("whoever appended is gone");
            }
        }
        true
    }

    /// Tries until it works; false when the journal is closed meanwhile.
    fn persist(&mut self, mut step: impl FnMut(&mut Writer) -> io::Result<()>) -> bool {
        loop {
            match step(self) {
                Ok(()) => {
                    self.say(JournalState::Well);
                    return true;
                }
                Err(error) => {
                    self.open = false;
                    let path = segment::path(&self.folder, self.end.segment);
                    let why = JournalError::file("write", &path)(error).to_string();
                    self.say(JournalState::Stuck { why });
                }
            }
            if self.finish.load(Ordering::Acquire) {
                return false;
            }
            thread::sleep(RETRY);
        }
    }

    fn say(&self, state: JournalState) {
        self.state.send_if_modified(|old| {
            let news = *old != state;
            match (&state, news) {
                (JournalState::Stuck { why }, true) => tracing::error!("{why}"),
                (JournalState::Well, true) => tracing::info!("the journal takes writes again"),
                _ => {}
            }
            *old = state;
            news
        });
    }

    /// Makes sure a segment is open and has room for `size` more bytes.
    fn make_room(&mut self, size: usize) -> io::Result<()> {
        if let Some(torn) = &self.torn {
            torn.mend(&self.folder)?;
            self.torn = None;
            tracing::info!("the unfinished write at the end of the journal was moved aside");
        }
        let full =
            self.end.offset > HEADER as u64 && self.end.offset + size as u64 > self.segment_bytes;
        if full {
            return self.begin(self.end.segment + 1);
        }
        if self.end.offset < HEADER as u64 {
            return self.begin(self.end.segment);
        }
        self.reopen()
    }

    fn begin(&mut self, segment: u64) -> io::Result<()> {
        let header = Header {
            segment,
            first: self.end.number + 1,
            before: self.end.chain,
        };
        self.tail.open(&segment::path(&self.folder, segment), 0)?;
        self.tail.write_durable(&header.bytes())?;
        self.open = true;
        self.end.segment = segment;
        self.end.offset = HEADER as u64;
        Ok(())
    }

    fn put(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.reopen()?;
        self.tail.write_durable(bytes)
    }

    /// Opens the segment where its whole records end, unless it is open there already.
    fn reopen(&mut self) -> io::Result<()> {
        if !self.open {
            let path = segment::path(&self.folder, self.end.segment);
            self.tail.open(&path, self.end.offset)?;
            self.open = true;
        }
        Ok(())
    }
}
