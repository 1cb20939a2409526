//! The frames that a DGT3000 exchanges with its host over two wires, as newer boards pass them on (A3, on a shared line B1).
//!
//! `to, from, length, command, data…, check`. Nobody has recorded what a tournament board sends, and a time frame does not say whether
//! the clock runs: they are decoded, and no board is asked for them.

use serde::Serialize;

use super::clock::read_bcd;

/// A frame with its meaning.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub(super) struct ClockFrame {
    from: Party,
    #[serde(flatten)]
    says: Says,
}

/// Who speaks.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
enum Party {
    Host,
    Clock,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(tag = "says", rename_all = "snake_case")]
enum Says {
    /// Seconds left; `lever` as it is transmitted.
    Time {
        left: u32,
        right: u32,
        lever: u8,
        is_new: bool,
    },
    /// Sets of buttons: 01 back, 02 minus, 04 play, 08 plus, 10 forward, 20 on or off, 40 the lever's right side down.
    Buttons {
        now: u8,
        before: u8,
    },
    Ack {
        command: u8,
        status: u8,
    },
    Hello,
    /// What only a host says to a clock.
    Order {
        command: u8,
    },
    /// A command that nobody described, or digits that are no time.
    NotRead {
        command: u8,
    },
}

const HOST: u8 = 0x20;
/// A clock's own address, and the one in front of the buttons of a Centaur.
const CLOCKS: [u8; 2] = [0x10, 0x14];
/// Everybody, the clock, the host, and whoever sleeps.
const RECEIVERS: [u8; 4] = [0x00, 0x10, HOST, 0x50];
const SHORTEST: usize = 5;
const TIME: usize = 0x18;

/// Reads the frame in a message's content; whatever stands in front of it is a board's own.
pub(super) fn read(content: &[u8]) -> Option<ClockFrame> {
    (0..content.len()).find_map(|start| read_here(&content[start..]))
}

fn read_here(bytes: &[u8]) -> Option<ClockFrame> {
    let [to, from, length, ..] = *bytes else {
        return None;
    };
    let frame = bytes.get(..usize::from(length))?;
    let (check, checked) = frame.split_last()?;
    let whole = frame.len() >= SHORTEST && RECEIVERS.contains(&to) && is_intact(checked, *check);
    let from = match from {
        HOST => Party::Host,
        clock if CLOCKS.contains(&clock) => Party::Clock,
        _ => return None,
    };
    whole.then(|| ClockFrame {
        from,
        says: meaning(from, frame),
    })
}

/// A serial line carries seven bits of the check.
fn is_intact(checked: &[u8], check: u8) -> bool {
    (check_of(checked) ^ check) & 0x7F == 0
}

/// CRC-8 with the polynomial 07; who sleeps is called by another address than is counted.
fn check_of(checked: &[u8]) -> u8 {
    let counted = |&byte: &u8| if byte == 0x50 { 0x10 } else { byte };
    let first = checked.first().map(counted);
    let all = first.into_iter().chain(checked.iter().skip(1).copied());
    all.fold(0, |check, byte| {
        (0..8).fold(check ^ byte, |check, _| {
            (check << 1) ^ if check & 0x80 == 0 { 0 } else { 0x07 }
        })
    })
}

fn meaning(from: Party, frame: &[u8]) -> Says {
    let command = frame[3];
    match (from, command, &frame[4..frame.len() - 1]) {
        (Party::Host, ..) => Says::Order { command },
        (_, 0x01, [of, status, ..]) => Says::Ack {
            command: *of,
            status: *status,
        },
        (_, 0x02, _) => Says::Hello,
        (_, 0x04, _) => read_time(frame).unwrap_or(Says::NotRead { command }),
        (_, 0x05, [now, before, ..]) => Says::Buttons {
            now: *now,
            before: *before,
        },
        _ => Says::NotRead { command },
    }
}

fn read_time(frame: &[u8]) -> Option<Says> {
    let at = |place: usize| read_side(frame.get(place..place + 3)?);
    let (left, right) = (at(5)?, at(11)?);
    (frame.len() == TIME).then(|| Says::Time {
        left,
        right,
        lever: frame[19] & 1,
        is_new: frame[20] != 1,
    })
}

fn read_side(digits: &[u8]) -> Option<u32> {
    let hours = u32::from(digits[0] & 0x0F);
    let seconds = read_bcd(digits[1])? * 60 + read_bcd(digits[2])?;
    (hours <= 9).then_some(hours * 3600 + seconds)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::devices::parse_hex;

    /// What is on the two wires, with all eight bits of its check.
    #[test]
    fn frames_mean_what_the_layouts_say() {
        let spaces = "20 ".repeat(11);
        let time = "00 10 18 04 00 21 29 58 00 00 00 01 30 00 00 00 00 00 00 01 00 00 00";
        let rows = [
            (
                "50 20 05 0d 46",
                r#"{"from":"host","says":"order","command":13}"#,
            ),
            (
                "10 20 05 0f 48",
                r#"{"from":"host","says":"order","command":15}"#,
            ),
            (
                "10 20 06 0b 39 b9",
                r#"{"from":"host","says":"order","command":11}"#,
            ),
            (
                "10 20 06 0b 00 16",
                r#"{"from":"host","says":"order","command":11}"#,
            ),
            (
                "10 20 05 07 70",
                r#"{"from":"host","says":"order","command":7}"#,
            ),
            (
                &format!("10 20 15 06 {spaces} ff 00 03 01 01 fc"),
                r#"{"from":"host","says":"order","command":6}"#,
            ),
            (
                "10 20 0c 0a 01 30 00 01 30 00 01 c2",
                r#"{"from":"host","says":"order","command":10}"#,
            ),
            (
                "10 20 0c 0a 01 30 00 01 30 00 08 fd",
                r#"{"from":"host","says":"order","command":10}"#,
            ),
            ("00 10 07 02 22 01 05", r#"{"from":"clock","says":"hello"}"#),
            (
                &format!("{time} {:02x}", check_of(&bytes(time))),
                r#"{"from":"clock","says":"time","left":5398,"right":5400,"lever":1,"is_new":true}"#,
            ),
        ];
        for (frame, expect) in rows {
            let read = read(&bytes(frame)).unwrap_or_else(|| panic!("{frame} is whole"));
            let told = serde_json::to_string(&read).expect("plain data");
            assert_eq!(told, expect, "{frame}");
        }
    }

    #[test]
    fn a_frame_with_a_wrong_check_or_a_wrong_length_is_none() {
        for frame in [
            "",
            "10",
            "10 20 05 07 71",
            "10 20 06 07 70",
            "10 20 04 07",
            "10 30 05 07 70",
        ] {
            assert_eq!(read(&bytes(frame)), None, "{frame}");
        }
    }

    fn bytes(hex: &str) -> Vec<u8> {
        parse_hex(hex).expect("rows are hexadecimal")
    }
}
