//! Millennium boards: ChessLink, Mephisto Exclusive, King Performance, Supreme Tournament 55, eONE.
//!
//! Letters with a block check of two hexadecimal digits, and odd parity in the eighth bit. Only questions are asked:
//! the board's own memory, lamps and restart have no word here.

use shakmaty::{Piece, Square};

use super::shadow::Picture;
use super::whole::{Heard, Manner, Probe, Speech, WholeFamily};
use super::{Family, Pace, Placement, PortKind};

/// The family.
pub(super) static MILLENNIUM: WholeFamily = WholeFamily {
    family: "millennium",
    about: Family {
        names: "Millennium ChessLink, Mephisto Exclusive, King Performance, Supreme Tournament 55, eONE; Elfacun, Chesstimation",
        connection: "serial line, USB or Bluetooth serial",
        baud: Some(38_400),
        pace: Pace::Fast,
        port: PortKind::Serial,
        usb: &[(0x0403, Some(0x6001)), (0x2341, None)],
        checked_against: "one recorded version answer and the published layout; never yet on a board itself",
    },
    speech: || Box::new(Millennium),
};

/// `V` and `S` with their checks and parity bits.
const VERSION: &[u8] = &[0xD6, 0xB5, 0xB6];
const POSITION: &[u8] = &[0xD3, 0xB5, 0xB3];

const MANNER: Manner = Manner {
    settle: 200,
    listens_at_once: false,
    hello: &[VERSION],
    answer: 500,
    tries: 3,
    spacing: 100,
    board: Some((POSITION, 250)),
    clock: None,
    battery: None,
    lamps: None,
    silent: Some(5_000),
    tells_serial: false,
    patience: 500,
};

#[derive(Debug, Default)]
struct Millennium;

impl Speech for Millennium {
    fn manner(&self) -> &'static Manner {
        &MANNER
    }

    fn probe(&self, held: &[u8]) -> Probe {
        probe(held)
    }

    fn read(&self, frame: &[u8]) -> Heard {
        let letters: Vec<u8> = frame.iter().map(|byte| byte & 0x7F).collect();
        match letters.as_slice() {
            [b's', squares @ .., _, _] => read_board(squares),
            [b'v', a, b, c, d, _, _] => read_version([*a, *b, *c, *d]),
            [b'l', ..] => Heard::Nothing { what: "lamps lit" },
            [b'x', ..] => Heard::Nothing { what: "lamps out" },
            [b'w', ..] => Heard::Nothing {
                what: "memory written",
            },
            _ => Heard::Nothing {
                what: "memory read",
            },
        }
    }
}

fn probe(held: &[u8]) -> Probe {
    let letter = |at: usize| held[at] & 0x7F;
    let (length, content): (usize, fn(u8) -> bool) = match letter(0) {
        b's' => (67, |letter| b".PNBRQKpnbrqk".contains(&letter)),
        b'v' | b'w' | b'r' => (7, |letter| letter.is_ascii_hexdigit()),
        b'l' | b'x' => (3, |_| true),
        _ => return Probe::No("between messages"),
    };
    let there = held.len().min(length);
    let good = |at: usize| {
        if at < length - 2 {
            content(letter(at))
        } else {
            letter(at).is_ascii_hexdigit()
        }
    };
    if !(1..there).all(good) {
        return Probe::No("a letter that cannot be there");
    }
    if there < length {
        return Probe::More;
    }
    let check = (0..length - 2).fold(0, |check, at| check ^ letter(at));
    if [letter(length - 2), letter(length - 1)] == hex(check) {
        Probe::Frame(length)
    } else {
        Probe::No("the block check is wrong")
    }
}

/// Two upper-case hexadecimal digits.
fn hex(byte: u8) -> [u8; 2] {
    let digit = |value: u8| b"0123456789ABCDEF"[usize::from(value & 15)];
    [digit(byte >> 4), digit(byte)]
}

/// Character 0 is h1, then g1 … a1, h2 … a8.
fn read_board(letters: &[u8]) -> Heard {
    let mut board = Placement::EMPTY;
    for (square, letter) in Square::ALL.into_iter().zip(letters) {
        let piece = Piece::from_char(char::from(*letter));
        board.set(square.flip_horizontal(), piece);
    }
    Heard::Board {
        board: Picture::Pieces(board),
    }
}

fn read_version(digits: [u8; 4]) -> Heard {
    let number = |high: u8, low: u8| {
        let digit = |letter: u8| char::from(letter).to_digit(16).unwrap_or(0);
        u8::try_from(digit(high) * 16 + digit(low)).unwrap_or(0)
    };
    Heard::Firmware {
        major: number(digits[0], digits[1]),
        minor: number(digits[2], digits[3]),
    }
}
