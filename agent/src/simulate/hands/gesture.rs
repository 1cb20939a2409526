//! The touches one move is made of, in milliseconds from the first of them.

use shakmaty::{Bitboard, Board, Chess, File, Move, Piece, Position, Rank, Square};

use super::accident::Carriage;
use super::dice::Dice;
use super::habits::Habits;
use super::manner::Manner;

/// What a square holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Holds {
    Nothing,
    One(Piece),
    Two { under: Piece, over: Piece },
}

/// A square changes, so long after the first touch.
#[derive(Clone, Copy, Debug)]
pub(super) struct Touch {
    pub(super) after: f64,
    pub(super) square: Square,
    pub(super) holds: Holds,
}

/// A move as a hand makes it.
#[derive(Clone, Debug, Default)]
pub(super) struct Gesture {
    pub(super) touches: Vec<Touch>,
    /// Touches by somebody else, later.
    pub(super) afterwards: Vec<Touch>,
    /// When the last touch of the move is done.
    pub(super) made: f64,
    /// When the player may press: earlier than `made` if the rest is left for later.
    pub(super) pressable: f64,
    /// Until when the hand is kept by a captured piece or a fallen neighbour.
    pub(super) kept: f64,
    /// When the player stops the clock to look for a piece.
    pub(super) stops_clock: Option<f64>,
    pub(super) signs: Vec<&'static str>,
}

impl Gesture {
    /// The gesture of a legal move. Passing pieces only touch squares in `free`, which are empty before and after;
    /// knocked neighbours stand in `loose`.
    pub(super) fn of(
        position: &Chess,
        m: Move,
        manner: &Manner,
        (free, loose): (Bitboard, Bitboard),
        habits: &Habits,
        dice: &mut Dice,
    ) -> Gesture {
        let gesture = Gesture::default();
        let mut hand = Hand {
            board: position.board(),
            m,
            manner,
            free,
            habits,
            dice,
            gesture,
        };
        hand.make(position);
        hand.knock_over(loose);
        hand.gesture.counted_from_first_touch()
    }

    /// All squares touched by the player.
    pub(super) fn squares(&self) -> Bitboard {
        self.touches.iter().map(|touch| touch.square).collect()
    }

    /// When the player's hand has left the board.
    pub(super) fn over(&self) -> f64 {
        self.touches
            .iter()
            .map(|touch| touch.after)
            .fold(0.0, f64::max)
    }

    fn counted_from_first_touch(mut self) -> Gesture {
        self.touches.sort_by(|a, b| a.after.total_cmp(&b.after));
        let first = self.touches.first().map_or(0.0, |touch| touch.after);
        for touch in self.touches.iter_mut().chain(&mut self.afterwards) {
            touch.after -= first;
        }
        self.made -= first;
        self.pressable -= first;
        self.kept -= first;
        self.stops_clock = self.stops_clock.map(|after| after - first);
        self
    }
}

/// A hand at work.
pub(super) struct Hand<'a> {
    pub(super) board: &'a Board,
    pub(super) m: Move,
    pub(super) manner: &'a Manner,
    pub(super) free: Bitboard,
    pub(super) habits: &'a Habits,
    pub(super) dice: &'a mut Dice,
    pub(super) gesture: Gesture,
}

impl Hand<'_> {
    fn make(&mut self, position: &Chess) {
        let color = position.turn();
        match self.m {
            Move::Castle { king, rook } => self.castle(color, king, rook),
            Move::EnPassant { from, to } => self.en_passant(color, from, to),
            Move::Normal {
                from,
                to,
                promotion: Some(new),
                ..
            } => self.promote(from, to, Piece { color, role: new }),
            Move::Normal {
                role,
                from,
                to,
                capture: Some(_),
                ..
            } => self.capture(from, to, Piece { color, role }),
            Move::Normal { role, from, to, .. } => self.quiet(from, to, Piece { color, role }),
            Move::Put { .. } => {}
        }
    }

    /// Notes that a square changes.
    pub(super) fn touch(&mut self, after: f64, square: Square, holds: Holds) {
        self.gesture.touches.push(Touch {
            after,
            square,
            holds,
        });
    }

    /// Notes that the move is done; the press may follow.
    pub(super) fn done(&mut self, at: f64) {
        self.gesture.made = at;
        self.gesture.pressable = at;
    }

    /// Time from lift to placement.
    pub(super) fn transit(&mut self, from: Square, to: Square) -> f64 {
        let habits = self.habits;
        let lift = self.dice.around(habits.transit, habits.transit_spread);
        (lift + habits.transit_square * f64::from(from.distance(to))).max(70.0)
    }

    fn quiet(&mut self, from: Square, to: Square, piece: Piece) {
        let near = |square: &Square| *square != to && *square != from && square.distance(to) <= 2;
        let stops: Vec<Square> = self.free.into_iter().filter(near).collect();
        let end = match (self.manner.carriage, self.dice.pick(&stops)) {
            (Carriage::Hover(wait), Some(stop)) => {
                self.gesture.signs.push("hover");
                let there = self.lifted(0.0, from, stop, piece, Holds::One(piece));
                let again = there + wait as f64;
                self.lifted(again, stop, to, piece, Holds::One(piece))
            }
            _ => self.carry(0.0, from, to, piece, Holds::One(piece)),
        };
        self.done(end);
    }

    /// Carries a piece as the manner wants it; gives the time it is down.
    pub(super) fn carry(
        &mut self,
        at: f64,
        from: Square,
        to: Square,
        piece: Piece,
        landing: Holds,
    ) -> f64 {
        let way = way(from, to);
        let clear = !way.is_empty() && way.iter().all(|&square| self.free.contains(square));
        let end = match self.manner.carriage {
            Carriage::Slide if clear => self.slide(at, from, to, piece, landing, None),
            Carriage::SlideResting(rest) if clear => {
                self.slide(at, from, to, piece, landing, Some(rest as f64))
            }
            Carriage::Low if clear => self.low(at, from, to, piece, landing, &way),
            _ => self.lifted(at, from, to, piece, landing),
        };
        self.bounce(end, to, landing)
    }

    fn lifted(&mut self, at: f64, from: Square, to: Square, _piece: Piece, landing: Holds) -> f64 {
        let end = at + self.transit(from, to);
        self.touch(at, from, Holds::Nothing);
        self.touch(end, to, landing);
        end
    }

    fn low(
        &mut self,
        at: f64,
        from: Square,
        to: Square,
        piece: Piece,
        landing: Holds,
        way: &[Square],
    ) -> f64 {
        let end = self.lifted(at, from, to, piece, landing);
        let seen = at + (end - at) * self.dice.between(0.25, 0.6);
        let gone = seen + self.dice.between(40.0, 150.0);
        if let (true, Some(square)) = (gone < end - 5.0, self.dice.pick(way)) {
            self.touch(seen, square, Holds::One(piece));
            self.touch(gone, square, Holds::Nothing);
            self.gesture.signs.push("low");
        }
        end
    }

    /// A coil senses a piece within `reach` squares of its middle, so a sliding piece can be on two squares or on none.
    fn slide(
        &mut self,
        at: f64,
        from: Square,
        to: Square,
        piece: Piece,
        landing: Holds,
        rest: Option<f64>,
    ) -> f64 {
        let squares = i32::try_from(from.distance(to)).unwrap_or(1);
        let reach = self.dice.between(0.36, 0.60);
        let pace =
            (self.dice.around(self.habits.slide_square, 0.35)).max(120.0 / f64::from(squares));
        let rest_at =
            f64::from(1 + i32::try_from(self.dice.below(squares as usize - 1)).unwrap_or(0));
        let passes = |x: f64| at + pace * x + rest.filter(|_| x > rest_at).unwrap_or(0.0);
        self.gesture.signs.push(if rest.is_some() {
            "slide with a rest"
        } else {
            "slide"
        });
        self.touch(passes(reach), from, Holds::Nothing);
        for (step, &square) in (1..).zip(&way(from, to)) {
            self.touch(passes(f64::from(step) - reach), square, Holds::One(piece));
            self.touch(passes(f64::from(step) + reach), square, Holds::Nothing);
        }
        let end = passes(f64::from(squares) - reach);
        self.touch(end, to, landing);
        end
    }

    pub(super) fn bounce(&mut self, end: f64, to: Square, landing: Holds) -> f64 {
        if !self.manner.bounce || !matches!(landing, Holds::One(_)) {
            return end;
        }
        self.gesture.signs.push("bounce");
        let up = end + self.dice.between(60.0, 180.0);
        let down = up + self.dice.between(60.0, 260.0);
        self.touch(up, to, Holds::Nothing);
        self.touch(down, to, landing);
        down
    }

    /// A free neighbour of a square.
    pub(super) fn beside(&mut self, square: Square) -> Option<Square> {
        let near: Vec<Square> = self
            .free
            .into_iter()
            .filter(|other| other.distance(square) == 1)
            .collect();
        self.dice.pick(&near)
    }

    fn knock_over(&mut self, loose: Bitboard) {
        let (to, leaves_rest) = (self.m.to(), self.gesture.pressable < self.gesture.made);
        let near = |square: &Square| {
            !leaves_rest && square.distance(to) == 1 && Some(*square) != self.m.from()
        };
        let near: Vec<Square> = loose.into_iter().filter(near).collect();
        let stands = |square| self.board.piece_at(square).map(|piece| (square, piece));
        if let (true, Some((square, piece))) = (
            self.manner.knock_over,
            self.dice.pick(&near).and_then(stands),
        ) {
            let falls = (self.gesture.made + self.dice.between(-60.0, 120.0)).max(0.0);
            let up = falls + self.dice.around(850.0, 0.5);
            self.touch(falls, square, Holds::Nothing);
            self.touch(up, square, Holds::One(piece));
            self.gesture.kept = self.gesture.kept.max(up);
            self.gesture.signs.push("neighbour knocked over");
        }
    }
}

/// The squares under a hand that goes straight from one square to another, both excluded.
pub(super) fn way(from: Square, to: Square) -> Vec<Square> {
    let steps = from.distance(to);
    let between = |a: u32, b: u32, step: u32| {
        (f64::from(a) + (f64::from(b) - f64::from(a)) * f64::from(step) / f64::from(steps)).round()
            as u32
    };
    (1..steps)
        .map(|step| {
            let file = between(u32::from(from.file()), u32::from(to.file()), step);
            let rank = between(u32::from(from.rank()), u32::from(to.rank()), step);
            Square::from_coords(File::new(file), Rank::new(rank))
        })
        .collect()
}
