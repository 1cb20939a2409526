//! One port's state machine: bytes and wishes in, bytes and facts out; time is an argument.
//!
//! **Nothing that was read is lost**: what a device says before its id and its numbering are known waits for them. The loop is:
//! a [`Session`] drives a line until the device says who it is; the rim then gives it its [`Device`] (kept in memory
//! while the port was away, or read from disk), and from there on every event becomes numbered facts.

mod blind;
mod catch_up;
mod conclude;
mod device;
mod doubts;
mod gap;
mod health;
mod lasting;
mod memory;
mod orders;
mod position;
mod readings;
mod recorder;
mod sensing;
mod sides;
#[cfg(test)]
mod tests;
mod view;
mod way;

use protocol::{AgentId, Boot, Command, Control, DeviceId, DeviceInfo, Envelope, Millis};

use crate::devices::{self, DeviceEvent, Identity, Line, LostBecause, OrientationChoice};

pub use blind::Unseen;
pub use device::Device;
pub use gap::KeptGap;
pub use memory::{KeptPly, Memory};
pub use view::View;

/// Events that may wait until the device is known.
const HELD: usize = 10_000;

/// Who states the facts.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Agent {
    /// The agent.
    pub id: AgentId,
    /// Its start.
    pub boot: Boot,
}

/// Letters of an agent's name, and of a port's, that stand in the name of a board without a number: together they fit an id.
const OF_AGENT: usize = 22;
const OF_PORT: usize = 30;

impl Agent {
    /// What a board without a number of its own is called by: its port and the agent, because many computers call their first port alike.
    pub fn hint(&self, port: &str) -> String {
        hint(self.id.as_str(), port)
    }
}

/// The same from the agent's name alone.
pub fn hint(agent: &str, port: &str) -> String {
    let agent: String = agent.chars().take(OF_AGENT).collect();
    let letters = port.chars().count();
    let port: String = port.chars().skip(letters.saturating_sub(OF_PORT)).collect();
    format!("{agent}-{port}")
}

/// What happens to a session.
#[derive(Debug)]
pub enum Input<'a> {
    /// The port is open.
    Opened,
    /// Bytes arrived.
    Bytes(&'a [u8]),
    /// The port is gone: the cable was pulled.
    Lost,
    /// The rim brings the device that said who it is.
    Device(Box<Device>),
    /// The hub wants another state.
    Control(&'a Control),
    /// The hub gives a short command.
    Command(&'a Command),
    /// A program beside the board plays from this position on, full FEN.
    SetUp(&'a str),
    /// How the outbox of the device is: envelopes waiting, in memory for want of disk, lost.
    Outbox(u64, u64, u64),
    /// Time passed.
    Tick,
}

/// What a session wants done, in this order.
#[derive(Debug, PartialEq)]
pub enum Output {
    /// Write this to the port.
    Write(Vec<u8>),
    /// The device said who it is: bring its [`Device`].
    Identified(DeviceId),
    /// Keep this fact and tell the hub.
    Fact(Envelope),
    /// Keep this for the next start of the agent.
    Keep(DeviceId, Vec<u8>),
    /// The device is described anew.
    Info(DeviceInfo),
    /// Close the port and open it again.
    Reopen(&'static str),
    /// Nobody of the line's family answers: close the port, another family may be tried.
    Nobody,
}

/// A line and the device behind it.
pub struct Session {
    line: Box<dyn Line>,
    port: String,
    hint: String,
    identity: Option<Identity>,
    device: Option<Box<Device>>,
    held: Vec<(Millis, DeviceEvent)>,
    told: Option<DeviceInfo>,
    out: Vec<Output>,
}

impl Session {
    /// A session on a line; `port` is where it is plugged in, for technicians.
    pub fn new(line: Box<dyn Line>, port: &str) -> Session {
        Session::hinted(line, port, port.rsplit('/').next().unwrap_or(port))
    }

    /// A session on a line whose device, should it have no serial number of its own, is called by `hint`.
    pub fn hinted(line: Box<dyn Line>, port: &str, hint: &str) -> Session {
        Session {
            line,
            port: port.to_owned(),
            hint: hint.to_owned(),
            identity: None,
            device: None,
            held: Vec::new(),
            told: None,
            out: Vec::new(),
        }
    }

    /// Takes one input and returns everything that follows from it.
    pub fn handle(&mut self, now: Millis, input: Input<'_>) -> Vec<Output> {
        match input {
            Input::Opened => self.line.opened(now),
            Input::Bytes(bytes) => self.line.receive(now, bytes),
            Input::Lost => self.lose(now, "unplugged"),
            Input::Device(device) => self.meet(now, device),
            Input::Tick => self.tick(now),
            Input::Control(control) => self.control(now, control),
            Input::Command(command) => self.command(now, command),
            Input::SetUp(fen) => self.with_device(|device| device.set_up(now, fen)),
            Input::Outbox(waiting, in_memory, lost) => {
                self.with_device(|device| device.condition.outbox(waiting, in_memory, lost));
            }
        }
        self.follow(now);
        std::mem::take(&mut self.out)
    }

    /// When [`Input::Tick`] is wanted at the latest.
    pub fn wake(&self) -> Option<Millis> {
        let device = self.device.as_ref().and_then(|device| device.wake());
        [self.line.wake(), device].into_iter().flatten().min()
    }

    /// The device leaves the session, to be met again on another port.
    pub fn into_device(self) -> Option<Box<Device>> {
        self.device
    }

    /// The device, once it is known.
    pub fn device(&self) -> Option<&Device> {
        self.device.as_deref()
    }

    /// The hub's clock was measured.
    pub fn set_offset(&mut self, offset: Option<i64>) {
        self.with_device(|device| device.set_offset(offset));
    }

    fn control(&mut self, now: Millis, control: &Control) {
        let Some(device) = &mut self.device else {
            return;
        };
        let before = device.line();
        device.control(now, control);
        if device.line() != before
            && let Some(way) = device.way_here()
        {
            self.line.remember(&way);
        }
    }

    fn tick(&mut self, now: Millis) {
        self.line.tick(now);
        let wants_log = self
            .device
            .as_mut()
            .is_some_and(|device| device.wants_log(now));
        if wants_log {
            self.line.command(now, devices::Command::Log);
        }
    }

    fn command(&mut self, now: Millis, command: &Command) {
        let asked = self
            .device
            .as_mut()
            .and_then(|device| device.command(now, command));
        if let Some(asked) = asked {
            let lies_anew = matches!(asked, devices::Command::Orientation(_));
            self.line.command(now, asked);
            if lies_anew {
                self.line.command(now, devices::Command::Dump);
            }
        }
    }

    /// The device is here: what it said before is heard now.
    fn meet(&mut self, now: Millis, mut device: Box<Device>) {
        let identity = self.identity.clone().unwrap_or_default();
        self.instruct_line(now, &device);
        device.keeps_log = self.line.keeps_log();
        device.sees_board = self.line.sees_board();
        device.found(now, &identity, &self.port);
        for (at, event) in std::mem::take(&mut self.held) {
            device.hear(at, event);
        }
        self.device = Some(device);
    }

    /// The line learns what is kept about the way the board and the clock stand.
    fn instruct_line(&mut self, now: Millis, device: &Device) {
        let memory = device.memory();
        if let Some(kept) = &memory.kept {
            self.line.remember(kept);
        }
        if let Some(orientation) = memory.orientation {
            let choice = if memory.orientation_fixed {
                OrientationChoice::Given(orientation)
            } else {
                OrientationChoice::Kept(orientation)
            };
            self.line
                .command(now, devices::Command::Orientation(choice));
        }
        if memory.white_at.is_some() {
            self.line
                .command(now, devices::Command::WhiteAt(memory.white_at));
        }
        if let Some(side) = memory.white_pressed_at {
            self.line
                .command(now, devices::Command::WhitePressedAt(side));
        }
    }

    /// Everything the line and the device have to say.
    fn follow(&mut self, now: Millis) {
        while let Some(event) = self.line.next_event() {
            self.hear(now, event);
        }
        self.with_device(|device| device.tick(now));
        while let Some(bytes) = self.line.next_write() {
            self.out.push(Output::Write(bytes));
        }
        self.collect();
    }

    fn hear(&mut self, now: Millis, event: DeviceEvent) {
        match &event {
            DeviceEvent::Lost(LostBecause::Silent) => self.give_up(now, "silent"),
            DeviceEvent::Lost(LostBecause::AnotherDevice) => self.give_up(now, "other-board"),
            DeviceEvent::NotThisFamily => self.out.push(Output::Nobody),
            DeviceEvent::Identified(identity) if self.device.is_none() => {
                self.identify(identity.clone())
            }
            _ => match &mut self.device {
                Some(device) => device.hear(now, event),
                None if self.held.len() < HELD => self.held.push((now, event)),
                None => {}
            },
        }
    }

    fn identify(&mut self, identity: Identity) {
        let first = self.identity.is_none();
        let serial = identity.serial.clone();
        let serial = serial.unwrap_or_else(|| self.hint.clone());
        let id = DeviceId::of(identity.family, &serial);
        self.identity = Some(identity);
        if first {
            self.out.push(Output::Identified(id));
        }
    }

    fn lose(&mut self, now: Millis, state: &'static str) {
        self.with_device(|device| device.lost(now, state));
    }

    fn give_up(&mut self, now: Millis, state: &'static str) {
        self.lose(now, state);
        self.out.push(Output::Reopen(state));
    }

    fn with_device(&mut self, action: impl FnOnce(&mut Device)) {
        if let Some(device) = &mut self.device {
            action(device);
        }
    }

    fn collect(&mut self) {
        let Some(device) = &mut self.device else {
            return;
        };
        let info = device.info();
        let facts = device.take_facts();
        let kept = device.take_memory().map(|kept| (device.id().clone(), kept));
        let news = self.told.as_ref().is_none_or(|told| differs(told, &info));
        if news {
            self.told = Some(info.clone());
            self.out.push(Output::Info(info));
        }
        self.out.extend(facts.into_iter().map(Output::Fact));
        self.out
            .extend(kept.map(|(id, kept)| Output::Keep(id, kept)));
    }
}

/// Counters of waiting and damaged messages alone are no reason to describe a device anew.
fn differs(told: &DeviceInfo, info: &DeviceInfo) -> bool {
    let mut told = told.clone();
    told.health.queued = info.health.queued;
    told.health.damaged = info.health.damaged;
    told != *info
}

impl Device {
    /// The device as it is described to the hub.
    pub fn info(&self) -> DeviceInfo {
        let identity = &self.condition.identity;
        DeviceInfo {
            device: self.id().clone(),
            agent: self.agent.id.clone(),
            boot: self.agent.boot.clone(),
            family: self.id().family().to_owned(),
            serial: identity.serial.clone().unwrap_or_default(),
            long_serial: identity.long_serial.clone(),
            firmware: identity
                .firmware
                .map(|(major, minor)| format!("{major}.{minor}")),
            clock: self.condition.clock_kind.clone(),
            port: self.condition.port.clone(),
            lamps: devices::driver(self.id().family()).is_some_and(devices::Driver::has_lamps),
            health: self.condition.health.clone(),
        }
    }
}
