//! Chessnut boards (Air, Air+, Pro, Go): reports of a USB device, each with its number and the length of what follows.
//!
//! Beeps, stored games, the robot's moves and the update of the board's program have no word here; lamps blink when they are asked to.

use shakmaty::{Piece, Square};

use super::shadow::Picture;
use super::whole::{Heard, Manner, Probe, Speech, Stretch, WholeFamily};
use super::{Battery, Family, Pace, Placement, PortKind};

/// The family.
pub(super) static CHESSNUT: WholeFamily = WholeFamily {
    family: "chessnut",
    about: Family {
        names: "Chessnut Air, Air+, Pro, Go, Move",
        connection: "USB device for human interfaces, vendor 2d80",
        baud: None,
        pace: Pace::Fast,
        port: PortKind::Hid,
        usb: &[(0x2D80, None)],
        checked_against: "published vectors that agree with the vendor's kit; never yet on a board itself",
    },
    speech: || Box::new(Chessnut),
};

/// Report on every change.
const REAL_TIME: &[u8] = &[0x21, 0x01, 0x00];
const BATTERY: &[u8] = &[0x29, 0x01, 0x00];
/// Every square's lamp, one bit each.
const LAMPS_ON: &[u8] = &[0x0A, 0x08, 255, 255, 255, 255, 255, 255, 255, 255];
const LAMPS_OFF: &[u8] = &[0x0A, 0x08, 0, 0, 0, 0, 0, 0, 0, 0];

const MANNER: Manner = Manner {
    settle: 200,
    listens_at_once: true,
    hello: &[REAL_TIME],
    answer: 1_000,
    tries: 3,
    spacing: 250,
    board: Some((REAL_TIME, 3_000)),
    clock: None,
    battery: Some(BATTERY),
    lamps: Some([LAMPS_ON, LAMPS_OFF]),
    silent: Some(10_000),
    tells_serial: false,
    patience: 200,
};

const BOARD: u8 = 0x01;
const BOARD_LENGTH: u8 = 0x24;
/// So many bytes of a position count; boards and links differ in what follows.
const COUNTS: usize = 34;
const PIECES: &[u8; 13] = b".qkbpnRPrBNQK";

#[derive(Debug, Default)]
struct Chessnut;

impl Speech for Chessnut {
    fn manner(&self) -> &'static Manner {
        &MANNER
    }

    fn probe(&self, held: &[u8]) -> Probe {
        probe(held)
    }

    /// A link that leaves the last bytes of a position away shows it by the next report's beginning.
    fn ends_before(&self, holds: usize, next: &[u8]) -> bool {
        let begins = matches!(next, [BOARD, BOARD_LENGTH, ..] | [0x2A, 2, ..]);
        begins && (COUNTS..COUNTS + 4).contains(&holds)
    }

    fn rescue(&self, stretch: Stretch) -> Stretch {
        short_board(stretch)
    }

    fn read(&self, frame: &[u8]) -> Heard {
        match frame {
            [BOARD, BOARD_LENGTH, squares @ ..] => read_board(squares),
            [0x2A, 2, percent, charging] => Heard::Battery(Battery::of(
                (percent & 0x7F).min(100),
                *charging == 1 || percent & 0x80 != 0,
            )),
            [0x41, 3, 0x0C, charging, percent] => {
                Heard::Battery(Battery::of((*percent).min(100), *charging == 1))
            }
            [0xFF | 0x00, ..] => Heard::Filler,
            _ => Heard::Nothing { what: "answer" },
        }
    }
}

fn probe(held: &[u8]) -> Probe {
    if matches!(held, [0xFF | 0x00, ..]) {
        return Probe::Frame(1);
    }
    let [id, rest @ ..] = held else {
        return Probe::More;
    };
    let expected: &[u8] = match id {
        0x01 => &[BOARD_LENGTH],
        0x23 | 0x37 | 0x32 => &[1],
        0x2A => &[2],
        0x41 => &[3],
        _ => return Probe::No("between reports"),
    };
    let Some(length) = rest.first() else {
        return Probe::More;
    };
    if !expected.contains(length) {
        return Probe::No("a length that cannot be");
    }
    let content = &rest[1..];
    if *id == BOARD && !content.iter().take(32).all(|&byte| is_codes(byte)) {
        return Probe::No("a code that stands for no piece");
    }
    if content.len() >= usize::from(*length) {
        Probe::Frame(2 + usize::from(*length))
    } else {
        Probe::More
    }
}

/// A position whose last bytes never came is one all the same.
fn short_board(stretch: Stretch) -> Stretch {
    match stretch {
        Stretch::Noise(bytes, _)
            if bytes.starts_with(&[BOARD, BOARD_LENGTH])
                && (COUNTS..COUNTS + 4).contains(&bytes.len())
                && bytes[2..COUNTS].iter().all(|&byte| is_codes(byte)) =>
        {
            Stretch::Frame(bytes)
        }
        other => other,
    }
}

fn is_codes(byte: u8) -> bool {
    byte & 15 <= 12 && byte >> 4 <= 12
}

/// h8, g8 … a8, h7 … a1, the low half of each byte first.
fn read_board(squares: &[u8]) -> Heard {
    let mut board = Placement::EMPTY;
    let codes = squares
        .iter()
        .take(32)
        .flat_map(|&byte| [byte & 15, byte >> 4]);
    for (square, code) in Square::ALL.into_iter().rev().zip(codes) {
        let letter = PIECES.get(usize::from(code)).copied().unwrap_or(b'.');
        board.set(square, Piece::from_char(char::from(letter)));
    }
    Heard::Board {
        board: Picture::Pieces(board),
    }
}
