//! Boards without wood: the facts of an agent, said word by word over MQTT, for stories that need an exact situation.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use protocol::{
    AgentId, AgentPresence, Boot, BySide, ClockReading, Control, Credentials, DeviceId, DeviceInfo,
    Envelope, Fact, Flag, Health, Played, Ply, Side, Topic, Topics, decode, encode,
};
use rumqttc::v5::mqttbytes::QoS;
use rumqttc::v5::mqttbytes::v5::Packet;
use rumqttc::v5::{AsyncClient, Event, MqttOptions};
use tokio::task::JoinHandle;

use crate::observer::now;

/// An agent that says what it is told to say, and takes over every position that the hub wants.
pub struct Boards {
    voice: Voice,
    task: JoinHandle<()>,
}

#[derive(Clone)]
struct Voice {
    client: AsyncClient,
    topics: Topics,
    agent: AgentId,
    boot: Boot,
    numbers: Arc<Mutex<HashMap<DeviceId, u64>>>,
}

impl Boards {
    /// Connects with an agent's credentials and announces these boards.
    ///
    /// # Errors
    /// When the name is no agent's, or the line is clogged.
    pub fn connect(login: &Credentials, boards: &[DeviceId]) -> anyhow::Result<Boards> {
        let mut options = MqttOptions::new(&login.name, login.host.clone(), login.port);
        options.set_credentials(&login.name, &login.token);
        options.set_keep_alive(Duration::from_secs(5));
        let (client, mut events) = AsyncClient::new(options, 1000);
        let voice = Voice {
            client,
            topics: Topics::new(&login.venue),
            agent: login.name.parse()?,
            boot: "by-hand".parse()?,
            numbers: Arc::default(),
        };
        voice.announce(boards)?;
        let listening = voice.clone();
        let announced = boards.to_vec();
        let task = tokio::spawn(async move {
            let mut again = false;
            loop {
                match events.poll().await {
                    // A hub that was killed has forgotten who listens.
                    Ok(Event::Incoming(Packet::ConnAck(_))) => {
                        if std::mem::replace(&mut again, true) {
                            let _clogged = listening.announce(&announced);
                        }
                    }
                    Ok(Event::Incoming(Packet::Publish(publish))) => {
                        listening.take_over(&publish.topic, &publish.payload);
                    }
                    Ok(_) => {}
                    Err(_) => tokio::time::sleep(Duration::from_millis(200)).await,
                }
            }
        });
        Ok(Boards { voice, task })
    }

    /// States a fact about a board.
    ///
    /// # Errors
    /// When the line is clogged.
    pub fn say(&self, board: &DeviceId, fact: Fact) -> anyhow::Result<()> {
        self.voice.say(board, fact)
    }

    /// A move made and completed, by the player on move; both clocks show `time` afterwards and the opponent's runs.
    ///
    /// # Errors
    /// When the line is clogged.
    pub fn play(
        &self,
        board: &DeviceId,
        ply: Ply,
        played: Played,
        time: BySide<u64>,
    ) -> anyhow::Result<()> {
        let by = if ply % 2 == 1 {
            Side::White
        } else {
            Side::Black
        };
        self.say(
            board,
            Fact::Made {
                ply,
                played,
                by,
                certainty: 1.0,
                squares: Vec::new(),
                after_ms: 300,
            },
        )?;
        let clock = Some(reading(time, Some(by.other())));
        let pressed = true;
        self.say(
            board,
            Fact::Completed {
                ply,
                pressed,
                clock,
            },
        )
    }
}

impl Drop for Boards {
    fn drop(&mut self) {
        self.task.abort();
    }
}

/// What a chessclock shows.
pub fn reading(time: BySide<u64>, running: Option<Side>) -> ClockReading {
    ClockReading {
        time,
        running,
        turn: running,
        flag: time.map(|ms| if ms == 0 { Flag::Shown } else { Flag::Up }),
        bonus_sign: BySide::default(),
        battery_low: false,
    }
}

impl Voice {
    fn announce(&self, boards: &[DeviceId]) -> anyhow::Result<()> {
        let presence = AgentPresence {
            agent: self.agent.clone(),
            boot: self.boot.clone(),
            online: true,
            version: String::new(),
            host: String::new(),
            devices: boards.to_vec(),
        };
        self.publish(
            Topic::AgentPresence(self.agent.clone()),
            true,
            encode(&presence),
        )?;
        for board in boards {
            let info = self.info(board);
            self.publish(Topic::DeviceInfo(board.clone()), true, encode(&info))?;
            let control = self.topics.name(&Topic::Control(board.clone()));
            self.client.try_subscribe(control, QoS::AtLeastOnce)?;
            self.say(board, Fact::Health(info.health))?;
        }
        Ok(())
    }

    fn info(&self, board: &DeviceId) -> DeviceInfo {
        let serial = board.as_str().rsplit('-').next().unwrap_or_default();
        DeviceInfo {
            device: board.clone(),
            agent: self.agent.clone(),
            boot: self.boot.clone(),
            family: "dgt".to_owned(),
            serial: serial.to_owned(),
            long_serial: None,
            firmware: None,
            clock: Some("dgt3000".to_owned()),
            port: "by hand".to_owned(),
            lamps: false,
            health: Health {
                board: true,
                clock: true,
                state: "ok".to_owned(),
                ..Health::default()
            },
        }
    }

    fn say(&self, board: &DeviceId, fact: Fact) -> anyhow::Result<()> {
        let seq = {
            let mut numbers = self.numbers();
            let number = numbers.entry(board.clone()).or_default();
            *number += 1;
            *number
        };
        let envelope = Envelope {
            agent: self.agent.clone(),
            boot: self.boot.clone(),
            seq,
            at: now(),
            offset: Some(0),
            fact,
        };
        self.publish(Topic::Facts(board.clone()), false, encode(&envelope))
    }

    fn numbers(&self) -> MutexGuard<'_, HashMap<DeviceId, u64>> {
        self.numbers.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn publish(&self, topic: Topic, retain: bool, payload: Vec<u8>) -> anyhow::Result<()> {
        let name = self.topics.name(&topic);
        Ok(self
            .client
            .try_publish(name, QoS::AtLeastOnce, retain, payload)?)
    }

    /// The board stands as the hub wants it, at once.
    fn take_over(&self, topic: &[u8], payload: &[u8]) {
        let name = String::from_utf8_lossy(topic);
        let Some(Topic::Control(board)) = self.topics.parse(&name) else {
            return;
        };
        let control = decode::<Control>(payload).ok();
        if let Some(control) = control.filter(|c| c.adopt.is_some()) {
            let generation = control.generation;
            // A clogged line shows in the story that waits for what follows.
            let _clogged = self.say(&board, Fact::Adopted { generation });
        }
    }
}
