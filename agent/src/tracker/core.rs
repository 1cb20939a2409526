//! The inference itself, without policy: a picture, a tree of hypotheses, and the plies before its root.

use std::cell::{Cell, RefCell};

use shakmaty::{CastlingMode, Chess, Color, Move};

use super::board::Picture;
use super::catching_up::ONE_MOVE;
use super::doubt::Doubt;
use super::growth::grow;
use super::hidden::COUNTABLE;
use super::hypothesis::{Id, Node, Seen};
use super::margin::{SURE, choices, margins};
use super::observation::{Millis, Reading, Readings, Sensing};
use super::prices::{Kind, Pace};
use super::record::Past;
use super::tree::Tree;

/// A piece away for less than this, with the rest of the board at peace, flickers.
const FLICKER: Millis = 1200;

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
    /// When the board last told anything: what it showed until the next word is not known.
    pub(super) heard: Millis,
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
            heard: now,
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
        self.heard = self.now;
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
        self.heard = self.now;
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
            let places = places.iter().filter(|place| self.tree.has(place.id));
            let behind = places.map(|place| (self.line(place.id), place.back));
            self.behind = behind.collect();
        }
        caught_up
    }

    pub(super) fn seen_now(&self) -> Seen<'_> {
        Seen {
            picture: &self.picture,
            sensing: self.sensing,
            pace: &self.pace,
            now: self.now,
            polled: true,
            known: self.now,
            changed: 0,
        }
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
            known: if polled { self.heard } else { self.now },
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
            known: self.now,
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
