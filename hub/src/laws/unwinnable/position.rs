//! From the text of a position to one that can be asked about, or why it cannot.
//!
//! A board set up by hand may have more men than a game can bring, a check that no move gives, castling rights or an en passant square that
//! make no sense; the question still does. It makes none with a missing or second king, a pawn on a last rank, or the side that is not
//! to move in check.

use std::fmt;

use protocol::lenient_position;
use shakmaty::{CastlingMode, Chess, PositionErrorKinds, fen::Fen};

/// Why a position cannot be asked about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unusable {
    /// Not in Forsyth-Edwards notation.
    NotFen,
    /// A side has no king.
    MissingKing,
    /// A side has more than one king.
    TwoKings,
    /// A pawn stands on the first or last rank.
    PawnOnLastRank,
    /// The side that is not to move is in check.
    OpponentInCheck,
    /// Otherwise impossible.
    Impossible,
}

impl fmt::Display for Unusable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::NotFen => "not a position in FEN",
            Self::MissingKing => "illegal position: a king is missing",
            Self::TwoKings => "illegal position: more than one king of a colour",
            Self::PawnOnLastRank => "illegal position: a pawn on the first or last rank",
            Self::OpponentInCheck => "illegal position: the side that is not to move is in check",
            Self::Impossible => "illegal position",
        })
    }
}

impl std::error::Error for Unusable {}

/// Reads a position from FEN.
///
/// # Errors
/// When the text is no FEN or the question makes no sense for the position.
pub fn position_from_fen(fen: &str) -> Result<Chess, Unusable> {
    let setup = fen
        .parse::<Fen>()
        .map_err(|_| Unusable::NotFen)?
        .into_setup();
    let mode = CastlingMode::detect(&setup);
    lenient_position(setup, mode).map_err(why)
}

fn why(kinds: PositionErrorKinds) -> Unusable {
    let table = [
        (PositionErrorKinds::MISSING_KING, Unusable::MissingKing),
        (PositionErrorKinds::EMPTY_BOARD, Unusable::MissingKing),
        (PositionErrorKinds::TOO_MANY_KINGS, Unusable::TwoKings),
        (
            PositionErrorKinds::PAWNS_ON_BACKRANK,
            Unusable::PawnOnLastRank,
        ),
        (
            PositionErrorKinds::OPPOSITE_CHECK,
            Unusable::OpponentInCheck,
        ),
    ];
    let known = table.into_iter().find(|(kind, _)| kinds.contains(*kind));
    known.map_or(Unusable::Impossible, |(_, why)| why)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_makes_no_sense_is_refused_with_the_reason() {
        let rows = [
            ("", Unusable::NotFen),
            ("8/8/8/8/8/8/8/8 w - - 0 1", Unusable::MissingKing),
            ("4k3/8/8/8/8/8/8/8 w - - 0 1", Unusable::MissingKing),
            ("4k3/8/8/8/8/8/8/K3K3 w - - 0 1", Unusable::TwoKings),
            ("P3k3/8/8/8/8/8/8/4K3 w - - 0 1", Unusable::PawnOnLastRank),
            ("4k3/8/8/8/8/8/8/r3K2R b - - 0 1", Unusable::OpponentInCheck),
            ("4kr2/8/8/8/8/8/8/4RK2 w - - 0 1", Unusable::OpponentInCheck),
        ];
        for (fen, expected) in rows {
            assert_eq!(position_from_fen(fen).err(), Some(expected), "{fen}");
        }
    }

    #[test]
    fn what_only_a_hand_sets_up_is_accepted() {
        let rows = [
            "4k3/pppppppp/p7/8/8/8/8/4K3 w - - 0 1",
            "4k3/8/8/8/8/8/8/4K3 w KQkq e6 0 1",
            "8/8/8/8/8/2b1k1b1/8/3RKR2 w - - 0 1",
        ];
        for fen in rows {
            assert!(position_from_fen(fen).is_ok(), "{fen}");
        }
    }
}
