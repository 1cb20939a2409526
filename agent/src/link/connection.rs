//! One connection to one broker, from CONNECT to its end: a client, and a task of its own that polls it.
//!
//! A connection is used once. After any error a new client is built and everything not acknowledged is read again from
//! the outbox, so no packet number, window or queue of an old connection can stand in the way of a new one.

use std::time::Duration;

use protocol::{AgentPresence, Topic, Topics};
use rumqttc::NetworkOptions;
use rumqttc::v5::mqttbytes::QoS;
use rumqttc::v5::mqttbytes::v5::{
    ConnectProperties, LastWill, Packet, PubAckReason, Publish, SubscribeReasonCode,
};
use rumqttc::v5::{AsyncClient, ConnectionError, Event, EventLoop, MqttOptions, StateError};
use tokio::sync::mpsc;
use tokio::task::JoinHandle;

use crate::config::Hub;

/// Requests that may wait for the client.
pub(super) const REQUESTS: usize = 128;

/// Events that may wait for the link.
const EVENTS: usize = 1024;

/// The largest message that is taken: a control with a long record.
const LARGEST: u32 = 512 * 1024;

/// How long a broker keeps orders for an agent that is away, seconds.
const SESSION_KEPT: u32 = 3600;

/// What a connection says.
#[derive(Debug)]
pub(super) enum Said {
    /// The broker let us in.
    Connected,
    /// A message came.
    Message(Publish),
    /// The broker refused to take a publication, with its reason.
    Refused(String),
    /// The broker does not let us in, with its reason.
    Rejected(String),
    /// It is over, and why.
    Ended(String),
}

/// The client's side of a connection.
pub(super) struct Connection {
    pub(super) client: AsyncClient,
    pub(super) said: mpsc::Receiver<Said>,
    poller: JoinHandle<()>,
}

impl Connection {
    /// Begins to connect.
    pub(super) fn open(hub: &Hub, topics: &Topics, farewell: &AgentPresence) -> Connection {
        Connection::of(options(hub, topics, farewell))
    }

    /// A connection that leaves no trace: another client name, no session, no will.
    pub(super) fn visit(hub: &Hub) -> Connection {
        let visitor = format!("{}-visitor-{:08x}", hub.name, rand::random::<u32>());
        let mut options = MqttOptions::new(visitor, hub.host.clone(), hub.port);
        options.set_credentials(hub.name.clone(), hub.token.clone());
        Connection::of(options)
    }

    fn of(mut options: MqttOptions) -> Connection {
        options.set_network_options(at_once());
        let (client, events) = AsyncClient::new(options, REQUESTS);
        let (say, said) = mpsc::channel(EVENTS);
        Connection {
            client,
            said,
            poller: tokio::spawn(poll(events, say)),
        }
    }

    /// Says goodbye and gives the broker a moment to hear it.
    pub(super) async fn close(mut self) {
        let _queue_full = self.client.try_disconnect();
        let drained = async { while self.said.recv().await.is_some() {} };
        let _late = tokio::time::timeout(Duration::from_secs(1), drained).await;
    }
}

impl Drop for Connection {
    fn drop(&mut self) {
        self.poller.abort();
    }
}

fn options(hub: &Hub, topics: &Topics, farewell: &AgentPresence) -> MqttOptions {
    let mut options = MqttOptions::new(hub.name.clone(), hub.host.clone(), hub.port);
    options.set_keep_alive(Duration::from_secs(5));
    options.set_connection_timeout(5);
    options.set_clean_start(false);
    options.set_connect_properties(ConnectProperties {
        session_expiry_interval: Some(SESSION_KEPT),
        max_packet_size: Some(LARGEST),
        ..ConnectProperties::new()
    });
    options.set_outgoing_inflight_upper_limit(100);
    options.set_credentials(hub.name.clone(), hub.token.clone());
    let presence = topics.name(&Topic::AgentPresence(farewell.agent.clone()));
    let will = LastWill::new(
        presence,
        protocol::encode(farewell),
        QoS::AtLeastOnce,
        true,
        None,
    );
    options.set_last_will(will);
    options
}

/// Every message leaves at once: gathered into fuller packets it would wait for the other side's acknowledgement, up to 40 ms.
fn at_once() -> NetworkOptions {
    let mut network = NetworkOptions::new();
    network.set_tcp_nodelay(true);
    network
}

/// Polls until the first error; never raced against anything, because a poll that is dropped half way can lose a packet.
async fn poll(mut events: EventLoop, say: mpsc::Sender<Said>) {
    loop {
        let said = match events.poll().await {
            Ok(event) => meaning(event),
            Err(ConnectionError::ConnectionRefused(code)) => {
                Some(Said::Rejected(format!("refused: {code:?}")))
            }
            Err(error) => Some(Said::Ended(in_words(&error))),
        };
        let Some(said) = said else { continue };
        let over = matches!(said, Said::Ended(_) | Said::Rejected(_));
        if say.try_send(said).is_err() || over {
            return;
        }
    }
}

/// Why a connection ended; who answers in another language than MQTT is no broker.
fn in_words(error: &ConnectionError) -> String {
    match error {
        ConnectionError::MqttState(StateError::Deserialization(_))
        | ConnectionError::NotConnAck(_) => {
            "what answers there does not speak MQTT 5 · help: is `host` and `port` the hub's? its MQTT port is usually 1883, its web pages are on another"
                .to_owned()
        }
        other => other.to_string(),
    }
}

fn meaning(event: Event) -> Option<Said> {
    let Event::Incoming(packet) = event else {
        return None;
    };
    match packet {
        Packet::ConnAck(_) => Some(Said::Connected),
        Packet::Publish(publish) => Some(Said::Message(publish)),
        Packet::PubAck(ack) => match ack.reason {
            PubAckReason::Success | PubAckReason::NoMatchingSubscribers => None,
            reason => Some(Said::Refused(format!("publication: {reason:?}"))),
        },
        Packet::SubAck(ack) => {
            let good =
                |code: &&SubscribeReasonCode| matches!(code, SubscribeReasonCode::Success(_));
            let bad = ack.return_codes.iter().find(|code| !good(code))?;
            Some(Said::Refused(format!("subscription: {bad:?}")))
        }
        Packet::Disconnect(bye) => Some(Said::Ended(format!(
            "the broker said goodbye: {:?}",
            bye.reason_code
        ))),
        _ => None,
    }
}
