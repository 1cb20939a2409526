//! One open line to one board: the conversation from the first question to the last change.
//!
//! **Every byte is either part of a message that was understood or counted as garbage, and after garbage the whole
//! board is read again.** Bytes are cut into messages ([`Splitter`]), a message goes to whom it concerns
//! (detection, [`Board`], [`Dial`]), and [`Watch`] asks what is due; [`Pacing`] keeps the commands apart.

use std::collections::VecDeque;

use super::board::Board;
use super::codes::{Field, is_nonsense, piece_of_code, square_of_number};
use super::command::HostCommand;
use super::detection::{Detection, Step};
use super::dial::Dial;
use super::frame::{Splitter, Stretch};
use super::log::RawEntry;
use super::message::{self, Message};
use super::pacing::Pacing;
use super::watch::{Alarm, Watch};
use crate::devices::{
    Command, DeviceEvent, Disbelief, Identity, Line, LineOptions, LogEntry, LostBecause, Millis,
    NoClockBecause,
};

/// A line to a DGT board in single-board mode.
pub(super) struct DgtLine {
    how: LineOptions,
    family: &'static str,
    splitter: Splitter,
    detection: Detection,
    identity: Identity,
    stranger: Option<String>,
    /// There while the board is in use and may be asked.
    watch: Option<Watch>,
    pacing: Pacing,
    board: Board,
    dial: Dial,
    events: VecDeque<DeviceEvent>,
}

const GARBAGE_SHOWN: usize = 64;

impl DgtLine {
    pub(super) fn new(family: &'static str, how: LineOptions) -> DgtLine {
        DgtLine {
            family,
            splitter: Splitter::default(),
            detection: Detection::new(family, how.bluetooth),
            identity: Identity {
                family,
                ..Identity::default()
            },
            stranger: None,
            watch: None,
            pacing: Pacing::default(),
            board: Board::new(how.orientation),
            dial: Dial::new(how.white_at, !how.recording),
            events: VecDeque::new(),
            how,
        }
    }
}

impl Line for DgtLine {
    fn opened(&mut self, now: Millis) {
        self.close();
        self.dial.reopened();
        self.board.reopened();
        if !self.how.recording {
            self.detection.start(now);
        }
    }

    fn receive(&mut self, now: Millis, bytes: &[u8]) {
        if self.is_listening() {
            let stretches = self.splitter.receive(now, bytes);
            self.take(now, stretches);
        }
        self.ask(now);
    }

    fn tick(&mut self, now: Millis) {
        let stretches = self.splitter.tick(now);
        self.take(now, stretches);
        self.ask(now);
    }

    fn command(&mut self, now: Millis, command: Command) {
        match command {
            Command::Dump => self.want_dump(),
            Command::Clock => self.send(HostCommand::Clock),
            Command::Log => self.send(HostCommand::Log),
            Command::Battery => self.send(HostCommand::Battery),
            Command::Orientation(choice) => {
                let events = self.board.choose(choice);
                self.tell_of_board(events);
            }
            Command::WhiteAt(side) => self.events.extend(self.dial.configure(side)),
        }
        self.ask(now);
    }

    fn next_event(&mut self) -> Option<DeviceEvent> {
        self.events.pop_front()
    }

    fn next_write(&mut self) -> Option<Vec<u8>> {
        self.pacing.next().map(|command| command.bytes().to_vec())
    }

    fn wake(&self) -> Option<Millis> {
        let watch = self
            .watch
            .as_ref()
            .map(|watch| self.pacing.deaf_until().unwrap_or(watch.wake()));
        let parts = [
            self.splitter.wake(),
            self.detection.wake(),
            watch,
            self.pacing.wake(),
            self.dial_wake(),
        ];
        parts.into_iter().flatten().min()
    }
}

/// What the board says.
impl DgtLine {
    fn take(&mut self, now: Millis, stretches: Vec<Stretch>) {
        for stretch in stretches {
            match stretch {
                Stretch::Noise(bytes, why) => self.take_noise(&bytes, why),
                Stretch::Frame(bytes) => match message::read(&bytes) {
                    Message::Damaged { why } => self.take_noise(&bytes, why),
                    message => self.hear(now, message),
                },
            }
        }
    }

    fn take_noise(&mut self, bytes: &[u8], why: &'static str) {
        let bytes = bytes[..bytes.len().min(GARBAGE_SHOWN)].to_vec();
        self.events.push_back(DeviceEvent::Garbage { bytes, why });
        self.want_dump();
    }

    fn hear(&mut self, now: Millis, message: Message) {
        if let Some(watch) = self.watch.as_mut().filter(|_| message != Message::Nothing) {
            watch.heard(now, &mut self.pacing);
        }
        let step = self.detection.heard(now, &message);
        self.follow(now, step);
        match message {
            Message::Dump(codes) => self.hear_dump(now, codes),
            Message::Field(field) => self.hear_field(now, field),
            Message::Clock(clock) => self.hear_clock(now, clock),
            Message::Log { entries } => self.hear_log(&entries),
            Message::Serial { serial } => self.hear_serial(serial),
            Message::LongSerial { serial } => {
                self.learn(|identity| identity.long_serial = Some(serial))
            }
            Message::Firmware { major, minor } => {
                self.learn(|identity| identity.firmware = Some((major, minor)))
            }
            Message::Hardware { major, minor } => {
                self.learn(|identity| identity.hardware = Some((major, minor)))
            }
            Message::Battery(battery) => self.events.push_back(DeviceEvent::Battery(battery)),
            Message::BusAddress { .. }
            | Message::TradeMark { .. }
            | Message::NotRead { .. }
            | Message::Nothing
            | Message::Damaged { .. } => {}
        }
    }

    fn hear_dump(&mut self, now: Millis, codes: message::Codes) {
        let Some(watch) = &mut self.watch else {
            let events = self.board.believe(codes);
            return self.tell_of_board(events);
        };
        match self.board.dump(codes) {
            Some(events) => {
                watch.dumped(now);
                self.tell_of_board(events);
            }
            None => watch.want_dump_at_once(),
        }
    }

    fn hear_field(&mut self, now: Millis, field: Field) {
        if let Some(watch) = &mut self.watch {
            watch.square_changed(now);
        }
        let events = self.board.field(now, field);
        self.tell_of_board(events);
        if is_nonsense(field.code) {
            let bytes = vec![field.number, field.code];
            self.events.push_back(DeviceEvent::Garbage {
                bytes,
                why: "a piece that does not exist",
            });
            self.want_dump();
        }
    }

    fn hear_clock(&mut self, now: Millis, clock: super::clock::ClockMessage) {
        if let Some(watch) = &mut self.watch {
            watch.clock_heard(now);
        }
        let events = self.dial.hear(now, clock, &mut self.board);
        for event in &events {
            match event {
                DeviceEvent::Disbelieved(Disbelief::Null) => {}
                DeviceEvent::Disbelieved(_) => self.send(HostCommand::Clock),
                DeviceEvent::Clock(_) => self.ask_clock_type(now),
                _ => {}
            }
        }
        self.events.extend(events);
    }

    fn hear_log(&mut self, entries: &[RawEntry]) {
        self.pacing.log_arrived();
        let events = self.board.learn_from_log(entries);
        self.tell_of_board(events);
        let log = entries
            .iter()
            .filter_map(|entry| self.log_entry(*entry))
            .collect();
        self.events.push_back(DeviceEvent::Log(log));
        self.want_dump();
    }

    /// One wrong answer is noise; the same twice is another board.
    fn hear_serial(&mut self, serial: String) {
        match &self.identity.serial {
            Some(known) if *known != serial && self.watch.is_some() => {
                if self.stranger.replace(serial.clone()) == Some(serial) {
                    self.lose(LostBecause::AnotherDevice);
                }
            }
            _ => {
                self.stranger = None;
                self.learn(|identity| identity.serial = Some(serial));
            }
        }
    }

    fn log_entry(&self, entry: RawEntry) -> Option<LogEntry> {
        Some(match entry {
            RawEntry::Field { field, fast } => {
                let square = self.board.lies().square(square_of_number(field.number)?);
                LogEntry::Square {
                    square,
                    piece: piece_of_code(field.code),
                    fast,
                }
            }
            RawEntry::Time { side, seconds } => LogEntry::Press {
                by: self.dial.color(side),
                seconds,
            },
            RawEntry::PowerUp => LogEntry::PowerUp,
            RawEntry::End => return None,
            RawEntry::FourRows => LogEntry::FourRows,
            RawEntry::Empty => LogEntry::BoardEmpty,
            RawEntry::Downloaded => LogEntry::Downloaded,
            RawEntry::Start(orientation) => LogEntry::StartPosition(orientation),
            RawEntry::StartTag => LogEntry::StartTag,
            RawEntry::Restarted => LogEntry::Restarted,
            RawEntry::Unknown(byte) => LogEntry::Unknown(byte),
        })
    }

    fn tell_of_board(&mut self, events: Vec<DeviceEvent>) {
        for event in events {
            let lies = if let DeviceEvent::Orientation(orientation) = event {
                Some(orientation)
            } else {
                None
            };
            self.events.push_back(event);
            self.events
                .extend(lies.and_then(|orientation| self.dial.board_lies(orientation)));
        }
    }

    /// Something new about the board's identity, said again when it is in use.
    fn learn(&mut self, change: impl FnOnce(&mut Identity)) {
        let before = self.identity.clone();
        change(&mut self.identity);
        let in_use = self.watch.is_some() || self.how.recording;
        if in_use && before != self.identity {
            self.events
                .push_back(DeviceEvent::Identified(self.identity.clone()));
        }
    }
}

/// What the board is asked.
impl DgtLine {
    fn ask(&mut self, now: Millis) {
        let step = self.detection.tick(now);
        self.follow(now, step);
        let alarm = self
            .watch
            .as_mut()
            .and_then(|watch| watch.tick(now, &mut self.pacing));
        match alarm {
            Some(Alarm::Lost) => self.lose(LostBecause::Silent),
            Some(Alarm::ClockSilent) => self.events.extend(self.dial.went(NoClockBecause::Silent)),
            None => {}
        }
        if self.watch.is_some() {
            self.dial
                .tick(now)
                .into_iter()
                .for_each(|command| self.pacing.send(command));
        }
        self.pacing.tick(now);
    }

    fn follow(&mut self, now: Millis, step: Step) {
        match step {
            Step::Nothing => {}
            Step::Send(command) => self.pacing.send(command),
            Step::Nobody => {
                self.close();
                self.events.push_back(DeviceEvent::NotThisFamily);
            }
            Step::Found(identity) => {
                self.identity = identity;
                self.events
                    .push_back(DeviceEvent::Identified(self.identity.clone()));
                self.watch = Some(Watch::begin(now, self.how.bluetooth, &mut self.pacing));
            }
        }
    }

    fn ask_clock_type(&mut self, now: Millis) {
        if self.watch.is_some() {
            self.dial
                .first_question(now)
                .into_iter()
                .for_each(|command| self.pacing.send(command));
        }
    }

    fn send(&mut self, command: HostCommand) {
        if self.watch.is_some() {
            self.pacing.send(command);
        }
    }

    fn want_dump(&mut self) {
        if let Some(watch) = &mut self.watch {
            watch.want_dump();
        }
    }

    fn lose(&mut self, because: LostBecause) {
        self.close();
        self.events.push_back(DeviceEvent::Lost(because));
    }

    fn close(&mut self) {
        self.splitter.clear();
        self.pacing.clear();
        self.detection = Detection::new(self.family, self.how.bluetooth);
        self.stranger = None;
        self.watch = None;
    }

    fn is_listening(&self) -> bool {
        self.how.recording
            || self.watch.is_some()
            || (self.detection.is_going_on() && !self.detection.discards())
    }

    fn dial_wake(&self) -> Option<Millis> {
        self.watch.as_ref().and_then(|_| self.dial.wake())
    }
}
