//! What changed between two readings that the passing of time does not explain: a period added, presses that were not told, a jump.

use protocol::{BySide, Period, Side, SideControl, TimeControl};

use super::model::Shown;
use super::setting::{Setting, expected, is_sandclock};
use super::span::signed;
use super::turn::LAG;

/// How far a running display may lie from its due without a cause, milliseconds: the lag, and the hidden part of a second.
const SLACK: i64 = LAG + 1_000;

/// No clock is set to a longer bonus by mistake, milliseconds; what rises by more is a period or a jump.
const LONGEST_BONUS: i64 = 181_000;

/// A period is never shorter than this, milliseconds.
const SHORTEST_PERIOD: i64 = 59_000;

/// Hands press no faster for long, milliseconds from one press of a player to the next of his own.
const BETWEEN_PRESSES: i64 = 1_500;

/// The most presses of a player that are tried when nobody listened: in so long a time any sum is possible.
const MOST_UNHEARD: i64 = 100;

/// The most pairs of presses that may have been lost at once.
const MOST_PAIRS: i64 = 20;

/// What must have happened between two readings.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Change {
    /// Nothing but time and presses.
    None,
    /// Both players pressed, this many times, and no message told.
    Missed(u32),
    /// A clock added a period, milliseconds.
    Period(Side, u64),
    /// Something small that nothing explains: not held against the clock.
    Unclear,
    /// What players do in a time in which nobody listened.
    Unheard,
    /// The same, and a player's clock may have added a period as well.
    Hidden(Side),
    /// Times changed without a cause.
    Jump,
}

/// What lies between two readings; `due` says whose press may still bring its bonus.
pub(super) fn change(
    last: &Shown,
    now: &Shown,
    control: &TimeControl,
    period: &BySide<u8>,
    due: BySide<bool>,
) -> Change {
    let step = Step::new(last, now, control, period, due);
    match (last.running, now.running) {
        _ if is_sandclock(control, period) => step.sandclock(),
        (None, running) => step.at_rest(running),
        (Some(side), Some(next)) if next != side => step.handed_over(side, next),
        (Some(side), _) => step.same_runner(side),
    }
}

/// What lies between two readings when nobody listened meanwhile: who ran when, and who pressed how often, is not known. Each clock may
/// have added a period.
pub(super) fn unheard(
    last: &Shown,
    now: &Shown,
    control: &TimeControl,
    period: &BySide<u8>,
) -> [Change; 2] {
    let step = Step::new(last, now, control, period, BySide::default());
    match (last.running, now.running) {
        (None, None) => [step.at_rest(None), Change::None],
        _ if is_sandclock(control, period) => [step.sandclock(), Change::Unheard],
        _ => step.unheard(),
    }
}

struct Step<'a> {
    passed: i64,
    last: &'a Shown,
    now: &'a Shown,
    control: &'a TimeControl,
    period: &'a BySide<u8>,
    due: BySide<bool>,
}

impl<'a> Step<'a> {
    fn new(
        last: &'a Shown,
        now: &'a Shown,
        control: &'a TimeControl,
        period: &'a BySide<u8>,
        due: BySide<bool>,
    ) -> Step<'a> {
        Step {
            passed: signed(now.at.since(last.at)),
            last,
            now,
            control,
            period,
            due,
        }
    }

    fn diff(&self, side: Side) -> i64 {
        signed(*self.now.time.get(side)) - signed(*self.last.time.get(side))
    }

    fn bonus(&self, side: Side) -> i64 {
        let periods = self.control.side(side).periods();
        let number = usize::from(*self.period.get(side));
        expected(periods, number).map_or(0, Setting::bonus_ms)
    }

    /// Both stood: only a hand changes times, or the one that runs now has begun to.
    fn at_rest(&self, running: Option<Side>) -> Change {
        let odd = Side::BOTH.into_iter().any(|side| {
            let least = if running == Some(side) {
                -self.passed - 1_000
            } else {
                -1_000
            };
            let most = match (*self.due.get(side), running == Some(side)) {
                (true, _) => self.longest(side),
                (false, true) => self.bonus(side) + 1_000,
                (false, false) => 1_000,
            };
            !(least..=most).contains(&self.diff(side))
        });
        if odd { Change::Jump } else { Change::None }
    }

    fn handed_over(&self, side: Side, next: Side) -> Change {
        let rise = self.diff(side) + self.passed;
        if let Some(change) = self.added(side, rise) {
            return change;
        }
        let zero = *self.last.time.get(side) == 0 || *self.now.time.get(side) == 0;
        let low = !zero && rise < -SLACK - self.passed / 200;
        let other = self.diff(next);
        let odd = low || other < -self.passed - SLACK || other > self.longest(next);
        if odd { Change::Jump } else { Change::None }
    }

    fn same_runner(&self, side: Side) -> Change {
        let rise = self.diff(side) + self.passed;
        if let Some(change) = self.added(side, rise) {
            return change;
        }
        let other = side.other();
        let rested = self.diff(other);
        let bonus_came = *self.due.get(other) && (0..=self.longest(other)).contains(&rested);
        if rested != 0 && !bonus_came {
            let small = rested.abs() <= 1_000;
            let odd = if small { Change::Unclear } else { Change::Jump };
            return self.missed(side).unwrap_or(odd);
        }
        let zero = *self.last.time.get(side) == 0 || *self.now.time.get(side) == 0;
        let low = !zero && rise < -SLACK - self.passed / 200;
        let high = self.diff(side) > self.bonus(side) + 1_000;
        if low || high {
            Change::Jump
        } else {
            Change::None
        }
    }

    /// Any order of presses, no more of them than hands can make in the time.
    fn unheard(&self) -> [Change; 2] {
        let sides = Side::BOTH.map(|side| self.control.side(side));
        if sides.iter().any(|side| side.periods().is_empty()) {
            return [Change::Unheard, Change::None];
        }
        // One bonus may have been on its way already, and one comes with the next turn.
        let presses = self.passed / BETWEEN_PRESSES + 2;
        let ran = self.passed + self.passed / 200 + SLACK;
        let changes = Side::BOTH.map(|side| self.side_unheard(side, presses, ran));
        let nothing = |change: &Change| matches!(change, Change::Unheard | Change::Hidden(_));
        if changes.iter().all(nothing) && !self.sum_is_possible(presses, ran) {
            return [Change::Jump, Change::None];
        }
        changes
    }

    /// A clock that gained more than presses bring has added a later period, or a hand has set it.
    fn side_unheard(&self, side: Side, presses: i64, ran: i64) -> Change {
        let most = presses * self.bonus_from_now(side) + SLACK;
        let diff = self.diff(side);
        let number = usize::from(*self.period.get(side));
        let later = self.control.side(side).periods().iter().skip(number + 1);
        let mut later = later.map(|next| i64::from(next.seconds) * 1000);
        let came = later.find(|due| (due - ran..=due + most).contains(&diff));
        match (came, (-ran..=most).contains(&diff)) {
            (None, true) => Change::Unheard,
            (Some(_), true) => Change::Hidden(side),
            (Some(due), false) => Change::Period(side, due.unsigned_abs()),
            (None, false) => Change::Jump,
        }
    }

    /// The largest bonus of a press in this period or a later one.
    fn bonus_from_now(&self, side: Side) -> i64 {
        let periods = self.control.side(side).periods();
        let from_now = usize::from(*self.period.get(side))..periods.len();
        let bonus = |number| expected(periods, number).map_or(0, Setting::bonus_ms);
        from_now
            .map(bonus)
            .max()
            .unwrap_or_else(|| self.bonus(side))
    }

    /// Whether both clocks together lost no more than the time and gained what some number of presses brings.
    fn sum_is_possible(&self, presses: i64, ran: i64) -> bool {
        let total = self.diff(Side::White) + self.diff(Side::Black);
        let delay = |side| matches!(self.setting(side), Some(Setting::Delay(_)));
        let same = |side| self.bonus(side) == self.bonus_from_now(side);
        let exact = Side::BOTH
            .into_iter()
            .all(|side| same(side) && !delay(side));
        let [by_white, by_black] = Side::BOTH.map(|side| self.bonus_from_now(side));
        let possible = |white: i64, black: i64| {
            let gain = white * by_white + black * by_black;
            let least = if exact { gain - ran } else { -ran };
            (least..=gain + SLACK).contains(&total)
        };
        let near = |white: i64| (white - 1).max(0)..=white + 1;
        let tried = |white| near(white).any(|black| possible(white, black));
        presses > MOST_UNHEARD || (0..=presses).any(tried)
    }

    /// The resting clock changed: both players pressed in between, as often as the sum of the clocks says.
    fn missed(&self, side: Side) -> Option<Change> {
        let (ran, rested) = (self.diff(side), self.diff(side.other()));
        let gain = ran + rested + self.passed;
        let pair = self.bonus(side) + self.bonus(side.other());
        let near = LAG + 2_000;
        let pairs = if pair == 0 {
            1
        } else {
            ((gain + pair / 2) / pair).max(1)
        };
        let delay = matches!(self.setting(side), Some(Setting::Delay(_)));
        let sums = if delay {
            (-near..=pairs * pair + near).contains(&gain)
        } else {
            (gain - if pair == 0 { 0 } else { pairs * pair }).abs() <= near
        };
        let most = pairs * self.bonus(side.other()) + 1_000;
        let can = (-self.passed - 1_000..=most).contains(&rested) && pairs <= MOST_PAIRS;
        (sums && can).then(|| Change::Missed(u32::try_from(pairs).unwrap_or(1)))
    }

    fn setting(&self, side: Side) -> Option<Setting> {
        let periods = self.control.side(side).periods();
        expected(periods, usize::from(*self.period.get(side)))
    }

    /// A period that a clock added: at zero, or with the press of the move that completes one.
    fn added(&self, side: Side, rise: i64) -> Option<Change> {
        let at_zero = *self.last.time.get(side) == 0;
        let rise = if at_zero { self.diff(side) } else { rise };
        let next = next_period(self.control.side(side), *self.period.get(side));
        let due = next.map_or(i64::MAX, |next| i64::from(next.seconds) * 1000);
        // The press that completes a period may bring the bonus of the next one.
        let brings = next.map_or(0, |next| Setting::of(next).bonus_ms());
        let bonus = self.bonus(side).max(brings);
        if rise < self.shortest(due, bonus) {
            return None;
        }
        let Some(next) = next else {
            return (rise > self.longest(side)).then_some(Change::Jump);
        };
        let least = due - SLACK - if at_zero { self.passed } else { 0 };
        let right = (least..=due + bonus + SLACK).contains(&rise);
        let empty = signed(*self.last.time.get(side)) <= self.passed + SLACK;
        match (right, empty || rise > self.longest(side)) {
            (true, _) => Some(Change::Period(side, u64::from(next.seconds) * 1000)),
            (false, true) => Some(Change::Period(side, rise.unsigned_abs())),
            (false, false) => None,
        }
    }
}

impl Step<'_> {
    /// The longest bonus, milliseconds: what rises by more is a period or a jump.
    fn longest(&self, side: Side) -> i64 {
        LONGEST_BONUS.max(self.bonus_from_now(side) + SLACK)
    }

    /// A sandclock: what one clock loses the other gains, whoever ran when.
    fn sandclock(&self) -> Change {
        let far = |side: &Side| self.diff(*side).abs() > self.passed + SLACK;
        let sum = self.diff(Side::White) + self.diff(Side::Black);
        let empty = |side: &Side| *self.now.time.get(*side) == 0;
        let odd =
            Side::BOTH.iter().any(far) || (sum.abs() > 2 * SLACK && !Side::BOTH.iter().any(empty));
        if odd { Change::Jump } else { Change::None }
    }

    /// A rise by less than this is no period, milliseconds; a short period that no bonus can be taken for is one too.
    fn shortest(&self, due: i64, bonus: i64) -> i64 {
        let least = due.saturating_sub(SLACK);
        if least > bonus + SLACK {
            least.min(SHORTEST_PERIOD)
        } else {
            SHORTEST_PERIOD
        }
    }
}

fn next_period(control: &SideControl, number: u8) -> Option<&Period> {
    control.periods().get(usize::from(number) + 1)
}
