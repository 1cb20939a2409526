//! The tree of hypotheses: storage, ancestry, pruning, and moving its root forward.

use shakmaty::{Chess, Color};

use super::board::Picture;
use super::hypothesis::{Id, Node, Seen, Taken};
use super::margin::margins;
use super::observation::{Millis, Sensing};
use super::presses::{PRESSED_WITHIN, Plies, Presses};
use super::prices::Reach;

/// Plies the best line may be ahead of the root.
const AHEAD: u32 = 8;
/// The root moves on by so many plies at once.
const AT_ONCE: u32 = 4;
/// How much worse every line without the next ply must be before the root moves past it.
const LEAVE: f64 = 6.0;
/// A hypothesis goes back by so much for every one before it that differs only in where an unseen piece is.
const ALIKE: f64 = 0.5;
/// Children noted before those that have gone are forgotten.
const MOST_CHILDREN: usize = 64;
/// The line is never longer than this, settled or not.
const LONGEST: u32 = 32;

/// The hypotheses, all of them continuations of one root.
#[derive(Clone, Debug)]
pub(super) struct Tree {
    slots: Vec<Option<Node>>,
    free: Vec<Id>,
    pub(super) root: Id,
    pub(super) reach: Reach,
    presses: Presses,
}

impl Tree {
    pub(super) fn new(position: Chess, picture: &Picture, sensing: Sensing, at: Millis) -> Tree {
        Tree {
            slots: vec![Some(Node::root(position, picture, sensing, at))],
            free: Vec::new(),
            root: 0,
            reach: Reach::of(sensing),
            presses: Presses::default(),
        }
    }

    pub(super) fn node(&self, id: Id) -> &Node {
        self.slots[id].as_ref().expect("ids in use name nodes")
    }

    pub(super) fn node_mut(&mut self, id: Id) -> &mut Node {
        self.slots[id].as_mut().expect("ids in use name nodes")
    }

    /// What it keeps on the heap, in bytes.
    pub(super) fn heap(&self) -> usize {
        let nodes: usize = self.nodes().map(|(_, node)| node.heap()).sum();
        self.presses.heap()
            + self.slots.capacity() * size_of::<Option<Node>>()
            + self.free.capacity() * size_of::<Id>()
            + nodes
    }

    pub(super) fn has(&self, id: Id) -> bool {
        self.slots.get(id).is_some_and(Option::is_some)
    }

    pub(super) fn ids(&self) -> impl Iterator<Item = Id> {
        self.slots
            .iter()
            .enumerate()
            .filter(|(_, slot)| slot.is_some())
            .map(|(id, _)| id)
    }

    pub(super) fn nodes(&self) -> impl Iterator<Item = (Id, &Node)> {
        self.slots
            .iter()
            .enumerate()
            .filter_map(|(id, slot)| slot.as_ref().map(|node| (id, node)))
    }

    pub(super) fn insert(&mut self, node: Node) -> Id {
        let parent = node.parent;
        let id = match self.free.pop() {
            Some(free) => {
                self.slots[free] = Some(node);
                free
            }
            None => {
                self.slots.push(Some(node));
                self.slots.len() - 1
            }
        };
        if let Some(parent) = parent {
            self.adopt(parent, id);
        }
        id
    }

    /// Notes a child; children that have gone are forgotten when there are many.
    fn adopt(&mut self, parent: Id, id: Id) {
        let mut children = std::mem::take(&mut self.node_mut(parent).children);
        if children.len() == MOST_CHILDREN {
            children.retain(|child| self.is_child(parent, *child));
        }
        children.push(id);
        self.node_mut(parent).children = children;
    }

    fn is_child(&self, parent: Id, id: Id) -> bool {
        self.has(id) && self.node(id).parent == Some(parent)
    }

    /// A hypothesis in its place: inserted, or instead of a dearer one with the same moves.
    pub(super) fn put(&mut self, mut node: Node, now: Millis) -> Id {
        let known = node
            .parent
            .zip(node.step)
            .and_then(|(parent, step)| self.child(parent, step.mv));
        match known {
            Some(known) if self.node(known).cost(now) <= node.cost(now) => known,
            Some(known) => {
                node.children = std::mem::take(&mut self.node_mut(known).children);
                *self.node_mut(known) = node;
                known
            }
            None => self.insert(node),
        }
    }

    fn drop_all(&mut self, out: impl Fn(&Tree, Id) -> bool) {
        let gone: Vec<Id> = self.ids().filter(|&id| out(self, id)).collect();
        for id in gone {
            self.slots[id] = None;
            self.free.push(id);
        }
    }

    /// The cheapest hypothesis; of equals the shorter one, then the one that moves to the higher square.
    pub(super) fn best(&self, now: Millis) -> Id {
        let mut best = (f64::INFINITY, (u32::MAX, 0), self.root);
        for (id, node) in self.nodes() {
            let cost = node.cost(now);
            let tie = (node.depth, u8::MAX - node.step.map_or(0, |step| step.to));
            if cost < best.0 - 1e-9 || (cost < best.0 + 1e-9 && tie < best.1) {
                best = (cost, tie, id);
            }
        }
        best.2
    }

    /// From a node up to the root.
    pub(super) fn ancestry(&self, id: Id) -> impl Iterator<Item = Id> + '_ {
        std::iter::successors(Some(id), |&id| self.node(id).parent)
    }

    /// How many plies of the line to a node are in the tree.
    pub(super) fn depth_below_root(&self, id: Id) -> usize {
        (self.node(id).depth - self.node(self.root).depth) as usize
    }

    /// From the root's child down to a node.
    pub(super) fn path(&self, id: Id) -> Vec<Id> {
        let mut path = Vec::with_capacity(self.depth_below_root(id) + 1);
        path.extend(self.ancestry(id));
        path.pop();
        path.reverse();
        path
    }

    pub(super) fn child(&self, parent: Id, mv: shakmaty::Move) -> Option<Id> {
        let children = self.node(parent).children.iter().copied();
        let moved = |id: Id| self.node(id).step.is_some_and(|step| step.mv == mv);
        children
            .filter(|&id| self.is_child(parent, id))
            .find(|&id| moved(id))
    }

    /// The pieces seen to be taken by the last three plies of a line, newest first.
    pub(super) fn captured(&self, id: Id) -> [Taken; 3] {
        let mut taken = [Taken::default(); 3];
        for (slot, step) in taken.iter_mut().zip(self.ancestry(id)) {
            let node = self.node(step);
            if node.bridged {
                continue;
            }
            let on = node.step.map_or(0, |step| step.to);
            let before = node.parent.and_then(|parent| self.node(parent).step);
            *slot = Taken {
                piece: node.taken,
                on,
                from: before.filter(|step| step.to == on).map(|step| step.from),
                at: node.at,
            };
        }
        taken
    }

    /// Shows a changed square to every hypothesis.
    pub(super) fn see(&mut self, square: usize, seen: &Seen<'_>) {
        for id in 0..self.slots.len() {
            if self.has(id) {
                let captured = self.captured(id);
                self.node_mut(id).see(square, seen, &captured);
            }
        }
    }

    /// The board reported what it had reported before: a message between the two is lost.
    pub(super) fn repeat(&mut self, square: usize, now: Millis) {
        for node in self.slots.iter_mut().flatten() {
            node.repeat(square, now);
        }
    }

    /// Shows a press to every hypothesis: it belongs to the first ply of the player that still waits for one.
    pub(super) fn press(&mut self, by: Color, at: Millis) {
        self.presses.note(by, at);
        let ids: Vec<Id> = self.ids().collect();
        let mut pressed = Vec::new();
        for &id in &ids {
            match self.waiting_ply_of(id, by, at) {
                Some(ply) => {
                    if ply == id {
                        self.node_mut(id).pay_for_press_elsewhere();
                    }
                    pressed.push(ply);
                }
                None if self.last_ply_of(id, by).is_none() && self.node(id).turn() != by => {}
                None => self.node_mut(id).owe(by, at),
            }
        }
        for ply in pressed {
            self.node_mut(ply).pressed = Some(at);
        }
        for id in ids {
            let passed_over = self.passed_over(id);
            self.node_mut(id).pass_over(passed_over);
        }
    }

    /// The first ply by a player that waits for its press; a press hardly comes so late that the next but one is seen
    /// before it.
    fn waiting_ply_of(&self, id: Id, by: Color, at: Millis) -> Option<Id> {
        let own = self
            .ancestry(id)
            .filter(|&ply| self.node(ply).turn() != by && self.node(ply).parent.is_some());
        let waiting = own.take_while(|&ply| self.node(ply).pressed.is_none());
        let mut waiting = waiting.peekable();
        let last = waiting.peek().copied();
        waiting
            .take_while(|&ply| self.node(ply).at + PRESSED_WITHIN >= at)
            .last()
            .or(last)
    }

    /// How many plies of a line were never pressed, though later ones of the same player were.
    fn passed_over(&self, id: Id) -> u32 {
        let mut times = [Plies::new(), Plies::new()];
        for ply in self.ancestry(id).map(|ply| self.node(ply)) {
            if ply.parent.is_some() {
                times[ply.turn().other() as usize].push(ply.at);
            }
        }
        times.iter_mut().for_each(|plies| plies.reverse());
        self.presses.passed_over(&times)
    }

    /// Presses that no line explains were none.
    pub(super) fn forgive_debts(&mut self) {
        self.slots.iter_mut().flatten().for_each(Node::forgive_debt);
    }

    /// The last ply by a player on the way to a node, as far as the tree reaches.
    pub(super) fn last_ply_of(&self, id: Id, by: Color) -> Option<Id> {
        self.ancestry(id)
            .find(|&id| self.node(id).turn() != by)
            .filter(|&id| self.node(id).parent.is_some())
    }

    /// Hypotheses that differ only in where an unseen piece is say the same: the first of them go before the others.
    /// Takes and leaves them sorted by price.
    pub(super) fn set_back_the_alike(&self, ranked: &mut [(f64, Id)]) {
        let mut seen: Vec<u64> = Vec::new();
        for (cost, id) in ranked.iter_mut() {
            let Some(likeness) = self.node(*id).likeness() else {
                continue;
            };
            let before = seen.iter().filter(|&&other| other == likeness).count();
            *cost += ALIKE * before as f64;
            seen.push(likeness);
        }
        ranked.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
    }

    /// No reply to it was seen to arrive before this moment.
    pub(super) fn is_before_its_children(&self, id: Id, at: Millis) -> bool {
        let mut children = self.node(id).children.iter();
        !children.any(|&child| {
            self.is_child(id, child) && !self.node(child).bridged && self.node(child).at < at
        })
    }

    /// Keeps the beam and the ancestors of the best.
    pub(super) fn prune(&mut self, now: Millis) {
        let best = self.best(now);
        let limit = self.node(best).cost(now) + self.reach.prune;
        let mut ranked: Vec<(f64, Id)> = self
            .nodes()
            .map(|(id, node)| (node.cost(now), id))
            .filter(|&(cost, _)| cost <= limit)
            .collect();
        let order = |a: &(f64, Id), b: &(f64, Id)| {
            let depth = |id: Id| self.node(id).depth;
            a.0.total_cmp(&b.0)
                .then(depth(a.1).cmp(&depth(b.1)))
                .then(a.1.cmp(&b.1))
        };
        if ranked.len() > self.reach.beam {
            ranked.sort_by(order);
            self.set_back_the_alike(&mut ranked);
            ranked.truncate(self.reach.beam);
        }
        let mut keep = vec![false; self.slots.len()];
        for &(_, id) in &ranked {
            self.keep_with_ancestors(id, &mut keep);
        }
        self.keep_with_ancestors(best, &mut keep);
        self.drop_all(|_, id| !keep[id]);
    }

    /// Drops every hypothesis that is not on the way to this one.
    pub(super) fn keep_line(&mut self, id: Id) {
        let line: Vec<Id> = self.ancestry(id).collect();
        self.drop_all(|_, slot| !line.contains(&slot));
    }

    /// Drops a hypothesis and everything that continues it.
    pub(super) fn cut(&mut self, id: Id) {
        self.drop_all(|tree, slot| tree.ancestry(slot).any(|step| step == id));
    }

    /// What the cheapest hypothesis costs that is this one or continues it.
    pub(super) fn cheapest_from(&self, id: Id, now: Millis) -> f64 {
        let within = |leaf: Id| self.ancestry(leaf).any(|step| step == id);
        let costs = self.nodes().filter(|(leaf, _)| within(*leaf));
        costs
            .map(|(_, node)| node.cost(now))
            .fold(f64::INFINITY, f64::min)
    }

    fn keep_with_ancestors(&self, id: Id, keep: &mut [bool]) {
        let mut at = Some(id);
        while let Some(id) = at.filter(|&id| !keep[id]) {
            keep[id] = true;
            at = self.node(id).parent;
        }
    }

    /// The best line is so far ahead that moving the root on is worth a look.
    pub(super) fn is_long(&self, best: Id) -> bool {
        self.depth_below_root(best) > (AHEAD + AT_ONCE) as usize
    }

    /// The child of the root that may become the root, when the best line is far ahead and nothing else is left.
    pub(super) fn next_root(&self, best: Id, now: Millis) -> Option<Id> {
        let ahead = self.depth_below_root(best) as u32;
        let sure = |tree: &Tree| {
            margins(tree, best, now)
                .first()
                .is_some_and(|&margin| margin >= LEAVE)
        };
        let due = ahead > LONGEST || (ahead > AHEAD && sure(self));
        if due {
            self.path(best).first().copied()
        } else {
            None
        }
    }

    /// Makes a child of the root the root.
    pub(super) fn advance(&mut self, child: Id) {
        self.drop_all(|tree, id| !tree.ancestry(id).any(|step| step == child));
        let ply = self.node_mut(child);
        ply.parent = None;
        let (by, at) = (ply.turn().other(), ply.at);
        self.presses.leave(by, at);
        self.root = child;
    }
}
