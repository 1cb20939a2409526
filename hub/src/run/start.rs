//! Starts a hub in this process and stops it: options, open, wire, wait.

use std::collections::BTreeMap;
use std::fs;
use std::net::SocketAddr;
use std::os::unix::fs::DirBuilderExt;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use protocol::{Boot, Role, Timestamp, Topic, Topics};
use serde::{Deserialize, Serialize};
use tokio::net::TcpListener;
use tokio::sync::{mpsc, oneshot, watch};
use tokio::task::{JoinHandle, JoinSet};

use super::audiences;
use super::error::HubError;
use super::feed_reports::FeedReports;
use super::outlooks::Outlooks;
use super::pump::{Counts, Pump, presence, system_clock, told};
use super::recovery::recover;
use super::room;
use super::steady::Steady;
use super::vitals::Watch;
use crate::broker::{
    Broker, Embedded, EmbeddedConfig, External, ExternalConfig, Message, Outgoing,
};
use crate::config::{Config, ConfigError, HttpConfig};
use crate::credentials::Book;
use crate::feeds::{Feeds, FeedsConfig, deliver_once, start_feeds, write_whole};
use crate::hall_channel::HallChannel;
use crate::journal::{Journal, JournalError, Place, check_before};
use crate::store::Keeper;
use crate::venue::VenueConfig;
use crate::views::Audience;
use crate::web::tables::Tables;
use crate::web::{Viewers, Wall, serve};

/// Where a running hub is to be found.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Addresses {
    /// The embedded broker; none with an external one.
    pub mqtt: Option<SocketAddr>,
    /// The wall pages, each with its audience.
    pub http: Vec<(SocketAddr, String)>,
    /// The data folder.
    pub data: PathBuf,
    /// The folder of the feeds' files.
    pub feeds: Option<PathBuf>,
    /// The operator's page, where the configuration wants one.
    #[serde(default)]
    pub operator: Option<SocketAddr>,
    /// The folder of the credentials files.
    pub credentials: PathBuf,
}

/// The file in the data folder that says where its hub was to be found last.
const LAST_ADDRESSES: &str = "last-addresses.json";

impl Addresses {
    /// Where the hub of a data folder was to be found last; none where none ran yet.
    pub fn last(data: &Path) -> Option<Addresses> {
        let bytes = fs::read(data.join(LAST_ADDRESSES)).ok()?;
        serde_json::from_slice(&bytes).ok()
    }

    /// Keeps them for those who look at the data folder only.
    fn keep(&self) {
        let path = self.data.join(LAST_ADDRESSES);
        let written = serde_json::to_vec_pretty(self)
            .map_err(std::io::Error::from)
            .and_then(|bytes| write_whole(&path, &bytes));
        if let Err(error) = written {
            tracing::warn!(
                "H27 {} cannot be written: {error} · help: see that the disk has room and this user may write there",
                path.display()
            );
        }
    }

    /// The wall pages as somebody in the building can open them.
    pub fn walls(&self) -> Vec<String> {
        let host = |address: &SocketAddr| match address.ip().is_unspecified() {
            true => fs::read_to_string("/proc/sys/kernel/hostname")
                .map_or_else(|_| address.ip().to_string(), |name| name.trim().to_owned()),
            false => address.ip().to_string(),
        };
        let url = |(address, audience): &(SocketAddr, String)| {
            format!("http://{}:{}/  ({audience})", host(address), address.port())
        };
        self.http.iter().map(url).collect()
    }
}

/// A running hub. Dropping it is a crash: nothing is lost that was acknowledged, nothing is said either.
pub struct Hub {
    /// Where it is to be found.
    pub addresses: Addresses,
    /// What was found and repaired at the start, in words with codes.
    pub said: Vec<String>,
    broker: Arc<dyn Broker>,
    topics: Topics,
    boot: Boot,
    now: fn() -> Timestamp,
    pump: JoinHandle<Result<(), JournalError>>,
    stop: watch::Sender<bool>,
    others: JoinSet<()>,
    journal: Option<Journal>,
    feeds: Option<(BTreeMap<String, HallChannel>, FeedsConfig, Feeds)>,
    over: bool,
}

const MESSAGES: usize = 2048;

/// Starts a hub on the system's clock; everything it remembers is shown when this returns.
///
/// # Errors
/// [`HubError`]: configuration, an address in use, a data folder in use or not writable.
pub async fn start(config: Config) -> Result<Hub, HubError> {
    start_with(config, system_clock, Some(Steady::default())).await
}

/// Starts a hub on the given clock. Port 0 in the configuration asks the system for a port; [`Hub::addresses`] says which.
///
/// # Errors
/// As [`start`].
pub async fn start_at(config: Config, now: fn() -> Timestamp) -> Result<Hub, HubError> {
    start_with(config, now, None).await
}

async fn start_with(
    config: Config,
    now: fn() -> Timestamp,
    steady: Option<Steady>,
) -> Result<Hub, HubError> {
    if let Some(problem) = config.problems().into_iter().next() {
        let why = problem.trim_start_matches("H03 ").to_owned();
        return Err(ConfigError::Value(why).into());
    }
    let data = config.data()?;
    make_folder(&data)?;
    let boot = new_boot();
    let mut venue = venue_config(&config, boot.clone());
    venue.audiences = audiences::with_what_they_saw(venue.audiences, &data, now());
    let audiences = venue.audiences.clone();
    let recovering = data.clone();
    let mut recovered = tokio::task::spawn_blocking(move || recover(&recovering, venue))
        .await
        .map_err(|_| JournalError::Closed)??;
    audiences::keep(&audiences, &data);
    if let Some(place) = recovered.read_from.take() {
        let folder = data.join("journal");
        tokio::task::spawn_blocking(move || check_older(&folder, &place));
    }
    let book = Arc::new(Book::open(&data)?);
    let topics = Topics::new(&config.venue);
    let (say, messages) = mpsc::channel(MESSAGES);
    let broker = start_broker(&config, &topics, &boot, now, Arc::clone(&book), say).await?;
    if let Some(address) = broker.address() {
        match book.make_local(&config.venue, &reachable(address), address.port()) {
            Ok(made) if recovered.end.number == 0 || made.is_empty() => {}
            Ok(made) => recovered.said.push(made_anew(&made, &data)),
            // Whoever has the broker's address already can go on with what stands in the files.
            Err(error) if error.is_full_disk() => recovered.said.push(error.to_string()),
            Err(error) => return Err(error.into()),
        }
    }
    for line in &recovered.said {
        tracing::warn!("{line}");
    }
    let halls = halls(&config);
    let (stop, stopped) = watch::channel(false);
    let mut others = JoinSet::new();
    let mut viewers = Viewers::default();
    let walls = WallRim {
        halls: &halls,
        now,
        stopped: &stopped,
        connections: room::connections(room::files(), listeners(&config)),
    };
    let connections = walls.connections;
    let http = serve_walls(&config, walls, &mut viewers, &mut others).await?;
    let feeds = feeds(&config, &data, &halls, connections, now, &mut others).await?;
    others.spawn(follow_book(book, Arc::clone(&broker)));
    let fed = feeds
        .as_ref()
        .map(|feeds| (leaving(&halls), config.feeds.clone(), feeds.clone()));
    let addresses = Addresses {
        mqtt: broker.address(),
        http,
        operator: config.feeds.operator.filter(|_| feeds.is_some()),
        credentials: data.join("credentials"),
        data: data.clone(),
        feeds: feeds.as_ref().map(|feeds| feeds.folder.clone()),
    };
    addresses.keep();
    let mut venue = recovered.venue;
    venue.shows_walls(addresses.walls());
    let pump = Pump {
        venue,
        outlooks: Outlooks::start(),
        appender: recovered.journal.appender(),
        place: recovered.end,
        keeper: recovered.store.map_or_else(Keeper::none, Keeper::start),
        broker: Arc::clone(&broker),
        messages,
        halls,
        feeds: FeedReports::new(feeds.as_ref()),
        topics: topics.clone(),
        boot: boot.clone(),
        rounds: data.join("rounds"),
        usual: config.base_round(),
        now,
        steady,
        counts: Counts::default(),
        vitals: Watch::new(data.join("journal"), viewers, tokio::time::Instant::now()),
    };
    let (shown, everything_shown) = oneshot::channel();
    let pump = tokio::spawn(pump.run(stopped, shown));
    // A pump that failed at once says so through its handle.
    let _shown = everything_shown.await;
    Ok(Hub {
        addresses,
        said: recovered.said,
        broker,
        topics,
        boot,
        now,
        pump,
        stop,
        others,
        journal: Some(recovered.journal),
        feeds: fed,
        over: false,
    })
}

impl Hub {
    /// Says goodbye, finishes what was begun, and keeps a snapshot.
    pub async fn stop(mut self) {
        let goodbye = Outgoing {
            topic: self.topics.name(&Topic::HubPresence),
            retain: true,
            expires_s: None,
            payload: presence(&self.boot, (self.now)(), None),
        };
        self.broker.publish(goodbye).await;
        tokio::time::sleep(Duration::from_millis(20)).await;
        self.broker.stop().await;
        self.stop.send_replace(true);
        if !self.over && !self.pump_ended().await {
            tracing::warn!(
                "stopped while the journal could not be written; unacknowledged facts come again from the agents"
            );
        }
        if let Some(journal) = self.journal.take() {
            let closed = tokio::task::spawn_blocking(move || journal.close()).await;
            tracing::debug!(clean = closed.is_ok(), "journal closed");
        }
        self.others.shutdown().await;
        if let Some((halls, config, feeds)) = &self.feeds {
            deliver_once(halls, config, feeds).await;
        }
    }

    async fn pump_ended(&mut self) -> bool {
        let ended = tokio::time::timeout(Duration::from_secs(5), &mut self.pump).await;
        matches!(ended, Ok(Ok(Ok(()))))
    }

    /// Waits until the hub ends by itself, which it does only when it cannot go on.
    pub async fn ended(&mut self) {
        let ended = (&mut self.pump).await;
        self.over = true;
        match ended {
            Ok(Ok(())) => tracing::info!("the loop has ended"),
            Ok(Err(error)) => tracing::error!("{error}"),
            Err(panic) => tracing::error!("H06 the loop ended by a panic: {panic}"),
        }
    }
}

impl Drop for Hub {
    fn drop(&mut self) {
        self.pump.abort();
        self.others.abort_all();
    }
}

/// Says what is damaged in the part of the journal that a start from a snapshot does not read.
fn check_older(folder: &Path, place: &Place) {
    match check_before(folder, place) {
        Ok(findings) => findings
            .damage
            .iter()
            .for_each(|damage| tracing::warn!("{damage}")),
        Err(error) => tracing::warn!("{error}"),
    }
}

fn make_folder(data: &Path) -> Result<(), JournalError> {
    let fail = |source| JournalError::File {
        doing: "make",
        path: data.to_owned(),
        source,
    };
    let mut builder = fs::DirBuilder::new();
    builder
        .recursive(true)
        .mode(0o700)
        .create(data)
        .map_err(fail)
}

fn new_boot() -> Boot {
    let text = format!("{:016x}", rand::random::<u64>());
    text.parse().expect("hexadecimal digits are a name")
}

/// What the venue is told.
pub(crate) fn venue_config(config: &Config, boot: Boot) -> VenueConfig {
    VenueConfig {
        show_unconfirmed: config.play.show_unconfirmed,
        audiences: config.audiences(),
        house: config.feeds.leave_at_once(),
        casual: config.play.open_tables.then(|| config.base_round()),
        ..VenueConfig::new(boot)
    }
}

async fn start_broker(
    config: &Config,
    topics: &Topics,
    boot: &Boot,
    now: fn() -> Timestamp,
    book: Arc<Book>,
    say: mpsc::Sender<Message>,
) -> Result<Arc<dyn Broker>, HubError> {
    let topics = topics.clone();
    let Some(url) = config.external()? else {
        let listen = config.broker.listen;
        let embedded = EmbeddedConfig { listen, topics };
        return Ok(Arc::new(Embedded::start(&embedded, book, say).await?));
    };
    let will = Outgoing {
        topic: topics.name(&Topic::HubPresence),
        retain: true,
        expires_s: None,
        payload: presence(boot, now(), Some("the connection to the broker was lost")),
    };
    let external = ExternalConfig { url, topics, will };
    Ok(Arc::new(External::start(external, say)))
}

/// The host to write into credentials files: an address one can connect to.
fn reachable(address: SocketAddr) -> String {
    if address.ip().is_unspecified() {
        "127.0.0.1".to_owned()
    } else {
        address.ip().to_string()
    }
}

/// Local credentials that were gone: whoever has a copy of the old ones is turned away from now on.
fn made_anew(roles: &[Role], data: &Path) -> String {
    let names: Vec<String> = roles.iter().map(|role| format!("local-{role}")).collect();
    format!(
        "H58 in {} there were no credentials any more for {}; new ones were made · help: agents and dashboards on other machines need the new files; names that were added are to be added again, or put the folder back from a copy",
        data.join("credentials").display(),
        names.join(", ")
    )
}

fn halls(config: &Config) -> BTreeMap<String, HallChannel> {
    let outside = config.audience.iter().map(|a| a.name.clone());
    [Audience::hall(), Audience::house()]
        .map(|audience| audience.name)
        .into_iter()
        .chain(outside)
        .map(|name| (name, HallChannel::default()))
        .collect()
}

/// What every wall needs of the hub.
struct WallRim<'a> {
    halls: &'a BTreeMap<String, HallChannel>,
    now: fn() -> Timestamp,
    stopped: &'a watch::Receiver<bool>,
    /// Connections that each may hold.
    connections: usize,
}

/// Listeners that share the connections of this process; the operator's page takes few.
fn listeners(config: &Config) -> usize {
    config.http.len() + usize::from(config.feeds.livechess_api.listen.is_some())
}

async fn serve_walls(
    config: &Config,
    rim: WallRim<'_>,
    viewers: &mut Viewers,
    others: &mut JoinSet<()>,
) -> Result<Vec<(SocketAddr, String)>, HubError> {
    let mut addresses = Vec::new();
    for wall in &config.http {
        let HttpConfig {
            listen, audience, ..
        } = wall;
        let fail = |source| HubError::Http {
            address: *listen,
            source,
        };
        let listener = TcpListener::bind(listen).await.map_err(fail)?;
        addresses.push((listener.local_addr().map_err(fail)?, audience.clone()));
        let boards = rim.halls.get(audience).cloned().unwrap_or_default();
        let only = Tables::of(&wall.boards);
        let wall = Wall::new(boards, rim.now)
            .of_tables(only, &wall.name)
            .in_country(&config.feeds.livechess_cloud.country)
            .with_connections(rim.connections);
        viewers.add(&wall);
        let mut stopped = rim.stopped.clone();
        let shutdown = async move { told(&mut stopped).await };
        others.spawn(async move {
            if let Err(error) = serve(listener, wall, shutdown).await {
                tracing::error!("H07 the wall page ended: {error}");
            }
        });
    }
    Ok(addresses)
}

/// The boards of each audience as feeds get them: what is kept back from outside leaves with none of them.
fn leaving(halls: &BTreeMap<String, HallChannel>) -> BTreeMap<String, HallChannel> {
    let mut leaving = halls.clone();
    if let Some(house) = leaving.remove(&Audience::house().name) {
        leaving.insert(Audience::hall().name, house);
    }
    leaving
}

async fn feeds(
    config: &Config,
    data: &Path,
    halls: &BTreeMap<String, HallChannel>,
    connections: usize,
    now: fn() -> Timestamp,
    others: &mut JoinSet<()>,
) -> Result<Option<Feeds>, HubError> {
    if !config.feeds.enabled {
        return Ok(None);
    }
    let folder = config.feeds_folder()?;
    let halls = &leaving(halls);
    let feeds = start_feeds(&config.feeds, folder, data, halls, connections, now, others).await;
    Ok(Some(feeds))
}

/// Follows the credentials' file and ends the connections of those who are no longer in it.
async fn follow_book(book: Arc<Book>, broker: Arc<dyn Broker>) {
    let mut beat = tokio::time::interval(Duration::from_secs(1));
    loop {
        beat.tick().await;
        match book.follow() {
            Ok(gone) if gone.is_empty() => {}
            Ok(gone) => broker.dismiss(&gone).await,
            Err(error) => tracing::warn!("{error}"),
        }
    }
}
