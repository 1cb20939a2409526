//! Any MQTT 5 broker of the venue: a persistent session, acknowledged by hand after the journal's commit.
//!
//! The same contract as the embedded broker, but rights are the broker's own access list, and who sent an order is what
//! the order says.

use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use protocol::{HubUrl, Role, Topic, Topics};
use rumqttc::NetworkOptions;
use rumqttc::v5::mqttbytes::QoS;
use rumqttc::v5::mqttbytes::v5::{Filter, LastWill, Packet, Publish, PublishProperties};
use rumqttc::v5::{AsyncClient, ConnectionError, Event, EventLoop, MqttOptions, StateError};
use tokio::sync::{Mutex, mpsc, oneshot, watch};
use tokio::task::{JoinHandle, JoinSet};

use super::message::{Message, Outgoing, Receipt, Sender};
use super::outbox::{Outbox, Retained};
use super::{Broker, Soon};

/// An external broker's settings.
#[derive(Debug, Clone)]
pub struct ExternalConfig {
    /// Its address with the hub's name and token there.
    pub url: HubUrl,
    /// The venue's topics.
    pub topics: Topics,
    /// What the broker is to say when the hub is gone.
    pub will: Outgoing,
}

/// The connection to an external broker; it connects, and connects again, by itself.
pub struct External {
    outbox: Arc<Outbox>,
    /// The newest of every retained topic, said again at every connection.
    retained: Arc<Retained>,
    opened: watch::Sender<bool>,
    stop: watch::Sender<bool>,
    task: Mutex<Option<JoinHandle<()>>>,
}

/// Messages the broker may send before the hub has acknowledged; fewer than the arrivals channel holds.
const RECEIVE_MAXIMUM: u16 = 200;
const SESSION_SECONDS: u32 = 12 * 3600;
const FIRST_PAUSE: Duration = Duration::from_millis(500);
const LONGEST_PAUSE: Duration = Duration::from_secs(15);

impl External {
    /// Ready to connect, which begins with [`Broker::open`]; what clients say comes through `arrivals`.
    pub fn start(config: ExternalConfig, arrivals: mpsc::Sender<Message>) -> External {
        let outbox = Arc::new(Outbox::default());
        let retained = Arc::new(Retained::default());
        let (opened, mut open) = watch::channel(false);
        let (stop, stopped) = watch::channel(false);
        let line = Line {
            config,
            arrivals,
            outbox: Arc::clone(&outbox),
            retained: Arc::clone(&retained),
            stopped,
        };
        let task = tokio::spawn(async move {
            if open.wait_for(|open| *open).await.is_ok() {
                line.keep().await;
            }
        });
        External {
            outbox,
            retained,
            opened,
            stop,
            task: Mutex::new(Some(task)),
        }
    }
}

impl Drop for External {
    fn drop(&mut self) {
        if let Some(task) = self.task.get_mut().take() {
            task.abort();
        }
    }
}

impl Broker for External {
    fn publish(&self, message: Outgoing) -> Soon<'_, ()> {
        self.retained.note(&message);
        self.outbox.push(message);
        Box::pin(std::future::ready(()))
    }

    fn open(&self) {
        self.opened.send_replace(true);
    }

    fn address(&self) -> Option<SocketAddr> {
        None
    }

    fn dismiss<'a>(&'a self, _names: &'a [String]) -> Soon<'a, ()> {
        Box::pin(std::future::ready(()))
    }

    fn stop(&self) -> Soon<'_, ()> {
        Box::pin(async move {
            let emptied = async {
                while !self.outbox.is_empty() {
                    tokio::time::sleep(Duration::from_millis(20)).await;
                }
            };
            let late = tokio::time::timeout(Duration::from_secs(2), emptied).await;
            tracing::debug!(all_said = late.is_ok(), "leaving the broker");
            self.stop.send_replace(true);
            if let Some(task) = self.task.lock().await.take()
                && task.await.is_err()
            {
                tracing::error!("H41 the connection to the broker ended by a panic");
            }
        })
    }
}

/// What the hub listens to.
const HEARD: [&str; 5] = [
    "agent/+/presence",
    "agent/+/time",
    "device/+/info",
    "device/+/facts",
    "desk/order",
];

/// Where the hub's own retained messages lie.
const SAID: [&str; 6] = [
    "desk/table/+",
    "desk/alert/+",
    "desk/round",
    "hall/#",
    "world/#",
    "device/+/control",
];

fn is_heard(topic: &Topic) -> bool {
    matches!(
        topic,
        Topic::AgentPresence(_)
            | Topic::TimeQuestion(_)
            | Topic::DeviceInfo(_)
            | Topic::Facts(_)
            | Topic::Order
    )
}

fn forget(topic: String) -> Outgoing {
    Outgoing {
        topic,
        retain: true,
        expires_s: None,
        payload: Vec::new(),
    }
}

/// One connection after the other.
struct Line {
    config: ExternalConfig,
    arrivals: mpsc::Sender<Message>,
    outbox: Arc<Outbox>,
    retained: Arc<Retained>,
    stopped: watch::Receiver<bool>,
}

/// Why polling ended.
enum Ended {
    /// The client library is wedged: a new one is needed.
    Wedged,
    /// It was told to disconnect.
    Done,
}

impl Line {
    async fn keep(mut self) {
        while !*self.stopped.borrow() {
            let (client, events) = AsyncClient::new(self.options(), 64);
            let mut side = JoinSet::new();
            let (receipts, waiting) = mpsc::channel(usize::from(RECEIVE_MAXIMUM) * 2);
            side.spawn(send_all(client.clone(), Arc::clone(&self.outbox)));
            side.spawn(acknowledge(client.clone(), waiting));
            side.spawn(disconnect_on(self.stopped.clone(), client.clone()));
            let hearing = Hearing {
                topics: self.config.topics.clone(),
                client,
                arrivals: self.arrivals.clone(),
                outbox: Arc::clone(&self.outbox),
                retained: Arc::clone(&self.retained),
                receipts,
                stopped: self.stopped.clone(),
            };
            if let Ended::Done = hearing.poll(events).await {
                self.stopped.mark_unchanged();
                return;
            }
            tracing::warn!("H48 the connection to the broker is built anew");
        }
    }

    fn options(&self) -> MqttOptions {
        let url = &self.config.url;
        let (name, token) = url.login.clone().unwrap_or_default();
        let id = format!("{}-hub", self.config.topics.root().replace('/', "-"));
        let mut options = MqttOptions::new(id, url.host.clone(), url.port);
        options.set_credentials(name, token);
        options.set_keep_alive(Duration::from_secs(5));
        options.set_clean_start(false);
        options.set_session_expiry_interval(Some(SESSION_SECONDS));
        options.set_receive_maximum(Some(RECEIVE_MAXIMUM));
        options.set_max_packet_size(Some(1 << 20));
        options.set_manual_acks(true);
        options.set_network_options(at_once());
        options.set_outgoing_inflight_upper_limit(100);
        let will = self.config.will.clone();
        let will = LastWill::new(will.topic, will.payload, QoS::AtLeastOnce, true, None);
        options.set_last_will(will);
        options
    }
}

/// Every message leaves at once: gathered into fuller packets it would wait for the other side's acknowledgement, up to 40 ms.
fn at_once() -> NetworkOptions {
    let mut network = NetworkOptions::new();
    network.set_tcp_nodelay(true);
    network
}

/// Sends what waits, one after the other; the client holds back while it is not connected.
async fn send_all(client: AsyncClient, outbox: Arc<Outbox>) {
    loop {
        let message = outbox.pop().await;
        let properties = PublishProperties {
            message_expiry_interval: message.expires_s,
            ..PublishProperties::default()
        };
        let (topic, retain) = (message.topic, message.retain);
        let sent = client.publish_with_properties(
            topic,
            QoS::AtLeastOnce,
            retain,
            message.payload,
            properties,
        );
        if sent.await.is_err() {
            return;
        }
    }
}

/// Acknowledges in order, each when its receipt is signed. One that is dropped unsigned is never acknowledged: the broker
/// sends it again to the next connection.
async fn acknowledge(
    client: AsyncClient,
    mut waiting: mpsc::Receiver<(Publish, oneshot::Receiver<()>)>,
) {
    while let Some((publish, signed)) = waiting.recv().await {
        if signed.await.is_err() || client.ack(&publish).await.is_err() {
            return;
        }
    }
}

async fn disconnect_on(mut stopped: watch::Receiver<bool>, client: AsyncClient) {
    if stopped.wait_for(|stop| *stop).await.is_ok() && client.disconnect().await.is_err() {
        tracing::trace!("the connection had ended already");
    }
}

/// The receiving side of one client.
struct Hearing {
    topics: Topics,
    client: AsyncClient,
    arrivals: mpsc::Sender<Message>,
    outbox: Arc<Outbox>,
    retained: Arc<Retained>,
    receipts: mpsc::Sender<(Publish, oneshot::Receiver<()>)>,
    stopped: watch::Receiver<bool>,
}

impl Hearing {
    /// Polls and does nothing else for long; a poll is never dropped half way.
    async fn poll(self, mut events: EventLoop) -> Ended {
        let mut pause = FIRST_PAUSE;
        let mut collisions = 0;
        loop {
            match events.poll().await {
                Ok(Event::Incoming(Packet::ConnAck(_))) => {
                    (pause, collisions) = (FIRST_PAUSE, 0);
                    self.greet();
                }
                Ok(Event::Incoming(Packet::Publish(publish))) => self.hear(publish).await,
                Ok(_) => {}
                Err(error) => {
                    if *self.stopped.borrow() {
                        return Ended::Done;
                    }
                    collisions += u32::from(is_collision(&error));
                    if collisions >= 2 || matches!(error, ConnectionError::RequestsDone) {
                        return Ended::Wedged;
                    }
                    tracing::warn!("H49 no connection to the broker: {}", in_words(&error));
                    tokio::time::sleep(pause).await;
                    pause = (pause * 2).min(LONGEST_PAUSE);
                }
            }
        }
    }

    /// Subscribes, says everything retained again, and looks for what an earlier life left behind.
    fn greet(&self) {
        tracing::info!("connected to the broker");
        self.retained.say_again(&self.outbox);
        let filters = HEARD.iter().chain(&SAID);
        let filters = filters.map(|f| Filter::new(self.topics.filter(f), QoS::AtLeastOnce));
        if self.client.try_subscribe_many(filters).is_err() {
            tracing::warn!("H49 too much waits; connecting once more");
            if self.client.try_disconnect().is_err() {
                tracing::debug!("the request queue is full");
            }
        }
    }

    async fn hear(&self, publish: Publish) {
        let name = String::from_utf8_lossy(&publish.topic).into_owned();
        let topic = self.topics.parse(&name).filter(is_heard);
        let Some(topic) = topic else {
            let stale = publish.retain && !publish.payload.is_empty();
            if stale && !self.retained.knows(&name) {
                tracing::info!(topic = name, "left over from an earlier start; forgotten");
                self.outbox.push(forget(name));
            }
            return self.file(publish, Receipt::new()).await;
        };
        let (receipt, signed) = Receipt::new();
        let message = Message {
            from: sender(&topic),
            topic,
            payload: publish.payload.clone(),
            receipt,
        };
        if self.arrivals.send(message).await.is_ok() {
            self.wait(publish, signed).await;
        }
    }

    /// Acknowledges what the hub cannot use.
    async fn file(&self, publish: Publish, (receipt, signed): (Receipt, oneshot::Receiver<()>)) {
        receipt.sign();
        self.wait(publish, signed).await;
    }

    async fn wait(&self, publish: Publish, signed: oneshot::Receiver<()>) {
        if self.receipts.send((publish, signed)).await.is_err() {
            tracing::debug!("nobody acknowledges any more; the broker sends it again");
        }
    }
}

/// An external broker does not say who published; its access list lets only arbiters order and only agents state facts, and nobody
/// can be told from the chief arbiter.
fn sender(topic: &Topic) -> Sender {
    let role = match topic {
        Topic::Order => Role::Chief,
        _ => Role::Agent,
    };
    Sender {
        name: String::new(),
        role,
    }
}

fn is_collision(error: &ConnectionError) -> bool {
    matches!(
        error,
        ConnectionError::MqttState(StateError::CollisionTimeout)
    )
}

fn in_words(error: &ConnectionError) -> String {
    match error {
        ConnectionError::ConnectionRefused(code) => {
            format!("refused ({code:?}) · help: check [broker] external, its name and token")
        }
        other => {
            format!("{other} · help: is the broker running at the address in [broker] external?")
        }
    }
}
