//! A clock with a defect is replaced (6.10.1): the times to set, both ways of reckoning, and how far they may be wrong.

use protocol::BySide;

use super::{Around, Prepared, Refusal};
use crate::game::{Game, GameEvent, clock_words, replacement};
use crate::laws::Code;

pub(super) fn replace_clock(game: &Game, around: Around<'_>) -> Result<Prepared, Refusal> {
    if game.begun.is_none() {
        return Err(Refusal::state(
            "the game has not begun: set the clock as the event wants it",
        ));
    }
    let found = replacement(game, around.now).ok_or_else(|| {
        Refusal::nothing("no reading and no time control is known: set it by your judgement")
    })?;
    let BySide { white, black } = found.time;
    Ok(Prepared {
        lines: found.lines,
        article: game.laws().articles.clock_defect.to_owned(),
        then: vec![
            "the new clock is set by hand; its reading is watched".to_owned(),
            "move counter and period as on the old clock".to_owned(),
        ],
        set_clock: Some(found.time),
        events: vec![GameEvent::ClockReplaced {
            due: found.time,
            at: around.now,
        }],
        undo: vec![GameEvent::TimeRuled {
            change_ms: BySide::default(),
            due: None,
            at: around.now,
        }],
        words: format!(
            "clock replaced: White {}, Black {}",
            clock_words(white),
            clock_words(black)
        ),
        closes: vec![Code::ClockLost, Code::ClockJumped, Code::ClockSumWrong],
        ..Prepared::default()
    })
}
