//! The position of a game: usually legal, but after an irregular half-move that stands it may be any placement.

use protocol::{Placement, Played, Side, lenient_position};
use serde::{Deserialize, Serialize};
use shakmaty::fen::Fen;
use shakmaty::san::SanPlus;
use shakmaty::uci::UciMove;
use shakmaty::zobrist::Zobrist64;
use shakmaty::{CastlingMode, Chess, EnPassantMode, Move, Position, Setup};
use thiserror::Error;

/// Why a half-move cannot follow a position.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("{0}")]
pub struct NotPlayable(pub String);

/// A position with its castling rules.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "Stored", into = "Stored")]
pub struct GamePosition {
    place: Place,
    mode: CastlingMode,
}

#[derive(Debug, Clone, PartialEq, Eq)]
enum Place {
    Legal(Box<Chess>),
    Other(Box<Setup>),
}

#[derive(Serialize, Deserialize)]
struct Stored {
    fen: String,
    chess960: bool,
}

impl From<GamePosition> for Stored {
    fn from(position: GamePosition) -> Stored {
        Stored {
            fen: position.fen(),
            chess960: position.mode.is_chess960(),
        }
    }
}

impl TryFrom<Stored> for GamePosition {
    type Error = NotPlayable;

    fn try_from(stored: Stored) -> Result<Self, NotPlayable> {
        GamePosition::new(Some(&stored.fen), stored.chess960)
    }
}

impl GamePosition {
    /// The position of a full FEN, the usual array without one.
    ///
    /// # Errors
    /// [`NotPlayable`] when the text is no FEN.
    pub fn new(fen: Option<&str>, chess960: bool) -> Result<GamePosition, NotPlayable> {
        let mode = CastlingMode::from_chess960(chess960);
        let setup = match fen {
            None => Setup::initial(),
            Some(text) => text
                .parse::<Fen>()
                .map_err(|e| NotPlayable(format!("{:?} is no FEN: {e}", short(text))))?
                .into_setup(),
        };
        Ok(GamePosition::of(setup, mode))
    }

    /// The usual array.
    pub fn initial() -> GamePosition {
        GamePosition {
            place: Place::Legal(Box::default()),
            mode: CastlingMode::Standard,
        }
    }

    fn of(setup: Setup, mode: CastlingMode) -> GamePosition {
        let place = match lenient_position(setup.clone(), mode) {
            Ok(chess) => Place::Legal(Box::new(chess)),
            Err(_) => Place::Other(Box::new(setup)),
        };
        GamePosition { place, mode }
    }

    /// The position as the rules know it, none where it is not legal.
    pub fn legal(&self) -> Option<&Chess> {
        match &self.place {
            Place::Legal(chess) => Some(chess),
            Place::Other(_) => None,
        }
    }

    /// Full FEN.
    pub fn fen(&self) -> String {
        let setup = match &self.place {
            Place::Legal(chess) => chess.to_setup(EnPassantMode::Legal),
            Place::Other(setup) => (**setup).clone(),
        };
        Fen::try_from_setup(setup).map_or_else(
            |lossy| lossy.ignore().to_string(),
            |fen: Fen| fen.to_string(),
        )
    }

    /// The pieces on their squares.
    pub fn placement(&self) -> Placement {
        Placement(match &self.place {
            Place::Legal(chess) => chess.board().clone(),
            Place::Other(setup) => setup.board.clone(),
        })
    }

    /// Who has the move.
    pub fn turn(&self) -> Side {
        Side::from(match &self.place {
            Place::Legal(chess) => chess.turn(),
            Place::Other(setup) => setup.turn,
        })
    }

    /// Whether the side to move is in check.
    pub fn is_check(&self) -> bool {
        self.legal().is_some_and(Position::is_check)
    }

    /// A key that equal positions share (side to move, castling rights, legal en passant).
    pub fn key(&self) -> u64 {
        match &self.place {
            Place::Legal(chess) => chess.zobrist_hash::<Zobrist64>(EnPassantMode::Legal).0,
            Place::Other(_) => text_key(&self.fen()),
        }
    }

    /// Half-moves without capture or pawn move, as the position counts them.
    pub fn quiet_plies(&self) -> u32 {
        match &self.place {
            Place::Legal(chess) => chess.halfmoves(),
            Place::Other(setup) => setup.halfmoves,
        }
    }

    /// Plays a half-move; answers it in its usual form with its notation.
    ///
    /// # Errors
    /// [`NotPlayable`] when it cannot follow; the position is unchanged then.
    pub fn play(&mut self, played: &Played) -> Result<(Played, String), NotPlayable> {
        match played {
            Played::Legal(uci) => self.play_legal(uci),
            Played::Irregular {
                from_fen,
                to_fen,
                words,
            } => self.play_irregular(from_fen, to_fen, words),
        }
    }

    fn play_legal(&mut self, uci: &str) -> Result<(Played, String), NotPlayable> {
        let mode = self.mode;
        let Place::Legal(chess) = &mut self.place else {
            return Err(NotPlayable(format!(
                "{} cannot follow an irregular position",
                short(uci)
            )));
        };
        let parsed: UciMove = uci
            .parse()
            .map_err(|_| NotPlayable(format!("{:?} is no move", short(uci))))?;
        let legal = parsed
            .to_move(&**chess)
            .map_err(|_| NotPlayable(format!("{uci} is not legal here")))?;
        let san = SanPlus::from_move_and_play_unchecked(&mut **chess, legal).to_string();
        Ok((Played::Legal(legal.to_uci(mode).to_string()), san))
    }

    fn play_irregular(
        &mut self,
        from_fen: &str,
        to_fen: &str,
        words: &str,
    ) -> Result<(Played, String), NotPlayable> {
        let from = GamePosition::new(Some(from_fen), self.mode.is_chess960())?;
        let to = GamePosition::new(Some(to_fen), self.mode.is_chess960())?;
        if from.placement() != self.placement() {
            return Err(NotPlayable(
                "an irregular half-move from another position".to_owned(),
            ));
        }
        let words = short(words);
        let played = Played::Irregular {
            from_fen: self.fen(),
            to_fen: to.fen(),
            words: words.clone(),
        };
        *self = to;
        Ok((played, words))
    }

    /// Reads a move in UCI or SAN.
    ///
    /// # Errors
    /// [`NotPlayable`] when it is neither, or not legal here.
    pub fn read(&self, text: &str) -> Result<Played, NotPlayable> {
        let chess = self
            .legal()
            .ok_or_else(|| NotPlayable("moves cannot follow an irregular position".to_owned()))?;
        let by_uci = || text.parse::<UciMove>().ok()?.to_move(chess).ok();
        let by_san = || text.parse::<SanPlus>().ok()?.san.to_move(chess).ok();
        let legal: Move = by_uci()
            .or_else(by_san)
            .ok_or_else(|| NotPlayable(format!("{:?} is no legal move here", short(text))))?;
        Ok(Played::Legal(legal.to_uci(self.mode).to_string()))
    }
}

/// A key of a position that no rule knows (FNV-1a over its FEN).
fn text_key(fen: &str) -> u64 {
    fen.bytes().fold(0xcbf2_9ce4_8422_2325, |key, byte| {
        (key ^ u64::from(byte)).wrapping_mul(0x100_0000_01b3)
    })
}

/// At most 120 characters of a text from outside.
fn short(text: &str) -> String {
    text.chars().take(120).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn moves_follow_or_do_not() {
        let rows = [
            (None, "e2e4", Some("e4")),
            (None, "e2e5", None),
            (None, "", None),
            (Some("4k3/8/8/8/8/8/8/4K2R w K - 0 1"), "e1g1", Some("O-O")),
            (Some("4k3/8/8/8/8/8/8/4K2R w K - 0 1"), "e1h1", Some("O-O")),
            (Some("7k/5Q2/6K1/8/8/8/8/8 w - - 0 1"), "f7f8", Some("Qf8#")),
        ];
        for (fen, uci, san) in rows {
            let mut position = GamePosition::new(fen, false).expect("fen");
            let before = position.clone();
            let got = position.play(&Played::Legal(uci.to_owned())).ok();
            assert_eq!(got.map(|(_, san)| san).as_deref(), san, "{uci}");
            assert_eq!(position == before, san.is_none(), "unchanged when refused");
        }
    }

    #[test]
    fn a_position_that_no_rule_knows_is_kept_and_reads_back() {
        let fen = "4k3/4Q3/8/8/8/8/8/4K3 w - - 0 1";
        let position = GamePosition::new(Some(fen), false).expect("a FEN");
        assert!(
            position.legal().is_none(),
            "Black is in check and White to move"
        );
        assert_eq!(position.fen(), fen);
        let json = serde_json::to_string(&position).expect("writes");
        let back: GamePosition = serde_json::from_str(&json).expect("reads");
        assert_eq!(back, position);
    }

    #[test]
    fn both_notations_are_read() {
        let start = GamePosition::initial();
        for text in ["g1f3", "Nf3"] {
            assert_eq!(start.read(text), Ok(Played::Legal("g1f3".to_owned())));
        }
        assert!(start.read("Nf6").is_err());
    }
}
