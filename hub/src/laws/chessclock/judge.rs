//! The account of both clocks: turns are added up and compared with what the control gives.

use protocol::{BySide, Side, TimeControl, Timestamp};
use serde::{Deserialize, Serialize};

use super::Span;
use super::setting::{Candidates, Setting, due, expected, falls_short, fits, may_be_missed, total};
use super::turn::{LAG, Turn, Window};

/// Turns after which a window starts anew: enough to tell one second from two.
const TURNS: usize = 16;

/// Presses at the beginning of a game in which no message is thought lost.
const FIRST_PRESSES: u32 = 6;

/// How far the sum of both clocks may be off before it matters, milliseconds.
const OFF: i64 = 10_000;

/// No clock goes wrong by more than one part in so many.
const FASTEST: i64 = 16;

/// In the first moves a wrong setting is the likelier cause: a clock that was set for the game goes wrong by less.
const FASTEST_IN_THE_OPENING: i64 = 50;

/// A difference at each press that may be no other bonus but a clock that goes slow or fast, milliseconds.
const BARELY: i64 = 2_500;

/// The bonus differs from the control.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Wrong {
    /// Since when, hub's time.
    pub since: Timestamp,
    /// What explains the clock.
    pub found: Candidates,
    /// What the control gives.
    pub expected: BySide<Setting>,
    /// Presses counted.
    pub presses: BySide<u32>,
    /// What the clocks should show, at rest, milliseconds.
    pub due: BySide<i64>,
    /// What they show, milliseconds.
    pub shows: BySide<i64>,
}

/// The whole time since both clocks were known last, for slow faults.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
struct Whole {
    from: BySide<Span>,
    ran_ms: i64,
    stretches: u32,
    expected: Span,
    early_ms: i64,
}

/// The account.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub(super) struct Ledger {
    pub(super) wrong: Option<Wrong>,
    pub(super) off: Option<(Timestamp, i64)>,
    window: Option<Window>,
    whole: Option<Whole>,
    ran_ms: i64,
    /// The window began with the game.
    opening: bool,
    /// The sum of both sandclocks, milliseconds: what one loses the other gains.
    #[serde(default)]
    sand: Option<i64>,
}

/// A turn as it enters the account.
pub(super) struct Entry {
    /// The turn.
    pub(super) turn: Turn,
    /// The other clock at the moment of the press, where it is known.
    pub(super) rested: Option<Span>,
    /// Milliseconds that clocks ran after the press.
    pub(super) after_ms: i64,
    /// When, hub's time.
    pub(super) at: Timestamp,
}

impl Ledger {
    /// Both clocks are known now.
    pub(super) fn start(&mut self, from: BySide<Span>, ran_ms: i64, opening: bool) {
        self.opening = opening;
        self.ran_ms = ran_ms;
        self.window = Some(window(from));
        self.whole.get_or_insert(Whole {
            from,
            ran_ms,
            stretches: 1,
            expected: Span::default(),
            early_ms: 0,
        });
    }

    /// What explains the turns of the window.
    pub(super) fn found(&self) -> Option<Candidates> {
        let window = self.window.as_ref().filter(|w| !w.turns.is_empty())?;
        Some(Candidates::of(window)).filter(|c| !c.is_empty())
    }

    /// Whether anything is being added up.
    pub(super) fn is_lost(&self) -> bool {
        self.window.is_none()
    }

    /// A clock ran.
    pub(super) fn ran(&mut self, ms: i64) {
        self.ran_ms += ms;
        if let Some(whole) = &mut self.whole {
            whole.ran_ms += ms;
        }
    }

    /// Both clocks stood and one runs again.
    pub(super) fn resumed(&mut self) {
        if let Some(window) = &mut self.window {
            window.stretches += 1;
        }
        if let Some(whole) = &mut self.whole {
            whole.stretches += 1;
        }
    }

    /// A clock showed more when it began to run than it did before.
    pub(super) fn early(&mut self, side: Side) {
        if let Some(window) = &mut self.window {
            *window.early.get_mut(side) = true;
        }
    }

    /// What was known is no longer.
    pub(super) fn lose(&mut self) {
        self.window = None;
        self.whole = None;
        self.sand = None;
        self.ran_ms = 0;
    }

    /// Old faults no longer count: the clock was set.
    pub(super) fn forgive(&mut self) {
        self.wrong = None;
        self.off = None;
    }

    /// Two sandclocks are read: their sum never changes.
    pub(super) fn sand(&mut self, sum: i64, at: Timestamp) {
        let off = sum - *self.sand.get_or_insert(sum);
        let since = self.off.map_or(at, |(since, _)| since);
        self.off = (off.abs() > OFF).then_some((since, off));
    }

    /// A turn is over and both clocks at rest are known, or only one.
    pub(super) fn turn(&mut self, entry: Entry, control: &TimeControl, period: &BySide<u8>) {
        let settings = settings(control, period);
        let Some(window) = &mut self.window else {
            return;
        };
        let turn = entry.turn;
        *window.to.get_mut(turn.side) = turn.to;
        window.turns.push(turn);
        if let (Some(whole), Some(settings)) = (&mut self.whole, &settings) {
            whole.add(&turn, settings, *window.early.get(turn.side));
        }
        let Some(rested) = entry.rested else {
            return;
        };
        *window.to.get_mut(turn.side.other()) = rested;
        window.ran_ms = self.ran_ms - entry.after_ms;
        if let Some(settings) = settings {
            self.judge(&settings, entry.at);
            let pair = settings.white.bonus_ms() + settings.black.bonus_ms();
            self.weigh(pair.min(10_000), entry.after_ms, entry.at);
        }
        self.roll(entry.after_ms);
    }

    fn judge(&mut self, settings: &BySide<Setting>, at: Timestamp) {
        let Some(window) = &self.window else {
            return;
        };
        let right = fits(window, settings);
        if right && self.wrong.is_none() {
            return;
        }
        let found = Candidates::of(window);
        match (right, self.wrong) {
            (true, Some(wrong)) if !overlaps(&found, &wrong.found) => self.wrong = None,
            (true, _) => {}
            (false, _) if found.is_empty() => self.again(),
            (false, None) if goes_slow_or_fast(window, settings, self.opening) => {}
            (false, None) if !falls_short(window, settings) && self.may_be_missed(settings) => {}
            (false, old) => {
                let since = old.map_or(at, |w| w.since);
                self.wrong = Some(wrong(window, settings, found, since));
            }
        }
    }

    /// The clocks gained too much, but lost messages may be the reason; hardly in the first moves, where nobody moves that fast.
    fn may_be_missed(&self, settings: &BySide<Setting>) -> bool {
        self.window.as_ref().is_some_and(|w| match self.opening {
            true if w.presses(Side::White) + w.presses(Side::Black) <= FIRST_PRESSES => {
                w.turns.len() < 2
            }
            true => may_be_missed(w, settings),
            // A press that brings nothing explains nothing.
            false if settings.white.bonus_ms() + settings.black.bonus_ms() == 0 => false,
            false => w.turns.len() < 8 || may_be_missed(w, settings),
        })
    }

    /// One turn that no setting explains: the next ones are judged on their own.
    fn again(&mut self) {
        if let Some(old) = &mut self.window {
            let from = old.to;
            let ran = old.ran_ms;
            *old = window(from);
            self.ran_ms -= ran;
            self.opening = false;
        }
    }

    /// The sum of both clocks over the whole time.
    fn weigh(&mut self, pair_ms: i64, after_ms: i64, at: Timestamp) {
        let (Some(window), Some(whole)) = (&self.window, &self.whole) else {
            return;
        };
        if window.turns.is_empty() {
            return;
        }
        let off = whole.off(&window.to, after_ms);
        // A few pairs of presses may have been lost.
        let most = OFF + 3 * pair_ms;
        self.off = match (off.lo > most, off.hi < -OFF) {
            (false, false) => None,
            (high, _) => {
                let ms = if high { off.lo } else { off.hi };
                Some((self.off.map_or(at, |(since, _)| since), ms))
            }
        };
    }

    fn roll(&mut self, after_ms: i64) {
        let full = self.window.as_ref().is_some_and(|w| w.turns.len() >= TURNS);
        if full && let Some(old) = &mut self.window {
            *old = window(old.to);
            self.ran_ms = after_ms;
            self.opening = false;
        }
    }
}

impl Whole {
    fn add(&mut self, turn: &Turn, settings: &BySide<Setting>, early: bool) {
        let setting = *settings.get(turn.side);
        self.expected = self.expected.plus(setting.gain(turn));
        if early {
            self.early_ms = self.early_ms.max(2 * setting.bonus_ms());
        }
    }

    /// What both clocks have too much, or less than nothing too little.
    fn off(&self, to: &BySide<Span>, after_ms: i64) -> Span {
        let both = |t: &BySide<Span>| t.white.plus(t.black);
        let ran = self.ran_ms - after_ms;
        let ran = Span::around(ran, LAG * i64::from(self.stretches));
        let gain = both(to).minus(both(&self.from)).plus(ran);
        let early = Span {
            lo: 0,
            hi: self.early_ms,
        };
        gain.minus(self.expected.plus(early))
    }
}

fn window(from: BySide<Span>) -> Window {
    Window {
        from,
        to: from,
        stretches: 1,
        ..Window::default()
    }
}

/// What the control gives each player now; nothing where the control is not known.
pub(super) fn settings(control: &TimeControl, period: &BySide<u8>) -> Option<BySide<Setting>> {
    let of = |side| expected(control.side(side).periods(), usize::from(*period.get(side)));
    Some(BySide {
        white: of(Side::White)?,
        black: of(Side::Black)?,
    })
}

fn wrong(
    window: &Window,
    expected: &BySide<Setting>,
    found: Candidates,
    since: Timestamp,
) -> Wrong {
    Wrong {
        since,
        found,
        expected: *expected,
        presses: BySide::new_with(|side| window.presses(side)),
        due: BySide::new_with(|side| due(window, side, *expected.get(side))),
        shows: BySide::new_with(|side| window.to.get(side).lo),
    }
}

/// The clock itself goes slow or fast: what it gained goes with the time it ran, not with the presses. The sum of both clocks tells.
fn goes_slow_or_fast(window: &Window, settings: &BySide<Setting>, opening: bool) -> bool {
    let off = window.gain().minus(total(window, settings));
    let presses: i64 = Side::BOTH
        .map(|s| i64::from(window.presses(s)))
        .iter()
        .sum();
    let part = if opening {
        FASTEST_IN_THE_OPENING
    } else {
        FASTEST
    };
    let most = (window.ran_ms / part).min(presses * BARELY);
    // Before the first move a clock shows whole seconds, however it rounds them.
    let whole = |side| match opening {
        true => window.from.get(side).hi - window.from.get(side).lo,
        false => 0,
    };
    let least = off.lo + whole(Side::White) + whole(Side::Black);
    least <= most && off.hi >= -most
}

fn overlaps(a: &Candidates, b: &Candidates) -> bool {
    let meet = |a: Option<(u32, u32)>, b: Option<(u32, u32)>| matches!((a, b), (Some(a), Some(b)) if a.0 <= b.1 && b.0 <= a.1);
    meet(a.increment, b.increment) || meet(a.delay, b.delay)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn turn(side: Side, ran: i64, from: u64, to: u64) -> Turn {
        Turn {
            side,
            presses: 1,
            stretches: 1,
            ran_ms: ran,
            from: Span::shown(from),
            to: Span::shown(to),
        }
    }

    #[test]
    fn what_turns_gained_tells_increment_from_delay() {
        let rows = [
            (20_000, 5_400_000, 5_380_000, Some((0, 1)), Some((1, 2))),
            (20_000, 5_400_000, 5_410_000, Some((29, 31)), None),
            (4_000, 5_400_000, 5_400_000, Some((3, 5)), Some((3, 180))),
        ];
        for (ran, from, to, increment, delay) in rows {
            let mut window = window(BySide::new_with(|_| Span::exact(5_400_000)));
            window.to.white = Span::shown(to);
            window.ran_ms = ran;
            window.turns.push(turn(Side::White, ran, from, to));
            let got = Candidates::of(&window);
            let has = |got: Option<(u32, u32)>, want: Option<(u32, u32)>| match (got, want) {
                (Some(g), Some(w)) => g.0 <= w.1 && w.0 <= g.1,
                (got, want) => got.is_none() == want.is_none(),
            };
            assert!(has(got.increment, increment), "{ran} {got:?}");
            assert!(has(got.delay, delay), "{ran} {got:?}");
        }
    }
}
