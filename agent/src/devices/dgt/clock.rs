//! The seven bytes of a clock message (8D): a reading of both sides, or the chessclock's answer to a command.

use serde::Serialize;

use crate::devices::{ButtonPress, ClockFace, ClockSide, ClockType, Flag};

/// What a clock message says.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(tag = "clock", rename_all = "snake_case")]
pub(super) enum ClockMessage {
    /// Both sides of the display.
    Reading(RawReading),
    /// An answer to a command, or a button.
    Ack(Ack),
    /// The board has no chessclock.
    NotConnected,
    /// All zero: says nothing.
    Null,
    /// Digits that are no time.
    NoTime,
}

/// Both sides as the display shows them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub(super) struct RawReading {
    pub(super) left: ClockFace,
    pub(super) right: ClockFace,
    pub(super) running: bool,
    /// The side of the rocker that stands high: its clock runs, the other side has pressed.
    pub(super) high: ClockSide,
    pub(super) low_battery: bool,
}

/// Four bytes of an answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub(super) struct Ack {
    #[serde(rename = "ack")]
    pub(super) bytes: [u8; 4],
    pub(super) means: AckMeaning,
}

/// What an answer is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum AckMeaning {
    Version(ClockType),
    Button(ButtonPress),
    Accepted,
    Ready,
    ModeChanged,
    NotInRemoteMode,
    Refused,
}

impl RawReading {
    pub(super) fn face(&self, side: ClockSide) -> ClockFace {
        match side {
            ClockSide::Left => self.left,
            ClockSide::Right => self.right,
        }
    }
}

/// Reads the payload of a clock message.
pub(super) fn read(payload: [u8; 7]) -> ClockMessage {
    let [right @ .., _, _, _, status] = &payload;
    let left = [payload[3], payload[4], payload[5]];
    if payload == [0; 7] {
        ClockMessage::Null
    } else if right[0] & 0x0F == 0x0A || left[0] & 0x0F == 0x0A {
        ClockMessage::Ack(read_ack(payload))
    } else if status & 0x20 != 0 {
        ClockMessage::NotConnected
    } else {
        match (read_face(left), read_face(*right)) {
            (Some(left), Some(right)) => ClockMessage::Reading(with_status(left, right, *status)),
            _ => ClockMessage::NoTime,
        }
    }
}

/// Two decimal digits in one byte, at most 59.
pub(super) fn read_bcd(byte: u8) -> Option<u32> {
    let (tens, ones) = (byte >> 4, byte & 0x0F);
    (tens <= 5 && ones <= 9).then(|| u32::from(tens * 10 + ones))
}

fn with_status(left: ClockFace, right: ClockFace, status: u8) -> RawReading {
    RawReading {
        left,
        right,
        running: status & 0x01 != 0,
        high: if status & 0x02 != 0 {
            ClockSide::Right
        } else {
            ClockSide::Left
        },
        low_battery: status & 0x04 != 0,
    }
}

fn read_face([hours, minutes, seconds]: [u8; 3]) -> Option<ClockFace> {
    let whole_hours = u32::from(hours & 0x0F);
    let seconds = whole_hours * 3600 + read_bcd(minutes)? * 60 + read_bcd(seconds)?;
    (whole_hours <= 9).then(|| ClockFace {
        seconds,
        flag: read_flag(hours),
        per_move: hours & 0x20 != 0,
    })
}

fn read_flag(hours: u8) -> Flag {
    match (hours & 0x10 != 0, hours & 0x40 != 0) {
        (true, _) => Flag::Blocked,
        (false, true) => Flag::Shown,
        (false, false) => Flag::Up,
    }
}

fn read_ack(p: [u8; 7]) -> Ack {
    let join = |low: u8, high: u8, shift: u32| (low & 0x7F) | ((high << shift) & 0x80);
    let bytes = [
        join(p[1], p[3], 3),
        join(p[2], p[3], 2),
        join(p[4], p[0], 3),
        join(p[5], p[0], 2),
    ];
    Ack {
        bytes,
        means: ack_meaning(bytes),
    }
}

fn ack_meaning([ack, command, first, second]: [u8; 4]) -> AckMeaning {
    match (ack, command) {
        (0x10, 0x09) => AckMeaning::Version(ClockType {
            main: first >> 4,
            sub: first & 0x0F,
        }),
        (0x10, 0x88) => AckMeaning::Button(ButtonPress {
            button: second.wrapping_sub(0x30),
            held: first & !1,
        }),
        (0x10, 0x81) => AckMeaning::Ready,
        (0x10, 0x8A) => AckMeaning::ModeChanged,
        (0x10, 0x90) => AckMeaning::NotInRemoteMode,
        (0x10, _) => AckMeaning::Accepted,
        _ => AckMeaning::Refused,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::devices::parse_hex;

    fn payload(hex: &str) -> [u8; 7] {
        parse_hex(hex)
            .expect("rows are hexadecimal")
            .try_into()
            .expect("rows have seven bytes")
    }

    fn words(hex: &str) -> String {
        match read(payload(hex)) {
            ClockMessage::Reading(r) => format!(
                "left {} right {} {} {} high{}",
                face(r.left),
                face(r.right),
                if r.running { "running" } else { "stopped" },
                r.high,
                if r.low_battery { " low" } else { "" },
            ),
            ClockMessage::Ack(ack) => format!("{:02x?} {:?}", ack.bytes, ack.means),
            other => format!("{other:?}"),
        }
    }

    fn face(face: ClockFace) -> String {
        let s = face.seconds;
        let sign = if face.per_move { "+" } else { "" };
        let flag = match face.flag {
            Flag::Up => "",
            Flag::Shown => "*",
            Flag::Blocked => "!",
        };
        format!("{}:{:02}:{:02}{sign}{flag}", s / 3600, s / 60 % 60, s % 60)
    }

    #[test]
    fn readings_and_answers() {
        let rows = [
            (
                "21 29 58 21 30 00 13",
                "left 1:30:00+ right 1:29:58+ running right high",
            ),
            (
                "30 00 00 20 00 16 12",
                "left 0:00:16+ right 0:00:00+! stopped right high",
            ),
            (
                "30 00 00 20 00 20 16",
                "left 0:00:20+ right 0:00:00+! stopped right high low",
            ),
            (
                "00 12 07 10 00 00 08",
                "left 0:00:00! right 0:12:07 stopped left high",
            ),
            (
                "40 59 59 01 04 00 13",
                "left 1:04:00 right 0:59:59* running right high",
            ),
            (
                "09 59 59 09 59 59 09",
                "left 9:59:59 right 9:59:59 running left high",
            ),
            ("00 00 00 00 00 00 20", "NotConnected"),
            ("01 02 03 01 02 03 29", "NotConnected"),
            ("00 00 00 00 00 00 00", "Null"),
            ("01 60 00 01 00 00 08", "NoTime"),
            ("01 00 00 01 00 5a 08", "NoTime"),
            ("0b 00 00 01 00 00 08", "NoTime"),
            (
                "0a 10 09 0a 20 00 00",
                "[10, 09, 20, 00] Version(ClockType { main: 2, sub: 0 })",
            ),
            ("0a 10 0c 0a 00 00 00", "[10, 0c, 00, 00] Accepted"),
            (
                "0a 10 08 2a 05 31 00",
                "[10, 88, 05, 31] Button(ButtonPress { button: 1, held: 4 })",
            ),
            (
                "0a 10 08 2a 41 35 00",
                "[10, 88, 41, 35] Button(ButtonPress { button: 5, held: 64 })",
            ),
            (
                "0a 10 08 2a 45 35 00",
                "[10, 88, 45, 35] Button(ButtonPress { button: 5, held: 68 })",
            ),
            ("0a 10 01 2a 00 00 00", "[10, 81, 00, 00] Ready"),
            ("0a 40 0a 0a 00 00 00", "[40, 0a, 00, 00] Refused"),
            ("0a 20 00 0a 00 00 00", "[20, 00, 00, 00] Refused"),
            (
                "1a 10 09 0a 00 00 00",
                "[10, 09, 80, 00] Version(ClockType { main: 8, sub: 0 })",
            ),
        ];
        for (hex, expect) in rows {
            assert_eq!(words(hex), expect, "{hex}");
        }
    }
}
