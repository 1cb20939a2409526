//! Where each further matter stands in each edition: one row a matter, one column an edition.

use protocol::EditionId;

/// A matter that has an article of its own.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Matter {
    /// Pieces wrongly placed at the start.
    InitialPosition,
    /// The board wrongly laid.
    BoardTurned,
    /// Colours reversed.
    ReversedColours,
    /// Where the clock stands.
    ClockSide,
    /// A clock wrongly set.
    ClockSetting,
    /// What a clock shows counts unless it has a defect.
    ClockShows,
    /// Two flags, the first unknown.
    BothFlags,
    /// Score need not be kept below five minutes.
    Scramble,
    /// The same position for the third time.
    Threefold,
    /// Fifty moves without capture or pawn move.
    Fifty,
    /// The same position for the fifth time.
    Fivefold,
    /// Seventy-five moves.
    SeventyFive,
    /// What a wrong claim costs.
    WrongClaim,
    /// Agreement to a draw.
    Agreement,
    /// Time after a disturbance from outside the game.
    Disturbance,
    /// A player resigns.
    Resignation,
    /// The end of a game without increment.
    Quickplay,
    /// Both kings in check, or a pawn on the last rank, left standing.
    IllegalPositionStands,
    /// Adjournment and resumption.
    Resumption,
    /// A sealed move that is void.
    SealedMove,
    /// Two boards for one game.
    TwoBoards,
}

/// 2023, 2018, 2014, 2009, 2001, 1929; empty: the edition has no article for it.
const TABLE: &[(Matter, [&str; 6])] = &[
    (
        Matter::InitialPosition,
        ["7.2.1", "7.2.1", "7.2a", "7.1a", "7.1a", ""],
    ),
    (
        Matter::BoardTurned,
        ["7.2.2", "7.2.2", "7.2b", "7.1b", "7.1b", ""],
    ),
    (
        Matter::ReversedColours,
        ["7.3", "7.3", "7.3", "7.2", "7.2", ""],
    ),
    (Matter::ClockSide, ["6.5", "6.5", "6.5", "6.4", "6.4", ""]),
    (
        Matter::ClockSetting,
        ["6.10.2", "6.10.2", "6.10b", "6.10b", "6.14", ""],
    ),
    (
        Matter::ClockShows,
        ["6.10.1", "6.10.1", "6.10a", "6.10a", "6.11", ""],
    ),
    (
        Matter::BothFlags,
        ["III.3.1", "III.3.1", "G.3", "6.11", "6.12", ""],
    ),
    (
        Matter::Scramble,
        [
            "8.4, 8.5", "8.4, 8.5", "8.4, 8.5", "8.4, 8.5", "8.4, 8.5", "",
        ],
    ),
    (Matter::Threefold, ["9.2", "9.2", "9.2", "9.2", "9.2", "16"]),
    (Matter::Fifty, ["9.3", "9.3", "9.3", "9.3", "9.3", "16"]),
    (Matter::Fivefold, ["9.6.1", "9.6.1", "9.6a", "", "", ""]),
    (Matter::SeventyFive, ["9.6.2", "9.6.2", "9.6b", "", "", ""]),
    (
        Matter::WrongClaim,
        ["9.5.3", "9.5.3", "9.5b", "9.5b", "9.5b", ""],
    ),
    (
        Matter::Agreement,
        ["5.2.3, 9.1.1", "5.2.3, 9.1.1", "9.1a", "9.1a", "9.1a", ""],
    ),
    (
        Matter::Disturbance,
        ["12.5", "12.5", "12.5", "13.5", "13.5", ""],
    ),
    (
        Matter::Resignation,
        ["5.1.2", "5.1.2", "5.1b", "5.1b", "5.1b", ""],
    ),
    (
        Matter::Quickplay,
        [
            "III.4, III.5",
            "III.4, III.5",
            "G.4, G.5",
            "10.2",
            "10.2",
            "",
        ],
    ),
    (
        Matter::IllegalPositionStands,
        ["A.5.4", "A.4d", "A.4d", "A.4d", "", ""],
    ),
    (
        Matter::Resumption,
        ["I.10, I.11", "I.10, I.11", "", "", "A.10", "21"],
    ),
    (Matter::SealedMove, ["I.8", "I.8", "", "", "A.8", "21"]),
    (Matter::TwoBoards, ["D.2.9", "D.2.9", "", "", "", ""]),
];

/// The article of a matter in an edition, empty where there is none.
pub fn article_of(matter: Matter, edition: EditionId) -> &'static str {
    let column = EditionId::ALL.iter().position(|e| *e == edition);
    let row = TABLE.iter().find(|(m, _)| *m == matter);
    match (row, column) {
        (Some((_, articles)), Some(column)) => articles[column],
        _ => "",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_matter_stands_once_and_2001_has_no_fivefold() {
        for (matter, _) in TABLE {
            assert_eq!(TABLE.iter().filter(|(m, _)| m == matter).count(), 1);
            assert!(
                !article_of(*matter, EditionId::Fide2023).is_empty(),
                "{matter:?}"
            );
        }
        assert_eq!(article_of(Matter::Fivefold, EditionId::Fide2001), "");
        assert_eq!(
            article_of(Matter::InitialPosition, EditionId::Fide2001),
            "7.1a"
        );
        assert_eq!(article_of(Matter::Threefold, EditionId::Fide1929), "16");
    }
}
