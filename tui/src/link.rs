//! The line to the hub: MQTT 5 in a task of its own, opened again by itself; what comes is decoded here, once.

use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use protocol::{Order, Topic, Topics, VenueId, decode, encode};
use rumqttc::NetworkOptions;
use rumqttc::v5::mqttbytes::QoS;
use rumqttc::v5::mqttbytes::v5::{Packet, PubAckReason, Publish};
use rumqttc::v5::{AsyncClient, ConnectionError, Event, EventLoop, MqttOptions};
use tokio::sync::mpsc::Sender;

use crate::language::{Language, t};
use crate::message::{Heard, Link, Message};
use crate::unreached;

/// The largest message taken, bytes.
const MOST_BYTES: u32 = 8 * 1024 * 1024;
const FIRST_WAIT: Duration = Duration::from_millis(300);
const LONGEST_WAIT: Duration = Duration::from_secs(5);

/// Where the hub is, and who we are to it.
#[derive(Clone)]
pub struct Target {
    /// Host name or address.
    pub host: String,
    /// Port.
    pub port: u16,
    /// Name at the broker.
    pub name: String,
    /// The secret; never printed.
    pub token: String,
    /// The venue.
    pub venue: VenueId,
}

impl std::fmt::Debug for Target {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "mqtt://{}:…@{}:{}", self.name, self.host, self.port)
    }
}

/// The hand that sends orders down the line.
#[derive(Debug, Clone)]
pub struct Hand {
    client: Arc<Mutex<Option<AsyncClient>>>,
    topics: Topics,
    language: Language,
}

impl Hand {
    /// Sends an order.
    ///
    /// # Errors
    /// A sentence when there is no line, or it is clogged.
    pub fn send(&self, order: &Order) -> Result<(), String> {
        let client = self.client.lock().unwrap_or_else(PoisonError::into_inner);
        let client = client
            .as_ref()
            .ok_or_else(|| t!(self.language, "no line to the hub"))?;
        let topic = self.topics.name(&Topic::Order);
        client
            .try_publish(topic, QoS::AtLeastOnce, false, encode(order))
            .map_err(|_| t!(self.language, "the line to the hub is clogged"))
    }

    fn set(&self, client: Option<AsyncClient>) {
        *self.client.lock().unwrap_or_else(PoisonError::into_inner) = client;
    }
}

/// Opens the line; messages go to `sender` until its receiver is dropped.
pub fn open(
    target: Target,
    client_id: &protocol::ClientId,
    language: &Language,
    sender: Sender<Message>,
) -> Hand {
    let hand = Hand {
        client: Arc::default(),
        topics: Topics::new(&target.venue),
        language: language.clone(),
    };
    let line = Line {
        target,
        client_id: client_id.clone(),
        hand: hand.clone(),
        sender,
    };
    tokio::spawn(line.keep_open());
    hand
}

struct Line {
    target: Target,
    client_id: protocol::ClientId,
    hand: Hand,
    sender: Sender<Message>,
}

impl Line {
    async fn keep_open(self) {
        let mut wait = FIRST_WAIT;
        while !self.sender.is_closed() {
            let (client, mut events) = AsyncClient::new(self.options(), 64);
            let (error, welcomed) = self.listen(&client, &mut events, &mut wait).await;
            self.hand.set(None);
            let why = unreached::words(&self.hand.language, &error, &self.target, welcomed);
            if self
                .sender
                .send(Message::Link(Link::Down(why)))
                .await
                .is_err()
            {
                return;
            }
            tokio::time::sleep(wait).await;
            wait = (wait * 2).min(LONGEST_WAIT);
        }
    }

    fn options(&self) -> MqttOptions {
        let target = &self.target;
        // An order leaves at once: gathered into a fuller packet it would wait for the other side's acknowledgement.
        let mut network = NetworkOptions::new();
        network.set_tcp_nodelay(true);
        let mut options = MqttOptions::new(self.client_id.as_str(), &target.host, target.port);
        options
            .set_credentials(&target.name, &target.token)
            .set_keep_alive(Duration::from_secs(5))
            .set_clean_start(true)
            .set_connection_timeout(5)
            .set_network_options(network)
            .set_max_packet_size(Some(MOST_BYTES));
        options
    }

    /// Listens until the line breaks, and says whether the broker had taken us in; a client is never used again after
    /// that, so no old order is sent late.
    async fn listen(
        &self,
        client: &AsyncClient,
        events: &mut EventLoop,
        wait: &mut Duration,
    ) -> (ConnectionError, bool) {
        let mut welcomed = false;
        loop {
            match events.poll().await {
                Ok(Event::Incoming(Packet::ConnAck(_))) => {
                    *wait = FIRST_WAIT;
                    welcomed = true;
                    self.subscribe(client);
                    self.hand.set(Some(client.clone()));
                    self.tell(Message::Link(Link::Up)).await;
                }
                Ok(Event::Incoming(Packet::Publish(publish))) => {
                    if let Some(heard) = self.read(&publish) {
                        self.tell(Message::Heard(heard)).await;
                    }
                }
                Ok(Event::Incoming(Packet::PubAck(ack)))
                    if ack.reason == PubAckReason::NotAuthorized =>
                {
                    self.tell(Message::Heard(Heard::NotAllowed)).await;
                }
                Ok(_) => {}
                Err(error) => return (error, welcomed),
            }
            if self.sender.is_closed() {
                return (ConnectionError::RequestsDone, welcomed);
            }
        }
    }

    async fn tell(&self, message: Message) {
        // A closed receiver is noticed by the loop above.
        let _closed = self.sender.send(message).await;
    }

    fn subscribe(&self, client: &AsyncClient) {
        let answers = format!("desk/answer/{}", self.client_id);
        let filters = [
            "hub/presence",
            "agent/+/presence",
            "desk/round",
            "desk/round/+",
            "desk/alert/+",
            "desk/table/+",
            "desk/journal",
            &answers,
        ];
        for filter in filters {
            let filter = self.hand.topics.filter(filter);
            if client.try_subscribe(filter, QoS::AtLeastOnce).is_err() {
                tracing::warn!("the line is clogged before it is used");
            }
        }
    }

    fn read(&self, publish: &Publish) -> Option<Heard> {
        let name = std::str::from_utf8(&publish.topic).ok()?;
        let topic = self.hand.topics.parse(name)?;
        let heard = heard(&topic, &publish.payload, !publish.retain);
        Some(heard.unwrap_or_else(|why| Heard::Unreadable(name.to_owned(), why)))
    }
}

/// What a payload says; an empty one means that the thing is gone.
fn heard(topic: &Topic, payload: &[u8], live: bool) -> Result<Heard, String> {
    fn read<T: serde::de::DeserializeOwned>(payload: &[u8]) -> Result<Box<T>, String> {
        decode(payload).map(Box::new).map_err(|e| e.to_string())
    }
    Ok(match (topic, payload.is_empty()) {
        (Topic::DeskTable(table), true) => Heard::NoTable(*table),
        (Topic::DeskAlert(id), true) => Heard::NoAlert(id.clone()),
        (Topic::DeskTable(_), false) => Heard::Table(read(payload)?),
        (Topic::DeskAlert(_), false) => Heard::Alert(read(payload)?),
        (Topic::AgentPresence(_), _) => Heard::Agent(read(payload)?),
        (Topic::DeskRound, _) => Heard::Round(read(payload)?),
        (Topic::DeskPastRound(_), _) => Heard::PastRound(read(payload)?),
        (Topic::DeskJournal, _) => Heard::Journal(read(payload)?),
        (Topic::Answer(_), _) => Heard::Answer(read(payload)?),
        (Topic::HubPresence, _) => Heard::Presence {
            presence: *read(payload)?,
            live,
        },
        _ => return Err("nobody asked for it".to_owned()),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::example;

    #[test]
    fn what_cannot_be_read_is_said_and_empty_means_gone() {
        let table = protocol::TableId(3);
        let good = encode(&example::table(3));
        let rows: [(Topic, &[u8], &str); 5] = [
            (Topic::DeskTable(table), &good, "Table"),
            (Topic::DeskTable(table), b"", "NoTable"),
            (Topic::DeskAlert("a".to_owned()), b"", "NoAlert"),
            (Topic::DeskTable(table), b"{\"v\":2}", "P03"),
            (Topic::DeskRound, b"", "P01"),
        ];
        for (topic, payload, want) in rows {
            let said = match heard(&topic, payload, true) {
                Ok(heard) => format!("{heard:?}"),
                Err(why) => why,
            };
            assert!(said.starts_with(want), "{want}: {said}");
        }
    }

    #[test]
    fn a_target_never_prints_its_token() {
        let target = Target {
            host: "h".to_owned(),
            port: 1,
            name: "n".to_owned(),
            token: "s3cret".to_owned(),
            venue: "venue".parse().expect("a name"),
        };
        assert_eq!(format!("{target:?}"), "mqtt://n:…@h:1");
    }
}
