//! The end of games without increment: Guidelines III since 2018, Appendix G of 2014, Article 10 before; and 2001 without an arbiter (D).

use protocol::{Bonus, Period, Regime, Side, Speed};

use super::concordance::{Matter, article_of};
use super::{Laws, Quickplay};

/// Below this a player may ask, milliseconds.
const TWO_MINUTES: u64 = 120_000;

/// What the opponent gets, milliseconds.
const BONUS: u64 = 120_000;

/// What a player may ask for now.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct MayAsk {
    /// An increment of five seconds for both (III.4).
    pub increment: bool,
    /// A draw: the opponent cannot win, or makes no effort to (III.5; 10.2).
    pub draw: bool,
}

/// Whether a player with so much time in such a period may ask; `announced` that the guidelines apply to the event.
pub fn may_ask(
    laws: &Laws,
    regime: Regime,
    announced: bool,
    period: &Period,
    last: bool,
    left_ms: u64,
) -> MayAsk {
    let ends_by_time = last && period.moves.is_none() && period.bonus == Bonus::None;
    if !ends_by_time || left_ms >= TWO_MINUTES || regime.speed == Speed::Blitz {
        return MayAsk::default();
    }
    match laws.quickplay {
        Quickplay::Unnamed => MayAsk::default(),
        Quickplay::Article10 => MayAsk {
            increment: false,
            draw: true,
        },
        Quickplay::AppendixG | Quickplay::GuidelinesIii => MayAsk {
            increment: announced,
            draw: announced,
        },
    }
}

/// What an arbiter may rule on a claim of III.5 or 10.2.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum QuickplayRuling {
    /// Drawn.
    Grant,
    /// He watches; the opponent may get two minutes.
    Postpone,
    /// The game goes on; the opponent gets two minutes.
    Reject,
    /// An increment of five seconds for both; the opponent gets two minutes (III.4).
    Increment,
}

/// Milliseconds for the opponent and what follows, in words.
pub fn quickplay_ruling(
    laws: &Laws,
    ruling: QuickplayRuling,
    claimant: Side,
) -> (u64, Vec<String>) {
    let article = article_of(Matter::Quickplay, laws.id);
    let other = claimant.other().word();
    let plus = format!("{other} + 0:02:00 ({article}).");
    match ruling {
        QuickplayRuling::Grant => (0, vec![format!("The game is drawn ({article}).")]),
        QuickplayRuling::Postpone => (
            BONUS,
            vec![
                format!("If you think it right: {plus}"),
                "The game goes on in your presence; you give the result, also after a flag has fallen."
                    .to_owned(),
            ],
        ),
        QuickplayRuling::Reject => (BONUS, vec![plus, "The game goes on.".to_owned()]),
        QuickplayRuling::Increment => (
            BONUS,
            vec![
                plus,
                "Set five seconds a move for both; asking is an offer of a draw.".to_owned(),
            ],
        ),
    }
}

/// 2001 without an arbiter (Appendix D): the claim ends the game; what the sheet for the outside arbiter must hold.
pub fn without_arbiter(no_effort: bool) -> Vec<&'static str> {
    let ground = if no_effort {
        "Claimed that the opponent makes no effort to win:"
    } else {
        "Claimed that the opponent cannot win by normal means:"
    };
    let mut lines = vec![
        ground,
        "The claim ends the game; an outside arbiter decides and his word is final.",
        "The final position, written down by the claimant and verified by the opponent.",
        "Both players' times and signatures.",
    ];
    if no_effort {
        lines.push(
            "The complete moves, brought up to date before the end and verified by the opponent.",
        );
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;
    use protocol::EditionId;

    #[test]
    fn art_iii_5_who_may_ask_when() {
        use EditionId::*;
        let standard = Regime::default();
        let rapid = Regime {
            speed: Speed::Rapid,
            supervised: true,
        };
        let blitz = Regime {
            speed: Speed::Blitz,
            supervised: true,
        };
        let last = Period {
            moves: None,
            seconds: 3600,
            bonus: Bonus::None,
        };
        let counted = Period {
            moves: Some(40),
            ..last
        };
        let bonus = Period {
            bonus: Bonus::Increment(2),
            ..last
        };
        let rows = [
            (Fide2023, standard, true, last, 119_000, true, true),
            (Fide2023, standard, false, last, 119_000, false, false),
            (Fide2023, standard, true, last, 120_000, false, false),
            (Fide2023, standard, true, counted, 1_000, false, false),
            (Fide2023, rapid, true, bonus, 1_000, false, false),
            (Fide2023, blitz, true, last, 1_000, false, false),
            (Fide2001, standard, false, last, 119_000, false, true),
            (Fide2001, blitz, false, last, 119_000, false, false),
            (Fide1929, standard, true, last, 1_000, false, false),
        ];
        for (edition, regime, announced, period, left, increment, draw) in rows {
            let got = may_ask(Laws::of(edition), regime, announced, &period, true, left);
            assert_eq!(
                got,
                MayAsk { increment, draw },
                "{edition} {regime:?} {left}"
            );
        }
    }

    #[test]
    fn art_iii_5_what_may_be_ruled() {
        use QuickplayRuling::*;
        let laws = Laws::of(EditionId::Fide2023);
        let rows = [
            (Grant, 0, "drawn"),
            (Postpone, BONUS, "If you think"),
            (Reject, BONUS, "Black + 0:02:00"),
            (Increment, BONUS, "III.4"),
        ];
        for (ruling, ms, words) in rows {
            let (got, lines) = quickplay_ruling(laws, ruling, Side::White);
            assert_eq!(got, ms);
            assert!(lines[0].contains(words), "{lines:?}");
        }
        let (_, lines) = quickplay_ruling(Laws::of(EditionId::Fide2001), Reject, Side::White);
        assert!(lines[0].contains("10.2"));
        assert_eq!(without_arbiter(true).len(), 5);
        assert_eq!(without_arbiter(false).len(), 4);
    }
}
