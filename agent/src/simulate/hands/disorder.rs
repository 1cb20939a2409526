//! The disorder of every game: pieces are adjusted, touched and put back while somebody thinks.

use shakmaty::{Bitboard, Move, Position, Square};

use super::gesture::Holds;
use super::sitting::{Sitting, used};
use super::timeline::Whose;

impl Sitting<'_> {
    /// Adjusting and touching before the move, as habits have it, if there is time before `lift`.
    pub(super) fn disorder_before(&mut self, lift: f64) {
        let by = self.mover();
        let from = (self.last_placed() + 400.0)
            .max(self.hand_free(by))
            .max(self.ready);
        let mut from = from;
        if self.dice.chance(self.how.habits.adjust) {
            from = self.adjust(Whose::Player(by), from, lift - 400.0, self.quiet()) + 100.0;
        }
        if self.dice.chance(self.how.habits.touch) && lift - 300.0 - from > 1500.0 {
            let Some(square) = self
                .touchable(self.quiet())
                .filter(|&square| self.line.busy(square) < from)
            else {
                return;
            };
            let wait = self.dice.around(1500.0, 0.6).min(lift - 500.0 - from);
            let at = self.dice.between(from, lift - 300.0 - wait);
            self.line
                .square(Whose::Player(by), at, square, Holds::Nothing);
            self.put_back(Whose::Player(by), at + wait, square);
        }
    }

    /// Adjusting in the opponent's time, right after the own move.
    pub(super) fn disorder_after(&mut self, m: Move) {
        if !self.dice.chance(self.how.habits.adjust_off_turn) {
            return;
        }
        let by = self.mover().other();
        let from = self.hand_free(by) + 200.0;
        let window = if self.how.habits.scramble > 0.0 {
            900.0
        } else {
            4000.0
        };
        let end = self.adjust(
            Whose::Player(by),
            from,
            from + window,
            self.quiet() & !used(m),
        );
        self.use_hand(by, end);
    }

    /// One piece or a few are lifted and put back between two instants; gives when the hand is free again.
    fn adjust(&mut self, whose: Whose, from: f64, until: f64, quiet: Bitboard) -> f64 {
        if until - from < 700.0 {
            return from;
        }
        let board = self.position.board().clone();
        let idle = |square: &Square| self.line.busy(*square) < from;
        let squares: Vec<Square> = (quiet & board.occupied())
            .into_iter()
            .filter(idle)
            .collect();
        let pieces = if self.dice.chance(0.25) {
            2 + self.dice.below(2)
        } else {
            1
        };
        let mut at = self.dice.between(from, until - 600.0);
        let squares = self.dice.shuffled(squares);
        for square in squares.into_iter().take(pieces) {
            let takes = self.dice.around(420.0, 0.5);
            if at + takes > until {
                break;
            }
            self.line.square(whose, at, square, Holds::Nothing);
            self.put_back(whose, at + takes, square);
            at += takes + self.dice.between(150.0, 500.0);
        }
        at
    }
}
