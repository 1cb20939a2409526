//! What the board does when it is told something.

use super::super::hearing::Heard;
use super::super::wire;
use super::{Mode, VirtualDgt};
use crate::devices::Millis;

const OWN_TEXT: &[u8] = b"Zeitnot virtual board\r\nfree software, no real board";

impl VirtualDgt {
    pub(super) fn obey(&mut self, now: Millis, heard: Heard) {
        if self.mode == Mode::BootLoader {
            return;
        }
        match heard {
            Heard::Bus => self.mode = Mode::Bus,
            Heard::Single(command) => {
                self.leave_bus();
                self.answer(now, command);
            }
            Heard::Clock { command, content } => {
                self.leave_bus();
                self.answer_for_clock(now, command, &content);
            }
        }
    }

    fn leave_bus(&mut self) {
        if self.mode == Mode::Bus {
            self.mode = Mode::Idle;
        }
    }

    fn answer(&mut self, now: Millis, command: u8) {
        match command {
            0x40 => self.mode = Mode::Idle,
            0x41 => {
                let reading = self.read_clock_on_request(now);
                self.say_clock(now, reading);
            }
            0x42 => {
                let seen = *self.sensor.seen();
                self.say(now, 0x86, &seen);
            }
            0x43 => self.mode = Mode::Update,
            0x44 => self.mode = Mode::UpdateBoard,
            0x45 => self.say(now, 0x91, &self.serial.clone().into_bytes()),
            0x46 => self.say_bus_address(now),
            0x47 => self.say(now, 0x92, OWN_TEXT),
            0x48 => self.say_pair(now, 0x96, self.options.hardware),
            0x49 => self.say_memory(now),
            0x4A => self.mode = Mode::Bus,
            0x4B => self.mode = Mode::UpdateNice,
            0x4C => self.say_battery(now),
            0x4D => self.say_pair(now, 0x93, Some(self.options.firmware)),
            0x4E => {
                self.harmful += 1;
                self.mode = Mode::BootLoader;
            }
            0x51..=0x54 | 0x60 => self.harmful += 1,
            0x55 => self.say_long_serial(now),
            _ => {}
        }
    }

    /// A reading on request must not hide a press from the next poll, which writes the memory.
    fn read_clock_on_request(&mut self, now: Millis) -> [u8; 7] {
        let before = self.clock_seen;
        let reading = self.read_clock(now);
        self.remember_press(&before, &reading);
        reading
    }

    /// Answers come in the update modes only, and a chessclock takes its time.
    fn answer_for_clock(&mut self, now: Millis, command: u8, content: &[u8]) {
        if !matches!(command, 0x08 | 0x09) {
            self.harmful += 1;
        }
        let Some(kind) = self
            .options
            .clock
            .filter(|_| self.plugged && !self.clock_is_silent)
        else {
            return;
        };
        if !matches!(self.mode, Mode::Update | Mode::UpdateNice) {
            return;
        }
        let answer = match (command, content) {
            (0x09, _) => [0x10, 0x09, kind.main << 4 | kind.sub & 0x0F, 0],
            (0x0A, _) => [0x40, 0x0A, 0, 0],
            (0x01..=0x03 | 0x08 | 0x0B | 0x0C, _) => [0x10, command, 0, 0],
            _ => [0x20, 0, 0, 0],
        };
        self.say(now, 0x8D, &wire::ack(answer));
    }

    fn say_bus_address(&mut self, now: Millis) {
        let address: u32 = self.serial.parse().unwrap_or(0);
        self.say(
            now,
            0x90,
            &[(address >> 7 & 0x7F) as u8, (address & 0x7F) as u8],
        );
    }

    fn say_pair(&mut self, now: Millis, id: u8, version: Option<(u8, u8)>) {
        if let Some((major, minor)) = version {
            self.say(now, id, &[major, minor]);
        }
    }

    fn say_long_serial(&mut self, now: Millis) {
        if let Some(serial) = self.options.long_serial.clone() {
            self.say(now, 0xA2, format!("{serial:0>10.10}").as_bytes());
        }
    }

    fn say_battery(&mut self, now: Millis) {
        if let Some(battery) = self.options.battery {
            self.say(now, 0xA0, &wire::battery(&battery));
        }
    }

    fn say_memory(&mut self, now: Millis) {
        let memory = self.memory.download();
        self.say(now, 0x8F, &memory);
        self.deaf_until = self.uart.busy_until();
    }
}
