//! How far the hub's clock is ahead of the agent's: of several questions and answers the quickest is the truest.

use std::collections::VecDeque;

use protocol::{Millis, TimeAnswer, Timestamp};

/// Samples that count: at one every thirty seconds, four minutes.
const SAMPLES: usize = 8;

/// Answers slower than this say too little.
const SLOWEST: Millis = 5_000;

/// The samples of the last minutes.
#[derive(Debug, Default)]
pub(super) struct OffsetMeter {
    samples: VecDeque<(Millis, i64)>,
}

impl OffsetMeter {
    /// Takes an answer that came at `now`; returns the best offset known, milliseconds to add to the agent's clock.
    pub(super) fn take(&mut self, answer: &TimeAnswer, now: Timestamp) -> Option<i64> {
        let (offset, round_trip) = answer.offset(now);
        if round_trip <= SLOWEST && answer.asked <= now {
            self.samples.push_back((round_trip, offset));
        }
        while self.samples.len() > SAMPLES {
            self.samples.pop_front();
        }
        self.samples.iter().min().map(|(_, offset)| *offset)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn answer(asked: i64, hub: i64) -> TimeAnswer {
        TimeAnswer {
            asked: Timestamp(asked),
            hub: Timestamp(hub),
        }
    }

    #[test]
    fn the_quickest_answer_of_the_last_minutes_counts() {
        let mut meter = OffsetMeter::default();
        let rows = [
            (answer(0, 1100), 200, Some(1000)),
            (answer(1000, 2010), 1010, Some(1005)),
            (answer(2000, 3400), 2600, Some(1005)),
            (answer(9000, 3400), 19_000, Some(1005)),
            (answer(30_000, 1), 20_000, Some(1005)),
        ];
        for (answer, now, offset) in rows {
            assert_eq!(meter.take(&answer, Timestamp(now)), offset, "{answer:?}");
        }
        for asked in (100_000..).step_by(30_000).take(SAMPLES) {
            meter.take(&answer(asked, asked + 520), Timestamp(asked + 40));
        }
        assert_eq!(
            meter.take(&answer(500_000, 500_520), Timestamp(500_040)),
            Some(500)
        );
    }
}
