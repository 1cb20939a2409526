//! Plies that nobody told: whole lines to the board as it is now, where single moves do not explain it.

use shakmaty::Move;

use super::core::Core;
use super::doubt::Doubt;
use super::hypothesis::Id;
use super::margin::margins;
use super::observation::Readings;
use super::prices::{Kind, MOVE};
use super::recover::{BUDGET, Breadth, lines};

/// A dump with more news than this is more than one move.
pub(super) const ONE_MOVE: u32 = 2;
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

/// A hypothesis from which plies may have been missed.
#[derive(Clone, Copy)]
pub(super) struct Place {
    pub(super) id: Id,
    /// What had been paid there before the board told what was missed.
    base: f64,
    /// What is held against going on from there.
    pub(super) back: f64,
}

/// A line that leads from a hypothesis to the board, with what is held against it.
struct Missed {
    from: Place,
    line: Vec<Move>,
    against: f64,
}

impl Core {
    /// The best line disagrees with more than a piece in a hand.
    pub(super) fn is_lost(&self) -> bool {
        self.node(self.best()).mask.count_ones() > 1
    }

    /// Tries again to find the line to a board that was not explained when it was told of.
    pub(super) fn catch_up_late(&mut self) {
        if self.behind.is_empty() {
            return;
        }
        let known = self.behind.iter();
        let known = known.filter_map(|(line, back)| Some(self.place(self.find(line)?, *back)));
        let mut places: Vec<Place> = known.collect();
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
    pub(super) fn places_to_catch_up_from(&mut self) -> Vec<Place> {
        let told = self.graft_told();
        let mut places = self.places_by_what_was_seen();
        if let Some(&end) = told.last() {
            places.iter_mut().for_each(|place| place.back += OTHERWISE);
            places.retain(|place| !told.contains(&place.id));
            places.insert(0, self.place(end, 0.0));
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

    fn place(&self, id: Id, back: f64) -> Place {
        let base = self.node(id).base;
        Place { id, base, back }
    }

    fn places_by_what_was_seen(&self) -> Vec<Place> {
        let best = self.best();
        let without = margins(&self.tree, best, self.heard).into_iter().rev();
        let back = without.map(|margin| margin.clamp(0.0, TAKEN_BACK));
        let back = std::iter::once(0.0).chain(back);
        let line = self.tree.ancestry(best).take(CATCH_UP_FROM);
        let places = line.zip(back).map(|(id, back)| self.place(id, back));
        let mut places: Vec<Place> = places.collect();
        let here = self.node(best);
        let mut rivals: Vec<(f64, Id)> = self
            .tree
            .nodes()
            .filter(|(_, node)| node.depth >= here.depth && node.pred != here.pred)
            .map(|(id, node)| (node.cost(self.now), id))
            .filter(|(cost, _)| *cost < here.cost(self.now) + CLOSE)
            .collect();
        rivals.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
        let rivals = rivals.into_iter().take(RIVALS);
        places.splice(1..1, rivals.map(|(_, id)| self.place(id, 0.0)));
        places
    }

    /// Looks for whole lines to the board as it is now, where single moves do not explain it.
    pub(super) fn catch_up(&mut self, places: &[Place]) -> usize {
        let places = places.iter().copied();
        let places: Vec<Place> = places.filter(|place| self.tree.has(place.id)).collect();
        let mut budget = BUDGET;
        let (mut found, _) = self.search(&places, Breadth::Departed, CATCH_UP_PLIES, &mut budget);
        let most = found
            .first()
            .map_or(CATCH_UP_PLIES, |missed| missed.line.len() as u32 + 1);
        let (more, all) = self.search(&places, Breadth::All, most, &mut budget);
        for missed in more {
            if !found
                .iter()
                .any(|known| (known.from.id, &known.line) == (missed.from.id, &missed.line))
            {
                found.push(missed);
            }
        }
        for missed in &found {
            self.graft(missed);
            if !all {
                self.doubt_unsearched(missed.from.id, &missed.line);
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
        places: &[Place],
        breadth: Breadth,
        most: u32,
        budget: &mut u32,
    ) -> (Vec<Missed>, bool) {
        let (mut found, mut all) = (Vec::new(), true);
        for plies in 1..=most {
            let before = found.len();
            for &from in places {
                let position = &self.node(from.id).position;
                let readings = self.picture.readings();
                let here = lines(position, readings, self.sensing, (plies, breadth), budget);
                all &= here.all;
                found.extend(here.lines.into_iter().map(|(against, line)| Missed {
                    from,
                    line,
                    against,
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

    /// What is paid where the line begins: what the dump told of plies that were seen is paid there already, or held against it.
    fn held_against(&self, from: Place) -> f64 {
        let paid = self.node(from.id).base;
        paid.max(from.base + from.back)
    }

    /// Adds a line that leads to the board as it is now.
    fn graft(&mut self, missed: &Missed) {
        let mut at = missed.from.id;
        let unseen = self.moved_unseen(at, &missed.line);
        let mut base = self.held_against(missed.from) + missed.against - NATURAL + unseen;
        for &mv in &missed.line {
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
}
