//! What an arbiter may not say to the players, by edition and regime (12.6; 13.6 and Appendix B in 2001).

use protocol::{Bonus, Period, Regime, TimeControl};

use super::Laws;

/// What may not be said, in words for the card on every table's screen.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Silence {
    /// The article.
    pub article: &'static str,
    /// One line each.
    pub words: &'static [&'static str],
    /// The exception of 8.5, where a flag has fallen in a period that is not the last.
    pub exception: &'static str,
}

impl Silence {
    /// Since 2014.
    pub(super) const ARTICLE_12_6: Silence = Silence {
        article: "12.6",
        words: &[
            "how many moves are made or completed",
            "that the opponent has completed a move",
            "that the clock was not pressed",
        ],
        exception: "Exception: applying 8.5 once a flag has fallen.",
    };

    /// 2001 and 2009, standard play.
    pub(super) const ARTICLE_13_6: Silence = Silence {
        article: "13.6",
        words: &[
            "how many moves are made or completed",
            "that the opponent has completed a move",
        ],
        exception: "Exception: applying 8.5 when a player has used all his time.",
    };

    /// 2001 and 2009, rapid and blitz.
    pub(super) const APPENDIX_B_2001: Silence = Silence {
        article: "13.6, B.6",
        words: &[
            "how many moves are made or completed",
            "that the opponent has completed a move",
            "that a flag has fallen: only a player's claim counts",
            "that a move was illegal: the opponent claims before he touches a piece",
        ],
        exception: "",
    };

    /// 1929.
    pub(super) const RULE_OF_1929: Silence = Silence {
        article: "21",
        words: &[
            "that a move was irregular: the opponent notices it before he touches a piece",
            "that a penalty or a draw could be demanded",
        ],
        exception: "",
    };
}

/// The lines of the card and their article.
pub fn silence(laws: &Laws, regime: Regime, control: &TimeControl) -> (Vec<String>, &'static str) {
    let card = laws.silence.of(regime);
    let mut lines: Vec<String> = card.words.iter().map(|w| (*w).to_owned()).collect();
    if everybody_keeps_score(control) && !card.exception.is_empty() {
        lines.push("No exception here: with 30 s a move 8.5 cannot arise (8.4).".to_owned());
    } else if !card.exception.is_empty() {
        lines.push(card.exception.to_owned());
    }
    (lines, card.article)
}

/// Whether nobody is ever excused from keeping score: 30 s or more with every move (8.4).
fn everybody_keeps_score(control: &TimeControl) -> bool {
    let long = |p: &Period| matches!(p.bonus, Bonus::Increment(s) if s >= 30);
    let side = |periods: &[Period]| !periods.is_empty() && periods.iter().all(long);
    side(control.sides.white.periods()) && side(control.sides.black.periods())
}

#[cfg(test)]
mod tests {
    use super::*;
    use protocol::{EditionId, Speed};

    #[test]
    fn art_12_6_what_may_not_be_said() {
        let rapid = Regime {
            speed: Speed::Rapid,
            supervised: false,
        };
        let rows = [
            (
                EditionId::Fide2023,
                Regime::default(),
                "5400+30",
                "No exception",
                "12.6",
            ),
            (
                EditionId::Fide2023,
                Regime::default(),
                "40/7200:3600",
                "Exception",
                "12.6",
            ),
            (
                EditionId::Fide2001,
                Regime::default(),
                "40/7200:3600",
                "Exception",
                "13.6",
            ),
            (EditionId::Fide2001, rapid, "1500", "flag", "13.6, B.6"),
        ];
        for (edition, regime, control, word, article) in rows {
            let control = control.parse().expect("control");
            let (lines, at) = silence(Laws::of(edition), regime, &control);
            assert!(
                lines.iter().any(|l| l.contains(word)),
                "{edition} {lines:?}"
            );
            assert_eq!(at, article);
        }
    }
}
