//! Where a message begins and ends in a stream of bytes, and what is noise.
//!
//! A byte of 80 or more always begins a message; two bytes of seven bits follow with the length of the whole.

use crate::devices::Millis;

/// A stretch of the stream; together they are the stream.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Stretch {
    /// A whole message with its header, or a lone 80.
    Frame(Vec<u8>),
    /// Bytes that are none, and why.
    Noise(Vec<u8>, &'static str),
}

/// Cuts a stream into stretches. It holds at most one unfinished message.
#[derive(Debug, Default)]
pub(super) struct Splitter {
    held: Vec<u8>,
    noise: Vec<u8>,
    last_byte: Millis,
    done: Vec<Stretch>,
}

const SHORTEST: usize = 3;
const LONGEST: usize = 8200;
const NOISE_AT_ONCE: usize = 64;
const GAP: Millis = 1_000;
const GAP_IN_LOG: Millis = 3_000;
const LOG: u8 = 0x8F;

impl Splitter {
    /// Takes bytes and gives the stretches that are complete now.
    pub(super) fn receive(&mut self, now: Millis, bytes: &[u8]) -> Vec<Stretch> {
        self.drop_stale(now);
        for &byte in bytes {
            self.take(byte);
        }
        if !bytes.is_empty() {
            self.last_byte = now;
        }
        std::mem::take(&mut self.done)
    }

    /// Gives up a message in which no byte arrived for too long.
    pub(super) fn tick(&mut self, now: Millis) -> Vec<Stretch> {
        self.drop_stale(now);
        std::mem::take(&mut self.done)
    }

    /// Gives what is left at the end of a recording.
    pub(super) fn finish(&mut self) -> Vec<Stretch> {
        self.drop_held("cut short");
        self.flush_noise();
        std::mem::take(&mut self.done)
    }

    /// Forgets everything.
    pub(super) fn clear(&mut self) {
        *self = Splitter::default();
    }

    /// When to call [`tick`](Self::tick).
    pub(super) fn wake(&self) -> Option<Millis> {
        let waiting = !self.held.is_empty() || !self.noise.is_empty();
        waiting.then(|| self.last_byte + self.gap())
    }

    /// Whether the board's memory is arriving.
    pub(super) fn in_log(&self) -> bool {
        self.held.first() == Some(&LOG)
    }

    fn gap(&self) -> Millis {
        if self.in_log() { GAP_IN_LOG } else { GAP }
    }

    fn drop_stale(&mut self, now: Millis) {
        if self.wake().is_some_and(|wake| now >= wake) {
            self.drop_held("no further byte in time");
            self.flush_noise();
        }
    }

    fn take(&mut self, byte: u8) {
        if byte >= 0x80 {
            self.drop_held(if self.held.len() < SHORTEST {
                "no length"
            } else {
                "cut short"
            });
            self.flush_noise();
            self.held.push(byte);
        } else if self.held.is_empty() {
            self.take_noise(byte);
        } else {
            self.held.push(byte);
            self.close_when_whole();
        }
    }

    fn close_when_whole(&mut self) {
        let Some(length) = announced(&self.held) else {
            return;
        };
        if !(SHORTEST..=LONGEST).contains(&length) {
            self.drop_held("impossible length");
        } else if self.held.len() == length {
            let frame = std::mem::take(&mut self.held);
            self.done.push(if length_fits(frame[0], length) {
                Stretch::Frame(frame)
            } else {
                Stretch::Noise(frame, "wrong length for its kind")
            });
        }
    }

    fn drop_held(&mut self, why: &'static str) {
        let held = std::mem::take(&mut self.held);
        match held.as_slice() {
            [] => {}
            [0x80] => self.done.push(Stretch::Frame(held)),
            _ => self.done.push(Stretch::Noise(held, why)),
        }
    }

    fn take_noise(&mut self, byte: u8) {
        self.noise.push(byte);
        if self.noise.len() == NOISE_AT_ONCE {
            self.flush_noise();
        }
    }

    fn flush_noise(&mut self) {
        if !self.noise.is_empty() {
            let noise = std::mem::take(&mut self.noise);
            self.done.push(Stretch::Noise(noise, "between messages"));
        }
    }
}

fn announced(held: &[u8]) -> Option<usize> {
    let (high, low) = (held.get(1)?, held.get(2)?);
    Some(usize::from(*high) << 7 | usize::from(*low))
}

fn length_fits(id: u8, length: usize) -> bool {
    match id {
        0x80 => length == 3,
        0x86 => length == 67 || length == 103,
        0x8D => length == 10,
        0x8E | 0x90 | 0x93 | 0x96 => length == 5,
        0x91 => length == 8 || length == 12,
        0x92 => length <= 259,
        0x94 | 0x95 => length == 53,
        0xA0 => length == 12,
        0xA2 => length == 13,
        _ => true,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::devices::{parse_hex, to_hex};

    /// A stream, and its stretches as `+frame` and `-noise`, after a silence.
    const ROWS: [(&str, &[&str]); 11] = [
        ("8e 00 05 34 00", &["+8e 00 05 34 00"]),
        (
            "8e 00 05 34 00 8e 00 05 24 01",
            &["+8e 00 05 34 00", "+8e 00 05 24 01"],
        ),
        ("00 11 8e 00 05 34 00", &["-00 11", "+8e 00 05 34 00"]),
        ("8e 00 05 8e 00 05 34 00", &["-8e 00 05", "+8e 00 05 34 00"]),
        ("8d 00 8e 00 05 34 00", &["-8d 00", "+8e 00 05 34 00"]),
        (
            "8e 00 02 34 00 8e 00 05 34 00",
            &["-8e 00 02", "-34 00", "+8e 00 05 34 00"],
        ),
        ("8e 7f 7f 34", &["-8e 7f 7f", "-34"]),
        ("8e 00 06 34 00 00", &["-8e 00 06 34 00 00"]),
        (
            "80 80 80 00 03 b7 00 04 01",
            &["+80", "+80", "+80 00 03", "+b7 00 04 01"],
        ),
        ("8e 00 05 34", &["-8e 00 05 34"]),
        (
            "a5 82 00 09 00 00 c3 01 07 99",
            &["-a5", "-82 00 09 00 00", "-c3 01 07", "-99"],
        ),
    ];

    fn split(pieces: &[&[u8]]) -> Vec<String> {
        let mut splitter = Splitter::default();
        let mut stretches = Vec::new();
        for piece in pieces {
            stretches.extend(splitter.receive(0, piece));
        }
        stretches.extend(splitter.tick(10_000));
        stretches.iter().map(shown).collect()
    }

    fn shown(stretch: &Stretch) -> String {
        match stretch {
            Stretch::Frame(bytes) => format!("+{}", to_hex(bytes)),
            Stretch::Noise(bytes, _) => format!("-{}", to_hex(bytes)),
        }
    }

    #[test]
    fn streams_are_cut_alike_wherever_they_arrive_in_two_pieces() {
        for (stream, expect) in ROWS {
            let bytes = parse_hex(stream).expect("rows are hexadecimal");
            for cut in 0..=bytes.len() {
                assert_eq!(
                    split(&[&bytes[..cut], &bytes[cut..]]),
                    expect,
                    "{stream} at {cut}"
                );
            }
        }
    }

    #[test]
    fn a_message_waits_one_second_and_the_memory_three() {
        for (start, patience) in [([0x8E, 0, 5], 1_000), ([0x8F, 0, 5], 3_000)] {
            let mut splitter = Splitter::default();
            assert!(splitter.receive(500, &start).is_empty());
            assert_eq!(splitter.wake(), Some(500 + patience));
            assert!(splitter.tick(499 + patience).is_empty());
            assert_eq!(splitter.tick(500 + patience).len(), 1);
            assert_eq!(splitter.wake(), None);
        }
    }
}
