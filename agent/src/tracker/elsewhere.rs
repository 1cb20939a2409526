//! A piece whose arrival nobody saw turns up on another square: the line is told again with that square.

use shakmaty::{Chess, Move, Position};

use super::board::readings_of;
use super::candidate::Candidate;
use super::core::Core;
use super::hypothesis::{Id, Node};
use super::observation::{Reading, Sensing};
use super::prices::{Kind, Passing};

/// Plies of the best line that are told again.
const PLIES_BACK: usize = 12;

impl Core {
    /// Tries the best line with other destinations for pieces that are not where it has them and stand elsewhere.
    pub(super) fn look_elsewhere(&mut self, polled: bool) {
        if self.sensing != Sensing::Identity || !self.something_came() {
            return;
        }
        let best = self.best();
        let strangers = self.strangers_of(best);
        if strangers.is_empty() {
            return;
        }
        let path = self.tree.path(best);
        let first = path.len().saturating_sub(PLIES_BACK);
        for &(square, reading) in &strangers {
            for ply in (first..path.len()).rev() {
                if self.went_elsewhere(path[ply], best, reading)
                    && let Some(line) = self.told_again(&path[ply..], square)
                {
                    self.tell_again(&path[ply..], &line, polled);
                }
            }
        }
        self.forget();
    }

    /// A square has changed to what is no empty square, or nothing changed but the time.
    fn something_came(&self) -> bool {
        let mut squares = super::board::squares(self.changed);
        self.changed == 0 || squares.any(|square| !self.picture.at(square.to_usize()).is_empty())
    }

    /// Pieces the line does not expect where they stand.
    fn strangers_of(&self, best: Id) -> Vec<(usize, Reading)> {
        let runs = self.node(best).runs.iter();
        runs.filter(|run| matches!(run.kind, Kind::Extra | Kind::Differ | Kind::Lying))
            .map(|run| (usize::from(run.square), run.reading))
            .collect()
    }

    /// This ply moved such a piece to where it was not seen, or is not any more.
    fn went_elsewhere(&self, ply: Id, best: Id, reading: Reading) -> bool {
        let node = self.node(ply);
        let Some(step) = node.step.filter(|step| !step.mv.is_castle()) else {
            return false;
        };
        let missing = self
            .node(best)
            .run(usize::from(step.to))
            .is_some_and(|run| matches!(run.kind, Kind::Missing | Kind::Unseen));
        step.arrival() == reading && (node.bridged || missing)
    }

    /// The moves of these plies, the first one to another square; `None` where that is not legal.
    fn told_again(&self, plies: &[Id], square: usize) -> Option<Vec<(Move, Chess)>> {
        let (&first, rest) = plies.split_first()?;
        let node = self.node(first);
        let mut position = self.node(node.parent?).position.clone();
        let instead = node.step?.mv;
        let elsewhere = position.legal_moves().into_iter().find(|mv| {
            mv.from() == instead.from()
                && mv.promotion() == instead.promotion()
                && mv.to().to_usize() == square
                && !mv.is_castle()
        })?;
        position.play_unchecked(elsewhere);
        let mut line = vec![(elsewhere, position.clone())];
        for &ply in rest {
            let uci = self.node(ply).uci(self.mode)?;
            let mv = uci.to_move(&position).ok()?;
            position.play_unchecked(mv);
            line.push((mv, position.clone()));
        }
        Some(line)
    }

    /// Adds the line told again to the tree.
    fn tell_again(&mut self, plies: &[Id], line: &[(Move, Chess)], polled: bool) {
        let Some(mut at) = self.node(plies[0]).parent else {
            return;
        };
        let more = self.price_of_turning_up(plies[0], polled);
        if more >= self.tree.reach.prune {
            return;
        }
        for (&ply, (mv, position)) in plies.iter().zip(line) {
            let node = self.instead_of(ply, at, *mv, position, more);
            at = self.tree.put(node, self.now);
        }
    }

    /// What a line pays for a piece that was seen somewhere else first, and late where it went.
    fn price_of_turning_up(&self, ply: Id, polled: bool) -> f64 {
        let node = self.node(ply);
        let late = self.now.saturating_sub(node.at);
        let arrival = Passing {
            lasted: late,
            paid: Kind::Unseen.price(late, 0.0),
            in_hand: false,
        };
        let arrival = if polled {
            arrival.told_at_last()
        } else {
            arrival.arrived_late()
        };
        let to = node.step.map_or(0, |step| usize::from(step.to));
        let stood = self.picture.emptied(to).saturating_sub(node.at);
        let sighting = Passing {
            lasted: stood,
            paid: Kind::Extra.price(stood, 0.0),
            in_hand: true,
        };
        let seen_there = !node.bridged && self.picture.emptied(to) > node.at;
        let sighting = if seen_there {
            sighting.went_on(&self.pace)
        } else {
            0.0
        };
        f64::from(arrival + sighting)
    }

    /// The hypothesis of a ply with another move in its place.
    fn instead_of(&self, ply: Id, parent: Id, mv: Move, position: &Chess, more: f64) -> Node {
        let old = self.node(ply);
        let before = self.node(parent);
        let mut node = old.without_candidates();
        node.parent = Some(parent);
        node.step = Some(Candidate::new(
            mv,
            &before.pred,
            before.turn(),
            self.sensing,
        ));
        node.position = position.clone();
        node.pred = readings_of(position.board());
        node.base += more;
        node.taken = mv.capture().map_or(Reading::EMPTY, |role| {
            Reading::of(role.of(before.turn().other()))
        });
        let changed = (0..64).filter(|&square| node.pred[square] != old.pred[square]);
        for square in changed.collect::<Vec<usize>>() {
            node.drop_run(square);
            node.compare(square, &self.picture, self.sensing, self.now);
        }
        node.reprice();
        node
    }
}
