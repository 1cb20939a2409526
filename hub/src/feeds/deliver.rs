//! Brings deliveries where they belong, when they are news: files whole or not at all, messages again and again until they are taken.
//!
//! One task for each receiver: a server that does not answer holds up nobody else.

use std::collections::BTreeMap;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use protocol::Timestamp;
use tokio::sync::broadcast::error::RecvError;
use tokio::time::sleep;

use super::files::{Written, write_changed};
use super::post::Poster;
use super::sent::Sent;
use super::{Delivery, Feed, FeedHealth, Feeds, FeedsConfig, Lease, Pauses, Post, Target};
use crate::hall_channel::HallChannel;

/// Changes within this time go out together.
const GATHER: Duration = Duration::from_millis(400);
/// How often the operator's wishes are looked at.
const MOMENT: Duration = Duration::from_secs(1);
/// After an error the same files are tried again this much later.
const AGAIN: Duration = Duration::from_secs(5);
/// Messages of one receiver on their way at once.
const AT_ONCE: usize = 4;

/// One receiver and everything it needs.
pub(super) struct Job {
    pub(super) feed: &'static dyn Feed,
    pub(super) target: Target,
    pub(super) boards: HallChannel,
    pub(super) config: Arc<FeedsConfig>,
    pub(super) folder: PathBuf,
    pub(super) lease: Lease,
    pub(super) health: FeedHealth,
    pub(super) pauses: Pauses,
    pub(super) poster: Poster,
    pub(super) now: fn() -> Timestamp,
}

/// Keeps a receiver equal to the released boards until the task is dropped.
pub(super) async fn deliver(job: Job) {
    let mut changes = job.boards.changes();
    let mut sent = Sent::begun();
    let mut news = true;
    loop {
        let paused = job.pauses.has(&job.target.name);
        job.health.paused(&job.target.name, paused);
        if paused {
            // Who resumes it does not wait for the next try.
            sent.try_at_once();
        }
        news |= sent.files.are_due() || sent.has_refused_due();
        let may = sent.may();
        if news && may && !paused {
            news = !job.bring(&mut sent).await;
        }
        tokio::select! {
            change = changes.recv() => {
                if matches!(change, Err(RecvError::Closed)) {
                    std::future::pending::<()>().await;
                }
                news = true;
                sleep(GATHER).await;
                changes = changes.resubscribe();
            }
            () = sleep(MOMENT) => {}
        }
    }
}

/// Makes the files of feeds that are not paused equal to the released boards, once: for the moment at which the hub stops.
pub async fn deliver_once(
    halls: &BTreeMap<String, HallChannel>,
    config: &FeedsConfig,
    feeds: &Feeds,
) {
    for feed in super::FEEDS {
        let mut targets = feed.targets(config);
        feeds.pauses.follow();
        targets.retain(|target| !feeds.pauses.has(&target.name));
        for target in targets {
            let Some(boards) = halls.get(&target.audience) else {
                continue;
            };
            let deliveries = feed.deliveries(&boards.all(), config, &target);
            let (files, _posts) = apart(deliveries);
            let written = write(files, &feeds.folder, &feeds.lease, &mut Written::default()).await;
            if let Err(error) = written {
                tracing::warn!(feed = target.name, "H60 cannot write at the end: {error}");
            }
        }
    }
}

impl Job {
    /// Brings what is news; says whether the receiver has everything now.
    async fn bring(&self, sent: &mut Sent) -> bool {
        let boards = self.boards.all();
        let deliveries = self.feed.deliveries(&boards, &self.config, &self.target);
        let (files, posts) = apart(deliveries);
        let written = write(files, &self.folder, &self.lease, &mut sent.files).await;
        self.count(sent.files.news());
        if let Err(error) = written {
            let why = format!("cannot write {error} · help: {}", cure(error.kind()));
            sent.leave_alone(AGAIN);
            self.health.trouble(&self.target.name, Some(why));
            return false;
        }
        let (taken, trouble, whole) = self.post_changed(posts, sent).await;
        self.count(taken);
        self.health.trouble(&self.target.name, trouble);
        whole
    }

    fn count(&self, delivered: u64) {
        if delivered > 0 {
            let now = (self.now)();
            self.health.delivered(&self.target.name, now, delivered);
        }
    }

    /// How many were taken, what is wrong, and whether nothing is left to be tried again.
    async fn post_changed(&self, posts: Vec<Post>, sent: &mut Sent) -> (u64, Option<String>, bool) {
        let new = sent.news(posts);
        let mut taken = 0;
        for some in new.chunks(AT_ONCE) {
            if self.pauses.has(&self.target.name) {
                return (taken, None, false);
            }
            let now = (self.now)();
            let answers = some
                .iter()
                .map(|post| self.poster.send(self.feed, post, now));
            let answers = futures_util::future::join_all(answers).await;
            let (some_taken, stop) = sent.hear(some, answers);
            taken += some_taken;
            if let Some(why) = stop {
                return (taken, Some(why), false);
            }
        }
        sent.whole();
        (taken, sent.trouble(), true)
    }
}

/// Writes what has changed into a folder that is this hub's own.
async fn write(
    files: Vec<Delivery>,
    folder: &Path,
    lease: &Lease,
    written: &mut Written,
) -> io::Result<()> {
    if !files.is_empty() {
        lease.take().await?;
    }
    write_changed(files, folder, written).await
}

/// What helps against a file that cannot be written.
fn cure(kind: io::ErrorKind) -> &'static str {
    use io::ErrorKind::{AlreadyExists, IsADirectory, NotADirectory, NotFound};
    use io::ErrorKind::{
        PermissionDenied, QuotaExceeded, ReadOnlyFilesystem, ResourceBusy, StorageFull,
    };
    match kind {
        StorageFull | QuotaExceeded => "free space there",
        PermissionDenied | ReadOnlyFilesystem => "allow the hub to write there",
        NotADirectory | IsADirectory | AlreadyExists | NotFound => {
            "move away what stands in its place; it is written again by itself"
        }
        ResourceBusy => "stop the other hub, or give each its own folder in [feeds]",
        _ => "free space or allow writing there",
    }
}

fn apart(deliveries: Vec<Delivery>) -> (Vec<Delivery>, Vec<Post>) {
    let mut posts = Vec::new();
    let mut files = Vec::new();
    for delivery in deliveries {
        match delivery {
            Delivery::Post(post) => posts.push(post),
            file => files.push(file),
        }
    }
    (files, posts)
}

/// Writes beside the file and renames: a reader sees the old or the new one, never half of it. The name meanwhile ends in no kind of
/// file that a reader looks for.
pub(crate) fn write_whole(path: &Path, content: &[u8]) -> io::Result<()> {
    if let Some(folder) = path.parent() {
        std::fs::create_dir_all(folder)?;
    }
    let mut beside = path.as_os_str().to_owned();
    beside.push(".part");
    std::fs::write(&beside, content)?;
    std::fs::rename(&beside, path)
}
