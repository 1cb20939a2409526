//! The price list: what a hypothesis pays for its moves and for every square that reads otherwise.
//!
//! Prices are natural logarithms of odds, roughly: a difference of 3 is 20 to 1. They depend on how long a disagreement
//! lasts, never on how often the clock of the tracker ticks.

use shakmaty::{Move, Role};

use super::observation::{Millis, Profile, Sensing};

/// How a square can disagree with a hypothesis.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Kind {
    /// The expected piece is not seen.
    Missing,
    /// A piece where none is expected.
    Extra,
    /// The piece a move brought there has never been seen there.
    Unseen,
    /// A piece captured a moment before, brushing a square or lying about.
    Lying,
    /// Another piece than expected.
    Differ,
    /// A pawn that still stands on the promotion square.
    Pawn,
    /// The square a piece came from still reads it.
    Stale,
    /// The rook of a castling move, or the pawn taken in passing, not handled yet.
    Late,
}

impl Kind {
    /// Price at once, price per second, and the most it can come to.
    fn tariff(self) -> (f32, f32, f32) {
        match self {
            Kind::Missing => (1.0, 0.7, 7.0),
            Kind::Unseen => (1.6, 0.6, 7.0),
            Kind::Extra => (2.0, 2.0, 9.0),
            Kind::Lying => (0.8, 0.5, 4.0),
            Kind::Differ => (2.4, 2.5, 11.0),
            Kind::Pawn => (0.5, 0.05, 2.0),
            Kind::Stale => (1.5, 1.2, 5.0),
            Kind::Late => (0.6, 0.25, 4.0),
        }
    }

    /// What a disagreement of this kind costs after `lasted` ms on a square with this many recent flickers.
    #[inline]
    pub(super) fn price(self, lasted: Millis, flaps: f32) -> f32 {
        let (onset, rate, cap) = self.tariff();
        let soon = match self {
            Kind::Missing => lasted.min(AWAY),
            _ => lasted,
        };
        let later = STILL_AWAY * (lasted - soon) as f32 / 1000.0;
        let full = (onset + rate * soon as f32 / 1000.0 + later).min(cap);
        match self {
            Kind::Missing => full / (1.0 + 0.5 * (flaps - 1.0).max(0.0)),
            _ => full,
        }
    }
}

/// A piece that is adjusted or not read for a moment is back within this, in milliseconds.
const AWAY: Millis = 4500;
/// What a piece costs per second that has been away for longer.
const STILL_AWAY: f32 = 0.25;

/// What a ply costs before any evidence.
pub(super) const MOVE: f32 = 1.6;
/// What a promotion to another piece than a queen costs more.
const UNDERPROMOTION: f32 = 0.6;
/// The same where the board cannot see the piece.
const UNDERPROMOTION_UNSEEN: f32 = 0.5;
/// A piece moved on from a square where it was never seen: what that costs more.
pub(super) const NEVER_THERE: f32 = 1.2;
/// A piece was taken where it was never seen, so long after it came there: what stays paid at most.
pub(super) fn taken_unseen(lasted: Millis) -> f32 {
    0.8 + 1.5 * lasted.saturating_sub(400) as f32 / 1000.0
}

/// A piece was held over a square that is not on its way for so long: what that costs more than a piece that is dragged.
pub(super) fn held(lasted: Millis, pace: &Pace) -> f32 {
    if lasted < pace.glimpse {
        2.0
    } else if lasted < pace.pause {
        0.5
    } else {
        0.0
    }
}

/// A square told the same twice, where this line expects its piece: the message of the arrival was lost.
pub(super) const REPEATED_AFTER_ARRIVAL: f32 = 0.3;
/// The same where this line knows of no reason.
pub(super) const REPEATED: f32 = 2.0;
/// A reply that arrived before the move did, at most; sweeps and quick hands can do that.
pub(super) const BEFORE_THE_ARRIVAL: f32 = 4.0;
/// The same where it arrived before the move was even lifted, at most.
pub(super) const BEFORE_THE_LIFT: f32 = 8.0;
/// What all plies together pay for having arrived after a piece that stands elsewhere.
pub(super) const OUT_OF_ORDER: f32 = 9.0;
/// A piece lifted before the ones of the plies before it, at most.
pub(super) const LIFTED_EARLY: f32 = 3.0;
/// So much of that is nothing: sweeps, and hands that overlap; in milliseconds.
pub(super) const LIFT_GRACE: Millis = 200;
/// A press this line cannot explain.
pub(super) const DEBT: f32 = 2.6;
/// What stays paid of it when the move is seen after its press.
pub(super) const PRESSED_EARLY: f32 = 0.8;
/// A ply that was never pressed, though a later one of the same player was.
pub(super) const UNPRESSED: f32 = 0.8;
/// Both players moved the piece of the ply before on, as soon as pieces that pause on their way go on.
pub(super) const DETOURS: f32 = 1.8;
/// A piece came back with the player's next move to a square that it was never seen to leave.
pub(super) const NEVER_LEFT: f32 = 6.0;
/// A piece arrived though it still stands where it came from, and another one like it was lifted.
pub(super) const ANOTHER_LIFTED: f32 = 4.0;
/// A ply was pressed while its piece stood elsewhere.
pub(super) const PRESSED_ELSEWHERE: f32 = 2.0;
/// How long a press may wait for its move to appear, in milliseconds.
pub(super) const DEBT_TERM: Millis = 1500;
/// How many hypotheses are kept and pursued.
#[derive(Clone, Copy, Debug)]
pub(super) struct Reach {
    /// Hypotheses this much worse than the best are given up.
    pub(super) prune: f64,
    /// Hypotheses within this of the best are asked for children.
    pub(super) grow: f64,
    /// Hypotheses asked for children in one round.
    pub(super) width: usize,
    /// Hypotheses kept besides the ancestors of the best one.
    pub(super) beam: usize,
}

impl Reach {
    /// Where all pieces look alike, more explanations stay possible for longer.
    pub(super) fn of(sensing: Sensing) -> Reach {
        match sensing {
            Sensing::Occupancy => Reach {
                prune: 12.0,
                grow: 7.0,
                width: 32,
                beam: 110,
            },
            Sensing::Identity | Sensing::Colour => Reach {
                prune: 9.0,
                grow: 5.0,
                width: 48,
                beam: 72,
            },
        }
    }
}

/// The price of a move before evidence.
pub(super) fn move_price(mv: Move, sensing: Sensing) -> f32 {
    match (mv.promotion(), sensing) {
        (None | Some(Role::Queen), _) => MOVE,
        (_, Sensing::Identity) => MOVE + UNDERPROMOTION,
        _ => MOVE + UNDERPROMOTION_UNSEEN,
    }
}

/// How long things last on a board that looks at its squares this often.
#[derive(Clone, Copy, Debug)]
pub(super) struct Pace {
    /// Two looks at the same square.
    pub(super) sweep: Millis,
    /// A piece seen on its way stands for less than this.
    pub(super) glimpse: Millis,
    /// A piece that paused on its way stands for less than this.
    pub(super) pause: Millis,
    /// Stable for this long: the hands are away.
    pub(super) rest: Millis,
}

impl Pace {
    pub(super) fn of(profile: Profile) -> Pace {
        let sweep = profile.sweep();
        Pace {
            sweep,
            glimpse: sweep.max(225) + 105,
            pause: sweep.max(225) + 575,
            rest: sweep + 375,
        }
    }
}

impl Pace {
    /// A span in seconds as it would be on a wired board: what takes two sweeps there takes two sweeps everywhere.
    pub(super) fn sweeps(&self, span: Millis) -> f32 {
        span as f32 / 1000.0 / self.slower()
    }

    /// How many times as long as a wired board this one takes for its squares.
    pub(super) fn slower(&self) -> f32 {
        self.sweep.max(225) as f32 / 225.0
    }
}

/// What stays paid of a disagreement that went away without a move.
pub(super) struct Passing {
    /// How long it lasted.
    pub(super) lasted: Millis,
    /// What it had cost by then.
    pub(super) paid: f32,
    /// The piece was in the mover's hand (it is missing elsewhere).
    pub(super) in_hand: bool,
}

impl Passing {
    /// A piece that was away and came back: adjusted, or not seen for a moment.
    pub(super) fn came_back(&self) -> f32 {
        self.paid.min(if self.lasted < 1500 { 0.5 } else { 1.0 })
    }

    /// A piece that stood for a while where the line has none.
    pub(super) fn went_on(&self, pace: &Pace) -> f32 {
        match (self.length(pace), self.in_hand) {
            (2, false) => self.paid + 1.5,
            (length, true) => self.paid.min([0.6, 3.2, 4.8][length]),
            (length, false) => self.paid.min([0.8, 2.4][length]),
        }
    }

    /// A captured piece that is taken away at last.
    pub(super) fn was_lying(&self, pace: &Pace) -> f32 {
        self.paid.min([0.4, 1.0, 1.8][self.length(pace)])
    }

    /// 0 for a glimpse, 1 for a pause, 2 for more.
    fn length(&self, pace: &Pace) -> usize {
        usize::from(self.lasted >= pace.glimpse) + usize::from(self.lasted >= pace.pause)
    }

    /// The piece of a move was seen late.
    pub(super) fn arrived_late(&self) -> f32 {
        self.paid
            .min(0.4 + 1.5 * self.lasted.saturating_sub(300) as f32 / 1000.0)
    }

    /// A dump told what no message had: the message was lost.
    pub(super) fn told_at_last(&self) -> f32 {
        self.paid.min(1.5)
    }

    /// A piece left its square so long after it was seen elsewhere that it hardly was the same.
    pub(super) fn left_late(&self) -> f32 {
        self.paid
            .min(0.3 + 1.5 * self.lasted.saturating_sub(700) as f32 / 1000.0)
    }

    /// Another piece was read for a while: a misreading, or two pieces on one square.
    pub(super) fn read_right_again(&self) -> f32 {
        if self.lasted < 700 {
            self.paid.min(2.4)
        } else {
            self.paid
        }
    }
}
