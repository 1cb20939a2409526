//! The gestures of a capture: two pieces, one square, and a piece that has to leave.

use shakmaty::{Piece, Square};

use super::accident::Taking;
use super::gesture::{Hand, Holds};

impl Hand<'_> {
    /// Captures as the manner wants it.
    pub(super) fn capture(&mut self, from: Square, to: Square, piece: Piece) {
        let Some(victim) = self.board.piece_at(to) else {
            return;
        };
        let extra = self.dice.around(self.habits.taking_extra, 0.4);
        let end = match self.manner.taking {
            Taking::VictimFirst => self.victim_first(from, to, piece, victim, extra),
            Taking::OnTop => self.on_top(from, to, piece, victim),
            Taking::Push => self.push(from, to, piece, victim, 260.0),
            Taking::Knock(lies) => self.push(from, to, piece, victim, lies as f64),
            Taking::Swap => self.swap(from, to, piece, victim, extra),
        };
        self.done(end);
    }

    fn victim_first(
        &mut self,
        from: Square,
        to: Square,
        piece: Piece,
        victim: Piece,
        extra: f64,
    ) -> f64 {
        self.gesture.signs.push("victim first");
        self.touch(0.0, to, Holds::Nothing);
        let end = self.carry(extra, from, to, piece, Holds::One(piece));
        self.leave(40.0, to, victim);
        end
    }

    fn on_top(&mut self, from: Square, to: Square, piece: Piece, victim: Piece) -> f64 {
        self.gesture.signs.push("on top");
        let down = self.carry(
            0.0,
            from,
            to,
            piece,
            Holds::Two {
                under: victim,
                over: piece,
            },
        );
        let out = down + self.dice.around(380.0, 0.4);
        self.touch(out, to, Holds::One(piece));
        self.leave(out, to, victim);
        out
    }

    fn push(&mut self, from: Square, to: Square, piece: Piece, victim: Piece, lies: f64) -> f64 {
        let beside = self.beside(to);
        self.gesture.signs.push(if lies > 500.0 {
            "victim falls over"
        } else {
            "victim pushed"
        });
        let down = self.carry(
            0.0,
            from,
            to,
            piece,
            Holds::Two {
                under: victim,
                over: piece,
            },
        );
        let apart = self.dice.between(40.0, 140.0);
        self.touch(down + apart, to, Holds::One(piece));
        if let Some(beside) = beside.filter(|&square| !self.gesture.squares().contains(square)) {
            let gone = down + apart + self.dice.around(lies, 0.5);
            self.touch(down + apart * 0.5, beside, Holds::One(victim));
            self.touch(gone, beside, Holds::Nothing);
            self.gesture.kept = gone;
        }
        down + apart
    }

    /// One hand takes the victim off and puts the capturer down; the target may never be seen empty.
    fn swap(&mut self, from: Square, to: Square, piece: Piece, victim: Piece, extra: f64) -> f64 {
        let off = self.transit(from, to) + extra;
        let down = off + self.swap_gap();
        self.touch(0.0, from, Holds::Nothing);
        self.touch(off, to, Holds::Nothing);
        self.touch(down, to, Holds::One(piece));
        let end = self.bounce(down, to, Holds::One(piece));
        self.leave(end, to, victim);
        end
    }

    /// How long a square is empty between two pieces that change places on it.
    pub(super) fn swap_gap(&mut self) -> f64 {
        self.dice.around(self.habits.swap_gap, 0.8).max(5.0)
    }

    /// The captured piece leaves in the hand and may be sensed on a square on its way.
    fn leave(&mut self, at: f64, square: Square, victim: Piece) {
        let beside = self
            .beside(square)
            .filter(|&beside| !self.gesture.squares().contains(beside));
        if let (true, Some(beside)) = (self.manner.brush, beside) {
            let seen = at + self.dice.between(60.0, 420.0);
            let gone = seen + self.dice.around(120.0, 0.6);
            self.touch(seen, beside, Holds::One(victim));
            self.touch(gone, beside, Holds::Nothing);
            self.gesture.kept = gone;
            self.gesture.signs.push("brush");
        }
    }
}
