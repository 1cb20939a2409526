//! Says what a board and a clock can report to the tracker: readings of squares, dumps, presses, the state of the link.

use shakmaty::{Color, Piece, Square};

/// Milliseconds on the caller's own clock; only differences matter, and it never runs backwards.
pub type Millis = u64;

/// What the sensor of one square says: nothing, a piece, a colour only, or just "something".
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct Reading(u8);

impl Reading {
    /// The square is empty.
    pub const EMPTY: Reading = Reading(0);
    /// Something stands there; the board cannot say what.
    pub const SOMETHING: Reading = Reading(13);

    /// The reading of a known piece.
    pub fn of(piece: Piece) -> Reading {
        let role = piece.role as u8;
        Reading(if piece.color.is_white() {
            role
        } else {
            role + 6
        })
    }

    /// A piece whose colour alone is known.
    pub fn colour(color: Color) -> Reading {
        Reading(color.fold_wb(14, 15))
    }

    /// Reads a FEN letter, `?` for something, `.` or a space for nothing; anything else is `None`.
    pub fn from_char(letter: char) -> Option<Reading> {
        match letter {
            '.' | ' ' => Some(Reading::EMPTY),
            '?' => Some(Reading::SOMETHING),
            letter => Piece::from_char(letter).map(Reading::of),
        }
    }

    /// The letter `from_char` reads; colours only are `W` and `w`.
    pub fn char(self) -> char {
        match (self.piece(), self.0) {
            (Some(piece), _) => piece.char(),
            (None, 0) => '.',
            (None, 13) => '?',
            (None, 14) => 'W',
            (None, _) => 'w',
        }
    }

    /// A number of its own for every reading.
    pub(super) fn code(self) -> u64 {
        u64::from(self.0)
    }

    /// The piece, where the reading names one.
    pub fn piece(self) -> Option<Piece> {
        let (role, color) = match self.0 {
            role @ 1..=6 => (role, Color::White),
            role @ 7..=12 => (role - 6, Color::Black),
            _ => return None,
        };
        let role = shakmaty::Role::ALL[usize::from(role) - 1];
        Some(Piece { color, role })
    }

    /// The colour of what stands there, where it is known.
    pub fn color(self) -> Option<Color> {
        match self.0 {
            1..=6 | 14 => Some(Color::White),
            7..=12 | 15 => Some(Color::Black),
            _ => None,
        }
    }

    /// Whether the square is empty.
    pub fn is_empty(self) -> bool {
        self.0 == 0
    }
}

impl std::fmt::Debug for Reading {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{:?}", self.char())
    }
}

/// All 64 readings, indexed by square (a1 = 0, h8 = 63).
pub type Readings = [Reading; 64];

/// What a board can tell about a piece.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Sensing {
    /// Which piece stands on a square.
    #[default]
    Identity,
    /// Its colour.
    Colour,
    /// That one stands there.
    Occupancy,
}

impl Sensing {
    /// How a true piece looks on such a board.
    #[inline]
    pub fn see(self, truth: Reading) -> Reading {
        match self {
            Sensing::Identity => truth,
            _ if truth.is_empty() => truth,
            Sensing::Colour => truth.color().map_or(truth, Reading::colour),
            Sensing::Occupancy => Reading::SOMETHING,
        }
    }
}

/// How quickly a family of boards reports.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Profile {
    /// A wired board that samples its squares one after the other in about a quarter of a second.
    #[default]
    Usb,
    /// The same board over Bluetooth: about half as fast.
    Bluetooth,
    /// Whole frames several times a second, each of them a majority of three.
    Rfid,
    /// All squares twenty times a second.
    Fast,
}

impl Profile {
    /// Milliseconds between two looks at the same square.
    pub fn sweep(self) -> Millis {
        match self {
            Profile::Usb => 225,
            Profile::Bluetooth => 450,
            Profile::Rfid => 300,
            Profile::Fast => 50,
        }
    }
}

/// One entry of the board's own log.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum LogEntry {
    /// A square changed.
    Square {
        /// Which.
        square: Square,
        /// What it read afterwards.
        reading: Reading,
        /// Milliseconds since the entry before, where the log knows.
        after: Option<Millis>,
    },
    /// A player pressed the clock.
    Press {
        /// Who pressed.
        by: Color,
    },
    /// Everything on the board when its power came again; what was done without power nobody wrote down.
    Stood(Box<Readings>),
}

/// What the clock does as a whole.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ClockState {
    /// Both sides stand still.
    Stopped,
    /// One side runs.
    Running,
    /// Somebody changed the times by hand.
    Set,
}

/// One thing a device reported.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Observation {
    /// One square changed.
    Square {
        /// Which.
        square: Square,
        /// What it reads now.
        reading: Reading,
    },
    /// All squares at once.
    Dump(Box<Readings>),
    /// A player pressed the clock.
    Press {
        /// Who pressed.
        by: Color,
        /// White's remaining whole seconds afterwards.
        white: Option<u32>,
        /// Black's remaining whole seconds afterwards.
        black: Option<u32>,
    },
    /// The clock stopped, runs again, or was set.
    Clock(ClockState),
    /// The link to the board went down (`false`) or came up.
    Link(bool),
    /// The board's own log, oldest entry first.
    Log(Vec<LogEntry>),
}
