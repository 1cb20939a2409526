//! What the board says: each message goes to whom it concerns, and comes out as events.

use super::super::clock::ClockMessage;
use super::super::codes::{Field, is_nonsense, piece_of_code, square_of_number};
use super::super::command::HostCommand;
use super::super::frame::Stretch;
use super::super::log::RawEntry;
use super::super::message::{self, Codes, Message};
use super::DgtLine;
use crate::devices::{DeviceEvent, Disbelief, Identity, LogEntry, LostBecause, Millis};

const GARBAGE_SHOWN: usize = 64;

impl DgtLine {
    pub(super) fn take(&mut self, now: Millis, stretches: Vec<Stretch>) {
        for stretch in stretches {
            if !self.is_listening() {
                return;
            }
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
            | Message::ClockFrame(_)
            | Message::NotRead { .. }
            | Message::Nothing
            | Message::Damaged { .. } => {}
        }
    }

    fn hear_dump(&mut self, now: Millis, codes: Codes) {
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

    fn hear_clock(&mut self, now: Millis, clock: ClockMessage) {
        if let Some(watch) = &mut self.watch {
            watch.clock_heard(now);
        }
        let events = self.dial.hear(now, clock, &mut self.board);
        for event in &events {
            if let (DeviceEvent::Clock(reading), Some(watch)) = (event, &mut self.watch) {
                watch.clock_runs(reading.running);
            }
            match event {
                DeviceEvent::Disbelieved(Disbelief::Null | Disbelief::NoTime) => {}
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

    pub(super) fn tell_of_board(&mut self, events: Vec<DeviceEvent>) {
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
