//! The Novag families as the list of drivers knows them.

use shakmaty::Position;

use super::game::{Game, placement};
use super::said::{Said, citrine, universal};
use crate::devices::clock_face::Displays;
use crate::devices::lines;
use crate::devices::shadow::Picture;
use crate::devices::whole::{Heard, Manner, Probe, Speech, WholeFamily};
use crate::devices::{ClockSide, Family, Pace, PortKind};

/// Citrine and Star Diamond.
pub(in crate::devices) static CITRINE: WholeFamily = WholeFamily {
    family: "citrine",
    about: Family {
        names: "Novag Citrine, Star Diamond",
        connection: "serial line",
        baud: Some(57_600),
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
        baud: Some(9600),
        pace: Pace::Fast,
        port: PortKind::Serial,
        usb: &[],
        checked_against: "one published description; never yet on a board itself; it says each move once, so what is moved without its cable stays unknown",
    },
    speech: || Box::new(Novag::new(universal, &UNIVERSAL_MANNER)),
};

/// Echo of moves on, again whenever the game it remembers is asked for: the first word may have been lost.
static CITRINE_MANNER: Manner = Manner {
    settle: 500,
    listens_at_once: true,
    hello: &[b"X ON\r\n", b"C\r\n"],
    answer: 1_000,
    tries: 4,
    spacing: 200,
    board: Some((b"X ON\r\nG\r\n", 30_000)),
    clock: Some((b"C\r\n", 1_000)),
    battery: None,
    lamps: None,
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
    clock: None,
    battery: None,
    lamps: None,
    silent: None,
    tells_serial: false,
    patience: 500,
};

/// The moves since the initial array.
struct Novag {
    manner: &'static Manner,
    reads: fn(&str) -> Option<Said>,
    game: Game,
    /// The game the board is just telling from its memory.
    recalled: Option<Vec<String>>,
    /// What stands on the board was told since the line was opened.
    told: bool,
}

impl Novag {
    fn new(reads: fn(&str) -> Option<Said>, manner: &'static Manner) -> Novag {
        Novag {
            manner,
            reads,
            game: Game::default(),
            recalled: None,
            told: false,
        }
    }
}

impl Speech for Novag {
    fn manner(&self) -> &'static Manner {
        self.manner
    }

    fn probe(&self, held: &[u8]) -> Probe {
        lines::probe(held, |line| (self.reads)(line).is_some())
    }

    fn read(&self, frame: &[u8]) -> Heard {
        if !lines::is_readable(frame) {
            return lines::damaged();
        }
        let line = lines::text(frame);
        match (self.reads)(&line) {
            None if line.is_empty() => Heard::Filler,
            None => lines::damaged(),
            Some(Said::Clock(white, black)) => Heard::Clock {
                clock: self.clock(white, black),
            },
            Some(Said::Answer) => Heard::Nothing { what: "answer" },
            Some(_) => Heard::Line { said: line },
        }
    }

    fn understand(&mut self, heard: Heard) -> Vec<Heard> {
        let said = match &heard {
            Heard::Line { said } => (self.reads)(said),
            _ => None,
        };
        match said {
            Some(Said::Game) => {
                self.recalled = Some(Vec::new());
                Vec::new()
            }
            Some(Said::Row(number, moves)) => self.recall(number, moves),
            Some(said) => [self.recalled(), self.happened(said)].concat(),
            // The heading of the rows comes between.
            None if matches!(heard, Heard::Nothing { .. }) => vec![heard],
            None => [self.recalled(), vec![heard]].concat(),
        }
    }

    fn sees_board(&self) -> bool {
        self.manner.board.is_some()
    }

    fn remember(&mut self, kept: &str) {
        self.game = Game::of_text(kept);
    }
}

impl Novag {
    /// Something that happened on the board just now.
    fn happened(&mut self, said: Said) -> Vec<Heard> {
        let before = self.game.clone();
        match said {
            Said::NewGame => self.game = Game::default(),
            Said::TakenBack => self.game.take_back(),
            Said::Moved(Some(place), _) if place != self.game.next_place() => {
                return vec![Heard::Damaged {
                    why: "a move whose number does not follow those that were heard",
                }];
            }
            Said::Moved(place, said) if !self.game.said(&said) => {
                // One that numbers its moves can be asked for all of them.
                return vec![match place {
                    None => Heard::DoesNotFollow { said },
                    Some(_) => Heard::Damaged {
                        why: "a move that is not legal after those that were heard",
                    },
                }];
            }
            _ => {}
        }
        self.news(&before)
    }

    /// A row of the game the board remembers; they come in order.
    fn recall(&mut self, number: usize, moves: Vec<String>) -> Vec<Heard> {
        let fits = |rows: &Vec<String>| rows.len() + 2 == number.saturating_mul(2);
        match &mut self.recalled {
            Some(rows) if fits(rows) => rows.extend(moves),
            _ => self.recalled = None,
        }
        Vec::new()
    }

    /// The board has told all it remembers, if it was telling.
    fn recalled(&mut self) -> Vec<Heard> {
        let Some(rows) = self.recalled.take() else {
            return Vec::new();
        };
        let mut game = Game::default();
        if !rows.iter().all(|said| game.said(said)) {
            return Vec::new();
        }
        let before = std::mem::replace(&mut self.game, game);
        self.news(&before)
    }

    /// Every position that is new, and what to keep.
    fn news(&mut self, before: &Game) -> Vec<Heard> {
        let first = !std::mem::replace(&mut self.told, true);
        if !first && self.game == *before {
            return Vec::new();
        }
        let array = (first && before.is_new()).then(|| placement(&before.position()));
        let boards = array.into_iter().chain(self.game.news(before));
        let mut heard: Vec<Heard> = boards
            .map(|board| Heard::Board {
                board: Picture::Pieces(board),
            })
            .collect();
        heard.push(Heard::Keep {
            what: self.game.to_text(),
        });
        heard
    }

    fn clock(&self, white: u64, black: u64) -> Displays {
        let white_to_move = self.game.position().turn().is_white();
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
