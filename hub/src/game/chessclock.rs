//! The chessclock of a table as far as the hub has seen it: the last reading, stops, flags, times set by a ruling.

use std::collections::VecDeque;

use protocol::{
    Boot, BySide, ChessclockView, ClockReading, DeviceId, FactId, Flag, Millis, Side, SideControl,
    TimeControl, Timestamp,
};
use serde::{Deserialize, Serialize};

use super::ruled_times::{TimeDue, between};
use crate::laws::chessclock::{ClockModel, Hands};

/// A press, and what both sides showed then.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Pressed {
    /// When, hub's time.
    pub at: Timestamp,
    /// Milliseconds left.
    pub times: BySide<u64>,
}

/// A flag that was seen fallen.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct FlagSeen {
    /// When, hub's time.
    pub at: Timestamp,
    /// The reading that showed it.
    pub fact: Option<FactId>,
    /// Whether the opponent's flag was down already.
    pub second: bool,
}

/// How far a reading may lie from what was expected before a screen needs to hear of it, milliseconds.
const TOLERANCE: u64 = 1_500;

/// Readings that are kept as evidence: those that told something new.
const TOLD: usize = 12;

/// The clock.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Chessclock {
    /// The last reading.
    pub view: Option<ChessclockView>,
    /// Since when both sides stand, hub's time.
    pub stopped_since: Option<Timestamp>,
    /// Each player's time after his last completed move, milliseconds.
    pub after_move: BySide<Option<u64>>,
    /// Flags seen fallen in this game.
    pub flags: BySide<Option<FlagSeen>>,
    /// Times that a ruling wants.
    pub due: Option<TimeDue>,
    /// What the readings say about the clock itself.
    #[serde(default)]
    pub model: ClockModel,
    /// Who pressed after whose move.
    #[serde(default)]
    pub hands: Hands,
    /// Milliseconds that both sides stood since the game began, without the present stop.
    #[serde(default)]
    pub stood_ms: Millis,
    /// Since when the same side runs, or none does, hub's time.
    #[serde(default)]
    pub since: Option<Timestamp>,
    /// Each player's last press of a chessclock that is not the board's: the board itself cannot tell which move it completed.
    #[serde(default)]
    pub pressed: BySide<Option<Pressed>>,
    /// Whose turn the lever says it is.
    #[serde(default)]
    lever: Option<Side>,
    /// The lever was moved last while both sides stood, which is no press.
    #[serde(default)]
    idle_lever: bool,
    /// Who read it last: the agent's start and the device.
    #[serde(default)]
    read_by: Option<(Boot, Option<DeviceId>)>,
    /// The facts of the last readings that told something new, oldest first.
    #[serde(default)]
    told: VecDeque<(Timestamp, FactId)>,
}

/// No chessclock shows more, milliseconds.
const MOST_SHOWN: u64 = 100 * 3_600_000;

/// Whether a chessclock can show these times at all.
pub(crate) fn can_be_shown(reading: &ClockReading) -> bool {
    Side::BOTH
        .iter()
        .all(|s| *reading.time.get(*s) < MOST_SHOWN)
}

impl Chessclock {
    /// Takes a reading in; an older one than the last changes nothing. Answers whether a screen that counts down by itself would be wrong now.
    pub fn read(&mut self, reading: &ClockReading, at: Timestamp) -> bool {
        if self.view.is_some_and(|v| v.at > at) {
            return false;
        }
        let news = self.view.is_none_or(|v| is_news(&v, reading, at));
        if let (Some(since), Some(_)) = (self.stopped_since, reading.running) {
            self.stood_ms = self.stood_ms.saturating_add(at.since(since));
        }
        self.stopped_since = match reading.running {
            None => self.stopped_since.or(Some(at)),
            Some(_) => None,
        };
        self.follow_lever(reading);
        if self.view.is_none_or(|v| v.running != reading.running) {
            self.since = Some(at);
        }
        self.view = Some(ChessclockView {
            time: reading.time,
            running: reading.running,
            flag: reading.flag,
            at,
        });
        news
    }

    fn follow_lever(&mut self, reading: &ClockReading) {
        if reading.turn.is_some() && reading.turn != self.lever {
            let stood = self.view.is_some_and(|v| v.running.is_none());
            self.idle_lever = stood && reading.running.is_none();
            self.lever = reading.turn;
        }
    }

    /// Whether the lever was moved last while both sides stood: nobody has pressed then.
    pub fn pressed_at_rest(&self) -> bool {
        self.idle_lever
    }

    /// A reading comes with its fact: between one start of an agent and the next nobody listened.
    pub(super) fn heard_by(&mut self, fact: &FactId) {
        let now = (fact.boot.clone(), fact.device.clone());
        if self.read_by.as_ref() != Some(&now) {
            if self.read_by.is_some() {
                self.model.goes_unheard();
            }
            self.read_by = Some(now);
        }
    }

    /// Keeps the fact of a reading that told something new.
    pub(super) fn remember(&mut self, at: Timestamp, fact: &FactId) {
        if self.told.len() == TOLD {
            self.told.pop_front();
        }
        self.told.push_back((at, fact.clone()));
    }

    /// The facts a finding of a moment rests on: the last reading before it and those of it.
    pub fn told_at(&self, moment: Timestamp) -> Vec<(Timestamp, FactId)> {
        let before = self.told.iter().rev().find(|(at, _)| *at < moment);
        let of_it = self.told.iter().filter(|(at, _)| *at == moment);
        let found: Vec<_> = before.into_iter().chain(of_it).cloned().collect();
        match found.is_empty() {
            true => self.told.back().cloned().into_iter().collect(),
            false => found,
        }
    }

    /// The fact of the newest reading that told something.
    pub fn told_last(&self) -> Option<(Timestamp, FactId)> {
        self.told.back().cloned()
    }

    /// What the clock shows at a moment, worked out from its last reading.
    pub fn times(&self, now: Timestamp) -> Option<BySide<u64>> {
        self.view.map(|v| v.extrapolated(now))
    }

    /// Whether one of the sides runs.
    pub fn runs(&self) -> bool {
        self.view.is_some_and(|v| v.running.is_some())
    }

    /// Both times as they should be now by the ruling whose times are awaited.
    pub fn awaited(&self, now: Timestamp) -> Option<BySide<u64>> {
        self.due.map(|due| due.now(self.view.as_ref(), now))
    }

    /// What a ruling gave and the clock does not show yet, milliseconds.
    pub fn lacks(&self) -> Option<BySide<i64>> {
        self.due.and_then(|due| due.lacks)
    }

    /// A ruling wants times on this clock, whatever it shows when they are ruled.
    pub(super) fn await_times(&mut self, change_ms: BySide<i64>, due: BySide<u64>, at: Timestamp) {
        let shows = self.times(at);
        self.due = Some(TimeDue {
            at,
            change_ms,
            due,
            lacks: shows.map(|shows| between(shows, due)),
            is_set: false,
        });
    }

    /// What the clock should show at a moment: the times of a ruling that are still to be set by hand, else its own.
    pub fn owed(&self, now: Timestamp) -> Option<BySide<u64>> {
        self.awaited(now).or_else(|| self.times(now))
    }

    /// Compares a reading that is about to be taken in with what was ruled; `bonus` is what a press brings each player, milliseconds.
    pub(super) fn watch(&mut self, reading: &ClockReading, at: Timestamp, bonus: BySide<u64>) {
        let newer = self.view.is_none_or(|v| v.at <= at);
        if let Some(due) = self.due.as_mut().filter(|_| newer) {
            due.follow(self.view.as_ref(), (reading, at), bonus);
        }
    }

    /// Whether a reading has shown what a ruling wanted.
    pub fn is_set(&self) -> bool {
        self.due.is_some_and(|due| due.is_set)
    }

    /// The time a completed move took by the clock, milliseconds; none where the control is not known or the clock gained
    /// more than its bonus.
    pub fn spent(&self, by: Side, now_ms: u64, control: &TimeControl) -> Option<Millis> {
        let side = control.side(by);
        side.periods().first()?;
        let before = (*self.after_move.get(by)).or_else(|| side.base_ms())?;
        before.saturating_add(bonus_ms(side)).checked_sub(now_ms)
    }
}

fn bonus_ms(side: &SideControl) -> u64 {
    match side.periods().first().map(|p| p.bonus) {
        Some(protocol::Bonus::Increment(s)) => u64::from(s) * 1000,
        _ => 0,
    }
}

fn is_news(old: &ChessclockView, new: &ClockReading, at: Timestamp) -> bool {
    let expected = old.extrapolated(at);
    let far = |side| expected.get(side).abs_diff(*new.time.get(side)) > TOLERANCE;
    old.running != new.running || old.flag != new.flag || Side::BOTH.into_iter().any(far)
}

/// Flags of a reading that were up in the last one.
pub(super) fn fallen(clock: &Chessclock, reading: &ClockReading) -> Vec<Side> {
    Side::BOTH
        .into_iter()
        .filter(|side| *reading.flag.get(*side) != Flag::Up && clock.flags.get(*side).is_none())
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn reading(white: u64, black: u64, running: Option<Side>) -> ClockReading {
        ClockReading {
            time: BySide { white, black },
            running,
            turn: running,
            flag: BySide::default(),
            bonus_sign: BySide::default(),
            battery_low: false,
        }
    }

    #[test]
    fn only_what_a_counting_screen_does_not_know_is_news() {
        use Side::*;
        let rows = [
            (60_000, Some(White), 1_000, 59_000, Some(White), false),
            (60_000, Some(White), 5_000, 55_000, Some(White), false),
            (60_000, Some(White), 1_000, 60_000, None, true),
            (60_000, Some(White), 1_000, 69_000, Some(White), true),
            (60_000, None, 9_000, 60_000, None, false),
        ];
        for (white, running, later, shows, then, news) in rows {
            let mut clock = Chessclock::default();
            assert!(clock.read(&reading(white, 90_000, running), Timestamp(0)));
            let got = clock.read(&reading(shows, 90_000, then), Timestamp(later));
            assert_eq!(got, news, "{white} {running:?} -> {shows} {then:?}");
        }
    }

    #[test]
    fn art_6_2_a_lever_moved_while_the_clock_stands_is_no_press() {
        use Side::*;
        let rows = [
            ([(Some(White), White), (Some(Black), Black)], false),
            ([(None, White), (None, Black)], true),
            ([(None, White), (Some(Black), Black)], false),
            ([(Some(White), White), (None, Black)], false),
            ([(None, White), (None, White)], false),
        ];
        for (readings, idle) in rows {
            let mut clock = Chessclock::default();
            for (at, (running, lever)) in readings.into_iter().enumerate() {
                let shown = ClockReading {
                    turn: Some(lever),
                    ..reading(60_000, 60_000, running)
                };
                clock.read(&shown, Timestamp(i64::try_from(at).expect("small")));
            }
            assert_eq!(clock.pressed_at_rest(), idle, "{readings:?}");
        }
    }

    #[test]
    fn an_older_reading_changes_nothing() {
        let mut clock = Chessclock::default();
        clock.read(&reading(50_000, 90_000, None), Timestamp(1_000));
        let before = clock.clone();
        assert!(!clock.read(&reading(60_000, 90_000, Some(Side::White)), Timestamp(500)));
        assert_eq!(clock, before);
    }

    #[test]
    fn time_spent_by_the_clock_counts_the_increment() {
        let control: TimeControl = "5400+30".parse().expect("control");
        let clock = Chessclock::default();
        assert_eq!(clock.spent(Side::White, 5_420_000, &control), Some(10_000));
        assert_eq!(clock.spent(Side::White, 5_500_000, &control), None);
    }
}
