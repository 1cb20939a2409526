//! Spans of milliseconds: a clock shows whole seconds and its message comes late, so every figure is known within bounds.

use serde::{Deserialize, Serialize};

/// What a whole-second display hides.
const HIDDEN: i64 = 999;

/// Everything from `lo` to `hi`, milliseconds.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Span {
    /// At least.
    pub lo: i64,
    /// At most.
    pub hi: i64,
}

impl Span {
    /// Known to the millisecond.
    pub fn exact(ms: i64) -> Span {
        Span { lo: ms, hi: ms }
    }

    /// What a display that cuts off parts of seconds stands for.
    pub fn shown(ms: u64) -> Span {
        let ms = signed(ms);
        Span {
            lo: ms,
            hi: ms.saturating_add(HIDDEN),
        }
    }

    /// A figure and how far it may be wrong.
    pub fn around(ms: i64, error: i64) -> Span {
        Span {
            lo: ms.saturating_sub(error),
            hi: ms.saturating_add(error),
        }
    }

    /// The sum.
    pub fn plus(self, other: Span) -> Span {
        Span {
            lo: self.lo.saturating_add(other.lo),
            hi: self.hi.saturating_add(other.hi),
        }
    }

    /// The difference.
    pub fn minus(self, other: Span) -> Span {
        Span {
            lo: self.lo.saturating_sub(other.hi),
            hi: self.hi.saturating_sub(other.lo),
        }
    }

    /// No part below zero.
    pub fn not_negative(self) -> Span {
        Span {
            lo: self.lo.max(0),
            hi: self.hi.max(0),
        }
    }

    /// Whether both can be the same figure.
    pub fn meets(self, other: Span) -> bool {
        self.lo <= other.hi && other.lo <= self.hi
    }

    /// Half way between the bounds.
    pub fn middle(self) -> i64 {
        self.lo.midpoint(self.hi)
    }
}

/// Milliseconds with a sign; more than any clock shows stays the most there is.
pub(super) fn signed(ms: u64) -> i64 {
    i64::try_from(ms).unwrap_or(i64::MAX / 4).min(i64::MAX / 4)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn spans_add_and_meet() {
        let a = Span::shown(5_000);
        assert_eq!(a.minus(Span::exact(5_000)), Span { lo: 0, hi: 999 });
        assert!(a.meets(Span::exact(5_999)) && !a.meets(Span::exact(6_000)));
        assert_eq!(
            Span::around(500, 800).not_negative(),
            Span { lo: 0, hi: 1_300 }
        );
        assert_eq!(Span::around(500, 800).middle(), 500);
    }
}
