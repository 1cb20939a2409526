//! A chessclock and two players for the tests: true times to the millisecond, readings as late and as coarse as real ones.

use protocol::{Bonus, BySide, ClockReading, Flag, Side, SideControl, TimeControl, Timestamp};

/// A small generator of random numbers, the same on every machine.
pub(super) struct Dice(u64);

impl Dice {
    pub(super) fn new(seed: u64) -> Dice {
        Dice(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1)
    }

    pub(super) fn below(&mut self, n: u64) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 11) % n.max(1)
    }

    pub(super) fn chance(&mut self, percent: u64) -> bool {
        self.below(100) < percent
    }
}

/// When a clock gives its increments.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Habit {
    /// With each press.
    AfterPress,
    /// The first one stands on the display before the game, then with each press.
    ShownBefore,
    /// The first one comes when a clock starts for the first time, then with each press.
    FirstStart,
    /// Whenever a clock starts.
    AtStart,
}

/// When a clock adds the next period.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Adds {
    /// When the time is used up, as DGT clocks do.
    AtZero,
    /// With the press of the move that completes the period.
    AtCount,
}

/// What a display makes of a part of a second.
#[derive(Clone, Copy, Debug)]
pub(super) enum Rounds {
    /// It is cut off.
    Down,
    /// It counts as a whole one.
    Up,
}

/// How often readings come.
#[derive(Clone, Copy, Debug)]
pub(super) enum Talk {
    /// Every second, and at presses.
    EverySecond,
    /// At presses, where the display is not what the last reading promised, and now and then.
    News,
}

/// A clock.
pub(super) struct Clock {
    control: TimeControl,
    pub(super) habit: Habit,
    pub(super) adds: Adds,
    talk: Talk,
    time: BySide<i64>,
    turn: Option<Side>,
    turn_ran: i64,
    presses: BySide<u32>,
    period: BySide<usize>,
    starts: BySide<u32>,
    pub(super) running: Option<Side>,
    now: i64,
    last_at: i64,
    shown: Option<(BySide<u64>, Option<Side>, i64)>,
    out: Vec<(Timestamp, ClockReading)>,
    /// More per thousand than real time, for clocks that are wrong.
    pub(super) drift_per_mille: i64,
    pub(super) rounds: Rounds,
}

impl Clock {
    pub(super) fn new(control: &TimeControl, habit: Habit, adds: Adds, talk: Talk) -> Clock {
        Clock {
            control: control.clone(),
            habit,
            adds,
            talk,
            time: at_first(control, habit),
            turn: None,
            turn_ran: 0,
            presses: BySide::default(),
            period: BySide::default(),
            starts: BySide::default(),
            running: None,
            now: 1_000_000,
            last_at: 0,
            shown: None,
            out: Vec::new(),
            drift_per_mille: 0,
            rounds: Rounds::Down,
        }
    }

    /// It stands, and is set for the game once more.
    pub(super) fn set_anew(&mut self, dice: &mut Dice) {
        self.pass(4_000, dice);
        self.time = at_first(&self.control, self.habit);
        self.turn_ran = 0;
        (self.presses, self.starts) = (BySide::default(), BySide::default());
        self.tell(dice, true);
        self.pass(4_000, dice);
    }

    pub(super) fn readings(&mut self) -> Vec<(Timestamp, ClockReading)> {
        std::mem::take(&mut self.out)
    }

    /// Time passes; readings are told on the way.
    pub(super) fn pass(&mut self, ms: i64, dice: &mut Dice) {
        let mut left = ms;
        while left > 0 {
            let step = left.min(1_000 - self.now.rem_euclid(1_000));
            self.advance(step);
            left -= step;
            if self.now.rem_euclid(1_000) == 0 {
                self.tell(dice, false);
            }
        }
    }

    fn advance(&mut self, ms: i64) {
        self.now += ms;
        let Some(side) = self.running else {
            return;
        };
        let ms = ms + ms * self.drift_per_mille / 1000;
        let bonus = self.bonus(side);
        let free = match bonus {
            Bonus::Delay(s) => (i64::from(s) * 1000 - self.turn_ran).clamp(0, ms),
            _ => 0,
        };
        self.turn_ran += ms;
        *self.time.get_mut(side) -= ms - free;
        if bonus == Bonus::Sandclock {
            *self.time.get_mut(side.other()) += ms;
        }
        if *self.time.get(side) <= 0 && self.adds == Adds::AtZero {
            self.next_period(side);
        }
        // A clock shows nothing below zero.
        let left = self.time.get_mut(side);
        *left = (*left).max(0);
    }

    fn next_period(&mut self, side: Side) {
        let next = *self.period.get(side) + 1;
        if let Some(period) = self.control.side(side).periods().get(next) {
            *self.period.get_mut(side) = next;
            *self.time.get_mut(side) += i64::from(period.seconds) * 1000;
        }
    }

    fn bonus(&self, side: Side) -> Bonus {
        let SideControl::Periods(periods) = self.control.side(side) else {
            return Bonus::None;
        };
        periods[(*self.period.get(side)).min(periods.len() - 1)].bonus
    }

    /// The clock of a player starts.
    pub(super) fn start(&mut self, side: Side, dice: &mut Dice) {
        self.running = Some(side);
        *self.starts.get_mut(side) += 1;
        (self.turn, self.turn_ran) = (Some(side), 0);
        let first = *self.starts.get(side) == 1 && self.habit == Habit::FirstStart;
        if let (Bonus::Increment(s), true) =
            (self.bonus(side), first || self.habit == Habit::AtStart)
        {
            *self.time.get_mut(side) += i64::from(s) * 1000;
        }
        self.tell(dice, true);
    }

    /// The player on move presses.
    pub(super) fn press(&mut self, dice: &mut Dice) {
        let Some(side) = self.running else {
            return;
        };
        let bonus = self.bonus(side);
        *self.time.get_mut(side) += match bonus {
            Bonus::Increment(s) if self.habit != Habit::AtStart => i64::from(s) * 1000,
            Bonus::Bronstein(s) => (i64::from(s) * 1000).min(self.turn_ran),
            _ => 0,
        };
        *self.presses.get_mut(side) += 1;
        if self.adds == Adds::AtCount && self.completes_period(side) {
            self.next_period(side);
        }
        self.start(side.other(), dice);
    }

    fn completes_period(&self, side: Side) -> bool {
        let SideControl::Periods(periods) = self.control.side(side) else {
            return false;
        };
        let upto = &periods[..=(*self.period.get(side)).min(periods.len() - 1)];
        let moves: Option<u32> = upto.iter().map(|p| p.moves).sum();
        moves == Some(*self.presses.get(side))
    }

    /// Both clocks stand.
    pub(super) fn stop(&mut self, dice: &mut Dice) {
        self.running = None;
        self.tell(dice, true);
    }

    /// A clock goes on after a stop.
    pub(super) fn resume(&mut self, side: Side, dice: &mut Dice) {
        if self.turn != Some(side) {
            (self.turn, self.turn_ran) = (Some(side), 0);
        }
        self.running = Some(side);
        self.tell(dice, true);
    }

    /// Somebody sets a time by hand.
    pub(super) fn set(&mut self, side: Side, ms: i64) {
        *self.time.get_mut(side) = ms;
    }

    /// Both clocks have added a period.
    pub(super) fn is_in_second_period(&self) -> bool {
        self.period.white > 0 && self.period.black > 0
    }

    pub(super) fn left(&self, side: Side) -> i64 {
        *self.time.get(side)
    }

    pub(super) fn tell(&mut self, dice: &mut Dice, always: bool) {
        let up = if let Rounds::Up = self.rounds { 999 } else { 0 };
        let whole = |t: i64| u64::try_from(t.max(0) + up).unwrap_or(0) / 1000 * 1000;
        let time = self.time.map(whole);
        if !always && !self.is_news(&time) {
            return;
        }
        let at = (self.now + i64::try_from(dice.below(1_000)).unwrap_or(0)).max(self.last_at);
        self.last_at = at;
        self.shown = Some((time, self.running, self.now));
        self.out.push((
            Timestamp(at),
            ClockReading {
                time,
                running: self.running,
                turn: self.running,
                flag: BySide::<Flag>::default(),
                bonus_sign: BySide::default(),
                battery_low: false,
            },
        ));
    }

    fn is_news(&self, time: &BySide<u64>) -> bool {
        let (Talk::News, Some((old, running, at))) = (self.talk, self.shown) else {
            return true;
        };
        let passed = u64::try_from(self.now - at).unwrap_or(0);
        let far = |side: Side| {
            let promised = match running {
                Some(r) if r == side => old.get(side).saturating_sub(passed),
                _ => *old.get(side),
            };
            promised.abs_diff(*time.get(side)) > 1_500
        };
        passed > 10_000 || Side::BOTH.into_iter().any(far)
    }
}

/// Both times before the game.
fn at_first(control: &TimeControl, habit: Habit) -> BySide<i64> {
    BySide::new_with(|side| {
        let period = control.side(side).periods()[0];
        let first = match (period.bonus, habit) {
            (Bonus::Increment(s), Habit::ShownBefore) => i64::from(s) * 1000,
            _ => 0,
        };
        i64::from(period.seconds) * 1000 + first
    })
}

/// How long a player thinks, milliseconds: premeditated, usual or long, and less when time runs out.
pub(super) fn think(dice: &mut Dice, left: i64) -> i64 {
    let most = match dice.below(10) {
        0..=2 => 1_500,
        3..=7 => 20_000,
        8 => 120_000,
        _ => 600_000,
    };
    let ms = 200 + i64::try_from(dice.below(most)).unwrap_or(0);
    ms.min((left / 4).max(200))
}
