//! How a game is to be played: how noisy, how fast, on which board, with which accidents, to which end.

use super::accident::Accident;
use super::act::Millis;
use super::control::Control;
use super::habits::Habits;
use super::sensor::Hardware;

/// How disorderly the players and how faulty the board.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum Noise {
    /// 0: careful players, sound hardware.
    Clean,
    /// 1: club and tournament play, after three recorded games.
    #[default]
    Normal,
    /// 2: time trouble, with overlapping hands and unpressed clocks.
    Scramble,
    /// 3: normal players on faulty hardware.
    Faulty,
}

impl Noise {
    /// Noise 0 to 3; anything higher is 3.
    pub fn level(level: u8) -> Noise {
        [Noise::Clean, Noise::Normal, Noise::Scramble, Noise::Faulty][usize::from(level.min(3))]
    }
}

/// How long the players think.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Tempo {
    /// As the clock times of the game say; where it has none, as players spread the time their control gives them.
    Natural,
    /// About this long a move (the median), whatever the control.
    Thinking(Millis),
    /// The whole game in about this long: thinking shrinks, hands keep the time they need.
    Lasting(Millis),
}

/// What happens after the last move.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Ending {
    /// The clock is stopped and nothing is touched.
    #[default]
    Nothing,
    /// The kings are put on the central squares that mean the result; nothing if the result is unknown.
    Kings,
    /// The pieces are put back for a new game.
    Reset,
    /// Kings for the result, then the pieces are put back.
    KingsThenReset,
    /// Kings for the result, then a post-mortem.
    KingsThenPostMortem,
    /// The players move pieces about, as in a post-mortem.
    PostMortem,
    /// The player to move thinks until his flag falls. With [`Tempo::Natural`] he used his time up before; with another
    /// tempo choose a control that makes the wait bearable.
    Flag,
}

/// Which timing the board has.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Profile {
    /// A wired board: a sweep over all squares takes about 225 ms.
    #[default]
    Usb,
    /// A Bluetooth board: half as fast, later and less regular.
    Bluetooth,
    /// A board that looks every 50 ms.
    Fast,
    /// A board that sees every change at once, which none does.
    Ideal,
}

/// What a square can tell.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Sensing {
    /// Which piece stands there.
    #[default]
    Identity,
    /// Only whether something stands there.
    Occupancy,
}

/// Everything that decides a performance, besides the game.
#[derive(Clone, Debug)]
pub struct Play {
    /// The seed of all chance.
    pub seed: u64,
    /// What the players are like.
    pub habits: Habits,
    /// What the board is like.
    pub hardware: Hardware,
    /// What a square can tell.
    pub sensing: Sensing,
    /// The time control.
    pub control: Control,
    /// How long the players think.
    pub tempo: Tempo,
    /// What is to go wrong on purpose.
    pub accidents: Vec<Accident>,
    /// What happens after the last move.
    pub ending: Ending,
    /// Whether the board lies the wrong way round: acts then name the board's own squares. Leave it to a virtual board that
    /// turns squares itself.
    pub turned: bool,
    /// For a blind player's game on two boards: how long it takes until a move is copied to the other board, which the
    /// opponent waits for. See [`Performance::two_boards`](super::Performance::two_boards).
    pub copied_after: Option<Millis>,
}

impl Play {
    /// Play at a noise level on a wired board that knows pieces, classical control, nothing scripted.
    pub fn new(noise: Noise, seed: u64) -> Play {
        Play {
            seed,
            habits: Habits::at(noise),
            hardware: Hardware::at(noise),
            sensing: Sensing::Identity,
            control: Control::CLASSICAL,
            tempo: Tempo::Natural,
            accidents: Vec::new(),
            ending: Ending::Nothing,
            turned: false,
            copied_after: None,
        }
    }

    /// The same on a board of another timing.
    pub fn on(mut self, profile: Profile) -> Play {
        self.hardware = self.hardware.with(profile);
        self
    }

    /// The same with an accident more.
    pub fn with(mut self, accident: Accident) -> Play {
        self.accidents.push(accident);
        self
    }
}
