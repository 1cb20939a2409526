//! How a self-built serial chessclock speaks: it answers when it is asked for its status.

use shakmaty::{Piece, Square};

use super::talker::Tongue;
use crate::devices::{ClockSide, Millis};
use crate::simulate::dgt::ClockAction;
use crate::simulate::dgt::chessclock::VirtualClock;

/// A clock without a board.
pub(super) struct DiyClock {
    clock: VirtualClock,
    increment: Millis,
}

impl Default for DiyClock {
    fn default() -> DiyClock {
        DiyClock {
            clock: VirtualClock::new(),
            increment: 0,
        }
    }
}

impl DiyClock {
    fn status(&self) -> String {
        let (white, _) = self.clock.shows(ClockSide::Left);
        let (black, _) = self.clock.shows(ClockSide::Right);
        let state = if self.clock.is_running() {
            "RUNNING"
        } else {
            "STOPPED"
        };
        let turn = match self.clock.high() {
            ClockSide::Left => "WHITE",
            ClockSide::Right => "BLACK",
        };
        format!("STATUS:{white}:{black}:{}:{state}:{turn}", self.increment)
    }
}

impl Tongue for DiyClock {
    fn bytes_a_second(&self) -> f64 {
        960.0
    }

    fn line_end(&self) -> &'static str {
        "\n"
    }

    fn talks_by_itself(&self) -> bool {
        false
    }

    fn square(&mut self, _now: Millis, _square: Square, _piece: Option<Piece>) -> Vec<String> {
        Vec::new()
    }

    fn clock(&mut self, now: Millis, action: ClockAction) -> Vec<String> {
        self.clock.pass(now);
        if let ClockAction::Set { increment, .. } = action {
            self.increment = increment;
        }
        self.clock.obey(action, ClockSide::Left);
        Vec::new()
    }

    fn pass(&mut self, now: Millis) -> Vec<String> {
        self.clock.pass(now);
        Vec::new()
    }

    fn answer(&mut self, now: Millis, line: &str) -> Option<Vec<String>> {
        self.clock.pass(now);
        (line == "STATUS").then(|| vec![self.status()])
    }

    fn restart(&mut self, _now: Millis) -> Vec<String> {
        self.clock = VirtualClock::new();
        vec!["CLOCK_READY".to_owned()]
    }
}

#[cfg(test)]
mod tests {
    use shakmaty::{ByColor, Color};

    use super::*;

    #[test]
    fn a_status_is_that_of_the_layout() {
        let mut clock = DiyClock::default();
        let time = ByColor {
            white: 180_000,
            black: 180_000,
        };
        clock.clock(
            0,
            ClockAction::Set {
                time,
                increment: 2_000,
            },
        );
        clock.clock(
            0,
            ClockAction::Start {
                running: Color::White,
            },
        );
        clock.clock(3_000, ClockAction::Press { by: Color::White });
        let said = clock.answer(3_000, "STATUS").expect("an answer");
        assert_eq!(said, ["STATUS:179000:180000:2000:RUNNING:BLACK"]);
        assert!(clock.answer(3_000, "RESET").is_none());
    }
}
