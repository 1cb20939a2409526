//! In which order did the pieces of one player arrive, which piece was a pawn promoted to that nobody saw, and did both
//! pieces rest on their way? What the squares cannot tell is said.

use shakmaty::{Chess, Move, Position, Role, Square};

use super::candidate::Candidate;
use super::core::Core;
use super::hypothesis::Id;
use super::observation::{Millis, Sensing};
use super::prices::LIFT_GRACE;

/// A piece that is dragged stays on a square between for less, in milliseconds.
const RESTED: Millis = 100;
/// Lines listed for one stretch.
const MOST_LINES: usize = 6;
/// Own plies before a ply that may have come after it.
const MOST_EARLIER: usize = 3;

impl Core {
    /// Looks at the plies of the best line from one on (counted from 0 at the first ply of all).
    pub(super) fn note_orders(&mut self, best: Id, from: usize) {
        let path = self.tree.path(best);
        let first = from.saturating_sub(self.past.len());
        for last in first.max(1)..path.len() {
            let (made, answer) = (path[last - 1], path[last]);
            for others in [
                self.other_promotions(made, answer),
                self.with_stops(made, answer),
            ] {
                self.note_others(&[made, answer], self.past.len() + last - 1, others);
            }
            for start in (0..last).rev().skip(1).step_by(2).take(MOST_EARLIER) {
                let plies = &path[start..=last];
                let Some(line) = self.other_order(plies) else {
                    break;
                };
                self.note_others(plies, self.past.len() + start, vec![line]);
            }
        }
    }

    fn note_others(&mut self, plies: &[Id], from: usize, others: Vec<Vec<Move>>) {
        let line = plies.iter().filter_map(|&id| self.move_of(id)).collect();
        self.doubt_lines(from, line, others, MOST_LINES);
    }

    fn move_of(&self, id: Id) -> Option<Move> {
        self.node(id).step.map(|step| step.mv)
    }

    fn before(&self, id: Id) -> Option<&Chess> {
        self.node(id)
            .parent
            .map(|parent| &self.node(parent).position)
    }

    /// A promoted piece that was taken before anybody saw it may have been any.
    fn other_promotions(&self, made: Id, answer: Id) -> Vec<Vec<Move>> {
        let unseen = self.sensing != Sensing::Identity || self.was_never_seen(made);
        let moves = (self.before(made), self.move_of(made), self.move_of(answer));
        let (Some(before), Some(promotion), Some(taking)) = moves else {
            return Vec::new();
        };
        if !unseen || promotion.promotion().is_none() || taking.to() != promotion.to() {
            return Vec::new();
        }
        let pawns = before.legal_moves().into_iter().filter(|mv| {
            (mv.from(), mv.to()) == (promotion.from(), promotion.to()) && *mv != promotion
        });
        pawns
            .filter_map(|mv| {
                lines_through(
                    before,
                    &[(mv.from(), mv.to(), mv.promotion()), ends(taking)],
                )
            })
            .collect()
    }

    /// The piece of a move was not read where it arrived, nor anything since.
    fn was_never_seen(&self, made: Id) -> bool {
        let node = self.node(made);
        node.bridged
            && node.step.is_some_and(|step| {
                let to = usize::from(step.to);
                let read = self.picture.before(to) == step.arrival();
                !read && self.picture.emptied(to) <= node.at
            })
    }

    /// A player's last piece was in the hand before another one was lifted: it may have arrived before it.
    fn other_order(&self, plies: &[Id]) -> Option<Vec<Move>> {
        let (&first, &last) = (plies.first()?, plies.last()?);
        if self.node(last).lift + LIFT_GRACE > self.node(first).lift {
            return None;
        }
        let line: Vec<Move> = plies.iter().filter_map(|&id| self.move_of(id)).collect();
        let mut wanted: Vec<Ends> = line.iter().map(|&mv| ends(mv)).collect();
        for own in (2..wanted.len()).rev().step_by(2) {
            wanted.swap(own, own - 2);
        }
        let before = self.before(first)?;
        lines_through(before, &wanted).filter(|other| same_end(before, other, &line))
    }

    /// The answering piece rested on its way before the first one had arrived: both may have moved twice.
    fn with_stops(&self, made: Id, answer: Id) -> Vec<Vec<Move>> {
        let moves = (
            self.before(made),
            self.node(made).step,
            self.node(answer).step,
        );
        let (Some(before), Some(first), Some(second)) = moves else {
            return Vec::new();
        };
        let twice = |stop: Square, rest: Square| {
            let plies = [
                (first.mv.from(), stop, None),
                (second.mv.from(), rest, None),
                (Some(stop), first.mv.to(), first.mv.promotion()),
                (Some(rest), second.mv.to(), second.mv.promotion()),
            ];
            lines_through(before, &plies)
        };
        let lift = self.node(answer).lift;
        let rests = self.rests_of(&second, lift, self.arrival(&first));
        rests
            .flat_map(|rest| Square::ALL.map(|stop| (stop, rest)))
            .filter_map(|(stop, rest)| twice(stop, rest))
            .filter(|line| same_end(before, line, &[first.mv, second.mv]))
            .collect()
    }

    /// Where the piece of a move stood after its lift and before a moment, for longer than one that is dragged.
    fn rests_of(
        &self,
        step: &Candidate,
        lift: Millis,
        until: Millis,
    ) -> impl Iterator<Item = Square> {
        let visits = self.picture.visited(step.arrival(), lift, lift);
        let rests = visits.filter(move |&(square, lasted)| {
            lasted >= RESTED && self.picture.since(square) < until
        });
        rests.map(|(square, _)| Square::new(square as u32))
    }

    /// When the piece of a move was seen where it belongs; now, if it was not.
    fn arrival(&self, step: &Candidate) -> Millis {
        let to = usize::from(step.to);
        let stands = self.picture.at(to) == self.sensing.see(step.arrival());
        if stands {
            self.picture.since(to)
        } else {
            self.now
        }
    }
}

pub(super) type Ends = (Option<Square>, Square, Option<Role>);

pub(super) fn ends(mv: Move) -> Ends {
    (mv.from(), mv.to(), mv.promotion())
}

/// The legal line with these origins, destinations and promotions.
pub(super) fn lines_through(before: &Chess, plies: &[Ends]) -> Option<Vec<Move>> {
    let mut position = before.clone();
    plies
        .iter()
        .map(|&wanted| {
            let mv = position
                .legal_moves()
                .into_iter()
                .find(|&mv| ends(mv) == wanted)?;
            position.play_unchecked(mv);
            Some(mv)
        })
        .collect()
}

/// Both lines lead to the same pieces on the same squares.
fn same_end(before: &Chess, one: &[Move], other: &[Move]) -> bool {
    after(before, one).board() == after(before, other).board()
}

/// The position that a legal line leads to.
pub(super) fn after(before: &Chess, line: &[Move]) -> Chess {
    let mut position = before.clone();
    line.iter().for_each(|&mv| position.play_unchecked(mv));
    position
}
