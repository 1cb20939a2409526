//! Carries the hub's plain values to the sign's port: a port that goes is opened again, and a hub that goes is waited for.

use std::io;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use protocol::{TableId, Topic, Topics};
use tokio::sync::Notify;
use tokio::time::{sleep, timeout};

use super::sign::Sign;
use crate::config::Hub;
use crate::link::{Heard, Onlooker};
use crate::ports::{self, PortInfo, Selector};

/// Everything is told again this often.
const AGAIN: Duration = Duration::from_secs(10);
/// A port that is not there, or takes nothing, is tried again after this time.
const PATIENCE: Duration = Duration::from_secs(1);
/// A line that is not taken within this time means that the port is stuck.
const STUCK: Duration = Duration::from_secs(5);

/// What a sign is fed with.
#[derive(Debug, Clone)]
pub struct WallOptions {
    /// Its port.
    pub port: Selector,
    /// Its speed.
    pub baud: u32,
    /// The tables it shows, from and to; none: all.
    pub tables: Vec<(u16, u16)>,
    /// Where the values come from.
    pub hub: Hub,
}

/// A sign that one task fills and another one tells.
#[derive(Debug, Clone, Default)]
struct Shared {
    sign: Arc<Mutex<Sign>>,
    news: Arc<Notify>,
}

impl Shared {
    fn sign(&self) -> MutexGuard<'_, Sign> {
        self.sign.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn change(&self, change: impl FnOnce(&mut Sign)) {
        change(&mut self.sign());
        self.news.notify_one();
    }
}

/// Feeds the sign until it is dropped.
pub async fn run(options: WallOptions) {
    let shared = Shared::default();
    tokio::join!(listen(&options, &shared), tell(&options, &shared));
}

async fn listen(options: &WallOptions, shared: &Shared) {
    let topics = Topics::new(&options.hub.venue);
    let filters = ["hall/board/+/+", "hall/board/+/+/clock"];
    let mut onlooker = Onlooker::new(
        options.hub.clone(),
        filters.map(|f| topics.filter(f)).into(),
    );
    loop {
        match onlooker.next().await {
            Heard::Up => {
                tracing::info!("the hub is heard");
                shared.change(|sign| sign.link(true));
            }
            Heard::Down(why) => {
                tracing::warn!(%why, "A41 no line to the hub; the sign keeps what it shows");
                shared.change(|sign| sign.link(false));
            }
            Heard::Message(topic, payload) => {
                let Some(Topic::HallScalar(table, what)) = topics.parse(&topic) else {
                    continue;
                };
                if shows(&options.tables, table) {
                    let value = String::from_utf8_lossy(&payload);
                    shared.change(|sign| sign.hear(table, &what, &value));
                }
            }
        }
    }
}

fn shows(tables: &[(u16, u16)], table: TableId) -> bool {
    tables.is_empty()
        || tables
            .iter()
            .any(|(from, to)| (*from..=*to).contains(&table.0))
}

async fn tell(options: &WallOptions, shared: &Shared) {
    let mut said = false;
    loop {
        let found = find(&options.port);
        let opened = found.and_then(|port| ports::open_serial(&port.path, options.baud));
        let why = match opened {
            Ok(port) => {
                tracing::info!(port = %options.port, "the sign's port is open");
                said = false;
                tell_port(port, shared).await
            }
            Err(why) => why,
        };
        if !said {
            tracing::warn!(port = %options.port, %why, "A12 the sign cannot be told anything; tried again every second");
            said = true;
        }
        sleep(PATIENCE).await;
    }
}

fn find(port: &Selector) -> io::Result<PortInfo> {
    let chosen = std::slice::from_ref(port);
    let found = ports::matching(ports::scan(chosen), chosen, &[]);
    found
        .into_iter()
        .next()
        .ok_or_else(|| io::ErrorKind::NotFound.into())
}

/// Tells everything, then what changes, until the port ends.
async fn tell_port(mut port: ports::SerialPort, shared: &Shared) -> io::Error {
    let mut again = tokio::time::interval(AGAIN);
    let mut nothing = [0; 64];
    loop {
        while let Some(line) = next_line(shared) {
            match timeout(STUCK, port.write(line.as_bytes())).await {
                Ok(Ok(())) => {}
                Ok(Err(why)) => return why,
                Err(_) => return io::ErrorKind::TimedOut.into(),
            }
        }
        tokio::select! {
            () = shared.news.notified() => {}
            _ = again.tick() => shared.sign().again(),
            // What a sign says is not listened to; that its port ends is.
            read = port.read(&mut nothing) => if let Err(why) = read {
                return why;
            },
        }
    }
}

fn next_line(shared: &Shared) -> Option<String> {
    shared.sign().next_line()
}
