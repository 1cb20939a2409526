//! The inference itself, without policy: a picture, a tree of hypotheses, and the plies before its root.

use std::cell::{Cell, RefCell};

use shakmaty::{CastlingMode, Chess, Color, Move};

use super::board::Picture;
use super::doubt::Doubt;
use super::growth::grow;
use super::hidden::COUNTABLE;
use super::hypothesis::{Id, Node, Seen};
use super::margin::{SURE, choices, margins};
use super::observation::{Millis, Reading, Readings, Sensing};
use super::prices::{Kind, MOVE, Pace};
use super::record::Past;
use super::recover::{BUDGET, Breadth, lines};
use super::tree::Tree;

/// A piece away for less than this, with the rest of the board at peace, flickers.
const FLICKER: Millis = 1200;

/// A dump with more news than this is more than one move.
const ONE_MOVE: u32 = 2;
/// What the most natural order of missed moves is worth.
const NATURAL: f64 = 0.3;
/// How many plies back a missed line may begin.
const CATCH_UP_FROM: usize = 5;
/// Rivals worse by less than this, and so many of them, are tried too.
pub(super) const CLOSE: f64 = 2.0;
const RIVALS: usize = 3;
/// What a line pays that does not go on from what was recorded.
const OTHERWISE: f64 = 1.5;
/// What a line pays at most for plies that were seen and would have to come later, or not at all.
const TAKEN_BACK: f64 = 6.0;
/// How sure the plies of such a line are.
const UNSEARCHED: f32 = 0.6;
/// How many plies may have been missed.
const CATCH_UP_PLIES: u32 = 6;

/// A line that leads from a hypothesis to the board, with what is held against it.
struct Missed {
    from: Id,
    line: Vec<Move>,
    against: f64,
}

/// Picture, tree, and the line before the tree.
#[derive(Clone, Debug)]
pub(super) struct Core {
    pub(super) sensing: Sensing,
    pub(super) mode: CastlingMode,
    pub(super) pace: Pace,
    pub(super) picture: Picture,
    pub(super) tree: Tree,
    pub(super) past: Vec<Past>,
    /// Stretches of the line that could have been others.
    pub(super) doubts: Vec<Doubt>,
    /// What was recorded after the root by one who saw it, though it was not certain yet.
    pub(super) told: Vec<Move>,
    /// A dump told of more than a move, and no line leads to the board yet: a piece is in a hand, most likely. The lines from
    /// whose ends it is to be found.
    pub(super) behind: Vec<(Vec<Move>, f64)>,
    /// When a dump last ended a silence.
    pub(super) silence: Option<Millis>,
    pub(super) now: Millis,
    /// The squares that changed since the last look.
    pub(super) changed: u64,
    /// The best node, and when it was found; forgotten at every change.
    known_best: Cell<Option<(Millis, Id)>>,
    /// The margins of the best line, and when they were found.
    known_margins: RefCell<Option<(Millis, Vec<f64>)>>,
}

impl Core {
    pub(super) fn new(
        position: Chess,
        picture: Picture,
        sensing: Sensing,
        mode: CastlingMode,
        pace: Pace,
    ) -> Core {
        let now = picture.last_change;
        let tree = Tree::new(position, &picture, sensing, now);
        Core {
            sensing,
            mode,
            pace,
            picture,
            tree,
            past: Vec::new(),
            doubts: Vec::new(),
            told: Vec::new(),
            behind: Vec::new(),
            silence: None,
            now,
            changed: 0,
            known_best: Cell::new(None),
            known_margins: RefCell::new(None),
        }
    }

    /// What it keeps on the heap, in bytes.
    pub(super) fn heap(&self) -> usize {
        self.tree.heap() + self.past.capacity() * size_of::<Past>()
    }

    pub(super) fn best(&self) -> Id {
        match self.known_best.get() {
            Some((at, id)) if at == self.now => id,
            _ => {
                let id = self.tree.best(self.now);
                self.known_best.set(Some((self.now, id)));
                id
            }
        }
    }

    /// Something changed: the best line may be another one.
    pub(super) fn forget(&self) {
        self.known_best.set(None);
        self.known_margins.replace(None);
    }

    /// For every ply of the best line after the root, how much worse the best line without it is.
    pub(super) fn margins(&self) -> Vec<f64> {
        let mut known = self.known_margins.borrow_mut();
        match &*known {
            Some((at, margins)) if *at == self.now => margins.clone(),
            _ => {
                let found = margins(&self.tree, self.best(), self.now);
                *known = Some((self.now, found.clone()));
                found
            }
        }
    }

    pub(super) fn node(&self, id: Id) -> &Node {
        self.tree.node(id)
    }

    pub(super) fn cost(&self, id: Id) -> f64 {
        self.tree.node(id).cost(self.now)
    }

    /// Presses that no line explains were none.
    pub(super) fn forgive_debts(&mut self) {
        self.forget();
        self.tree.forgive_debts();
    }

    /// A square changed; says whether that was news.
    pub(super) fn square(&mut self, square: usize, reading: Reading) -> bool {
        let news = self.change(square, reading, false);
        if news {
            self.look(false);
        }
        if news && !reading.is_empty() {
            self.catch_up_late();
        }
        news
    }

    /// All squares at once; says how many lines were found to catch up with it.
    pub(super) fn dump(&mut self, readings: &Readings) -> usize {
        let places = self.places_to_catch_up_from();
        let silent = self.now.saturating_sub(self.picture.last_change);
        let mut news = 0;
        for (square, &reading) in readings.iter().enumerate() {
            news +=
                u32::from(self.picture.at(square) != reading && self.change(square, reading, true));
        }
        let many = news > ONE_MOVE;
        if many {
            self.note_silence(silent);
        }
        let mut caught_up = if many { self.catch_up(&places) } else { 0 };
        if news > 0 && caught_up == 0 {
            self.look_after(false, true);
            if self.is_lost() {
                caught_up = self.catch_up(&places);
            }
        }
        if caught_up > 0 || !self.is_lost() {
            self.behind.clear();
        } else if many && self.behind.is_empty() {
            let places = places.iter().filter(|place| self.tree.has(place.0));
            self.behind = places.map(|&(id, back)| (self.line(id), back)).collect();
        }
        caught_up
    }

    /// The best line disagrees with more than a piece in a hand.
    fn is_lost(&self) -> bool {
        self.node(self.best()).mask.count_ones() > 1
    }

    /// Tries again to find the line to a board that was not explained when it was told of.
    pub(super) fn catch_up_late(&mut self) {
        if self.behind.is_empty() {
            return;
        }
        let known = self.behind.iter();
        let known = known.filter_map(|(line, back)| Some((self.find(line)?, *back)));
        let mut places: Vec<(Id, f64)> = known.collect();
        if places.is_empty() {
            places = self.places_to_catch_up_from();
        }
        let caught_up = self.is_lost() && self.catch_up(&places) > 0;
        if caught_up && self.silence.is_some() {
            self.silence = Some(self.now);
        }
        if caught_up || self.node(self.best()).mask == 0 {
            self.behind.clear();
        }
    }

    /// A dump says so much that no message told before.
    pub(super) fn is_more_than_a_move(&self, readings: &Readings) -> bool {
        let news = self.picture.readings().iter().zip(readings);
        news.filter(|(before, now)| before != now).count() > ONE_MOVE as usize
    }

    /// The end of the best line, its rivals, and the plies before it; with what must be taken back to go on from there.
    fn places_to_catch_up_from(&mut self) -> Vec<(Id, f64)> {
        let told = self.graft_told();
        let mut places = self.places_by_what_was_seen();
        if let Some(&end) = told.last() {
            places.iter_mut().for_each(|place| place.1 += OTHERWISE);
            places.retain(|(id, _)| !told.contains(id));
            places.insert(0, (end, 0.0));
            places.truncate(CATCH_UP_FROM + RIVALS);
        }
        places
    }

    /// The plies that were recorded after the root, as long as nothing else is known of what followed it.
    fn graft_told(&mut self) -> Vec<Id> {
        if !self.past.is_empty() {
            self.told.clear();
        }
        let (mut at, mut base) = (self.tree.root, self.node(self.tree.root).base);
        let mut path = Vec::new();
        for mv in self.told.clone() {
            base += f64::from(MOVE);
            let mut node = self.node(at).caught_up(at, mv, base, &self.seen_now());
            // It was not missed.
            node.at = self.now.saturating_sub(1);
            at = self.tree.put(node, self.now);
            path.push(at);
        }
        if !path.is_empty() {
            self.forget();
        }
        path
    }

    fn seen_now(&self) -> Seen<'_> {
        Seen {
            picture: &self.picture,
            sensing: self.sensing,
            pace: &self.pace,
            now: self.now,
            polled: true,
            changed: 0,
        }
    }

    fn places_by_what_was_seen(&self) -> Vec<(Id, f64)> {
        let best = self.best();
        let without = self.margins().into_iter().rev();
        let back = std::iter::once(0.0).chain(without.map(|margin| margin.min(TAKEN_BACK)));
        let line = self.tree.ancestry(best).take(CATCH_UP_FROM);
        let mut places: Vec<(Id, f64)> = line.zip(back).collect();
        let here = self.node(best);
        let mut rivals: Vec<(f64, Id)> = self
            .tree
            .nodes()
            .filter(|(_, node)| node.depth >= here.depth && node.pred != here.pred)
            .map(|(id, node)| (node.cost(self.now), id))
            .filter(|(cost, _)| *cost < here.cost(self.now) + CLOSE)
            .collect();
        rivals.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
        let rivals = rivals.into_iter().take(RIVALS).map(|(_, id)| (id, 0.0));
        places.splice(1..1, rivals);
        places
    }

    fn change(&mut self, square: usize, reading: Reading, polled: bool) -> bool {
        self.note_flicker(square, reading);
        self.changed |= 1 << square;
        self.forget();
        let repeated = !self.picture.set(square, reading, self.now);
        if repeated {
            self.tree.repeat(square, self.now);
            return true;
        }
        let seen = Seen {
            picture: &self.picture,
            sensing: self.sensing,
            pace: &self.pace,
            now: self.now,
            polled,
            changed: 0,
        };
        self.tree.see(square, &seen);
        true
    }

    /// A piece that comes back where the best line expects it, after a short absence, flickered.
    fn note_flicker(&mut self, square: usize, reading: Reading) {
        if reading.is_empty() || !self.picture.at(square).is_empty() {
            return;
        }
        if self.picture.before(square) != reading {
            return;
        }
        let expected = self.node(self.best()).run(square).is_some_and(|run| {
            run.kind == Kind::Missing && self.now.saturating_sub(run.since) < FLICKER
        });
        if expected && self.sensing.see(self.node(self.best()).pred[square]) == reading {
            self.picture.flap(square, self.now);
        }
    }

    pub(super) fn press(&mut self, by: Color) {
        self.forget();
        self.tree.press(by, self.now);
    }

    /// Grows and prunes the tree, and moves its root on where nothing else is left.
    pub(super) fn look(&mut self, bridge: bool) {
        self.look_after(bridge, false);
    }

    fn look_after(&mut self, bridge: bool, polled: bool) {
        self.forget();
        self.look_elsewhere(polled);
        let seen = Seen {
            picture: &self.picture,
            sensing: self.sensing,
            pace: &self.pace,
            now: self.now,
            polled: false,
            changed: std::mem::take(&mut self.changed),
        };
        grow(&mut self.tree, &seen, bridge);
        self.forget();
        self.merge_twins();
        if self.tree.is_long(self.best()) {
            self.merge_lengths();
            while let Some(next) = self.tree.next_root(self.best(), self.now) {
                let past = self.leave(next);
                self.past.push(past);
                self.tree.advance(next);
            }
        }
    }

    /// Looks for whole lines to the board as it is now, where single moves do not explain it.
    fn catch_up(&mut self, places: &[(Id, f64)]) -> usize {
        let places: Vec<(Id, f64)> = places
            .iter()
            .copied()
            .filter(|&(id, _)| self.tree.has(id))
            .collect();
        let mut budget = BUDGET;
        let (mut found, _) = self.search(&places, Breadth::Departed, CATCH_UP_PLIES, &mut budget);
        let most = found
            .first()
            .map_or(CATCH_UP_PLIES, |missed| missed.line.len() as u32 + 1);
        let (more, all) = self.search(&places, Breadth::All, most, &mut budget);
        for missed in more {
            if !found
                .iter()
                .any(|known| (known.from, &known.line) == (missed.from, &missed.line))
            {
                found.push(missed);
            }
        }
        for missed in &found {
            self.graft(missed.from, &missed.line, missed.against);
            if !all {
                self.doubt_unsearched(missed.from, &missed.line);
            }
        }
        self.forget();
        if !found.is_empty() {
            self.tree.prune(self.now);
        }
        found.len()
    }

    /// Lines from the places, the shortest and those a ply longer; and whether there are no others up to `most` plies.
    fn search(
        &self,
        places: &[(Id, f64)],
        breadth: Breadth,
        most: u32,
        budget: &mut u32,
    ) -> (Vec<Missed>, bool) {
        let (mut found, mut all) = (Vec::new(), true);
        for plies in 1..=most {
            let before = found.len();
            for &(from, back) in places {
                let position = &self.node(from).position;
                let readings = self.picture.readings();
                let here = lines(position, readings, self.sensing, (plies, breadth), budget);
                all &= here.all;
                found.extend(here.lines.into_iter().map(|(against, line)| Missed {
                    from,
                    line,
                    against: against + back,
                }));
            }
            if before > 0 {
                break;
            }
        }
        (found, all)
    }

    /// The search ended before all lines were tried: those it found are not the only ones.
    fn doubt_unsearched(&mut self, from: Id, line: &[Move]) {
        let ahead = self.node(from).depth - self.node(self.tree.root).depth;
        self.doubt(Doubt {
            from: self.past.len() + ahead as usize,
            line: line.to_vec(),
            others: Vec::new(),
            most: UNSEARCHED,
            more: true,
        });
    }

    /// Adds a line that leads to the board as it is now.
    fn graft(&mut self, from: Id, line: &[Move], against: f64) {
        let mut at = from;
        let mut base = self.node(from).base + against - NATURAL + self.moved_unseen(from, line);
        for &mv in line {
            base += f64::from(MOVE);
            let node = self.node(at).caught_up(at, mv, base, &self.seen_now());
            at = self.tree.put(node, self.now);
        }
    }

    /// What a line pays for pieces that move on from squares where they were never seen.
    fn moved_unseen(&self, from: Id, line: &[Move]) -> f64 {
        let runs = self.node(from).runs.iter();
        let left = |square: u8| {
            line.iter().any(|mv| {
                mv.from()
                    .is_some_and(|from| from.to_usize() == usize::from(square))
            })
        };
        runs.filter(|run| run.kind == Kind::Unseen && left(run.square))
            .map(|run| f64::from(run.price(self.now)))
            .sum()
    }

    /// After a restart, where one short line alone leads to the board: the game stands at its end.
    pub(super) fn stand_at_best(&mut self) {
        let path = self.tree.path(self.best());
        if path.len() > COUNTABLE || !self.doubts.is_empty() {
            return;
        }
        for next in path {
            let past = Past {
                mv: self.node(next).step.expect("a child has a move").mv,
                margin: f64::INFINITY,
                choices: Vec::new(),
            };
            self.past.push(past);
            self.tree.advance(next);
        }
    }

    /// The first ply after the root, as it goes into the past.
    fn leave(&self, next: Id) -> Past {
        let best = self.best();
        let margin = margins(&self.tree, best, self.now)
            .first()
            .copied()
            .unwrap_or(f64::INFINITY);
        let doubtful = margin < SURE;
        let lines = if doubtful {
            choices(&self.tree, best, 0, self.mode, (self.now, SURE))
        } else {
            Vec::new()
        };
        let mv = self.node(next).step.expect("a child has a move").mv;
        Past {
            mv,
            margin,
            choices: lines,
        }
    }

    /// The whole line to a node.
    pub(super) fn line(&self, id: Id) -> Vec<Move> {
        let path = self.tree.path(id);
        let recent = path
            .iter()
            .filter_map(|&id| self.node(id).step.map(|step| step.mv));
        self.past.iter().map(|past| past.mv).chain(recent).collect()
    }

    /// The node of a ply of the line to `id`, counted from 0 at the first ply of all.
    pub(super) fn ply_node(&self, id: Id, ply: usize) -> Option<Id> {
        let index = ply.checked_sub(self.past.len())?;
        let above = self.tree.depth_below_root(id).checked_sub(index + 1)?;
        self.tree.ancestry(id).nth(above)
    }

    /// The node a line leads to, where the tree still has it.
    pub(super) fn find(&self, line: &[Move]) -> Option<Id> {
        let recent = line.get(self.past.len()..)?;
        recent
            .iter()
            .try_fold(self.tree.root, |at, &mv| self.tree.child(at, mv))
    }
}
