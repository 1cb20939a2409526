//! Virtual DGT boards on one line: each speaks only when asked, and two that speak at once destroy each other's bytes.

use std::collections::BTreeMap;

use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{RngCore, SeedableRng};
use shakmaty::{Color, Piece, Square};

use super::board::ClockAction;
use super::chessclock::VirtualClock;
use super::memory::{FAST, POWER_UP, field_entry, press_entry};
use super::sensor::Sensor;
use crate::devices::dgt::{piece_code, square_number};
use crate::devices::{ClockSide, Millis, Orientation, Placement};
use crate::simulate::FarEnd;

/// A line with its boards.
pub struct VirtualBus {
    boards: Vec<BusBoard>,
    partial: Vec<u8>,
    wire: Wire,
    dice: ChaCha8Rng,
    /// Of a thousand answers so many meet that of a board that was not asked.
    collisions: u32,
    harmful: u32,
}

/// A board on the line.
struct BusBoard {
    address: u16,
    orientation: Orientation,
    on: bool,
    /// Newer firmware: blocks of changes carry an alternating number, and it tells more of itself.
    newer: bool,
    odd: bool,
    /// It ignores the next call to everybody.
    quiet: bool,
    sensor: Sensor,
    clock: VirtualClock,
    clock_is_silent: bool,
    high: Option<ClockSide>,
    next_poll: Millis,
    last_field: Option<Millis>,
    /// What changed since the last question, and the block that answered it.
    changes: Vec<u8>,
    block: Vec<u8>,
}

/// Bytes on the line by the microsecond they are there.
#[derive(Debug, Default)]
struct Wire {
    bytes: BTreeMap<u64, u8>,
}

const MICROS_A_BYTE: u64 = 1_042;
const POLL: Millis = 400;
const SWEEP: Millis = 225;
/// Within this time everybody answers a call.
const CALL: u64 = 1_100_000;
/// The most entries of a board's own memory that wait for a question, in bytes.
const CHANGES: usize = 4_000;

impl VirtualBus {
    /// A line without boards; all chance follows from `seed`.
    pub fn new(seed: u64) -> VirtualBus {
        VirtualBus {
            boards: Vec::new(),
            partial: Vec::new(),
            wire: Wire::default(),
            dice: ChaCha8Rng::seed_from_u64(seed),
            collisions: 0,
            harmful: 0,
        }
    }

    /// From now on so many of a thousand answers meet that of a board that was not asked.
    pub fn collide(&mut self, of_a_thousand: u32) {
        self.collisions = of_a_thousand;
    }

    /// Adds a board; its number on the line, counted from 0, is returned.
    pub fn add(&mut self, address: u16, orientation: Orientation, placement: &Placement) -> usize {
        let mut codes = [0; 64];
        for (square, piece) in orientation.apply(placement).iter() {
            codes[usize::from(square_number(square))] = piece_code(piece);
        }
        self.boards.push(BusBoard {
            address,
            orientation,
            on: true,
            newer: false,
            odd: true,
            quiet: false,
            sensor: Sensor::new(Some(SWEEP), codes),
            clock: VirtualClock::new(),
            clock_is_silent: false,
            high: None,
            next_poll: 0,
            last_field: None,
            changes: Vec::new(),
            block: Vec::new(),
        });
        self.boards.len() - 1
    }

    /// The board has the firmware of the second generation.
    pub fn make_newer(&mut self, board: usize) {
        self.boards[board].newer = true;
    }

    /// A true square of a board holds this now.
    pub fn set_square(&mut self, board: usize, now: Millis, square: Square, piece: Option<Piece>) {
        let board = &mut self.boards[board];
        board.advance(now);
        let number = square_number(board.orientation.square(square));
        board.sensor.put(now, number, piece_code(piece));
    }

    /// Somebody touches the chessclock of a board.
    pub fn clock(&mut self, board: usize, now: Millis, action: ClockAction) {
        let board = &mut self.boards[board];
        if action == ClockAction::FallSilent {
            board.clock_is_silent = true;
            return;
        }
        board.advance(now);
        board.clock.pass(now);
        let orientation = board.orientation;
        if let ClockAction::Start { running } = action {
            board.high = Some(side(orientation, running));
        }
        board.clock.obey(action, side(orientation, Color::White));
    }

    /// A board is switched off, or on again, when it writes down everything that stands on it.
    pub fn power(&mut self, board: usize, now: Millis, on: bool) {
        let board = &mut self.boards[board];
        board.advance(now);
        if on && !board.on {
            board.restart(now);
        }
        board.on = on;
    }

    /// How many bytes were heard that throw boards out of bus mode, write their memory or restart them.
    pub fn harmful_commands(&self) -> u32 {
        self.harmful
    }

    fn obey(&mut self, now: Millis) {
        let [id, high, low, check] = self.partial[..] else {
            return;
        };
        self.partial.clear();
        if check != sum(&[id, high, low]) {
            return;
        }
        let address = u16::from(high) << 7 | u16::from(low);
        match (id, address) {
            (0x87, 0) => self.call(now),
            (0x85 | 0x88 | 0x89, _) => self.harmful += 1,
            _ => self.answer(now, id, address),
        }
    }

    fn call(&mut self, now: Millis) {
        for board in self.boards.iter_mut().filter(|board| board.on) {
            if std::mem::take(&mut board.quiet) {
                continue;
            }
            let at = now * 1_000 + u64::from(self.dice.next_u32()) % CALL;
            self.wire.say(at, &message(0x87, board.address, &[]));
        }
    }

    fn answer(&mut self, now: Millis, id: u8, address: u16) {
        let delay = 2_000 + u64::from(self.dice.next_u32()) % 16_000;
        let asked = self
            .boards
            .iter_mut()
            .find(|board| board.on && board.address == address);
        let Some(board) = asked else { return };
        board.advance(now);
        let (id, data) = match id {
            0x81 if board.clock_is_silent => return,
            0x81 => (0x84, board.clock_at(now)),
            0x82 => (0x83, board.sensor.seen().to_vec()),
            0x83 => {
                board.block = std::mem::take(&mut board.changes);
                board.odd ^= board.newer;
                (board.block_id(), board.block.clone())
            }
            0x84 => (board.block_id(), board.block.clone()),
            0x91 if board.newer => (0xB0, format!("{:05}", board.address).into_bytes()),
            0x98 if board.newer => (0xB5, vec![78, 0x7F, 0x7F, 5, 17, 0, 21, 42, 2]),
            0x9B if board.newer => (0x8C, vec![1, 0]),
            0x87 => (0x87, Vec::new()),
            0x8A => {
                board.quiet = true;
                (0x87, Vec::new())
            }
            0x8B => (0x89, vec![1, 6]),
            _ => return,
        };
        let at = now * 1_000 + delay;
        self.wire.say(at, &message(id, address, &data));
        if self.dice.next_u32() % 1_000 < self.collisions {
            let others = self.boards.iter().filter(|board| board.address != address);
            let others: Vec<u16> = others.map(|board| board.address).collect();
            if let Some(other) = others.get(self.dice.next_u32() as usize % others.len().max(1)) {
                self.wire
                    .say(at + MICROS_A_BYTE / 2, &message(0x87, *other, &[]));
            }
        }
    }
}

impl BusBoard {
    /// A new block has another number than the one before, a repeated one the same.
    fn block_id(&self) -> u8 {
        if self.odd { 0x85 } else { 0x8B }
    }

    /// Sweeps and polls up to `now`, in the order of time.
    fn advance(&mut self, now: Millis) {
        if self.next_poll == 0 {
            self.next_poll = now;
        }
        while self.on {
            let sweep = self.sensor.next_at().filter(|&at| at <= now);
            if self.next_poll <= now && sweep.is_none_or(|at| self.next_poll <= at) {
                self.poll();
            } else if let Some(change) = self.sensor.next(now) {
                let fast = self.last_field.is_some_and(|last| change.at < last + FAST);
                self.last_field = Some(change.at);
                self.write(&field_entry(change.number, change.code, fast));
            } else {
                return;
            }
        }
    }

    fn poll(&mut self) {
        self.clock.pass(self.next_poll);
        self.next_poll += POLL;
        let high = self.clock.high();
        if self.high.is_some_and(|before| before != high) {
            let presser = high.other();
            self.write(&press_entry(presser, self.clock.seconds(presser)));
            self.high = Some(high);
        }
    }

    fn clock_at(&mut self, now: Millis) -> Vec<u8> {
        self.clock.pass(now);
        self.clock.payload().to_vec()
    }

    fn restart(&mut self, now: Millis) {
        self.next_poll = now + POLL;
        self.sensor.look();
        self.changes.clear();
        self.write(&[0x7F, 0x7F, 0x7F, POWER_UP]);
        let seen = *self.sensor.seen();
        for (number, code) in (0u8..).zip(seen).filter(|(_, code)| *code != 0) {
            self.write(&field_entry(number, code, true));
        }
    }

    fn write(&mut self, entry: &[u8]) {
        if self.changes.len() < CHANGES {
            self.changes.extend_from_slice(entry);
        }
    }
}

impl Wire {
    /// Bytes that meet others on the line are lost with them.
    fn say(&mut self, at: u64, bytes: &[u8]) {
        for (number, byte) in (1..).zip(bytes) {
            let at = at + number * MICROS_A_BYTE;
            let clash: Vec<u64> = self
                .bytes
                .range(at.saturating_sub(MICROS_A_BYTE - 1)..at + MICROS_A_BYTE)
                .map(|(at, _)| *at)
                .collect();
            if clash.is_empty() {
                self.bytes.insert(at, *byte);
            }
            for at in clash {
                self.bytes.entry(at).and_modify(|other| *other |= byte);
            }
        }
    }
}

impl FarEnd for VirtualBus {
    fn host_bytes(&mut self, now: Millis, bytes: &[u8]) {
        for &byte in bytes {
            match (byte, self.partial.len()) {
                (0x80.., _) => self.partial = vec![byte],
                (_, 0) => self.harmful += 1,
                _ => self.partial.push(byte),
            }
            // A command takes four bytes' time to arrive.
            self.obey(now + 4);
        }
    }

    fn take_output(&mut self, now: Millis) -> Vec<u8> {
        let rest = self.wire.bytes.split_off(&(now * 1_000 + 1));
        let arrived = std::mem::replace(&mut self.wire.bytes, rest);
        arrived.into_values().collect()
    }

    fn wake(&self) -> Option<Millis> {
        self.wire.bytes.keys().next().map(|at| at.div_ceil(1_000))
    }
}

fn side(orientation: Orientation, color: Color) -> ClockSide {
    match (orientation, color) {
        (Orientation::Normal, Color::White) | (Orientation::Rotated, Color::Black) => {
            ClockSide::Left
        }
        _ => ClockSide::Right,
    }
}

fn sum(bytes: &[u8]) -> u8 {
    bytes.iter().fold(0u8, |sum, byte| sum.wrapping_add(*byte)) & 0x7F
}

fn message(id: u8, address: u16, data: &[u8]) -> Vec<u8> {
    let length = data.len() + 6;
    let low = |number: usize| (number & 0x7F) as u8;
    let mut bytes = vec![
        id,
        low(length >> 7),
        low(length),
        low(usize::from(address >> 7)),
        low(usize::from(address)),
    ];
    bytes.extend_from_slice(data);
    bytes.push(sum(&bytes));
    bytes
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::devices::to_hex;

    #[test]
    fn answers_are_those_of_the_layout() {
        let rows: [(u8, &[u8], &str); 4] = [
            (0x87, &[], "87 00 06 08 01 16"),
            (0x89, &[1, 6], "89 00 08 08 01 01 06 21"),
            (0x85, &[], "85 00 06 08 01 14"),
            (
                0x85,
                &[0x40, 0x34, 0x51, 0x24, 0x71, 0x29, 0x57],
                "85 00 0d 08 01 40 34 51 24 71 29 57 75",
            ),
        ];
        for (id, data, expect) in rows {
            assert_eq!(to_hex(&message(id, 1025, data)), expect);
        }
    }

    #[test]
    fn two_that_speak_at_once_are_not_understood() {
        let mut wire = Wire::default();
        wire.say(0, &[0x87, 0, 6]);
        wire.say(500, &[0x01, 0x10, 0x20]);
        assert_eq!(wire.bytes.len(), 3);
        assert_ne!(wire.bytes.into_values().collect::<Vec<_>>(), [0x87, 0, 6]);
    }
}
