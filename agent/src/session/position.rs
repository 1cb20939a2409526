//! Positions of a record: from the start through legal and irregular half-moves.

use protocol::{Played, lenient_position};
use shakmaty::fen::Fen;
use shakmaty::uci::UciMove;
use shakmaty::{CastlingMode, Chess, EnPassantMode, Move, Position};

/// Where a game starts and how castling is written.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(super) struct Start {
    pub(super) fen: Option<String>,
    pub(super) chess960: bool,
}

/// A record brought into the form the tracker takes: a position, and the legal moves played after it.
#[derive(Debug, Clone)]
pub(super) struct Reached {
    pub(super) from: Chess,
    pub(super) moves: Vec<UciMove>,
    pub(super) now: Chess,
}

impl Start {
    pub(super) fn mode(&self) -> CastlingMode {
        CastlingMode::from_chess960(self.chess960)
    }

    /// The initial position; the usual array when the text is none.
    pub(super) fn position(&self) -> Chess {
        self.fen
            .as_deref()
            .and_then(|fen| position(fen, self.mode()))
            .unwrap_or_default()
    }

    /// Whether a record had the position of a FEN: the same pieces, the same side to move.
    pub(super) fn had(&self, line: &[Played], fen: &str) -> bool {
        let mut reached = Reached {
            from: self.position(),
            moves: Vec::new(),
            now: self.position(),
        };
        let is_it = |now: &Chess| {
            let stood = Fen::from_position(now, EnPassantMode::Legal).to_string();
            stood.split(' ').take(2).eq(fen.split(' ').take(2))
        };
        is_it(&reached.now)
            || line.iter().any(|played| {
                reached.follow(played, self.mode());
                is_it(&reached.now)
            })
    }

    /// Follows a record as far as it can be followed: past an irregular half-move its own position counts.
    pub(super) fn reach<'a>(&self, line: impl IntoIterator<Item = &'a Played>) -> Reached {
        let from = self.position();
        let mut reached = Reached {
            now: from.clone(),
            from,
            moves: Vec::new(),
        };
        for played in line {
            reached.follow(played, self.mode());
        }
        reached
    }
}

impl Reached {
    /// From a position given as text, with nothing played after it.
    pub(super) fn at(fen: &str, mode: CastlingMode) -> Option<Reached> {
        let from = position(fen, mode)?;
        Some(Reached {
            now: from.clone(),
            from,
            moves: Vec::new(),
        })
    }

    /// How many of these half-moves can be played from here, one after the other.
    pub(super) fn playable(&self, line: &[Played]) -> usize {
        let mut now = self.now.clone();
        let legal = |played: &&Played| {
            legal(&now, played).is_some_and(|(_, mv)| {
                now.play_unchecked(mv);
                true
            })
        };
        line.iter().take_while(legal).count()
    }

    pub(super) fn follow(&mut self, played: &Played, mode: CastlingMode) {
        if let Some((uci, mv)) = legal(&self.now, played) {
            self.now.play_unchecked(mv);
            self.moves.push(uci);
        } else if let Played::Irregular { to_fen, .. } = played
            && let Some(there) = Reached::at(to_fen, mode)
        {
            *self = there;
        }
    }
}

/// A position from its text; one that the rules of chess could not reach counts too.
pub(super) fn position(fen: &str, mode: CastlingMode) -> Option<Chess> {
    let fen: Fen = fen.parse().ok()?;
    lenient_position(fen.into_setup(), mode).ok()
}

fn legal(position: &Chess, played: &Played) -> Option<(UciMove, Move)> {
    let Played::Legal(text) = played else {
        return None;
    };
    let uci: UciMove = text.parse().ok()?;
    let mv = uci.to_move(position).ok()?;
    Some((uci, mv))
}
