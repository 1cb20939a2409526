//! What devices that speak in lines have in common: power, a line to the host, whole lines out of the host's bytes.

use shakmaty::{Piece, Square};

use crate::devices::Millis;
use crate::simulate::dgt::ClockAction;
use crate::simulate::uart::Uart;
use crate::simulate::{FarEnd, VirtualBoard};

/// How one device speaks and what it understands. Lines go without their ends.
pub(super) trait Tongue: Send {
    /// Bytes a second on its line.
    fn bytes_a_second(&self) -> f64;
    /// What ends its lines.
    fn line_end(&self) -> &'static str;
    /// Whether it speaks without being asked.
    fn talks_by_itself(&self) -> bool;
    /// A true square holds this now; what it says to that.
    fn square(&mut self, now: Millis, square: Square, piece: Option<Piece>) -> Vec<String>;
    /// Somebody touches the chessclock; what it says to that.
    fn clock(&mut self, now: Millis, action: ClockAction) -> Vec<String>;
    /// Time passed; what it says.
    fn pass(&mut self, now: Millis) -> Vec<String>;
    /// The host said a line; the answer, or `None` when no host may say it in a game.
    fn answer(&mut self, now: Millis, line: &str) -> Option<Vec<String>>;
    /// It was switched off and on.
    fn restart(&mut self, now: Millis) -> Vec<String>;
}

/// A device with its line.
pub(super) struct Talker {
    tongue: Box<dyn Tongue>,
    held: Vec<u8>,
    uart: Uart,
    on: bool,
    next: Millis,
    harmful: u32,
}

/// It looks about this often, milliseconds.
const LOOK: Millis = 50;
/// The longest line of a host.
const LONGEST: usize = 100;

impl Talker {
    /// A device that has just been switched on.
    pub(super) fn new(tongue: Box<dyn Tongue>) -> Talker {
        Talker {
            uart: Uart::at(tongue.bytes_a_second()),
            tongue,
            held: Vec::new(),
            on: true,
            next: 0,
            harmful: 0,
        }
    }

    fn say(&mut self, now: Millis, lines: Vec<String>) {
        for line in lines {
            let line = line + self.tongue.line_end();
            self.uart.push(now, line.as_bytes());
        }
    }

    fn advance(&mut self, now: Millis) {
        if self.on && self.next <= now {
            self.next = now + LOOK;
            let said = self.tongue.pass(now);
            self.say(now, said);
        }
    }

    fn obey(&mut self, now: Millis) {
        let line = String::from_utf8_lossy(&self.held).trim().to_owned();
        self.held.clear();
        match self.tongue.answer(now, &line) {
            _ if line.is_empty() => {}
            Some(said) => self.say(now, said),
            None => self.harmful += 1,
        }
    }
}

impl FarEnd for Talker {
    fn host_bytes(&mut self, now: Millis, bytes: &[u8]) {
        self.advance(now);
        for &byte in bytes.iter().filter(|_| self.on).collect::<Vec<_>>() {
            if byte == b'\n' {
                self.obey(now);
            } else if self.held.len() < LONGEST {
                self.held.push(byte);
            }
        }
    }

    fn take_output(&mut self, now: Millis) -> Vec<u8> {
        self.advance(now);
        self.uart.take(now)
    }

    fn wake(&self) -> Option<Millis> {
        self.on.then(|| {
            let line = self.uart.wake();
            line.map_or(self.next, |wake| wake.min(self.next))
        })
    }
}

impl VirtualBoard for Talker {
    fn set_square(&mut self, now: Millis, square: Square, piece: Option<Piece>) {
        self.advance(now);
        let said = self.tongue.square(now, square, piece);
        self.say_if_on(now, said);
    }

    fn clock(&mut self, now: Millis, action: ClockAction) {
        self.advance(now);
        let said = self.tongue.clock(now, action);
        self.say_if_on(now, said);
    }

    fn power(&mut self, now: Millis, on: bool) {
        self.advance(now);
        if self.on != on {
            self.on = on;
            self.held.clear();
            self.uart.clear();
            let said = self.tongue.restart(now);
            self.say_if_on(now, said);
        }
    }

    fn harmful_commands(&self) -> u32 {
        self.harmful
    }

    fn talks_by_itself(&self) -> bool {
        self.tongue.talks_by_itself()
    }
}

impl Talker {
    fn say_if_on(&mut self, now: Millis, said: Vec<String>) {
        if self.on {
            self.say(now, said);
        }
    }
}
