//! The chance behind every movement: numbers that depend on a seed and on nothing else.

use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{RngCore, SeedableRng};

/// A stream of chances. The same seed and stream give the same numbers, every time.
#[derive(Clone, Debug)]
pub(super) struct Dice(ChaCha8Rng);

impl Dice {
    /// Dice for one purpose: `stream` keeps purposes apart that share a seed.
    pub(super) fn new(seed: u64, stream: u64) -> Dice {
        let mut rng = ChaCha8Rng::seed_from_u64(seed);
        rng.set_stream(stream);
        Dice(rng)
    }

    /// A number from 0 (included) to 1 (excluded).
    pub(super) fn unit(&mut self) -> f64 {
        (self.0.next_u64() >> 11) as f64 / (1u64 << 53) as f64
    }

    /// A number between `low` and `high`.
    pub(super) fn between(&mut self, low: f64, high: f64) -> f64 {
        low + (high - low) * self.unit()
    }

    /// True with probability `p`.
    pub(super) fn chance(&mut self, p: f64) -> bool {
        self.unit() < p
    }

    /// A whole number below `n`; 0 when `n` is 0.
    pub(super) fn below(&mut self, n: usize) -> usize {
        ((self.unit() * n as f64) as usize).min(n.saturating_sub(1))
    }

    /// One of the `items`; `None` when there are none.
    pub(super) fn pick<T: Copy>(&mut self, items: &[T]) -> Option<T> {
        items.get(self.below(items.len())).copied()
    }

    /// One of the weighted `items`, which are not empty.
    pub(super) fn weighted<T: Copy>(&mut self, items: &[(T, f64)]) -> T {
        let mut left = self.unit() * items.iter().map(|(_, weight)| weight).sum::<f64>();
        for &(item, weight) in items {
            left -= weight;
            if left <= 0.0 {
                return item;
            }
        }
        items[items.len() - 1].0
    }

    /// A log-normal duration with the given median and spread.
    pub(super) fn around(&mut self, median: f64, spread: f64) -> f64 {
        median * (self.gauss() * spread).exp()
    }

    /// The waiting time to something that happens every `mean` on average.
    pub(super) fn wait(&mut self, mean: f64) -> f64 {
        -mean * (1.0 - self.unit()).ln()
    }

    /// `items` in another order.
    pub(super) fn shuffled<T>(&mut self, mut items: Vec<T>) -> Vec<T> {
        for end in (1..items.len()).rev() {
            let other = self.below(end + 1);
            items.swap(end, other);
        }
        items
    }

    fn gauss(&mut self) -> f64 {
        let radius = (-2.0 * (1.0 - self.unit()).ln()).sqrt();
        radius * (std::f64::consts::TAU * self.unit()).cos()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_same_seed_and_stream_fall_alike_and_others_do_not() {
        let throw = |seed, stream| {
            let mut dice = Dice::new(seed, stream);
            [dice.unit(), dice.unit(), dice.around(100.0, 0.5)]
        };
        assert_eq!(throw(1, 2), throw(1, 2));
        assert_ne!(throw(1, 2), throw(1, 3));
        assert_ne!(throw(1, 2), throw(2, 2));
    }

    #[test]
    fn durations_have_the_median_asked_for() {
        let mut dice = Dice::new(3, 0);
        let below = (0..4000)
            .filter(|_| dice.around(200.0, 0.6) < 200.0)
            .count();
        assert!((1850..2150).contains(&below), "{below}");
    }
}
