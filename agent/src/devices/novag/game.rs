//! The game a Novag board tells move by move: the positions since the array, and what of them is news.

use shakmaty::uci::UciMove;
use shakmaty::{CastlingMode, Chess, Move, Position};

use super::said::meant;
use crate::devices::Placement;

/// No game is longer.
const PLIES: usize = 2_000;

/// Moves since the initial array, with every position they lead to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Game {
    moves: Vec<UciMove>,
    /// One more than moves.
    positions: Vec<Chess>,
}

impl Default for Game {
    fn default() -> Game {
        Game {
            moves: Vec::new(),
            positions: vec![Chess::default()],
        }
    }
}

impl Game {
    /// What stands on the board.
    pub(super) fn position(&self) -> Chess {
        self.positions.last().cloned().unwrap_or_default()
    }

    /// Which half-move comes next, counted from 1.
    pub(super) fn next_place(&self) -> usize {
        self.positions.len()
    }

    /// Whether no move was made yet.
    pub(super) fn is_new(&self) -> bool {
        self.moves.is_empty()
    }

    /// A move in the board's words; says whether it is legal here.
    pub(super) fn said(&mut self, said: &str) -> bool {
        let played = meant(&self.position(), said);
        played.is_some_and(|played| self.play(played))
    }

    /// The last move is taken back.
    pub(super) fn take_back(&mut self) {
        if self.moves.pop().is_some() {
            self.positions.pop();
        }
    }

    /// The moves in words to keep.
    pub(super) fn to_text(&self) -> String {
        let words: Vec<String> = self.moves.iter().map(UciMove::to_string).collect();
        words.join(" ")
    }

    /// The game whose moves were kept, as far as they are legal.
    pub(super) fn of_text(text: &str) -> Game {
        let mut game = Game::default();
        for word in text.split_ascii_whitespace() {
            let uci = word.parse::<UciMove>().ok();
            let played = uci.and_then(|uci| uci.to_move(&game.position()).ok());
            if !played.is_some_and(|played| game.play(played)) {
                break;
            }
        }
        game
    }

    /// What stood on the board after each move that `before` did not have; the last alone when both differ.
    pub(super) fn news(&self, before: &Game) -> Vec<Placement> {
        let goes_on = self.moves.starts_with(&before.moves);
        let from = if goes_on {
            before.positions.len()
        } else {
            self.positions.len()
        };
        let from = from.min(self.positions.len() - 1);
        self.positions[from..].iter().map(placement).collect()
    }

    fn play(&mut self, played: Move) -> bool {
        let fits = self.moves.len() < PLIES;
        if fits {
            let mut after = self.position();
            self.moves.push(played.to_uci(CastlingMode::Standard));
            after.play_unchecked(played);
            self.positions.push(after);
        }
        fits
    }
}

/// What stands on the board in a position.
pub(super) fn placement(position: &Chess) -> Placement {
    let mut board = Placement::EMPTY;
    for (square, piece) in position.board().clone() {
        board.set(square, Some(piece));
    }
    board
}
