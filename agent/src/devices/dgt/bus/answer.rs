//! Answers on a shared line: cut, checked, and read. Their numbers mean other things than in single-board mode.

use serde::Serialize;

use super::super::clock::{self, ClockMessage};
use super::super::clock_frame::{self, ClockFrame};
use super::super::log::{self, RawEntry};
use super::super::message::{self, Codes, Message};
use super::command::{Address, checksum};
use crate::devices::Battery;
use crate::devices::whole::Probe;

/// The smallest answer: number, length, address, checksum.
const SMALLEST: usize = 6;
const LONGEST: usize = 8_200;

/// One board's answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Answer {
    pub(super) from: Address,
    pub(super) says: Says,
}

/// What it says.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub(super) enum Says {
    Here,
    Dump(Codes),
    Clock(ClockMessage),
    Changes {
        entries: Vec<RawEntry>,
    },
    FromStart {
        entries: Vec<RawEntry>,
    },
    StartTagWritten,
    Version {
        major: u8,
        minor: u8,
    },
    /// Newer firmware: the serial number in letters, five of them or ten.
    Serial {
        serial: String,
    },
    /// Newer firmware.
    TradeMark {
        text: String,
    },
    /// Newer firmware.
    Hardware {
        major: u8,
        minor: u8,
    },
    /// Newer firmware of boards with a battery.
    Battery(Battery),
    /// Newer firmware: what a clock and its host say to each other on their own wires.
    ClockFrame(ClockFrame),
    /// Statistics, settings, draughts: not read by this driver.
    NotRead {
        id: u8,
    },
}

/// Finds an answer at the beginning of bytes. Two boards that spoke at once leave none.
pub(super) fn probe(held: &[u8]) -> Probe {
    let [id, rest @ ..] = held else {
        return Probe::More;
    };
    if !matches!(id, 0x83..=0x8C | 0xB0..=0xB5) {
        return Probe::No("between answers");
    }
    if rest.iter().take(2).any(|byte| *byte >= 0x80) {
        return Probe::No("cut short by another answer");
    }
    let [high, low, ..] = rest else {
        return Probe::More;
    };
    let length = usize::from(*high) << 7 | usize::from(*low);
    if !length_fits(*id, length) {
        return Probe::No("a length that cannot be");
    }
    let there = &held[1..held.len().min(length)];
    if there.iter().any(|byte| *byte >= 0x80) {
        return Probe::No("cut short by another answer");
    }
    if held.len() < length {
        return Probe::More;
    }
    if checksum(&held[..length - 1]) == held[length - 1] {
        Probe::Frame(length)
    } else {
        Probe::No("the checksum is wrong")
    }
}

/// Reads an answer that was found.
pub(super) fn read(frame: &[u8]) -> Option<Answer> {
    let [id, _, _, high, low, data @ .., _] = frame else {
        return None;
    };
    let from = Address(u16::from(*high) << 7 | u16::from(*low));
    let not_read = Says::NotRead { id: *id };
    let says = match (*id, data) {
        (0x83, data) => data
            .try_into()
            .map_or(not_read, |codes| Says::Dump(Codes(codes))),
        (0x84, data) => data
            .try_into()
            .map_or(not_read, |bytes| Says::Clock(clock::read(bytes))),
        (0x85 | 0x8B, data) => Says::Changes {
            entries: log::read(data),
        },
        (0x86, data) => Says::FromStart {
            entries: log::read(data),
        },
        (0x87, []) => Says::Here,
        (0x88, []) => Says::StartTagWritten,
        (0x89, [major, minor]) => Says::Version {
            major: *major,
            minor: *minor,
        },
        (0x8C, [major, minor]) => Says::Hardware {
            major: *major,
            minor: *minor,
        },
        (0xB0, digits) => read_serial(digits).map_or(not_read, |serial| Says::Serial { serial }),
        (0xB1, frame) => clock_frame::read(frame).map_or(not_read, Says::ClockFrame),
        (0xB4, text) => Says::TradeMark {
            text: String::from_utf8_lossy(text).into_owned(),
        },
        (0xB5, state) => match message::read_battery(state) {
            Message::Battery(battery) => Says::Battery(battery),
            _ => not_read,
        },
        _ => not_read,
    };
    Some(Answer { from, says })
}

/// Five digits of the short serial number, or ten letters of the long one.
fn read_serial(digits: &[u8]) -> Option<String> {
    let good = matches!(digits.len(), 5 | 10) && digits.iter().all(u8::is_ascii_graphic);
    good.then(|| String::from_utf8_lossy(digits).into_owned())
}

fn length_fits(id: u8, length: usize) -> bool {
    match id {
        0x83 => length == 70,
        0x84 => length == 13,
        0x87 | 0x88 => length == SMALLEST,
        0x89 => length == SMALLEST || length == SMALLEST + 2,
        0x8A => length == 56,
        _ => (SMALLEST..=LONGEST).contains(&length),
    }
}
