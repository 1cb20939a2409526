//! The hub of a simulated hall: its venue, its journal in memory, and everything it published, as a client would have it.

use std::collections::{BTreeSet, HashMap};

use hub::venue::{Event, EventBody, Input, Output, Venue, VenueConfig};
use protocol::{
    Answer, ClientId, Command, Control, DeviceId, DeviceInfo, Timestamp, Topic, decode,
};

/// What the hub says to a board.
#[derive(Debug, Clone, PartialEq)]
pub enum Said {
    /// The desired state.
    Control(DeviceId, Control),
    /// A short command.
    Command(DeviceId, Command),
}

/// A hub that can be killed and started again.
pub struct HubPart {
    venue: Option<Venue>,
    starts: u32,
    journal: Vec<Event>,
    /// Everything retained, as its payload.
    retained: HashMap<Topic, Vec<u8>>,
    wakes: BTreeSet<Timestamp>,
    answers: HashMap<ClientId, Answer>,
    said: Vec<Said>,
}

impl HubPart {
    /// A hub that has just started for the first time.
    pub fn start(now: Timestamp) -> HubPart {
        let mut hub = HubPart {
            venue: None,
            starts: 0,
            journal: Vec::new(),
            retained: HashMap::new(),
            wakes: BTreeSet::new(),
            answers: HashMap::new(),
            said: Vec::new(),
        };
        hub.start_again(now);
        hub
    }

    /// `kill -9`: what is in the journal is all that is left.
    pub fn kill(&mut self) {
        self.venue = None;
        self.wakes.clear();
    }

    /// Starts on the journal.
    pub fn start_again(&mut self, now: Timestamp) {
        self.starts += 1;
        let boot = format!("hub{}", self.starts);
        let mut venue = Venue::new(VenueConfig::new(boot.parse().expect("a name")));
        for event in &self.journal {
            venue.replay(event);
        }
        let outputs = venue.resume(now);
        self.venue = Some(venue);
        self.carry_out(outputs);
    }

    /// Whether it runs.
    pub fn is_running(&self) -> bool {
        self.venue.is_some()
    }

    /// Inputs that came together.
    pub fn handle(&mut self, now: Timestamp, inputs: Vec<Input>) {
        if let Some(venue) = &mut self.venue {
            let outputs = venue.handle_all(now, inputs);
            self.carry_out(outputs);
        }
    }

    /// What was last said of a board.
    pub fn info(&self, device: &DeviceId) -> Option<DeviceInfo> {
        let devices = &self.venue.as_ref()?.state().devices;
        devices.get(device)?.info.clone()
    }

    /// Ticks when the venue asked for it.
    pub fn run(&mut self, now: Timestamp) {
        let due = self.wakes.first().is_some_and(|at| *at <= now);
        if due {
            self.wakes = self.wakes.split_off(&now.after(1));
            self.handle(now, vec![Input::Tick]);
        }
    }

    /// When the next tick is wanted.
    pub fn wake(&self) -> Option<Timestamp> {
        self.wakes.first().copied()
    }

    /// Something happened before the story begins: it is written into the journal as it is.
    pub fn assume(&mut self, now: Timestamp, body: EventBody) {
        let number = self.journal.last().map_or(0, |e| e.number) + 1;
        let event = Event {
            number,
            at: now,
            body,
        };
        if let Some(venue) = &mut self.venue {
            venue.replay(&event);
        }
        self.journal.push(event);
    }

    /// What was said to boards since the last call.
    pub fn take_said(&mut self) -> Vec<Said> {
        std::mem::take(&mut self.said)
    }

    /// The retained message of a topic.
    pub fn retained<T: serde::de::DeserializeOwned>(&self, topic: &Topic) -> Option<T> {
        decode(self.retained.get(topic)?).ok()
    }

    /// Every retained topic with its payload.
    pub fn all_retained(&self) -> impl Iterator<Item = (&Topic, &Vec<u8>)> {
        self.retained.iter()
    }

    /// The last answer to a client.
    pub fn answer(&self, client: &ClientId) -> Option<&Answer> {
        self.answers.get(client)
    }

    /// Everything that was written down.
    pub fn journal(&self) -> &[Event] {
        &self.journal
    }

    fn carry_out(&mut self, outputs: Vec<Output>) {
        for output in outputs {
            match output {
                Output::Append(event) => self.journal.push(event),
                Output::Publish {
                    topic,
                    retain,
                    payload,
                } => self.publish(topic, retain, payload),
                Output::Wake(at) => {
                    self.wakes.insert(at);
                }
                // Boards for the wall page and the feeds.
                _ => {}
            }
        }
    }

    fn publish(&mut self, topic: Topic, retain: bool, payload: Vec<u8>) {
        match &topic {
            Topic::Control(device) => {
                let control = decode(&payload).ok();
                self.said
                    .extend(control.map(|c| Said::Control(device.clone(), c)));
            }
            Topic::Command(device) => {
                let command = decode(&payload).ok();
                self.said
                    .extend(command.map(|c| Said::Command(device.clone(), c)));
            }
            Topic::Answer(client) => {
                let answer = decode(&payload).ok();
                self.answers.extend(answer.map(|a| (client.clone(), a)));
            }
            _ => {}
        }
        if retain && payload.is_empty() {
            self.retained.remove(&topic);
        } else if retain {
            self.retained.insert(topic, payload);
        }
    }
}
