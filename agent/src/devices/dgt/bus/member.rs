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
    /// The clock shows a press whose squares were not read yet.
    held: Option<ClockMessage>,
    heard: Millis,
    questions: VecDeque<Question>,
    /// When a board that told of its battery is asked for it again.
    battery_at: Option<Millis>,
    now: Millis,
    /// What comes after a press in one block happened later, though it arrived together with it.
    not_before: Millis,
    events: VecDeque<(Millis, DeviceEvent)>,
}

/// A battery is asked for once a minute.
const BATTERY: Millis = 60_000;
/// A board that says nothing for so long is gone.
const LOST: Millis = 10_000;
/// A hand takes so long from the board to the clock at least, milliseconds.
const TO_THE_CLOCK: Millis = 300;
/// A block of changes never takes longer than this to be told.
const BLOCK: Millis = 900;

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
            held: None,
            heard: 0,
            questions: VecDeque::new(),
            battery_at: None,
            now: 0,
            not_before: 0,
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
        self.ask(Question::Serial);
    }

    fn hear(&mut self, now: Millis, answer: Answer) {
        match answer.says {
            Says::Dump(codes) => self.hear_dump(codes),
            Says::Clock(clock) => self.hear_or_hold_clock(now, clock),
            Says::Changes { entries } => self.hear_changes(now, &entries),
            Says::Version { major, minor } => {
                self.learn(|identity| identity.firmware = Some((major, minor)));
            }
            Says::Serial { serial } => {
                self.learn(|identity| {
                    // The address stays the name; the long number is what stands on newer boards.
                    identity.long_serial = (serial.len() > 5)
                        .then_some(serial)
                        .or(identity.long_serial.take());
                });
                self.ask_battery();
            }
            Says::Hardware { major, minor } => {
                self.learn(|identity| identity.hardware = Some((major, minor)));
            }
            Says::Battery(battery) => {
                self.battery_at = Some(now + BATTERY);
                self.say(DeviceEvent::Battery(battery));
            }
            Says::TradeMark { .. }
            | Says::Here
            | Says::FromStart { .. }
            | Says::StartTagWritten
            | Says::ClockFrame(_)
            | Says::NotRead { .. } => {}
        }
    }

    /// A board of newer firmware may have a battery; one that does not answer has none.
    fn ask_battery(&mut self) {
        self.battery_at = None;
        self.ask(Question::Battery);
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

    /// A press is heard in its place among the squares that changed: those before it are still to be asked for.
    fn hear_or_hold_clock(&mut self, now: Millis, clock: ClockMessage) {
        let early = !self.recording && self.dial.flips(&clock);
        self.held = early.then_some(clock);
        if !early {
            self.hear_clock(now, clock);
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
        events.into_iter().for_each(|event| self.say(event));
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
        let mut moved = false;
        for entry in entries {
            match *entry {
                RawEntry::Field { field, .. } => {
                    moved = true;
                    let events = self.board.field(now, field);
                    self.tell(events);
                }
                RawEntry::Time { side, seconds } => {
                    self.pass_time(now, std::mem::take(&mut moved));
                    if let Some(pressed) = self.dial.after_press(side, seconds) {
                        self.hear_clock(now, pressed);
                    }
                    self.ask(Question::Clock);
                }
                _ => {}
            }
        }
        if let Some(clock) = self.held.take() {
            self.pass_time(now, moved && self.dial.flips(&clock));
            self.hear_clock(now, clock);
        }
    }

    /// Between a move and the press that follows it in the same block some time went by.
    fn pass_time(&mut self, now: Millis, moved: bool) {
        if moved && !self.recording {
            self.not_before = (self.not_before.max(now) + TO_THE_CLOCK).min(now + BLOCK);
        }
    }

    fn tell(&mut self, events: Vec<DeviceEvent>) {
        for event in events {
            let sides = match event {
                DeviceEvent::Orientation(lies) => self.dial.board_lies(lies),
                _ => None,
            };
            self.say(event);
            sides.into_iter().for_each(|event| self.say(event));
        }
    }

    /// More is known of who it is; said again when it is news.
    fn learn(&mut self, change: impl FnOnce(&mut Identity)) {
        let before = self.identity.clone();
        change(&mut self.identity);
        if before != self.identity {
            self.tell_identity();
        }
    }

    fn say(&mut self, event: DeviceEvent) {
        let at = self.now.max(self.not_before);
        self.events.push_back((at, event));
    }

    fn tell_identity(&mut self) {
        self.say(DeviceEvent::Identified(self.identity.clone()));
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
        (self.now, self.not_before, self.heard) = (now, 0, now);
        self.met = false;
        self.restarted = false;
        self.held = None;
        self.board.reopened();
        self.dial.reopened();
        self.questions.clear();
        self.battery_at = None;
        if let Some(address) = self.address.filter(|_| !self.recording) {
            self.meet(address);
        }
    }

    fn receive(&mut self, now: Millis, bytes: &[u8]) {
        self.now = now;
        for stretch in self.cutter.cut(bytes, probe) {
            if let Stretch::Frame(frame) = stretch {
                self.take(now, &frame);
            }
        }
    }

    fn tick(&mut self, now: Millis) {
        self.now = now;
        if self.met && !self.recording && now >= self.heard + LOST {
            self.met = false;
            let silent = self.dial.went(NoClockBecause::Silent);
            silent.into_iter().for_each(|event| self.say(event));
            self.say(DeviceEvent::Lost(LostBecause::Silent));
        }
        if self.battery_at.is_some_and(|at| now >= at) {
            self.ask_battery();
        }
    }

    fn command(&mut self, now: Millis, command: Command) {
        self.now = now;
        match command {
            Command::Dump => self.ask(Question::Dump),
            Command::Clock => self.ask(Question::Clock),
            Command::Orientation(choice) => {
                let events = self.board.choose(choice);
                self.tell(events);
            }
            Command::WhiteAt(side) => {
                let events = self.dial.configure(side);
                events.into_iter().for_each(|event| self.say(event));
            }
            Command::WhitePressedAt(side) => {
                let events = self.dial.pressed_before(side);
                events.into_iter().for_each(|event| self.say(event));
            }
            Command::Battery => self.ask_battery(),
            Command::Log | Command::Blink => {}
        }
    }

    fn next_event(&mut self) -> Option<DeviceEvent> {
        let due = self.events.front().is_some_and(|(at, _)| *at <= self.now);
        due.then(|| self.events.pop_front().map(|(_, event)| event))
            .flatten()
    }

    fn next_write(&mut self) -> Option<Vec<u8>> {
        self.questions.pop_front().map(Question::bytes)
    }

    fn wake(&self) -> Option<Millis> {
        let lost = (self.met && !self.recording).then_some(self.heard + LOST);
        let next = self.events.front().map(|(at, _)| *at);
        let next = next.filter(|at| *at > self.now);
        lost.into_iter().chain(next).chain(self.battery_at).min()
    }
}
