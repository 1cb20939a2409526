//! The chessclock on the table, exact to the millisecond.

use shakmaty::{ByColor, Color};

use super::act::Millis;
use super::control::Control;

/// A chessclock that is told when things happen, in order of time.
#[derive(Clone, Debug)]
pub(super) struct Chessclock {
    left: ByColor<Millis>,
    increment: Millis,
    running: Option<Color>,
    since: Millis,
    /// The first flag that fell.
    pub(super) flag: Option<(Millis, Color)>,
}

impl Chessclock {
    /// A clock that is set and stands.
    pub(super) fn new(control: Control) -> Chessclock {
        let left = ByColor {
            white: control.base,
            black: control.base,
        };
        Chessclock {
            left,
            increment: control.increment,
            running: None,
            since: 0,
            flag: None,
        }
    }

    /// Whose time runs.
    pub(super) fn running(&self) -> Option<Color> {
        self.running
    }

    /// What each added press brings.
    pub(super) fn increment(&self) -> Millis {
        self.increment
    }

    /// When the running side's flag falls if nothing happens.
    pub(super) fn falls_at(&self) -> Option<Millis> {
        self.running.map(|color| self.since + self.left[color])
    }

    /// Time left at an instant not before the last happening.
    pub(super) fn left(&self, at: Millis) -> ByColor<Millis> {
        let mut left = self.left;
        if let Some(color) = self.running {
            *left.get_mut(color) = left[color].saturating_sub(at.saturating_sub(self.since));
        }
        left
    }

    /// A press by a player whose time runs; anything else moves nothing. A fallen flag gets no increment.
    pub(super) fn press(&mut self, at: Millis, by: Color) {
        if self.running != Some(by) {
            return;
        }
        self.settle(at);
        if self.left[by] > 0 {
            *self.left.get_mut(by) += self.increment;
        }
        self.running = Some(by.other());
    }

    /// The clock starts.
    pub(super) fn start(&mut self, at: Millis, running: Color) {
        self.settle(at);
        self.running = Some(running);
    }

    /// The clock stops.
    pub(super) fn stop(&mut self, at: Millis) {
        self.settle(at);
        self.running = None;
    }

    /// A stopped clock is set to other times.
    pub(super) fn set(&mut self, left: ByColor<Millis>) {
        self.left = left;
    }

    fn settle(&mut self, at: Millis) {
        if let (Some(color), Some(falls)) = (self.running, self.falls_at())
            && falls <= at
            && self.flag.is_none()
        {
            self.flag = Some((falls, color));
        }
        self.left = self.left(at);
        self.since = at;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn increments_presses_and_a_flag() {
        let mut clock = Chessclock::new(Control::seconds(10, 2));
        clock.start(1000, Color::White);
        clock.press(4000, Color::Black);
        clock.press(4000, Color::White);
        assert_eq!(
            clock.left(5000),
            ByColor {
                white: 9000,
                black: 9000
            }
        );
        clock.stop(6000);
        assert_eq!(
            clock.left(60_000),
            ByColor {
                white: 9000,
                black: 8000
            }
        );
        clock.start(60_000, Color::Black);
        assert_eq!(clock.falls_at(), Some(68_000));
        clock.press(70_000, Color::Black);
        assert_eq!(clock.flag, Some((68_000, Color::Black)));
        assert_eq!(
            clock.left(70_000),
            ByColor {
                white: 9000,
                black: 0
            }
        );
    }
}
