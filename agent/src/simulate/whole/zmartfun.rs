//! How a House of Staunton or Zmartfun board speaks over USB.

use shakmaty::{Piece, Square};

use super::voice::Voice;
use crate::devices::{Millis, Placement};

/// A board that reports changes without being asked.
pub(super) struct ZmartfunVoice;

const PIECES: &[u8; 13] = b".KQRNBPkqrnbp";

impl Voice for ZmartfunVoice {
    fn bytes_a_second(&self) -> f64 {
        64_000.0
    }

    fn reports_every(&self) -> Option<Millis> {
        Some(200)
    }

    fn report(&mut self, position: &Placement) -> Vec<u8> {
        let codes = Square::ALL.map(|square| code(position.at(square)));
        let squares = codes.chunks(2).map(|pair| pair[0] | pair[1] << 4);
        std::iter::once(0).chain(squares).collect()
    }

    fn hear(&mut self, bytes: &[u8], _position: &Placement) -> (Vec<u8>, u32) {
        (Vec::new(), bytes.len() as u32)
    }
}

fn code(piece: Option<Piece>) -> u8 {
    let letter = piece.map_or(b'.', |piece| piece.char() as u8);
    PIECES
        .iter()
        .position(|&known| known == letter)
        .unwrap_or(0) as u8
}
