//! The coils under the squares: one sweep over the board after the other, square by square.

use crate::devices::Millis;

/// What stands on the squares and what the sweep has seen of it, as piece codes in the board's own numbering.
#[derive(Debug)]
pub(super) struct Sensor {
    /// Milliseconds for all 64 squares; 0 sees everything at once.
    sweep: Millis,
    stands: [u8; 64],
    seen: [u8; 64],
    touched: [Millis; 64],
}

/// A change the sweep has come upon.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Change {
    pub(super) at: Millis,
    pub(super) number: u8,
    pub(super) code: u8,
}

impl Sensor {
    pub(super) fn new(sweep: Option<Millis>, stands: [u8; 64]) -> Sensor {
        Sensor {
            sweep: sweep.unwrap_or(0),
            stands,
            seen: stands,
            touched: [0; 64],
        }
    }

    /// Somebody put something on a square, or took it away.
    pub(super) fn put(&mut self, now: Millis, number: u8, code: u8) {
        let n = usize::from(number & 63);
        if self.stands[n] != code {
            self.stands[n] = code;
            self.touched[n] = now;
        }
    }

    /// What stands there, seen or not.
    pub(super) fn stands(&self, number: u8) -> u8 {
        self.stands[usize::from(number & 63)]
    }

    /// What the board knows.
    pub(super) fn seen(&self) -> &[u8; 64] {
        &self.seen
    }

    /// The board was switched on and looks at everything.
    pub(super) fn look(&mut self) {
        self.seen = self.stands;
    }

    /// When the sweep comes upon the next change.
    pub(super) fn next_at(&self) -> Option<Millis> {
        self.pending().map(|change| change.at).min()
    }

    /// The first change the sweep has come upon by `now`.
    pub(super) fn next(&mut self, now: Millis) -> Option<Change> {
        let first = self
            .pending()
            .filter(|change| change.at <= now)
            .min_by_key(|c| (c.at, c.number))?;
        self.seen[usize::from(first.number)] = first.code;
        Some(first)
    }

    fn pending(&self) -> impl Iterator<Item = Change> + '_ {
        let changed =
            (0u8..64).filter(|&n| self.stands[usize::from(n)] != self.seen[usize::from(n)]);
        changed.map(|number| Change {
            at: self.looked_at(number),
            number,
            code: self.stands(number),
        })
    }

    /// When the sweep is at this square for the first time after it was touched.
    fn looked_at(&self, number: u8) -> Millis {
        let touched = self.touched[usize::from(number)];
        if self.sweep == 0 {
            return touched;
        }
        let offset = self.sweep * Millis::from(number) / 64;
        let sweeps = touched.saturating_sub(offset).div_ceil(self.sweep);
        sweeps * self.sweep + offset
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn changes_come_in_the_order_of_the_sweep() {
        let mut sensor = Sensor::new(Some(240), [0; 64]);
        sensor.put(1000, 52, 1);
        sensor.put(1001, 36, 1);
        let seen: Vec<_> = std::iter::from_fn(|| sensor.next(2000))
            .map(|c| (c.at, c.number))
            .collect();
        assert_eq!(seen, [(1095, 36), (1155, 52)]);
        sensor.put(3000, 36, 0);
        sensor.put(3001, 36, 1);
        assert_eq!(
            sensor.next_at(),
            None,
            "what the sweep does not see has not happened"
        );
    }

    #[test]
    fn without_a_sweep_everything_is_seen_at_once() {
        let mut sensor = Sensor::new(None, [0; 64]);
        sensor.put(1000, 52, 1);
        assert_eq!(
            sensor.next(1000),
            Some(Change {
                at: 1000,
                number: 52,
                code: 1
            })
        );
    }
}
