//! When a port that failed is tried again: 1, 2, 4 … 30 seconds, at once when it was plugged in anew.

use std::collections::{BTreeMap, BTreeSet};

use protocol::Millis;

const FIRST: Millis = 1_000;
const LONGEST: Millis = 30_000;

/// Failures of the ports that are there.
#[derive(Debug, Default)]
pub(super) struct Backoff {
    ports: BTreeMap<String, (Millis, Millis)>,
}

impl Backoff {
    /// Forgets the ports that are gone.
    pub(super) fn present(&mut self, ports: &BTreeSet<&str>) {
        self.ports.retain(|port, _| ports.contains(port.as_str()));
    }

    /// Whether the port may be tried now.
    pub(super) fn allows(&self, port: &str, now: Millis) -> bool {
        self.ports.get(port).is_none_or(|(until, _)| *until <= now)
    }

    /// The port failed; returns how long it is left alone.
    pub(super) fn failed(&mut self, port: &str, now: Millis) -> Millis {
        let pause = self
            .ports
            .get(port)
            .map_or(FIRST, |(_, pause)| (pause * 2).min(LONGEST));
        self.ports.insert(port.to_owned(), (now + pause, pause));
        pause
    }

    /// The port had worked before it ended: the next failure counts as the first.
    pub(super) fn worked(&mut self, port: &str) {
        self.ports.remove(port);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pauses_grow_to_half_a_minute_and_end_with_the_cable() {
        let mut backoff = Backoff::default();
        let pauses: Vec<Millis> = (0..7).map(|_| backoff.failed("a", 0)).collect();
        assert_eq!(pauses, [1_000, 2_000, 4_000, 8_000, 16_000, 30_000, 30_000]);
        assert!(
            !backoff.allows("a", 29_999) && backoff.allows("a", 30_000) && backoff.allows("b", 0)
        );
        backoff.present(&BTreeSet::from(["b"]));
        assert!(backoff.allows("a", 0), "plugged in anew");
        backoff.failed("a", 0);
        backoff.worked("a");
        assert_eq!(backoff.failed("a", 0), 1_000);
    }
}
