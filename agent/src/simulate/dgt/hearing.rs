//! What a board hears: the bytes of a host cut into commands, in single-board mode and in bus mode.

use crate::devices::Millis;

/// A command as the board understands it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Heard {
    /// A command of one byte.
    Single(u8),
    /// A command for the chessclock.
    Clock { command: u8, content: Vec<u8> },
    /// A command of bus mode, not executed here.
    Bus,
}

/// The board's input buffer.
#[derive(Debug, Default)]
pub(super) struct Hearing {
    partial: Vec<u8>,
    last: Millis,
}

const PATIENCE: Millis = 500;
const CLOCK: u8 = 0x2B;
const BUS_LENGTH: usize = 4;
const CLOCK_HEADER: usize = 2;
const LONGEST_CLOCK: usize = 0x20;

impl Hearing {
    /// Takes bytes and gives the commands that are complete now.
    pub(super) fn take(&mut self, now: Millis, bytes: &[u8]) -> Vec<Heard> {
        if now > self.last + PATIENCE {
            self.partial.clear();
        }
        self.last = now;
        bytes
            .iter()
            .filter_map(|&byte| self.take_byte(byte))
            .collect()
    }

    /// Forgets what was begun.
    pub(super) fn clear(&mut self) {
        self.partial.clear();
    }

    fn take_byte(&mut self, byte: u8) -> Option<Heard> {
        self.partial.push(byte);
        let heard = match self.partial[0] {
            CLOCK => self.clock_command()?,
            0x80.. => (self.partial.len() == BUS_LENGTH).then_some(Some(Heard::Bus))?,
            single => Some(Heard::Single(single)),
        };
        self.partial.clear();
        heard
    }

    /// `None` while it is incomplete; `Some(None)` when it is nonsense.
    fn clock_command(&self) -> Option<Option<Heard>> {
        let size = usize::from(*self.partial.get(1)?);
        if !(3..=LONGEST_CLOCK).contains(&size) {
            return Some(None);
        }
        if self.partial.len() < size + CLOCK_HEADER {
            return None;
        }
        let (command, content) = (self.partial[3], &self.partial[4..self.partial.len() - 1]);
        Some(Some(Heard::Clock {
            command,
            content: content.to_vec(),
        }))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn commands_are_told_apart() {
        let clock = |command, content: &[u8]| Heard::Clock {
            command,
            content: content.to_vec(),
        };
        let rows: [(&[u8], Vec<Heard>); 5] = [
            (
                &[0x40, 0x42],
                vec![Heard::Single(0x40), Heard::Single(0x42)],
            ),
            (
                &[0x2B, 3, 3, 9, 0, 0x4B],
                vec![clock(9, &[]), Heard::Single(0x4B)],
            ),
            (&[0x2B, 4, 3, 0x0B, 0x10, 0], vec![clock(0x0B, &[0x10])]),
            (
                &[0x87, 0, 0, 7, 0x4D],
                vec![Heard::Bus, Heard::Single(0x4D)],
            ),
            (&[0x2B, 0, 0x4D], vec![Heard::Single(0x4D)]),
        ];
        for (bytes, expect) in rows {
            assert_eq!(Hearing::default().take(0, bytes), expect, "{bytes:02x?}");
        }
        let mut hearing = Hearing::default();
        assert!(hearing.take(0, &[0x2B, 3]).is_empty());
        assert_eq!(hearing.take(5_000, &[0x4D]), [Heard::Single(0x4D)]);
    }
}
