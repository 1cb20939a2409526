//! What a device can have said: the closed list every driver speaks and everything above a driver hears.

use serde::Serialize;
use shakmaty::{Bitboard, ByColor, Color, Piece, Square};

use super::{ClockSide, Orientation, Placement, SidesKnownBy};

/// One thing a device said, in true squares and colours. The time of an event is the time its bytes arrived.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum DeviceEvent {
    /// The device answered who it is. Comes again when more of it becomes known.
    Identified(Identity),
    /// Nothing on this port answers as this family does; the line stays silent until it is opened again.
    NotThisFamily,
    /// The device fell silent or became another one: close the port and open it again.
    Lost(LostBecause),
    /// An initial array (or the device's own log) told how the board lies; dumps and squares follow it from here.
    Orientation(Orientation),
    /// One square was read anew; it may read as before when an answer to a question overtook it.
    Square {
        /// The true square.
        square: Square,
        /// What stands there now.
        piece: Option<Piece>,
    },
    /// The whole board, in true squares; overrules everything heard before.
    Dump(Placement),
    /// One square of a board that cannot tell pieces apart was read anew.
    Occupied {
        /// The true square.
        square: Square,
        /// Whether something stands there now.
        occupied: bool,
    },
    /// The whole of a board that cannot tell pieces apart, in true squares; overrules everything heard before.
    Occupancy(Bitboard),
    /// The pieces carry numbers that nobody has learned yet, or those of another set; or they are known again.
    PiecesUnknown(bool),
    /// What the agent should remember for this device and give back with [`Line::remember`](super::Line::remember).
    Keep(String),
    /// A special piece that proposes a result was put on a square.
    ResultPiece {
        /// The true square.
        square: Square,
        /// The result it stands for.
        sign: ResultSign,
    },
    /// The rocker of the chessclock changed sides: a press, with both times from that very message.
    Press {
        /// Who pressed.
        by: Color,
        /// The message; [`ClockReading::running`] is false for a rocker moved on a stopped chessclock.
        reading: ClockReading,
    },
    /// The chessclock shows this; follows every `Press` as well.
    Clock(ClockReading),
    /// It became known, or doubtful, at which side of the chessclock White sits.
    ChessclockSides {
        /// White's side, as seen by someone who reads the display.
        white: ClockSide,
        /// Why.
        known_by: SidesKnownBy,
        /// Whether this contradicts what the board's orientation suggests.
        contradicts_board: bool,
    },
    /// No chessclock is connected, or it no longer answers.
    NoClock(NoClockBecause),
    /// The chessclock told its type.
    ClockType(ClockType),
    /// The chessclock answered a command: `ack` as the device numbers it (10 hexadecimal is ok), the command, two further bytes.
    ClockAck([u8; 4]),
    /// A button of the chessclock was pressed.
    ClockButton(ButtonPress),
    /// State of a battery board.
    Battery(Battery),
    /// The device's own memory of what happened, oldest first.
    Log(Vec<LogEntry>),
    /// One square changes all the time with one and the same piece on it: a worn transponder.
    Flickers {
        /// The true square.
        square: Square,
    },
    /// A move that cannot be played after those that were heard: others were made unheard.
    DoesNotFollow(String),
    /// A clock message that was understood but not believed.
    Disbelieved(Disbelief),
    /// Bytes that mean nothing, at most 64 of them, and why.
    Garbage {
        /// The beginning of what was thrown away.
        bytes: Vec<u8>,
        /// What was wrong.
        why: &'static str,
    },
}

/// Who a device says it is. What it did not tell is `None`.
#[derive(Clone, Debug, PartialEq, Eq, Default, Serialize)]
pub struct Identity {
    /// The family's name, as in [`super::Driver::family`].
    pub family: &'static str,
    /// The serial number used in the device id, five digits on a DGT board.
    pub serial: Option<String>,
    /// The long serial number of newer boards.
    pub long_serial: Option<String>,
    /// Firmware version, major and minor.
    pub firmware: Option<(u8, u8)>,
    /// Hardware version, major and minor.
    pub hardware: Option<(u8, u8)>,
}

/// Why a line gave a device up.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LostBecause {
    /// Nothing came for five seconds though it was asked every second.
    Silent,
    /// Another serial number answers on the same line.
    AnotherDevice,
}

/// Why there is no chessclock.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NoClockBecause {
    /// The board says that nothing is plugged in.
    NotConnected,
    /// Three questions in a row went unanswered.
    Silent,
}

/// The result proposed by a special piece.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum ResultSign {
    /// Drawn.
    Draw,
    /// White has won.
    WhiteWins,
    /// Black has won.
    BlackWins,
}

/// What a chessclock shows, in colours. Whole seconds; no tenths exist on the wire.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ClockReading {
    /// Each player's side of the display.
    pub faces: ByColor<ClockFace>,
    /// Whether the chessclock is running.
    pub running: bool,
    /// Whose clock runs, or would run if the chessclock were running (from the rocker).
    pub to_move: Color,
    /// Whether the chessclock's battery is low.
    pub low_battery: bool,
    /// At which side of the chessclock White sat when this was read.
    pub white_at: ClockSide,
}

/// One player's side of the display.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct ClockFace {
    /// Time left in whole seconds, at most 9:59:59.
    pub seconds: u32,
    /// Whether the flag has fallen.
    pub flag: Flag,
    /// Whether the sign for time per move (Fischer, Bronstein, delay) is on.
    pub per_move: bool,
}

/// State of a flag.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Flag {
    /// Not fallen.
    Up,
    /// Fallen and shown; the clock may go on in its next period.
    Shown,
    /// Fallen, and the clock is blocked at zero.
    Blocked,
}

/// What kind of chessclock is plugged in.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct ClockType {
    /// Main version: 1 DGT XL, 2 DGT3000.
    pub main: u8,
    /// Sub-version.
    pub sub: u8,
}

/// A button of the chessclock, numbered from the left (1 back … 5 ok), and the set held down, as bits.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct ButtonPress {
    /// Number of the button from the left, 1-5.
    pub button: u8,
    /// Everything held down: 04 back, 08 plus, 10 run, 20 minus, 40 ok, as the device says it.
    pub held: u8,
}

/// State of a battery board. Unknown estimates are `None`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Battery {
    /// Charge in per cent.
    pub percent: u8,
    /// Minutes until empty, or until full when charging.
    pub minutes_left: Option<u16>,
    /// Minutes since it was switched on.
    pub on_minutes: u16,
    /// Minutes in standby.
    pub standby_minutes: u32,
    /// Charging; a board may say neither.
    pub charging: bool,
    /// Discharging; a board may say neither.
    pub discharging: bool,
}

impl Battery {
    /// A board that tells nothing but its charge.
    pub(crate) fn of(percent: u8, charging: bool) -> Battery {
        Battery {
            percent,
            minutes_left: None,
            on_minutes: 0,
            standby_minutes: 0,
            charging,
            discharging: !charging,
        }
    }
}

/// One line of a device's own memory, in true squares and colours.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LogEntry {
    /// A square changed.
    Square {
        /// The true square.
        square: Square,
        /// What stands there now.
        piece: Option<Piece>,
        /// Less than about 250 ms after the change before.
        fast: bool,
    },
    /// The rocker changed: who pressed and the time left to him, in seconds.
    Press {
        /// Who pressed.
        by: Color,
        /// His time in whole seconds.
        seconds: u32,
    },
    /// Power came; the pieces on the board follow as squares.
    PowerUp,
    /// The watchdog restarted the board; the same follows.
    Restarted,
    /// Both armies on the outer rows but not in the standard array (Chess960).
    FourRows,
    /// The board is empty.
    BoardEmpty,
    /// The memory was read out here.
    Downloaded,
    /// The standard initial array stood here.
    StartPosition(Orientation),
    /// The host marked a beginning here; the pieces on the board follow as squares.
    StartTag,
    /// Something newer than this driver.
    Unknown(u8),
}

/// Why a clock message was not believed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Disbelief {
    /// All seven bytes zero, as wireless boards send after a command.
    Null,
    /// Digits that are no time.
    NoTime,
    /// A jump of more than an hour on a running chessclock.
    Jump,
    /// More time for somebody who did not press, on a running chessclock.
    Rise,
    /// Suddenly zero without a flag.
    SuddenZero,
    /// The first reading after the chessclock came back.
    FirstAfterConnection,
}
