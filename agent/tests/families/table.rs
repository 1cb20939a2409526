//! One virtual board with its session, in simulated time, and what can happen to the bytes between them.

use agent::devices::{Driver, LineOptions};
use agent::scoresheet::Scoresheet;
use agent::session::{Agent, Device, Input, Memory, Output, Session};
use agent::simulate::hands::Act;
use agent::simulate::{self, BadLine, VirtualBoard, touch};
use protocol::Fact;

/// Milliseconds between two looks of the world.
pub(crate) const STEP: u64 = 10;
/// Until then, before the hands begin, the port has the wrong speed, where it has.
pub(crate) const WRONG_UNTIL: u64 = 3_500;

/// What happens to the bytes on their way.
#[derive(Clone, Copy, Default)]
pub(crate) struct Flaws {
    /// Of a million bytes so many are lost, and before so many others a false one arrives.
    pub(crate) lost: u32,
    pub(crate) noise: u32,
    /// Messages arrive in pieces.
    pub(crate) split: bool,
    /// Twice during the game the board is away for two seconds.
    pub(crate) away: Option<Away>,
    /// Until the hands begin the port has another speed than the board.
    pub(crate) wrong_speed: bool,
}

/// How a board can be away.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Away {
    /// The cable is pulled: the port is gone.
    Cable,
    /// The board is switched off; the port stays.
    Power,
    /// Nothing arrives; the port stays.
    Silence,
}

pub(crate) struct Table {
    pub(crate) board: Box<dyn VirtualBoard>,
    pub(crate) session: Session,
    driver: &'static dyn Driver,
    memory: Option<Box<Device>>,
    line: BadLine,
    flaws: Flaws,
    pub(crate) facts: Vec<Fact>,
    pub(crate) written: Vec<Vec<u8>>,
    pub(crate) now: u64,
}

impl Flaws {
    fn line(&self) -> BadLine {
        let flaws = simulate::Flaws {
            lost: self.lost,
            noise: self.noise,
            split: self.split,
        };
        BadLine::new(flaws, 5)
    }
}

impl Table {
    pub(crate) fn new(
        board: Box<dyn VirtualBoard>,
        driver: &'static dyn Driver,
        flaws: Flaws,
    ) -> Table {
        let mut table = Table {
            board,
            session: Session::new(driver.open(LineOptions::default()), "table-1"),
            driver,
            memory: None,
            line: flaws.line(),
            flaws,
            facts: Vec::new(),
            written: Vec::new(),
            now: 1_000,
        };
        table.give(Input::Opened);
        table
    }

    pub(crate) fn give(&mut self, input: Input<'_>) {
        let mut outputs: std::collections::VecDeque<Output> =
            self.session.handle(self.now, input).into();
        while let Some(output) = outputs.pop_front() {
            match output {
                Output::Write(bytes) => {
                    let arrived = self.line.to_board(&bytes);
                    if !arrived.is_empty() {
                        self.board.host_bytes(self.now, &arrived);
                    }
                    self.written.push(bytes);
                }
                Output::Identified(id) => {
                    let device = self.memory.take().unwrap_or_else(|| {
                        let name = || "test".parse().expect("a good name");
                        let agent = Agent {
                            id: name(),
                            boot: "boot".parse().expect("a good name"),
                        };
                        Box::new(Device::new(agent, Memory::fresh(id), 1, false))
                    });
                    outputs.extend(self.session.handle(self.now, Input::Device(device)));
                }
                Output::Fact(envelope) => self.facts.push(envelope.fact),
                Output::Reopen(_) | Output::Nobody => self.reopen(),
                Output::Keep(..) | Output::Info(_) => {}
            }
        }
    }

    /// The cable is pulled, or the agent opens the port anew.
    pub(crate) fn reopen(&mut self) {
        let known = LineOptions {
            known: true,
            ..LineOptions::default()
        };
        let line = self.driver.open(known);
        let old = std::mem::replace(&mut self.session, Session::new(line, "table-1"));
        self.memory = old.into_device().or(self.memory.take());
        self.give(Input::Opened);
    }

    /// The board is gone; says whether the port is still there.
    pub(crate) fn leave(&mut self, away: Away) -> bool {
        match away {
            Away::Cable => self.give(Input::Lost),
            Away::Power => self.board.power(self.now, false),
            Away::Silence => self.line.fall_silent(true),
        }
        away != Away::Cable
    }

    pub(crate) fn back(&mut self, away: Away) {
        match away {
            Away::Cable => self.reopen(),
            Away::Power => self.board.power(self.now, true),
            Away::Silence => self.line.fall_silent(false),
        }
    }

    pub(crate) fn run_to(&mut self, until: u64, connected: bool) {
        while self.now + STEP <= until {
            self.now += STEP;
            let wrong_speed = self.flaws.wrong_speed && self.now < WRONG_UNTIL;
            self.line.set_wrong_speed(wrong_speed);
            let bytes = self.board.take_output(self.now);
            if connected {
                let bytes = self.line.to_host(bytes);
                if !bytes.is_empty() {
                    self.give(Input::Bytes(&bytes));
                }
                if self.session.wake().is_some_and(|at| at <= self.now) {
                    self.give(Input::Tick);
                }
            }
        }
    }

    pub(crate) fn act(&mut self, act: &Act) {
        touch(self.board.as_mut(), self.now, act.clone());
    }

    pub(crate) fn moves(&self) -> Vec<String> {
        let mut sheet = Scoresheet::default();
        self.facts.iter().for_each(|fact| sheet.take(fact));
        sheet.moves()
    }
}

pub(crate) const SOUND: Flaws = Flaws {
    lost: 0,
    noise: 0,
    split: false,
    away: None,
    wrong_speed: false,
};
