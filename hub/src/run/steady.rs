//! Notices when the system's clock is set: a delay is a time that passes, not a difference of two dates.

use std::time::Duration;

use nix::time::{ClockId, clock_gettime};
use protocol::Timestamp;

/// A step smaller than this is drift.
const STEP_MS: u64 = 1_000;

/// The system's clock beside one that nobody sets and that counts while the machine sleeps.
#[derive(Debug, Default)]
pub(super) struct Steady {
    ahead: Option<i64>,
}

impl Steady {
    /// By how much the clock was set since the last call, milliseconds.
    pub(super) fn step(&mut self, wall: Timestamp) -> Option<i64> {
        let since_boot = clock_gettime(ClockId::CLOCK_BOOTTIME).ok()?;
        let since_boot = Duration::from(since_boot).as_millis();
        let since_boot = i64::try_from(since_boot).ok()?;
        self.compared(wall, since_boot)
    }

    fn compared(&mut self, wall: Timestamp, since_boot: i64) -> Option<i64> {
        let ahead = wall.0.saturating_sub(since_boot);
        let before = self.ahead.replace(ahead)?;
        let step = ahead.saturating_sub(before);
        (step.unsigned_abs() >= STEP_MS).then_some(step)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_clock_that_was_set_is_a_step() {
        let mut steady = Steady::default();
        let rows = [
            (1_000_000, 1_000, None),
            (1_060_000, 61_000, None),
            (1_060_900, 61_001, None),
            (4_660_901, 61_002, Some(3_600_000)),
            (4_661_901, 62_002, None),
            (1_061_901, 62_002, Some(-3_600_000)),
        ];
        for (wall, boot, step) in rows {
            assert_eq!(steady.compared(Timestamp(wall), boot), step, "{wall}");
        }
    }
}
