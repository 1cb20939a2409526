//! The clock's faults in sentences for the arbiter, with the arithmetic of their correction.

use protocol::{BySide, Side, TableId};

use super::{Candidates, Jump, Odd, Setting, Start, Wrong};

/// Headline, reasons and proposal.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct ClockWords {
    /// One line.
    pub headline: String,
    /// What was seen.
    pub because: Vec<String>,
    /// What to do, with the arithmetic.
    pub proposal: Vec<String>,
}

/// Of a wrong bonus: "no increment; expected 1:29:40, shows 1:29:10".
pub fn setting_words(wrong: &Wrong) -> ClockWords {
    let found = found(&wrong.found, wrong.expected.white);
    let line = |side: Side| {
        let (due, shows) = (*wrong.due.get(side), *wrong.shows.get(side));
        format!(
            "{}: expected {}, shows {}",
            side.word(),
            hms(due),
            hms(shows)
        )
    };
    let sums = |side: Side| {
        let (due, shows) = (*wrong.due.get(side), *wrong.shows.get(side));
        let presses = *wrong.presses.get(side);
        let bonus = bonus(*wrong.expected.get(side));
        format!(
            "{} after {presses} presses with {bonus}: {} {} = {}.",
            side.word(),
            hms(shows),
            difference(due - shows),
            hms(due)
        )
    };
    let moved = |side: &Side| *wrong.presses.get(*side) > 0;
    let sides: Vec<Side> = Side::BOTH.into_iter().filter(moved).collect();
    let mut proposal: Vec<String> = sides.iter().map(|s| sums(*s)).collect();
    proposal.insert(0, "Stop the clock, set the bonus and the times:".to_owned());
    proposal.extend(below_delay(wrong));
    ClockWords {
        headline: format!(
            "{found}; {}",
            sides.first().map_or(String::new(), |s| line(*s))
        ),
        because: sides.iter().map(|s| format!("{}.", line(*s))).collect(),
        proposal,
    }
}

/// A time below the delay confuses some clocks (DGT 2010, 2014).
fn below_delay(wrong: &Wrong) -> Option<String> {
    let low = Side::BOTH.into_iter().any(|side| {
        let expected = *wrong.expected.get(side);
        matches!(expected, Setting::Delay(_)) && *wrong.due.get(side) < expected.bonus_ms()
    });
    low.then(|| "A time below the delay confuses some clocks: check it after setting.".to_owned())
}

fn found(found: &Candidates, expected: Setting) -> String {
    let range = |(lo, hi): (u32, u32)| {
        if lo == hi {
            format!("{lo} s")
        } else {
            format!("{lo} to {hi} s")
        }
    };
    match (found.increment, found.delay, expected) {
        (Some((0, _)), _, Setting::Delay(_)) => "no delay".to_owned(),
        (Some((0, _)), _, _) => "no increment".to_owned(),
        (Some(inc), None, Setting::Delay(_)) => {
            format!("increment {} in place of a delay", range(inc))
        }
        (Some(inc), _, _) => format!("increment {}", range(inc)),
        (None, Some(delay), Setting::Increment(s)) if s > 0 => {
            format!("delay {} in place of the increment", range(delay))
        }
        (None, Some(delay), _) => format!("delay {}", range(delay)),
        (None, None, _) => "the bonus is not the event's".to_owned(),
    }
}

fn bonus(setting: Setting) -> String {
    match setting {
        Setting::Increment(0) => "no increment".to_owned(),
        Setting::Increment(s) => format!("{s} s increment"),
        Setting::Delay(s) => format!("{s} s delay"),
        Setting::Sandclock => "a sandclock".to_owned(),
    }
}

/// Of wrong times before the game.
pub fn start_words(start: Start) -> ClockWords {
    match start {
        Start::Right => ClockWords::default(),
        Start::Exchanged => ClockWords {
            headline: "the players' times are exchanged".to_owned(),
            because: vec!["Each clock shows the other player's time.".to_owned()],
            proposal: vec!["Turn the clock or set it anew before the start.".to_owned()],
        },
        Start::Wrong { shows, due } => ClockWords {
            headline: format!(
                "wrong time: expected {}, shows {}",
                pair(due.map(ms)),
                pair(shows.map(ms))
            ),
            because: vec!["The times before the game are not those of the event.".to_owned()],
            proposal: Side::BOTH
                .into_iter()
                .filter(|s| due.get(*s) != shows.get(*s))
                .map(|s| {
                    let (due, shows) = (ms(*due.get(s)), ms(*shows.get(s)));
                    format!(
                        "{}: {} {} = {}.",
                        s.word(),
                        hms(shows),
                        difference(due - shows),
                        hms(due)
                    )
                })
                .collect(),
        },
    }
}

/// Of a sum that is off.
pub fn sum_words(off_ms: i64) -> ClockWords {
    let what = if off_ms < 0 { "too little" } else { "too much" };
    ClockWords {
        headline: format!("both clocks together show {} {what}", hms(off_ms.abs())),
        because: vec![
            "Time since the start, less stoppages, is not what both clocks have used.".to_owned(),
        ],
        proposal: vec![format!(
            "Compare with a good clock; if it is so, {} to be shared by your judgement (6.10).",
            difference(-off_ms)
        )],
    }
}

/// Of times that changed without a cause.
pub fn jump_words(jump: &Jump) -> ClockWords {
    let times = format!(
        "{} before, {} after.",
        pair(jump.before.map(ms)),
        pair(jump.after.map(ms))
    );
    let (headline, proposal) = if jump.by_hand {
        (
            "times set by hand without a ruling",
            "Enter the ruling, or set the times back.",
        )
    } else {
        (
            "times jumped without a press, a period or a ruling",
            "A clock with a defect is replaced (6.10.1); the times before the jump are good.",
        )
    };
    ClockWords {
        headline: headline.to_owned(),
        because: vec![times],
        proposal: vec![proposal.to_owned()],
    }
}

/// Of a period that is not the control's.
pub fn period_words(side: Side, added_ms: u64, due_ms: Option<u64>) -> ClockWords {
    let due = due_ms.map_or("none is due".to_owned(), |d| {
        format!("expected {}", hms(ms(d)))
    });
    ClockWords {
        headline: format!("{}'s clock added {}; {due}", side.word(), hms(ms(added_ms))),
        because: vec![
            "The period that the clock added is not the next one of the control.".to_owned(),
        ],
        proposal: due_ms
            .map(|d| format!("{}: {}.", side.word(), difference(ms(d) - ms(added_ms))))
            .into_iter()
            .collect(),
    }
}

/// Of a count of presses that is not the count of moves.
pub fn counter_words(surplus: BySide<i64>) -> ClockWords {
    let line = |side: Side| {
        let n = *surplus.get(side);
        let what = if n > 0 {
            "more presses than moves"
        } else {
            "fewer presses than moves"
        };
        (n != 0).then(|| format!("{}: {} {what}.", side.word(), n.abs()))
    };
    ClockWords {
        headline: "presses and moves disagree".to_owned(),
        because: Side::BOTH.into_iter().filter_map(line).collect(),
        proposal: vec!["Check the clock's count of moves before the control (6.10.2).".to_owned()],
    }
}

/// Of a table whose clock is set otherwise than its neighbours'.
pub fn odd_words(odd: &Odd) -> (TableId, String) {
    match odd {
        Odd::Start(table, own, usual, count) => (
            *table,
            format!(
                "{} tables of this round began with {}, this one with {}.",
                count,
                pair(usual.map(ms)),
                pair(own.map(ms))
            ),
        ),
        Odd::Bonus(table, own, usual, count) => (
            *table,
            format!(
                "{count} tables of this round gain {usual} s a move; this one: {}.",
                found(own, Setting::Increment(*usual))
            ),
        ),
    }
}

fn ms(ms: u64) -> i64 {
    super::span::signed(ms)
}

fn pair(times: BySide<i64>) -> String {
    if times.white == times.black {
        hms(times.white)
    } else {
        format!("White {}, Black {}", hms(times.white), hms(times.black))
    }
}

fn difference(ms: i64) -> String {
    let sign = if ms < 0 { '-' } else { '+' };
    format!("{sign} {}", hms(ms.abs()))
}

/// `h:mm:ss`, rounded to the second.
pub fn hms(ms: i64) -> String {
    let sign = if ms <= -500 { "-" } else { "" };
    let s = ms.unsigned_abs().saturating_add(500) / 1000;
    format!("{sign}{}:{:02}:{:02}", s / 3600, s / 60 % 60, s % 60)
}

#[cfg(test)]
mod tests {
    use super::*;
    use protocol::Timestamp;

    #[test]
    fn art_6_10_2_no_increment_in_words_with_its_arithmetic() {
        let both = |value| BySide {
            white: value,
            black: value,
        };
        let wrong = Wrong {
            since: Timestamp(0),
            found: Candidates {
                increment: Some((0, 1)),
                delay: Some((1, 1)),
            },
            expected: both(Setting::Increment(30)),
            presses: BySide { white: 1, black: 0 },
            due: BySide {
                white: 5_380_000,
                black: 5_400_000,
            },
            shows: BySide {
                white: 5_350_000,
                black: 5_400_000,
            },
        };
        let words = setting_words(&wrong);
        assert_eq!(
            words.headline,
            "no increment; White: expected 1:29:40, shows 1:29:10"
        );
        assert!(
            words.proposal[1].contains("1:29:10 + 0:00:30 = 1:29:40"),
            "{words:?}"
        );
        assert_eq!(words.because.len(), 1, "Black has not moved");
    }

    #[test]
    fn what_was_found_in_words() {
        let rows = [
            (
                None,
                Some((30, 30)),
                Setting::Increment(30),
                "delay 30 s in place of the increment",
            ),
            (
                Some((10, 10)),
                Some((10, 10)),
                Setting::Increment(30),
                "increment 10 s",
            ),
            (Some((0, 0)), None, Setting::Delay(5), "no delay"),
            (
                Some((5, 6)),
                None,
                Setting::Delay(5),
                "increment 5 to 6 s in place of a delay",
            ),
        ];
        for (increment, delay, expected, want) in rows {
            assert_eq!(found(&Candidates { increment, delay }, expected), want);
        }
    }

    #[test]
    fn other_faults_say_what_to_do() {
        assert!(sum_words(-90_000).headline.contains("0:01:30 too little"));
        let words = start_words(Start::Wrong {
            shows: BySide {
                white: 7_200_000,
                black: 7_200_000,
            },
            due: BySide {
                white: 5_400_000,
                black: 5_400_000,
            },
        });
        assert!(words.headline.contains("expected 1:30:00, shows 2:00:00"));
        assert!(
            words.proposal[0].contains("2:00:00 - 0:30:00 = 1:30:00"),
            "{words:?}"
        );
        assert!(
            period_words(Side::White, 1, Some(1_800_000))
                .headline
                .contains("expected 0:30:00")
        );
        assert!(counter_words(BySide { white: 1, black: 0 }).because[0].contains("1 more presses"));
        let jump = Jump {
            at: Timestamp(0),
            before: BySide {
                white: 60_000,
                black: 60_000,
            },
            after: BySide {
                white: 0,
                black: 60_000,
            },
            by_hand: false,
        };
        assert!(jump_words(&jump).proposal[0].contains("replaced"));
    }
}
