//! Which position a walk looks at next.
//!
//! No estimate is right everywhere, so several orders share the turns: the nearest to mate by the estimate, first among those that show
//! something new; every arrangement of pawns and material in turn, so that one that is easy to fill with positions does not drown the
//! others; and every pair of estimate and depth in turn, so that a plateau is left on all sides.

/// Positions by number, in several orders at once; a number may come out more than once.
pub(super) struct Queues {
    fresh: Nearest,
    all: Nearest,
    /// None where a walk hunts for one picture: it follows the estimate alone.
    wide: Option<Wide>,
    turn: usize,
}

/// What a walk takes in when it wants to see everything.
#[derive(Default)]
struct Wide {
    by_shape: Turns,
    by_kind: Turns,
}

/// A position on its way into the queues.
pub(super) struct Entry {
    pub number: u32,
    /// The estimate.
    pub near: usize,
    /// Moves from the start.
    pub depth: usize,
    /// The number of its shape.
    pub shape: usize,
    /// A man stands where its shape has not had one.
    pub shows_something_new: bool,
}

impl Queues {
    /// For a walk that proves something when nothing is left.
    pub(super) fn wide(farthest: usize) -> Self {
        Self {
            wide: Some(Wide::default()),
            ..Self::narrow(farthest)
        }
    }

    /// For a hunt along the estimate.
    pub(super) fn narrow(farthest: usize) -> Self {
        Self {
            fresh: Nearest::new(farthest + 1),
            all: Nearest::new(farthest + 1),
            wide: None,
            turn: 0,
        }
    }

    pub(super) fn push(&mut self, entry: &Entry) {
        if entry.shows_something_new {
            self.fresh.push(entry.near, entry.number);
        } else {
            self.all.push(entry.near, entry.number);
        }
        if let Some(wide) = &mut self.wide {
            wide.by_shape.push(entry.shape, entry.number);
            let kind = entry.depth / DEPTHS_ALIKE * (self.all.distances()) + entry.near;
            wide.by_kind.push(kind, entry.number);
        }
    }

    /// Puts a number back that was taken out but not looked at.
    pub(super) fn put_back(&mut self, number: u32) {
        self.fresh.push(0, number);
    }

    /// The next number; nothing when every position that was pushed has come out.
    pub(super) fn pop(&mut self) -> Option<u32> {
        self.turn += 1;
        let Some(wide) = &mut self.wide else {
            return match self.turn % 2 {
                0 => self.all.pop().or_else(|| self.fresh.pop()),
                _ => self.fresh.pop().or_else(|| self.all.pop()),
            };
        };
        let chosen = match self.turn % 5 {
            0 => wide.by_shape.pop(),
            2 => wide.by_kind.pop(),
            1 | 3 => self.fresh.pop().or_else(|| self.all.pop()),
            _ => self.all.pop(),
        };
        chosen
            .or_else(|| wide.by_shape.pop())
            .or_else(|| self.fresh.pop())
    }
}

/// Depths that count as one kind.
const DEPTHS_ALIKE: usize = 2;

/// Numbers by estimate, the latest first among equals.
struct Nearest {
    by_distance: Vec<Vec<u32>>,
    lowest: usize,
}

impl Nearest {
    fn new(distances: usize) -> Self {
        Self {
            by_distance: vec![Vec::new(); distances],
            lowest: 0,
        }
    }

    fn distances(&self) -> usize {
        self.by_distance.len()
    }

    fn push(&mut self, distance: usize, number: u32) {
        self.by_distance[distance].push(number);
        self.lowest = self.lowest.min(distance);
    }

    fn pop(&mut self) -> Option<u32> {
        while self.lowest < self.by_distance.len() {
            if let Some(number) = self.by_distance[self.lowest].pop() {
                return Some(number);
            }
            self.lowest += 1;
        }
        self.lowest = 0;
        None
    }
}

/// Numbers by class, one of each class in turn, the latest first in each. Kept as chains through one list, as there may be as many classes
/// as numbers.
#[derive(Default)]
struct Turns {
    /// The latest number of each class.
    latest: Vec<u32>,
    /// For each number the one before it in its class.
    before: Vec<u32>,
    /// Classes that have something left.
    waiting: Vec<u32>,
    at: usize,
}

/// The end of a chain.
const END: u32 = u32::MAX;

impl Turns {
    /// Takes in a number, which must not have been taken in before.
    fn push(&mut self, class: usize, number: u32) {
        if self.latest.len() <= class {
            self.latest.resize(class + 1, END);
        }
        if self.before.len() <= number as usize {
            self.before.resize(number as usize + 1, END);
        }
        let latest = &mut self.latest[class];
        if *latest == END {
            self.waiting.push(class as u32);
        }
        self.before[number as usize] = *latest;
        *latest = number;
    }

    fn pop(&mut self) -> Option<u32> {
        self.at = if self.at + 1 < self.waiting.len() {
            self.at + 1
        } else {
            0
        };
        let class = *self.waiting.get(self.at)?;
        let latest = &mut self.latest[class as usize];
        let number = *latest;
        *latest = self.before[number as usize];
        if *latest == END {
            self.waiting.swap_remove(self.at);
        }
        Some(number)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn entry(number: u32) -> Entry {
        let n = number as usize;
        Entry {
            number,
            near: n * 7 % 64,
            depth: n / 3,
            shape: n % 5,
            shows_something_new: n.is_multiple_of(4),
        }
    }

    #[test]
    fn everything_that_was_pushed_comes_out() {
        for mut queues in [Queues::wide(63), Queues::narrow(63)] {
            let mut seen = [false; 500];
            for number in 0..500 {
                queues.push(&entry(number));
                if number.is_multiple_of(3)
                    && let Some(out) = queues.pop()
                {
                    seen[out as usize] = true;
                }
            }
            while let Some(out) = queues.pop() {
                seen[out as usize] = true;
            }
            assert_eq!(seen, [true; 500]);
        }
    }

    #[test]
    fn every_class_has_its_turn() {
        let mut turns = Turns::default();
        for number in 0..100 {
            turns.push(usize::from(number == 99), number);
        }
        let first: Vec<u32> = (0..2).filter_map(|_| turns.pop()).collect();
        assert!(first.contains(&99), "{first:?}");
    }
}
