//! The tracker: observations in, inferences out, time as an argument.
//!
//! **Nothing is shown that the squares did not do, and nothing shown is taken away in silence.**

use shakmaty::{CastlingMode, Chess, Color, Position, Square, uci::UciMove};

use super::alarms::Alarms;
use super::board::{Picture, readings_of};
use super::core::Core;
use super::hypothesis::Id;
use super::inference::{Code, Inference, Irregular};
use super::irregular::Oddity;
use super::lifecycle::Phase;
use super::observation::{Millis, Observation, Reading};
use super::press::Clock;
use super::prices::Pace;
use super::record::Shown;
use super::setup::Setup;
use super::touch::Touch;
use super::withdrawn::Withdrawn;

/// Something unexplained is looked at again after these times without a change, in milliseconds.
pub(super) const SECOND_LOOKS: [Millis; 2] = [700, 2500];

/// A quiet board is asked for a dump this often; a lost message costs no more.
const POLL: Millis = 1500;

/// What did the hands do? One board, one game.
#[derive(Clone, Debug)]
pub struct Tracker {
    pub(super) core: Core,
    pub(super) hold: Millis,
    pub(super) history: Vec<Chess>,
    pub(super) shown: Vec<Shown>,
    /// So many plies shown are those of the best line.
    pub(super) agreed: usize,
    pub(super) phase: Phase,
    pub(super) alarms: Alarms,
    pub(super) clock: Clock,
    pub(super) touches: Vec<Touch>,
    pub(super) unreliable: Vec<Square>,
    pub(super) unpressed_told: usize,
    pub(super) odd: Option<Oddity>,
    pub(super) changed_after_press: bool,
    /// The ply withdrawn last, if it was the only one.
    pub(super) withdrawn: Option<Withdrawn>,
    pub(super) irregular: Option<(Millis, Irregular)>,
    /// What the line shown had paid for good when it began.
    pub(super) stood: f64,
    pub(super) shadow: Option<Box<Tracker>>,
    /// The signalled winner and since when.
    pub(super) centred: Option<(Option<Color>, Millis)>,
    /// The core as it was before messages were lost.
    pub(super) gap: Option<Box<Core>>,
    /// The best line waits to be shown since then.
    pub(super) undecided: Option<Millis>,
    /// Since when a dump is wanted.
    pub(super) asked: Option<Millis>,
    pub(super) known: bool,
    /// The line contains plies that only a dump told.
    pub(super) caught_up: bool,
    pub(super) dumped: bool,
    pub(super) last_dump: Millis,
    pub(super) relinked: bool,
    /// What was missed is not known before the board's own log came.
    pub(super) awaits_log: bool,
    pub(super) rotated: bool,
    pub(super) out: Vec<Inference>,
    pub(super) due: Option<Millis>,
}

impl Tracker {
    /// A tracker that has seen nothing yet, or the placement the set-up names.
    pub fn new(setup: Setup) -> Tracker {
        let position = setup.current();
        let expected = readings_of(position.board()).map(|reading| setup.sensing.see(reading));
        let core = Core::new(
            position,
            Picture::new(expected, 0),
            setup.sensing,
            setup.mode,
            Pace::of(setup.profile),
        );
        let mut tracker = Tracker::with_core(core, setup.positions(), setup.hold);
        if let Some(placement) = &setup.placement {
            let readings = tracker.first_board(placement);
            if tracker.core.is_more_than_a_move(&readings) {
                tracker.remember_gap(tracker.core.clone());
            }
            let lines = tracker.core.dump(&readings);
            tracker.core.note_silence(Millis::MAX);
            if lines == 1 {
                tracker.core.stand_at_best();
            }
            if lines > 0 {
                tracker.alarms.tell(
                    Code::Resynced,
                    Vec::new(),
                    "the position is established again",
                );
            }
            tracker.conclude();
        }
        tracker
    }

    /// These moves were recorded after the history by one who saw them, though they were not certain yet.
    pub fn expect(&mut self, line: &[UciMove]) {
        let mut now = self.core.node(self.core.tree.root).position.clone();
        let legal = line.iter().map_while(|uci| {
            let mv = uci.to_move(&now).ok()?;
            now.play_unchecked(mv);
            Some(mv)
        });
        self.core.told = legal.collect();
    }

    fn with_core(core: Core, history: Vec<Chess>, hold: Millis) -> Tracker {
        Tracker {
            core,
            hold,
            history,
            shown: Vec::new(),
            agreed: 0,
            phase: Phase::Setup,
            alarms: Alarms::default(),
            clock: Clock::default(),
            touches: Vec::new(),
            unreliable: Vec::new(),
            unpressed_told: 0,
            odd: None,
            changed_after_press: false,
            withdrawn: None,
            irregular: None,
            stood: 0.0,
            shadow: None,
            centred: None,
            gap: None,
            undecided: None,
            asked: None,
            known: false,
            caught_up: false,
            dumped: false,
            last_dump: 0,
            relinked: false,
            awaits_log: false,
            rotated: false,
            out: Vec::new(),
            due: None,
        }
    }

    /// A tracker of the same board that starts from what stands on it.
    pub(super) fn shadow_of(other: &Tracker, setup: Setup) -> Tracker {
        let core = Core::new(
            setup.position.clone(),
            other.core.picture.clone(),
            other.core.sensing,
            setup.mode,
            other.core.pace,
        );
        let mut shadow = Tracker::with_core(core, setup.positions(), setup.hold);
        shadow.core.now = other.core.now;
        shadow.known = true;
        shadow.phase = Phase::Playing;
        shadow
    }

    /// An arbiter's correction: the game stands at `position`; a move under way on the board is not lost.
    /// Plies count from 1 again.
    pub fn adopt(&mut self, at: Millis, position: Chess) -> Vec<Inference> {
        self.run_to(at);
        self.core.now = self.core.now.max(at);
        let mut earlier = std::mem::take(&mut self.out);
        let core = Core::new(
            position.clone(),
            self.core.picture.clone(),
            self.core.sensing,
            self.core.mode,
            self.core.pace,
        );
        let now = self.core.now;
        let mut next = Tracker::with_core(core, vec![position], self.hold);
        next.core.now = now;
        next.clock = self.clock.clone();
        next.known = self.known;
        next.dumped = self.dumped;
        next.rotated = self.rotated;
        next.phase = if self.known {
            Phase::Playing
        } else {
            Phase::Setup
        };
        self.alarms.reset();
        next.alarms = std::mem::take(&mut self.alarms);
        next.core.look(false);
        *self = next;
        self.conclude();
        earlier.append(&mut self.out);
        earlier
    }

    /// Takes one observation; times before the last one count as that one.
    pub fn observe(&mut self, at: Millis, observation: Observation) -> Vec<Inference> {
        self.run_to(at);
        self.core.now = self.core.now.max(at);
        if let Some(shadow) = &mut self.shadow {
            let found = shadow.observe(at, observation.clone());
            self.tell_of_shadow(found);
        }
        self.take(observation);
        self.conclude();
        std::mem::take(&mut self.out)
    }

    /// Lets time pass.
    pub fn tick(&mut self, at: Millis) -> Vec<Inference> {
        self.run_to(at);
        self.core.now = self.core.now.max(at);
        std::mem::take(&mut self.out)
    }

    /// When `tick` has something to do next, if nothing is observed before.
    pub fn wake(&self) -> Option<Millis> {
        self.due
    }

    fn run_to(&mut self, at: Millis) {
        while let Some(due) = self.due.take_if(|due| *due <= at) {
            self.core.now = self.core.now.max(due);
            if let Some(shadow) = &mut self.shadow {
                let found = shadow.tick(due);
                self.tell_of_shadow(found);
            }
            self.look_again();
            self.conclude();
        }
    }

    fn take(&mut self, observation: Observation) {
        match observation {
            Observation::Square { square, reading } => self.square(square, reading),
            Observation::Dump(readings) => self.dump(&readings),
            Observation::Press { by, white, black } => self.press(by, white.zip(black)),
            Observation::Clock(state) => self.clock_state(state),
            Observation::Link(up) => self.link(up),
            Observation::Log(entries) => self.replay_log(&entries),
        }
    }

    fn square(&mut self, square: Square, reading: Reading) {
        let square = if self.rotated {
            square.rotate_180()
        } else {
            square
        };
        self.note_touch(square, reading);
        self.core.square(square.to_usize(), reading);
        self.watch_flicker(square);
    }

    fn look_again(&mut self) {
        let quiet = self.core.now.saturating_sub(self.core.picture.last_change);
        let best = self.core.best();
        let waited = |at: Millis| self.core.now.saturating_sub(at);
        let debt = self.core.node(best).debt;
        let owed = debt
            .is_some_and(|debt| waited(debt.at) < 1500 && waited(debt.at) >= self.unseen_after());
        if (quiet >= SECOND_LOOKS[0] && super::publish::dirty(&self.core, best)) || owed {
            self.core.look(true);
            self.core.catch_up_late();
        }
    }

    /// Shows, completes and settles what can be, raises what must be, and says when to look again.
    fn conclude(&mut self) {
        self.reconsider_irregular();
        if self.may_show() {
            self.publish();
            self.watch_trying_out();
        }
        self.complete();
        self.settle();
        self.watch_life();
        if !matches!(self.phase, Phase::Ended(_)) {
            self.watch_irregular();
            self.watch_squares();
            self.watch_press();
            self.watch_missing_press();
            self.begin_shadow();
        }
        for fact in self.alarms.take_facts() {
            self.say(fact);
        }
        self.plan();
    }

    /// Plies are shown while the game is on, no result is signalled, and no take-back is under way.
    fn may_show(&self) -> bool {
        !matches!(self.phase, Phase::Ended(_))
            && self.centred.is_none()
            && self.irregular.is_none()
            && self.clock.stopped.is_none()
            && !self.alarms.is_up(Code::TakenBack)
    }

    /// How long after a press its move may still be on its way through the sensors.
    fn unseen_after(&self) -> Millis {
        self.core.pace.sweep + 25
    }

    fn plan(&mut self) {
        let now = self.core.now;
        let changed = self.core.picture.last_change;
        let mut times = self.alarms.take_due();
        let best = self.core.node(self.core.best());
        if best.depth as usize > self.shown.len() {
            times.push(best.at + self.hold);
            times.extend(super::publish::HOLDS.map(|hold| best.at.max(best.grown) + hold));
        }
        if self
            .shown
            .last()
            .is_some_and(|shown| shown.ply.settled.is_none())
        {
            times.extend(super::announce::SETTLE_LOOKS.map(|after| changed + after));
        }
        if best.mask != 0 {
            times.extend(SECOND_LOOKS.map(|after| changed + after));
        }
        times.extend(
            self.core
                .node(self.core.best())
                .debt
                .map(|debt| debt.at + self.unseen_after()),
        );
        times.extend(self.undecided.map(|at| at + 2000));
        self.due = times.into_iter().filter(|&time| time > now).min();
    }

    /// The node of the shown line, or the nearest to it the tree still has.
    pub(super) fn shown_node(&self) -> Id {
        if self.agreed == self.shown.len() {
            let last = self.shown.len().checked_sub(1);
            let node = last.and_then(|last| self.core.ply_node(self.core.best(), last));
            return node.unwrap_or(self.core.tree.root);
        }
        let line: Vec<_> = self.shown.iter().map(|shown| shown.mv).collect();
        let mut length = line.len();
        loop {
            if let Some(node) = self.core.find(&line[..length]) {
                return node;
            }
            if length <= self.core.past.len() {
                return self.core.tree.root;
            }
            length -= 1;
        }
    }

    /// The position after the history.
    pub fn start(&self) -> Chess {
        self.history.last().cloned().unwrap_or_default()
    }

    /// The moves shown so far.
    pub fn record_moves(&self) -> Vec<shakmaty::Move> {
        self.shown.iter().map(|shown| shown.mv).collect()
    }

    /// How castling is written.
    pub fn mode(&self) -> CastlingMode {
        self.core.mode
    }

    /// The position after the line shown.
    pub fn position(&self) -> Chess {
        let mut position = self.start();
        for shown in &self.shown {
            position.play_unchecked(shown.mv);
        }
        position
    }

    /// What the board reads, from White's side of it.
    pub fn readings(&self) -> &super::observation::Readings {
        self.core.picture.readings()
    }

    /// A dump would help: something is unexplained, a press has no move, the link is new, or the board has been quiet.
    pub fn wants_dump(&self) -> bool {
        let best = self.core.best();
        let quiet = self
            .core
            .now
            .saturating_sub(self.core.picture.last_change.max(self.last_dump));
        let puzzled =
            self.core.node(best).debt.is_some() || super::publish::dirty(&self.core, best);
        self.asked.is_some() || quiet >= POLL || (puzzled && quiet >= SECOND_LOOKS[0])
    }

    /// The board's own log would help: plies were missed and a dump alone does not say which.
    pub fn wants_log(&self) -> bool {
        self.gap.is_some()
            && (self.alarms.is_up(Code::Ambiguous) || self.alarms.is_up(Code::BoardMismatch))
    }

    /// Every square reads as the line says, and the whole line is shown.
    pub fn explains_board(&self) -> bool {
        let best = self.core.best();
        self.known
            && self.core.node(best).mask == 0
            && self.core.line(best).len() == self.shown.len()
            && self.irregular.is_none()
    }

    /// How many hypotheses are kept.
    pub fn size(&self) -> usize {
        self.core.tree.ids().count()
    }

    /// What the board costs in memory, in bytes; the choices listed for uncertain plies and pending alerts are left out.
    pub fn footprint(&self) -> usize {
        let gap = self
            .gap
            .as_ref()
            .map_or(0, |gap| size_of::<Core>() + gap.heap());
        let shadow = self.shadow.as_ref().map_or(0, |shadow| shadow.footprint());
        let lists = self.shown.capacity() * size_of::<Shown>()
            + self.history.capacity() * size_of::<Chess>()
            + self.touches.capacity() * size_of::<Touch>();
        size_of::<Tracker>() + self.core.heap() + lists + gap + shadow
    }

    /// The alerts that are up.
    pub fn alerts(&self) -> impl Iterator<Item = Code> + '_ {
        self.alarms.codes()
    }
}
