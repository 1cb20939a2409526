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
use super::{FEEDS, FeedHealth, FeedsConfig, KeptBack, Lease, Pauses, operator};
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
    /// The right to write there.
    pub lease: Lease,
}

/// Starts every receiver of the configuration, and its listeners, each of which so many may connect to at once.
pub async fn start_feeds(
    config: &FeedsConfig,
    folder: PathBuf,
    data: &Path,
    halls: &BTreeMap<String, HallChannel>,
    connections: usize,
    now: fn() -> Timestamp,
    others: &mut JoinSet<()>,
) -> Feeds {
    let feeds = Feeds {
        health: FeedHealth::default(),
        pauses: Pauses::open(data),
        kept_back: KeptBack::default(),
        lease: Lease::of(&folder),
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
                lease: feeds.lease.clone(),
                health: feeds.health.clone(),
                pauses: feeds.pauses.clone(),
                poster: poster.clone(),
                now,
            }));
        }
    }
    listen(&config, &feeds, halls, connections, now, others).await;
    others.spawn(follow(feeds.clone(), data.join(HEALTH)));
    feeds
}

async fn listen(
    config: &FeedsConfig,
    feeds: &Feeds,
    halls: &BTreeMap<String, HallChannel>,
    connections: usize,
    now: fn() -> Timestamp,
    others: &mut JoinSet<()>,
) {
    let own = &config.livechess_api;
    if let Some(address) = own.listen {
        let audience = config.audience_of(&own.audience);
        let api = Api {
            boards: halls.get(audience).cloned().unwrap_or_default(),
            settings: own.clone(),
            health: feeds.health.clone(),
            pauses: feeds.pauses.clone(),
            connections,
            now,
        };
        let port = Port::open(address, "[feeds.livechess_api] listen").await;
        others.spawn(async move {
            let health = api.health.clone();
            let tell = move |trouble| health.trouble(livechess_api::NAME, trouble);
            let listener = port.listener(tell).await;
            ended("LiveChess API", livechess_api::serve(listener, api).await);
        });
    }
    if let Some(address) = config.operator {
        let port = Port::open(address, "[feeds] operator").await;
        let feeds = feeds.clone();
        others.spawn(async move {
            let tell = |trouble: Option<String>| match trouble {
                Some(why) => tracing::warn!("H60 the operator's page {why}"),
                None => tracing::info!("the operator's page is there"),
            };
            let listener = port.listener(tell).await;
            ended(
                "operator's page",
                operator::serve(listener, feeds, now).await,
            );
        });
    }
}

/// A port that may be taken by somebody else, such as LiveChess itself: that stops nothing but what listens there.
struct Port {
    address: SocketAddr,
    key: &'static str,
    opened: io::Result<TcpListener>,
}

/// A port that is taken is tried again this much later.
const AGAIN: Duration = Duration::from_secs(5);

impl Port {
    /// Opens it at once, if nobody else has it. `key`: where it stands in the configuration.
    async fn open(address: SocketAddr, key: &'static str) -> Port {
        Port {
            address,
            key,
            opened: TcpListener::bind(address).await,
        }
    }

    /// The listener, as soon as there is one; until then `tell` hears what is wrong, and at last that nothing is.
    async fn listener(mut self, tell: impl Fn(Option<String>)) -> TcpListener {
        let mut said = false;
        loop {
            match self.opened {
                Ok(listener) => {
                    if said {
                        tell(None);
                    }
                    return listener;
                }
                Err(error) if !said => tell(Some(format!(
                    "cannot listen on {}: {error}; tried again by itself \u{b7} help: stop what uses it, or set {} to another port",
                    self.address, self.key
                ))),
                Err(_) => {}
            }
            said = true;
            tokio::time::sleep(AGAIN).await;
            self.opened = TcpListener::bind(self.address).await;
        }
    }
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
