//! Two boards for one game, as blind players use them: each player's own board tells his moves, the other follows.

use shakmaty::{Chess, Position};

use super::inference::{Code, Evidence, Fact, Inference};
use super::machine::Tracker;
use super::observation::{Millis, Observation};
use super::record::{Played, Ply, Status};
use super::setup::Setup;

/// A copied move may take this long before it is told, in milliseconds.
const COPY: Millis = 3000;

/// Which of the two boards.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Side {
    /// The board of the player with the white pieces.
    White,
    /// The board of the player with the black pieces.
    Black,
}

/// A game on two boards.
#[derive(Clone, Debug)]
pub struct TwoBoards {
    white: Tracker,
    black: Tracker,
    differ_since: Option<Millis>,
    told: bool,
    now: Millis,
}

impl TwoBoards {
    /// Two boards with the same position on them.
    pub fn new(setup: Setup) -> TwoBoards {
        let white = Tracker::new(setup);
        TwoBoards {
            black: white.clone(),
            white,
            differ_since: None,
            told: false,
            now: 0,
        }
    }

    /// Takes an observation of one board; presses belong to the board of whoever pressed.
    pub fn observe(
        &mut self,
        at: Millis,
        side: Option<Side>,
        observation: Observation,
    ) -> Vec<Inference> {
        let side = side.or(match &observation {
            Observation::Press { by, .. } => Some(by.fold_wb(Side::White, Side::Black)),
            _ => None,
        });
        let mut all = self.tick(at);
        if side != Some(Side::Black) {
            let found = self.white.observe(at, observation.clone());
            all.extend(self.led_by(Side::White, found));
        }
        if side != Some(Side::White) {
            let found = self.black.observe(at, observation);
            all.extend(self.led_by(Side::Black, found));
        }
        all.extend(self.compare());
        all
    }

    /// Lets time pass.
    pub fn tick(&mut self, at: Millis) -> Vec<Inference> {
        let mut all = Vec::new();
        while let Some(due) = self.wake().filter(|&due| due <= at) {
            self.now = self.now.max(due);
            let white = self.white.tick(due);
            all.extend(self.led_by(Side::White, white));
            let black = self.black.tick(due);
            all.extend(self.led_by(Side::Black, black));
            all.extend(self.compare());
        }
        self.now = self.now.max(at);
        all
    }

    /// When `tick` has something to do next.
    pub fn wake(&self) -> Option<Millis> {
        let compare = self
            .differ_since
            .filter(|_| !self.told)
            .map(|since| since + COPY);
        [self.white.wake(), self.black.wake(), compare]
            .into_iter()
            .flatten()
            .min()
    }

    /// What one board says counts for the moves of its own player.
    fn led_by(&self, side: Side, found: Vec<Inference>) -> Vec<Inference> {
        let first = self.white.start().turn().fold_wb(Side::White, Side::Black);
        let own = |ply: u32| (ply % 2 == 1) == (side == first);
        found
            .into_iter()
            .filter(|inference| match &inference.fact {
                Fact::Made { ply, .. }
                | Fact::Completed { ply, .. }
                | Fact::Settled { ply, .. } => own(*ply),
                Fact::Revised { from_ply, .. } | Fact::Retracted { from_ply } => own(*from_ply),
                Fact::Alert { code, .. } | Fact::Clear { code } => *code != Code::ClockNotPressed,
                _ => true,
            })
            .collect()
    }

    fn compare(&mut self) -> Vec<Inference> {
        let same = self.white.record_moves() == self.black.record_moves();
        self.differ_since = if same {
            None
        } else {
            self.differ_since.or(Some(self.now))
        };
        let due = self
            .differ_since
            .is_some_and(|since| self.now >= since + COPY);
        let fact = match (due, self.told) {
            (true, false) => {
                let detail = "the two boards show different positions".to_owned();
                Fact::Alert {
                    code: Code::BoardsDiffer,
                    squares: Vec::new(),
                    detail,
                }
            }
            (false, true) if same => Fact::Clear {
                code: Code::BoardsDiffer,
            },
            _ => return Vec::new(),
        };
        self.told = due;
        vec![Inference {
            at: self.now,
            fact,
            certainty: 1.0,
            evidence: Evidence::default(),
        }]
    }

    /// Each player's plies from his own board, as far as they make one line.
    pub fn record(&self) -> Vec<Ply> {
        let (white, black) = (self.white.record(), self.black.record());
        let mut position = self.white.start();
        let mut line = Vec::new();
        loop {
            let own = position.turn().fold_wb(&white, &black);
            let Some(ply) = own.get(line.len()) else {
                return line;
            };
            let Played::Legal(uci) = &ply.played else {
                return line;
            };
            let Ok(mv) = uci.to_move(&position) else {
                return line;
            };
            position.play_unchecked(mv);
            line.push(ply.clone());
        }
    }

    /// The position after the record.
    pub fn position(&self) -> Chess {
        let mut position = self.white.start();
        for ply in self.record() {
            if let Played::Legal(uci) = ply.played
                && let Ok(mv) = uci.to_move(&position)
            {
                position.play_unchecked(mv);
            }
        }
        position
    }

    /// How things stand on the board of the player who moved last.
    pub fn status(&self) -> Status {
        let mover = self.position().turn().other();
        mover.fold_wb(&self.white, &self.black).status()
    }

    /// One of the two trackers.
    pub fn board(&self, side: Side) -> &Tracker {
        match side {
            Side::White => &self.white,
            Side::Black => &self.black,
        }
    }
}
