//! What a line does to the bytes between a board and its host: some are lost, some come from nowhere, messages arrive in
//! pieces, nothing is heard, or the port has another speed than the board.

use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{RngCore, SeedableRng};

use super::uart::misheard;

/// How often bytes suffer on their way to the host.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Flaws {
    /// Of a million bytes so many are lost.
    pub lost: u32,
    /// Before so many of a million bytes a false one arrives.
    pub noise: u32,
    /// Messages arrive in pieces.
    pub split: bool,
}

/// A line that is not sound.
#[derive(Debug)]
pub struct BadLine {
    flaws: Flaws,
    late: Vec<u8>,
    silent: bool,
    wrong_speed: bool,
    dice: ChaCha8Rng,
}

const MILLION: u32 = 1_000_000;
/// How many times quicker than the port a board of another speed is.
const QUICKER: u32 = 4;

impl BadLine {
    /// A line with these flaws; all chance follows from `seed`.
    pub fn new(flaws: Flaws, seed: u64) -> BadLine {
        BadLine {
            flaws,
            late: Vec::new(),
            silent: false,
            wrong_speed: false,
            dice: ChaCha8Rng::seed_from_u64(seed),
        }
    }

    /// From now on nothing comes through in either direction, or everything again.
    pub fn fall_silent(&mut self, silent: bool) {
        self.silent = silent;
    }

    /// From now on port and board have different speeds, or the same again.
    pub fn set_wrong_speed(&mut self, wrong: bool) {
        self.wrong_speed = wrong;
    }

    /// What arrives at the board of what the host wrote.
    pub fn to_board(&self, bytes: &[u8]) -> Vec<u8> {
        match (self.silent, self.wrong_speed) {
            (true, _) => Vec::new(),
            (false, true) => misheard(bytes, 1, QUICKER),
            (false, false) => bytes.to_vec(),
        }
    }

    /// What arrives at the host of what the board said; to be called again and again, what is late comes with the next call.
    pub fn to_host(&mut self, bytes: Vec<u8>) -> Vec<u8> {
        let mut arrived = std::mem::take(&mut self.late);
        if self.silent {
            return Vec::new();
        }
        let said = if self.wrong_speed {
            misheard(&bytes, QUICKER, 1)
        } else {
            bytes
        };
        for byte in said {
            if self.happens(self.flaws.noise) {
                arrived.push(self.dice.next_u32().to_le_bytes()[0]);
            }
            if !self.happens(self.flaws.lost) {
                arrived.push(byte);
            }
        }
        if self.flaws.split && !arrived.is_empty() {
            let keep = self.dice.next_u32() as usize % (arrived.len() + 1);
            self.late = arrived.split_off(keep);
        }
        arrived
    }

    fn happens(&mut self, of_a_million: u32) -> bool {
        of_a_million > 0 && self.dice.next_u32() % MILLION < of_a_million
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn through(flaws: Flaws) -> Vec<u8> {
        let mut line = BadLine::new(flaws, 1);
        let bytes = (0..100).map(|_| vec![b'a'; 100]);
        let mut arrived: Vec<u8> = bytes.flat_map(|bytes| line.to_host(bytes)).collect();
        while !line.late.is_empty() {
            arrived.extend(line.to_host(Vec::new()));
        }
        arrived
    }

    #[test]
    fn every_flaw_does_what_it_is_called_and_nothing_else() {
        let sound = Flaws::default();
        assert_eq!(through(sound), vec![b'a'; 10_000]);
        let split = Flaws {
            split: true,
            ..sound
        };
        assert_eq!(through(split), vec![b'a'; 10_000]);
        let lost = Flaws {
            lost: 10_000,
            ..sound
        };
        assert!((9_800..9_990).contains(&through(lost).len()));
        let noise = Flaws {
            noise: 10_000,
            ..sound
        };
        let noisy = through(noise);
        assert!((10_010..10_200).contains(&noisy.len()));
        assert!(noisy.iter().any(|byte| *byte != b'a'));
    }

    #[test]
    fn a_silent_line_and_one_of_another_speed_work_in_both_directions() {
        let mut line = BadLine::new(Flaws::default(), 1);
        line.fall_silent(true);
        assert!(line.to_host(vec![1]).is_empty());
        assert!(line.to_board(&[1]).is_empty());
        line.fall_silent(false);
        line.set_wrong_speed(true);
        assert_ne!(
            line.to_host(vec![0x8E, 0, 5, 0x34, 0]),
            [0x8E, 0, 5, 0x34, 0]
        );
        assert_ne!(line.to_board(&[0x4D]), [0x4D]);
        line.set_wrong_speed(false);
        assert_eq!(line.to_host(vec![2]), [2]);
        assert_eq!(line.to_board(&[3]), [3]);
    }
}
