//! Everything that is ever said on a shared line: questions to one board, and the call to all.
//!
//! No byte below 80 begins a command, so no board can be thrown out of bus mode; the commands that write a board's
//! memory, restart boards or end bus mode have no word here.

use std::fmt;

/// The address of a board on the line: fourteen bits, the serial number in binary.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Address(pub(super) u16);

/// A question.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Question {
    /// Who is there? Everybody answers at a random moment, but those told to keep quiet.
    Everybody,
    /// Are you there? And keep quiet at the next call to everybody.
    BeQuiet(Address),
    Version(Address),
    Clock(Address),
    Dump(Address),
    /// What changed since the last time.
    Changes(Address),
    /// The last changes once more.
    Repeat(Address),
    /// The serial number; only newer firmware answers.
    Serial(Address),
    /// The battery; only newer firmware answers.
    Battery(Address),
}

impl Address {
    /// An address by its number; its upper two bits do not exist.
    pub fn of(number: u16) -> Address {
        Address(number & 0x3FFF)
    }

    /// The number on the wire.
    pub fn number(self) -> u16 {
        self.0
    }
}

impl Question {
    /// The bytes on the wire.
    pub(super) fn bytes(self) -> Vec<u8> {
        let (id, Address(address)) = match self {
            Question::Everybody => (0x87, Address(0)),
            Question::BeQuiet(address) => (0x8A, address),
            Question::Version(address) => (0x8B, address),
            Question::Clock(address) => (0x81, address),
            Question::Dump(address) => (0x82, address),
            Question::Changes(address) => (0x83, address),
            Question::Repeat(address) => (0x84, address),
            Question::Serial(address) => (0x91, address),
            Question::Battery(address) => (0x98, address),
        };
        let head = [id, (address >> 7) as u8 & 0x7F, address as u8 & 0x7F];
        [&head[..], &[checksum(&head)]].concat()
    }

    /// Whom it is put to; nobody in particular for a call to all.
    pub(super) fn address(self) -> Option<Address> {
        match self {
            Question::Everybody => None,
            Question::BeQuiet(address)
            | Question::Version(address)
            | Question::Clock(address)
            | Question::Dump(address)
            | Question::Changes(address)
            | Question::Repeat(address)
            | Question::Serial(address)
            | Question::Battery(address) => Some(address),
        }
    }
}

/// The last byte of every command and answer.
pub(super) fn checksum(bytes: &[u8]) -> u8 {
    bytes.iter().fold(0u8, |sum, byte| sum.wrapping_add(*byte)) & 0x7F
}

/// The five digits of the serial number.
impl fmt::Display for Address {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:05}", self.0)
    }
}
