//! Starts the feeds of a hub: a task for each receiver, one that follows the operator's wishes, and the listeners.

use std::collections::BTreeMap;
use std::io;
use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use protocol::Timestamp;
use tokio::net::TcpListener;
use tokio::task::JoinSet;

use super::deliver::{Job, deliver, write_whole};
use super::livechess_api::{self, Api};
use super::post::Poster;
use super::{FEEDS, FeedHealth, FeedsConfig, KeptBack, Pauses, operator};
use crate::hall_channel::HallChannel;

/// The running feeds.
#[derive(Debug, Clone)]
pub struct Feeds {
    /// How they are.
    pub health: FeedHealth,
    /// Which are paused.
    pub pauses: Pauses,
    /// Which games nobody outside is shown more of.
    pub kept_back: KeptBack,
    /// The folder of their files.
    pub folder: PathBuf,
}

/// Starts every receiver of the configuration, and its listeners, each of which so many may connect to at once.
///
/// # Errors
/// An address that cannot be listened on, with the system's reason.
pub async fn start_feeds(
    config: &FeedsConfig,
    folder: PathBuf,
    data: &Path,
    halls: &BTreeMap<String, HallChannel>,
    connections: usize,
    now: fn() -> Timestamp,
    others: &mut JoinSet<()>,
) -> Result<Feeds, (SocketAddr, io::Error)> {
    let feeds = Feeds {
        health: FeedHealth::default(),
        pauses: Pauses::open(data),
        kept_back: KeptBack::default(),
        folder,
    };
    let config = Arc::new(config.clone());
    let poster = Poster::new();
    for feed in FEEDS {
        for target in feed.targets(&config) {
            feeds.health.know(&target);
            others.spawn(deliver(Job {
                feed: *feed,
                boards: halls.get(&target.audience).cloned().unwrap_or_default(),
                target,
                config: Arc::clone(&config),
                folder: feeds.folder.clone(),
                health: feeds.health.clone(),
                pauses: feeds.pauses.clone(),
                poster: poster.clone(),
                now,
            }));
        }
    }
    listen(&config, &feeds, halls, connections, now, others).await?;
    others.spawn(follow(feeds.clone(), data.join(HEALTH)));
    Ok(feeds)
}

async fn listen(
    config: &FeedsConfig,
    feeds: &Feeds,
    halls: &BTreeMap<String, HallChannel>,
    connections: usize,
    now: fn() -> Timestamp,
    others: &mut JoinSet<()>,
) -> Result<(), (SocketAddr, io::Error)> {
    let own = &config.livechess_api;
    if let Some(address) = own.listen {
        let listener = TcpListener::bind(address).await.map_err(|e| (address, e))?;
        let audience = config.audience_of(&own.audience);
        let api = Api {
            boards: halls.get(audience).cloned().unwrap_or_default(),
            settings: own.clone(),
            health: feeds.health.clone(),
            pauses: feeds.pauses.clone(),
            connections,
            now,
        };
        others.spawn(
            async move { ended("LiveChess API", livechess_api::serve(listener, api).await) },
        );
    }
    if let Some(address) = config.operator {
        let listener = TcpListener::bind(address).await.map_err(|e| (address, e))?;
        let page = operator::serve(listener, feeds.clone(), now);
        others.spawn(async move { ended("operator's page", page.await) });
    }
    Ok(())
}

fn ended(what: &str, how: io::Result<()>) {
    if let Err(error) = how {
        tracing::error!("H07 the {what} ended: {error}");
    }
}

/// The file in the data folder that says how the feeds are, for commands on the same machine.
pub const HEALTH: &str = "feeds-health.json";

async fn follow(feeds: Feeds, file: PathBuf) {
    let mut beat = tokio::time::interval(Duration::from_secs(1));
    let mut told = Vec::new();
    loop {
        beat.tick().await;
        let (pauses, lines, file) = (feeds.pauses.clone(), feeds.health.lines(), file.clone());
        let news = (lines != told).then(|| lines.clone());
        told = lines;
        let work = move || {
            pauses.follow();
            news.map_or(Ok(()), |lines| {
                write_whole(&file, &serde_json::to_vec_pretty(&lines)?)
            })
        };
        if let Ok(Err(error)) = tokio::task::spawn_blocking(work).await {
            tracing::debug!("how the feeds are cannot be written: {error}");
        }
    }
}
