//! A client for the tests: connects, says, hears, and can be cut off like a pulled cable.

use std::time::Duration;

use rumqttc::v5::mqttbytes::QoS;
use rumqttc::v5::mqttbytes::v5::{LastWill, Packet, PubAckReason, Publish, SubscribeReasonCode};
use rumqttc::v5::{AsyncClient, ConnectionError, Event, MqttOptions};
use tokio::sync::mpsc;
use tokio::task::JoinHandle;
use tokio::time::timeout;

use super::ground::Ground;

/// How to connect.
#[derive(Clone)]
pub(crate) struct Way {
    pub(crate) name: &'static str,
    pub(crate) id: String,
    pub(crate) token: Option<String>,
    pub(crate) persistent: bool,
    pub(crate) manual_acks: bool,
    pub(crate) will: Option<(String, &'static str)>,
}

impl Way {
    pub(crate) fn of(name: &'static str) -> Way {
        Way {
            name,
            id: name.to_owned(),
            token: None,
            persistent: false,
            manual_acks: false,
            will: None,
        }
    }

    pub(crate) fn persistent(name: &'static str) -> Way {
        Way {
            persistent: true,
            ..Way::of(name)
        }
    }
}

pub(crate) struct Client {
    pub(crate) client: AsyncClient,
    packets: mpsc::UnboundedReceiver<Result<Packet, ConnectionError>>,
    task: JoinHandle<()>,
    root: String,
}

const PATIENCE: Duration = Duration::from_secs(20);

impl Client {
    /// Connects and waits for the answer.
    pub(crate) async fn try_connect(ground: &Ground, way: Way) -> Result<Client, ConnectionError> {
        let mut options = MqttOptions::new(way.id, "127.0.0.1", ground.address.port());
        let token = way.token.unwrap_or_else(|| ground.tokens[way.name].clone());
        options.set_credentials(way.name, token);
        options.set_clean_start(!way.persistent);
        options.set_session_expiry_interval(way.persistent.then_some(3600));
        options.set_manual_acks(way.manual_acks);
        options.set_max_packet_size(Some(1 << 20));
        options.set_keep_alive(Duration::from_secs(20));
        if let Some((tail, payload)) = way.will {
            let topic = ground.topics.filter(&tail);
            options.set_last_will(LastWill::new(topic, payload, QoS::AtLeastOnce, true, None));
        }
        let (client, mut events) = AsyncClient::new(options, 5000);
        let (say, packets) = mpsc::unbounded_channel();
        let task = tokio::spawn(async move {
            loop {
                let said = match events.poll().await {
                    Ok(Event::Incoming(packet)) => say.send(Ok(packet)),
                    Ok(Event::Outgoing(_)) => Ok(()),
                    Err(error) => {
                        let _nobody_listens = say.send(Err(error));
                        return;
                    }
                };
                if said.is_err() {
                    return;
                }
            }
        });
        let mut client = Client {
            client,
            packets,
            task,
            root: ground.topics.root().to_owned(),
        };
        match client.packet().await {
            Ok(Packet::ConnAck(_)) => Ok(client),
            Ok(other) => panic!("{other:?} before CONNACK"),
            Err(error) => Err(error),
        }
    }

    pub(crate) async fn connect(ground: &Ground, way: Way) -> Client {
        let name = way.name;
        let client = Client::try_connect(ground, way).await;
        client.unwrap_or_else(|e| panic!("{name} connects to {}: {e}", ground.name))
    }

    pub(crate) async fn packet(&mut self) -> Result<Packet, ConnectionError> {
        let packet = timeout(PATIENCE, self.packets.recv()).await;
        packet
            .expect("something within 20 s")
            .expect("a packet before the end")
    }

    /// Subscribes and returns whether it was granted.
    pub(crate) async fn subscribe(&mut self, tail: &str) -> bool {
        self.subscribe_to(&format!("{}/{tail}", self.root)).await
    }

    pub(crate) async fn subscribe_to(&mut self, filter: &str) -> bool {
        self.client
            .subscribe(filter, QoS::AtLeastOnce)
            .await
            .expect("room");
        loop {
            if let Packet::SubAck(ack) = self.packet().await.expect("connected") {
                return matches!(ack.return_codes[..], [SubscribeReasonCode::Success(_)]);
            }
        }
    }

    pub(crate) async fn say(&self, tail: &str, retain: bool, payload: impl Into<Vec<u8>>) {
        let topic = format!("{}/{tail}", self.root);
        let said = self
            .client
            .publish(topic, QoS::AtLeastOnce, retain, payload.into());
        said.await.expect("room");
    }

    /// Waits for so many PUBACKs and returns the last one's reason.
    pub(crate) async fn acks(&mut self, count: usize) -> PubAckReason {
        let mut reason = PubAckReason::Success;
        let mut seen = 0;
        while seen < count {
            if let Packet::PubAck(ack) = self.packet().await.expect("connected") {
                seen += 1;
                reason = ack.reason;
            }
        }
        reason
    }

    /// The next so many messages, however long they take (20 s).
    pub(crate) async fn hear(&mut self, count: usize) -> Vec<Publish> {
        let mut heard = Vec::new();
        while heard.len() < count {
            if let Packet::Publish(publish) = self.packet().await.expect("connected") {
                heard.push(publish);
            }
        }
        heard
    }

    /// What comes until a message on the given topic, which somebody will send afterwards.
    pub(crate) async fn hear_until(&mut self, tail: &str) -> Vec<Publish> {
        let mut heard = Vec::new();
        loop {
            let publish = self.hear(1).await.remove(0);
            if publish.topic == format!("{}/{tail}", self.root) {
                return heard;
            }
            heard.push(publish);
        }
    }

    /// Cuts the connection without a word.
    pub(crate) async fn cut(self) {
        self.task.abort();
        let _aborted = self.task.await;
    }

    /// Leaves properly.
    pub(crate) async fn leave(mut self) {
        self.client.disconnect().await.expect("room");
        while let Ok(Some(Ok(_))) = timeout(PATIENCE, self.packets.recv()).await {}
        self.cut().await;
    }
}

pub(crate) fn text(publish: &Publish) -> String {
    String::from_utf8_lossy(&publish.payload).into_owned()
}
