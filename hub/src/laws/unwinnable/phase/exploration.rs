//! Goes from phase to phase until one might hold a mate (no proof) or none is left (proof).

use std::collections::BinaryHeap;

use shakmaty::{Bitboard, Chess};

use super::{
    closure::{close, drop_anchors},
    edges,
    graph::{Attempt, Closed},
    mate::may_mate,
    state::Phase,
};
use crate::laws::unwinnable::budget::Budget;

/// How to go about it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(in crate::laws::unwinnable) struct Manner {
    /// Men with at most so many moves when a phase begins keep their square while it lasts.
    pub anchors: Option<usize>,
    /// What comes first.
    pub order: Order,
}

/// Which phase is looked at next.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(in crate::laws::unwinnable) enum Order {
    /// The latest found: soon meets one that may hold a mate, if there is any.
    #[default]
    Latest,
    /// The one with the most pawn moves and captures to come. Phases that differ only in where the kings may stand have
    /// then all been found before any of them is looked at, and are made one.
    Earliest,
}

pub(super) struct Exploration<'c, 'b, 's> {
    closed: &'c mut Closed,
    manner: Manner,
    /// Phases before this one belong to earlier proofs.
    first: usize,
    most: usize,
    left: usize,
    open: BinaryHeap<(usize, usize)>,
    is_open: Vec<bool>,
    budget: &'b mut Budget<'s>,
}

impl<'c, 'b, 's> Exploration<'c, 'b, 's> {
    /// What a phase costs, in nodes.
    const COST: u64 = 4;
    const SHARP_COST: u64 = 10;

    pub(super) fn new(
        closed: &'c mut Closed,
        manner: Manner,
        limit: usize,
        budget: &'b mut Budget<'s>,
    ) -> Self {
        Self {
            first: closed.phases.len(),
            closed,
            manner,
            most: limit,
            left: limit,
            open: BinaryHeap::new(),
            is_open: Vec::new(),
            budget,
        }
    }

    pub(super) fn run(mut self, start: &Chess, first: Phase) -> Attempt {
        let en_passant = edges::en_passant_at_once(start, &first, self.closed.winner);
        for phase in std::iter::once(first).chain(en_passant) {
            let end = self.add(phase);
            if end != Attempt::Proven {
                return end;
            }
        }
        while let Some((_, number)) = self.open.pop() {
            self.is_open[number - self.first] = false;
            let end = self.look_at(number);
            if end != Attempt::Proven {
                return end;
            }
        }
        Attempt::Proven
    }

    /// Takes in every phase that can follow. The proof has failed unless it says so.
    fn look_at(&mut self, number: usize) -> Attempt {
        let mut phase = self.closed.phases[number].clone();
        if self.manner.order == Order::Earliest {
            let end = self.close(&mut phase);
            if end != Attempt::Proven {
                return end;
            }
            self.closed.phases[number].clone_from(&phase);
        }
        let mut end = Attempt::Proven;
        edges::each_edge(&phase, self.closed.winner, &mut |next| {
            end = self.add(next);
            end == Attempt::Proven
        });
        end
    }

    /// Takes in a phase, unless one that contains it is there: closed at once, or when it is looked at.
    fn add(&mut self, mut phase: Phase) -> Attempt {
        if phase.is_bare(self.closed.winner) || self.closed.covers(&phase) {
            return Attempt::Proven;
        }
        match self.manner.order {
            Order::Latest => {
                let end = self.close(&mut phase);
                if end == Attempt::Proven {
                    self.push(phase);
                }
                end
            }
            Order::Earliest => match self.alike(&phase) {
                Some(number) => {
                    self.widen(number, &phase);
                    Attempt::Proven
                }
                None if self.is_open.len() >= self.most => Attempt::OutOfRoom,
                None => {
                    self.push(phase);
                    Attempt::Proven
                }
            },
        }
    }

    /// Closes a phase and tests it for mates, for what that costs.
    fn close(&mut self, phase: &mut Phase) -> Attempt {
        let cost = if phase.kings.is_some() {
            Self::SHARP_COST
        } else {
            Self::COST
        };
        if self.left == 0 || !self.budget.spend(cost) {
            return Attempt::OutOfRoom;
        }
        self.left -= 1;
        if let Some(moves) = self.manner.anchors {
            drop_anchors(phase, moves);
        }
        close(phase);
        if may_mate(phase, self.closed.winner) {
            return Attempt::MayMate;
        }
        Attempt::Proven
    }

    /// A phase of this proof that differs only in where the kings may stand.
    fn alike(&self, phase: &Phase) -> Option<usize> {
        let mut known = self.closed.with_pawns_of(phase);
        known.find(|&i| i >= self.first && phase.within_but_for_kings(&self.closed.phases[i]))
    }

    /// Lets the kings of a phase stand elsewhere too; it must then be looked at (again).
    fn widen(&mut self, number: usize, more: &Phase) {
        self.closed.phases[number].join_kings(more);
        self.open(number);
    }

    fn push(&mut self, phase: Phase) {
        let number = self.closed.push(phase);
        self.is_open.push(false);
        self.open(number);
    }

    fn open(&mut self, number: usize) {
        if !std::mem::replace(&mut self.is_open[number - self.first], true) {
            let place = match self.manner.order {
                Order::Latest => number,
                Order::Earliest => still_to_come(&self.closed.phases[number]),
            };
            self.open.push((place, number));
        }
    }
}

/// More than this cannot happen after a phase: less after every pawn move and every capture.
fn still_to_come(phase: &Phase) -> usize {
    let steps = |pawns: Bitboard, last: i32| -> i32 {
        let ways = pawns.into_iter().map(|at| (last - at.rank() as i32).abs());
        ways.map(|way| way + 1).sum()
    };
    let pawns = steps(phase.white_pawns, 7) + steps(phase.black_pawns, 0);
    let men = phase.men.iter().filter(|m| m.squares.any()).count();
    pawns as usize + men
}
