//! A blind player's game: every player moves on his own board, and each move is copied to the other one (Laws, appendix D).

use shakmaty::{Board, ByColor, Color, Position, Square};

use super::act::{Act, Millis, Performance};
use super::game::Game;
use super::sitting::COPYING;

impl Performance {
    /// The same game seen by two boards: White's, with the chessclock, and Black's.
    ///
    /// The performance has to be played with [`Play::copied_after`](super::Play::copied_after) set to the same `delay`, so that
    /// nobody answers a move that has not arrived. Copies are made cleanly, `delay` milliseconds after the hand has left.
    pub fn two_boards(&self, game: &Game, delay: Millis) -> ByColor<Performance> {
        ByColor::new_with(|color| Performance {
            acts: self.acts_of(color, game, delay),
            ..self.clone()
        })
    }

    fn acts_of(&self, color: Color, game: &Game, delay: Millis) -> Vec<(Millis, Act)> {
        let mut acts: Vec<(Millis, Act)> = self
            .acts
            .iter()
            .filter(|(at, act)| self.is_seen_by(color, *at, act))
            .cloned()
            .collect();
        let mut position = game.start.clone();
        for (ply, &m) in self.truth.iter().zip(&game.moves) {
            let before = position.board().clone();
            position.play_unchecked(m);
            if ply.by != color {
                let over = ply.pressed_at.unwrap_or(0).max(ply.made_at);
                acts.extend(copy(&before, position.board(), over + delay));
            }
        }
        acts.sort_by_key(|(at, _)| *at);
        acts
    }

    /// What happens between the first touch of a move and that of the next happens on the mover's board.
    fn is_seen_by(&self, color: Color, at: Millis, act: &Act) -> bool {
        if !matches!(act, Act::Square { .. } | Act::Crowd { .. }) {
            return color.is_white();
        }
        let begun = self.truth.partition_point(|ply| ply.lifted_at <= at);
        let mover = begun
            .checked_sub(1)
            .and_then(|last| self.truth.get(last))
            .or(self.truth.first());
        mover.is_none_or(|ply| ply.by == color)
    }
}

/// One board is made like another: pieces off, pieces on.
fn copy(before: &Board, after: &Board, at: Millis) -> Vec<(Millis, Act)> {
    let changed = |square: &Square| before.piece_at(*square) != after.piece_at(*square);
    let squares: Vec<Square> = Square::ALL.into_iter().filter(changed).collect();
    let off = squares
        .iter()
        .filter(|square| before.piece_at(**square).is_some())
        .map(|&square| (square, None));
    let on = squares
        .iter()
        .filter_map(|&square| after.piece_at(square).map(|piece| (square, Some(piece))));
    let steps: Vec<(Square, Option<shakmaty::Piece>)> = off.chain(on).collect();
    let pause = (COPYING * 0.8) as Millis / (steps.len().max(1) as Millis);
    (0..)
        .zip(steps)
        .map(|(step, (square, piece))| (at + step * pause, Act::Square { square, piece }))
        .collect()
}
