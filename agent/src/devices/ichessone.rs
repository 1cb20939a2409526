//! The iChessOne board on its USB line.

use shakmaty::{Color, Piece, Role, Square};

use super::shadow::Picture;
use super::whole::{Heard, Manner, Probe, Speech, WholeFamily};
use super::{Battery, Family, Pace, Placement, PortKind};

/// The family.
pub(super) static ICHESSONE: WholeFamily = WholeFamily {
    family: "ichessone",
    about: Family {
        names: "iChessOne",
        connection: "USB or Bluetooth serial",
        baud: Some(115_200),
        pace: Pace::Fast,
        port: PortKind::Serial,
        usb: &[],
        checked_against: "published vectors; never yet on a board itself",
    },
    speech: || Box::new(IChessOne),
};

const MANNER: Manner = Manner {
    settle: 500,
    listens_at_once: false,
    hello: &[b"CPIRQ", b"RP"],
    answer: 500,
    tries: 3,
    spacing: 200,
    board: Some((b"RP", 1_000)),
    clock: None,
    battery: Some(b"RB"),
    lamps: None,
    silent: Some(5_000),
    tells_serial: false,
    patience: 500,
};

/// Every message begins so.
const BEGIN: u8 = 0x3D;

#[derive(Debug, Default)]
struct IChessOne;

impl Speech for IChessOne {
    fn manner(&self) -> &'static Manner {
        &MANNER
    }

    fn probe(&self, held: &[u8]) -> Probe {
        probe(held)
    }

    fn read(&self, frame: &[u8]) -> Heard {
        match frame {
            [BEGIN, b'p', squares @ ..] => read_board(squares),
            [BEGIN, b'b', charging, percent] => {
                Heard::Battery(Battery::of(*percent, *charging == 1))
            }
            _ => Heard::Damaged {
                why: "not a message",
            },
        }
    }
}

fn probe(held: &[u8]) -> Probe {
    let length = match held {
        [BEGIN] => return Probe::More,
        [BEGIN, b'p', ..] => 34,
        [BEGIN, b'b', ..] => 4,
        _ => return Probe::No("between messages"),
    };
    let there = &held[2..held.len().min(length)];
    let good = match held[1] {
        b'p' => there.iter().all(|&byte| byte >> 4 <= 12 && byte & 15 <= 12),
        _ => {
            there.first().is_none_or(|&charging| charging <= 1)
                && there.get(1).is_none_or(|&percent| percent <= 100)
        }
    };
    match (good, held.len() >= length) {
        (false, _) => Probe::No("a code that stands for no piece"),
        (true, true) => Probe::Frame(length),
        (true, false) => Probe::More,
    }
}

/// a8, b8 … h1, the high half of each byte first.
fn read_board(squares: &[u8]) -> Heard {
    let mut board = Placement::EMPTY;
    let codes = squares.iter().flat_map(|&byte| [byte >> 4, byte & 15]);
    for (square, code) in Square::ALL.into_iter().zip(codes) {
        board.set(square.flip_vertical(), piece(code));
    }
    Heard::Board {
        board: Picture::Pieces(board),
    }
}

/// What a code stands for: 1 P 2 N 3 B 4 R 5 Q 6 K, 7 p 8 n 9 b A r B q C k.
fn piece(code: u8) -> Option<Piece> {
    const ROLES: [Role; 6] = [
        Role::Pawn,
        Role::Knight,
        Role::Bishop,
        Role::Rook,
        Role::Queen,
        Role::King,
    ];
    let number = usize::from(code.checked_sub(1)?);
    let color = Color::from_white(number < 6);
    ROLES.get(number % 6).map(|role| role.of(color))
}
