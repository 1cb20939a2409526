//! Where White sits at the chessclock, told, and kept for a line that is opened again in the middle of the game.

use protocol::Millis;

use super::device::Device;
use crate::devices::{ClockSide, SidesKnownBy};

impl Device {
    /// The line found out where White sits.
    pub(super) fn hear_sides(
        &mut self,
        now: Millis,
        white: ClockSide,
        known_by: SidesKnownBy,
        contradicts_board: bool,
    ) {
        self.keep_sides(white, known_by);
        if std::mem::replace(&mut self.clock_turned, contradicts_board) != contradicts_board {
            let words = "the clock stands the other way round than the board";
            self.notice(now, "CLOCK_SIDE_SWAPPED", !contradicts_board, words);
        }
    }

    fn keep_sides(&mut self, white: ClockSide, known_by: SidesKnownBy) {
        let pressed = match known_by {
            SidesKnownBy::FirstPress => Some(white),
            SidesKnownBy::Configuration => self.memory.white_pressed_at,
            SidesKnownBy::Assumption | SidesKnownBy::Board => None,
        };
        self.dirty |= std::mem::replace(&mut self.memory.white_pressed_at, pressed) != pressed;
    }
}
