//! Carries facts to the hub and the hub's wishes to the boards, over whichever of the configured brokers answers.
//!
//! **Nothing is forgotten before the hub's own acknowledgement**: a broker's PUBACK frees nothing. On every new connection
//! and after five seconds without an acknowledgement the outbox is read again from its first unacknowledged envelope.

mod connection;
mod offset;
mod onlooker;
mod rivals;

use std::collections::{BTreeSet, VecDeque};
use std::time::Duration;

use protocol::{AgentId, AgentPresence, Boot, DeviceId, TimeAnswer, TimeQuestion, Topic, Topics};
use rumqttc::v5::mqttbytes::QoS;
use rumqttc::v5::mqttbytes::v5::Publish;
use tokio::sync::watch;

use crate::config::Hub;
use crate::exchange::{Exchange, FromHub};
use crate::outbox::{Outbox, Outgoing};
use crate::time::Clock;
use connection::{Connection, Said};
use offset::OffsetMeter;
use rivals::Rivals;

pub use onlooker::{Heard, Onlooker};

/// First and longest pause between two attempts.
const PAUSES: (Duration, Duration) = (Duration::from_millis(500), Duration::from_secs(15));

/// A connection that lived so long was a good one: the next pause is short again.
const GOOD_AFTER: u64 = 20_000;

/// Time is asked this often, and oftener at first, milliseconds.
const ASK_EVERY: u64 = 30_000;
const ASK_FIRST: u64 = 2_000;

/// Envelopes taken from the outbox at once.
const BATCH: usize = 48;

/// What to do when a broker does not let us in.
pub const REFUSED: &str = "is the token of this hub, and not revoked? `zeitnot-hub credentials add NAME --role agent` makes a new one";

/// Who speaks on the link.
#[derive(Debug, Clone)]
pub struct Speaker {
    /// The agent.
    pub agent: AgentId,
    /// Its start.
    pub boot: Boot,
    /// Its host, for technicians.
    pub host: String,
}

/// The link's task: one connection after the other until told to stop.
pub struct Link {
    speaker: Speaker,
    hubs: Vec<Hub>,
    clock: Clock,
    exchange: Exchange,
    outbox: Outbox,
    meter: OffsetMeter,
}

/// What one connection needs to remember.
struct Talk {
    topics: Topics,
    connection: Connection,
    connected: bool,
    followed: BTreeSet<DeviceId>,
    to_say: VecDeque<(String, bool, Vec<u8>)>,
    backlog: VecDeque<Outgoing>,
    questions: u64,
    next_question: u64,
}

impl Link {
    /// A link to the first of `hubs` that answers.
    pub fn new(
        speaker: Speaker,
        hubs: Vec<Hub>,
        clock: Clock,
        exchange: Exchange,
        outbox: Outbox,
    ) -> Link {
        Link {
            speaker,
            hubs,
            clock,
            exchange,
            outbox,
            meter: OffsetMeter::default(),
        }
    }

    /// Connects, talks, connects again; ends when `stop` turns true.
    pub async fn run(mut self, mut stop: watch::Receiver<bool>) {
        let mut pause = PAUSES.0;
        let mut rivals = Rivals::default();
        for attempt in 0_usize.. {
            if self.hubs.is_empty() || *stop.borrow() {
                return;
            }
            let hub = self.hubs[attempt % self.hubs.len()].clone();
            let began = self.clock.now();
            let why = self.talk(&hub, &mut stop).await;
            let was_in = self.exchange.connected();
            self.exchange.set_connected(false);
            let Some(why) = why else { return };
            tracing::warn!(hub = %hub.host, port = hub.port, %why, "A41 no line to the hub; facts are kept");
            let lasted = self.clock.now() - began;
            if rivals.suspected(was_in && lasted <= GOOD_AFTER) {
                tracing::warn!(name = %hub.name, "A44 the broker lets us in and throws us out again and again: does another agent use this name? Give every agent its own credentials");
            }
            if lasted > GOOD_AFTER {
                pause = PAUSES.0;
            }
            let stopped = tokio::time::timeout(jittered(pause), stop.changed()).await;
            if stopped.is_ok() {
                return;
            }
            pause = (pause * 2).min(PAUSES.1);
        }
    }

    /// One connection; returns why it ended, or nothing when the agent stops.
    async fn talk(&mut self, hub: &Hub, stop: &mut watch::Receiver<bool>) -> Option<String> {
        let topics = Topics::new(&hub.venue);
        let connection = Connection::open(hub, &topics, &self.presence(false));
        let mut talk = Talk {
            topics,
            connection,
            connected: false,
            followed: BTreeSet::new(),
            to_say: VecDeque::new(),
            backlog: VecDeque::new(),
            questions: 0,
            next_question: 0,
        };
        let mut beat = tokio::time::interval(Duration::from_millis(500));
        beat.set_missed_tick_behavior(tokio::time::MissedTickBehavior::Delay);
        loop {
            tokio::select! {
                said = talk.connection.said.recv() => match said {
                    Some(Said::Connected) => self.greet(&mut talk, hub),
                    Some(Said::Message(publish)) => self.hear(&mut talk, &publish),
                    Some(Said::Refused(why)) => tracing::warn!(%why, "A42 the broker refused something"),
                    Some(Said::Rejected(why)) => {
                        self.exchange.set_refusal(&why);
                        return Some(format!("{why} · help: {REFUSED}"));
                    }
                    Some(Said::Ended(why)) => return Some(why),
                    None => return Some("too much at once; connecting anew".to_owned()),
                },
                () = self.exchange.news(), if talk.connected => {},
                () = self.outbox.more(), if talk.connected && talk.backlog.is_empty() => {},
                _ = beat.tick() => {},
                _ = stop.changed() => {
                    self.farewell(talk).await;
                    return None;
                }
            }
            if talk.connected {
                self.serve(&mut talk).await;
            }
        }
    }

    fn greet(&mut self, talk: &mut Talk, hub: &Hub) {
        tracing::info!(hub = %hub.host, port = hub.port, "connected to the broker");
        talk.connected = true;
        self.exchange.set_connected(true);
        let answers = talk
            .topics
            .name(&Topic::TimeAnswer(self.speaker.agent.clone()));
        let _queue_is_empty = talk
            .connection
            .client
            .try_subscribe(answers, QoS::AtLeastOnce);
        self.say_presence(talk);
        for info in self.exchange.boards() {
            talk.publish(
                &Topic::DeviceInfo(info.device.clone()),
                true,
                protocol::encode(&info),
            );
        }
        let _told_already = self.exchange.changed();
        self.outbox.rewind();
    }

    /// Everything that is to be said now, as far as the client takes it.
    async fn serve(&mut self, talk: &mut Talk) {
        self.introduce(talk);
        self.ask_time(talk);
        if talk.flush() {
            self.send_facts(talk).await;
        }
    }

    fn introduce(&mut self, talk: &mut Talk) {
        let changed = self.exchange.changed();
        for info in &changed {
            talk.publish(
                &Topic::DeviceInfo(info.device.clone()),
                true,
                protocol::encode(info),
            );
        }
        let left_over = self
            .outbox
            .devices()
            .into_iter()
            .filter(|(_, backlog)| backlog.waiting > 0);
        let known: BTreeSet<DeviceId> = self
            .exchange
            .ids()
            .into_iter()
            .chain(left_over.map(|(id, _)| id))
            .collect();
        let fresh: Vec<DeviceId> = known.difference(&talk.followed).cloned().collect();
        for device in &fresh {
            talk.follow(device);
        }
        if !fresh.is_empty() {
            self.say_presence(talk);
        }
    }

    fn say_presence(&self, talk: &mut Talk) {
        let topic = Topic::AgentPresence(self.speaker.agent.clone());
        talk.publish(&topic, true, protocol::encode(&self.presence(true)));
    }

    fn ask_time(&self, talk: &mut Talk) {
        let now = self.clock.now();
        if now < talk.next_question {
            return;
        }
        talk.questions += 1;
        talk.next_question = now
            + if talk.questions < 4 {
                ASK_FIRST
            } else {
                ASK_EVERY
            };
        let question = TimeQuestion {
            asked: self.clock.timestamp(),
        };
        talk.publish(
            &Topic::TimeQuestion(self.speaker.agent.clone()),
            false,
            protocol::encode(&question),
        );
    }

    async fn send_facts(&mut self, talk: &mut Talk) {
        loop {
            if talk.backlog.is_empty() {
                talk.backlog = self.outbox.next(BATCH).await.into();
            }
            let Some(outgoing) = talk.backlog.front() else {
                return;
            };
            if !talk.followed.contains(&outgoing.device) {
                return;
            }
            let payload = self.dated(outgoing);
            let topic = talk.topics.name(&Topic::Facts(outgoing.device.clone()));
            if talk
                .connection
                .client
                .try_publish(topic, QoS::AtLeastOnce, false, payload)
                .is_err()
            {
                return;
            }
            talk.backlog.pop_front();
        }
    }

    /// The envelope with the offset, where it was written before the offset was known.
    fn dated(&self, outgoing: &Outgoing) -> Vec<u8> {
        let plain = || outgoing.payload.clone();
        let Some(offset) = self
            .exchange
            .offset()
            .filter(|_| outgoing.boot == self.speaker.boot)
        else {
            return plain();
        };
        match protocol::decode::<protocol::Envelope>(&outgoing.payload) {
            Ok(mut envelope) if envelope.offset.is_none() => {
                envelope.offset = Some(offset);
                protocol::encode(&envelope)
            }
            _ => plain(),
        }
    }

    fn hear(&mut self, talk: &mut Talk, publish: &Publish) {
        let topic = std::str::from_utf8(&publish.topic).unwrap_or_default();
        let payload = &publish.payload[..];
        let heard = match talk.topics.parse(topic) {
            Some(Topic::Ack(device)) => protocol::decode(payload).map(|ack: protocol::Ack| {
                if ack.agent == self.speaker.agent {
                    self.outbox.ack(&device, ack);
                }
            }),
            Some(Topic::Control(_)) if payload.is_empty() => Ok(()),
            Some(Topic::Control(device)) => protocol::decode(payload).map(|control| {
                self.exchange
                    .from_hub(&device, FromHub::Control(Box::new(control)))
            }),
            Some(Topic::Command(device)) => protocol::decode(payload)
                .map(|command| self.exchange.from_hub(&device, FromHub::Command(command))),
            Some(Topic::TimeAnswer(_)) => {
                protocol::decode(payload).map(|answer| self.set_offset(&answer))
            }
            _ => Ok(()),
        };
        if let Err(why) = heard {
            tracing::warn!(topic, %why, "A43 a message of the hub could not be read");
        }
    }

    fn set_offset(&mut self, answer: &TimeAnswer) {
        if let Some(offset) = self.meter.take(answer, self.clock.timestamp()) {
            self.exchange.set_offset(offset);
        }
    }

    fn presence(&self, online: bool) -> AgentPresence {
        AgentPresence {
            agent: self.speaker.agent.clone(),
            boot: self.speaker.boot.clone(),
            online,
            version: env!("CARGO_PKG_VERSION").to_owned(),
            host: self.speaker.host.clone(),
            devices: self.exchange.ids(),
        }
    }

    async fn farewell(&mut self, mut talk: Talk) {
        if talk.connected {
            self.serve(&mut talk).await;
            let topic = Topic::AgentPresence(self.speaker.agent.clone());
            talk.publish(&topic, true, protocol::encode(&self.presence(false)));
            talk.flush();
        }
        talk.connection.close().await;
    }
}

impl Talk {
    /// To be published as soon as the client takes it; a newer message for a retained topic replaces the one that waits.
    fn publish(&mut self, topic: &Topic, retain: bool, payload: Vec<u8>) {
        let name = self.topics.name(topic);
        if retain {
            self.to_say.retain(|(waiting, ..)| *waiting != name);
        }
        self.to_say.push_back((name, retain, payload));
    }

    /// Hands what waits to the client; true when nothing waits any more.
    fn flush(&mut self) -> bool {
        while let Some((name, retain, payload)) = self.to_say.front().cloned() {
            if self
                .connection
                .client
                .try_publish(name, QoS::AtLeastOnce, retain, payload)
                .is_err()
            {
                return false;
            }
            self.to_say.pop_front();
        }
        true
    }

    fn follow(&mut self, device: &DeviceId) {
        let wanted = [
            Topic::Ack(device.clone()),
            Topic::Control(device.clone()),
            Topic::Command(device.clone()),
        ];
        let filters = wanted.map(|topic| {
            rumqttc::v5::mqttbytes::v5::Filter::new(self.topics.name(&topic), QoS::AtLeastOnce)
        });
        if self.connection.client.try_subscribe_many(filters).is_ok() {
            self.followed.insert(device.clone());
        }
    }
}

fn jittered(pause: Duration) -> Duration {
    pause.mul_f64(rand::random_range(0.75..1.25))
}

/// Asks a hub for its time once, under a name of its own so that a running agent is not disturbed.
///
/// # Errors
/// Why the broker did not let us in.
pub async fn measure_offset(hub: &Hub) -> Result<i64, String> {
    let clock = Clock::start();
    let agent: AgentId = hub
        .name
        .parse()
        .map_err(|_| format!("{:?} is no name of an agent", hub.name))?;
    let topics = Topics::new(&hub.venue);
    let mut connection = Connection::visit(hub);
    while let Some(said) = connection.said.recv().await {
        match said {
            Said::Connected => {
                let question = TimeQuestion {
                    asked: clock.timestamp(),
                };
                let answers = topics.name(&Topic::TimeAnswer(agent.clone()));
                let asked = topics.name(&Topic::TimeQuestion(agent.clone()));
                let _queue_is_empty = connection.client.try_subscribe(answers, QoS::AtLeastOnce);
                let _queue_is_empty = connection.client.try_publish(
                    asked,
                    QoS::AtLeastOnce,
                    false,
                    protocol::encode(&question),
                );
            }
            Said::Message(publish) => {
                if let Ok(answer) = protocol::decode::<TimeAnswer>(&publish.payload) {
                    let (offset, _) = answer.offset(clock.timestamp());
                    connection.close().await;
                    return Ok(offset);
                }
            }
            Said::Refused(why) | Said::Rejected(why) | Said::Ended(why) => return Err(why),
        }
    }
    Err("the connection ended".to_owned())
}
