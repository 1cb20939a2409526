//! Two lines that lead to the same position stay as good as they are: one goes on, the other is remembered as a doubt.

use shakmaty::{Move, Position};

use super::core::Core;
use super::doubt::{Doubt, Other};
use super::hypothesis::{Id, Node};
use super::observation::Millis;
use super::tree::Tree;

/// A board at peace with both lines for so long tells no more about them, in milliseconds.
const RESTED: Millis = 600;

/// Plies that have been played since lines of different lengths met: their presses have had their say.
const SINCE: usize = 8;
/// A line this much worse is not remembered.
const KEPT: f64 = 6.0;

impl Core {
    /// Drops lines that differ from the best one only in how they came to one of its positions.
    pub(super) fn merge_twins(&mut self) {
        let path = self.tree.path(self.best());
        while let Some((id, twin)) = self.twins(&path) {
            self.merge(id, twin);
        }
    }

    /// A hypothesis of the best line, and another one with its position.
    fn twins(&self, path: &[Id]) -> Option<(Id, Id)> {
        let floor = self.node(self.tree.root).depth;
        let pair = |twin: Id, node: &Node| {
            let place = (node.depth - floor).checked_sub(1)?;
            let id = *path.get(place as usize)?;
            (id != twin && self.node(id).pred == node.pred).then_some((id, twin))
        };
        let mut pairs = self.tree.nodes().filter_map(|(id, node)| pair(id, node));
        pairs.find(|&(id, twin)| self.are_twins(self.node(id), self.node(twin)))
    }

    fn are_twins(&self, one: &Node, other: &Node) -> bool {
        one.debt == other.debt
            && self.rested(one)
            && self.rested(other)
            && same_position(&one.position, &other.position)
    }

    /// Drops lines that came to a position of the best line with more plies or fewer, once presses have had their say.
    pub(super) fn merge_lengths(&mut self) {
        let path = self.tree.path(self.best());
        let long_ago = &path[..path.len().saturating_sub(SINCE)];
        while let Some((id, twin)) = self.longer_or_shorter(long_ago, &path) {
            let best = self.cost(self.best());
            let worse = self.tree.cheapest_from(twin, self.now) - best;
            self.merge_at(id, twin, worse);
        }
    }

    /// A hypothesis of the best line, and the first of another line with its position after another number of plies.
    fn longer_or_shorter(&self, long_ago: &[Id], path: &[Id]) -> Option<(Id, Id)> {
        let others = self
            .tree
            .nodes()
            .filter(|(id, node)| node.parent.is_some() && !path.contains(id));
        let pairs = others.filter_map(|(twin, node)| {
            let parted = self.parted(twin, path);
            let same = |id: &&Id| {
                let here = self.node(**id);
                here.depth > parted
                    && here.depth != node.depth
                    && here.pred == node.pred
                    && same_position(&here.position, &node.position)
            };
            long_ago.iter().find(same).map(|&id| (id, twin))
        });
        pairs.min_by_key(|&(_, twin)| self.node(twin).depth)
    }

    /// The depth at which a line left the best one.
    fn parted(&self, id: Id, path: &[Id]) -> u32 {
        let mut line = self.tree.ancestry(id);
        let shared = line.find(|step| path.contains(step));
        self.node(shared.unwrap_or(self.tree.root)).depth
    }

    /// The board agrees and has done so for a while.
    fn rested(&self, node: &Node) -> bool {
        node.mask & node.step.map_or(0, |step| step.mask) == 0 && self.now >= node.grown + RESTED
    }

    fn merge(&mut self, id: Id, twin: Id) {
        self.merge_at(id, twin, self.cost(twin) - self.cost(id));
    }

    fn merge_at(&mut self, id: Id, twin: Id, worse: f64) {
        let worse = worse.max(0.0);
        if worse < KEPT {
            let (line, other) = (self.tree.path(id), self.tree.path(twin));
            let shared = line.iter().zip(&other).take_while(|(a, b)| a == b).count();
            self.doubt(Doubt {
                from: self.past.len() + shared,
                line: moves(&self.tree, &line[shared..]),
                others: vec![Other {
                    line: moves(&self.tree, &other[shared..]),
                    worse,
                }],
                most: 1.0,
                more: false,
            });
        }
        self.forget();
        self.tree.cut(twin);
    }
}

fn moves(tree: &Tree, path: &[Id]) -> Vec<Move> {
    let steps = path.iter().filter_map(|&id| tree.node(id).step);
    steps.map(|step| step.mv).collect()
}

/// The same pieces, the same player to move, the same rights.
fn same_position(one: &shakmaty::Chess, other: &shakmaty::Chess) -> bool {
    use shakmaty::EnPassantMode::Legal;
    one.turn() == other.turn()
        && one.castles().castling_rights() == other.castles().castling_rights()
        && one.ep_square(Legal) == other.ep_square(Legal)
}
