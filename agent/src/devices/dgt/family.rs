//! The DGT family as the list of drivers knows it.

use super::clock::ClockMessage;
use super::frame::{Splitter, Stretch};
use super::line::DgtLine;
use super::message::{self, Message};
use crate::devices::{
    Chunk, Driver, Family, Frame, Line, LineOptions, Millis, Pace, PortKind, to_hex,
};

/// DGT boards in single-board mode.
pub struct Dgt;

/// DGT Pegasus and others that speak the same way and know nothing but occupied squares.
pub struct Pegasus;

/// Chips in boards, and in adapters before them.
const GENERIC_CHIPS: &[(u16, Option<u16>)] = &[
    (0x0403, Some(0x6001)),
    (0x045B, Some(0x8111)),
    (0x04D8, Some(0x000A)),
    (0x067B, Some(0x2303)),
    (0x1A86, Some(0x7523)),
];

const TICK: Millis = 1_000;
const BETWEEN: Millis = 20;

impl Driver for Dgt {
    fn family(&self) -> &'static str {
        "dgt"
    }

    fn about(&self) -> Family {
        Family {
            names: "DGT e-boards (USB, serial, Bluetooth), Smart Board, Revelation II, with DGT XL, DGT3000 and other clocks of their socket",
            connection: "serial line, one board a port",
            baud: Some(9600),
            pace: Pace::Sweep,
            port: PortKind::Serial,
            usb: GENERIC_CHIPS,
            checked_against: "recorded bytes of three games on real boards; never yet on a board itself",
        }
    }

    fn open(&self, how: LineOptions) -> Box<dyn Line> {
        Box::new(DgtLine::new(self.family(), how))
    }

    fn transcript(&self, bytes: &[u8]) -> Vec<Frame> {
        let mut at = 0;
        let mut frames = Vec::new();
        for stretch in split(bytes) {
            let length = stretch_bytes(&stretch).len();
            shown(at, &stretch).add_to(&mut frames);
            at += length;
        }
        frames
    }

    /// A second for each clock message that is no answer, a fiftieth of one for anything else; a run of noise is one thing.
    fn with_times(&self, bytes: &[u8]) -> Vec<Chunk> {
        let mut at = 0;
        let mut since_tick = 0;
        let mut chunks: Vec<Chunk> = Vec::new();
        let mut after_noise = false;
        for stretch in split(bytes) {
            let noise = matches!(stretch, Stretch::Noise(..));
            let goes_on = std::mem::replace(&mut after_noise, noise) && noise;
            if let Some(last) = chunks.last_mut().filter(|_| goes_on) {
                last.bytes.extend_from_slice(stretch_bytes(&stretch));
                continue;
            }
            let step = if is_tick(&stretch) {
                TICK - since_tick
            } else {
                BETWEEN.min(TICK - since_tick)
            };
            since_tick = if is_tick(&stretch) {
                0
            } else {
                since_tick + step
            };
            at += step;
            chunks.push(Chunk {
                at,
                bytes: stretch_bytes(&stretch).to_vec(),
            });
        }
        chunks
    }
}

impl Driver for Pegasus {
    fn family(&self) -> &'static str {
        "pegasus"
    }

    fn about(&self) -> Family {
        Family {
            names: "DGT Pegasus and its kin",
            connection: "a serial byte pipe to the board's wireless link",
            baud: Some(9600),
            pace: Pace::Fast,
            port: PortKind::Serial,
            usb: &[],
            checked_against: "the published layout alone; never yet on a board itself",
        }
    }

    fn open(&self, how: LineOptions) -> Box<dyn Line> {
        Box::new(DgtLine::of_occupied_squares(self.family(), how))
    }

    fn transcript(&self, bytes: &[u8]) -> Vec<Frame> {
        let frames = Dgt.transcript(bytes).into_iter();
        frames.map(without_pieces).collect()
    }

    fn with_times(&self, bytes: &[u8]) -> Vec<Chunk> {
        Dgt.with_times(bytes)
    }
}

/// The same bytes with one message a chunk, each at the time of its last byte.
pub(crate) fn by_messages(chunks: &[Chunk]) -> Vec<Chunk> {
    let mut splitter = Splitter::default();
    let mut whole = Vec::new();
    let mut take = |at: Millis, stretches: Vec<Stretch>| {
        whole.extend(stretches.iter().map(|stretch| Chunk {
            at,
            bytes: stretch_bytes(stretch).to_vec(),
        }));
    };
    for chunk in chunks {
        take(chunk.at, splitter.receive(chunk.at, &chunk.bytes));
    }
    take(chunks.last().map_or(0, |chunk| chunk.at), splitter.finish());
    whole
}

fn split(bytes: &[u8]) -> Vec<Stretch> {
    let mut splitter = Splitter::default();
    let mut stretches = splitter.receive(0, bytes);
    stretches.extend(splitter.finish());
    stretches
}

fn stretch_bytes(stretch: &Stretch) -> &[u8] {
    match stretch {
        Stretch::Frame(bytes) | Stretch::Noise(bytes, _) => bytes,
    }
}

fn is_tick(stretch: &Stretch) -> bool {
    let Stretch::Frame(bytes) = stretch else {
        return false;
    };
    matches!(
        message::read(bytes),
        Message::Clock(ClockMessage::Reading(_))
    )
}

fn shown(at: usize, stretch: &Stretch) -> Frame {
    let meaning = match stretch {
        Stretch::Frame(bytes) => message::read(bytes),
        Stretch::Noise(_, why) => Message::Damaged { why },
    };
    Frame {
        at,
        bytes: to_hex(stretch_bytes(stretch)),
        meaning: in_words(&meaning),
    }
}

/// Squares are occupied or empty there, whatever the codes would stand for elsewhere.
fn without_pieces(mut frame: Frame) -> Frame {
    let meaning = &frame.meaning;
    let told = match meaning["kind"].as_str() {
        Some("dump") => {
            let board = meaning["placement"].as_str().unwrap_or_default();
            serde_json::json!({ "kind": "board", "board": occupied(board) })
        }
        Some("field") => {
            let occupied = meaning["code"] != 0;
            serde_json::json!({ "kind": "field", "square": meaning["square"], "occupied": occupied })
        }
        _ => return frame,
    };
    frame.meaning = told;
    frame
}

/// `PPPPPPPP/8` as `????????/........`.
fn occupied(placement: &str) -> String {
    let shown = |letter: char| match letter.to_digit(10) {
        Some(empty) => ".".repeat(empty as usize),
        None if letter == '/' => "/".to_owned(),
        None => "?".to_owned(),
    };
    placement.chars().map(shown).collect()
}

fn in_words(meaning: &Message) -> serde_json::Value {
    if let Message::Damaged { why } = meaning {
        return serde_json::json!({ "kind": "garbage", "why": why });
    }
    serde_json::to_value(meaning).unwrap_or(serde_json::Value::Null)
}
