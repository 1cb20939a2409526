//! What the chessclock says, turned from left and right into White and Black.

use shakmaty::{ByColor, Color};

use super::belief::Belief;
use super::board::Board;
use super::clock::{Ack, AckMeaning, ClockMessage, RawReading};
use super::command::HostCommand;
use crate::devices::{
    ChessclockSides, ClockReading, ClockSide, DeviceEvent, Disbelief, Millis, NoClockBecause,
    Orientation,
};

/// The chessclock in the board's socket.
#[derive(Debug)]
pub(super) struct Dial {
    sides: ChessclockSides,
    belief: Belief,
    gone: Option<NoClockBecause>,
    version: Version,
    last_ack: Option<(Millis, Ack)>,
}

/// The one question ever put to a chessclock.
#[derive(Debug, PartialEq, Eq)]
enum Version {
    /// No chessclock was heard yet.
    Later,
    Asked {
        times: u8,
        at: Millis,
    },
    /// Answered, or given up.
    Settled,
}

const ACK_TAKES: Millis = 2_000;
const ACK_TRIES: u8 = 3;
const ACK_REPEATS: Millis = 1_000;

impl Dial {
    pub(super) fn new(
        white_at: Option<ClockSide>,
        board: Option<Orientation>,
        ask_version: bool,
    ) -> Dial {
        Dial {
            sides: ChessclockSides::new(white_at, board),
            belief: Belief::default(),
            gone: None,
            version: if ask_version {
                Version::Later
            } else {
                Version::Settled
            },
            last_ack: None,
        }
    }

    /// The line was opened again: what was read before is old.
    pub(super) fn reopened(&mut self) {
        self.belief = Belief::default();
        self.gone = None;
        self.last_ack = None;
        if !matches!(self.version, Version::Settled) {
            self.version = Version::Later;
        }
    }

    /// A clock message. `Disbelieved` among the events asks for another reading soon.
    pub(super) fn hear(
        &mut self,
        now: Millis,
        message: ClockMessage,
        board: &mut Board,
    ) -> Vec<DeviceEvent> {
        match message {
            ClockMessage::Null => vec![DeviceEvent::Disbelieved(Disbelief::Null)],
            ClockMessage::NoTime => vec![DeviceEvent::Disbelieved(Disbelief::NoTime)],
            ClockMessage::NotConnected => Vec::from_iter(self.went(NoClockBecause::NotConnected)),
            ClockMessage::Ack(ack) => Vec::from_iter(self.hear_ack(now, ack)),
            ClockMessage::Reading(reading) => self.hear_reading(now, reading, board),
        }
    }

    /// There is no chessclock; said once.
    pub(super) fn went(&mut self, because: NoClockBecause) -> Option<DeviceEvent> {
        self.belief.disconnected();
        if self.version != Version::Settled || because == NoClockBecause::NotConnected {
            self.version = Version::Later;
        }
        (self.gone.replace(because) != Some(because)).then_some(DeviceEvent::NoClock(because))
    }

    /// The board was found to lie this way.
    pub(super) fn board_lies(&mut self, orientation: Orientation) -> Option<DeviceEvent> {
        self.sides
            .board_lies(orientation)
            .then(|| self.sides_event())
    }

    /// White's side was fixed, or is to be found out again.
    pub(super) fn configure(&mut self, white_at: Option<ClockSide>) -> Option<DeviceEvent> {
        let before = self.sides;
        self.sides.configure(white_at);
        (before != self.sides).then(|| self.sides_event())
    }

    /// White's first press of the game came from there, before the line was opened.
    pub(super) fn pressed_before(&mut self, side: ClockSide) -> Option<DeviceEvent> {
        let news = self.sides.first_press_of_white(side);
        news.then(|| self.sides_event())
    }

    /// What the chessclock shows after a press that only the board's memory tells of: the side that pressed and its time.
    pub(super) fn after_press(&self, side: ClockSide, seconds: u32) -> Option<ClockMessage> {
        let mut reading = self.belief.last()?;
        match side {
            ClockSide::Left => reading.left.seconds = seconds,
            ClockSide::Right => reading.right.seconds = seconds,
        }
        reading.high = side.other();
        Some(ClockMessage::Reading(reading))
    }

    /// Whether a message shows the rocker on another side than the last that was believed.
    pub(super) fn flips(&self, message: &ClockMessage) -> bool {
        let ClockMessage::Reading(reading) = message else {
            return false;
        };
        let last = self.belief.last();
        last.is_some_and(|last| last.high != reading.high)
    }

    /// Who sits at a side.
    pub(super) fn color(&self, side: ClockSide) -> Color {
        self.sides.color(side)
    }

    /// Asks again for the version when no answer came.
    pub(super) fn tick(&mut self, now: Millis) -> Option<HostCommand> {
        let Version::Asked { times, at } = self.version else {
            return None;
        };
        if now < at + ACK_TAKES {
            return None;
        }
        self.version = if times < ACK_TRIES {
            Version::Asked {
                times: times + 1,
                at: now,
            }
        } else {
            Version::Settled
        };
        (times < ACK_TRIES).then_some(HostCommand::ClockVersion)
    }

    /// When to call [`tick`](Self::tick).
    pub(super) fn wake(&self) -> Option<Millis> {
        match self.version {
            Version::Asked { at, .. } => Some(at + ACK_TAKES),
            Version::Later | Version::Settled => None,
        }
    }

    /// The question for the version, the first time a chessclock was heard.
    pub(super) fn first_question(&mut self, now: Millis) -> Option<HostCommand> {
        if self.version != Version::Later || self.gone.is_some() {
            return None;
        }
        self.version = Version::Asked { times: 1, at: now };
        Some(HostCommand::ClockVersion)
    }

    fn hear_ack(&mut self, now: Millis, ack: Ack) -> Option<DeviceEvent> {
        let repeated = self
            .last_ack
            .is_some_and(|(at, last)| last == ack && now < at + ACK_REPEATS);
        self.last_ack = Some((now, ack));
        if repeated {
            return None;
        }
        match ack.means {
            AckMeaning::Version(kind) => {
                self.version = Version::Settled;
                Some(DeviceEvent::ClockType(kind))
            }
            AckMeaning::Button(press) => Some(DeviceEvent::ClockButton(press)),
            _ => Some(DeviceEvent::ClockAck(ack.bytes)),
        }
    }

    fn hear_reading(
        &mut self,
        _now: Millis,
        reading: RawReading,
        board: &mut Board,
    ) -> Vec<DeviceEvent> {
        let before = match self.belief.judge(reading) {
            Ok(before) => before,
            Err(why) => return vec![DeviceEvent::Disbelieved(why)],
        };
        self.gone = None;
        let mut events = Vec::new();
        if before.is_some_and(|before| before.high != reading.high) {
            self.pressed(reading, board, &mut events);
        }
        events.push(DeviceEvent::Clock(self.in_colours(reading)));
        events
    }

    fn pressed(&mut self, reading: RawReading, board: &mut Board, events: &mut Vec<DeviceEvent>) {
        let presser = reading.high.other();
        if board.is_first_press_of_white() && self.sides.first_press_of_white(presser) {
            events.push(self.sides_event());
        }
        events.push(DeviceEvent::Press {
            by: self.color(presser),
            reading: self.in_colours(reading),
        });
    }

    fn in_colours(&self, reading: RawReading) -> ClockReading {
        let white_at = self.sides.white();
        ClockReading {
            faces: ByColor {
                white: reading.face(white_at),
                black: reading.face(white_at.other()),
            },
            running: reading.running,
            to_move: self.color(reading.high),
            low_battery: reading.low_battery,
            white_at,
        }
    }

    fn sides_event(&self) -> DeviceEvent {
        DeviceEvent::ChessclockSides {
            white: self.sides.white(),
            known_by: self.sides.known_by(),
            contradicts_board: self.sides.contradicts_board(),
        }
    }
}
