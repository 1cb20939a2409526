//! How a Millennium board speaks.

use shakmaty::{Piece, Square};

use super::voice::Voice;
use crate::devices::{Millis, Placement};

/// A board that answers when it is asked.
#[derive(Debug, Default)]
pub(super) struct MillenniumVoice {
    partial: Vec<u8>,
}

impl Voice for MillenniumVoice {
    fn bytes_a_second(&self) -> f64 {
        3_840.0
    }

    fn reports_every(&self) -> Option<Millis> {
        None
    }

    fn report(&mut self, position: &Placement) -> Vec<u8> {
        let letters = Square::ALL.map(|square| {
            let piece = position.at(square.flip_horizontal());
            piece.map_or(b'.', |piece| Piece::char(piece) as u8)
        });
        message(b's', &letters)
    }

    fn hear(&mut self, bytes: &[u8], position: &Placement) -> (Vec<u8>, u32) {
        let mut answers = Vec::new();
        let mut harmful = 0;
        for byte in bytes {
            self.partial.push(byte & 0x7F);
            match (self.partial.as_slice(), byte.count_ones() % 2) {
                ([b'V', b'5', b'6'], _) => answers.extend(message(b'v', b"0103")),
                ([b'S', b'5', b'3'], _) => answers.extend(self.report(position)),
                ([b'V' | b'S'] | [b'V', b'5'] | [b'S', b'5'], 1) => continue,
                ([b'L' | b'X' | b'W' | b'T' | b'R', ..], _) => harmful += 1,
                _ => {}
            }
            self.partial.clear();
        }
        (answers, harmful)
    }

    fn restart(&mut self) {
        self.partial.clear();
    }
}

/// A letter, its content, the block check, with odd parity in every byte.
fn message(letter: u8, content: &[u8]) -> Vec<u8> {
    let text = [&[letter], content].concat();
    let check = text.iter().fold(0, |check, byte| check ^ byte);
    let check = format!("{check:02X}");
    text.iter()
        .chain(check.as_bytes())
        .map(|byte| odd(*byte))
        .collect()
}

fn odd(byte: u8) -> u8 {
    byte | if byte.count_ones().is_multiple_of(2) {
        0x80
    } else {
        0
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::devices::to_hex;

    #[test]
    fn words_are_those_of_the_layout() {
        assert_eq!(to_hex(&message(b'v', b"0103")), "76 b0 31 b0 b3 37 34");
        let mut voice = MillenniumVoice::default();
        let start = voice.report(&Placement::start());
        let letters: String = start.iter().map(|byte| char::from(byte & 0x7F)).collect();
        assert_eq!(
            letters,
            "sRNBKQBNRPPPPPPPP................................pppppppprnbkqbnr73"
        );
        let (answer, harmful) = voice.hear(&[0xD6, 0xB5, 0xB6], &Placement::EMPTY);
        assert_eq!((answer.len(), harmful), (7, 0));
    }
}
