//! Times that a ruling wants on the clock: what the clock lacks of them while play goes on, and when they have been set.

use protocol::{BySide, ChessclockView, ClockReading, Side, Timestamp};
use serde::{Deserialize, Serialize};

/// How far the clock may lie from what was ruled to count as set, milliseconds.
const SET_TOLERANCE: u64 = 5_000;

/// What a clock that stands shows otherwise by more than this was set by hand, milliseconds.
const BY_HAND: u64 = 1_500;

/// Times that a ruling wants on the clock.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct TimeDue {
    /// When it was ruled.
    pub at: Timestamp,
    /// What each player should have more or less, milliseconds.
    pub change_ms: BySide<i64>,
    /// What the clock should show if nothing runs, milliseconds.
    pub due: BySide<u64>,
    /// What the clock still lacks, milliseconds, however long play goes on with it; none until it is read.
    #[serde(default)]
    pub lacks: Option<BySide<i64>>,
    /// A reading has shown what was ruled.
    #[serde(default)]
    pub is_set: bool,
}

impl TimeDue {
    /// Both times as they should be now, beside a clock that was read last as `view`.
    pub(super) fn now(&self, view: Option<&ChessclockView>, now: Timestamp) -> BySide<u64> {
        if let (Some(lacks), Some(view)) = (self.lacks, view) {
            return plus(view.extrapolated(now), lacks);
        }
        let ran = view.and_then(|v| v.running);
        BySide::new_with(|side| {
            let used = if ran == Some(side) {
                now.since(self.at)
            } else {
                0
            };
            self.due.get(side).saturating_sub(used)
        })
    }

    /// A clock that is read after `view`: what it lacks is known from its first reading, and less when a hand has set it.
    pub(super) fn follow(
        &mut self,
        view: Option<&ChessclockView>,
        (reading, at): (&ClockReading, Timestamp),
        bonus: BySide<u64>,
    ) {
        self.is_set |= self.shown(view, (reading, at), bonus);
        match (self.lacks, view) {
            (None, _) => self.lacks = Some(between(reading.time, self.now(view, at))),
            (Some(lacks), Some(view)) if view.running.is_none() => {
                self.lacks = Some(set_by_hand(lacks, view, reading));
            }
            _ => {}
        }
    }

    /// Whether a reading shows what was ruled; `bonus` is what a press brings each player, milliseconds.
    fn shown(
        &self,
        view: Option<&ChessclockView>,
        (reading, at): (&ClockReading, Timestamp),
        bonus: BySide<u64>,
    ) -> bool {
        match (self.lacks, view) {
            (Some(lacks), Some(view)) => {
                shows_all(&plus(pressed(view, reading, at, bonus), lacks), reading)
                    || self.set_as_ruled(lacks, view, (reading, at))
                    || (self.is_absolute() && self.in_the_time_since(reading, at))
            }
            _ => self.in_the_time_since(reading, at),
        }
    }

    /// The very times of the ruling were set, though the clock ran on meanwhile.
    fn set_as_ruled(
        &self,
        lacks: BySide<i64>,
        view: &ChessclockView,
        (reading, at): (&ClockReading, Timestamp),
    ) -> bool {
        let shown = view.extrapolated(at);
        let was_moved = |side: Side| {
            let (lack, moved) = (
                *lacks.get(side),
                change(*shown.get(side), *reading.time.get(side)),
            );
            lack.unsigned_abs() <= SET_TOLERANCE
                || (lack.signum() == moved.signum()
                    && moved.unsigned_abs() >= lack.unsigned_abs() / 2)
        };
        view.running.is_none()
            && Side::BOTH.into_iter().all(was_moved)
            && self.in_the_time_since(reading, at)
    }

    /// Times were given, not more or less of them: another clock is set, or a game resumed.
    fn is_absolute(&self) -> bool {
        self.change_ms == BySide::default()
    }

    fn in_the_time_since(&self, reading: &ClockReading, at: Timestamp) -> bool {
        let used = at.since(self.at);
        Side::BOTH.iter().all(|side| {
            let (shown, want) = (*reading.time.get(*side), *self.due.get(*side));
            let least = want.saturating_sub(used).saturating_sub(SET_TOLERANCE);
            (least..=want.saturating_add(SET_TOLERANCE)).contains(&shown)
        })
    }
}

/// What a clock that stood lacks after a hand may have set it.
fn set_by_hand(lacks: BySide<i64>, view: &ChessclockView, reading: &ClockReading) -> BySide<i64> {
    BySide::new_with(|side| {
        let moved = change(*view.time.get(side), *reading.time.get(side));
        let by_hand = reading.running != Some(side) && moved.unsigned_abs() > BY_HAND;
        lacks.get(side) - if by_hand { moved } else { 0 }
    })
}

/// From both times to others, milliseconds.
pub(super) fn between(from: BySide<u64>, to: BySide<u64>) -> BySide<i64> {
    BySide::new_with(|side| change(*from.get(side), *to.get(side)))
}

fn change(from: u64, to: u64) -> i64 {
    let ms = i64::try_from(from.abs_diff(to)).unwrap_or(i64::MAX);
    if to < from { -ms } else { ms }
}

/// Times with what was ruled added.
pub(super) fn plus(times: BySide<u64>, more: BySide<i64>) -> BySide<u64> {
    BySide::new_with(|side| times.get(side).saturating_add_signed(*more.get(side)))
}

/// What the clock shows by itself at a reading: the player who has just pressed has his bonus.
fn pressed(
    view: &ChessclockView,
    reading: &ClockReading,
    at: Timestamp,
    bonus: BySide<u64>,
) -> BySide<u64> {
    let shown = view.extrapolated(at);
    BySide::new_with(|side| {
        let handed_over = view.running == Some(side) && reading.running == Some(side.other());
        shown.get(side) + if handed_over { *bonus.get(side) } else { 0 }
    })
}

fn shows_all(want: &BySide<u64>, reading: &ClockReading) -> bool {
    Side::BOTH
        .into_iter()
        .all(|side| want.get(side).abs_diff(*reading.time.get(side)) <= SET_TOLERANCE)
}
