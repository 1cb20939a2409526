//! What a family that reports whole boards has to say about itself: how its bytes are cut, read, and asked for.

use std::borrow::Cow;

use serde::Serialize;

use super::cutter::{Cutter, Probe};
use crate::devices::clock_face::Displays;
use crate::devices::shadow::Picture;
use crate::devices::{Battery, Chunk, Frame, Millis, OrientationChoice, to_hex};

/// How a conversation with a family goes. Times in milliseconds.
#[derive(Clone, Copy, Debug)]
pub(in crate::devices) struct Manner {
    /// After opening nothing is said for so long.
    pub(in crate::devices) settle: Millis,
    /// Whether what arrives while settling counts.
    pub(in crate::devices) listens_at_once: bool,
    /// What is said then, one after the other.
    pub(in crate::devices) hello: &'static [&'static [u8]],
    /// An answer is waited for so long after the last word.
    pub(in crate::devices) answer: Millis,
    /// The hello is said so many times.
    pub(in crate::devices) tries: u8,
    /// Least time between two writes.
    pub(in crate::devices) spacing: Millis,
    /// Asks for the whole board, and how often; a family that reports by itself is asked now and then.
    pub(in crate::devices) board: Option<(&'static [u8], Millis)>,
    /// Asks for the chessclock, and how often.
    pub(in crate::devices) clock: Option<(&'static [u8], Millis)>,
    /// Asks for the battery, once a minute.
    pub(in crate::devices) battery: Option<&'static [u8]>,
    /// Lights every lamp, and puts them all out.
    pub(in crate::devices) lamps: Option<[&'static [u8]; 2]>,
    /// Something is heard at least this often, or the board is lost; none: it may be silent for hours.
    pub(in crate::devices) silent: Option<Millis>,
    /// It says a serial number of its own, and is not known before.
    pub(in crate::devices) tells_serial: bool,
    /// An incomplete message is given up after this.
    pub(in crate::devices) patience: Millis,
}

/// A stretch of what arrived.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(in crate::devices) enum Stretch {
    /// A whole message.
    Frame(Vec<u8>),
    /// Bytes that belong to none, and why.
    Noise(Vec<u8>, &'static str),
}

/// What a message means.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub(in crate::devices) enum Heard {
    /// The whole board.
    Board {
        /// In the board's own numbering.
        board: Picture,
    },
    /// What the coils of a board read whose pieces carry numbers: a8, b8 … h1.
    Tags {
        /// Five bytes each, all zero where nothing was read.
        tags: Vec<[u8; 5]>,
    },
    /// A move or a word of a board that says no squares.
    Line {
        /// As it was said.
        said: String,
    },
    /// Both displays of a chessclock.
    Clock {
        /// As they show it.
        clock: Displays,
    },
    /// Who it is.
    Identity {
        /// Its serial number.
        serial: String,
        /// Version of its program, main number.
        major: u8,
        /// Sub-number.
        minor: u8,
    },
    /// The version of its program.
    Firmware {
        /// Main number.
        major: u8,
        /// Sub-number.
        minor: u8,
    },
    /// The battery.
    Battery(Battery),
    /// Something for [`DeviceEvent::Keep`](crate::devices::DeviceEvent::Keep).
    Keep {
        /// In the family's own words.
        what: String,
    },
    /// The pieces carry numbers that nobody knows; or they are known now.
    PiecesUnknown {
        /// Which of both.
        unknown: bool,
    },
    /// A move that cannot be played after those that were heard.
    DoesNotFollow {
        /// As it was said.
        said: String,
    },
    /// Alive, and nothing more.
    Nothing {
        /// What it was.
        what: &'static str,
    },
    /// Bytes between messages that belong there.
    Filler,
    /// Not what it should be.
    Damaged {
        /// What is wrong.
        why: &'static str,
    },
}

/// A family that reports whole boards.
pub(in crate::devices) trait Speech: Send {
    /// How the conversation goes.
    fn manner(&self) -> &'static Manner;
    /// What the beginning of bytes is.
    fn probe(&self, held: &[u8]) -> Probe;
    /// Whether so many bytes that are held end here, because what comes next is the beginning of a message.
    fn ends_before(&self, _holds: usize, _next: &[u8]) -> bool {
        false
    }
    /// Noise that is a message all the same.
    fn rescue(&self, stretch: Stretch) -> Stretch {
        stretch
    }
    /// A recording as the board said it, where whoever kept it left something out.
    fn as_said<'a>(&self, recorded: &'a [u8]) -> Cow<'a, [u8]> {
        Cow::Borrowed(recorded)
    }
    /// Reads one message.
    fn read(&self, frame: &[u8]) -> Heard;
    /// What a message means after everything heard before.
    fn understand(&mut self, heard: Heard) -> Vec<Heard> {
        vec![heard]
    }
    /// A recording ends here, and the board went on saying what it said last.
    fn goes_on(&mut self) -> Vec<Heard> {
        Vec::new()
    }
    /// Whether it tells what stands on the board, and not only what is moved.
    fn sees_board(&self) -> bool {
        true
    }
    /// What was kept when the device was last there.
    fn remember(&mut self, _kept: &str) {}
    /// How the board lies, if somebody said so.
    fn lies(&mut self, _choice: OrientationChoice) {}
}

/// A family's speech with the bytes that are not understood yet.
pub(in crate::devices) struct Ear {
    pub(super) speech: Box<dyn Speech>,
    cutter: Cutter,
}

impl Ear {
    pub(super) fn new(speech: Box<dyn Speech>) -> Ear {
        Ear {
            speech,
            cutter: Cutter::default(),
        }
    }

    /// Cuts what arrived into messages; an incomplete end is held.
    pub(super) fn cut(&mut self, bytes: &[u8]) -> Vec<Stretch> {
        let mut stretches = Vec::new();
        if self.speech.ends_before(self.holds(), bytes) {
            stretches = self.give_up();
        }
        let speech = &self.speech;
        stretches.extend(self.cutter.cut(bytes, |held| speech.probe(held)));
        stretches
    }

    /// How many bytes are held.
    pub(super) fn holds(&self) -> usize {
        self.cutter.holds()
    }

    /// Nothing more comes of what is held.
    pub(super) fn give_up(&mut self) -> Vec<Stretch> {
        let held = self.cutter.give_up().into_iter();
        held.map(|stretch| self.speech.rescue(stretch)).collect()
    }
}

impl Stretch {
    /// The bytes, whatever they mean.
    pub(in crate::devices) fn bytes(&self) -> &[u8] {
        match self {
            Stretch::Frame(bytes) | Stretch::Noise(bytes, _) => bytes,
        }
    }
}

/// Milliseconds between two frames of a recording without times.
const BETWEEN: Millis = 250;

/// So many bytes of a recording are cut at once.
const AT_ONCE: usize = 4_096;

/// Every message of recorded bytes with its meaning.
pub(super) fn transcript(speech: Box<dyn Speech>, bytes: &[u8]) -> Vec<Frame> {
    let mut at = 0;
    let mut frames = Vec::new();
    each_stretch(&mut Ear::new(speech), bytes, |ear, stretch| {
        let meaning = match &stretch {
            Stretch::Frame(bytes) => ear.speech.read(bytes),
            Stretch::Noise(_, why) => Heard::Damaged { why },
        };
        let frame = Frame {
            at,
            bytes: to_hex(stretch.bytes()),
            meaning: in_words(&meaning),
        };
        frame.add_to(&mut frames);
        at += stretch.bytes().len();
    });
    frames
}

/// Recorded bytes with plausible times; what is no message takes none and goes with what follows it.
pub(super) fn with_times(speech: Box<dyn Speech>, bytes: &[u8]) -> Vec<Chunk> {
    let mut ear = Ear::new(speech);
    let bytes = ear.speech.as_said(bytes).into_owned();
    let mut chunks: Vec<Chunk> = Vec::new();
    let (mut at, mut passed) = (0, true);
    each_stretch(&mut ear, &bytes, |ear, stretch| {
        match chunks.last_mut().filter(|_| !passed) {
            Some(last) => last.bytes.extend_from_slice(stretch.bytes()),
            None => chunks.push(Chunk {
                at,
                bytes: stretch.bytes().to_vec(),
            }),
        }
        passed =
            matches!(&stretch, Stretch::Frame(bytes) if ear.speech.read(bytes) != Heard::Filler);
        at += if passed { BETWEEN } else { 0 };
    });
    chunks
}

fn each_stretch(ear: &mut Ear, bytes: &[u8], mut take: impl FnMut(&Ear, Stretch)) {
    for part in bytes.chunks(AT_ONCE) {
        for stretch in ear.cut(part) {
            take(ear, stretch);
        }
    }
    for stretch in ear.give_up() {
        take(ear, stretch);
    }
}

fn in_words(heard: &Heard) -> serde_json::Value {
    if let Heard::Damaged { why } = heard {
        return serde_json::json!({ "kind": "garbage", "why": why });
    }
    serde_json::to_value(heard).unwrap_or(serde_json::Value::Null)
}
