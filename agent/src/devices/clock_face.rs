//! What a chessclock with two displays says, before anybody knows who sits where.

use serde::Serialize;
use shakmaty::{ByColor, Color};

use super::{ChessclockSides, ClockFace, ClockReading, ClockSide, DeviceEvent, Flag, Orientation};

/// A reading of both displays.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub(super) struct Displays {
    /// Milliseconds left.
    pub(super) left_ms: u64,
    /// Milliseconds left.
    pub(super) right_ms: u64,
    /// Whether it runs.
    pub(super) running: bool,
    /// The side whose time runs, or would run.
    pub(super) turn: ClockSide,
    /// Whether a flag has fallen.
    pub(super) flags: (bool, bool),
    /// Whether its battery is low.
    pub(super) low_battery: bool,
    /// Left is White by the device's own word.
    pub(super) in_colours: bool,
}

/// Who sits where, and who pressed.
#[derive(Debug, Default)]
pub(super) struct Sitting {
    sides: ChessclockSides,
    last: Option<Displays>,
}

/// No display shows more.
const LONGEST: u64 = 9 * 3600 + 59 * 60 + 59;

impl Sitting {
    pub(super) fn new(white_at: Option<ClockSide>, board: Option<Orientation>) -> Sitting {
        Sitting {
            sides: ChessclockSides::new(white_at, board),
            last: None,
        }
    }

    /// White's side was fixed, or is to be found out again.
    pub(super) fn configure(&mut self, white_at: Option<ClockSide>) {
        self.sides.configure(white_at);
    }

    /// White's first press of the game came from there, before the port was opened.
    pub(super) fn pressed_before(&mut self, side: ClockSide) {
        self.sides.first_press_of_white(side);
    }

    /// The board lies this way.
    pub(super) fn board_lies(&mut self, lies: Orientation) {
        self.sides.board_lies(lies);
    }

    /// The port was closed for a while.
    pub(super) fn forget(&mut self) {
        self.last = None;
    }

    /// A reading; a change of the running side is a press.
    pub(super) fn hear(&mut self, now: Displays) -> Vec<DeviceEvent> {
        let reading = self.in_colours(&now);
        let before = self.last.replace(now);
        let pressed =
            before.filter(|before| before.turn != now.turn && (before.running || now.running));
        let press = pressed.map(|_| DeviceEvent::Press {
            by: reading.to_move.other(),
            reading,
        });
        press
            .into_iter()
            .chain([DeviceEvent::Clock(reading)])
            .collect()
    }

    fn in_colours(&self, now: &Displays) -> ClockReading {
        let white_at = if now.in_colours {
            ClockSide::Left
        } else {
            self.sides.white()
        };
        let face = |ms: u64, fallen: bool| ClockFace {
            seconds: u32::try_from((ms / 1000).min(LONGEST)).unwrap_or(0),
            flag: if fallen { Flag::Shown } else { Flag::Up },
            per_move: false,
        };
        let left = face(now.left_ms, now.flags.0);
        let right = face(now.right_ms, now.flags.1);
        let (white, black) = if white_at == ClockSide::Left {
            (left, right)
        } else {
            (right, left)
        };
        ClockReading {
            faces: ByColor { white, black },
            running: now.running,
            to_move: Color::from_white(now.turn == white_at),
            low_battery: now.low_battery,
            white_at,
        }
    }
}
