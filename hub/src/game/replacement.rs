//! The times for a clock that replaces another one, from what was seen of the game (6.10.1).

use protocol::{Bonus, BySide, Side, Timestamp};

use super::Game;
use crate::laws::arithmetic::{LastGood, Replacement, replacement_known, replacement_unknown};

/// The times to set: from the last good reading where there is one, with what the formula gives beside it; none where nothing is known.
pub fn replacement(game: &Game, now: Timestamp) -> Option<Replacement> {
    let known = game.clock.view.map(|view| {
        let last = LastGood {
            view,
            until: game.clock.stopped_since.unwrap_or(now),
            presses: presses_since(game, view.at),
        };
        let found = replacement_known(&last, BySide::new_with(|side| increment_ms(game, side)));
        with_ruled(game, found)
    });
    let formula = by_formula(game, now);
    match (known, formula) {
        (Some(mut known), Some(formula)) => {
            let beside = formula.lines.iter();
            known
                .lines
                .extend(beside.map(|l| format!("By the formula alone: {l}")));
            Some(known)
        }
        (known, formula) => known.or(formula),
    }
}

/// What was ruled and never set belongs to the times of the players as well.
fn with_ruled(game: &Game, found: Replacement) -> Replacement {
    match game.clock.lacks().filter(|l| *l != BySide::default()) {
        Some(lacks) => found.with_ruled(lacks),
        None => found,
    }
}

/// (PER + NC x INC) - DT/2 for each.
fn by_formula(game: &Game, now: Timestamp) -> Option<Replacement> {
    let begun = game.begun?;
    let stands = game.clock.stopped_since.map_or(0, |since| now.since(since));
    let played = now
        .since(begun)
        .saturating_sub(game.clock.stood_ms.saturating_add(stands));
    let completed = game.record.completed_moves();
    replacement_unknown(&game.setup.time_control, completed, played)
}

fn presses_since(game: &Game, at: Timestamp) -> BySide<u32> {
    let mut count = BySide::default();
    let plies = game.record.entries().iter().rev().map(|e| &e.ply);
    for ply in plies.take_while(|p| p.completed_at.is_none_or(|done| done > at)) {
        *count.get_mut(ply.by) += u32::from(ply.completed_at.is_some());
    }
    count
}

/// What a press earns, milliseconds.
pub fn increment_ms(game: &Game, side: Side) -> u64 {
    let periods = game.setup.time_control.side(side).periods();
    let number = usize::from(*game.clock.model.period.get(side));
    let period = periods.get(number.min(periods.len().saturating_sub(1)));
    match period.map(|p| p.bonus) {
        Some(Bonus::Increment(s)) => u64::from(s) * 1000,
        _ => 0,
    }
}
