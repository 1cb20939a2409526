//! Cuts a stream into messages by what a family says about its beginning; what belongs to none is noise.

use super::speech::Stretch;

/// What a beginning of bytes is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::devices) enum Probe {
    /// So many bytes are a message.
    Frame(usize),
    /// It may become one.
    More,
    /// The first byte begins no message.
    No(&'static str),
    /// None of so many bytes begins a message.
    Noise(usize, &'static str),
}

/// Bytes that are not cut yet.
///
/// **The same bytes give the same stretches, in whatever pieces they arrive.**
#[derive(Debug, Default)]
pub(in crate::devices) struct Cutter {
    held: Vec<u8>,
    noise: Vec<u8>,
    why: &'static str,
}

/// Noise is handed on in pieces of at most so many bytes.
const NOISE: usize = 2_048;

impl Cutter {
    /// Takes bytes and gives what is complete.
    pub(in crate::devices) fn cut(
        &mut self,
        bytes: &[u8],
        probe: impl Fn(&[u8]) -> Probe,
    ) -> Vec<Stretch> {
        self.held.extend_from_slice(bytes);
        let mut done = Vec::new();
        let mut at = 0;
        while at < self.held.len() {
            match probe(&self.held[at..]) {
                Probe::More => break,
                Probe::Frame(length) => {
                    done.extend(self.take_noise());
                    let end = at + length.clamp(1, self.held.len() - at);
                    done.push(Stretch::Frame(self.held[at..end].to_vec()));
                    at = end;
                }
                Probe::No(why) => {
                    done.extend(self.add_noise(at, why));
                    at += 1;
                }
                Probe::Noise(count, why) => {
                    let end = at + count.clamp(1, self.held.len() - at);
                    done.extend((at..end).filter_map(|at| self.add_noise(at, why)));
                    at = end;
                }
            }
        }
        self.held.drain(..at);
        done
    }

    /// Everything that is held is noise after all.
    pub(in crate::devices) fn give_up(&mut self) -> Vec<Stretch> {
        if !self.held.is_empty() {
            self.why = "cut short";
            self.noise.append(&mut self.held);
        }
        Vec::from_iter(self.take_noise())
    }

    /// How many bytes wait.
    pub(in crate::devices) fn holds(&self) -> usize {
        self.held.len() + self.noise.len()
    }

    fn add_noise(&mut self, at: usize, why: &'static str) -> Option<Stretch> {
        if self.noise.is_empty() {
            self.why = why;
        }
        self.noise.push(self.held[at]);
        (self.noise.len() >= NOISE)
            .then(|| self.take_noise())
            .flatten()
    }

    fn take_noise(&mut self) -> Option<Stretch> {
        (!self.noise.is_empty()).then(|| Stretch::Noise(std::mem::take(&mut self.noise), self.why))
    }
}
