//! What the clock is set to give with each move: no bonus, an increment, or a delay; found from what the turns gained.

use protocol::{Bonus, BySide, Period, Side, TimeControl};
use serde::{Deserialize, Serialize};

use super::turn::{Turn, Window};
use super::{Span, span::signed};

/// The longest increment or delay that is looked for, seconds.
const LONGEST: u32 = 180;

/// What a clock gives with a move. Bronstein and the US delay leave the same times behind.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum Setting {
    /// Seconds added with each press; 0: none.
    Increment(u32),
    /// Seconds that cost nothing.
    Delay(u32),
    /// What one uses the other gains.
    Sandclock,
}

impl Setting {
    /// The setting a period asks for.
    pub fn of(period: &Period) -> Setting {
        match period.bonus {
            Bonus::None => Setting::Increment(0),
            Bonus::Increment(s) => Setting::Increment(s),
            Bonus::Delay(s) | Bonus::Bronstein(s) => Setting::Delay(s),
            Bonus::Sandclock => Setting::Sandclock,
        }
    }

    /// Milliseconds of bonus.
    pub fn bonus_ms(self) -> i64 {
        match self {
            Setting::Increment(s) | Setting::Delay(s) => i64::from(s) * 1000,
            Setting::Sandclock => 0,
        }
    }

    /// What a turn gains under it.
    pub(super) fn gain(self, turn: &Turn) -> Span {
        let presses = i64::from(turn.presses);
        match self {
            Setting::Increment(_) => Span::exact(self.bonus_ms() * presses),
            Setting::Delay(_) => Span {
                lo: turn.ran().lo.min(self.bonus_ms()),
                hi: turn
                    .ran()
                    .hi
                    .min(self.bonus_ms() * i64::from(turn.stretches).max(presses)),
            },
            Setting::Sandclock => Span::around(0, i64::MAX / 8),
        }
    }
}

/// Settings that explain everything seen in a window, each kind from the least to the most seconds.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Candidates {
    /// Increments; 0 is none at all.
    pub increment: Option<(u32, u32)>,
    /// Delays.
    pub delay: Option<(u32, u32)>,
}

impl Candidates {
    /// All that explain a window.
    pub(super) fn of(window: &Window) -> Candidates {
        let both = |setting| {
            fits(
                window,
                &BySide {
                    white: setting,
                    black: setting,
                },
            )
        };
        let range = |make: fn(u32) -> Setting, from: u32| {
            let mut all = (from..=LONGEST).filter(|s| both(make(*s)));
            let first = all.next()?;
            Some((first, all.next_back().unwrap_or(first)))
        };
        Candidates {
            increment: range(Setting::Increment, 0),
            delay: range(Setting::Delay, 1),
        }
    }

    /// Whether nothing explains it.
    pub fn is_empty(&self) -> bool {
        self.increment.is_none() && self.delay.is_none()
    }
}

/// Whether each turn, and all of them together, gained what the settings give.
pub(super) fn fits(window: &Window, settings: &BySide<Setting>) -> bool {
    let each = window.turns.iter().all(|t| {
        let setting = *settings.get(t.side);
        let early = early_ms(window, t.side, setting);
        let plain = setting.gain(t);
        t.gain().meets(plain) || t.gain().meets(plain.plus(Span::exact(early)))
    });
    each && together(window, settings)
}

fn together(window: &Window, settings: &BySide<Setting>) -> bool {
    let expected = total(window, settings);
    let early: i64 = Side::BOTH
        .map(|side| early_ms(window, side, *settings.get(side)))
        .iter()
        .sum();
    let gain = window.gain();
    gain.meets(expected) || gain.meets(expected.plus(Span { lo: 0, hi: early }))
}

/// What both clocks gain in a window under the settings, a possible first increment left out.
pub(super) fn total(window: &Window, settings: &BySide<Setting>) -> Span {
    let each = window.turns.iter().map(|t| settings.get(t.side).gain(t));
    each.fold(Span::default(), Span::plus)
}

/// A first increment that may have come before the first move.
fn early_ms(window: &Window, side: Side, setting: Setting) -> i64 {
    match setting {
        Setting::Increment(s) if s == 1 || *window.early.get(side) => setting.bonus_ms(),
        _ => 0,
    }
}

/// Whether the clocks gained less than they should: missed presses can never explain that.
pub(super) fn falls_short(window: &Window, settings: &BySide<Setting>) -> bool {
    let each = window
        .turns
        .iter()
        .any(|t| t.gain().hi < settings.get(t.side).gain(t).lo);
    each || window.gain().hi < total(window, settings).lo
}

/// Presses that no message told may explain that the clocks gained too much.
pub(super) fn may_be_missed(window: &Window, settings: &BySide<Setting>) -> bool {
    let pair = settings.white.bonus_ms() + settings.black.bonus_ms();
    let more = window.gain().minus(total(window, settings));
    (1..=3).any(|pairs| more.meets(Span::around(pairs * pair, 1_000)))
}

/// What a player's clock should show at the end of a window, milliseconds.
pub(super) fn due(window: &Window, side: Side, setting: Setting) -> i64 {
    let mine = window.turns.iter().filter(|t| t.side == side);
    let moved = mine.map(|t| setting.gain(t).middle() - t.ran_ms);
    window.from.get(side).lo + moved.sum::<i64>()
}

/// The setting of the period a clock is in, the last one where there are no more.
pub(super) fn expected(periods: &[Period], number: usize) -> Option<Setting> {
    periods.get(number).or(periods.last()).map(Setting::of)
}

/// Whether the control is a sandclock now.
pub(super) fn is_sandclock(control: &TimeControl, period: &BySide<u8>) -> bool {
    let is = |side| {
        let number = usize::from(*period.get(side));
        expected(control.side(side).periods(), number) == Some(Setting::Sandclock)
    };
    Side::BOTH.into_iter().all(is)
}

/// Whether an initial display is right: the base time, with or without the first bonus.
pub(super) fn starts_right(period: &Period, shown: u64) -> bool {
    let base = i64::from(period.seconds) * 1000;
    let shown = signed(shown);
    shown == base || (shown == base + Setting::of(period).bonus_ms())
}
