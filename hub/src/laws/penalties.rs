//! The penalties an arbiter may choose from, by edition, and what they do to clocks and points (12.9; 13.4 in 2001).

use protocol::{BySide, Penalty, Side};

use super::Laws;

/// Penalties as the forms offer them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// A warning.
    Warning,
    /// More time for the opponent.
    OpponentTime,
    /// Less time for the offender.
    OffenderTime,
    /// More points for the opponent, the most of the game at most.
    OpponentPoints,
    /// Fewer points for the offender.
    OffenderPoints,
    /// The game is lost.
    Loss,
    /// A fine announced before.
    Fine,
    /// Out of one or more rounds.
    Exclusion,
    /// Out of the event.
    Expulsion,
}

/// In the order of 2023, with the number since 2018 and the letter of 2001; none: the edition has it not.
const TABLE: [(Kind, &str, Option<&str>); 9] = [
    (Kind::Warning, "12.9.1", Some("13.4a")),
    (Kind::OpponentTime, "12.9.2", Some("13.4b")),
    (Kind::OffenderTime, "12.9.3", Some("13.4c")),
    (Kind::OpponentPoints, "12.9.4", Some("13.4f")),
    (Kind::OffenderPoints, "12.9.5", Some("13.4e")),
    (Kind::Loss, "12.9.6", Some("13.4d")),
    (Kind::Fine, "12.9.7", None),
    (Kind::Exclusion, "12.9.8", None),
    (Kind::Expulsion, "12.9.9", Some("13.4g")),
];

/// What the form offers in an edition, with the articles.
pub fn offered(laws: &Laws) -> Vec<(Kind, &'static str)> {
    match laws.penalties {
        0 => Vec::new(),
        9 => TABLE
            .iter()
            .map(|(kind, article, _)| (*kind, *article))
            .collect(),
        _ => TABLE
            .iter()
            .filter_map(|(kind, _, old)| Some((*kind, (*old)?)))
            .collect(),
    }
}

/// The kind of a penalty.
pub fn kind(penalty: &Penalty) -> Kind {
    match penalty {
        Penalty::Warning => Kind::Warning,
        Penalty::OpponentTime { .. } => Kind::OpponentTime,
        Penalty::OffenderTime { .. } => Kind::OffenderTime,
        Penalty::OpponentPoints { .. } => Kind::OpponentPoints,
        Penalty::OffenderPoints { .. } => Kind::OffenderPoints,
        Penalty::Loss => Kind::Loss,
        Penalty::Fine { .. } => Kind::Fine,
        Penalty::Exclusion { .. } => Kind::Exclusion,
        Penalty::Expulsion => Kind::Expulsion,
    }
}

/// The article of a penalty, none where the edition has it not.
pub fn article(laws: &Laws, penalty: &Penalty) -> Option<&'static str> {
    let wanted = kind(penalty);
    offered(laws)
        .into_iter()
        .find(|(kind, _)| *kind == wanted)
        .map(|(_, article)| article)
}

/// Half points of both after a penalty; the opponent never gets more than a won game gives (11.1, 12.9.4).
pub fn points(penalty: &Penalty, offender: Side, halves: BySide<u8>, most: u8) -> BySide<u8> {
    let mut points = halves;
    match penalty {
        Penalty::OpponentPoints { halves } => {
            let opponent = points.get_mut(offender.other());
            *opponent = opponent.saturating_add(*halves).min(most);
        }
        Penalty::OffenderPoints { halves } => {
            let own = points.get_mut(offender);
            *own = own.saturating_sub(*halves);
        }
        _ => {}
    }
    points
}

#[cfg(test)]
mod tests {
    use super::*;
    use protocol::EditionId;

    #[test]
    fn art_12_9_nine_penalties_in_2023_and_seven_in_2001() {
        let rows = [
            (EditionId::Fide2023, 9, "12.9.1"),
            (EditionId::Fide2001, 7, "13.4a"),
        ];
        for (edition, count, first) in rows {
            let all = offered(Laws::of(edition));
            assert_eq!((all.len(), all[0].1), (count, first), "{edition}");
        }
        assert!(offered(Laws::of(EditionId::Fide1929)).is_empty());
        let fine = Penalty::Fine {
            amount: String::new(),
        };
        assert_eq!(article(Laws::of(EditionId::Fide2001), &fine), None);
        assert_eq!(
            article(Laws::of(EditionId::Fide2023), &fine),
            Some("12.9.7")
        );
    }

    #[test]
    fn art_12_9_what_penalties_change() {
        let halves = BySide { white: 1, black: 1 };
        let more = Penalty::OpponentPoints { halves: 2 };
        assert_eq!(
            points(&more, Side::White, halves, 2),
            BySide { white: 1, black: 2 }
        );
        let less = Penalty::OffenderPoints { halves: 2 };
        assert_eq!(
            points(&less, Side::White, halves, 2),
            BySide { white: 0, black: 1 }
        );
    }
}
