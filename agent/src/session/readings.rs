//! Chessclock readings in the words of the wire, and which of them are worth saying.

use protocol::{BySide, ClockReading, Flag, Millis, Side};

use crate::devices;

/// While a clock runs as expected it is said this often, milliseconds.
const NOW_AND_THEN: Millis = 5_000;

/// Below this every reading is said, milliseconds.
const SCRAMBLE: u64 = 60_000;

/// More than this between what is shown and what was to be expected is news, milliseconds: clocks show whole seconds, late.
const SLACK: u64 = 1_100;

/// The reading in the words of the wire.
pub(super) fn wire(reading: &devices::ClockReading) -> ClockReading {
    let to_move = Side::from(reading.to_move);
    let face = |side: Side| reading.faces.get(side.into());
    ClockReading {
        time: BySide::new_with(|side| u64::from(face(side).seconds) * 1000),
        running: reading.running.then_some(to_move),
        turn: Some(to_move),
        flag: BySide::new_with(|side| flag(face(side).flag)),
        bonus_sign: BySide::new_with(|side| face(side).per_move),
        battery_low: reading.low_battery,
    }
}

fn flag(flag: devices::Flag) -> Flag {
    match flag {
        devices::Flag::Up => Flag::Up,
        devices::Flag::Shown => Flag::Shown,
        devices::Flag::Blocked => Flag::Blocked,
    }
}

/// Remembers the reading that was said last.
#[derive(Debug, Clone, Default)]
pub(super) struct Readings {
    said: Option<(Millis, ClockReading)>,
    last: Option<(Millis, ClockReading)>,
}

impl Readings {
    /// The last reading, said or not.
    pub(super) fn last(&self) -> Option<&ClockReading> {
        self.last.as_ref().map(|(_, reading)| reading)
    }

    /// The same with its moment.
    pub(super) fn last_at(&self) -> Option<(Millis, ClockReading)> {
        self.last
    }

    /// Whether this reading says something that the one before does not.
    pub(super) fn is_news(&mut self, now: Millis, reading: ClockReading) -> bool {
        self.last = Some((now, reading));
        let news = match &self.said {
            None => true,
            Some((at, said)) => differs(said, &reading, now.saturating_sub(*at)),
        };
        if news {
            self.said = self.last;
        }
        news
    }

    /// The clock was unplugged: whatever it shows next is news.
    pub(super) fn forget(&mut self) {
        *self = Readings::default();
    }
}

fn differs(said: &ClockReading, now: &ClockReading, passed: Millis) -> bool {
    let signs = |r: &ClockReading| (r.running, r.turn, r.flag, r.bonus_sign, r.battery_low);
    if signs(said) != signs(now) {
        return true;
    }
    let Some(running) = now.running else {
        return said.time != now.time;
    };
    let expected = said.time.get(running).saturating_sub(passed);
    let off = expected.abs_diff(*now.time.get(running));
    let scramble = *now.time.get(running) < SCRAMBLE && said.time != now.time;
    off > SLACK
        || said.time.get(running.other()) != now.time.get(running.other())
        || scramble
        || passed >= NOW_AND_THEN
}

#[cfg(test)]
mod tests {
    use super::*;

    fn reading(white: u64, black: u64, running: Option<Side>) -> ClockReading {
        ClockReading {
            time: BySide {
                white: white * 1000,
                black: black * 1000,
            },
            running,
            turn: running,
            flag: BySide::default(),
            bonus_sign: BySide::default(),
            battery_low: false,
        }
    }

    #[test]
    fn passing_time_is_no_news_and_everything_else_is() {
        let white = Some(Side::White);
        let rows = [
            (0, reading(5400, 5400, None), true),
            (9_000, reading(5400, 5400, None), false),
            (10_000, reading(5400, 5400, white), true),
            (11_000, reading(5399, 5400, white), false),
            (12_900, reading(5398, 5400, white), false),
            (15_000, reading(5395, 5400, white), true),
            (16_000, reading(5400, 5400, white), true),
            (16_500, reading(5400, 5400, Some(Side::Black)), true),
            (17_000, reading(5430, 5400, Some(Side::Black)), true),
            (17_100, reading(5430, 59, Some(Side::Black)), true),
            (18_100, reading(5430, 58, Some(Side::Black)), true),
            (18_200, reading(5430, 58, Some(Side::Black)), false),
        ];
        let mut readings = Readings::default();
        for (now, reading, news) in rows {
            assert_eq!(readings.is_news(now, reading), news, "{now}");
        }
    }
}
