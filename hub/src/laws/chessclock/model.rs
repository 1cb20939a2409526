//! The model of one table's chessclock: readings in, what is wrong with the clock out; knows nothing of moves on the board.
//!
//! **A clock that is set right never raises anything, whatever the players do**: every comparison is between spans that hold the truth
//! whatever the lag and the hidden parts of seconds, and what a lost message could explain is not held against the clock.

use protocol::{BySide, ClockReading, Side, TimeControl, Timestamp};
use serde::{Deserialize, Serialize};

use super::judge::{Entry, Ledger, Wrong, settings};
use super::setting::{Candidates, is_sandclock, starts_right};
use super::step::{Change, change, unheard};
use super::turn::{LAG, Turn};
use super::{Span, span::signed};

/// A clock must rest this long before what it shows counts as what the press left, milliseconds.
const AT_REST: u64 = 1_000;

/// A clock that has lost more than this when it is first seen to run was not heard when it was started, milliseconds.
const START_SEEN: u64 = 2_500;

/// A resting clock that rose so often in a row while the other one fell has not been set to what any control of periods gives.
const RISES: u32 = 8;

/// Presses with which a clock may have been tried out before the game.
const TRIED_OUT: u32 = 4;

/// A reading and its moment.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Shown {
    /// Both times, milliseconds.
    pub time: BySide<u64>,
    /// Who runs.
    pub running: Option<Side>,
    /// When, hub's time.
    pub at: Timestamp,
}

/// A turn that is being played.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Open {
    from: Span,
    ran_ms: i64,
    stretches: u32,
    presses: u32,
}

/// A press whose clock has not been seen at rest yet.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Pressed {
    at: Timestamp,
    /// Milliseconds that clocks ran since.
    after_ms: i64,
    /// The bonus stood on the display at once.
    got_bonus: bool,
}

/// Something odd that happened once.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Jump {
    /// When, hub's time.
    pub at: Timestamp,
    /// Both times before it, milliseconds.
    pub before: BySide<u64>,
    /// Both times after it, milliseconds.
    pub after: BySide<u64>,
    /// Both clocks stood: somebody set them.
    pub by_hand: bool,
}

/// The model.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct ClockModel {
    /// The first reading while nothing had run.
    pub initial: Option<Shown>,
    /// Whether a clock has run.
    pub started: bool,
    /// The last reading.
    pub last: Option<Shown>,
    /// Presses seen.
    pub presses: BySide<u32>,
    /// Periods that each clock has added.
    pub period: BySide<u8>,
    /// The clock added a period that is not the next one of the control.
    pub wrong_period: Option<(Timestamp, Side, u64)>,
    /// Times changed without a cause; the last time that happened.
    pub jump: Option<Jump>,
    /// Nobody listened since the last reading.
    #[serde(default)]
    pub(super) unheard: bool,
    /// Turns went by unheard: how often the players pressed is not known any more.
    #[serde(default)]
    pub lost_count: bool,
    /// A player's period may have come unheard: which one he plays, and with which bonus, is not known.
    #[serde(default)]
    pub(super) period_in_doubt: BySide<bool>,
    /// The clock asks for a new battery since.
    pub battery_low: Option<Timestamp>,
    /// How often in a row the resting clock gained what the other one lost.
    #[serde(default)]
    pub(super) rises: u32,
    /// Presses that no message told and that the times show.
    pub missed: u32,
    pub(super) ledger: Ledger,
    pub(super) open: BySide<Option<Open>>,
    pub(super) rest: BySide<Option<Span>>,
    pub(super) pressed: BySide<Option<Pressed>>,
}

impl ClockModel {
    /// Takes a reading in. One that is older than the last changes nothing.
    pub fn read(&mut self, reading: &ClockReading, at: Timestamp, control: &TimeControl) {
        let now = Shown {
            time: reading.time,
            running: reading.running,
            at,
        };
        self.battery_low = reading.battery_low.then(|| self.battery_low.unwrap_or(at));
        match self.last {
            Some(last) if last.at > at => return,
            Some(last) => self.step(&last, &now, control),
            None => self.first(&now),
        }
        self.last = Some(now);
    }

    /// The clock was away, or whoever listened to it: the time until the next reading passed unheard.
    pub fn goes_unheard(&mut self) {
        self.unheard = self.last.is_some();
    }

    /// A ruling changed the times: what follows is not compared with what was.
    pub fn ruled(&mut self) {
        self.jump = None;
        self.lose();
        self.forgive();
    }

    /// The moves completed so far were pressed for, whoever was told: presses are counted from here on.
    pub fn counts_from(&mut self, completed: BySide<u32>) {
        self.presses = completed;
    }

    /// Another clock stands there: it starts with the moves completed so far, in the period reached.
    pub fn replaced(&mut self, completed: BySide<u32>) {
        *self = ClockModel {
            presses: completed,
            period: self.period,
            started: self.started,
            ..ClockModel::default()
        };
        self.lose();
    }

    /// What is wrong with the bonus.
    pub fn wrong(&self) -> Option<&Wrong> {
        let wrong = self.ledger.wrong.as_ref();
        wrong.filter(|_| !self.in_doubt())
    }

    /// The bonus as far as the last turns tell, whatever the control says.
    pub fn found(&self) -> Option<Candidates> {
        self.ledger.found()
    }

    /// How far the sum of both clocks is off and since when, milliseconds; negative: time is missing.
    pub fn off(&self) -> Option<(Timestamp, i64)> {
        self.ledger.off.filter(|_| !self.in_doubt())
    }

    fn in_doubt(&self) -> bool {
        self.period_in_doubt.white || self.period_in_doubt.black
    }

    fn first(&mut self, now: &Shown) {
        if now.running.is_none() {
            self.initial = Some(*now);
        } else {
            self.begin(
                now,
                BySide::new_with(|side| Span::shown(*now.time.get(side))),
            );
        }
    }

    fn step(&mut self, last: &Shown, now: &Shown, control: &TimeControl) {
        if !self.started {
            return self.not_started(now);
        }
        if std::mem::take(&mut self.unheard) {
            let changes = unheard(last, now, control, &self.period);
            if changes != [Change::None; 2] {
                self.lost_count = true;
                self.pressed = BySide::default();
                for change in changes {
                    self.take_in(change, last, now, control);
                }
                return;
            }
        } else {
            let due = self.bonus_due(now.at);
            let change = change(last, now, control, &self.period, due);
            self.take_in(change, last, now, control);
            self.watch_rest(last, now, control);
        }
        self.run(last, now, control);
        if is_sandclock(control, &self.period) {
            return self.sand(now);
        }
        for side in Side::BOTH {
            if now.running != Some(side) {
                self.settle(side, *now.time.get(side), now, control);
            }
        }
        self.early(now);
    }

    /// Whether the clock goes like a sandclock that it should not be.
    fn watch_rest(&mut self, last: &Shown, now: &Shown, control: &TimeControl) {
        let (Some(side), false) = (last.running, is_sandclock(control, &self.period)) else {
            return;
        };
        let rests = side.other();
        let rose = signed(*now.time.get(rests)) - signed(*last.time.get(rests));
        let passed = signed(now.at.since(last.at));
        let goes_along = rose > 0 && (rose - passed).abs() <= LAG;
        self.rises = match (now.running == last.running, goes_along) {
            (true, true) => self.rises + 1,
            (true, false) if passed < AT_REST.cast_signed() => self.rises,
            (true, false) => 0,
            (false, _) => self.rises,
        };
        if self.rises >= RISES {
            self.rises = 0;
            self.jump = self.jump.or(Some(Jump {
                at: now.at,
                before: last.time,
                after: now.time,
                by_hand: false,
            }));
        }
    }

    /// Turns of a sandclock tell nothing: only the sum of both clocks does, until one of them is empty.
    fn sand(&mut self, now: &Shown) {
        let (white, black) = (signed(now.time.white), signed(now.time.black));
        match white.min(black) {
            0 => self.lose(),
            _ => self.ledger.sand(white + black, now.at),
        }
    }

    fn take_in(&mut self, change: Change, last: &Shown, now: &Shown, control: &TimeControl) {
        match change {
            Change::None => {}
            Change::Missed(pairs) => self.missed(pairs),
            Change::Unclear | Change::Unheard => self.lose(),
            Change::Hidden(side) => {
                *self.period_in_doubt.get_mut(side) = true;
                self.lose();
            }
            Change::Period(side, added) => self.next_period(side, added, now.at, control),
            Change::Jump => self.jumped(last, now, control),
        }
    }

    fn not_started(&mut self, now: &Shown) {
        let Some(runner) = now.running else {
            self.initial = Some(*now);
            self.unheard = false;
            return;
        };
        let initial = self.initial.map_or(now.time, |i| i.time);
        let from = BySide::new_with(|side| {
            let before = if side == runner { &initial } else { &now.time };
            // Some displays cut off a part of a second, others count it as a whole one.
            Span::shown(*before.get(side))
        });
        self.begin(now, from);
        self.early(now);
        let unheard = std::mem::take(&mut self.unheard);
        let shows = now.time.get(runner).saturating_add(START_SEEN);
        if unheard || shows < *initial.get(runner) {
            // It has run for a while that nobody heard of.
            self.lose();
        }
    }

    fn begin(&mut self, now: &Shown, from: BySide<Span>) {
        self.started = true;
        self.rest = from.map(Some);
        self.ledger.start(from, 0, true);
        if let Some(runner) = now.running {
            *self.open.get_mut(runner) = Some(opened(*from.get(runner)));
        }
    }

    /// Clocks run, stop and change hands.
    fn run(&mut self, last: &Shown, now: &Shown, control: &TimeControl) {
        let passed = signed(now.at.since(last.at));
        if let Some(side) = last.running {
            self.ledger.ran(passed);
            if let Some(open) = self.open.get_mut(side) {
                open.ran_ms += passed;
            }
            for pressed in Side::BOTH {
                if let Some(pressed) = self.pressed.get_mut(pressed) {
                    pressed.after_ms += passed;
                }
            }
        }
        if let Some(next) = now.running.filter(|next| last.running != Some(*next)) {
            self.settle(next, *last.time.get(next), now, control);
        }
        match (last.running, now.running) {
            (Some(side), Some(next)) if side != next => {
                let rise = signed(*now.time.get(side)) - signed(*last.time.get(side)) + passed;
                let bonus = settings(control, &self.period).map_or(0, |s| s.get(side).bonus_ms());
                self.press(side, now.at, rise >= bonus / 2);
            }
            (None, Some(next)) => self.resume(next),
            _ => {}
        }
    }

    fn press(&mut self, by: Side, at: Timestamp, got_bonus: bool) {
        *self.presses.get_mut(by) += 1;
        *self.pressed.get_mut(by) = Some(Pressed {
            at,
            after_ms: 0,
            got_bonus,
        });
        if let Some(open) = self.open.get_mut(by) {
            open.presses += 1;
        }
        self.goes_on(by.other());
    }

    /// A clock begins to run.
    fn goes_on(&mut self, next: Side) {
        let unseen = self.pressed.get_mut(next).take().is_some();
        match self.open.get_mut(next) {
            // It runs again before it was seen at rest: both turns count as one.
            Some(open) if unseen => open.stretches += 1,
            _ => {
                let from = self.rest.get_mut(next).filter(|_| !unseen);
                *self.open.get_mut(next) = from.map(opened);
            }
        }
    }

    fn resume(&mut self, next: Side) {
        self.ledger.resumed();
        let other = next.other();
        let lever_moved = self.open.get(other).is_some() && self.pressed.get(other).is_none();
        if lever_moved {
            self.lose();
        }
        match self.open.get_mut(next) {
            Some(open) => open.stretches += 1,
            None => *self.open.get_mut(next) = self.rest.get(next).map(opened),
        }
    }

    /// A clock that has rested after its press shows what the press left: its turn is known.
    fn settle(&mut self, side: Side, shows: u64, now: &Shown, control: &TimeControl) {
        let pressed = *self.pressed.get(side);
        if let Some(pressed) = pressed.filter(|p| now.at.since(p.at) >= AT_REST) {
            *self.pressed.get_mut(side) = None;
            self.at_rest(side, shows, pressed, now.at, control);
        }
    }

    fn at_rest(
        &mut self,
        side: Side,
        shows: u64,
        pressed: Pressed,
        at: Timestamp,
        control: &TimeControl,
    ) {
        let to = Span::shown(shows);
        *self.rest.get_mut(side) = Some(to);
        let other = side.other();
        let rested = self
            .open
            .get(other)
            .filter(|o| o.presses == 0)
            .map(|o| o.from);
        let after_ms = pressed.after_ms;
        if let Some(open) = self.open.get_mut(side).take() {
            let entry = Entry {
                turn: turn(side, &open, to),
                rested,
                after_ms,
                at,
            };
            if entry.turn.may_have_run_out() {
                self.ledger.lose();
            } else {
                self.ledger.turn(entry, control, &self.period);
            }
        }
        if let (true, Some(rested)) = (self.ledger.is_lost(), rested) {
            let mut from = BySide::new_with(|_| to);
            *from.get_mut(other) = rested;
            self.ledger.start(from, after_ms, false);
        }
    }

    fn early(&mut self, now: &Shown) {
        let Some(side) = now.running.filter(|s| *self.presses.get(*s) == 0) else {
            return;
        };
        let more = self
            .rest
            .get(side)
            .is_some_and(|from| signed(*now.time.get(side)) > from.hi);
        if more {
            self.ledger.early(side);
        }
    }

    /// Who may still gain the bonus of a press that was just seen.
    fn bonus_due(&self, now: Timestamp) -> BySide<bool> {
        self.pressed
            .map(|p| p.is_some_and(|p| !p.got_bonus && now.since(p.at) <= 2 * AT_REST))
    }

    fn missed(&mut self, pairs: u32) {
        self.missed = self.missed.saturating_add(pairs);
        for side in Side::BOTH {
            *self.presses.get_mut(side) += pairs;
        }
        self.lose();
    }

    fn next_period(&mut self, side: Side, added: u64, at: Timestamp, control: &TimeControl) {
        let periods = control.side(side).periods();
        let next = usize::from(*self.period.get(side)) + 1;
        let is_right = |number: &usize| {
            let due = periods.get(*number).map(|p| u64::from(p.seconds) * 1000);
            due.is_some_and(|due| due.abs_diff(added) <= 5_000)
        };
        // Where turns went by unheard, a period may have come with them.
        let last = if self.lost_count { periods.len() } else { next };
        let found = (next..=last).find(is_right);
        *self.period_in_doubt.get_mut(side) &= found.is_none();
        if found.is_none() {
            self.wrong_period = Some((at, side, added));
        }
        *self.period.get_mut(side) = u8::try_from(found.unwrap_or(next)).unwrap_or(u8::MAX);
        self.lose();
    }

    fn jumped(&mut self, last: &Shown, now: &Shown, control: &TimeControl) {
        let by_hand = last.running.is_none();
        if by_hand && self.is_set_anew(last, now, control) {
            *self = ClockModel::default();
            return self.first(now);
        }
        self.jump = Some(Jump {
            at: now.at,
            before: last.time,
            after: now.time,
            by_hand,
        });
        self.lose();
        if by_hand {
            self.forgive();
        }
    }

    /// A clock that was tried out before the game and is set for it now.
    fn is_set_anew(&self, last: &Shown, now: &Shown, control: &TimeControl) -> bool {
        let more = |side| now.time.get(side) >= last.time.get(side);
        let first = |side| control.side(side).periods().first();
        let full = |side| first(side).is_some_and(|p| starts_right(p, *now.time.get(side)));
        self.presses.white + self.presses.black <= TRIED_OUT
            && (Side::BOTH.into_iter().all(full)
                || (Side::BOTH.into_iter().all(more) && !self.ledger.is_lost()))
    }

    /// Somebody has set the clock: old faults are over.
    fn forgive(&mut self) {
        self.wrong_period = None;
        self.initial = self.initial.filter(|_| !self.started);
        self.ledger.forgive();
    }

    /// What was known no longer is; the next moment at which both clocks rest is a new start.
    fn lose(&mut self) {
        self.open = BySide::default();
        self.rest = BySide::default();
        self.ledger.lose();
    }
}

fn opened(from: Span) -> Open {
    Open {
        from,
        ran_ms: 0,
        stretches: 1,
        presses: 0,
    }
}

fn turn(side: Side, open: &Open, to: Span) -> Turn {
    Turn {
        side,
        presses: open.presses,
        stretches: open.stretches,
        ran_ms: open.ran_ms,
        from: open.from,
        to,
    }
}
