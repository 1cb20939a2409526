//! The time one verdict has cost: processor time of the thread that works on it, where the system tells it.

use std::time::{Duration, Instant};

use nix::time::{ClockId, clock_gettime};

/// Started when the work starts; to be read on the same thread.
#[derive(Debug)]
pub struct Stopwatch {
    wall: Instant,
    processor: Option<Duration>,
}

impl Stopwatch {
    /// Starts it.
    pub fn start() -> Self {
        Self {
            wall: Instant::now(),
            processor: processor_time(),
        }
    }

    /// Processor time since the start; time on the wall where the system does not tell it.
    pub fn elapsed(&self) -> Duration {
        let processor = self.processor.zip(processor_time());
        processor.map_or_else(
            || self.wall.elapsed(),
            |(start, now)| now.saturating_sub(start),
        )
    }

    /// Whether so much has been spent.
    pub fn has_reached(&self, allowed: Duration) -> bool {
        self.elapsed() >= allowed
    }
}

fn processor_time() -> Option<Duration> {
    let now = clock_gettime(ClockId::CLOCK_THREAD_CPUTIME_ID).ok()?;
    let (secs, nanos) = (
        now.tv_sec().try_into().ok()?,
        now.tv_nsec().try_into().ok()?,
    );
    Some(Duration::new(secs, nanos))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn waiting_costs_nothing_and_work_does() {
        let watch = Stopwatch::start();
        let mut sum = 0u64;
        while watch.elapsed().is_zero() {
            sum = std::hint::black_box(sum + 1);
        }
        assert!(watch.has_reached(Duration::from_nanos(1)));
        assert!(watch.elapsed() <= watch.wall.elapsed(), "{sum}");
    }
}
