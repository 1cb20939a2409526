//! The shared line as the list of drivers knows it: recordings are read through it, live lines through [`Bus`](super::Bus).

use serde_json::json;

use super::answer::{Answer, probe, read};
use super::member::BusMember;
use crate::devices::whole::{Cutter, Stretch};
use crate::devices::{
    Chunk, Driver, Family, Frame, Line, LineOptions, Millis, Pace, PortKind, to_hex,
};

/// DGT boards that share a line.
pub struct DgtBus;

const BETWEEN: Millis = 40;

impl Driver for DgtBus {
    fn family(&self) -> &'static str {
        "dgtbus"
    }

    fn about(&self) -> Family {
        Family {
            names: "DGT e-boards in bus mode, up to 20 on a line",
            connection: "serial line shared by all",
            baud: Some(9600),
            pace: Pace::Sweep,
            port: PortKind::Bus,
            usb: &[(0x067B, Some(0x2303)), (0x1A86, Some(0x7523))],
            checked_against: "the published layout and its computed examples; never yet on a line of boards",
        }
    }

    fn open(&self, how: LineOptions) -> Box<dyn Line> {
        Box::new(BusMember::new(None, &how))
    }

    fn transcript(&self, bytes: &[u8]) -> Vec<Frame> {
        let mut at = 0;
        let mut frames = Vec::new();
        for stretch in stretches(bytes) {
            shown(at, &stretch).add_to(&mut frames);
            at += stretch.bytes().len();
        }
        frames
    }

    fn with_times(&self, bytes: &[u8]) -> Vec<Chunk> {
        let mut at = 0;
        let timed = stretches(bytes).into_iter().map(|stretch| {
            let chunk = Chunk {
                at,
                bytes: stretch.bytes().to_vec(),
            };
            let passes = matches!(stretch, Stretch::Frame(_));
            at += if passes { BETWEEN } else { 0 };
            chunk
        });
        timed.collect()
    }
}

fn stretches(bytes: &[u8]) -> Vec<Stretch> {
    let mut cutter = Cutter::default();
    let mut stretches = cutter.cut(bytes, probe);
    stretches.extend(cutter.give_up());
    stretches
}

fn shown(at: usize, stretch: &Stretch) -> Frame {
    let meaning = match stretch {
        Stretch::Noise(_, why) => json!({ "kind": "garbage", "why": why }),
        Stretch::Frame(bytes) => read(bytes).map_or(json!({ "kind": "garbage" }), in_words),
    };
    Frame {
        at,
        bytes: to_hex(stretch.bytes()),
        meaning,
    }
}

fn in_words(Answer { from, says }: Answer) -> serde_json::Value {
    let mut meaning = serde_json::to_value(says).unwrap_or(serde_json::Value::Null);
    meaning["board"] = json!(from.to_string());
    meaning
}
