//! A recording as a device: it answers a host by itself and plays what a real board once said.

use super::hearing::{Heard, Hearing};
use super::wire;
use crate::devices::dgt::{Dgt, by_messages};
use crate::devices::{Chunk, Driver, Millis};
use crate::simulate::FarEnd;
use crate::simulate::uart::Uart;

/// A recorded board. It plays while a host has asked for updates, a second for each clock message divided by the
/// speed, and knows at every moment what would stand on the board.
#[derive(Debug)]
pub struct CaptureBoard {
    chunks: Vec<Chunk>,
    next: usize,
    speed: f64,
    /// While it plays: since when, and from which recorded moment on.
    playing: Option<(Millis, Millis)>,
    /// How far the recording was played, in recorded milliseconds.
    position: Millis,
    squares: [u8; 64],
    clock: [u8; 7],
    hearing: Hearing,
    uart: Uart,
}

const SERIAL: &[u8] = b"00001";
const LONG_SERIAL: &[u8] = b"0000000001";
const OWN_TEXT: &[u8] = b"Zeitnot recorded board\r\nfree software, no real board";
const NO_CLOCK: [u8; 7] = [0, 0, 0, 0, 0, 0, 0x20];

impl CaptureBoard {
    /// A device that plays recorded bytes. The line is faster in proportion to the speed.
    pub fn new(recorded: &[u8], speed: f64) -> CaptureBoard {
        CaptureBoard::of_chunks(&Dgt.with_times(recorded), speed)
    }

    /// A device that plays a recording with times, however its messages are cut. What the recorded board said about itself
    /// is left out: this one has its own serial number.
    pub fn of_chunks(chunks: &[Chunk], speed: f64) -> CaptureBoard {
        let mut chunks = by_messages(chunks);
        chunks.retain(|chunk| !tells_identity(&chunk.bytes));
        let mut board = CaptureBoard {
            next: 0,
            speed: speed.max(0.01),
            playing: None,
            position: 0,
            squares: [0; 64],
            clock: NO_CLOCK,
            hearing: Hearing::default(),
            uart: Uart::at(960.0 * speed.max(1.0)),
            chunks,
        };
        board.begin_with_first_dump();
        board
    }

    /// Whether everything was played.
    pub fn is_over(&self) -> bool {
        self.next == self.chunks.len()
    }

    /// What stood on the board before the first change is known before anything is played.
    fn begin_with_first_dump(&mut self) {
        let dump = self.chunks.iter().find_map(|chunk| dump_of(&chunk.bytes));
        self.squares = dump.unwrap_or([0; 64]);
        let clock = self.chunks.iter().find_map(|chunk| clock_of(&chunk.bytes));
        self.clock = clock.unwrap_or(NO_CLOCK);
    }

    fn play(&mut self, now: Millis) {
        while let Some(due) = self.due().filter(|&due| due <= now) {
            let bytes = self.chunks[self.next].bytes.clone();
            self.position = self.chunks[self.next].at;
            self.next += 1;
            self.remember(&bytes);
            self.uart.push(due, &bytes);
        }
    }

    fn due(&self) -> Option<Millis> {
        let (since, from) = self.playing?;
        let recorded = self.chunks.get(self.next)?.at.saturating_sub(from);
        Some(since + (recorded as f64 / self.speed) as Millis)
    }

    fn remember(&mut self, frame: &[u8]) {
        if let Some(squares) = dump_of(frame) {
            self.squares = squares;
        } else if let &[0x8E, 0, 5, number @ 0..=63, code] = frame {
            self.squares[usize::from(number)] = code;
        } else if let Some(clock) = clock_of(frame) {
            self.clock = clock;
        }
    }

    fn answer(&mut self, now: Millis, command: u8) {
        match command {
            0x40 | 0x4A => self.playing = None,
            0x41 => self.say(now, 0x8D, &self.clock.clone()),
            0x42 => self.say(now, 0x86, &self.squares.clone()),
            0x43 | 0x44 | 0x4B => self.start(now),
            0x45 => self.say(now, 0x91, SERIAL),
            0x46 => self.say(now, 0x90, &[0, 1]),
            0x47 => self.say(now, 0x92, OWN_TEXT),
            0x49 => self.say(now, 0x8F, &[0x6E, 0x6B]),
            0x4D => self.say(now, 0x93, &[1, 8]),
            0x48 => self.say(now, 0x96, &[1, 0]),
            0x55 => self.say(now, 0xA2, LONG_SERIAL),
            _ => {}
        }
    }

    fn start(&mut self, now: Millis) {
        self.playing = self.playing.or(Some((now, self.position)));
    }

    fn say(&mut self, now: Millis, id: u8, payload: &[u8]) {
        self.uart.push(now, &wire::message(id, payload));
    }
}

impl FarEnd for CaptureBoard {
    fn host_bytes(&mut self, now: Millis, bytes: &[u8]) {
        self.play(now);
        for heard in self.hearing.take(now, bytes) {
            match heard {
                Heard::Single(command) => self.answer(now, command),
                Heard::Clock { command: 0x09, .. } => {
                    self.say(now, 0x8D, &wire::ack([0x10, 0x09, 0x20, 0]))
                }
                Heard::Clock { .. } | Heard::Bus => {}
            }
        }
    }

    fn take_output(&mut self, now: Millis) -> Vec<u8> {
        self.play(now);
        self.uart.take(now)
    }

    fn wake(&self) -> Option<Millis> {
        [self.uart.wake(), self.due()].into_iter().flatten().min()
    }
}

fn tells_identity(frame: &[u8]) -> bool {
    matches!(frame.first(), Some(0x90..=0x93 | 0x96 | 0xA2))
}

fn dump_of(frame: &[u8]) -> Option<[u8; 64]> {
    let (header, payload) = frame.split_at_checked(3)?;
    if header == [0x86, 0, 67] {
        payload.try_into().ok()
    } else {
        None
    }
}

fn clock_of(frame: &[u8]) -> Option<[u8; 7]> {
    let (header, payload) = frame.split_at_checked(3)?;
    let payload: [u8; 7] = payload.try_into().ok()?;
    let is_ack = payload[0] & 0x0F == 0x0A || payload[3] & 0x0F == 0x0A;
    (header == [0x8D, 0, 10] && !is_ack).then_some(payload)
}
