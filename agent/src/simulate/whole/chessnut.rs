//! How a Chessnut board speaks over USB: reports of 38 bytes after every change.

use shakmaty::{Piece, Square};

use super::voice::Voice;
use crate::devices::{Millis, Placement};

/// A board that reports in real time once it was asked to.
#[derive(Debug, Default)]
pub(super) struct ChessnutVoice {
    real_time: bool,
    reports: u16,
}

const PIECES: &[u8; 13] = b".qkbpnRPrBNQK";

impl Voice for ChessnutVoice {
    fn bytes_a_second(&self) -> f64 {
        64_000.0
    }

    fn reports_every(&self) -> Option<Millis> {
        None
    }

    fn reports_changes(&self) -> bool {
        self.real_time
    }

    fn report(&mut self, position: &Placement) -> Vec<u8> {
        let codes: Vec<u8> = Square::ALL
            .into_iter()
            .rev()
            .map(|square| code(position.at(square)))
            .collect();
        let squares = codes.chunks(2).map(|pair| pair[0] | pair[1] << 4);
        self.reports = self.reports.wrapping_add(1);
        let [low, high] = self.reports.to_le_bytes();
        [0x01, 0x24]
            .into_iter()
            .chain(squares)
            .chain([low, high, 0, 0])
            .collect()
    }

    fn hear(&mut self, bytes: &[u8], position: &Placement) -> (Vec<u8>, u32) {
        match bytes {
            [0x21, 1, 0] => {
                self.real_time = true;
                ([vec![0x23, 1, 0], self.report(position)].concat(), 0)
            }
            [0x29, 1, 0] => (vec![0x2A, 2, 88, 0], 0),
            [0x27, 1, _] | [0x31, 1, 0] => (Vec::new(), 0),
            _ => (Vec::new(), 1),
        }
    }

    fn restart(&mut self) {
        self.real_time = false;
    }
}

fn code(piece: Option<Piece>) -> u8 {
    let letter = piece.map_or(b'.', |piece| piece.char() as u8);
    PIECES
        .iter()
        .position(|&known| known == letter)
        .unwrap_or(0) as u8
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::devices::to_hex;

    #[test]
    fn reports_are_those_of_the_layout() {
        let start = to_hex(&ChessnutVoice::default().report(&Placement::start()));
        assert!(
            start.starts_with("01 24 58 23 31 85 44 44 44 44 00"),
            "{start}"
        );
        assert!(
            start.ends_with("77 77 77 77 a6 c9 9b 6a 01 00 00 00"),
            "{start}"
        );
    }
}
