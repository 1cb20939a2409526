//! A piece whose arrival nobody saw turns up on another square, or another piece turns up that moved meanwhile: the line is told
//! again with what was seen.

use shakmaty::{Chess, Move, Position, Square};

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
                for line in self.told_again(&path[ply..], best, (square, reading)) {
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

    /// The moves of these plies, the first one replaced by those that bring the piece to the square where it was seen.
    fn told_again(
        &self,
        plies: &[Id],
        best: Id,
        (square, reading): (usize, Reading),
    ) -> Vec<Vec<(Move, Chess)>> {
        let node = self.node(plies[0]);
        let Some((step, before)) = node.step.zip(node.parent) else {
            return Vec::new();
        };
        let there = self
            .node(best)
            .run(usize::from(step.to))
            .map(|run| run.kind);
        let gone = node.bridged || matches!(there, Some(Kind::Missing | Kind::Unseen));
        let same_piece = gone && step.arrival() == reading;
        let never_came = node.bridged && there.is_some();
        if step.mv.is_castle() || !(same_piece || never_came) {
            return Vec::new();
        }
        let before = &self.node(before).position;
        let brings = |mv: &Move| {
            let same = mv.from() == step.mv.from() && mv.promotion() == step.mv.promotion();
            mv.to().to_usize() == square
                && !mv.is_castle()
                && ((same && same_piece)
                    || (!same && never_came && self.has_left(mv, reading, before)))
        };
        let instead = before.legal_moves().into_iter().filter(brings);
        instead
            .filter_map(|mv| self.followed(before, mv, &plies[1..]))
            .collect()
    }

    /// The piece of this reading moves, and where it comes from nothing stands any more.
    fn has_left(&self, mv: &Move, reading: Reading, before: &Chess) -> bool {
        let moves = Reading::of(mv.promotion().unwrap_or(mv.role()).of(before.turn()));
        let empty = |from: Square| self.picture.at(from.to_usize()).is_empty();
        moves == reading && mv.from().is_some_and(empty)
    }

    /// A move and the same plies as before after it; `None` where they are not legal any more.
    fn followed(&self, before: &Chess, mv: Move, plies: &[Id]) -> Option<Vec<(Move, Chess)>> {
        let mut position = before.clone();
        position.play_unchecked(mv);
        let mut line = vec![(mv, position.clone())];
        for &ply in plies {
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
