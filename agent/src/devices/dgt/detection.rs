//! Who is on the line? The questions a line begins with, in the order that harms nobody.

use super::command::HostCommand;
use super::message::Message;
use crate::devices::{Identity, LineOptions, Millis};

/// The conversation at the beginning of a line.
#[derive(Debug)]
pub(super) struct Detection {
    stage: Stage,
    /// 1 with a cable, 2 without.
    patience: Millis,
    /// How often it is asked before it is given up.
    tries: u8,
    /// One of ours was here before: its serial number is asked first.
    known: bool,
    identity: Identity,
}

/// What to do next.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Step {
    Nothing,
    Send(HostCommand),
    /// It is one of ours.
    Found(Identity),
    /// Nobody answers.
    Nobody,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Stage {
    Closed,
    /// The port was just opened again.
    Greeting(Millis),
    /// An old acquaintance is asked for its serial number and nothing else.
    Acquaintance(Millis),
    /// The port was just opened and its lines were lowered.
    Settling(Millis),
    /// Updates were stopped; what comes now was meant for somebody else.
    Clearing(Millis),
    Firmware {
        tries: u8,
        until: Millis,
    },
    Serial {
        tries: u8,
        until: Millis,
    },
    LongSerial(Millis),
    Done,
}

const SETTLE: Millis = 500;
const GREETING: Millis = 60;
const CLEAR: Millis = 100;
const ANSWER: Millis = 500;
const SLOW_ANSWER: Millis = 2_000;
const QUICK_TRIES: u8 = 3;
const TRIES: u8 = 6;

impl Detection {
    pub(super) fn new(family: &'static str, how: &LineOptions) -> Detection {
        Detection {
            tries: if how.probing { QUICK_TRIES } else { TRIES },
            known: how.known,
            stage: Stage::Closed,
            patience: if how.bluetooth { 2 } else { 1 },
            identity: Identity {
                family,
                ..Identity::default()
            },
        }
    }

    /// The port was opened.
    pub(super) fn start(&mut self, now: Millis) {
        self.identity = Identity {
            family: self.identity.family,
            ..Identity::default()
        };
        self.stage = if self.known {
            Stage::Greeting(now + GREETING)
        } else {
            Stage::Settling(now + SETTLE)
        };
    }

    /// Bytes that come now mean nothing.
    pub(super) fn discards(&self) -> bool {
        matches!(self.stage, Stage::Settling(_) | Stage::Clearing(_))
    }

    /// Whether the questions are not over yet.
    pub(super) fn is_going_on(&self) -> bool {
        !matches!(self.stage, Stage::Closed | Stage::Done)
    }

    /// An answer, or something else the device said.
    pub(super) fn heard(&mut self, now: Millis, message: &Message) -> Step {
        match (self.stage, message) {
            (Stage::Firmware { .. }, Message::Firmware { major, minor }) => {
                self.identity.firmware = Some((*major, *minor));
                self.ask_serial(now, 1)
            }
            (Stage::Serial { .. }, Message::Serial { serial }) => {
                self.identity.serial = Some(serial.clone());
                self.ask_long_serial(now)
            }
            (Stage::Acquaintance(_), Message::Serial { serial }) => {
                self.identity.serial = Some(serial.clone());
                self.finish()
            }
            (Stage::LongSerial(_), Message::LongSerial { serial }) => {
                self.identity.long_serial = Some(serial.clone());
                self.finish()
            }
            _ => Step::Nothing,
        }
    }

    /// Time passed.
    pub(super) fn tick(&mut self, now: Millis) -> Step {
        if self.wake().is_none_or(|wake| now < wake) {
            return Step::Nothing;
        }
        match self.stage {
            Stage::Greeting(_) => {
                self.stage = Stage::Acquaintance(now + ANSWER * self.patience);
                Step::Send(HostCommand::Serial)
            }
            Stage::Acquaintance(_) | Stage::Settling(_) => {
                self.stage = Stage::Clearing(now + CLEAR);
                Step::Send(HostCommand::Reset)
            }
            Stage::Clearing(_) => self.ask_firmware(now, 1),
            Stage::Firmware { tries, .. } if tries < self.tries => {
                self.ask_firmware(now, tries + 1)
            }
            Stage::Firmware { .. } => {
                self.stage = Stage::Closed;
                Step::Nobody
            }
            Stage::Serial { tries, .. } if tries < QUICK_TRIES => self.ask_serial(now, tries + 1),
            Stage::Serial { .. } => self.ask_long_serial(now),
            Stage::LongSerial(_) => self.finish(),
            Stage::Closed | Stage::Done => Step::Nothing,
        }
    }

    /// When to call [`tick`](Self::tick).
    pub(super) fn wake(&self) -> Option<Millis> {
        match self.stage {
            Stage::Closed | Stage::Done => None,
            Stage::Greeting(at)
            | Stage::Acquaintance(at)
            | Stage::Settling(at)
            | Stage::Clearing(at)
            | Stage::LongSerial(at) => Some(at),
            Stage::Firmware { until, .. } | Stage::Serial { until, .. } => Some(until),
        }
    }

    fn ask_firmware(&mut self, now: Millis, tries: u8) -> Step {
        let wait = if tries <= QUICK_TRIES {
            ANSWER
        } else {
            SLOW_ANSWER
        };
        self.stage = Stage::Firmware {
            tries,
            until: now + wait * self.patience,
        };
        Step::Send(HostCommand::Firmware)
    }

    fn ask_serial(&mut self, now: Millis, tries: u8) -> Step {
        self.stage = Stage::Serial {
            tries,
            until: now + ANSWER * self.patience,
        };
        Step::Send(HostCommand::Serial)
    }

    fn ask_long_serial(&mut self, now: Millis) -> Step {
        self.stage = Stage::LongSerial(now + ANSWER * self.patience);
        Step::Send(HostCommand::LongSerial)
    }

    fn finish(&mut self) -> Step {
        self.stage = Stage::Done;
        Step::Found(self.identity.clone())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn steps(detection: &mut Detection, until: Millis) -> Vec<(Millis, Step)> {
        let mut steps = Vec::new();
        while let Some(now) = detection.wake().filter(|&now| now <= until) {
            steps.push((now, detection.tick(now)));
        }
        steps
    }

    #[test]
    fn a_silent_port_is_asked_six_times_and_left_alone() {
        let mut detection = Detection::new("dgt", &LineOptions::default());
        detection.start(0);
        assert!(detection.discards());
        let asked = |at| (at, Step::Send(HostCommand::Firmware));
        let mut expect = vec![(500, Step::Send(HostCommand::Reset))];
        expect.extend([600, 1100, 1600, 2100, 4100, 6100].map(asked));
        expect.push((8100, Step::Nobody));
        assert_eq!(steps(&mut detection, 60_000), expect);
        assert!(!detection.is_going_on());
    }

    #[test]
    fn an_old_board_is_found_without_its_long_serial_number() {
        let mut detection = Detection::new("dgt", &LineOptions::default());
        detection.start(0);
        steps(&mut detection, 600);
        let firmware = Message::Firmware { major: 1, minor: 8 };
        assert_eq!(
            detection.heard(650, &firmware),
            Step::Send(HostCommand::Serial)
        );
        let serial = Message::Serial {
            serial: "01025".into(),
        };
        assert_eq!(
            detection.heard(700, &serial),
            Step::Send(HostCommand::LongSerial)
        );
        let found = Identity {
            family: "dgt",
            serial: Some("01025".into()),
            firmware: Some((1, 8)),
            ..Identity::default()
        };
        assert_eq!(steps(&mut detection, 60_000), [(1200, Step::Found(found))]);
    }

    #[test]
    fn an_acquaintance_says_its_number_at_once_and_a_stranger_is_asked_as_ever() {
        let known = LineOptions {
            known: true,
            ..LineOptions::default()
        };
        let mut detection = Detection::new("dgt", &known);
        detection.start(0);
        let first = steps(&mut detection, 100);
        assert_eq!(first, [(60, Step::Send(HostCommand::Serial))]);
        let serial = Message::Serial {
            serial: "01025".into(),
        };
        assert!(matches!(detection.heard(90, &serial), Step::Found(_)));
        detection.start(0);
        let stranger = steps(&mut detection, 700);
        let expect = [
            (60, Step::Send(HostCommand::Serial)),
            (560, Step::Send(HostCommand::Reset)),
            (660, Step::Send(HostCommand::Firmware)),
        ];
        assert_eq!(stranger, expect);
    }
}
