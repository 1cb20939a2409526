//! One board of a shared line, as a line of its own: it gets the answers that are its, and may ask for more.

use std::collections::VecDeque;

use super::super::board::Board;
use super::super::clock::ClockMessage;
use super::super::dial::Dial;
use super::super::log::RawEntry;
use super::super::message::Codes;
use super::answer::{Answer, Says, probe, read};
use super::command::{Address, Question};
use crate::devices::whole::{Cutter, Stretch};
use crate::devices::{
    Command, DeviceEvent, Identity, Line, LineOptions, LostBecause, Millis, NoClockBecause,
};

/// A board of a shared line. Its writes are questions for the [`Bus`](super::Bus) to put when it is the board's turn.
pub struct BusMember {
    address: Option<Address>,
    recording: bool,
    cutter: Cutter,
    identity: Identity,
    met: bool,
    board: Board,
    dial: Dial,
    /// The board restarted: what it says of squares means nothing before the next dump.
    restarted: bool,
    heard: Millis,
    questions: VecDeque<Question>,
    events: VecDeque<DeviceEvent>,
}

/// A board that says nothing for so long is gone.
const LOST: Millis = 10_000;

impl BusMember {
    /// The board at an address; without one, the first that is heard.
    pub fn new(address: Option<Address>, how: &LineOptions) -> BusMember {
        BusMember {
            address,
            recording: how.recording,
            cutter: Cutter::default(),
            identity: Identity {
                family: "dgt",
                serial: address.map(|address| address.to_string()),
                ..Identity::default()
            },
            met: false,
            board: Board::new(how.orientation),
            dial: Dial::new(how.white_at, how.orientation.known(), false),
            restarted: false,
            heard: 0,
            questions: VecDeque::new(),
            events: VecDeque::new(),
        }
    }

    fn take(&mut self, now: Millis, frame: &[u8]) {
        let Some(answer) = read(frame) else { return };
        let address = *self.address.get_or_insert(answer.from);
        if answer.from == address {
            self.heard = now;
            self.meet(address);
            self.hear(now, answer);
        }
    }

    fn meet(&mut self, address: Address) {
        if self.met {
            return;
        }
        self.met = true;
        self.identity.serial = Some(address.to_string());
        self.tell_identity();
        self.ask(Question::Version);
        self.ask(Question::Dump);
        self.ask(Question::Clock);
    }

    fn hear(&mut self, now: Millis, answer: Answer) {
        match answer.says {
            Says::Dump(codes) => self.hear_dump(codes),
            Says::Clock(clock) => self.hear_clock(now, clock),
            Says::Changes { entries } => self.hear_changes(now, &entries),
            Says::Version { major, minor } => {
                if self.identity.firmware.replace((major, minor)) != Some((major, minor)) {
                    self.tell_identity();
                }
            }
            Says::Here | Says::FromStart { .. } | Says::StartTagWritten | Says::NotRead { .. } => {}
        }
    }

    fn hear_dump(&mut self, codes: Codes) {
        let restarted = std::mem::take(&mut self.restarted);
        let events = if restarted || self.recording {
            Some(self.board.believe(codes))
        } else {
            self.board.dump(codes)
        };
        match events {
            Some(events) => self.tell(events),
            None => self.ask(Question::Dump),
        }
    }

    fn hear_clock(&mut self, now: Millis, clock: ClockMessage) {
        let events = self.dial.hear(now, clock, &mut self.board);
        if events
            .iter()
            .any(|event| matches!(event, DeviceEvent::Disbelieved(_)))
        {
            self.ask(Question::Clock);
        }
        self.events.extend(events);
    }

    fn hear_changes(&mut self, now: Millis, entries: &[RawEntry]) {
        if entries
            .iter()
            .any(|entry| matches!(entry, RawEntry::PowerUp | RawEntry::Restarted))
        {
            self.restarted = true;
            self.ask(Question::Dump);
        }
        if self.restarted {
            return;
        }
        for entry in entries {
            match *entry {
                RawEntry::Field { field, .. } => {
                    let events = self.board.field(now, field);
                    self.tell(events);
                }
                RawEntry::Time { side, seconds } => {
                    if let Some(pressed) = self.dial.after_press(side, seconds) {
                        self.hear_clock(now, pressed);
                    }
                    self.ask(Question::Clock);
                }
                _ => {}
            }
        }
    }

    fn tell(&mut self, events: Vec<DeviceEvent>) {
        for event in events {
            let sides = match event {
                DeviceEvent::Orientation(lies) => self.dial.board_lies(lies),
                _ => None,
            };
            self.events.push_back(event);
            self.events.extend(sides);
        }
    }

    fn tell_identity(&mut self) {
        self.events
            .push_back(DeviceEvent::Identified(self.identity.clone()));
    }

    fn ask(&mut self, question: fn(Address) -> Question) {
        let Some(address) = self.address.filter(|_| !self.recording) else {
            return;
        };
        let question = question(address);
        if !self.questions.contains(&question) {
            self.questions.push_back(question);
        }
    }
}

impl Line for BusMember {
    fn opened(&mut self, now: Millis) {
        self.heard = now;
        self.met = false;
        self.restarted = false;
        self.board.reopened();
        self.dial.reopened();
        self.questions.clear();
        if let Some(address) = self.address.filter(|_| !self.recording) {
            self.meet(address);
        }
    }

    fn receive(&mut self, now: Millis, bytes: &[u8]) {
        for stretch in self.cutter.cut(bytes, probe) {
            if let Stretch::Frame(frame) = stretch {
                self.take(now, &frame);
            }
        }
    }

    fn tick(&mut self, now: Millis) {
        if self.met && !self.recording && now >= self.heard + LOST {
            self.met = false;
            self.events.extend(self.dial.went(NoClockBecause::Silent));
            self.events
                .push_back(DeviceEvent::Lost(LostBecause::Silent));
        }
    }

    fn command(&mut self, _now: Millis, command: Command) {
        match command {
            Command::Dump => self.ask(Question::Dump),
            Command::Clock => self.ask(Question::Clock),
            Command::Orientation(choice) => {
                let events = self.board.choose(choice);
                self.tell(events);
            }
            Command::WhiteAt(side) => self.events.extend(self.dial.configure(side)),
            Command::Log | Command::Battery => {}
        }
    }

    fn next_event(&mut self) -> Option<DeviceEvent> {
        self.events.pop_front()
    }

    fn next_write(&mut self) -> Option<Vec<u8>> {
        self.questions.pop_front().map(Question::bytes)
    }

    fn wake(&self) -> Option<Millis> {
        (self.met && !self.recording).then_some(self.heard + LOST)
    }
}
