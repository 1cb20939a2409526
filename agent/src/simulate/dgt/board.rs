//! One virtual board with its chessclock: hands at one end, a host at the other.

mod answers;

use shakmaty::{ByColor, Color, Piece, Square};

use super::chessclock::VirtualClock;
use super::hearing::Hearing;
use super::memory::Memory;
use super::sensor::{Change, Sensor};
use super::wire;
use crate::devices::dgt::{piece_code, piece_of_code, square_number, square_of_number};
use crate::devices::{Battery, ClockSide, ClockType, Millis, Orientation, Placement};
use crate::simulate::uart::Uart;
use crate::simulate::{FarEnd, VirtualBoard};

/// What kind of board it is and how it stands on the table.
#[derive(Clone, Debug)]
pub struct VirtualOptions {
    /// How the board lies; squares are numbered, and the chessclock stands, accordingly.
    pub orientation: Orientation,
    /// Whether somebody turned the chessclock round.
    pub clock_turned: bool,
    /// The chessclock in the socket, if any.
    pub clock: Option<ClockType>,
    /// Firmware version.
    pub firmware: (u8, u8),
    /// Hardware version; older boards do not answer.
    pub hardware: Option<(u8, u8)>,
    /// Long serial number of ten characters; older boards do not answer.
    pub long_serial: Option<String>,
    /// The battery of a wireless board.
    pub battery: Option<Battery>,
    /// Milliseconds for a sweep over all squares, 200-250 on a real board; `None` sees everything at once.
    pub sweep: Option<Millis>,
    /// How much faster than 9600 baud the line is.
    pub wire_speed: f64,
    /// What stands on the board at the beginning.
    pub placement: Placement,
    /// Squares are only known to be empty or not, and there is no socket for a chessclock.
    pub occupancy: bool,
}

/// What hands do to the chessclock. Times in milliseconds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ClockAction {
    /// Both times are set, which stops it.
    Set {
        /// Time left for each.
        time: ByColor<Millis>,
        /// Added after every press.
        increment: Millis,
    },
    /// It gives back used time with a press, at most this much, in place of an increment.
    Delay(Millis),
    /// It knows one period more, which each player gets when his time is used up.
    Period(Millis),
    /// It goes fast by so many thousandths, slow where negative.
    Drift(i16),
    /// It is started, with the rocker so that this player's time runs.
    Start {
        /// Whose time runs.
        running: Color,
    },
    /// It is stopped.
    Stop,
    /// A player presses.
    Press {
        /// Who.
        by: Color,
    },
    /// A player's time runs out now.
    FlagFall {
        /// Whose.
        of: Color,
    },
    /// Its battery runs low, or is changed.
    LowBattery(bool),
    /// Its plug is pulled.
    Unplug,
    /// Its plug is put back.
    Plug,
    /// From now on it says nothing, whatever it is asked.
    FallSilent,
}

/// A virtual DGT board.
#[derive(Debug)]
pub struct VirtualDgt {
    serial: String,
    options: VirtualOptions,
    on: bool,
    mode: Mode,
    plugged: bool,
    clock_is_silent: bool,
    clock: VirtualClock,
    clock_seen: [u8; 7],
    clock_sent: Millis,
    next_poll: Millis,
    sensor: Sensor,
    memory: Memory,
    hearing: Hearing,
    uart: Uart,
    deaf_until: Millis,
    harmful: u32,
}

/// Which updates the host has asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Mode {
    Bus,
    Idle,
    Update,
    UpdateBoard,
    UpdateNice,
    /// In the boot loader: dead until the power is cut.
    BootLoader,
}

/// 9600 baud with a start and a stop bit.
const BYTES_A_SECOND: f64 = 960.0;
const POLL: Millis = 400;
const REPEAT: Millis = 1_000;
const NO_CLOCK: [u8; 7] = [0, 0, 0, 0, 0, 0, 0x20];

impl Default for VirtualOptions {
    fn default() -> VirtualOptions {
        VirtualOptions {
            orientation: Orientation::Normal,
            clock_turned: false,
            clock: Some(ClockType { main: 2, sub: 0 }),
            firmware: (1, 8),
            hardware: None,
            long_serial: None,
            battery: None,
            sweep: Some(225),
            wire_speed: 1.0,
            placement: Placement::start(),
            occupancy: false,
        }
    }
}

impl VirtualDgt {
    /// A board that has just been switched on, in bus mode, with a stopped chessclock. The serial number's first
    /// five characters count.
    pub fn new(serial: &str, mut options: VirtualOptions) -> VirtualDgt {
        let mut codes = codes(&options.orientation.apply(&options.placement));
        if options.occupancy {
            options.clock = None;
            codes = codes.map(|code| code.min(1));
        }
        let mut memory = Memory::default();
        memory.power_up(&codes);
        VirtualDgt {
            serial: format!("{serial:0>5}").chars().take(5).collect(),
            on: true,
            mode: Mode::Bus,
            plugged: options.clock.is_some(),
            clock_is_silent: false,
            clock: VirtualClock::new(),
            clock_seen: NO_CLOCK,
            clock_sent: 0,
            next_poll: 0,
            sensor: Sensor::new(options.sweep, codes),
            memory,
            hearing: Hearing::default(),
            uart: Uart::at(BYTES_A_SECOND * options.wire_speed),
            deaf_until: 0,
            harmful: 0,
            options,
        }
    }

    /// A true square holds this now.
    pub fn set_square(&mut self, now: Millis, square: Square, piece: Option<Piece>) {
        self.advance(now);
        let number = square_number(self.options.orientation.square(square));
        let code = piece_code(piece);
        let seen = if self.options.occupancy {
            code.min(1)
        } else {
            code
        };
        self.sensor.put(now, number, seen);
    }

    /// Somebody touches the chessclock.
    pub fn clock(&mut self, now: Millis, action: ClockAction) {
        self.advance(now);
        self.clock.pass(now);
        match action {
            ClockAction::Unplug => self.plugged = false,
            ClockAction::FallSilent => self.clock_is_silent = true,
            ClockAction::Plug => self.plugged = self.options.clock.is_some(),
            other => {
                let white = self.side(Color::White);
                self.clock.obey(other, white);
            }
        }
    }

    /// The board is switched off, or on again, when it has forgotten everything but its memory.
    pub fn power(&mut self, now: Millis, on: bool) {
        self.advance(now);
        if self.on == on {
            return;
        }
        self.on = on;
        self.mode = Mode::Bus;
        self.uart.clear();
        self.hearing.clear();
        self.deaf_until = 0;
        self.clock_seen = NO_CLOCK;
        self.next_poll = now + POLL;
        if on {
            self.sensor.look();
            self.memory.power_up(self.sensor.seen());
        }
    }

    /// At which side of the chessclock a player sits.
    pub fn side(&self, color: Color) -> ClockSide {
        let white = match (self.options.orientation, self.options.clock_turned) {
            (Orientation::Normal, false) | (Orientation::Rotated, true) => ClockSide::Left,
            (Orientation::Normal, true) | (Orientation::Rotated, false) => ClockSide::Right,
        };
        side_of(color, white)
    }

    /// What stands on the table, in true squares.
    pub fn placement(&self) -> Placement {
        let mut raw = Placement::EMPTY;
        for number in 0..64 {
            if let Some(square) = square_of_number(number) {
                raw.set(square, piece_of_code(self.sensor.stands(number)));
            }
        }
        self.options.orientation.apply(&raw)
    }

    /// Whole seconds a player's side of the display shows.
    pub fn seconds(&self, color: Color) -> u32 {
        self.clock.seconds(self.side(color))
    }

    /// How many commands were heard that no host may send: the boot loader, draughts scans, lamps, and anything for
    /// the chessclock but questions.
    pub fn harmful_commands(&self) -> u32 {
        self.harmful
    }
}

impl FarEnd for VirtualDgt {
    fn host_bytes(&mut self, now: Millis, bytes: &[u8]) {
        self.advance(now);
        if !self.on || now < self.deaf_until {
            return;
        }
        for heard in self.hearing.take(now, bytes) {
            self.obey(now, heard);
        }
    }

    fn take_output(&mut self, now: Millis) -> Vec<u8> {
        self.advance(now);
        self.uart.take(now)
    }

    fn wake(&self) -> Option<Millis> {
        if !self.on {
            return None;
        }
        [
            self.uart.wake(),
            self.sensor.next_at(),
            Some(self.next_poll),
        ]
        .into_iter()
        .flatten()
        .min()
    }
}

impl VirtualBoard for VirtualDgt {
    fn set_square(&mut self, now: Millis, square: Square, piece: Option<Piece>) {
        VirtualDgt::set_square(self, now, square, piece);
    }

    fn clock(&mut self, now: Millis, action: ClockAction) {
        VirtualDgt::clock(self, now, action);
    }

    fn power(&mut self, now: Millis, on: bool) {
        VirtualDgt::power(self, now, on);
    }

    fn harmful_commands(&self) -> u32 {
        VirtualDgt::harmful_commands(self)
    }
}

/// What the board does by itself.
impl VirtualDgt {
    /// Sweeps the squares and polls the chessclock up to `now`, in the order of time.
    fn advance(&mut self, now: Millis) {
        while self.on {
            let sweep = self.sensor.next_at().filter(|&at| at <= now);
            if self.next_poll <= now && sweep.is_none_or(|at| self.next_poll <= at) {
                self.poll_clock();
            } else if let Some(change) = self.sensor.next(now) {
                self.report(change);
            } else {
                return;
            }
        }
    }

    fn report(&mut self, change: Change) {
        self.memory
            .field(change.at, change.number, change.code, self.sensor.seen());
        if matches!(
            self.mode,
            Mode::Update | Mode::UpdateBoard | Mode::UpdateNice
        ) {
            self.say(change.at, 0x8E, &[change.number, change.code]);
        }
    }

    fn poll_clock(&mut self) {
        let now = self.next_poll;
        self.next_poll = now + POLL;
        let (before, reading) = (self.clock_seen, self.read_clock(now));
        self.remember_press(&before, &reading);
        let due = match self.mode {
            Mode::UpdateNice => reading != before,
            Mode::Update => reading != before || now >= self.clock_sent + REPEAT,
            _ => false,
        };
        if due {
            self.say_clock(now, reading);
        }
    }

    fn read_clock(&mut self, now: Millis) -> [u8; 7] {
        self.clock.pass(now);
        self.clock_seen = if self.plugged {
            self.clock.payload()
        } else {
            NO_CLOCK
        };
        self.clock_seen
    }

    fn remember_press(&mut self, before: &[u8; 7], now: &[u8; 7]) {
        let flipped = (before[6] ^ now[6]) & 0x02 != 0;
        let was_running = before[6] & 0x01 != 0;
        if flipped && was_running && self.plugged {
            let presser = self.clock.high().other();
            self.memory.press(presser, self.clock.seconds(presser));
        }
    }

    fn say_clock(&mut self, now: Millis, reading: [u8; 7]) {
        self.clock_sent = now;
        if !self.clock_is_silent {
            self.say(now, 0x8D, &reading);
        }
    }

    fn say(&mut self, now: Millis, id: u8, payload: &[u8]) {
        self.uart.push(now, &wire::message(id, payload));
    }
}

fn side_of(color: Color, white: ClockSide) -> ClockSide {
    if color.is_white() {
        white
    } else {
        white.other()
    }
}

fn codes(placement: &Placement) -> [u8; 64] {
    let mut codes = [0; 64];
    for (square, piece) in placement.iter() {
        codes[usize::from(square_number(square))] = piece_code(piece);
    }
    codes
}
