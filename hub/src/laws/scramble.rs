//! Time trouble: who need not keep score, how many moves are left to the control, when scrambles are to be expected (8.4, 8.5).

use protocol::{BySide, Period, Side, TimeControl};

use super::chessclock::required;

/// Below this a player need not keep score, milliseconds (8.4).
const FIVE_MINUTES: u64 = 300_000;

/// With this bonus a move he must, seconds.
const HALF_MINUTE: u32 = 30;

/// How it stands with one player.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Trouble {
    /// He need not keep score.
    pub recording_optional: bool,
    /// Moves to the control; none: no control is ahead.
    pub moves_to_control: Option<u32>,
}

/// Time trouble of one player: his time, the number of his period (from 0) and his completed moves.
pub fn trouble(periods: &[Period], number: u8, left_ms: u64, completed: u32) -> Trouble {
    let at = usize::from(number).min(periods.len().saturating_sub(1));
    Trouble {
        recording_optional: left_ms < FIVE_MINUTES && may_be_short(periods, number),
        moves_to_control: required(periods, at).map(|r| r.saturating_sub(completed)),
    }
}

/// Whether the period is one in which a player below five minutes need not keep score: no half a minute a move.
fn may_be_short(periods: &[Period], number: u8) -> bool {
    let number = usize::from(number).min(periods.len().saturating_sub(1));
    let period = periods.get(number);
    period.is_some_and(|p| p.bonus.seconds() < HALF_MINUTE)
}

/// A table in time trouble.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Scramble {
    /// Each player's.
    pub players: BySide<Trouble>,
}

impl Scramble {
    /// Nobody keeps score: an arbiter or assistant should be present (8.5.1).
    pub fn needs_recorder(&self) -> bool {
        self.players.white.recording_optional && self.players.black.recording_optional
    }

    /// Whose duty ended, in words for the arbiter alone.
    pub fn words(&self) -> Vec<String> {
        let line = |side: Side| {
            let player = self.players.get(side);
            player
                .recording_optional
                .then(|| match player.moves_to_control {
                    Some(n) => format!(
                        "{}: recording optional (8.4); {n} moves to the control.",
                        side.word()
                    ),
                    None => format!("{}: recording optional (8.4).", side.word()),
                })
        };
        let mut lines: Vec<String> = Side::BOTH.into_iter().filter_map(line).collect();
        if self.needs_recorder() {
            lines.push(
                "Nobody keeps score: be present and record; this record stands in (8.5.1)."
                    .to_owned(),
            );
        }
        lines
    }
}

/// Whether a table is in time trouble; rapid and blitz need no score and are left out by the caller.
pub fn scramble(
    control: &TimeControl,
    period: BySide<u8>,
    left_ms: BySide<u64>,
    completed: BySide<u32>,
) -> Option<Scramble> {
    let players = BySide::new_with(|side| {
        trouble(
            control.side(side).periods(),
            *period.get(side),
            *left_ms.get(side),
            *completed.get(side),
        )
    });
    let any = players.white.recording_optional || players.black.recording_optional;
    any.then_some(Scramble { players })
}

/// What happens after a flag has fallen in a period that is not the last (8.5).
pub fn after_the_flag(optional: BySide<bool>) -> Vec<&'static str> {
    match (optional.white, optional.black) {
        (true, true) => vec![
            "Stop the clocks; both bring their scoresheets up to date from yours (8.5.1).",
            "The list of moves can be printed.",
        ],
        (true, false) | (false, true) => vec![
            "Only one stopped recording: he completes his sheet before he moves (8.5.2).",
            "A move before that is for you to stop.",
        ],
        (false, false) => Vec::new(),
    }
}

/// When a player will be below five minutes if both use the time evenly: milliseconds from now, for assigning assistants; none where he
/// keeps score to the end.
pub fn expected_in(periods: &[Period], number: u8, left_ms: u64) -> Option<u64> {
    may_be_short(periods, number).then(|| 2 * left_ms.saturating_sub(FIVE_MINUTES))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn art_8_4_who_need_not_keep_score() {
        let rows = [
            ("40/7200:3600", 0, 299_000, 31, true, Some(9)),
            ("40/7200:3600", 0, 300_000, 31, false, Some(9)),
            ("5400+30", 0, 60_000, 31, false, None),
            ("5400+29", 0, 60_000, 31, true, None),
            ("40/5400+30:1800+30", 0, 60_000, 42, false, Some(0)),
            ("40/7200:20/3600:900+30", 1, 60_000, 52, true, Some(8)),
            ("40/7200:20/3600:900+30", 2, 60_000, 62, false, None),
            ("?", 0, 1, 1, false, None),
        ];
        for (control, number, left, done, optional, to_go) in rows {
            let control: TimeControl = control.parse().expect("control");
            let got = trouble(control.sides.white.periods(), number, left, done);
            assert_eq!(
                (got.recording_optional, got.moves_to_control),
                (optional, to_go),
                "{control}"
            );
        }
    }

    #[test]
    fn art_8_5_1_a_recorder_when_nobody_keeps_score() {
        let control: TimeControl = "40/7200:3600".parse().expect("control");
        let both = |white, black| {
            let left = BySide { white, black };
            scramble(
                &control,
                BySide::default(),
                left,
                BySide {
                    white: 30,
                    black: 29,
                },
            )
        };
        assert_eq!(both(400_000, 400_000), None);
        assert!(!both(100_000, 400_000).expect("White's").needs_recorder());
        let words = both(100_000, 200_000).expect("both").words();
        assert_eq!(words.len(), 3);
        assert!(words[0].contains("10 moves to the control"), "{words:?}");
        let optional = |white, black| after_the_flag(BySide { white, black });
        assert!(optional(true, true)[0].contains("8.5.1"));
        assert!(optional(false, true)[0].contains("8.5.2"));
        assert!(optional(false, false).is_empty());
    }

    #[test]
    fn art_8_4_when_time_trouble_is_expected() {
        // control, period, left, milliseconds from now
        let rows = [
            ("5400", 0, 900_000, Some(1_200_000)),
            ("5400", 0, 200_000, Some(0)),
            ("5400+30", 0, 900_000, None),
            ("40/7200:900+30", 0, 400_000, Some(200_000)),
            ("40/7200:900+30", 1, 400_000, None),
            ("?", 0, 400_000, None),
        ];
        for (control, number, left, expected) in rows {
            let control: TimeControl = control.parse().expect("control");
            let periods = control.sides.white.periods();
            assert_eq!(expected_in(periods, number, left), expected, "{control}");
        }
    }
}
