//! What the board is asked, and when it is given up.

use super::super::command::HostCommand;
use super::super::detection::{Detection, Step};
use super::super::watch::{Alarm, Watch};
use super::DgtLine;
use crate::devices::{DeviceEvent, LostBecause, Millis, NoClockBecause};

impl DgtLine {
    pub(super) fn ask(&mut self, now: Millis) {
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

    pub(super) fn follow(&mut self, now: Millis, step: Step) {
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
                self.ask_the_rest();
            }
        }
    }

    /// What an old acquaintance was not asked at once.
    fn ask_the_rest(&mut self) {
        if self.identity.firmware.is_none() {
            self.pacing.send(HostCommand::Firmware);
            self.pacing.send(HostCommand::LongSerial);
        }
    }

    pub(super) fn ask_clock_type(&mut self, now: Millis) {
        if self.watch.is_some() {
            self.dial
                .first_question(now)
                .into_iter()
                .for_each(|command| self.pacing.send(command));
        }
    }

    pub(super) fn send(&mut self, command: HostCommand) {
        if self.watch.is_some() {
            self.pacing.send(command);
        }
    }

    pub(super) fn want_dump(&mut self) {
        if let Some(watch) = &mut self.watch {
            watch.want_dump();
        }
    }

    pub(super) fn lose(&mut self, because: LostBecause) {
        self.close();
        self.events.push_back(DeviceEvent::Lost(because));
    }

    pub(super) fn close(&mut self) {
        self.splitter.clear();
        self.pacing.clear();
        self.detection = Detection::new(self.family, &self.how);
        self.stranger = None;
        self.watch = None;
    }

    pub(super) fn is_listening(&self) -> bool {
        self.how.recording
            || self.watch.is_some()
            || (self.detection.is_going_on() && !self.detection.discards())
    }

    pub(super) fn dial_wake(&self) -> Option<Millis> {
        self.watch.as_ref().and_then(|_| self.dial.wake())
    }
}
