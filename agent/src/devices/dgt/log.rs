//! The board's own memory (8F): a ring that is written whether somebody listens or not.

use serde::Serialize;

use super::clock::read_bcd;
use super::codes::Field;
use crate::devices::{ClockSide, Orientation};

/// One entry as it is stored, in the board's own numbering.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum RawEntry {
    /// A square changed; `fast` when less than about 250 ms after the change before.
    Field {
        #[serde(flatten)]
        field: Field,
        fast: bool,
    },
    /// The rocker changed: the side that pressed and its time.
    Time {
        side: ClockSide,
        seconds: u32,
    },
    PowerUp,
    End,
    FourRows,
    Empty,
    Downloaded,
    Start(Orientation),
    StartTag,
    Restarted,
    /// Reserved, or newer than this driver.
    Unknown(u8),
}

/// Reads a downloaded memory, oldest entry first, up to its end mark. What is no entry is skipped.
pub(super) fn read(mut bytes: &[u8]) -> Vec<RawEntry> {
    let mut entries = Vec::new();
    while let [first, ..] = *bytes {
        let (entry, length) = read_entry(bytes, first);
        entries.extend(entry);
        if entry == Some(RawEntry::End) {
            break;
        }
        bytes = &bytes[length..];
    }
    entries
}

fn read_entry(bytes: &[u8], first: u8) -> (Option<RawEntry>, usize) {
    match first {
        0x00..=0x3F | 0x7F => (None, 1),
        0x40..=0x5F => or_unknown(read_field(bytes), first, 2),
        0x60..=0x69 | 0x70..=0x79 => or_unknown(read_time(bytes), first, 3),
        _ => (Some(read_tag(first)), 1),
    }
}

fn or_unknown(entry: Option<RawEntry>, first: u8, length: usize) -> (Option<RawEntry>, usize) {
    match entry {
        Some(entry) => (Some(entry), length),
        None => (Some(RawEntry::Unknown(first)), 1),
    }
}

fn read_field(bytes: &[u8]) -> Option<RawEntry> {
    let &[first, number, ..] = bytes else {
        return None;
    };
    let field = Field {
        number,
        code: first & 0x0F,
    };
    let entry = RawEntry::Field {
        field,
        fast: first & 0x10 != 0,
    };
    (number < 0x40).then_some(entry)
}

fn read_time(bytes: &[u8]) -> Option<RawEntry> {
    let &[first, minutes, seconds, ..] = bytes else {
        return None;
    };
    let side = if first & 0x10 != 0 {
        ClockSide::Left
    } else {
        ClockSide::Right
    };
    let seconds = u32::from(first & 0x0F) * 3600 + read_bcd(minutes)? * 60 + read_bcd(seconds)?;
    Some(RawEntry::Time { side, seconds })
}

fn read_tag(byte: u8) -> RawEntry {
    match byte {
        0x6A => RawEntry::PowerUp,
        0x6B => RawEntry::End,
        0x6C => RawEntry::FourRows,
        0x6D => RawEntry::Empty,
        0x6E => RawEntry::Downloaded,
        0x6F => RawEntry::Start(Orientation::Normal),
        0x7A => RawEntry::Start(Orientation::Rotated),
        0x7B => RawEntry::StartTag,
        0x7C => RawEntry::Restarted,
        _ => RawEntry::Unknown(byte),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::devices::parse_hex;

    fn words(entry: &RawEntry) -> String {
        match entry {
            RawEntry::Field { field, fast } => {
                format!(
                    "{:02x}={:x}{}",
                    field.number,
                    field.code,
                    if *fast { "~" } else { "" }
                )
            }
            RawEntry::Time { side, seconds } => format!("{side} {seconds}"),
            other => format!("{other:?}"),
        }
    }

    #[test]
    fn memories_are_read() {
        let rows = [
            (
                "7f 7f 7f 6a 6f 40 34 51 24 71 29 57 40 0b 57 1b 61 28 03 6e 6b",
                "PowerUp, Start(Normal), 34=0, 24=1~, left 5397, 0b=0, 1b=7~, right 5283, Downloaded, End",
            ),
            ("40 3c 55 3e 40 3f 52 3d", "3c=0, 3e=5~, 3f=0, 3d=2~"),
            ("40 0c 40 04 46 04", "0c=0, 04=0, 04=6"),
            (
                "24 05 00 6d 6c 7a 7b 7c 05 7d",
                "Empty, FourRows, Start(Rotated), StartTag, Restarted, Unknown(125)",
            ),
            ("6b 40 3c", "End"),
            ("29 57 61 28 03", "Unknown(87), right 5283"),
            ("71 29", "Unknown(113)"),
            ("71 6a 29 57", "Unknown(113), PowerUp, Unknown(87)"),
            ("5f", "Unknown(95)"),
            ("", ""),
        ];
        for (hex, expect) in rows {
            let entries = read(&parse_hex(hex).expect("rows are hexadecimal"));
            let shown: Vec<String> = entries.iter().map(words).collect();
            assert_eq!(shown.join(", "), expect, "{hex}");
        }
    }
}
