//! How a board and clock built by a club speaks, in the documented lines.

use shakmaty::{Piece, Square};

use super::talker::Tongue;
use crate::devices::{ClockSide, Millis, Orientation, Placement};
use crate::simulate::dgt::ClockAction;
use crate::simulate::dgt::chessclock::VirtualClock;

/// A board that knows pieces, with its clock.
pub(super) struct Club {
    serial: String,
    orientation: Orientation,
    /// True squares.
    stands: Placement,
    said: Option<Placement>,
    clock: VirtualClock,
    /// Somebody has set the clock.
    set: bool,
    clock_due: Millis,
}

/// The clock says what it shows this often while it runs.
const CLOCK: Millis = 1_000;

impl Club {
    pub(super) fn new(serial: &str, orientation: Orientation, stands: Placement) -> Club {
        Club {
            serial: serial.to_owned(),
            orientation,
            stands,
            said: None,
            clock: VirtualClock::new(),
            set: false,
            clock_due: 0,
        }
    }

    fn board(&mut self) -> String {
        self.said = Some(self.stands);
        let raw = self.orientation.apply(&self.stands);
        let letters = Square::ALL.into_iter().map(|square| {
            let piece = raw.at(square.flip_vertical());
            piece.map_or('.', Piece::char)
        });
        checked(&format!("B {}", letters.collect::<String>()))
    }

    fn time(&mut self, now: Millis) -> Option<String> {
        self.clock.pass(now);
        self.clock_due = now + CLOCK;
        let (left, left_fell) = self.clock.shows(ClockSide::Left);
        let (right, right_fell) = self.clock.shows(ClockSide::Right);
        let turn = match (self.clock.high(), self.clock.is_running()) {
            (ClockSide::Left, true) => 'L',
            (ClockSide::Left, false) => 'l',
            (ClockSide::Right, true) => 'R',
            (ClockSide::Right, false) => 'r',
        };
        let signs = [
            (left_fell, 'l'),
            (right_fell, 'r'),
            (self.clock.has_low_battery(), 'b'),
        ];
        let shown: String = signs
            .iter()
            .filter(|sign| sign.0)
            .map(|sign| sign.1)
            .collect();
        let shown = if shown.is_empty() { "-" } else { &shown };
        self.set
            .then(|| checked(&format!("T {left} {right} {turn} {shown}")))
    }
}

impl Tongue for Club {
    fn bytes_a_second(&self) -> f64 {
        11_520.0
    }

    fn line_end(&self) -> &'static str {
        "\n"
    }

    fn talks_by_itself(&self) -> bool {
        true
    }

    fn square(&mut self, _now: Millis, square: Square, piece: Option<Piece>) -> Vec<String> {
        self.stands.set(square, piece);
        Vec::new()
    }

    fn clock(&mut self, now: Millis, action: ClockAction) -> Vec<String> {
        self.clock.pass(now);
        self.set |= matches!(action, ClockAction::Set { .. });
        let white = match self.orientation {
            Orientation::Normal => ClockSide::Left,
            Orientation::Rotated => ClockSide::Right,
        };
        self.clock.obey(action, white);
        Vec::from_iter(self.time(now))
    }

    fn pass(&mut self, now: Millis) -> Vec<String> {
        let board = (self.said != Some(self.stands)).then(|| self.board());
        let due = self.clock.is_running() && now >= self.clock_due;
        let time = if due { self.time(now) } else { None };
        board.into_iter().chain(time).collect()
    }

    fn answer(&mut self, now: Millis, line: &str) -> Option<Vec<String>> {
        if line != "?" {
            return None;
        }
        let own = [checked(&format!("I {} 1.0", self.serial)), self.board()];
        Some(own.into_iter().chain(self.time(now)).collect())
    }

    fn restart(&mut self, _now: Millis) -> Vec<String> {
        self.said = None;
        Vec::new()
    }
}

/// The line with its checksum.
fn checked(content: &str) -> String {
    let sum = content.bytes().fold(0, |sum, byte| sum ^ byte);
    format!("{content}*{sum:02X}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_those_of_the_documentation() {
        let mut board = Club::new("K7", Orientation::Normal, Placement::start());
        let said = board.answer(0, "?").expect("an answer");
        assert_eq!(said.len(), 2, "a clock nobody has set says nothing");
        assert!(said[0].starts_with("I K7 1.0*"), "{said:?}");
        let array = "B rnbqkbnrpppppppp................................PPPPPPPPRNBQKBNR*";
        assert!(said[1].starts_with(array), "{said:?}");
        let stopped = board.clock(
            0,
            ClockAction::Set {
                time: shakmaty::ByColor {
                    white: 5_400_000,
                    black: 5_400_000,
                },
                increment: 0,
            },
        );
        assert!(
            stopped[0].starts_with("T 5400000 5400000 l -*"),
            "{stopped:?}"
        );
    }
}
