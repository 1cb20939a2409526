//! A virtual board that reports whole positions: what stands on it, whether it is on, and when it says so.

use shakmaty::{Piece, Square};

use super::certabo::{Numbered, Rows};
use super::chessnut::ChessnutVoice;
use super::ichessone::IChessOneVoice;
use super::millennium::MillenniumVoice;
use super::voice::Voice;
use super::zmartfun::ZmartfunVoice;
use crate::devices::{Battery, Millis, Orientation, Placement};
use crate::simulate::dgt::{VirtualDgt, VirtualOptions};
use crate::simulate::lines::virtual_device;
use crate::simulate::uart::Uart;
use crate::simulate::{FarEnd, VirtualBoard};

/// A virtual board with a voice.
pub struct Reporting {
    voice: Box<dyn Voice>,
    orientation: Orientation,
    /// True squares.
    stands: Placement,
    said: Option<Placement>,
    on: bool,
    next: Millis,
    uart: Uart,
    harmful: u32,
}

/// The coils are read this often, milliseconds.
const LOOK: Millis = 50;
/// What was said so long ago and heard by nobody is not said at all.
const LONG: Millis = 10_000;

/// The makes of virtual boards there are.
pub const MAKES: &[&str] = &[
    "certabo",
    "chessnut",
    "citrine",
    "club",
    "dgt",
    "ichessone",
    "millennium",
    "pegasus",
    "revelation",
    "sentio",
    "smartboard",
    "ucb",
    "zmartfun",
];

/// The family whose driver understands a make.
pub fn family_of(make: &str) -> &str {
    match make {
        "revelation" | "smartboard" => "dgt",
        "sentio" => "certabo",
        other => other,
    }
}

/// A virtual board by its make, which is a family's name; `sentio` is the Certabo family's kind that knows occupied squares only,
/// `revelation` and `smartboard` are the DGT boards whose long numbers, versions and batteries differ.
/// The serial number counts where a family has one.
pub fn virtual_board(
    family: &str,
    serial: &str,
    orientation: Orientation,
    placement: Placement,
    seed: u64,
) -> Option<Box<dyn VirtualBoard>> {
    let voice: Box<dyn Voice> = match family {
        "dgt" | "pegasus" => {
            let options = VirtualOptions {
                occupancy: family == "pegasus",
                ..VirtualOptions::default()
            };
            return Some(dgt(serial, orientation, placement, options));
        }
        "revelation" => return Some(dgt(serial, orientation, placement, revelation())),
        "smartboard" => return Some(dgt(serial, orientation, placement, smart_board())),
        "certabo" => Box::new(Numbered::new(seed, orientation)),
        "sentio" => Box::new(Rows),
        "chessnut" => Box::<ChessnutVoice>::default(),
        "ichessone" => Box::<IChessOneVoice>::default(),
        "millennium" => Box::<MillenniumVoice>::default(),
        "zmartfun" => Box::new(ZmartfunVoice),
        _ => return virtual_device(family, serial, orientation, placement),
    };
    Some(Box::new(Reporting::new(voice, orientation, placement)))
}

fn dgt(
    serial: &str,
    orientation: Orientation,
    placement: Placement,
    options: VirtualOptions,
) -> Box<dyn VirtualBoard> {
    let options = VirtualOptions {
        orientation,
        placement,
        ..options
    };
    Box::new(VirtualDgt::new(serial, options))
}

/// A computer with a board and a chessclock in it.
fn revelation() -> VirtualOptions {
    VirtualOptions {
        firmware: (3, 25),
        long_serial: Some("3.25000042".to_owned()),
        battery: Some(Battery::of(78, false)),
        ..VirtualOptions::default()
    }
}

fn smart_board() -> VirtualOptions {
    VirtualOptions {
        firmware: (1, 8),
        hardware: Some((1, 0)),
        long_serial: Some("3000147740".to_owned()),
        ..VirtualOptions::default()
    }
}

impl Reporting {
    /// A board that has just been switched on.
    pub fn new(voice: Box<dyn Voice>, orientation: Orientation, placement: Placement) -> Reporting {
        Reporting {
            uart: Uart::at(voice.bytes_a_second()),
            voice,
            orientation,
            stands: placement,
            said: None,
            on: true,
            next: 0,
            harmful: 0,
        }
    }

    fn raw(&self) -> Placement {
        self.orientation.apply(&self.stands)
    }

    /// Looks at the coils up to `now`.
    fn advance(&mut self, now: Millis) {
        // Nobody listened for long, or the clock did not begin at nothing.
        if self.next + LONG < now {
            self.next = now;
        }
        while self.on && self.next <= now {
            let at = self.next;
            let every = self.voice.reports_every();
            self.next = at + every.unwrap_or(LOOK).max(1);
            let raw = self.raw();
            let changed = self.said != Some(raw);
            if every.is_some() || (changed && self.voice.reports_changes()) {
                self.said = Some(raw);
                let report = self.voice.report(&raw);
                self.uart.push(at, &report);
            }
        }
    }
}

impl FarEnd for Reporting {
    fn host_bytes(&mut self, now: Millis, bytes: &[u8]) {
        self.advance(now);
        if !self.on {
            return;
        }
        let raw = self.raw();
        let (answer, harmful) = self.voice.hear(bytes, &raw);
        self.harmful += harmful;
        self.uart.push(now, &answer);
    }

    fn take_output(&mut self, now: Millis) -> Vec<u8> {
        self.advance(now);
        self.uart.take(now)
    }

    fn wake(&self) -> Option<Millis> {
        self.on.then(|| {
            self.uart
                .wake()
                .map_or(self.next, |wake| wake.min(self.next))
        })
    }
}

impl VirtualBoard for Reporting {
    fn set_square(&mut self, now: Millis, square: Square, piece: Option<Piece>) {
        self.advance(now);
        self.stands.set(square, piece);
    }

    fn power(&mut self, now: Millis, on: bool) {
        self.advance(now);
        if self.on != on {
            self.on = on;
            self.said = None;
            self.next = now + LOOK;
            self.uart.clear();
            self.voice.restart();
        }
    }

    fn harmful_commands(&self) -> u32 {
        self.harmful
    }

    fn talks_by_itself(&self) -> bool {
        self.voice.reports_every().is_some()
    }
}
