//! Boards and clocks that clubs build themselves: lines of our own, documented for whoever wants to send them.
//!
//! Serial, 115200 baud, 8N1. A line is a letter, words, `*`, and the exclusive or of everything before the `*` in two
//! hexadecimal digits, then a line feed:
//!
//! ```text
//! I <serial number> <major>.<minor>      who it is
//! B <64 letters, a8 b8 … h1>             the whole board: PNBRQK, pnbrqk, `.` for an empty square
//! O <64 letters, a8 b8 … h1>             the same of a board that knows occupied squares only: `x` and `.`
//! T <left ms> <right ms> <L|R|l|r> <->   the clock: the side that runs, small while it is stopped; then flags:
//!                                        `l` `r` fallen, `b` battery low, `-` none
//! ```
//!
//! The host says `?` and a line feed: the device answers with all it has. Whenever something changes it says so by itself.

use shakmaty::{Bitboard, Piece, Square};

use super::clock_face::Displays;
use super::lines;
use super::shadow::Picture;
use super::whole::{Heard, Manner, Probe, Speech, WholeFamily};
use super::{ClockSide, Family, Pace, Placement, PortKind};

/// The family.
pub(super) static CLUB: WholeFamily = WholeFamily {
    family: "club",
    about: Family {
        names: "boards and clocks clubs build themselves, in a documented line protocol",
        connection: "serial line",
        baud: Some(115_200),
        pace: Pace::Fast,
        port: PortKind::Serial,
        usb: &[],
        checked_against: "its own documentation",
    },
    speech: || Box::new(Club),
};

const MANNER: Manner = Manner {
    settle: 500,
    listens_at_once: true,
    hello: &[b"?\n"],
    answer: 1_000,
    tries: 4,
    spacing: 200,
    board: Some((b"?\n", 2_000)),
    clock: None,
    battery: None,
    lamps: None,
    silent: Some(8_000),
    tells_serial: true,
    patience: 500,
};

#[derive(Debug, Default)]
struct Club;

impl Speech for Club {
    fn manner(&self) -> &'static Manner {
        &MANNER
    }

    fn probe(&self, held: &[u8]) -> Probe {
        lines::probe(held, |line| content(line).is_some())
    }

    fn read(&self, frame: &[u8]) -> Heard {
        if !lines::is_readable(frame) {
            return lines::damaged();
        }
        let line = lines::text(frame);
        if line.is_empty() {
            return Heard::Filler;
        }
        let Some(content) = content(&line) else {
            return lines::damaged();
        };
        let words: Vec<&str> = content.split_ascii_whitespace().collect();
        let heard = match words[..] {
            ["I", serial, version] => read_identity(serial, version),
            ["B", squares] => read_board(squares),
            ["O", squares] => read_occupied(squares),
            ["T", left, right, turn, flags] => read_clock(left, right, turn, flags),
            _ => None,
        };
        heard.unwrap_or(Heard::Damaged {
            why: "a line that says nothing",
        })
    }
}

/// What stands before a right checksum.
fn content(line: &str) -> Option<&str> {
    let (content, check) = line.rsplit_once('*')?;
    let sum = content.bytes().fold(0, |sum, byte| sum ^ byte);
    (check.len() == 2 && u8::from_str_radix(check, 16) == Ok(sum)).then_some(content)
}

fn read_identity(serial: &str, version: &str) -> Option<Heard> {
    let (major, minor) = version.split_once('.')?;
    let serial_is_good =
        serial.len() <= 32 && serial.bytes().all(|byte| byte.is_ascii_alphanumeric());
    serial_is_good.then_some(Heard::Identity {
        serial: serial.to_owned(),
        major: major.parse().ok()?,
        minor: minor.parse().ok()?,
    })
}

fn page(letters: &str) -> Option<impl Iterator<Item = (Square, char)>> {
    let squares = Square::ALL.into_iter().map(Square::flip_vertical);
    (letters.len() == 64).then(|| squares.zip(letters.chars()))
}

fn read_board(letters: &str) -> Option<Heard> {
    let mut board = Placement::EMPTY;
    for (square, letter) in page(letters)? {
        if letter != '.' {
            board.set(square, Some(Piece::from_char(letter)?));
        }
    }
    Some(Heard::Board {
        board: Picture::Pieces(board),
    })
}

fn read_occupied(letters: &str) -> Option<Heard> {
    let mut occupied = Bitboard::EMPTY;
    for (square, letter) in page(letters)? {
        match letter {
            'x' => occupied.add(square),
            '.' => {}
            _ => return None,
        }
    }
    Some(Heard::Board {
        board: Picture::Occupied(occupied),
    })
}

fn read_clock(left: &str, right: &str, turn: &str, flags: &str) -> Option<Heard> {
    let (turn, running) = match turn {
        "L" => (ClockSide::Left, true),
        "R" => (ClockSide::Right, true),
        "l" => (ClockSide::Left, false),
        "r" => (ClockSide::Right, false),
        _ => return None,
    };
    let is_flag = |flag: char| matches!(flag, 'l' | 'r' | 'b' | '-');
    flags.chars().all(is_flag).then_some(Heard::Clock {
        clock: Displays {
            left_ms: left.parse().ok()?,
            right_ms: right.parse().ok()?,
            running,
            turn,
            flags: (flags.contains('l'), flags.contains('r')),
            low_battery: flags.contains('b'),
            in_colours: false,
        },
    })
}
