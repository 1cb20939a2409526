//! The chessclock on the table: two times, a rocker, and flags that fall.

use super::wire;
use crate::devices::{ClockFace, ClockSide, Flag, Millis};

/// A chessclock; times in milliseconds.
#[derive(Clone, Debug)]
pub(super) struct VirtualClock {
    left: Side,
    right: Side,
    running: bool,
    /// The side of the rocker that stands high: its time runs.
    high: ClockSide,
    increment: Millis,
    low_battery: bool,
    now: Millis,
}

#[derive(Clone, Copy, Debug)]
struct Side {
    millis: Millis,
    flag: Flag,
}

const UNSET: Side = Side {
    millis: 0,
    flag: Flag::Up,
};

impl VirtualClock {
    /// A chessclock that nobody has set.
    pub(super) fn new() -> VirtualClock {
        VirtualClock {
            left: UNSET,
            right: UNSET,
            running: false,
            high: ClockSide::Left,
            increment: 0,
            low_battery: false,
            now: 0,
        }
    }

    /// Lets time pass. A side that reaches zero blocks the chessclock.
    pub(super) fn pass(&mut self, now: Millis) {
        let passed = now.saturating_sub(self.now);
        self.now = self.now.max(now);
        if !self.running {
            return;
        }
        let side = self.side(self.high);
        side.millis = side.millis.saturating_sub(passed);
        if side.millis == 0 {
            side.flag = Flag::Blocked;
            self.running = false;
        }
    }

    /// Sets both times and stops.
    pub(super) fn set(&mut self, left: Millis, right: Millis, increment: Millis) {
        self.left = Side {
            millis: left,
            flag: Flag::Up,
        };
        self.right = Side {
            millis: right,
            flag: Flag::Up,
        };
        self.increment = increment;
        self.running = false;
    }

    /// Starts with this side running.
    pub(super) fn start(&mut self, running: ClockSide) {
        self.high = running;
        self.running = self.side(running).flag != Flag::Blocked;
    }

    /// Stops, or goes on.
    pub(super) fn stop(&mut self) {
        self.running = false;
    }

    /// A player moves the rocker to the other side; pressing twice does nothing.
    pub(super) fn press(&mut self, by: ClockSide) {
        if self.high != by {
            return;
        }
        if self.running {
            self.side(by).millis += self.increment;
        }
        self.high = by.other();
    }

    /// A time runs out now.
    pub(super) fn fall(&mut self, of: ClockSide) {
        *self.side(of) = Side {
            millis: 0,
            flag: Flag::Blocked,
        };
        self.running = false;
    }

    /// Whether the sign for a low battery is on.
    pub(super) fn battery_is_low(&mut self, low: bool) {
        self.low_battery = low;
    }

    /// The side whose time runs or would run.
    pub(super) fn high(&self) -> ClockSide {
        self.high
    }

    /// Whole seconds left to a side.
    pub(super) fn seconds(&self, side: ClockSide) -> u32 {
        let millis = if side == ClockSide::Left {
            self.left.millis
        } else {
            self.right.millis
        };
        u32::try_from(millis / 1000).unwrap_or(u32::MAX)
    }

    /// The seven bytes the board gets when it asks.
    pub(super) fn payload(&self) -> [u8; 7] {
        let right_high = self.high == ClockSide::Right;
        let [left, right] = [ClockSide::Left, ClockSide::Right].map(|side| self.face(side));
        wire::reading(left, right, self.running, right_high, self.low_battery)
    }

    fn face(&self, side: ClockSide) -> ClockFace {
        let flag = if side == ClockSide::Left {
            self.left.flag
        } else {
            self.right.flag
        };
        ClockFace {
            seconds: self.seconds(side),
            flag,
            per_move: self.increment > 0,
        }
    }

    fn side(&mut self, side: ClockSide) -> &mut Side {
        match side {
            ClockSide::Left => &mut self.left,
            ClockSide::Right => &mut self.right,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_run_presses_add_and_flags_fall() {
        let mut clock = VirtualClock::new();
        clock.set(10_000, 10_000, 2_000);
        clock.start(ClockSide::Left);
        clock.pass(3_500);
        assert_eq!(clock.seconds(ClockSide::Left), 6);
        clock.press(ClockSide::Right);
        clock.press(ClockSide::Left);
        assert_eq!(
            (clock.seconds(ClockSide::Left), clock.high()),
            (8, ClockSide::Right)
        );
        clock.pass(20_000);
        assert_eq!(clock.payload(), [0x30, 0, 0, 0x20, 0, 8, 0x12]);
    }
}
