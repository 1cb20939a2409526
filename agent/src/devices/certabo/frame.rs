//! Frames of numbers in letters: a colon, 320 numbers for 64 tags or 8 for rows of occupied squares, an end of line.

use std::borrow::Cow;

use shakmaty::{Bitboard, Square};

use crate::devices::shadow::Picture;
use crate::devices::whole::{Heard, Probe};

/// The number of a piece as its coil reads it; all zero where nothing was read.
pub(super) type Tag = [u8; 5];

const TAGS: usize = 64 * 5;
const ROWS: usize = 8;
/// No frame is longer, line feeds of packets included.
const LONGEST: usize = 1_600;

/// Finds a frame at the beginning of bytes.
pub(super) fn probe(held: &[u8]) -> Probe {
    match held.first() {
        Some(b':') => {}
        Some(byte) if is_filler(*byte) => return Probe::Frame(1),
        _ => return Probe::No("between frames"),
    }
    let mut count = Count::default();
    for (at, &byte) in (1..).zip(&held[1..]) {
        let ended = match byte {
            b':' if count.is_whole() => return Probe::Frame(at),
            b':' => return Probe::No("cut short by the next frame"),
            b'\n' => count.ends_line(held[at - 1] == b'\r'),
            _ => count.takes(byte),
        };
        match ended {
            Some(true) => return Probe::Frame(at + 1),
            Some(false) => return Probe::No("not the numbers of a board"),
            None if at >= LONGEST => return Probe::No("without an end"),
            None => {}
        }
    }
    Probe::More
}

/// Reads a frame that was found.
pub(super) fn read(frame: &[u8]) -> Heard {
    if frame.first() != Some(&b':') {
        return Heard::Filler;
    }
    let digits: Vec<u8> = frame[1..]
        .iter()
        .copied()
        .filter(|byte| byte.is_ascii_digit() || *byte == b' ')
        .collect();
    let text = String::from_utf8_lossy(&digits);
    let numbers: Option<Vec<u8>> = text
        .split_ascii_whitespace()
        .map(|number| number.parse().ok())
        .collect();
    match numbers {
        Some(numbers) if numbers.len() == TAGS => Heard::Tags {
            tags: numbers.as_chunks::<5>().0.to_vec(),
        },
        Some(numbers) if numbers.len() == ROWS => Heard::Board {
            board: Picture::Occupied(rows(&numbers)),
        },
        _ => Heard::Damaged {
            why: "not the numbers of a board",
        },
    }
}

/// Frames that were kept without their colons, each ended by its line, as they were said.
pub(super) fn as_said(kept: &[u8]) -> Cow<'_, [u8]> {
    if !lines(kept).any(is_bare) {
        return Cow::Borrowed(kept);
    }
    let colon = |line| if is_bare(line) { &b":"[..] } else { b"" };
    let said = lines(kept).flat_map(|line| [colon(line), line]);
    Cow::Owned(said.collect::<Vec<_>>().concat())
}

/// Lines with their ends; what follows the last end is one more. A line feed alone ends no line.
fn lines(bytes: &[u8]) -> impl Iterator<Item = &[u8]> {
    let mut rest = bytes;
    std::iter::from_fn(move || {
        let end = rest.windows(2).position(|pair| pair == b"\r\n");
        let (line, after) = rest.split_at(end.map_or(rest.len(), |end| end + 2));
        rest = after;
        (!line.is_empty()).then_some(line)
    })
}

/// As many numbers as a frame has, and its end, but no colon.
fn is_bare(line: &[u8]) -> bool {
    let is_kept = |byte: &u8| byte.is_ascii_digit() || *byte == b' ' || is_filler(*byte);
    let numbers = line.split(|byte| *byte == b' ' || is_filler(*byte) && *byte != b'\n');
    let count = numbers
        .filter(|number| number.iter().any(u8::is_ascii_digit))
        .count();
    let whole = count == ROWS || count == TAGS;
    whole
        && line.first().is_some_and(u8::is_ascii_digit)
        && line.ends_with(b"\r\n")
        && line.iter().all(is_kept)
}

/// The true squares in the order of a frame: a8, b8 … h8, a7 … h1.
pub(super) fn squares() -> impl Iterator<Item = Square> {
    Square::ALL.into_iter().map(Square::flip_vertical)
}

/// The first number is the eighth rank, its highest bit the a-file.
fn rows(numbers: &[u8]) -> Bitboard {
    let bits = numbers
        .iter()
        .flat_map(|row| (0..8).map(move |bit| row >> (7 - bit) & 1 == 1));
    squares()
        .zip(bits)
        .filter(|(_, there)| *there)
        .map(|(square, _)| square)
        .collect()
}

/// Answers to lamp commands, ends of lines and zeros that boards leave between frames.
fn is_filler(byte: u8) -> bool {
    matches!(byte, b'\r' | b'\n' | b'L' | b'D' | b'*' | 0)
}

/// Counts numbers without reading them.
#[derive(Default)]
struct Count {
    numbers: usize,
    in_number: bool,
}

impl Count {
    /// `Some` when the frame is over, for good or bad.
    fn takes(&mut self, byte: u8) -> Option<bool> {
        match byte {
            b'0'..=b'9' => {
                self.numbers += usize::from(!self.in_number);
                self.in_number = true;
                (self.numbers > TAGS).then_some(false)
            }
            b' ' => {
                self.in_number = false;
                None
            }
            _ if is_filler(byte) => None,
            _ => Some(false),
        }
    }

    /// A line feed alone may be the end of a packet in the middle of a number.
    fn ends_line(&mut self, whole_end: bool) -> Option<bool> {
        if whole_end {
            return Some(self.is_whole());
        }
        (self.is_whole() && !self.in_number || self.numbers == ROWS).then_some(true)
    }

    fn is_whole(&self) -> bool {
        self.numbers == TAGS || self.numbers == ROWS
    }
}
