//! How an iChessOne board speaks.

use shakmaty::{Piece, Square};

use super::voice::Voice;
use crate::devices::{Millis, Placement};

/// A board that reports changes once somebody subscribed.
#[derive(Debug, Default)]
pub(super) struct IChessOneVoice {
    subscribed: bool,
    partial: Vec<u8>,
}

const PIECES: &[u8; 13] = b".PNBRQKpnbrqk";
const SUBSCRIBE: &[u8] = b"CPIRQ";

impl Voice for IChessOneVoice {
    fn bytes_a_second(&self) -> f64 {
        11_520.0
    }

    fn reports_every(&self) -> Option<Millis> {
        None
    }

    fn reports_changes(&self) -> bool {
        self.subscribed
    }

    fn report(&mut self, position: &Placement) -> Vec<u8> {
        let codes: Vec<u8> = Square::ALL
            .into_iter()
            .map(|square| code(position.at(square.flip_vertical())))
            .collect();
        let squares = codes.chunks(2).map(|pair| pair[0] << 4 | pair[1]);
        [0x3D, b'p'].into_iter().chain(squares).collect()
    }

    fn hear(&mut self, bytes: &[u8], position: &Placement) -> (Vec<u8>, u32) {
        let mut answers = Vec::new();
        let mut harmful = 0;
        for &byte in bytes {
            self.partial.push(byte);
            match self.partial.as_slice() {
                SUBSCRIBE => self.subscribed = true,
                b"RP" => answers.extend(self.report(position)),
                b"RB" => answers.extend([0x3D, b'b', 0, 88]),
                b"RH" => {}
                part if SUBSCRIBE.starts_with(part) || part == b"R" => continue,
                _ => harmful += 1,
            }
            self.partial.clear();
        }
        (answers, harmful)
    }

    fn restart(&mut self) {
        self.subscribed = false;
        self.partial.clear();
    }
}

fn code(piece: Option<Piece>) -> u8 {
    let letter = piece.map_or(b'.', |piece| piece.char() as u8);
    PIECES
        .iter()
        .position(|&known| known == letter)
        .unwrap_or(0) as u8
}
