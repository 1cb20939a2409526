//! Writes the deliveries of all feeds into a folder: each file whole or not at all, only when it changed.

use std::collections::BTreeMap;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use protocol::{FeedState, Timestamp};
use tokio::sync::broadcast::error::RecvError;

use super::{Delivery, FEEDS};
use crate::hall_channel::HallChannel;

/// Changes within this time go out together.
const GATHER: Duration = Duration::from_millis(300);
/// After an error the same files are tried again this much later.
const AGAIN: Duration = Duration::from_secs(5);

/// How the feeds are, by feed: what went wrong last, and when the last delivery succeeded.
#[derive(Debug, Clone, Default)]
pub struct FeedHealth(Arc<Mutex<BTreeMap<&'static str, Known>>>);

#[derive(Debug, Clone, Default)]
struct Known {
    trouble: Option<String>,
    delivered: Option<Timestamp>,
}

impl FeedHealth {
    /// How each feed is, for the desk.
    pub fn reports(&self) -> Vec<protocol::FeedHealth> {
        let known = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let report = |(name, known): (&&str, &Known)| protocol::FeedHealth {
            name: (*name).to_owned(),
            state: match known.trouble {
                None => FeedState::Well,
                Some(_) => FeedState::Failing,
            },
            at: known.delivered,
            detail: known.trouble.clone().unwrap_or_default(),
        };
        known.iter().map(report).collect()
    }

    /// Notes how a delivery went; answers whether that is news.
    fn set(&self, feed: &'static str, trouble: Option<String>, now: Timestamp) -> bool {
        let mut all = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let known = all.entry(feed).or_default();
        let news = known.trouble.is_some() != trouble.is_some();
        if trouble.is_none() {
            known.delivered = Some(now);
        }
        known.trouble = trouble;
        news
    }
}

/// Keeps the files below `folder` equal to the released boards until the task is dropped.
pub async fn deliver(
    boards: HallChannel,
    folder: PathBuf,
    health: FeedHealth,
    now: fn() -> Timestamp,
) {
    let mut changes = boards.changes();
    let mut written = BTreeMap::new();
    loop {
        let well = write_all(&boards, &folder, (&health, now()), &mut written).await;
        if !well {
            tokio::time::sleep(AGAIN).await;
        } else if let Err(RecvError::Closed) = changes.recv().await {
            std::future::pending().await
        } else {
            tokio::time::sleep(GATHER).await;
        }
        changes = changes.resubscribe();
    }
}

/// Makes the files below `folder` equal to the released boards, once: for the moment at which the hub stops.
pub async fn deliver_once(boards: &HallChannel, folder: &Path) {
    let health = FeedHealth::default();
    write_all(
        boards,
        folder,
        (&health, Timestamp(0)),
        &mut BTreeMap::new(),
    )
    .await;
}

type Written = BTreeMap<String, String>;

async fn write_all(
    boards: &HallChannel,
    folder: &Path,
    health: (&FeedHealth, Timestamp),
    written: &mut Written,
) -> bool {
    let released: Vec<_> = boards.boards().iter().map(|b| (**b).clone()).collect();
    let mut well = true;
    for feed in FEEDS {
        let trouble = write_changed(feed.deliveries(&released), folder, written)
            .await
            .err();
        well &= trouble.is_none();
        let words = trouble.map(|e| {
            format!(
                "cannot write into {}: {e} · help: free space or allow writing there",
                folder.display()
            )
        });
        report(health, feed.name(), words);
    }
    well
}

fn report((health, now): (&FeedHealth, Timestamp), feed: &'static str, trouble: Option<String>) {
    let told = trouble.clone();
    if health.set(feed, trouble, now) {
        match told {
            Some(why) => tracing::warn!(feed, "H60 feed stopped: {why}"),
            None => tracing::info!(feed, "feed works again"),
        }
    }
}

async fn write_changed(
    deliveries: Vec<Delivery>,
    folder: &Path,
    written: &mut Written,
) -> io::Result<()> {
    for delivery in deliveries {
        if written.get(&delivery.path) != Some(&delivery.content) {
            let path = folder.join(&delivery.path);
            let content = delivery.content.clone();
            tokio::task::spawn_blocking(move || write_whole(&path, content.as_bytes()))
                .await
                .map_err(io::Error::other)??;
            written.insert(delivery.path, delivery.content);
        }
    }
    Ok(())
}

/// Writes beside the file and renames: a reader sees the old or the new one, never half of it.
pub(crate) fn write_whole(path: &Path, content: &[u8]) -> io::Result<()> {
    if let Some(folder) = path.parent() {
        std::fs::create_dir_all(folder)?;
    }
    let beside = path.with_extension("part");
    std::fs::write(&beside, content)?;
    std::fs::rename(&beside, path)
}
