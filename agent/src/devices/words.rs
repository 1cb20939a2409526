//! Device events as lines of words, for transcripts, logs and technicians.

use std::fmt;

use shakmaty::{Color, Piece};

use super::{
    Battery, ClockFace, ClockReading, ClockSide, DeviceEvent, Flag, Identity, LogEntry,
    SidesKnownBy, to_hex,
};

impl fmt::Display for DeviceEvent {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            DeviceEvent::Identified(identity) => write_identity(f, identity),
            DeviceEvent::NotThisFamily => f.write_str("not this family"),
            DeviceEvent::Lost(because) => write!(f, "lost {because:?}"),
            DeviceEvent::Orientation(orientation) => write!(f, "orientation {orientation}"),
            DeviceEvent::Square { square, piece } => {
                write!(f, "square {square} {}", letter(*piece))
            }
            DeviceEvent::Dump(placement) => write!(f, "dump {placement}"),
            DeviceEvent::Occupied { square, occupied } => {
                write!(f, "occupied {square} {}", if *occupied { '+' } else { '-' })
            }
            DeviceEvent::Occupancy(squares) => write!(f, "occupancy {:016x}", squares.0),
            DeviceEvent::PiecesUnknown(true) => write!(f, "pieces unknown"),
            DeviceEvent::PiecesUnknown(false) => write!(f, "pieces known"),
            DeviceEvent::Keep(_) => f.write_str("keep"),
            DeviceEvent::ResultPiece { square, sign } => {
                write!(f, "result piece {square} {sign:?}")
            }
            DeviceEvent::Press { by, reading } => write!(f, "press {} {reading}", name(*by)),
            DeviceEvent::Clock(reading) => write!(f, "clock {reading}"),
            DeviceEvent::ChessclockSides {
                white,
                known_by,
                contradicts_board,
            } => write_sides(f, *white, *known_by, *contradicts_board),
            DeviceEvent::NoClock(because) => write!(f, "no clock {because:?}"),
            DeviceEvent::ClockType(kind) => write!(f, "clock type {}.{}", kind.main, kind.sub),
            DeviceEvent::ClockAck(ack) => write!(f, "clock ack {}", to_hex(ack)),
            DeviceEvent::ClockButton(press) => {
                write!(f, "clock button {} held {:02x}", press.button, press.held)
            }
            DeviceEvent::Battery(battery) => write_battery(f, battery),
            DeviceEvent::Log(entries) => write_log(f, entries),
            DeviceEvent::Flickers { square } => write!(f, "flickers {square}"),
            DeviceEvent::DoesNotFollow(said) => write!(f, "does not follow {said}"),
            DeviceEvent::Disbelieved(why) => write!(f, "disbelieved {why:?}"),
            DeviceEvent::Garbage { bytes, why } => write!(f, "garbage {} ({why})", to_hex(bytes)),
        }
    }
}

/// White's time, Black's time, and whose runs; `+` time per move, `*` flag shown, `!` flag and blocked.
impl fmt::Display for ClockReading {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let state = if self.running { "runs" } else { "stopped" };
        write!(
            f,
            "{} {} {} {state}",
            self.faces.white,
            self.faces.black,
            name(self.to_move)
        )?;
        if self.low_battery {
            f.write_str(" low battery")
        } else {
            Ok(())
        }
    }
}

/// Hours, minutes and seconds.
impl fmt::Display for ClockFace {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let s = self.seconds;
        write!(f, "{}:{:02}:{:02}", s / 3600, s / 60 % 60, s % 60)?;
        f.write_str(if self.per_move { "+" } else { "" })?;
        f.write_str(match self.flag {
            Flag::Up => "",
            Flag::Shown => "*",
            Flag::Blocked => "!",
        })
    }
}

impl fmt::Display for LogEntry {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            LogEntry::Square {
                square,
                piece,
                fast,
            } => {
                write!(
                    f,
                    "{square}={}{}",
                    letter(*piece),
                    if *fast { "~" } else { "" }
                )
            }
            LogEntry::Press { by, seconds } => write!(f, "{} {seconds} s", name(*by)),
            LogEntry::StartPosition(orientation) => write!(f, "start {orientation}"),
            other => write!(f, "{other:?}"),
        }
    }
}

fn letter(piece: Option<Piece>) -> char {
    piece.map_or('-', Piece::char)
}

fn name(color: Color) -> &'static str {
    color.fold_wb("white", "black")
}

fn write_identity(f: &mut fmt::Formatter<'_>, identity: &Identity) -> fmt::Result {
    write!(f, "identified {}", identity.family)?;
    let texts = [
        ("serial", &identity.serial),
        ("long serial", &identity.long_serial),
    ];
    for (what, text) in texts {
        text.iter()
            .try_for_each(|text| write!(f, " {what} {text}"))?;
    }
    let versions = [
        ("firmware", identity.firmware),
        ("hardware", identity.hardware),
    ];
    for (what, version) in versions {
        version
            .iter()
            .try_for_each(|(major, minor)| write!(f, " {what} {major}.{minor}"))?;
    }
    Ok(())
}

fn write_sides(
    f: &mut fmt::Formatter<'_>,
    white: ClockSide,
    by: SidesKnownBy,
    odd: bool,
) -> fmt::Result {
    write!(f, "white at the {white} of the clock by {by:?}")?;
    if odd {
        f.write_str(" against the board")
    } else {
        Ok(())
    }
}

fn write_battery(f: &mut fmt::Formatter<'_>, battery: &Battery) -> fmt::Result {
    write!(f, "battery {} %", battery.percent)?;
    battery
        .minutes_left
        .iter()
        .try_for_each(|minutes| write!(f, " {minutes} min left"))?;
    f.write_str(if battery.charging { " charging" } else { "" })
}

fn write_log(f: &mut fmt::Formatter<'_>, entries: &[LogEntry]) -> fmt::Result {
    f.write_str("log")?;
    entries.iter().try_for_each(|entry| write!(f, " {entry},"))
}
