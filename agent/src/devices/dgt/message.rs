//! What one message means, in the board's own numbering and sides.

use serde::{Serialize, Serializer};

use super::clock::{self, ClockMessage};
use super::clock_frame::{self, ClockFrame};
use super::codes::{Field, piece_of_code, square_of_number};
use super::log::{self, RawEntry};
use crate::devices::{Battery, Placement};

/// A message with its meaning.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub(super) enum Message {
    Dump(Codes),
    Field(Field),
    Clock(ClockMessage),
    Log {
        entries: Vec<RawEntry>,
    },
    BusAddress {
        address: u16,
    },
    Serial {
        serial: String,
    },
    LongSerial {
        serial: String,
    },
    TradeMark {
        text: String,
    },
    Firmware {
        major: u8,
        minor: u8,
    },
    Hardware {
        major: u8,
        minor: u8,
    },
    Battery(Battery),
    /// Newer boards: what a clock and its host say to each other on their own wires.
    ClockFrame(ClockFrame),
    /// Draughts dumps, Pegasus states and whatever is newer: not read by this driver.
    NotRead {
        id: u8,
    },
    /// Says nothing.
    Nothing,
    /// A message whose content is impossible.
    Damaged {
        why: &'static str,
    },
}

/// The 64 piece codes of a dump, in the board's own order.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Codes(pub(super) [u8; 64]);

impl Codes {
    /// The pieces, with the board's numbers taken for true squares.
    pub(super) fn placement(&self) -> Placement {
        let mut placement = Placement::EMPTY;
        for (number, code) in (0..).zip(self.0) {
            if let Some(square) = square_of_number(number) {
                placement.set(square, piece_of_code(code));
            }
        }
        placement
    }
}

impl Serialize for Codes {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        #[derive(Serialize)]
        struct Shown {
            placement: String,
        }
        let placement = self.placement().to_string();
        Shown { placement }.serialize(serializer)
    }
}

/// Reads a whole message, header included.
pub(super) fn read(frame: &[u8]) -> Message {
    let payload = frame.get(3..).unwrap_or_default();
    match frame.first().copied().unwrap_or(0x80) {
        0x80 => Message::Nothing,
        0x86 => read_dump(payload),
        0x8D => payload
            .try_into()
            .map_or(Message::NotRead { id: 0x8D }, |p| {
                Message::Clock(clock::read(p))
            }),
        0x8E => read_field(payload),
        0x8F => Message::Log {
            entries: log::read(payload),
        },
        0x90 => read_bus_address(payload),
        0x91 => text(payload, 5).map_or(NOT_TEXT, |serial| Message::Serial { serial }),
        0x92 => Message::TradeMark {
            text: String::from_utf8_lossy(payload).into_owned(),
        },
        0x93 => read_pair(payload, |major, minor| Message::Firmware { major, minor }),
        0x96 => read_pair(payload, |major, minor| Message::Hardware { major, minor }),
        0xA0 => read_battery(payload),
        0xA2 => long_serial(payload).map_or(NOT_TEXT, |serial| Message::LongSerial { serial }),
        0xA3 => {
            clock_frame::read(payload).map_or(Message::NotRead { id: 0xA3 }, Message::ClockFrame)
        }
        id => Message::NotRead { id },
    }
}

const NOT_TEXT: Message = Message::Damaged {
    why: "a serial number that is no text",
};
const SHORT: Message = Message::Damaged {
    why: "too short for its kind",
};

fn read_dump(payload: &[u8]) -> Message {
    match payload.try_into() {
        Ok(codes) => Message::Dump(Codes(codes)),
        Err(_) => Message::Damaged {
            why: "a board of 100 squares",
        },
    }
}

fn read_field(payload: &[u8]) -> Message {
    match *payload {
        [number @ 0..=63, code] => Message::Field(Field { number, code }),
        _ => Message::Damaged {
            why: "a square that does not exist",
        },
    }
}

fn read_bus_address(payload: &[u8]) -> Message {
    read_pair(payload, |high, low| Message::BusAddress {
        address: u16::from(high) << 7 | u16::from(low),
    })
}

fn read_pair(payload: &[u8], make: impl Fn(u8, u8) -> Message) -> Message {
    match *payload {
        [first, second] => make(first, second),
        _ => SHORT,
    }
}

/// Ten letters; a Revelation II begins with its version: `3.25…`.
fn long_serial(payload: &[u8]) -> Option<String> {
    let text = str::from_utf8(payload.get(..10)?).ok()?;
    let good = text.bytes().all(|byte| byte.is_ascii_graphic());
    good.then(|| text.to_owned())
}

fn text(payload: &[u8], length: usize) -> Option<String> {
    let text = str::from_utf8(payload.get(..length)?).ok()?;
    text.bytes()
        .all(|byte| byte.is_ascii_alphanumeric())
        .then(|| text.to_owned())
}

/// The nine bytes of a battery's state, in either mode.
pub(super) fn read_battery(payload: &[u8]) -> Message {
    let &[
        percent,
        hours,
        minutes,
        on_hours,
        on_minutes,
        days,
        standby_hours,
        standby_minutes,
        status,
    ] = payload
    else {
        return SHORT;
    };
    let known = hours != 0x7F && minutes != 0x7F;
    let (days, standby_hours) = (u32::from(days), u32::from(standby_hours));
    Message::Battery(Battery {
        percent,
        minutes_left: known.then(|| u16::from(hours) * 60 + u16::from(minutes)),
        on_minutes: u16::from(on_hours) * 60 + u16::from(on_minutes),
        standby_minutes: (days * 24 + standby_hours) * 60 + u32::from(standby_minutes),
        charging: status & 0x01 != 0,
        discharging: status & 0x02 != 0,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::devices::parse_hex;

    fn meaning(hex: &str) -> String {
        let frame = parse_hex(hex).expect("rows are hexadecimal");
        serde_json::to_string(&read(&frame)).expect("messages are plain data")
    }

    #[test]
    fn messages_mean_what_the_layouts_say() {
        let rows = [
            (
                "91 00 08 30 31 30 32 35",
                r#"{"kind":"serial","serial":"01025"}"#,
            ),
            (
                "91 00 0c 30 37 36 35 34 20 31 2e 34 20",
                r#"{"kind":"serial","serial":"07654"}"#,
            ),
            (
                "91 00 08 30 31 1b 32 35",
                r#"{"kind":"damaged","why":"a serial number that is no text"}"#,
            ),
            ("90 00 05 08 01", r#"{"kind":"bus_address","address":1025}"#),
            (
                "93 00 05 03 0a",
                r#"{"kind":"firmware","major":3,"minor":10}"#,
            ),
            (
                "96 00 05 01 00",
                r#"{"kind":"hardware","major":1,"minor":0}"#,
            ),
            (
                "a2 00 0d 33 30 30 30 31 34 37 37 34 30",
                r#"{"kind":"long_serial","serial":"3000147740"}"#,
            ),
            (
                "a2 00 0d 33 2e 32 35 30 30 31 32 33 34",
                r#"{"kind":"long_serial","serial":"3.25001234"}"#,
            ),
            (
                "8e 00 05 34 00",
                r#"{"kind":"field","square":"e2","piece":null,"code":0}"#,
            ),
            (
                "8e 00 05 40 01",
                r#"{"kind":"damaged","why":"a square that does not exist"}"#,
            ),
            ("80", r#"{"kind":"nothing"}"#),
            ("80 00 03", r#"{"kind":"nothing"}"#),
            ("a4 00 04 01", r#"{"kind":"not_read","id":164}"#),
            (
                "92 00 07 41 20 62 63",
                r#"{"kind":"trade_mark","text":"A bc"}"#,
            ),
            (
                "a0 00 0c 4e 7f 7f 05 11 00 15 2a 02",
                r#"{"kind":"battery","percent":78,"minutes_left":null,"on_minutes":317,"standby_minutes":1302,"charging":false,"discharging":true}"#,
            ),
            (
                "a0 00 0c 37 01 0c 05 11 00 15 2a 01",
                r#"{"kind":"battery","percent":55,"minutes_left":72,"on_minutes":317,"standby_minutes":1302,"charging":true,"discharging":false}"#,
            ),
            (
                "8d 00 0a 00 00 00 00 00 00 20",
                r#"{"kind":"clock","clock":"not_connected"}"#,
            ),
            (
                "8d 00 0a 21 29 58 21 30 00 13",
                concat!(
                    r#"{"kind":"clock","clock":"reading","left":{"seconds":5400,"flag":"up","per_move":true},"#,
                    r#""right":{"seconds":5398,"flag":"up","per_move":true},"running":true,"high":"right","low_battery":false}"#
                ),
            ),
            (
                "8f 00 06 40 34 6b",
                r#"{"kind":"log","entries":[{"field":{"square":"e2","piece":null,"code":0,"fast":false}},"end"]}"#,
            ),
        ];
        for (hex, expect) in rows {
            assert_eq!(meaning(hex), expect, "{hex}");
        }
    }

    #[test]
    fn dumps_are_read_like_a_page() {
        let outer = "08 09 0a 0c 0b 0a 09 08 07 07 07 07 07 07 07 07";
        let own = "01 01 01 01 01 01 01 01 02 03 04 06 05 04 03 02";
        let dump = meaning(&format!("86 00 43 {outer} {} {own}", "00 ".repeat(32)));
        assert_eq!(
            dump,
            r#"{"kind":"dump","placement":"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR"}"#
        );
        let large = meaning(&format!("86 00 67 {}", "00 ".repeat(100)));
        assert_eq!(
            large,
            r#"{"kind":"damaged","why":"a board of 100 squares"}"#
        );
    }
}
