//! What a fallen flag means by the period and the moves completed, and which of two fell first (6.3, 6.8, 6.9, III.3.1).

use protocol::{BySide, Period, Regime, Side, SideControl, Speed, Timestamp};

use crate::laws::{BothFlags, Laws};

/// What a fallen flag means for its player.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FlagMeaning {
    /// The moves of the period were completed: the next period runs, nothing is lost.
    NextPeriod {
        /// Moves to be completed by then.
        required: u32,
        /// Moves completed.
        completed: u32,
    },
    /// Moves are missing.
    Overstepped {
        /// Moves to be completed by then.
        required: u32,
        /// Moves completed.
        completed: u32,
    },
    /// All the time of the game is used up.
    TimeUsedUp,
    /// The control is not known.
    Unknown,
}

/// Moves to be completed when the period with this number (from 0) ends; none where all the rest belongs to it.
pub fn required(periods: &[Period], number: usize) -> Option<u32> {
    let upto = periods.get(..=number)?;
    upto.iter().map(|p| p.moves).sum()
}

/// What it means when the flag of the period with this number (from 0) falls.
pub fn flag_meaning(control: &SideControl, number: u8, completed: u32) -> FlagMeaning {
    let periods = control.periods();
    if periods.is_empty() {
        return FlagMeaning::Unknown;
    }
    let number = usize::from(number).min(periods.len() - 1);
    match required(periods, number) {
        None => FlagMeaning::TimeUsedUp,
        Some(required) if completed >= required => FlagMeaning::NextPeriod {
            required,
            completed,
        },
        Some(required) => FlagMeaning::Overstepped {
            required,
            completed,
        },
    }
}

/// How close two flags may have been seen and still be of one moment, milliseconds.
const ONE_MOMENT: u64 = 1_200;

/// Whose flag fell first, from the moments at which the clock's own signs were seen; none: not to be told.
pub fn first_fallen(seen: BySide<Option<Timestamp>>) -> Option<Side> {
    match (seen.white, seen.black) {
        (Some(white), Some(black)) if white.0.abs_diff(black.0) <= ONE_MOMENT => None,
        (Some(white), Some(black)) if white < black => Some(Side::White),
        (Some(_), Some(_)) => Some(Side::Black),
        (Some(_), None) => Some(Side::White),
        (None, Some(_)) => Some(Side::Black),
        (None, None) => None,
    }
}

/// What the edition says of two fallen flags of which nobody knows the first.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TwoFlags {
    /// The game goes on.
    PlayOn,
    /// It is drawn.
    Drawn,
    /// No article: the arbiter decides.
    Arbiter,
}

/// The rule for two flags; `last` is the last period, `announced` that the guidelines for games without increment apply.
pub fn two_flags(laws: &Laws, regime: Regime, last: bool, announced: bool) -> TwoFlags {
    match laws.both_flags.of(regime) {
        BothFlags::PlayOn if last && regime.speed == Speed::Standard => TwoFlags::Drawn,
        BothFlags::PlayOn => TwoFlags::PlayOn,
        BothFlags::Draw => TwoFlags::Drawn,
        BothFlags::DrawInLastPeriodIfAnnounced if announced && last => TwoFlags::Drawn,
        BothFlags::DrawInLastPeriodIfAnnounced if announced => TwoFlags::PlayOn,
        BothFlags::DrawInLastPeriodIfAnnounced | BothFlags::ArbiterDecides | BothFlags::Unnamed => {
            TwoFlags::Arbiter
        }
    }
}

/// The rule in words.
pub fn two_flags_words(laws: &Laws, regime: Regime, last: bool, announced: bool) -> String {
    let article = match laws.both_flags.of(regime) {
        BothFlags::PlayOn if last => " (10.3)",
        BothFlags::PlayOn => " (6.12)",
        BothFlags::Draw => " (B.8)",
        BothFlags::DrawInLastPeriodIfAnnounced if announced => " (III.3.1)",
        _ => "",
    };
    match two_flags(laws, regime, last, announced) {
        TwoFlags::PlayOn => {
            format!("Which flag fell first is not known: the game goes on{article}.")
        }
        TwoFlags::Drawn => format!("Which flag fell first is not known: drawn{article}."),
        TwoFlags::Arbiter => "Which flag fell first is not known and no article decides: yours to \
                              rule; some regulations say draw."
            .to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use protocol::{EditionId, TimeControl};

    #[test]
    fn art_6_3_a_flag_is_read_with_the_moves_of_its_period() {
        use FlagMeaning::*;
        let rows = [
            (
                "40/5400+30:1800+30",
                0,
                40,
                NextPeriod {
                    required: 40,
                    completed: 40,
                },
            ),
            (
                "40/5400+30:1800+30",
                0,
                39,
                Overstepped {
                    required: 40,
                    completed: 39,
                },
            ),
            (
                "40/7200:20/3600:900",
                1,
                59,
                Overstepped {
                    required: 60,
                    completed: 59,
                },
            ),
            ("40/7200:20/3600:900", 2, 90, TimeUsedUp),
            ("5400+30", 0, 12, TimeUsedUp),
            ("5400+30", 7, 12, TimeUsedUp),
            ("?", 0, 12, Unknown),
        ];
        for (control, number, completed, want) in rows {
            let control: TimeControl = control.parse().expect("control");
            let got = flag_meaning(&control.sides.white, number, completed);
            assert_eq!(got, want, "{control} {number} {completed}");
        }
    }

    #[test]
    fn art_6_9_the_first_of_two_flags_by_the_clocks_own_signs() {
        let at = |ms| Some(Timestamp(ms));
        let rows = [
            (at(1_000), at(9_000), Some(Side::White)),
            (at(9_000), at(1_000), Some(Side::Black)),
            (at(1_000), at(1_000), None),
            (at(1_000), at(2_000), None),
            (at(1_000), None, Some(Side::White)),
            (None, None, None),
        ];
        for (white, black, want) in rows {
            assert_eq!(first_fallen(BySide { white, black }), want);
        }
    }

    #[test]
    fn art_iii_3_1_two_flags_by_edition() {
        use EditionId::*;
        use TwoFlags::*;
        let standard = Regime::default();
        let rapid = Regime {
            speed: Speed::Rapid,
            supervised: false,
        };
        let blitz = Regime {
            speed: Speed::Blitz,
            supervised: false,
        };
        let rows = [
            (Fide2023, standard, true, true, Drawn),
            (Fide2023, standard, false, true, PlayOn),
            (Fide2023, standard, true, false, Arbiter),
            (Fide2023, blitz, true, true, Arbiter),
            (Fide2001, standard, false, false, PlayOn),
            (Fide2001, standard, true, false, Drawn),
            (Fide2001, rapid, true, false, Drawn),
            (Fide2001, blitz, true, false, Drawn),
        ];
        for (edition, regime, last, announced, want) in rows {
            let got = two_flags(Laws::of(edition), regime, last, announced);
            assert_eq!(got, want, "{edition} {regime:?} last {last}");
            assert!(!two_flags_words(Laws::of(edition), regime, last, announced).is_empty());
        }
    }
}
