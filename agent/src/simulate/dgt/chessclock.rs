//! The chessclock on the table: two times, a rocker, and flags that fall.

use shakmaty::Color;

use super::board::ClockAction;
use super::wire;
use crate::devices::{ClockFace, ClockSide, Flag, Millis};

/// A chessclock; times in milliseconds.
#[derive(Clone, Debug)]
pub(in crate::simulate) struct VirtualClock {
    left: Side,
    right: Side,
    running: bool,
    /// The side of the rocker that stands high: its time runs.
    high: ClockSide,
    increment: Millis,
    /// Used time given back with a press, at most this much.
    delay: Millis,
    /// What the periods after the first bring, each when a side has used up the one before.
    periods: Vec<Millis>,
    /// It goes fast by so many thousandths, slow where negative.
    drift: i16,
    /// Thousandths of a millisecond that are left over.
    rest: i64,
    low_battery: bool,
    now: Millis,
}

#[derive(Clone, Copy, Debug)]
struct Side {
    millis: Millis,
    flag: Flag,
    /// What it showed when its turn began.
    at_turn: Millis,
    /// Periods that were added.
    added: usize,
}

const UNSET: Side = Side {
    millis: 0,
    flag: Flag::Up,
    at_turn: 0,
    added: 0,
};

impl VirtualClock {
    /// A chessclock that nobody has set.
    pub(in crate::simulate) fn new() -> VirtualClock {
        VirtualClock {
            left: UNSET,
            right: UNSET,
            running: false,
            high: ClockSide::Left,
            increment: 0,
            delay: 0,
            periods: Vec::new(),
            drift: 0,
            rest: 0,
            low_battery: false,
            now: 0,
        }
    }

    /// Lets time pass. A side that reaches zero gets its next period, with the sign of the flag; without one the chessclock blocks.
    pub(in crate::simulate) fn pass(&mut self, now: Millis) {
        let passed = now.saturating_sub(self.now);
        self.now = self.now.max(now);
        let mut passed = self.counted(passed);
        while self.running && passed > 0 {
            let high = self.high;
            let step = passed.min(self.side(high).millis);
            self.side(high).millis -= step;
            passed -= step;
            if self.side(high).millis == 0 {
                self.used_up(high);
            }
        }
    }

    /// Milliseconds as this chessclock counts them.
    fn counted(&mut self, passed: Millis) -> Millis {
        let passed = i64::try_from(passed).unwrap_or(i64::MAX / 2_000);
        let thousandths = passed * (1_000 + i64::from(self.drift)) + self.rest;
        self.rest = thousandths.rem_euclid(1_000);
        u64::try_from(thousandths.div_euclid(1_000)).unwrap_or(0)
    }

    /// From now on it goes fast by so many thousandths, slow where negative.
    fn drifts(&mut self, per_mille: i16) {
        self.drift = per_mille.clamp(-999, 999);
    }

    fn used_up(&mut self, of: ClockSide) {
        let periods = self.periods.clone();
        let side = self.side(of);
        let next = periods.get(side.added).copied().filter(|&ms| ms > 0);
        match next {
            Some(ms) => {
                (side.millis, side.at_turn, side.flag) = (ms, side.at_turn + ms, Flag::Shown);
                side.added += 1;
            }
            None => {
                side.flag = Flag::Blocked;
                self.running = false;
            }
        }
    }

    /// Sets both times and stops; a programme of delay and periods is gone.
    fn set(&mut self, left: Millis, right: Millis, increment: Millis) {
        let fresh = |millis| Side {
            millis,
            at_turn: millis,
            ..UNSET
        };
        (self.left, self.right) = (fresh(left), fresh(right));
        (self.increment, self.delay) = (increment, 0);
        self.periods.clear();
        self.running = false;
    }

    /// In place of an increment, used time is given back with a press, at most this much.
    fn delays(&mut self, delay: Millis) {
        (self.increment, self.delay) = (0, delay);
    }

    /// One period more, for each side when it has used up the one before.
    fn add_period(&mut self, period: Millis) {
        self.periods.push(period);
    }

    /// Starts with this side running.
    fn start(&mut self, running: ClockSide) {
        self.high = running;
        let side = self.side(running);
        side.at_turn = side.millis;
        self.running = side.flag != Flag::Blocked;
    }

    /// Stops, or goes on.
    fn stop(&mut self) {
        self.running = false;
    }

    /// A player moves the rocker to the other side; pressing twice does nothing.
    fn press(&mut self, by: ClockSide) {
        if self.high != by {
            return;
        }
        if self.running {
            let (increment, delay) = (self.increment, self.delay);
            let side = self.side(by);
            let used = side.at_turn.saturating_sub(side.millis);
            side.millis += increment + used.min(delay);
        }
        self.high = by.other();
        let other = self.side(by.other());
        other.at_turn = other.millis;
    }

    /// A time runs out now.
    fn fall(&mut self, of: ClockSide) {
        *self.side(of) = Side {
            flag: Flag::Blocked,
            ..UNSET
        };
        self.running = false;
    }

    /// Whether the sign for a low battery is on.
    fn battery_is_low(&mut self, low: bool) {
        self.low_battery = low;
    }

    /// Hands touch it; White sits at the side `white`. Its plug is no matter of the clock itself.
    pub(in crate::simulate) fn obey(&mut self, action: ClockAction, white: ClockSide) {
        let side = |color: Color| color.fold_wb(white, white.other());
        match action {
            ClockAction::Set { time, increment } => {
                let (left, right) = match white {
                    ClockSide::Left => (time.white, time.black),
                    ClockSide::Right => (time.black, time.white),
                };
                self.set(left, right, increment);
            }
            ClockAction::Delay(delay) => self.delays(delay),
            ClockAction::Period(period) => self.add_period(period),
            ClockAction::Drift(per_mille) => self.drifts(per_mille),
            ClockAction::Start { running } => self.start(side(running)),
            ClockAction::Stop => self.stop(),
            ClockAction::Press { by } => self.press(side(by)),
            ClockAction::FlagFall { of } => self.fall(side(of)),
            ClockAction::LowBattery(low) => self.battery_is_low(low),
            ClockAction::Unplug | ClockAction::Plug | ClockAction::FallSilent => {}
        }
    }

    /// Whether it runs.
    pub(in crate::simulate) fn is_running(&self) -> bool {
        self.running
    }

    /// Whether the sign for a low battery is on.
    pub(in crate::simulate) fn has_low_battery(&self) -> bool {
        self.low_battery
    }

    /// Milliseconds left to a side, and whether its flag has fallen.
    pub(in crate::simulate) fn shows(&self, side: ClockSide) -> (Millis, bool) {
        let side = if side == ClockSide::Left {
            self.left
        } else {
            self.right
        };
        (side.millis, side.flag != Flag::Up)
    }

    /// The side whose time runs or would run.
    pub(in crate::simulate) fn high(&self) -> ClockSide {
        self.high
    }

    /// Whole seconds left to a side.
    pub(super) fn seconds(&self, side: ClockSide) -> u32 {
        let (millis, _) = self.shows(side);
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

    #[test]
    fn a_delay_gives_back_what_was_used_and_never_more() {
        for (used, left) in [(3_000, 60), (30_000, 60), (31_000, 59)] {
            let mut clock = VirtualClock::new();
            clock.set(60_000, 60_000, 0);
            clock.delays(30_000);
            clock.start(ClockSide::Left);
            clock.pass(used);
            clock.press(ClockSide::Left);
            assert_eq!(clock.seconds(ClockSide::Left), left, "{used} ms used");
        }
    }

    #[test]
    fn a_clock_that_goes_slow_by_two_per_cent() {
        let mut clock = VirtualClock::new();
        clock.set(1_000_000, 1_000_000, 0);
        clock.drifts(-20);
        clock.start(ClockSide::Left);
        (1..=100_000).for_each(|step| clock.pass(step * 5));
        assert_eq!(clock.left.millis, 1_000_000 - 490_000);
    }

    #[test]
    fn a_second_period_comes_when_the_first_is_used_up() {
        let mut clock = VirtualClock::new();
        clock.set(10_000, 10_000, 0);
        clock.add_period(60_000);
        clock.start(ClockSide::Left);
        clock.pass(15_000);
        assert_eq!(
            (clock.seconds(ClockSide::Left), clock.left.flag),
            (55, Flag::Shown)
        );
        clock.pass(80_000);
        assert_eq!(
            (clock.seconds(ClockSide::Left), clock.left.flag),
            (0, Flag::Blocked)
        );
        assert!(!clock.running);
    }
}
