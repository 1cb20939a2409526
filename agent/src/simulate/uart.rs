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

#[cfg(test)]
mod tests {
    use super::*;

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
