//! The board's memory: a ring that remembers every change whether a host listens or not.

use std::collections::VecDeque;

use super::wire::bcd;
use crate::devices::{ClockSide, Millis};

/// The ring, oldest byte first.
#[derive(Debug, Default)]
pub(super) struct Memory {
    ring: VecDeque<u8>,
    last_field: Option<Millis>,
    /// Squares that have left the array since its tag was written.
    left_array: Option<usize>,
}

const ROOM: usize = 0x1F00;
pub(super) const FAST: Millis = 250;
pub(super) const POWER_UP: u8 = 0x6A;
const END: u8 = 0x6B;
const FOUR_ROWS: u8 = 0x6C;
const EMPTY: u8 = 0x6D;
const DOWNLOADED: u8 = 0x6E;
const START_NORMAL: u8 = 0x6F;
const START_ROTATED: u8 = 0x7A;
const NOTHING: u8 = 0x7F;
const REWRITE_AFTER: usize = 3;

/// The codes of the standard array, connector at White's left hand.
const ARRAY: [u8; 16] = [8, 9, 10, 12, 11, 10, 9, 8, 7, 7, 7, 7, 7, 7, 7, 7];

impl Memory {
    /// Power came; everything on the board is written down.
    pub(super) fn power_up(&mut self, board: &[u8; 64]) {
        self.write(&[NOTHING, NOTHING, NOTHING, POWER_UP]);
        for (number, &code) in (0u8..).zip(board).filter(|&(_, &code)| code != 0) {
            self.write(&[0x40 | code, number]);
        }
        self.left_array = None;
        self.write_tags(board);
    }

    /// A square changed; `board` is what is known now.
    pub(super) fn field(&mut self, now: Millis, number: u8, code: u8, board: &[u8; 64]) {
        let fast = self.last_field.is_some_and(|last| now < last + FAST);
        self.last_field = Some(now);
        self.write(&field_entry(number, code, fast));
        self.write_tags(board);
    }

    /// A side pressed with this time left.
    pub(super) fn press(&mut self, by: ClockSide, seconds: u32) {
        self.write(&press_entry(by, seconds));
    }

    /// Everything, oldest first, with the end mark; notes that it was read.
    pub(super) fn download(&mut self) -> Vec<u8> {
        self.write(&[DOWNLOADED]);
        self.ring.iter().copied().chain([END]).collect()
    }

    fn write(&mut self, entry: &[u8]) {
        self.ring.extend(entry);
        let excess = (self.ring.len() + 1).saturating_sub(ROOM);
        self.ring.drain(..excess);
    }

    fn write_tags(&mut self, board: &[u8; 64]) {
        if board.iter().all(|&code| code == 0) {
            self.write(&[EMPTY]);
        }
        let array = array_tag(board);
        match (array, self.left_array) {
            (Some(tag), None | Some(REWRITE_AFTER..)) => {
                self.write(&[tag]);
                self.left_array = Some(0);
            }
            (Some(_), Some(_)) => {}
            (None, left) => self.left_array = left.map(|most| most.max(missing(board))),
        }
    }
}

/// A square changed; `fast` when soon after the change before.
pub(super) fn field_entry(number: u8, code: u8, fast: bool) -> [u8; 2] {
    [0x40 | u8::from(fast) << 4 | (code & 0x0F), number]
}

/// A side pressed with this time left.
pub(super) fn press_entry(by: ClockSide, seconds: u32) -> [u8; 3] {
    let first = 0x60 | u8::from(by == ClockSide::Left) << 4 | (seconds / 3600).min(9) as u8;
    [first, bcd(seconds / 60 % 60), bcd(seconds % 60)]
}

/// The tag of a full array, standard or not.
fn array_tag(board: &[u8; 64]) -> Option<u8> {
    let turned: Vec<u8> = board.iter().rev().copied().collect();
    let middle_is_empty = board[16..48].iter().all(|&code| code == 0);
    let full = board[..16]
        .iter()
        .chain(&board[48..])
        .all(|&code| code != 0);
    if !(middle_is_empty && full) {
        None
    } else if is_standard(board) {
        Some(START_NORMAL)
    } else if is_standard(&turned) {
        Some(START_ROTATED)
    } else {
        Some(FOUR_ROWS)
    }
}

fn is_standard(board: &[u8]) -> bool {
    let white = |rank: &[u8], own: &[u8]| {
        rank.iter()
            .zip(own)
            .all(|(&code, &black)| code + 6 == black)
    };
    board[..16] == ARRAY && white(&board[48..56], &ARRAY[8..]) && white(&board[56..], &ARRAY[..8])
}

fn missing(board: &[u8; 64]) -> usize {
    board[..16]
        .iter()
        .chain(&board[48..])
        .filter(|&&code| code == 0)
        .count()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::devices::to_hex;

    fn start() -> [u8; 64] {
        let mut board = [0; 64];
        board[..16].copy_from_slice(&ARRAY);
        for n in 0..8 {
            board[48 + n] = 1;
            board[56 + n] = ARRAY[n] - 6;
        }
        board
    }

    #[test]
    fn a_capture_is_remembered_as_the_layouts_say() {
        let mut memory = Memory::default();
        let mut board = start();
        memory.power_up(&board);
        memory.ring.drain(4..68);
        for (at, number, code) in [(1000, 0x34, 0), (1100, 0x24, 1)] {
            board[usize::from(number)] = code;
            memory.field(at, number, code, &board);
        }
        memory.press(ClockSide::Left, 5397);
        assert_eq!(
            to_hex(&memory.download()),
            "7f 7f 7f 6a 6f 40 34 51 24 71 29 57 6e 6b"
        );
    }

    #[test]
    fn arrays_are_tagged() {
        let mut turned = start();
        turned.reverse();
        let mut shuffled = start();
        shuffled.swap(0, 1);
        assert_eq!(array_tag(&start()), Some(START_NORMAL));
        assert_eq!(array_tag(&turned), Some(START_ROTATED));
        assert_eq!(array_tag(&shuffled), Some(FOUR_ROWS));
        assert_eq!(array_tag(&[0; 64]), None);
    }

    #[test]
    fn the_ring_forgets_the_oldest() {
        let mut memory = Memory::default();
        for n in 0..20_000u64 {
            memory.press(ClockSide::Right, n as u32 % 3600);
        }
        assert_eq!(memory.download().len(), ROOM);
    }
}
