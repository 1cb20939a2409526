//! Everything that is done at a table, by whose hand, in any order until it is sorted.

use shakmaty::{Color, Square};

use super::act::{Act, Flaw, Millis, Reads};
use super::gesture::{Holds, Touch};

/// Whose hand it was.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Whose {
    /// A player's.
    Player(Color),
    /// An arbiter's, or nobody's.
    Other,
}

/// An act with the hand that did it.
#[derive(Clone, Debug)]
pub(super) struct Stroke {
    pub(super) at: f64,
    #[cfg_attr(
        not(test),
        expect(dead_code, reason = "read by the tests that watch the hands")
    )]
    pub(super) whose: Whose,
    pub(super) act: Act,
}

/// The strokes of a performance, and until when a hand is busy on each square.
#[derive(Clone, Debug)]
pub(super) struct Timeline {
    strokes: Vec<Stroke>,
    pub(super) flaws: Vec<Flaw>,
    busy: [f64; 64],
}

impl Timeline {
    /// Nothing has happened.
    pub(super) fn new() -> Timeline {
        Timeline {
            strokes: Vec::new(),
            flaws: Vec::new(),
            busy: [0.0; 64],
        }
    }

    /// A square changes under a hand.
    pub(super) fn touch(&mut self, whose: Whose, start: f64, touch: &Touch) {
        self.square(whose, start + touch.after, touch.square, touch.holds);
    }

    /// A square holds something else from `at` on.
    pub(super) fn square(&mut self, whose: Whose, at: f64, square: Square, holds: Holds) {
        let act = match holds {
            Holds::Nothing => Act::Square {
                square,
                piece: None,
            },
            Holds::One(piece) => Act::Square {
                square,
                piece: Some(piece),
            },
            Holds::Two { under, over } => Act::Crowd {
                square,
                under,
                over,
            },
        };
        let busy = &mut self.busy[square.to_usize()];
        *busy = busy.max(at);
        self.push(whose, at, act);
    }

    /// Anything happens.
    pub(super) fn push(&mut self, whose: Whose, at: f64, act: Act) {
        self.strokes.push(Stroke { at, whose, act });
    }

    /// Until when a hand is busy on a square.
    pub(super) fn busy(&self, square: Square) -> f64 {
        self.busy[square.to_usize()]
    }

    /// When the last stroke is done.
    pub(super) fn over(&self) -> f64 {
        self.strokes
            .iter()
            .map(|stroke| stroke.at)
            .fold(0.0, f64::max)
    }

    /// A square or its piece is in trouble.
    pub(super) fn flaw(
        &mut self,
        square: Square,
        from: f64,
        until: f64,
        reads: Reads,
        with_piece: bool,
    ) {
        self.flaws.push(Flaw {
            square,
            from: ms(from),
            until: ms(until),
            reads,
            with_piece,
        });
    }

    /// The strokes in order of time.
    pub(super) fn sorted(mut self) -> Vec<Stroke> {
        self.strokes.sort_by(|a, b| a.at.total_cmp(&b.at));
        self.strokes
    }
}

/// A time as whole milliseconds.
pub(super) fn ms(at: f64) -> Millis {
    at.max(0.0).round() as Millis
}
