//! Keeps the picture of the physical board: what every square reads, since when, and how reliable it is.

use shakmaty::{Board, Color, Square};

use super::observation::{Millis, Reading, Readings};

/// A flickering square is forgiven half of its record in this time, in milliseconds.
const FLAP_HALF_LIFE: f32 = 90_000.0;

/// What is over within this is no change, in milliseconds.
const BLINK: Millis = 400;

/// The readings of a position's pieces.
pub(super) fn readings_of(board: &Board) -> Readings {
    let mut readings = [Reading::EMPTY; 64];
    for (square, piece) in board {
        readings[square.to_usize()] = Reading::of(piece);
    }
    readings
}

/// Readings as seen from the other side of the board.
pub(super) fn turned(readings: &Readings) -> Readings {
    let mut other = *readings;
    other.reverse();
    other
}

/// The squares of a mask, ascending.
pub(super) fn squares(mask: u64) -> impl Iterator<Item = Square> {
    shakmaty::Bitboard(mask).into_iter()
}

/// The physical board as last reported.
#[derive(Clone, Debug)]
pub(super) struct Picture {
    now: Readings,
    before: Readings,
    since: [Millis; 64],
    /// When the reading before the present one was new.
    came: [Millis; 64],
    emptied: [Millis; 64],
    flaps: [f32; 64],
    flapped: [Millis; 64],
    /// When anything changed last.
    pub(super) last_change: Millis,
    /// The same without what was over in a moment: a piece that blinked, or one that was not there.
    pub(super) steady: Millis,
    /// What `steady` was before the last change of a square.
    calm: [Millis; 64],
}

impl Picture {
    pub(super) fn new(readings: Readings, at: Millis) -> Picture {
        Picture {
            now: readings,
            before: readings,
            since: [at; 64],
            came: [at; 64],
            emptied: [at; 64],
            flaps: [0.0; 64],
            flapped: [at; 64],
            last_change: at,
            steady: at,
            calm: [at; 64],
        }
    }

    pub(super) fn readings(&self) -> &Readings {
        &self.now
    }

    #[inline]
    pub(super) fn at(&self, square: usize) -> Reading {
        self.now[square]
    }

    /// What the square read before its last change.
    #[inline]
    pub(super) fn before(&self, square: usize) -> Reading {
        self.before[square]
    }

    /// When the square changed last.
    #[inline]
    pub(super) fn since(&self, square: usize) -> Millis {
        self.since[square]
    }

    /// When the square was last seen to become empty.
    pub(super) fn emptied(&self, square: usize) -> Millis {
        self.emptied[square]
    }

    /// From when until when the square was empty before its piece came back.
    pub(super) fn absence(&self, square: usize) -> Option<(Millis, Millis)> {
        let back = self.before[square].is_empty() && !self.now[square].is_empty();
        back.then(|| (self.came[square], self.since[square]))
    }

    /// Squares that are empty and read this piece before, from one moment at the earliest until after another.
    pub(super) fn visited(
        &self,
        piece: Reading,
        from: Millis,
        after: Millis,
    ) -> impl Iterator<Item = (usize, Millis)> + '_ {
        (0..64)
            .filter(move |&square| self.since[square] > after && self.before[square] == piece)
            .filter(move |&square| self.now[square].is_empty() && self.came[square] >= from)
            .map(|square| (square, self.since[square] - self.came[square]))
    }

    /// Takes a reading; says whether it is new.
    pub(super) fn set(&mut self, square: usize, reading: Reading, at: Millis) -> bool {
        if self.now[square] == reading {
            return false;
        }
        self.note_steady(square, reading, at);
        self.before[square] = self.now[square];
        self.came[square] = self.since[square];
        self.now[square] = reading;
        self.since[square] = at;
        if reading.is_empty() {
            self.emptied[square] = at;
        }
        self.last_change = at;
        true
    }

    /// A square that soon reads again what it read before has not changed.
    fn note_steady(&mut self, square: usize, reading: Reading, at: Millis) {
        let began = self.since[square];
        if self.before[square] != reading || at.saturating_sub(began) >= BLINK {
            self.calm[square] = self.steady;
            self.steady = at;
            return;
        }
        let before = self.calm[square];
        if self.steady == began {
            self.steady = before;
        }
        let others = self.calm.iter_mut().filter(|calm| **calm == began);
        others.for_each(|calm| *calm = before);
    }

    /// No game has a second king of a colour.
    pub(super) fn is_impossible(&self) -> bool {
        Color::ALL.into_iter().any(|color| {
            let king = Reading::of(color.king());
            self.now.iter().filter(|reading| **reading == king).count() > 1
        })
    }

    /// Notes that the square lost and found its piece again.
    pub(super) fn flap(&mut self, square: usize, at: Millis) {
        self.flaps[square] = (self.flaps(square, at) + 1.0).min(20.0);
        self.flapped[square] = at;
    }

    /// How often the square flickered lately, older times counting less.
    #[inline]
    pub(super) fn flaps(&self, square: usize, at: Millis) -> f32 {
        if self.flaps[square] == 0.0 {
            return 0.0;
        }
        let age = at.saturating_sub(self.flapped[square]) as f32;
        self.flaps[square] * (-age / FLAP_HALF_LIFE * std::f32::consts::LN_2).exp()
    }
}
