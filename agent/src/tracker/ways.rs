//! By which square did a piece go that nobody saw there? Every other way to where it stands now is as good; a pawn that
//! was taken where nobody saw it may have gone one square or two.

use shakmaty::{Chess, Move, Position, Role, Square};

use super::core::Core;
use super::hypothesis::Id;

/// Plies between a square where a piece was not seen and where it went on to.
const PLIES_BETWEEN: usize = 6;

impl Core {
    /// Looks at the plies of the best line from one on (counted from 0 at the first ply of all): those that moved a piece
    /// on from where it was never seen could have come by another square.
    pub(super) fn note_ways(&mut self, best: Id, from: usize) {
        let path = self.tree.path(best);
        let first = from.saturating_sub(self.past.len());
        for last in first..path.len() {
            for start in last.saturating_sub(PLIES_BETWEEN)..last {
                let taken = start + 1 == last && self.taken_by_a_pawn(path[start], path[last]);
                let unseen = self.went_on_unseen(path[start], path[last])
                    || self.went_on_at_once(&path[start..=last]);
                if taken || unseen {
                    self.note_way(&path[start..=last], self.past.len() + start);
                }
            }
        }
    }

    /// One ply moved a piece to where it was never seen, the other moved it on.
    fn went_on_unseen(&self, one: Id, other: Id) -> bool {
        let node = self.node(one);
        let Some((arrived, left)) = node.step.zip(self.node(other).step) else {
            return false;
        };
        let mover = |id: Id| self.node(id).turn();
        node.bridged
            && arrived.to == left.from
            && mover(one) == mover(other)
            && !arrived.mv.is_castle()
            && self.picture.emptied(usize::from(arrived.to)) <= node.at
    }

    /// The piece was seen where it came to and was gone before the reply began: it may have been set down elsewhere.
    fn went_on_at_once(&self, plies: &[Id]) -> bool {
        let &[one, reply, .., other] = plies else {
            return false;
        };
        let (arrived, left) = (self.node(one), self.node(other));
        let moves = arrived.step.zip(left.step);
        moves.is_some_and(|(first, second)| first.to == second.from && !first.mv.is_castle())
            && arrived.turn() == left.turn()
            && left.lift < self.node(reply).lift
    }

    /// A pawn that was never seen where it came to, and is no more.
    fn taken_by_a_pawn(&self, one: Id, other: Id) -> bool {
        let node = self.node(one);
        let pawns = |id: Id| {
            self.node(id)
                .step
                .is_some_and(|step| step.mv.role() == Role::Pawn)
        };
        let takes = self
            .node(other)
            .step
            .is_some_and(|step| step.mv.is_capture());
        node.bridged && takes && pawns(one) && pawns(other)
    }

    fn note_way(&mut self, plies: &[Id], from: usize) {
        let line: Vec<Move> = plies
            .iter()
            .filter_map(|&id| self.node(id).step.map(|step| step.mv))
            .collect();
        let Some(before) = self.node(plies[0]).parent else {
            return;
        };
        let others = ways(&self.node(before).position, &line);
        self.doubt_lines(from, line, others, usize::MAX);
    }
}

/// The same plies with another square between the first and the last.
fn ways(before: &Chess, line: &[Move]) -> Vec<Vec<Move>> {
    let Some((first, rest)) = line.split_first().filter(|(first, _)| !first.is_capture()) else {
        return Vec::new();
    };
    if let [taking] = rest {
        return taken_elsewhere(before, *first, *taking);
    }
    let others = before.legal_moves().into_iter().filter(|mv| {
        mv.from() == first.from()
            && mv.to() != first.to()
            && mv.promotion() == first.promotion()
            && !mv.is_capture()
            && !mv.is_castle()
    });
    others
        .filter_map(|mv| by_way_of(before, mv, rest))
        .collect()
}

/// The same capture of a pawn that went one square instead of two, or two instead of one.
fn taken_elsewhere(before: &Chess, first: Move, taking: Move) -> Vec<Vec<Move>> {
    let mut taken = before.clone();
    taken.play_unchecked(first);
    taken.play_unchecked(taking);
    let others = before.legal_moves().into_iter();
    let others = others.filter(|mv| mv.from() == first.from() && mv.to() != first.to());
    others
        .filter_map(|mv| {
            let mut position = before.clone();
            position.play_unchecked(mv);
            let replies = position.legal_moves().into_iter();
            let mut same = replies.filter(|reply| {
                (reply.from(), reply.to()) == (taking.from(), taking.to())
                    && reply.promotion() == taking.promotion()
            });
            let reply = same.next()?;
            position.play_unchecked(reply);
            (position.board() == taken.board()).then(|| vec![mv, reply])
        })
        .collect()
}

/// The line with this move first, its last move from where that leads; `None` where that is not legal.
fn by_way_of(before: &Chess, first: Move, rest: &[Move]) -> Option<Vec<Move>> {
    let mut position = before.clone();
    position.play_unchecked(first);
    let mut line = vec![first];
    for (ply, mv) in rest.iter().enumerate() {
        let from = if ply + 1 == rest.len() {
            Some(first.to())
        } else {
            mv.from()
        };
        let same = same_as(&position, *mv, from)?;
        position.play_unchecked(same);
        line.push(same);
    }
    Some(line)
}

/// The legal move with the same end.
fn same_as(position: &Chess, mv: Move, from: Option<Square>) -> Option<Move> {
    position.legal_moves().into_iter().find(|other| {
        other.from() == from
            && other.to() == mv.to()
            && other.role() == mv.role()
            && other.promotion() == mv.promotion()
            && other.is_castle() == mv.is_castle()
            && other.is_en_passant() == mv.is_en_passant()
    })
}
