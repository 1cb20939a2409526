//! The arithmetic of clocks: the times for a replacement clock with their bounds, and what a wrong claim costs.

use protocol::{BySide, ChessclockView, Period, Regime, Side, TimeControl, Timestamp};

use super::chessclock::hms;
use super::{ClaimantPays, Laws};

/// Times to set, with how far they may be wrong and how they were reckoned.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Replacement {
    /// What to set, milliseconds.
    pub time: BySide<u64>,
    /// The least each player can have, milliseconds.
    pub least: BySide<u64>,
    /// The most.
    pub most: BySide<u64>,
    /// The reckoning, line by line.
    pub lines: Vec<String>,
}

impl Replacement {
    /// The same with what was ruled and the clock never showed, milliseconds.
    pub fn with_ruled(mut self, lacks: BySide<i64>) -> Replacement {
        let more = |times: BySide<u64>| {
            BySide::new_with(|side| times.get(side).saturating_add_signed(*lacks.get(side)))
        };
        (self.time, self.least, self.most) = (more(self.time), more(self.least), more(self.most));
        let changed = Side::BOTH.into_iter().filter(|s| *lacks.get(*s) != 0);
        self.lines.extend(changed.map(|side| {
            let lack = *lacks.get(side);
            format!(
                "{}: {} {} ruled and not set = {}",
                side.word(),
                if lack < 0 { '-' } else { '+' },
                clock(lack.unsigned_abs()),
                clock(*self.time.get(side))
            )
        }));
        self
    }
}

/// What was seen last of a clock that failed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct LastGood {
    /// The last good reading.
    pub view: ChessclockView,
    /// When the clock was stopped or the play interrupted, hub's time.
    pub until: Timestamp,
    /// Presses since the reading that earned a bonus.
    pub presses: BySide<u32>,
}

/// How far a whole-second reading that came late may be wrong, milliseconds.
const READING_ERROR: u64 = 2_000;

/// Last good reading, less the time since for the side that ran, plus increments earned since.
pub fn replacement_known(last: &LastGood, increment_ms: BySide<u64>) -> Replacement {
    let since = last.until.since(last.view.at);
    let earned =
        |side: Side| u64::from(*last.presses.get(side)).saturating_mul(*increment_ms.get(side));
    let with_earned = |side: Side| last.view.time.get(side).saturating_add(earned(side));
    let ran = |side: Side| {
        if last.view.running == Some(side) {
            since
        } else {
            0
        }
    };
    let time = BySide::new_with(|side| with_earned(side).saturating_sub(ran(side)));
    // With presses in between nobody knows who used the time since.
    let moved = last.presses.white + last.presses.black > 0;
    let doubt = |side: Side| if moved || ran(side) > 0 { since } else { 0 };
    let least = BySide::new_with(|side| {
        let sure = if moved { doubt(side) } else { ran(side) };
        with_earned(side).saturating_sub(sure.saturating_add(READING_ERROR))
    });
    let most = BySide::new_with(|side| {
        let used = if moved { 0 } else { ran(side) };
        with_earned(side)
            .saturating_add(READING_ERROR)
            .saturating_sub(used)
    });
    let line = |side: Side| {
        format!(
            "{}: {} - {} + {} = {} (between {} and {})",
            side.word(),
            clock(*last.view.time.get(side)),
            clock(ran(side)),
            clock(earned(side)),
            clock(*time.get(side)),
            clock(*least.get(side)),
            clock(*most.get(side)),
        )
    };
    Replacement {
        lines: Side::BOTH.map(line).to_vec(),
        time,
        least,
        most,
    }
}

/// Nothing known: each gets the time of the periods reached and his increments, less half the time since the start.
///
/// `completed` counts moves, `played_ms` is the time since the start less stoppages. None where the control is not known.
pub fn replacement_unknown(
    control: &TimeControl,
    completed: BySide<u32>,
    played_ms: u64,
) -> Option<Replacement> {
    let had = BySide {
        white: had(control.side(Side::White).periods(), completed.white)?,
        black: had(control.side(Side::Black).periods(), completed.black)?,
    };
    let left = (had.white + had.black).saturating_sub(played_ms);
    let white = had.white.saturating_sub(played_ms / 2).min(left);
    let time = BySide {
        white: white.max(left.saturating_sub(had.black)),
        black: left - white.max(left.saturating_sub(had.black)),
    };
    let least = BySide::new_with(|side: Side| left.saturating_sub(*had.get(side.other())));
    let most = had.map(|had| had.min(left));
    let line = |side: Side| {
        format!(
            "{}: {} with {} moves - half of {} = {} (between {} and {})",
            side.word(),
            clock(*had.get(side)),
            completed.get(side),
            clock(played_ms),
            clock(*time.get(side)),
            clock(*least.get(side)),
            clock(*most.get(side)),
        )
    };
    Some(Replacement {
        lines: Side::BOTH.map(line).to_vec(),
        time,
        least,
        most,
    })
}

/// PER + NC x INC over the periods that so many completed moves have reached, milliseconds.
fn had(periods: &[Period], completed: u32) -> Option<u64> {
    periods.first()?;
    let mut left = completed;
    let mut total = 0;
    for period in periods {
        let here = period.moves.map_or(left, |m| m.min(left));
        let increment = match period.bonus {
            protocol::Bonus::Increment(s) => u64::from(s),
            _ => 0,
        };
        total += (u64::from(period.seconds) + u64::from(here) * increment) * 1000;
        left -= here;
        if period.moves.is_none_or(|m| here < m) {
            break;
        }
    }
    Some(total)
}

/// What a wrong draw claim costs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ClaimCost {
    /// Milliseconds for the opponent.
    pub opponent_ms: u64,
    /// Milliseconds from the claimant.
    pub claimant_ms: u64,
}

/// The edition's arithmetic for a claimant who has `left_ms` (9.5).
pub fn claim_cost(laws: &Laws, regime: Regime, left_ms: u64) -> ClaimCost {
    let rule = laws.wrong_claim.of(regime);
    let claimant_ms = match rule.claimant {
        ClaimantPays::Nothing => 0,
        ClaimantPays::HalfAtMostThreeMinutes => half_at_most(left_ms),
    };
    ClaimCost {
        opponent_ms: rule.opponent_ms,
        claimant_ms,
    }
}

/// 2001, 9.5b: above two minutes half, three minutes at most; between one and two he keeps one; below one nothing.
fn half_at_most(left_ms: u64) -> u64 {
    match left_ms {
        120_001.. => (left_ms / 2).min(180_000),
        60_001..=120_000 => left_ms - 60_000,
        _ => 0,
    }
}

fn clock(ms: u64) -> String {
    hms(i64::try_from(ms).unwrap_or(i64::MAX))
}

#[cfg(test)]
mod tests {
    use super::*;
    use protocol::EditionId;

    const MINUTE: u64 = 60_000;

    #[test]
    fn art_6_10_1_replacement_from_the_last_good_reading() {
        let view = ChessclockView {
            time: BySide {
                white: 30 * MINUTE,
                black: 20 * MINUTE,
            },
            running: Some(Side::White),
            flag: BySide::default(),
            at: Timestamp(0),
        };
        let rows = [
            (0, 0, 29 * MINUTE, 20 * MINUTE),
            (1, 1, 29 * MINUTE + 30_000, 20 * MINUTE + 30_000),
        ];
        for (white, black, want_white, want_black) in rows {
            let last = LastGood {
                view,
                until: Timestamp(60_000),
                presses: BySide { white, black },
            };
            let got = replacement_known(
                &last,
                BySide {
                    white: 30_000,
                    black: 30_000,
                },
            );
            assert_eq!(
                got.time,
                BySide {
                    white: want_white,
                    black: want_black
                }
            );
            for side in Side::BOTH {
                assert!(got.least.get(side) <= got.time.get(side));
                assert!(got.time.get(side) <= got.most.get(side));
            }
            assert_eq!(got.lines.len(), 2);
        }
    }

    #[test]
    fn art_6_10_1_replacement_when_nothing_is_known() {
        let rows = [
            // (PER + NC x INC) - DT/2: 90 min + 20 x 30 s - 30 min.
            ("5400+30", (20, 20), 60, 70, 70),
            ("40/5400+30:1800+30", (40, 40), 180, 50, 50),
            ("40/7200:3600", (30, 30), 200, 20, 20),
            ("W300 B240", (10, 10), 6, 2, 1),
            ("5400", (60, 60), 200, 0, 0),
        ];
        for (control, (w, b), played, white, black) in rows {
            let parsed: TimeControl = control.parse().expect("control");
            let done = BySide { white: w, black: b };
            let got = replacement_unknown(&parsed, done, played * MINUTE).expect("known control");
            assert_eq!(
                (got.time.white / MINUTE, got.time.black / MINUTE),
                (white, black),
                "{control} {:?}",
                got.lines
            );
            for side in Side::BOTH {
                assert!(got.least.get(side) <= got.time.get(side), "{control}");
                assert!(got.time.get(side) <= got.most.get(side), "{control}");
            }
        }
        let unknown: TimeControl = "?".parse().expect("control");
        assert_eq!(replacement_unknown(&unknown, BySide::default(), 1), None);
    }

    #[test]
    fn art_9_5_what_a_wrong_claim_costs() {
        use EditionId::*;
        let standard = Regime::default();
        let blitz = Regime {
            speed: protocol::Speed::Blitz,
            supervised: false,
        };
        let rows = [
            (Fide2023, standard, 10 * MINUTE, 2 * MINUTE, 0),
            (Fide2023, blitz, 10 * MINUTE, MINUTE, 0),
            (Fide2001, standard, 10 * MINUTE, 3 * MINUTE, 3 * MINUTE),
            (Fide2001, standard, 4 * MINUTE, 3 * MINUTE, 2 * MINUTE),
            (Fide2001, standard, 90_000, 3 * MINUTE, 30_000),
            (Fide2001, standard, 50_000, 3 * MINUTE, 0),
            (Fide1929, standard, 10 * MINUTE, 0, 0),
        ];
        for (edition, regime, left, opponent, claimant) in rows {
            let got = claim_cost(Laws::of(edition), regime, left);
            assert_eq!(
                (got.opponent_ms, got.claimant_ms),
                (opponent, claimant),
                "{edition} {left}"
            );
        }
    }
}
