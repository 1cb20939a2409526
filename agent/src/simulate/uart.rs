//! A serial line carries one byte after the other: when each byte of the board is at the host.

use std::collections::VecDeque;

use crate::devices::Millis;

/// Bytes on their way, each with the microsecond it is there.
#[derive(Debug)]
pub(super) struct Uart {
    micros_a_byte: u64,
    free_at: u64,
    on_the_way: VecDeque<(u64, u8)>,
}

impl Uart {
    /// A line that carries so many bytes a second; a tenth of its baud.
    pub(super) fn at(bytes_a_second: f64) -> Uart {
        Uart {
            micros_a_byte: (1e6 / bytes_a_second.max(1.0)) as u64,
            free_at: 0,
            on_the_way: VecDeque::new(),
        }
    }

    /// Puts bytes on the line at `now`, behind those on their way.
    pub(super) fn push(&mut self, now: Millis, bytes: &[u8]) {
        self.free_at = self.free_at.max(now * 1000);
        for &byte in bytes {
            self.free_at += self.micros_a_byte;
            self.on_the_way.push_back((self.free_at, byte));
        }
    }

    /// What has arrived by `now`.
    pub(super) fn take(&mut self, now: Millis) -> Vec<u8> {
        let arrived = self.on_the_way.partition_point(|&(at, _)| at <= now * 1000);
        self.on_the_way
            .drain(..arrived)
            .map(|(_, byte)| byte)
            .collect()
    }

    /// The line went dead.
    pub(super) fn clear(&mut self) {
        self.on_the_way.clear();
        self.free_at = 0;
    }

    /// When the last byte on its way will be there.
    pub(super) fn busy_until(&self) -> Millis {
        self.free_at.div_ceil(1000)
    }

    /// When the next byte is there.
    pub(super) fn wake(&self) -> Option<Millis> {
        self.on_the_way.front().map(|&(at, _)| at.div_ceil(1000))
    }
}

/// Start bit, eight bits, stop bit.
const BITS: u64 = 10;

/// What a receiver reads of bytes that were sent one after the other at `sent` baud when it listens at `read` baud: it
/// believes a start bit at its edge, and looks at every other bit in its middle.
pub(super) fn misheard(bytes: &[u8], sent: u32, read: u32) -> Vec<u8> {
    let (sent, read) = (u64::from(sent.max(1)), u64::from(read.max(1)));
    let mut heard = Vec::new();
    // In parts of a bit so small that the middle of every bit is a whole number of them: `2 * read` are a bit as it was sent.
    let end = bytes.len() as u64 * BITS * 2 * read;
    let mut at = 0;
    while at < end {
        let bit = at / (2 * read);
        if is_high(bytes, bit) {
            at = (bit + 1) * 2 * read;
            continue;
        }
        let looks = |number: u64| is_high(bytes, (at + (2 * number + 1) * sent) / (2 * read));
        let byte = (0..8).fold(0, |byte, number| {
            byte | u8::from(looks(number + 1)) << number
        });
        heard.push(byte);
        at += (2 * BITS - 1) * sent;
    }
    heard
}

/// The line is high between bytes, and wherever a bit of one is set.
fn is_high(bytes: &[u8], bit: u64) -> bool {
    let byte = usize::try_from(bit / BITS)
        .ok()
        .and_then(|at| bytes.get(at));
    match (byte, bit % BITS) {
        (Some(_), 0) => false,
        (Some(byte), number @ 1..=8) => byte >> (number - 1) & 1 == 1,
        _ => true,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_at_another_speed_are_other_bytes() {
        let rows: [(&[u8], u32, u32, &[u8]); 4] = [
            // A Millennium board's question, heard by a DGT board: no word of that.
            (&[0xD6, 0xB5, 0xB6], 38_400, 9_600, &[0xF8]),
            (&[0xD6, 0xB5, 0xB6], 9_600, 9_600, &[0xD6, 0xB5, 0xB6]),
            (&[0x00], 9_600, 38_400, &[0x00, 0x00, 0x00, 0xC0]),
            (&[], 38_400, 9_600, &[]),
        ];
        for (bytes, sent, read, expect) in rows {
            assert_eq!(misheard(bytes, sent, read), expect, "{bytes:?}");
        }
    }

    #[test]
    fn a_dump_takes_seventy_milliseconds() {
        let mut uart = Uart::at(960.0);
        uart.push(1000, &[0; 67]);
        assert_eq!(uart.wake(), Some(1002));
        assert_eq!(uart.take(1001).len(), 0);
        assert_eq!(uart.take(1035).len(), 33);
        assert_eq!(uart.take(1070).len(), 34);
        assert_eq!(uart.wake(), None);
    }
}
