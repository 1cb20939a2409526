//! The Novag families as the list of drivers knows them.

use shakmaty::{Chess, Position};

use super::said::{Said, citrine, meant, universal};
use crate::devices::clock_face::Displays;
use crate::devices::lines;
use crate::devices::shadow::Picture;
use crate::devices::whole::{Cutter, Heard, Manner, Speech, Stretch, WholeFamily};
use crate::devices::{ClockSide, Family, Pace, Placement, PortKind};

/// Citrine and Star Diamond.
pub(in crate::devices) static CITRINE: WholeFamily = WholeFamily {
    family: "citrine",
    about: Family {
        names: "Novag Citrine, Star Diamond",
        connection: "serial line",
        baud: 57_600,
        pace: Pace::Fast,
        port: PortKind::Serial,
        usb: &[],
        checked_against: "published examples of its lines; never yet on a board itself",
    },
    speech: || Box::new(Novag::new(citrine, &CITRINE_MANNER)),
};

/// Universal Chess Board.
pub(in crate::devices) static UNIVERSAL: WholeFamily = WholeFamily {
    family: "ucb",
    about: Family {
        names: "Novag Universal Chess Board",
        connection: "serial line",
        baud: 9600,
        pace: Pace::Fast,
        port: PortKind::Serial,
        usb: &[],
        checked_against: "one published description; never yet on a board itself",
    },
    speech: || Box::new(Novag::new(universal, &UNIVERSAL_MANNER)),
};

/// Echo of moves on; then only the clock is asked for.
static CITRINE_MANNER: Manner = Manner {
    settle: 500,
    listens_at_once: true,
    hello: &[b"X ON\r\n", b"C\r\n"],
    answer: 1_000,
    tries: 4,
    spacing: 200,
    board: Some((b"C\r\n", 1_000)),
    battery: None,
    silent: Some(10_000),
    tells_serial: false,
    patience: 500,
};

/// It is never asked anything and speaks when a move is made.
static UNIVERSAL_MANNER: Manner = Manner {
    settle: 0,
    listens_at_once: true,
    hello: &[],
    answer: 20_000,
    tries: 1,
    spacing: 200,
    board: None,
    battery: None,
    silent: None,
    tells_serial: false,
    patience: 500,
};

/// The moves since the initial array.
struct Novag {
    cutter: Cutter,
    manner: &'static Manner,
    reads: fn(&str) -> Option<Said>,
    line: Vec<Chess>,
}

impl Novag {
    fn new(reads: fn(&str) -> Option<Said>, manner: &'static Manner) -> Novag {
        Novag {
            cutter: Cutter::default(),
            manner,
            reads,
            line: vec![Chess::default()],
        }
    }

    fn position(&self) -> Chess {
        self.line.last().cloned().unwrap_or_default()
    }

    fn board(&self) -> Heard {
        let mut board = Placement::EMPTY;
        for (square, piece) in self.position().board().clone() {
            board.set(square, Some(piece));
        }
        Heard::Board {
            board: Picture::Pieces(board),
        }
    }
}

/// No game is longer.
const PLIES: usize = 2_000;

impl Speech for Novag {
    fn manner(&self) -> &'static Manner {
        self.manner
    }

    fn cut(&mut self, bytes: &[u8]) -> Vec<Stretch> {
        let reads = self.reads;
        self.cutter.cut(bytes, |held| {
            lines::probe(held, |line| reads(line).is_some())
        })
    }

    fn holds(&self) -> usize {
        self.cutter.holds()
    }

    fn give_up(&mut self) -> Vec<Stretch> {
        self.cutter.give_up()
    }

    fn read(&self, frame: &[u8]) -> Heard {
        match (self.reads)(&lines::text(frame)) {
            None => Heard::Filler,
            Some(Said::Moved(said)) => Heard::Line { said },
            Some(Said::NewGame) => Heard::Line {
                said: "N".to_owned(),
            },
            Some(Said::TakenBack) => Heard::Line {
                said: "T".to_owned(),
            },
            Some(Said::Clock(white, black)) => Heard::Clock {
                clock: self.clock(white, black),
            },
        }
    }

    fn understand(&mut self, heard: Heard) -> Vec<Heard> {
        let Heard::Line { said } = heard else {
            return vec![heard];
        };
        match said.as_str() {
            "N" => self.line = vec![Chess::default()],
            "T" if self.line.len() > 1 => {
                self.line.pop();
            }
            "T" => {}
            said => {
                let before = self.position();
                let Some(played) = meant(&before, said).filter(|_| self.line.len() < PLIES) else {
                    return vec![Heard::Nothing {
                        what: "a move that is not legal",
                    }];
                };
                let mut after = before;
                after.play_unchecked(played);
                let first = self.line.len() == 1;
                let array = first.then(|| self.board());
                self.line.push(after);
                return array.into_iter().chain([self.board()]).collect();
            }
        }
        vec![self.board()]
    }
}

impl Novag {
    fn clock(&self, white: u64, black: u64) -> Displays {
        let white_to_move = self.position().turn().is_white();
        Displays {
            left_ms: white * 1000,
            right_ms: black * 1000,
            running: true,
            turn: if white_to_move {
                ClockSide::Left
            } else {
                ClockSide::Right
            },
            flags: (white == 0, black == 0),
            low_battery: false,
            in_colours: true,
        }
    }
}
