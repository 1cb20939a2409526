//! An arbiter's and a display's eyes on the broker: the latest of every view, and how long news took.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use protocol::{
    Alert, AlertLife, Answer, Credentials, DeskTable, DeviceId, Envelope, Fact, HallBoard,
    HubPresence, Order, Ply, TableId, Timestamp, Topic, Topics, decode, encode,
};
use rumqttc::v5::mqttbytes::QoS;
use rumqttc::v5::mqttbytes::v5::Packet;
use rumqttc::v5::{AsyncClient, Event, MqttOptions};
use tokio::task::JoinHandle;

/// What has been seen so far.
#[derive(Debug, Default)]
pub struct Seen {
    /// The newest desk view of each table.
    pub tables: BTreeMap<TableId, DeskTable>,
    /// The newest hall view of each table.
    pub halls: BTreeMap<TableId, HallBoard>,
    /// The newest state of each alert.
    pub alerts: BTreeMap<String, Alert>,
    /// When each alert was first seen on the desk.
    pub told: BTreeMap<String, Timestamp>,
    /// Who took an alert first, and when.
    pub taken: BTreeMap<String, (String, Timestamp)>,
    /// The newest beat of the hub.
    pub hub: Option<HubPresence>,
    /// Answers to orders, oldest first.
    pub answers: Vec<Answer>,
    /// Milliseconds from a move being made to its appearance in the hall.
    pub made_to_hall: Vec<u64>,
    /// Milliseconds from the last square event of a move to its being made.
    pub square_to_made: Vec<u64>,
    /// Everything that arrived on a topic of the hall or the world, for tests of secrecy.
    pub hall_payloads: Vec<(String, Vec<u8>)>,
    /// Payloads that could not be read, with the reason.
    pub unreadable: Vec<String>,
    /// Whether each board was there at last, and how often it was found.
    pub found: BTreeMap<DeviceId, (bool, u32)>,
    /// When moves were made, until the hall shows them.
    made: BTreeMap<(DeviceId, Ply), Timestamp>,
    /// When the hall showed moves whose making is not yet known.
    shown: Vec<(TableId, Ply, Timestamp)>,
}

impl Seen {
    /// How many boards were lost and found again at least so often.
    pub fn back(&self, times: u32) -> usize {
        let found = self.found.values();
        found
            .filter(|(there, found)| *there && *found > times)
            .count()
    }
}

/// A client that subscribes to everything its role may see and remembers it.
pub struct Observer {
    seen: Arc<Mutex<Seen>>,
    client: AsyncClient,
    topics: Topics,
    task: JoinHandle<()>,
}

impl Observer {
    /// Connects with these credentials and subscribes to the given filters below the venue's root.
    pub fn start(login: &Credentials, client_id: &str, filters: &[&str]) -> Observer {
        let mut options = MqttOptions::new(client_id, login.host.clone(), login.port);
        options
            .set_credentials(&login.name, &login.token)
            .set_keep_alive(Duration::from_secs(5))
            .set_clean_start(true);
        options.set_max_packet_size(Some(1 << 20));
        let (client, mut events) = AsyncClient::new(options, 1000);
        let topics = Topics::new(&login.venue);
        let seen: Arc<Mutex<Seen>> = Arc::default();
        let filters: Vec<String> = filters.iter().map(|f| topics.filter(f)).collect();
        let (their_seen, their_topics, subscriber) =
            (Arc::clone(&seen), topics.clone(), client.clone());
        let task = tokio::spawn(async move {
            loop {
                match events.poll().await {
                    Ok(Event::Incoming(Packet::ConnAck(_))) => {
                        for filter in &filters {
                            // The queue holds a thousand requests; there are a handful.
                            let _full = subscriber.try_subscribe(filter, QoS::AtLeastOnce);
                        }
                    }
                    Ok(Event::Incoming(Packet::Publish(publish))) => {
                        let name = String::from_utf8_lossy(&publish.topic).into_owned();
                        note(
                            &mut lock(&their_seen),
                            &their_topics,
                            &name,
                            &publish.payload,
                        );
                    }
                    Ok(_) => {}
                    Err(_) => tokio::time::sleep(Duration::from_millis(200)).await,
                }
            }
        });
        Observer {
            seen,
            client,
            topics,
            task,
        }
    }

    /// What has been seen so far.
    pub fn seen(&self) -> MutexGuard<'_, Seen> {
        lock(&self.seen)
    }

    /// Sends an order.
    ///
    /// # Errors
    /// When the client is gone.
    pub async fn order(&self, order: &Order) -> anyhow::Result<()> {
        Ok(self
            .client
            .publish(
                self.topics.name(&Topic::Order),
                QoS::AtLeastOnce,
                false,
                encode(order),
            )
            .await?)
    }

    /// Waits until `found` says yes to what has been seen, or until the time is over.
    pub async fn wait(&self, limit: Duration, mut found: impl FnMut(&Seen) -> bool) -> bool {
        let end = tokio::time::Instant::now() + limit;
        loop {
            if found(&self.seen()) {
                return true;
            }
            if tokio::time::Instant::now() >= end {
                return false;
            }
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
    }
}

impl Drop for Observer {
    fn drop(&mut self) {
        self.task.abort();
    }
}

fn lock(seen: &Mutex<Seen>) -> MutexGuard<'_, Seen> {
    seen.lock().unwrap_or_else(PoisonError::into_inner)
}

/// This machine's time, which is the hub's.
pub(crate) fn now() -> Timestamp {
    let since = SystemTime::now()
        .duration_since(UNIX_EPOCH)
        .unwrap_or_default();
    Timestamp(i64::try_from(since.as_millis()).unwrap_or(i64::MAX))
}

fn note(seen: &mut Seen, topics: &Topics, name: &str, payload: &[u8]) {
    match topics.parse(name) {
        Some(Topic::DeskTable(table)) => read(seen, name, payload, |seen, view: DeskTable| {
            drop(seen.tables.insert(table, view))
        }),
        Some(Topic::DeskAlert(id)) => read(seen, name, payload, |seen, alert: Alert| {
            note_alert(seen, id, alert)
        }),
        Some(Topic::HubPresence) => read(seen, name, payload, |seen, hub: HubPresence| {
            seen.hub = Some(hub)
        }),
        Some(Topic::Answer(_)) => read(seen, name, payload, |seen, answer: Answer| {
            seen.answers.push(answer)
        }),
        Some(Topic::Facts(device)) => {
            read(seen, name, payload, |seen, envelope: Envelope| {
                note_fact(seen, device, &envelope)
            });
        }
        Some(Topic::HallBoard(table)) => {
            seen.hall_payloads.push((name.to_owned(), payload.to_vec()));
            read(seen, name, payload, |seen, view: HallBoard| {
                note_hall(seen, table, view)
            });
        }
        Some(Topic::HallScalar(..) | Topic::WorldBoard(..)) => {
            seen.hall_payloads.push((name.to_owned(), payload.to_vec()))
        }
        _ => {}
    }
}

fn read<T: serde::de::DeserializeOwned>(
    seen: &mut Seen,
    name: &str,
    payload: &[u8],
    take: impl FnOnce(&mut Seen, T),
) {
    if payload.is_empty() {
        return;
    }
    match decode(payload) {
        Ok(view) => take(seen, view),
        Err(error) => seen.unreadable.push(format!("{name}: {error}")),
    }
}

fn note_alert(seen: &mut Seen, id: String, alert: Alert) {
    seen.told.entry(id.clone()).or_insert_with(now);
    if let AlertLife::Taken { by, at } = &alert.life {
        let first = || (by.clone(), *at);
        seen.taken.entry(id.clone()).or_insert_with(first);
    }
    seen.alerts.insert(id, alert);
}

fn note_fact(seen: &mut Seen, device: DeviceId, envelope: &Envelope) {
    if let Fact::Health(health) = &envelope.fact {
        let (there, times) = seen.found.entry(device.clone()).or_default();
        *times += u32::from(health.board && !*there);
        *there = health.board;
    }
    if let Fact::Made { ply, after_ms, .. } = envelope.fact {
        seen.square_to_made.push(after_ms);
        seen.made.insert((device, ply), envelope.hub_time());
        settle_latency(seen);
    }
}

/// A hall board that shows one move more than before tells when the move got there.
fn note_hall(seen: &mut Seen, table: TableId, view: HallBoard) {
    let before = seen.halls.get(&table).map_or(0, |b| b.moves.len());
    if view.moves.len() == before + 1 {
        let ply = Ply::try_from(view.moves.len()).unwrap_or(Ply::MAX);
        seen.shown.push((table, ply, now()));
        settle_latency(seen);
    }
    seen.halls.insert(table, view);
}

/// Brings together what was made and what was shown; either may be heard first.
fn settle_latency(seen: &mut Seen) {
    let Seen {
        shown,
        made,
        tables,
        made_to_hall,
        ..
    } = seen;
    shown.retain(|(table, ply, at)| {
        let device = tables.get(table).and_then(|t| t.device.clone());
        let made = device.and_then(|device| made.remove(&(device, *ply)));
        made_to_hall.extend(made.map(|made| at.since(made)));
        made.is_none()
    });
}
