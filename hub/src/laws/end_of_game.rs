//! Article 5 and 6.9: what ends a game by itself, and what a fallen flag means.

use protocol::{GameResult, ResultHow, Side};
use shakmaty::{Chess, Position};

use super::concordance::{Matter, article_of};
use super::{Laws, Prospects};

/// Whether a player can mate by any series of legal moves, with the reason in words.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum MateVerdict {
    /// He can.
    Can(String),
    /// Proven: he cannot.
    Cannot(String),
    /// Not decided; the arbiter sees why.
    Undecided(String),
}

impl MateVerdict {
    /// The reason.
    pub fn words(&self) -> &str {
        match self {
            MateVerdict::Can(why) | MateVerdict::Cannot(why) | MateVerdict::Undecided(why) => why,
        }
    }
}

/// Who answers at once whether a player can mate.
pub type MateTest = fn(&Chess, Side) -> MateVerdict;

/// An end that a move brings about at once.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct EndByMove {
    /// The result.
    pub result: GameResult,
    /// How.
    pub how: ResultHow,
}

/// Checkmate or stalemate on the board (5.1.1, 5.2.1).
pub fn end_by_move(position: &Chess) -> Option<EndByMove> {
    if !position.legal_moves().is_empty() {
        return None;
    }
    Some(if position.is_check() {
        EndByMove {
            result: win(Side::from(!position.turn())),
            how: ResultHow::Checkmate,
        }
    } else {
        EndByMove {
            result: GameResult::Draw,
            how: ResultHow::Stalemate,
        }
    })
}

fn win(side: Side) -> GameResult {
    match side {
        Side::White => GameResult::WhiteWins,
        Side::Black => GameResult::BlackWins,
    }
}

/// The article by which a game ended; for signs, decisions and what an edition has no article of, the one on results.
pub fn article_of_end(how: ResultHow, laws: &Laws) -> &'static str {
    let matter = |matter| article_of(matter, laws.id);
    let found = match how {
        ResultHow::Checkmate => laws.articles.checkmate,
        ResultHow::Resigned => matter(Matter::Resignation),
        ResultHow::Stalemate => laws.articles.stalemate,
        ResultHow::DeadPosition => laws.articles.dead_position,
        ResultHow::Agreed => matter(Matter::Agreement),
        ResultHow::Flag => laws.articles.flag_result,
        ResultHow::Threefold => matter(Matter::Threefold),
        ResultHow::FiftyMoves => matter(Matter::Fifty),
        ResultHow::Fivefold => matter(Matter::Fivefold),
        ResultHow::SeventyFiveMoves => matter(Matter::SeventyFive),
        ResultHow::Default => laws.articles.default_time,
        ResultHow::IllegalMoves => laws.articles.illegal_penalty,
        ResultHow::KingsSign | ResultHow::Arbiter => laws.articles.result,
    };
    match found {
        "" => laws.articles.result,
        found => found,
    }
}

/// What a fallen flag would mean.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FlagVerdict {
    /// The proposed result.
    pub result: GameResult,
    /// Why, in words.
    pub because: Vec<String>,
}

/// Loss for the player whose flag fell, or a draw when the opponent cannot mate (6.9).
pub fn flag_verdict(position: Option<&Chess>, fallen: Side, prospects: &Prospects) -> FlagVerdict {
    let opponent = fallen.other();
    let verdict = match position {
        Some(position) => prospects.can_mate(position, opponent),
        None => MateVerdict::Undecided(
            "the position is not legal: whether the opponent can mate is yours to see".to_owned(),
        ),
    };
    let result = match verdict {
        MateVerdict::Cannot(_) => GameResult::Draw,
        MateVerdict::Can(_) | MateVerdict::Undecided(_) => win(opponent),
    };
    FlagVerdict {
        result,
        because: vec![verdict.words().to_owned()],
    }
}

#[cfg(test)]
mod tests {
    use super::super::by_search;
    use super::*;
    use shakmaty::{CastlingMode, fen::Fen};

    fn searched() -> Prospects {
        Prospects::new(by_search)
    }

    fn position(fen: &str) -> Chess {
        fen.parse::<Fen>()
            .expect("fen")
            .into_position(CastlingMode::Standard)
            .expect("legal")
    }

    #[test]
    fn art_5_ends_that_a_move_brings() {
        let rows = [
            (
                "rnb1kbnr/pppp1ppp/8/4p3/6Pq/5P2/PPPPP2P/RNBQKBNR w KQkq - 1 3",
                Some((GameResult::BlackWins, ResultHow::Checkmate)),
            ),
            (
                "7k/5Q2/6K1/8/8/8/8/8 b - - 0 1",
                Some((GameResult::Draw, ResultHow::Stalemate)),
            ),
            ("7k/8/6K1/8/8/8/8/8 b - - 0 1", None),
        ];
        for (fen, want) in rows {
            let got = end_by_move(&position(fen)).map(|e| (e.result, e.how));
            assert_eq!(got, want, "{fen}");
        }
    }

    #[test]
    fn art_8_7_a_result_cites_the_article_by_which_the_game_ended() {
        use protocol::EditionId::{Fide1929, Fide2001, Fide2014, Fide2023};
        let rows = [
            (Fide2023, ResultHow::Flag, "6.9"),
            (Fide2023, ResultHow::Resigned, "5.1.2"),
            (Fide2023, ResultHow::Default, "6.7.1"),
            (Fide2023, ResultHow::IllegalMoves, "7.5.5"),
            (Fide2023, ResultHow::SeventyFiveMoves, "9.6.2"),
            (Fide2023, ResultHow::KingsSign, "8.7"),
            (Fide2014, ResultHow::Fivefold, "9.6a"),
            (Fide2001, ResultHow::Flag, "6.10"),
            (Fide2001, ResultHow::DeadPosition, "9.6"),
            (Fide1929, ResultHow::Flag, "19"),
        ];
        for (edition, how, article) in rows {
            assert_eq!(
                article_of_end(how, Laws::of(edition)),
                article,
                "{edition} {how:?}"
            );
        }
    }

    #[test]
    fn art_6_9_a_flag_loses_or_draws() {
        let rows = [
            (
                "4k3/8/8/8/8/8/8/4K2Q w - - 0 1",
                Side::White,
                GameResult::Draw,
            ),
            (
                "4k3/8/8/8/8/8/8/4K2Q w - - 0 1",
                Side::Black,
                GameResult::WhiteWins,
            ),
        ];
        for (fen, fallen, result) in rows {
            let got = flag_verdict(Some(&position(fen)), fallen, &searched());
            assert_eq!(got.result, result, "{fen}");
            assert!(!got.because[0].is_empty(), "says why");
        }
        assert!(flag_verdict(None, Side::White, &searched()).because[0].contains("not legal"));
    }
}
