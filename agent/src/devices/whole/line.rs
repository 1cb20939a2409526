//! One open line to a board that reports whole positions: found at its first message, asked, watched, told as changes.
//!
//! **Every byte after the first message is either part of one that was understood or counted as garbage, and after
//! garbage or a gap the whole board is told again.**

use std::collections::VecDeque;

use super::polls::{About, Polls};
use super::speech::{Ear, Heard, Manner, Speech, Stretch};
use crate::devices::clock_face::Sitting;
use crate::devices::shadow::Shadow;
use crate::devices::{Command, DeviceEvent, Identity, Line, LineOptions, LostBecause, Millis};

/// A line to one board.
pub(super) struct WholeLine {
    ear: Ear,
    recording: bool,
    /// One of the family was here before.
    known: bool,
    /// 1 with a cable, 2 without.
    patience: Millis,
    stage: Stage,
    identity: Identity,
    shadow: Shadow,
    sitting: Sitting,
    whole_wanted: bool,
    waiting: VecDeque<&'static [u8]>,
    leaving: Option<&'static [u8]>,
    wrote: Option<Millis>,
    heard: Millis,
    arrived: Millis,
    /// Bytes of a recording came, and its end may be there.
    may_end: bool,
    polls: Polls,
    /// What came so far is not of this family.
    strangers: bool,
    probing: bool,
    events: VecDeque<DeviceEvent>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Stage {
    Closed,
    Settling(Millis),
    Asking { tries: u8, until: Millis },
    Found,
}

const GARBAGE_SHOWN: usize = 64;
/// So long a board that is asked every second does not say nothing.
const PAUSE: Millis = 2_000;
/// After this an old acquaintance is spoken to.
const GREETING: Millis = 60;

impl WholeLine {
    pub(super) fn new(
        family: &'static str,
        mut speech: Box<dyn Speech>,
        how: &LineOptions,
    ) -> WholeLine {
        speech.lies(how.orientation);
        WholeLine {
            polls: Polls::of(speech.manner()),
            ear: Ear::new(speech),
            recording: how.recording,
            known: how.known,
            patience: if how.bluetooth { 2 } else { 1 },
            stage: Stage::Closed,
            identity: Identity {
                family,
                ..Identity::default()
            },
            shadow: Shadow::new(how.orientation),
            sitting: Sitting::new(how.white_at, how.orientation.known()),
            whole_wanted: true,
            waiting: VecDeque::new(),
            leaving: None,
            wrote: None,
            heard: 0,
            arrived: 0,
            may_end: false,
            strangers: false,
            probing: how.probing,
            events: VecDeque::new(),
        }
    }

    fn manner(&self) -> &'static Manner {
        self.ear.speech.manner()
    }

    fn is_listening(&self) -> bool {
        match self.stage {
            Stage::Closed => self.recording,
            Stage::Settling(_) => self.manner().listens_at_once,
            Stage::Asking { .. } | Stage::Found => true,
        }
    }

    fn take(&mut self, now: Millis, stretches: Vec<Stretch>) {
        for stretch in stretches {
            let heard = match &stretch {
                Stretch::Frame(bytes) => self.ear.speech.read(bytes),
                Stretch::Noise(_, why) => Heard::Damaged { why },
            };
            match heard {
                Heard::Filler => {}
                Heard::Damaged { why } => self.take_noise(stretch.bytes(), why),
                message => {
                    self.meet(now);
                    for meaning in self.ear.speech.understand(message) {
                        match meaning {
                            Heard::Damaged { why } => self.take_noise(stretch.bytes(), why),
                            meaning => self.hear(meaning),
                        }
                    }
                }
            }
        }
    }

    fn take_noise(&mut self, bytes: &[u8], why: &'static str) {
        self.whole_wanted = true;
        self.strangers |= self.stage != Stage::Found;
        self.ask_about(About::Board);
        // What was running when the port was opened, or somebody else's words before that, is no damage.
        if self.stage != Stage::Found && !self.recording {
            return;
        }
        let bytes = bytes[..bytes.len().min(GARBAGE_SHOWN)].to_vec();
        self.events.push_back(DeviceEvent::Garbage { bytes, why });
    }

    /// A message that only this family sends.
    fn meet(&mut self, now: Millis) {
        let paused = now >= self.heard + PAUSE;
        self.heard = now;
        if self.recording {
            return;
        }
        if self.stage == Stage::Found {
            if paused && self.polls.are_within(PAUSE / 2) {
                self.ask_everything();
            }
            return;
        }
        self.stage = Stage::Found;
        self.whole_wanted = true;
        if !self.manner().tells_serial {
            self.events
                .push_back(DeviceEvent::Identified(self.identity.clone()));
        }
        self.waiting.extend(self.polls.begin(now));
    }

    /// It may have been switched off and on, and have forgotten what it was told.
    fn ask_everything(&mut self) {
        self.manner().hello.iter().for_each(|ask| self.ask(ask));
        self.ask_about(About::Board);
    }

    fn hear(&mut self, heard: Heard) {
        match heard {
            Heard::Board { board } => {
                let events = if std::mem::take(&mut self.whole_wanted) {
                    self.shadow.whole(board)
                } else {
                    self.shadow.changes(board)
                };
                self.tell(events);
            }
            Heard::Clock { clock } => self.events.extend(self.sitting.hear(clock)),
            Heard::Identity {
                serial,
                major,
                minor,
            } => self.learn(Some(serial), (major, minor)),
            Heard::Firmware { major, minor } => self.learn(None, (major, minor)),
            Heard::Battery(battery) => self.events.push_back(DeviceEvent::Battery(battery)),
            Heard::DoesNotFollow { said } => {
                self.events.push_back(DeviceEvent::DoesNotFollow(said));
            }
            Heard::PiecesUnknown { unknown } => {
                self.events.push_back(DeviceEvent::PiecesUnknown(unknown));
            }
            Heard::Keep { what } => self.events.push_back(DeviceEvent::Keep(what)),
            Heard::Tags { .. }
            | Heard::Line { .. }
            | Heard::Nothing { .. }
            | Heard::Filler
            | Heard::Damaged { .. } => {}
        }
    }

    fn tell(&mut self, events: Vec<DeviceEvent>) {
        for event in &events {
            if let DeviceEvent::Orientation(lies) = event {
                self.sitting.board_lies(*lies);
            }
        }
        self.events.extend(events);
    }

    /// More is known of who it is; said again when it is news.
    fn learn(&mut self, serial: Option<String>, firmware: (u8, u8)) {
        let before = self.identity.clone();
        self.identity.firmware = Some(firmware);
        self.identity.serial = serial.or(self.identity.serial.take());
        if before != self.identity {
            self.events
                .push_back(DeviceEvent::Identified(self.identity.clone()));
        }
    }

    fn proceed(&mut self, now: Millis) {
        match self.stage {
            Stage::Settling(at) if now >= at && self.known && self.is_mute() => self.meet(now),
            Stage::Settling(at) if now >= at => self.say_hello(now, 1),
            Stage::Asking { tries, until } if now >= until => {
                let awaited = self.is_mute() && !self.probing && !self.strangers;
                if tries < self.manner().tries || awaited {
                    self.say_hello(now, tries.saturating_add(1));
                } else {
                    self.close();
                    self.events.push_back(DeviceEvent::NotThisFamily);
                }
            }
            Stage::Found => self.watch(now),
            _ => {}
        }
        self.let_go(now);
    }

    /// It cannot be asked who it is and says nothing as long as nothing happens.
    fn is_mute(&self) -> bool {
        self.manner().hello.is_empty() && self.manner().silent.is_none()
    }

    fn say_hello(&mut self, now: Millis, tries: u8) {
        let hello = self.manner().hello;
        self.waiting.clear();
        self.waiting.extend(hello);
        let saying = self.manner().spacing * hello.len() as Millis;
        self.stage = Stage::Asking {
            tries,
            until: now + saying + self.manner().answer * self.patience,
        };
    }

    fn watch(&mut self, now: Millis) {
        if self.lost_at().is_some_and(|at| now >= at) {
            self.close();
            self.events
                .push_back(DeviceEvent::Lost(LostBecause::Silent));
            return;
        }
        for ask in self.polls.due(now) {
            self.ask(ask);
        }
    }

    /// Asks a board that is in use, where its family has a question for it.
    fn ask_about(&mut self, about: About) {
        if self.stage == Stage::Found {
            self.polls
                .question(about)
                .into_iter()
                .for_each(|ask| self.ask(ask));
        }
    }

    fn ask(&mut self, ask: &'static [u8]) {
        if !self.waiting.contains(&ask) {
            self.waiting.push_back(ask);
        }
    }

    fn let_go(&mut self, now: Millis) {
        let free = self
            .wrote
            .is_none_or(|at| now >= at + self.manner().spacing);
        if self.leaving.is_none() && free && !self.recording {
            self.leaving = self.waiting.pop_front();
            if self.leaving.is_some() {
                self.wrote = Some(now);
            }
        }
    }

    fn lost_at(&self) -> Option<Millis> {
        let silent = self.manner().silent? * self.patience;
        (self.stage == Stage::Found).then_some(self.heard + silent)
    }

    /// When a recording is taken to have ended.
    fn end_at(&self) -> Option<Millis> {
        self.may_end.then_some(self.arrived + PAUSE)
    }

    fn give_up_at(&self) -> Option<Millis> {
        (self.ear.holds() > 0).then(|| self.arrived + self.manner().patience)
    }

    fn write_at(&self) -> Option<Millis> {
        (!self.waiting.is_empty()).then(|| self.wrote.map_or(0, |at| at + self.manner().spacing))
    }

    fn close(&mut self) {
        self.stage = Stage::Closed;
        self.waiting.clear();
        self.leaving = None;
        self.ear.give_up();
    }
}

impl Line for WholeLine {
    fn opened(&mut self, now: Millis) {
        self.close();
        self.shadow.forget();
        self.sitting.forget();
        self.whole_wanted = true;
        self.wrote = None;
        self.strangers = false;
        if !self.recording {
            let settle = self.manner().settle * self.patience;
            let settle = if self.known {
                settle.min(GREETING)
            } else {
                settle
            };
            self.stage = Stage::Settling(now + settle);
        }
    }

    fn receive(&mut self, now: Millis, bytes: &[u8]) {
        if self.is_listening() {
            self.overdue(now);
            self.arrived = now;
            self.may_end = self.recording;
            let stretches = self.ear.cut(bytes);
            self.take(now, stretches);
        }
        self.proceed(now);
    }

    fn tick(&mut self, now: Millis) {
        self.overdue(now);
        if self.end_at().is_some_and(|at| now >= at) {
            self.may_end = false;
            let last = self.ear.speech.goes_on();
            last.into_iter().for_each(|meaning| self.hear(meaning));
        }
        self.proceed(now);
    }

    fn command(&mut self, now: Millis, command: Command) {
        match command {
            Command::Dump => {
                self.whole_wanted = true;
                self.ask_about(About::Board);
            }
            Command::Battery => self.ask_about(About::Battery),
            Command::Clock => self.ask_about(About::Clock),
            Command::Orientation(choice) => {
                self.ear.speech.lies(choice);
                let events = self.shadow.choose(choice);
                self.tell(events);
            }
            Command::WhiteAt(side) => self.sitting.configure(side),
            Command::WhitePressedAt(side) => self.sitting.pressed_before(side),
            Command::Blink => {
                if let (Stage::Found, Some([on, off])) = (self.stage, self.manner().lamps)
                    && !self.waiting.contains(&on)
                {
                    self.waiting.extend([on, off, on, off, on, off]);
                }
            }
            Command::Log => {}
        }
        self.let_go(now);
    }

    fn next_event(&mut self) -> Option<DeviceEvent> {
        self.events.pop_front()
    }

    fn next_write(&mut self) -> Option<Vec<u8>> {
        self.leaving.take().map(<[u8]>::to_vec)
    }

    fn wake(&self) -> Option<Millis> {
        let stage = match self.stage {
            Stage::Closed => None,
            Stage::Settling(at) => Some(at),
            Stage::Asking { until, .. } => Some(until),
            Stage::Found => self.polls.wake(),
        };
        let parts = [
            stage,
            self.lost_at(),
            self.give_up_at(),
            self.write_at(),
            self.end_at(),
        ];
        parts.into_iter().flatten().min()
    }

    fn reads_clock(&self) -> bool {
        self.manner().clock.is_some()
    }

    fn sees_board(&self) -> bool {
        self.ear.speech.sees_board()
    }

    fn remember(&mut self, kept: &str) {
        self.ear.speech.remember(kept);
    }
}

impl WholeLine {
    fn overdue(&mut self, now: Millis) {
        if self.give_up_at().is_some_and(|at| now >= at) {
            let stretches = self.ear.give_up();
            if self.is_listening() {
                self.take(now, stretches);
            }
        }
    }
}
