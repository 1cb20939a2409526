//! The time control a simulated game is played with, and how players spread their time over it.

use super::act::Millis;

/// Base time and increment of a Fischer control.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Control {
    /// Time at the start, in milliseconds.
    pub base: Millis,
    /// Added after every press, in milliseconds.
    pub increment: Millis,
}

impl Control {
    /// The classical 90 minutes and 30 seconds a move.
    pub const CLASSICAL: Control = Control::seconds(5400, 30);
    /// Rapid: 15 minutes and 10 seconds a move.
    pub const RAPID: Control = Control::seconds(900, 10);
    /// Blitz: 3 minutes and 2 seconds a move.
    pub const BLITZ: Control = Control::seconds(180, 2);

    /// A control from whole seconds.
    pub const fn seconds(base: u64, increment: u64) -> Control {
        Control {
            base: base * 1000,
            increment: increment * 1000,
        }
    }

    /// Reads the PGN tag `TimeControl` (`5400+30`, `300`, `40/5400+30`); `None` for anything else.
    ///
    /// Of several periods the first counts.
    pub fn from_tag(tag: &str) -> Option<Control> {
        let period = tag.trim().split(':').next()?;
        let period = period.split_once('/').map_or(period, |(_, rest)| rest);
        let (base, increment) = period.split_once('+').unwrap_or((period, "0"));
        let seconds = |text: &str| text.trim().parse::<u64>().ok().filter(|&s| s <= 360_000);
        Some(Control::seconds(seconds(base)?, seconds(increment)?))
            .filter(|control| control.base > 0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn time_control_tags() {
        let rows = [
            ("5400+30", Some((5400, 30))),
            ("300", Some((300, 0))),
            ("40/7200+30:3600", Some((7200, 30))),
            (" 180 + 2 ", Some((180, 2))),
            ("-", None),
            ("?", None),
            ("0+1", None),
            ("99999999999999999999+1", None),
        ];
        for (tag, expected) in rows {
            let expected = expected.map(|(base, increment)| Control::seconds(base, increment));
            assert_eq!(Control::from_tag(tag), expected, "{tag}");
        }
    }
}
