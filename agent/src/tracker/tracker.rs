//! The tracker: observations in, inferences out, time as an argument.
//!
//! **Nothing is shown that the squares did not do, and nothing shown is taken away in silence.**

use shakmaty::{CastlingMode, Color, Position};

use super::board::{Picture, readings_of};
use super::core::Core;
use super::hypothesis::Id;
use super::inference::{Evidence, Fact, Inference, PlyNumber};
use super::margin::{SURE, certainty, choices, margins};
use super::observation::{Millis, Observation};
use super::prices::Pace;
use super::publish::{REPLACE, WITHDRAW, showable};
use super::record::{Played, Ply, Shown, Status};
use super::setup::Setup;

/// A quiet board settles its last move after this long, in milliseconds.
const QUIET: Millis = 4000;
/// The margin that needs.
const QUIET_MARGIN: f64 = 3.0;
/// Something unexplained is looked at again after these times without a change.
const SECOND_LOOKS: [Millis; 2] = [700, 2500];

/// What did the hands do? One board, one game.
#[derive(Clone, Debug)]
pub struct Tracker {
    pub(super) core: Core,
    pub(super) hold: Millis,
    pub(super) shown: Vec<Shown>,
    pub(super) out: Vec<Inference>,
    pub(super) due: Option<Millis>,
}

impl Tracker {
    /// A tracker that has seen nothing yet.
    pub fn new(setup: Setup) -> Tracker {
        let position = setup.current();
        let readings = match &setup.placement {
            Some(placement) => **placement,
            None => readings_of(position.board()).map(|reading| setup.sensing.see(reading)),
        };
        let picture = Picture::new(readings, 0);
        let core = Core::new(position, picture, setup.sensing, setup.mode, Pace::of(setup.profile));
        Tracker { core, hold: setup.hold, shown: Vec::new(), out: Vec::new(), due: None }
    }

    /// Takes one observation; times before the last one count as that one.
    pub fn observe(&mut self, at: Millis, observation: Observation) -> Vec<Inference> {
        self.run_to(at);
        self.core.now = self.core.now.max(at);
        self.take(observation);
        self.conclude();
        std::mem::take(&mut self.out)
    }

    /// Lets time pass.
    pub fn tick(&mut self, at: Millis) -> Vec<Inference> {
        self.run_to(at);
        std::mem::take(&mut self.out)
    }

    /// When `tick` has something to do next, if nothing is observed before.
    pub fn wake(&self) -> Option<Millis> {
        self.due
    }

    fn run_to(&mut self, at: Millis) {
        while let Some(due) = self.due.take().filter(|&due| due <= at) {
            self.core.now = self.core.now.max(due);
            self.look_again();
            self.conclude();
        }
    }

    fn take(&mut self, observation: Observation) {
        match observation {
            Observation::Square { square, reading } => {
                self.core.square(square.to_usize(), reading);
            }
            Observation::Dump(readings) => {
                self.core.dump(&readings);
            }
            Observation::Press { by, .. } => self.core.press(by),
            Observation::Clock(_) | Observation::Link(_) | Observation::Log(_) => {}
        }
    }

    fn look_again(&mut self) {
        let quiet = self.core.now.saturating_sub(self.core.picture.last_change);
        let best = self.core.best();
        if quiet >= SECOND_LOOKS[0] && super::publish::dirty(&self.core, best) {
            self.core.look(true);
        }
    }

    /// Shows, completes and settles what can be, and says when to look again.
    fn conclude(&mut self) {
        self.publish();
        self.complete();
        self.settle();
        self.plan();
    }

    fn plan(&mut self) {
        let now = self.core.now;
        let best = self.core.best();
        let changed = self.core.picture.last_change;
        let mut times = vec![self.core.node(best).at + self.hold, changed + QUIET];
        times.extend(SECOND_LOOKS.map(|after| changed + after));
        times.push(now + 1000);
        self.due = times.into_iter().filter(|&time| time > now && time < changed + 15_000).min();
    }

    fn publish(&mut self) {
        let best = self.core.best();
        let line = self.core.line(best);
        let common = line.iter().zip(&self.shown).take_while(|(mv, shown)| **mv == shown.mv).count();
        if common == line.len() && common == self.shown.len() {
            return;
        }
        let length = showable(&self.core, best, common, self.hold);
        if common < self.shown.len() && !self.may_replace(best, length > common) {
            return;
        }
        if length == common && common < self.shown.len() && line.len() > common {
            return;
        }
        self.show(&line[..length], common);
    }

    fn may_replace(&self, best: Id, replaces: bool) -> bool {
        let old: Vec<_> = self.shown.iter().map(|shown| shown.mv).collect();
        let Some(old) = self.core.find(&old) else { return true };
        self.core.cost(old) - self.core.cost(best) >= if replaces { REPLACE } else { WITHDRAW }
    }

    fn show(&mut self, line: &[shakmaty::Move], common: usize) {
        let revised = common < self.shown.len();
        self.shown.truncate(common);
        let now = self.core.now;
        for mv in &line[common..] {
            let number = self.shown.len() as PlyNumber + 1;
            let uci = mv.to_uci(self.core.mode);
            let ply = Ply {
                number,
                played: Played::Legal(uci),
                made: now,
                completed: None,
                settled: None,
                clock: None,
                certainty: 0.5,
                choices: Vec::new(),
            };
            self.shown.push(Shown { mv: *mv, ply, pressed: None });
            if !revised {
                self.say(Fact::Made { ply: number, uci });
            }
        }
        let from_ply = common as PlyNumber + 1;
        if revised && line.len() > common {
            let line = line[common..].iter().map(|mv| mv.to_uci(self.core.mode)).collect();
            self.say(Fact::Revised { from_ply, line });
        } else if revised {
            self.say(Fact::Retracted { from_ply });
        }
    }

    fn complete(&mut self) {
        let best = self.core.best();
        for index in 0..self.shown.len() {
            if self.shown[index].ply.completed.is_some() {
                continue;
            }
            let pressed = self.core.ply_node(best, index).and_then(|id| self.core.node(id).pressed);
            if pressed.is_some() || index + 1 < self.shown.len() {
                self.shown[index].pressed = pressed;
                self.shown[index].ply.completed = Some(self.core.now);
                let (ply, uci) = self.name(index);
                self.say(Fact::Completed { ply, uci, clock: None });
            }
        }
    }

    fn name(&self, index: usize) -> (PlyNumber, shakmaty::uci::UciMove) {
        (index as PlyNumber + 1, self.shown[index].mv.to_uci(self.core.mode))
    }

    fn settle(&mut self) {
        let best = self.core.best();
        let past = self.core.past.len();
        let margins = margins(&self.core.tree, best, self.core.now);
        let quiet = self.core.now.saturating_sub(self.core.picture.last_change) >= QUIET;
        for index in 0..self.shown.len() {
            let margin = index.checked_sub(past).map_or(f64::INFINITY, |i| margins.get(i).copied().unwrap_or(0.0));
            self.shown[index].ply.certainty = match self.core.past.get(index) {
                Some(past) => past.certainty,
                None => certainty(margin),
            };
            let answered = index + 1 < self.shown.len();
            let pressed = self.shown[index].pressed.is_some();
            let ready = (margin >= SURE && (answered || pressed)) || (margin >= QUIET_MARGIN && quiet);
            if ready && self.shown[index].ply.settled.is_none() {
                self.shown[index].ply.settled = Some(self.core.now);
                let (ply, uci) = self.name(index);
                self.say(Fact::Settled { ply, uci });
            }
        }
    }

    pub(super) fn say(&mut self, fact: Fact) {
        let inference = Inference { at: self.core.now, fact, certainty: 1.0, evidence: Evidence::default() };
        self.out.push(inference);
    }

    /// The plies shown so far, each with its certainty and, where that is low, its alternatives.
    pub fn record(&self) -> Vec<Ply> {
        let best = self.core.best();
        let past = self.core.past.len();
        let mut plies: Vec<Ply> = self.shown.iter().map(|shown| shown.ply.clone()).collect();
        for (index, ply) in plies.iter_mut().enumerate() {
            ply.choices = match self.core.past.get(index) {
                Some(past) => past.choices.clone(),
                None => choices(&self.core.tree, best, index - past, self.core.mode, self.core.now),
            };
        }
        plies
    }

    /// How things stand.
    pub fn status(&self) -> Status {
        Status::Settled
    }

    /// How castling is written.
    pub fn mode(&self) -> CastlingMode {
        self.core.mode
    }

    /// Whose move it is after the line shown.
    pub fn turn(&self) -> Color {
        self.core.node(self.core.best()).turn()
    }
}
