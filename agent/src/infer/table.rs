//! One board or two: a stream that names its boards `A` (White's) and `B` gets a tracker for each.

use shakmaty::Chess;

use crate::tracker::{
    Inference, Millis, Observation, Ply, Readings, Setup, Side, Status, Tracker, TwoBoards,
};

/// The boards of one game.
pub(super) enum Table {
    /// One, with the set-up it began with.
    One(Box<Tracker>, Box<Setup>),
    /// Two.
    Two(Box<TwoBoards>),
}

impl Table {
    pub(super) fn new(setup: Setup) -> Table {
        Table::One(Box::new(Tracker::new(setup.clone())), Box::new(setup))
    }

    /// `second`: the observation names its board, and whether it is the second one.
    pub(super) fn observe(
        &mut self,
        at: Millis,
        second: Option<bool>,
        observation: Observation,
    ) -> Vec<Inference> {
        if let (Table::One(_, setup), Some(_)) = (&*self, second) {
            *self = Table::Two(Box::new(TwoBoards::new((**setup).clone())));
        }
        let side = second.map(|second| if second { Side::Black } else { Side::White });
        match self {
            Table::One(tracker, _) => tracker.observe(at, observation),
            Table::Two(boards) => boards.observe(at, side, observation),
        }
    }

    pub(super) fn tick(&mut self, at: Millis) -> Vec<Inference> {
        match self {
            Table::One(tracker, _) => tracker.tick(at),
            Table::Two(boards) => boards.tick(at),
        }
    }

    pub(super) fn record(&self) -> Vec<Ply> {
        match self {
            Table::One(tracker, _) => tracker.record(),
            Table::Two(boards) => boards.record(),
        }
    }

    pub(super) fn status(&self) -> Status {
        match self {
            Table::One(tracker, _) => tracker.status(),
            Table::Two(boards) => boards.status(),
        }
    }

    pub(super) fn position(&self) -> Chess {
        match self {
            Table::One(tracker, _) => tracker.position(),
            Table::Two(boards) => boards.position(),
        }
    }

    pub(super) fn readings(&self) -> &Readings {
        match self {
            Table::One(tracker, _) => tracker.readings(),
            Table::Two(boards) => boards.board(Side::White).readings(),
        }
    }
}
