//! House of Staunton and Zmartfun boards: reports of a USB device, the whole board in each.

use shakmaty::{Color, Piece, Role, Square};

use super::shadow::Picture;
use super::whole::{Heard, Manner, Probe, Speech, WholeFamily};
use super::{Family, Pace, Placement, PortKind};

/// The family.
pub(super) static ZMARTFUN: WholeFamily = WholeFamily {
    family: "zmartfun",
    about: Family {
        names: "House of Staunton / Zmartfun e-boards",
        connection: "USB device for human interfaces, vendor 0925",
        baud: None,
        pace: Pace::Fast,
        port: PortKind::Hid,
        usb: &[(0x0925, None)],
        checked_against: "one published position; never yet on a board itself",
    },
    speech: || Box::new(Zmartfun),
};

const MANNER: Manner = Manner {
    settle: 0,
    listens_at_once: true,
    hello: &[],
    answer: 3_000,
    tries: 1,
    spacing: 200,
    board: None,
    clock: None,
    battery: None,
    lamps: None,
    silent: None,
    tells_serial: false,
    patience: 200,
};

/// Number of the report, and its length.
const REPORT: u8 = 0;
const LENGTH: usize = 33;

#[derive(Debug, Default)]
struct Zmartfun;

impl Speech for Zmartfun {
    fn manner(&self) -> &'static Manner {
        &MANNER
    }

    fn probe(&self, held: &[u8]) -> Probe {
        probe(held)
    }

    fn read(&self, frame: &[u8]) -> Heard {
        if frame.len() < LENGTH {
            return Heard::Filler;
        }
        let mut board = Placement::EMPTY;
        let codes = frame[1..].iter().flat_map(|&byte| [byte & 15, byte >> 4]);
        for (square, code) in Square::ALL.into_iter().zip(codes) {
            board.set(square, piece(code));
        }
        Heard::Board {
            board: Picture::Pieces(board),
        }
    }
}

/// A report is 00 and 64 codes; what fills the rest of a longer one is FF.
fn probe(held: &[u8]) -> Probe {
    match held {
        [0xFF, ..] => Probe::Frame(1),
        [REPORT, rest @ ..] => {
            let there = &rest[..rest.len().min(LENGTH - 1)];
            match there.iter().all(|&byte| byte >> 4 <= 12 && byte & 15 <= 12) {
                false => Probe::No("a code that stands for no piece"),
                true if held.len() >= LENGTH => Probe::Frame(LENGTH),
                true => Probe::More,
            }
        }
        _ => Probe::No("between reports"),
    }
}

/// What a code stands for: 1 K 2 Q 3 R 4 N 5 B 6 P, black six more.
fn piece(code: u8) -> Option<Piece> {
    const ROLES: [Role; 6] = [
        Role::King,
        Role::Queen,
        Role::Rook,
        Role::Knight,
        Role::Bishop,
        Role::Pawn,
    ];
    let number = usize::from(code.checked_sub(1)?);
    let color = Color::from_white(number < 6);
    ROLES.get(number % 6).map(|role| role.of(color))
}
