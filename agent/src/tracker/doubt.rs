//! Stretches of the line that could as well have been others, for good: nothing that happens later can tell them apart.

use shakmaty::{CastlingMode, Move, uci::UciMove};

use super::core::Core;
use super::machine::Tracker;
use super::margin::certainty;

/// So many are remembered.
const MOST: usize = 128;

/// A stretch of the line, and what else leads to the same position.
#[derive(Clone, Debug)]
pub(super) struct Doubt {
    /// The first ply of it, counted from 0 at the first ply of all.
    pub(super) from: usize,
    pub(super) line: Vec<Move>,
    pub(super) others: Vec<Other>,
    /// How sure its plies are whatever the others say.
    pub(super) most: f32,
    /// There are others that are not listed.
    pub(super) more: bool,
}

/// Another stretch that leads to the same position.
#[derive(Clone, Debug)]
pub(super) struct Other {
    pub(super) line: Vec<Move>,
    /// How much worse it explains what was seen.
    pub(super) worse: f64,
}

impl Doubt {
    fn end(&self) -> usize {
        self.from + self.line.len()
    }

    /// The stretch is part of this line.
    fn is_in(&self, line: &[Move]) -> bool {
        line.get(self.from..)
            .is_some_and(|rest| rest.starts_with(&self.line))
    }

    /// How sure a ply of it can be.
    fn certainty(&self, ply: usize) -> f32 {
        if !(self.from..self.end()).contains(&ply) {
            return 1.0;
        }
        let place = ply - self.from;
        let others = self
            .others
            .iter()
            .filter(|other| other.line.get(place) != self.line.get(place))
            .map(|other| certainty(other.worse));
        others.fold(self.most, f32::min)
    }

    /// The lines that could stand from a ply on, the recorded one first, each with what was played afterwards.
    fn choices(&self, ply: usize, line: &[Move], mode: CastlingMode) -> Vec<Vec<UciMove>> {
        let skipped = ply - self.from;
        let others = self.others.iter().map(|other| &other.line);
        std::iter::once(&self.line)
            .chain(others)
            .map(|stretch| {
                let moves = stretch.iter().skip(skipped).chain(&line[self.end()..]);
                moves.map(|mv| mv.to_uci(mode)).collect()
            })
            .collect()
    }
}

impl Core {
    /// Remembers that a stretch could as well have been one of others, of which at most so many are listed.
    pub(super) fn doubt_lines(
        &mut self,
        from: usize,
        line: Vec<Move>,
        others: Vec<Vec<Move>>,
        most: usize,
    ) {
        if others.is_empty() {
            return;
        }
        let more = others.len() > most;
        let listed = others.into_iter().take(most);
        self.doubt(Doubt {
            from,
            line,
            others: listed.map(|line| Other { line, worse: 0.0 }).collect(),
            most: 1.0,
            more,
        });
    }

    /// Remembers a doubt; another line for a stretch already doubted is added to it.
    pub(super) fn doubt(&mut self, doubt: Doubt) {
        let same = |known: &&mut Doubt| known.from == doubt.from && known.line == doubt.line;
        if let Some(known) = self.doubts.iter_mut().find(same) {
            known.most = known.most.min(doubt.most);
            known.more |= doubt.more;
            for other in doubt.others {
                if known.others.iter().all(|known| known.line != other.line) {
                    known.others.push(other);
                }
            }
            return;
        }
        if self.doubts.len() == MOST {
            self.doubts.remove(0);
        }
        self.doubts.push(doubt);
    }
}

impl Tracker {
    /// How sure the plies shown can be by what else explains the board.
    pub(super) fn bounds(&self) -> Vec<f32> {
        let mut bounds = vec![1.0; self.shown.len()];
        if self.core.doubts.is_empty() {
            return bounds;
        }
        let line = self.record_moves();
        for doubt in self.core.doubts.iter().filter(|doubt| doubt.is_in(&line)) {
            for (ply, bound) in bounds.iter_mut().enumerate().skip(doubt.from) {
                *bound = f32::min(*bound, doubt.certainty(ply));
            }
        }
        bounds
    }

    /// A ply is part of a stretch for which there are more lines than are listed.
    pub(super) fn has_unlisted(&self, ply: usize) -> bool {
        let covers = |doubt: &&Doubt| doubt.more && doubt.certainty(ply) < 1.0;
        let mut open = self.core.doubts.iter().filter(covers).peekable();
        if open.peek().is_none() {
            return false;
        }
        let line = self.record_moves();
        open.any(|doubt| doubt.is_in(&line))
    }

    /// Adds what else may have been played, for a ply of a doubtful stretch.
    pub(super) fn add_doubts(&self, ply: usize, choices: &mut Vec<Vec<UciMove>>) {
        if self.core.doubts.is_empty() {
            return;
        }
        let line = self.record_moves();
        let covers = |doubt: &&Doubt| doubt.certainty(ply) < 1.0 && doubt.is_in(&line);
        for doubt in self.core.doubts.iter().filter(covers) {
            for other in doubt.choices(ply, &line, self.core.mode) {
                if !choices.contains(&other) {
                    choices.push(other);
                }
            }
        }
    }
}
