//! A serial chessclock people build around an Arduino: lines of words, asked for its status and nothing else.

use super::clock_face::Displays;
use super::lines;
use super::whole::{Heard, Manner, Probe, Speech, WholeFamily};
use super::{ClockSide, Family, Pace, PortKind};

/// The family.
pub(super) static DIYCLOCK: WholeFamily = WholeFamily {
    family: "diyclock",
    about: Family {
        names: "self-built serial chessclocks that answer STATUS",
        connection: "USB serial",
        baud: Some(9600),
        pace: Pace::Fast,
        port: PortKind::Serial,
        usb: &[(0x1A86, Some(0x55D3))],
        checked_against: "the published layout alone; never yet on a clock itself",
    },
    speech: || Box::new(DiyClock),
};

const STATUS: &[u8] = b"STATUS\n";

/// Opening the port restarts the clock, which takes two seconds.
const MANNER: Manner = Manner {
    settle: 500,
    listens_at_once: true,
    hello: &[STATUS],
    answer: 1_000,
    tries: 4,
    spacing: 100,
    board: None,
    clock: Some((STATUS, 300)),
    battery: None,
    lamps: None,
    silent: Some(5_000),
    tells_serial: false,
    patience: 500,
};

/// What the clock says besides its status.
const ANSWERS: [&str; 6] = [
    "CLOCK_READY",
    "CLOCK_STARTED",
    "CLOCK_STOPPED",
    "CLOCK_RESET",
    "TIME_SET:",
    "GAME_OVER:",
];

#[derive(Debug, Default)]
struct DiyClock;

impl Speech for DiyClock {
    fn manner(&self) -> &'static Manner {
        &MANNER
    }

    fn probe(&self, held: &[u8]) -> Probe {
        lines::probe(held, |line| line.starts_with("STATUS:") || is_answer(line))
    }

    fn read(&self, frame: &[u8]) -> Heard {
        if !lines::is_readable(frame) {
            return lines::damaged();
        }
        let line = lines::text(frame);
        if line.is_empty() {
            return Heard::Filler;
        }
        let Some(status) = line.strip_prefix("STATUS:") else {
            let answer = Heard::Nothing { what: "answer" };
            return if is_answer(&line) {
                answer
            } else {
                lines::damaged()
            };
        };
        read_status(status).unwrap_or(Heard::Damaged {
            why: "a status that says nothing",
        })
    }
}

fn is_answer(line: &str) -> bool {
    ANSWERS.iter().any(|known| line.starts_with(known))
}

/// White's and Black's milliseconds, the increment, whether it runs, and whose turn it is.
fn read_status(status: &str) -> Option<Heard> {
    let words: Vec<&str> = status.split(':').collect();
    let [white, black, _increment, state, turn] = words[..] else {
        return None;
    };
    let running = match state {
        "RUNNING" => true,
        "STOPPED" => false,
        _ => return None,
    };
    let turn = match turn {
        "WHITE" => ClockSide::Left,
        "BLACK" => ClockSide::Right,
        _ => return None,
    };
    let (left_ms, right_ms) = (white.parse().ok()?, black.parse().ok()?);
    Some(Heard::Clock {
        clock: Displays {
            left_ms,
            right_ms,
            running,
            turn,
            flags: (left_ms == 0, right_ms == 0),
            low_battery: false,
            in_colours: true,
        },
    })
}
