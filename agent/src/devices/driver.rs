//! What every family of boards and chessclocks must offer, and the list of those there are.

use serde::Serialize;

use super::capture::Chunk;
use super::certabo::CERTABO;
use super::chessnut::CHESSNUT;
use super::club::CLUB;
use super::dgt::{Dgt, DgtBus, Pegasus};
use super::diyclock::DIYCLOCK;
use super::ichessone::ICHESSONE;
use super::millennium::MILLENNIUM;
use super::novag::{CITRINE, UNIVERSAL};
use super::zmartfun::ZMARTFUN;
use super::{ClockSide, DeviceEvent, OrientationChoice};

/// Milliseconds on the caller's monotonic clock, from any beginning.
pub type Millis = u64;

/// Every family this agent can speak to. Sorted by family; a new one is one line here.
pub static DRIVERS: &[&dyn Driver] = &[
    &CERTABO,
    &CHESSNUT,
    &CITRINE,
    &CLUB,
    &Dgt,
    &DgtBus,
    &DIYCLOCK,
    &ICHESSONE,
    &MILLENNIUM,
    &Pegasus,
    &UNIVERSAL,
    &ZMARTFUN,
];

/// The driver of a family by its name, as in configurations and device ids.
pub fn driver(family: &str) -> Option<&'static dyn Driver> {
    DRIVERS
        .iter()
        .copied()
        .find(|driver| driver.family() == family)
}

/// One family of boards or chessclocks: one file (or folder), one line in [`DRIVERS`].
pub trait Driver: Sync {
    /// The short name used in device ids (`dgt-01025`), configurations and captures.
    fn family(&self) -> &'static str;

    /// What a person should know about the family.
    fn about(&self) -> Family;

    /// A line to one device of the family. Nothing happens before [`Line::opened`].
    fn open(&self, how: LineOptions) -> Box<dyn Line>;

    /// Every frame in recorded bytes with its meaning, garbage included.
    fn transcript(&self, bytes: &[u8]) -> Vec<Frame>;

    /// Whether its boards have lamps whose use is documented.
    fn has_lamps(&self) -> bool {
        false
    }

    /// Recorded bytes without times, cut into frames with plausible times of arrival.
    fn with_times(&self, bytes: &[u8]) -> Vec<Chunk>;
}

/// What a person should know about a family of devices.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Family {
    /// The names printed on the boxes.
    pub names: &'static str,
    /// How it is connected.
    pub connection: &'static str,
    /// Speed of the serial line in baud; none for a board that is no serial port.
    pub baud: Option<u32>,
    /// How quickly it reports.
    pub pace: Pace,
    /// How it is reached.
    pub port: PortKind,
    /// Vendor and product numbers of USB devices that may be one of these; a product of `None` is any.
    pub usb: &'static [(u16, Option<u16>)],
    /// What this driver was checked against, and what it was not.
    pub checked_against: &'static str,
}

impl Family {
    /// How it is connected and how fast, in words: `serial line, 9600 baud`.
    pub fn connected(&self) -> String {
        let speed = self
            .baud
            .map_or(String::new(), |baud| format!(", {baud} baud"));
        format!("{}{speed}", self.connection)
    }
}

/// How quickly a family reports what happens on its squares.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Pace {
    /// Square by square, a sweep in about a quarter of a second.
    Sweep,
    /// The whole board a few times a second.
    Frames,
    /// The whole board at once after every change.
    Fast,
}

/// What kind of port a family is behind.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum PortKind {
    /// A serial port.
    Serial,
    /// A serial port that many boards share.
    Bus,
    /// Reports of a USB device for human interfaces.
    Hid,
}

/// One frame of a transcript.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Frame {
    /// Offset of its first byte.
    pub at: usize,
    /// All its bytes in hexadecimal.
    pub bytes: String,
    /// What it means: at least `kind`, which is `garbage` for noise.
    #[serde(flatten)]
    pub meaning: serde_json::Value,
}

impl Frame {
    /// Adds a frame to a transcript; a run of rubbish is one.
    pub(super) fn add_to(self, frames: &mut Vec<Frame>) {
        let goes_on = match self.meaning["kind"].as_str() {
            Some("filler") => frames.last().is_some_and(|last| last.is("filler")),
            Some("garbage") => {
                let before = frames.len().checked_sub(RUN);
                before.is_some_and(|from| frames[from..].iter().all(|frame| frame.is("garbage")))
            }
            _ => false,
        };
        match frames.last_mut().filter(|_| goes_on) {
            Some(last) => {
                last.bytes.push(' ');
                last.bytes += &self.bytes;
            }
            None => frames.push(self),
        }
    }

    fn is(&self, kind: &str) -> bool {
        self.meaning["kind"] == kind
    }
}

/// After so many pieces of garbage in a row all that follows belongs to the last.
const RUN: usize = 8;

/// How a line is to behave.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct LineOptions {
    /// Where the orientation of the board comes from.
    pub orientation: OrientationChoice,
    /// White's side of the chessclock, when an arbiter has fixed it.
    pub white_at: Option<ClockSide>,
    /// A wireless link: everything waits twice as long, the battery is watched.
    pub bluetooth: bool,
    /// Nobody knows whether the port belongs to this family: it is given up sooner.
    pub probing: bool,
    /// One of this family answered on the port before, and may still be saying what it was asked for.
    pub known: bool,
    /// Bytes come from a recording: nothing is asked, nothing times out, the first byte counts.
    pub recording: bool,
}

/// What the agent may ask of a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Command {
    /// Read the whole board again.
    Dump,
    /// Read the chessclock again.
    Clock,
    /// Read the device's own memory. Blocks a DGT line for more than eight seconds.
    Log,
    /// Read the battery.
    Battery,
    /// Where the orientation of the board comes from, from now on.
    Orientation(OrientationChoice),
    /// Let the lamps blink, where the family has any.
    Blink,
    /// White's side of the chessclock, fixed by an arbiter, or `None` to find out.
    WhiteAt(Option<ClockSide>),
    /// White's side of the chessclock, as an earlier line learned from the first press of the game.
    WhitePressedAt(ClockSide),
}

/// One open line to one device, without the port: bytes in with their time of arrival, events and bytes out.
///
/// **A line never waits and never fails.** Call [`opened`](Line::opened) when the port is open, then
/// [`receive`](Line::receive) for bytes, [`tick`](Line::tick) when [`wake`](Line::wake) has come, and after each of
/// them take everything from [`next_event`](Line::next_event) and [`next_write`](Line::next_write).
pub trait Line: Send {
    /// The port was opened, or opened again: find out who is there.
    fn opened(&mut self, now: Millis);
    /// Bytes arrived.
    fn receive(&mut self, now: Millis, bytes: &[u8]);
    /// Time passed.
    fn tick(&mut self, now: Millis);
    /// The agent wants something.
    fn command(&mut self, now: Millis, command: Command);
    /// The next thing the device said.
    fn next_event(&mut self) -> Option<DeviceEvent>;
    /// The next bytes to write; they are paced already.
    fn next_write(&mut self) -> Option<Vec<u8>>;
    /// When `tick` should be called at the latest.
    fn wake(&self) -> Option<Millis>;
    /// What the device asked to [keep](DeviceEvent::Keep) when it was last there.
    fn remember(&mut self, _kept: &str) {}
    /// Whether the device keeps a log of its own that [`Command::Log`] asks for.
    fn keeps_log(&self) -> bool {
        false
    }
    /// Whether it asks for a chessclock, which then answers even when there is none.
    fn reads_clock(&self) -> bool {
        false
    }
    /// Whether it tells what stands on the board, and not only what is moved.
    fn sees_board(&self) -> bool {
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn drivers_are_sorted_and_found_by_name() {
        let names: Vec<_> = DRIVERS.iter().map(|driver| driver.family()).collect();
        assert!(names.is_sorted(), "{names:?}");
        for name in names {
            assert_eq!(driver(name).map(|driver| driver.family()), Some(name));
        }
        assert!(driver("unheard-of").is_none());
    }
}
