//! Which conditions the chessclock itself brings about: wrong settings, sums, jumps, the wrong clock running, flags that matter.

use protocol::{BySide, Side, Speed, Timestamp};

use super::conditions::lasting;
use super::{Condition, Devices, Patience};
use crate::game::Game;
use crate::laws::Code;
use crate::laws::chessclock::{
    FlagMeaning, Odd, Start, counts_moves, flag_meaning, start_display, surplus,
};
use crate::laws::scramble::{Scramble, scramble};

/// Everything about the clock of a table.
pub(super) fn of_clock(
    game: &Game,
    devices: &Devices,
    patience: &Patience,
    now: Timestamp,
) -> Vec<Condition> {
    if game.standing.is_some() || game.clock.view.is_none() {
        return Vec::new();
    }
    let mut found = Vec::new();
    found.extend(start(game, devices, patience, now));
    found.extend(setting(game));
    found.extend(not_set(game, patience, now));
    found.extend(odd_one_out(game, devices, &found));
    found.extend(side(game));
    found.extend(jumps(game, patience, now));
    found.extend(wrong_runner(game, devices, patience, now));
    found.extend(two_flags(game));
    found.extend(counter(game, now));
    found.extend(short_of_time(game, now));
    let low = game.clock.model.battery_low;
    found.extend(low.map(|since| Condition::new(Code::ClockBatteryLow, 0, since)));
    found
}

/// Times before the game; told when the round has started, or at once when the clock runs.
fn start(game: &Game, devices: &Devices, patience: &Patience, now: Timestamp) -> Option<Condition> {
    let model = &game.clock.model;
    let first = game.record.get(1).map(|p| p.made_at);
    let initial = model.initial.filter(|i| first.is_none_or(|f| i.at <= f))?;
    if start_display(model, &game.setup.time_control) == Start::Right {
        return None;
    }
    let due = devices.started.is_some_and(|s| now >= s);
    match (model.started, due) {
        (true, _) => Some(Condition::new(Code::TimeControlWrong, 0, initial.at)),
        (false, true) => lasting(
            Code::TimeControlWrong,
            0,
            Some(initial.at),
            patience.clock_setting,
            now,
        ),
        (false, false) => None,
    }
}

fn setting(game: &Game) -> Vec<Condition> {
    let model = &game.clock.model;
    let mut found = Vec::new();
    if game.record.is_empty() {
        return found;
    }
    if let Some(wrong) = model.wrong() {
        found.push(Condition::new(Code::IncrementWrong, 0, wrong.since));
    } else if let Some((since, _)) = model.off().filter(|_| game.clock.due.is_none()) {
        found.push(Condition::new(Code::ClockSumWrong, 0, since));
    }
    if let Some((since, side, _)) = model.wrong_period {
        found.push(Condition {
            side: Some(side),
            ..Condition::new(Code::TimeControlWrong, 1, since)
        });
    }
    found
}

/// Cause of a sum that is wrong because ruled times are not on the clock.
pub(super) const NOT_SET: u64 = 2;

/// Causes of a clock that differs from its neighbours: its times before the game, its bonus.
pub(super) const ODD_START: u64 = 3;
pub(super) const ODD_BONUS: u64 = 4;

/// The clock runs and does not show what was ruled.
fn not_set(game: &Game, patience: &Patience, now: Timestamp) -> Option<Condition> {
    let due = game.clock.due.filter(|_| game.clock.runs())?;
    lasting(
        Code::ClockSumWrong,
        NOT_SET,
        Some(due.at),
        patience.ruled_time,
        now,
    )
}

/// A clock that is set otherwise than its neighbours', where the event's control does not tell what is right.
fn odd_one_out(game: &Game, devices: &Devices, found: &[Condition]) -> Option<Condition> {
    let odd = devices.odd?;
    let told = |c: &Condition| matches!(c.code, Code::TimeControlWrong | Code::IncrementWrong);
    let known = Side::BOTH
        .into_iter()
        .all(|s| !game.setup.time_control.side(s).periods().is_empty());
    let cause = match odd {
        Odd::Start(..) => ODD_START,
        Odd::Bonus(..) => ODD_BONUS,
    };
    let at = game.clock.view.map(|v| v.at)?;
    let wrong = !known && !found.iter().any(told);
    wrong.then(|| Condition::new(Code::ClockSumWrong, cause, at))
}

/// Cause of a clock that stands on the wrong side by the hub's own count.
pub(super) const VOTES: u64 = 1 << 33;

/// Three presses from the wrong side and none from the right one (6.5).
fn side(game: &Game) -> Option<Condition> {
    let told = game
        .open_irregularities()
        .any(|i| i.code == Code::ClockSideWrong);
    let at = game.clock.view.map(|v| v.at)?;
    (game.clock.hands.exchanged() && !told).then(|| Condition::new(Code::ClockSideWrong, VOTES, at))
}

fn jumps(game: &Game, patience: &Patience, now: Timestamp) -> Option<Condition> {
    let begun = game.record.get(1)?.made_at;
    let open = game.clock.due.is_none();
    let jump = game.clock.model.jump.filter(|j| open && j.at >= begun)?;
    let wait = if jump.by_hand {
        patience.set_by_hand
    } else {
        patience.clock_jumped
    };
    let cause = u64::try_from(jump.at.0).unwrap_or(0);
    lasting(Code::ClockJumped, cause, Some(jump.at), wait, now)
}

/// All moves are completed and the clock of the player who has not the move runs.
fn wrong_runner(
    game: &Game,
    devices: &Devices,
    patience: &Patience,
    now: Timestamp,
) -> Option<Condition> {
    let completed = game.record.last()?.completed_at?;
    let in_doubt = game.differs.is_some() || game.stray.is_some() || game.held.is_some();
    if in_doubt || !devices.are_read() {
        return None;
    }
    let view = game.clock.view.filter(|v| v.at > completed)?;
    let running = view.running?;
    // A clock that went on while nobody was told of it runs wrong only since it is seen to.
    let since = completed.max(game.clock.since?);
    let wrong = running != game.record.position().turn();
    let found = wrong.then(|| {
        let cause = u64::from(game.record.len());
        lasting(
            Code::WrongClockRunning,
            cause,
            Some(since),
            patience.wrong_clock,
            now,
        )
    })?;
    found.map(|c| Condition {
        side: Some(running),
        ..c
    })
}

fn two_flags(game: &Game) -> Option<Condition> {
    let flags = &game.clock.flags;
    let (white, black) = (flags.white.as_ref()?, flags.black.as_ref()?);
    let matter = Side::BOTH.into_iter().all(|s| flag_matters(game, s));
    matter.then(|| Condition::new(Code::BothFlagsFallen, 0, white.at.max(black.at)))
}

/// Presses and moves that disagree by two: one may be on its way, or belong to a ruling.
fn counter(game: &Game, now: Timestamp) -> Option<Condition> {
    if game.clock.model.lost_count {
        return None;
    }
    let control = &game.setup.time_control;
    let surplus = surplus_of(game);
    let odd = Side::BOTH
        .into_iter()
        .find(|s| counts_moves(control.side(*s)) && surplus.get(*s).abs() >= 2)?;
    Some(Condition {
        side: Some(odd),
        ..Condition::new(Code::MoveCounterWrong, 0, now)
    })
}

/// Presses seen more than completed moves.
pub(super) fn surplus_of(game: &Game) -> BySide<i64> {
    surplus(game.clock.model.presses, completed(game))
}

fn short_of_time(game: &Game, now: Timestamp) -> Option<Condition> {
    let scramble = scramble_of(game, now)?;
    let cause = u64::from(scramble.needs_recorder());
    Some(Condition::new(Code::Scramble, cause, now))
}

/// Time trouble at a table of standard play.
pub(super) fn scramble_of(game: &Game, now: Timestamp) -> Option<Scramble> {
    let flag = game.clock.flags.white.is_some() || game.clock.flags.black.is_some();
    if game.setup.regime.speed != Speed::Standard || !game.in_play() || flag {
        return None;
    }
    let left = game.clock.times(now)?;
    let least = left.white.min(left.black);
    if least >= 300_000 {
        return None;
    }
    let period = game.clock.model.period;
    scramble(&game.setup.time_control, period, left, completed(game))
}

/// Moves completed by each player.
pub(super) fn completed(game: &Game) -> BySide<u32> {
    game.record.completed_moves()
}

/// What a player's fallen flag means.
pub(super) fn meaning(game: &Game, side: Side) -> FlagMeaning {
    let control = game.setup.time_control.side(side);
    let made = *completed(game).get(side);
    // The clock adds the next period with the flag: the flag is of the one before.
    let number = game.clock.model.period.get(side).saturating_sub(1);
    flag_meaning(control, number, made)
}

/// A flag with the moves of its period completed matters only where scoresheets must be brought up to date (8.5.1).
pub(super) fn flag_matters(game: &Game, side: Side) -> bool {
    match meaning(game, side) {
        FlagMeaning::NextPeriod { .. } => {
            let periods = game.setup.time_control.side(side).periods();
            periods.first().is_some_and(|p| p.bonus.seconds() < 30)
                && game.setup.regime.speed == Speed::Standard
        }
        FlagMeaning::Overstepped { .. } | FlagMeaning::TimeUsedUp | FlagMeaning::Unknown => true,
    }
}
