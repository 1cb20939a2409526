//! One board with its cable and the agent's session that reads it: bytes both ways, facts out; time is an argument.

use agent::devices::{LineOptions, driver};
use agent::session::{Agent, Device, Input, Memory, Output, Session};
use agent::simulate::FarEnd;
use agent::simulate::dgt::{ClockAction, VirtualDgt, VirtualOptions};
use protocol::{AgentId, Boot, Command, Control, DeviceId, DeviceInfo, Envelope, Fact, Millis};
use shakmaty::{Piece, Square};

/// So long a line that was given up stays closed, milliseconds.
const REOPENED_AFTER: Millis = 1_000;

/// What an agent has to say about a board.
#[derive(Debug, Clone, PartialEq)]
pub enum Told {
    /// A numbered fact.
    Fact(Envelope),
    /// What the board is and how it is.
    Info(DeviceInfo),
}

/// A board, and whoever reads it.
pub struct Seat {
    id: DeviceId,
    agent: Agent,
    board: VirtualDgt,
    /// When the board was switched on first; its own time counts from there.
    switched_on: Millis,
    connected: bool,
    running: bool,
    session: Option<Session>,
    /// The device between two sessions of one start of the agent.
    sleeping: Option<Box<Device>>,
    /// What the agent keeps on disk.
    kept: Option<Vec<u8>>,
    reopen_at: Option<Millis>,
    control: Option<Control>,
    /// Facts that were put in between; later ones are numbered on.
    between: u64,
    last_seq: u64,
    lose: u32,
    told: Vec<Told>,
}

impl Seat {
    /// A board that is plugged in at a running agent; `serial` has five digits.
    pub fn new(
        now: Millis,
        serial: &str,
        options: VirtualOptions,
        agent: AgentId,
        boot: Boot,
    ) -> Seat {
        Seat {
            id: DeviceId::of("dgt", serial),
            agent: Agent { id: agent, boot },
            board: VirtualDgt::new(serial, options),
            switched_on: now,
            connected: true,
            running: true,
            session: None,
            sleeping: None,
            kept: None,
            reopen_at: Some(now),
            control: None,
            between: 0,
            last_seq: 0,
            lose: 0,
            told: Vec::new(),
        }
    }

    /// The id of the board.
    pub fn id(&self) -> &DeviceId {
        &self.id
    }

    /// The virtual board, to look at.
    pub fn board(&self) -> &VirtualDgt {
        &self.board
    }

    /// Whether the agent has met its board.
    pub fn is_known(&self) -> bool {
        self.session.as_ref().is_some_and(|s| s.device().is_some())
    }

    /// A hand puts a piece on a square or takes it off.
    pub fn touch(&mut self, now: Millis, square: Square, piece: Option<Piece>) {
        self.board.set_square(self.own(now), square, piece);
    }

    /// A hand does something to the chessclock.
    pub fn clock(&mut self, now: Millis, action: ClockAction) {
        self.board.clock(self.own(now), action);
    }

    /// The board is switched off or on.
    pub fn power(&mut self, now: Millis, on: bool) {
        self.board.power(self.own(now), on);
    }

    /// The cable is pulled or put back.
    pub fn cable(&mut self, now: Millis, connected: bool) {
        self.connected = connected;
        if connected {
            self.reopen_at = self.running.then_some(now);
        } else {
            self.reopen_at = None;
            let outputs = self
                .session
                .as_mut()
                .map(|session| session.handle(now, Input::Lost));
            self.perform(now, outputs.unwrap_or_default());
            self.close();
        }
    }

    /// `kill -9` of the agent: what it had not written down is gone.
    pub fn kill_agent(&mut self) {
        self.running = false;
        self.session = None;
        self.sleeping = None;
        self.reopen_at = None;
    }

    /// The agent starts again on what it kept.
    pub fn start_agent(&mut self, now: Millis, boot: Boot) {
        self.agent.boot = boot;
        (self.between, self.last_seq) = (0, 0);
        self.running = true;
        self.reopen_at = self.connected.then_some(now);
    }

    /// The hub wants this state.
    pub fn control(&mut self, now: Millis, control: &Control) {
        self.control = Some(control.clone());
        let control = self.renumbered(control);
        self.with_session(now, Input::Control(&control));
    }

    /// The hub gives a short command.
    pub fn command(&mut self, now: Millis, command: &Command) {
        self.with_session(now, Input::Command(command));
    }

    /// The agent states something that this board cannot bring about.
    pub fn state(&mut self, at: Millis, fact: Fact) {
        self.between += 1;
        self.last_seq += 1;
        let envelope = Envelope {
            agent: self.agent.id.clone(),
            boot: self.agent.boot.clone(),
            seq: self.last_seq,
            at: agent::time::timestamp(at),
            offset: Some(0),
            fact,
        };
        self.say(Told::Fact(envelope));
    }

    /// The next facts never arrive.
    pub fn lose(&mut self, facts: u32) {
        self.lose = facts;
    }

    /// When something may happen, if nobody touches anything.
    pub fn wake(&self) -> Option<Millis> {
        let session = self.session.as_ref().and_then(Session::wake);
        let board = self.session.as_ref().and_then(|_| self.board.wake());
        let board = board.map(|at| at + self.switched_on);
        [session, board, self.reopen_at].into_iter().flatten().min()
    }

    /// Carries bytes and time until nothing more is due, and gives what the agent has to say.
    pub fn run(&mut self, now: Millis) -> Vec<Told> {
        if self.reopen_at.is_some_and(|at| at <= now) {
            self.open(now);
        }
        let mut ticked = false;
        while let Some(session) = &mut self.session {
            let bytes = self.board.take_output(now - self.switched_on);
            let outputs = if !bytes.is_empty() {
                session.handle(now, Input::Bytes(&bytes))
            } else if !ticked && session.wake().is_some_and(|at| at <= now) {
                ticked = true;
                session.handle(now, Input::Tick)
            } else {
                break;
            };
            self.perform(now, outputs);
        }
        std::mem::take(&mut self.told)
    }

    fn own(&self, now: Millis) -> Millis {
        now - self.switched_on
    }

    fn open(&mut self, now: Millis) {
        self.reopen_at = None;
        let family = driver("dgt").expect("the family of the virtual boards");
        // What the board said while nobody listened is gone.
        let _unheard = self.board.take_output(now - self.switched_on);
        let mut session = Session::new(family.open(LineOptions::default()), "/dev/simulated");
        let outputs = session.handle(now, Input::Opened);
        self.session = Some(session);
        self.perform(now, outputs);
    }

    fn close(&mut self) {
        if let Some(device) = self.session.take().and_then(Session::into_device) {
            self.sleeping = Some(device);
        }
    }

    fn with_session(&mut self, now: Millis, input: Input<'_>) {
        let outputs = self
            .session
            .as_mut()
            .map(|session| session.handle(now, input));
        self.perform(now, outputs.unwrap_or_default());
    }

    fn perform(&mut self, now: Millis, outputs: Vec<Output>) {
        let mut queue = std::collections::VecDeque::from(outputs);
        while let Some(output) = queue.pop_front() {
            match output {
                Output::Write(bytes) => self.board.host_bytes(self.own(now), &bytes),
                Output::Identified(id) => queue.extend(self.welcome(now, &id)),
                Output::Fact(envelope) => self.fact(envelope),
                Output::Keep(_, memory) => self.kept = Some(memory),
                Output::Info(info) => self.say(Told::Info(info)),
                Output::Reopen(_) | Output::Nobody => {
                    self.close();
                    self.reopen_at = Some(now + REOPENED_AFTER);
                }
            }
        }
    }

    /// The board said who it is: it gets back what is known of it, and the hub's wishes.
    fn welcome(&mut self, now: Millis, id: &DeviceId) -> Vec<Output> {
        let device = self.sleeping.take().unwrap_or_else(|| {
            let memory = Memory::read(id, self.kept.as_deref());
            Box::new(Device::new(self.agent.clone(), memory, 1, false))
        });
        let control = self.control.as_ref().map(|c| self.renumbered(c));
        let Some(session) = &mut self.session else {
            return Vec::new();
        };
        let mut outputs = session.handle(now, Input::Device(device));
        session.set_offset(Some(0));
        if let Some(control) = &control {
            outputs.extend(session.handle(now, Input::Control(control)));
        }
        outputs
    }

    fn fact(&mut self, mut envelope: Envelope) {
        envelope.seq += self.between;
        self.last_seq = envelope.seq;
        self.say(Told::Fact(envelope));
    }

    fn say(&mut self, told: Told) {
        if self.lose > 0 && matches!(told, Told::Fact(_)) {
            self.lose -= 1;
        } else {
            self.told.push(told);
        }
    }

    /// The session knows nothing of facts that were put in between.
    fn renumbered(&self, control: &Control) -> Control {
        let mut control = control.clone();
        let after = control.adopt.as_mut().and_then(|a| a.after.as_mut());
        if let Some((boot, seq)) = after
            && *boot == self.agent.boot
        {
            *seq = seq.saturating_sub(self.between);
        }
        control
    }
}
