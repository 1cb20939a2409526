//! What is done at the table after the last move.

use shakmaty::{Board, Chess, Color, KnownOutcome, Outcome, Position, Square};

use super::act::Act;
use super::gesture::Holds;
use super::how::Ending;
use super::sitting::Sitting;
use super::timeline::{Whose, ms};

impl Sitting<'_> {
    /// The clock is stopped and the table left as the ending wants it. The last ply was over at `over`.
    pub(super) fn finale(&mut self, over: f64) {
        let still = self.line.over().max(over);
        let stopped = if self.how.ending == Ending::Flag {
            self.flag_falls(still)
        } else {
            still + self.dice.between(1500.0, 4000.0)
        };
        self.stop_clock(stopped);
        let at = stopped + self.dice.between(1000.0, 4000.0);
        let board = self.position.board().clone();
        match self.how.ending {
            Ending::Nothing | Ending::Flag => {}
            Ending::Kings => {
                self.kings(at, &board);
            }
            Ending::Reset => {
                self.reset(at, &board);
            }
            Ending::KingsThenReset => {
                let (at, board) = self.kings(at, &board);
                self.reset(at + 8000.0, &board);
            }
            Ending::KingsThenPostMortem => {
                let (at, board) = self.kings(at, &board);
                self.post_mortem(at + 8000.0, board);
            }
            Ending::PostMortem => self.post_mortem(at, board),
        }
        let shown = matches!(self.how.ending, Ending::Kings | Ending::KingsThenReset);
        let calm = if shown { 7000.0 } else { 3000.0 };
        self.quiet_at = self.line.over() + calm;
    }

    /// The player to move sits until his time is up; gives when somebody stops the clock.
    fn flag_falls(&mut self, still: f64) -> f64 {
        let Some(falls) = self.clock.falls_at() else {
            return still;
        };
        let winner = self.clock.running().map(Color::other);
        self.result = Outcome::from_known(winner.map(|winner| KnownOutcome::Decisive { winner }));
        self.clock.stop(falls.max(ms(still)));
        still.max(falls as f64) + self.dice.between(800.0, 2500.0)
    }

    /// Both kings go to the central squares that mean the result: light ones for White, dark ones for Black, mixed for a draw.
    fn kings(&mut self, at: f64, board: &Board) -> (f64, Board) {
        let Some((white, black)) = self.signal() else {
            return (at, board.clone());
        };
        let mut to = board.clone();
        for color in Color::ALL {
            if let Some(king) = board.king_of(color) {
                to.discard_piece_at(king);
            }
        }
        to.set_piece_at(white, Color::White.king());
        to.set_piece_at(black, Color::Black.king());
        (self.rearrange(Whose::Other, at, board, &to), to)
    }

    fn reset(&mut self, at: f64, board: &Board) {
        self.rearrange(Whose::Other, at, board, Chess::default().board());
        let at = self.line.over() + 2000.0;
        let (time, increment) = (
            super::chessclock::Chessclock::new(self.how.control).left(0),
            self.how.control.increment,
        );
        self.line
            .push(Whose::Other, at, Act::ClockSet { time, increment });
    }

    /// Pieces are pushed about without turns or rules.
    fn post_mortem(&mut self, mut at: f64, mut board: Board) {
        for _ in 0..4 + self.dice.below(8) {
            let pieces: Vec<Square> = board.occupied().into_iter().collect();
            let empty: Vec<Square> = (!board.occupied()).into_iter().collect();
            let (Some(from), Some(to)) = (self.dice.pick(&pieces), self.dice.pick(&empty)) else {
                return;
            };
            let Some(piece) = board.remove_piece_at(from) else {
                return;
            };
            board.set_piece_at(to, piece);
            self.line.square(Whose::Other, at, from, Holds::Nothing);
            at += self.dice.between(250.0, 600.0);
            self.line.square(Whose::Other, at, to, Holds::One(piece));
            at += self.dice.between(700.0, 2500.0);
        }
    }

    /// Where the kings stand for the result, White's and Black's; either may stand on either square.
    fn signal(&mut self) -> Option<(Square, Square)> {
        let (a, b) = match self.result.known()? {
            KnownOutcome::Decisive {
                winner: Color::White,
            } => (Square::E4, Square::D5),
            KnownOutcome::Decisive {
                winner: Color::Black,
            } => (Square::D4, Square::E5),
            KnownOutcome::Draw if self.dice.chance(0.3) => (Square::D4, Square::D5),
            KnownOutcome::Draw => (Square::E4, Square::E5),
        };
        Some(if self.dice.chance(0.2) {
            (b, a)
        } else {
            (a, b)
        })
    }
}
