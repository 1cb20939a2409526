//! Rulings that change the times: the clock is set by hand, and its reading is watched.

use protocol::{BySide, Side, Timestamp};

use super::{Around, Prepared, Refusal};
use crate::game::{Game, GameEvent, clock_words, increment_ms};

/// No ruling adds or takes more than a day.
const MOST: u64 = 86_400_000;

pub(super) fn adjust(
    game: &Game,
    change_ms: BySide<i64>,
    article: &str,
    around: Around<'_>,
) -> Result<Prepared, Refusal> {
    if change_ms == (BySide { white: 0, black: 0 }) {
        return Err(Refusal::value("no time is changed"));
    }
    if Side::BOTH
        .iter()
        .any(|s| change_ms.get(*s).unsigned_abs() > MOST)
    {
        return Err(Refusal::value("more than a day"));
    }
    if let Some(times) = game.clock.owed(around.now)
        && let Some(side) = Side::BOTH
            .into_iter()
            .find(|s| below_zero(*times.get(*s), *change_ms.get(*s)))
    {
        return Err(Refusal::value(format!(
            "{} has only {}",
            side.word(),
            clock_words(*times.get(side))
        )));
    }
    let mut ruling = Prepared {
        article: article.chars().take(40).collect(),
        words: format!(
            "time: White {}, Black {}",
            signed(change_ms.white),
            signed(change_ms.black)
        ),
        ..Prepared::default()
    };
    add(game, change_ms, around.now, &mut ruling);
    Ok(ruling)
}

fn below_zero(time: u64, change: i64) -> bool {
    change < 0 && change.unsigned_abs() > time
}

/// Adds a change of times to a ruling, with its arithmetic.
pub(super) fn add(game: &Game, change_ms: BySide<i64>, now: Timestamp, ruling: &mut Prepared) {
    let times = game.clock.owed(now);
    let due = times.map(|times| {
        BySide::new_with(|side| times.get(side).saturating_add_signed(*change_ms.get(side)))
    });
    match (times, due) {
        (Some(times), Some(due)) => ruling.lines.extend(Side::BOTH.iter().map(|side| {
            format!(
                "{}: {} {} = {}",
                side.word(),
                clock_words(*times.get(*side)),
                signed(*change_ms.get(*side)),
                clock_words(*due.get(*side))
            )
        })),
        _ => ruling
            .lines
            .push("No reading of the clock is known; set it by hand.".to_owned()),
    }
    ruling
        .then
        .push("the clock is set by hand; its reading is watched".to_owned());
    ruling.set_clock = due;
    ruling.events.push(GameEvent::TimeRuled {
        change_ms,
        due,
        at: now,
    });
    let back = change_ms.map(|ms| -ms);
    ruling.undo.push(GameEvent::TimeRuled {
        change_ms: back,
        due: None,
        at: now,
    });
}

/// "+2:00", "-0:30", "+0:00".
pub(super) fn signed(ms: i64) -> String {
    let sign = if ms < 0 { '-' } else { '+' };
    let s = ms.unsigned_abs() / 1000;
    format!("{sign}{}:{:02}", s / 60, s % 60)
}

/// What the last press earned, milliseconds.
pub(super) fn earned_ms(game: &Game, side: Side) -> i64 {
    i64::try_from(increment_ms(game, side)).unwrap_or(0)
}
