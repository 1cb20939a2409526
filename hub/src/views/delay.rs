//! Releases a board to an audience, at once or after its delay: the only maker of `Released`, which is all that leaves the desk.

use std::ops::Deref;

use protocol::{BySide, ChessclockView, HallBoard, Ply, Side, Timestamp};
use serde::{Deserialize, Serialize};

use super::Dated;

/// Somebody who is shown boards.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Audience {
    /// Its name in topics and configuration: `hall`, `web` …
    pub name: String,
    /// How much later it sees everything, milliseconds.
    pub delay_ms: u64,
    /// It gets only completed and settled moves.
    pub settled_only: bool,
}

impl Audience {
    /// The screens in the hall: at once, with moves as soon as they are made.
    pub fn hall() -> Audience {
        Audience {
            name: "hall".to_owned(),
            delay_ms: 0,
            settled_only: false,
        }
    }

    /// Somebody outside: completed and settled moves, after a delay.
    pub fn world(name: &str, delay_ms: u64) -> Audience {
        Audience {
            name: name.to_owned(),
            delay_ms,
            settled_only: true,
        }
    }
}

/// Something that an audience may see now.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Released<T> {
    audience: Audience,
    value: T,
}

impl<T> Released<T> {
    /// Who may see it.
    pub fn audience(&self) -> &Audience {
        &self.audience
    }
}

impl<T> Deref for Released<T> {
    type Target = T;

    fn deref(&self) -> &T {
        &self.value
    }
}

/// What an audience may see of a board at a moment.
pub fn release(
    dated: &Dated,
    audience: &Audience,
    now: Timestamp,
    revision: u64,
) -> Released<HallBoard> {
    let mut value = if audience.delay_ms == 0 && !audience.settled_only {
        dated.board.clone()
    } else {
        cut(dated, audience, now)
    };
    value.at = now;
    value.revision = revision;
    Released {
        audience: audience.clone(),
        value,
    }
}

/// The next moment at which an audience will see more, if nothing else happens.
pub fn next_due(dated: &Dated, audience: &Audience, now: Timestamp) -> Option<Timestamp> {
    dated
        .completed
        .iter()
        .flatten()
        .chain(&dated.result_at)
        .map(|at| at.after(audience.delay_ms))
        .filter(|due| *due > now)
        .min()
}

fn cut(dated: &Dated, audience: &Audience, now: Timestamp) -> HallBoard {
    let due = |at: &Timestamp| at.after(audience.delay_ms) <= now;
    let result = dated.result_at.as_ref().is_some_and(due);
    let seen = dated
        .completed
        .iter()
        .take_while(|at| at.as_ref().is_some_and(due))
        .count();
    let settled = usize::try_from(dated.board.settled_ply).unwrap_or(usize::MAX);
    let shown = if audience.settled_only && !result {
        seen.min(settled)
    } else {
        seen
    };
    shortened(dated, audience, shown, result)
}

fn shortened(dated: &Dated, audience: &Audience, shown: usize, result: bool) -> HallBoard {
    let mut board = dated.board.clone();
    let plies = Ply::try_from(shown).unwrap_or(Ply::MAX);
    board.clock = clock(dated, audience, shown);
    board.moves.truncate(shown);
    board.settled_ply = board.settled_ply.min(plies);
    board.completed_ply = plies;
    let mut position = dated.start.clone();
    for ply in &board.moves {
        position
            .play(&protocol::Played::Legal(ply.uci.clone()))
            .expect("the line was played before");
    }
    board.position = position.placement();
    board.turn = position.turn();
    board.check = position.is_check();
    if !result {
        board.result = None;
        board.state = match board.state {
            protocol::HallState::Over => protocol::HallState::Playing,
            state => state,
        };
    }
    board
}

/// The clocks as they stood after the last move that is shown, counted on from the moment at which it is shown.
fn clock(dated: &Dated, audience: &Audience, shown: usize) -> Option<ChessclockView> {
    let view = dated.board.clock?;
    if audience.delay_ms == 0 && shown == dated.board.moves.len() {
        return Some(view);
    }
    let at = dated.completed.get(shown.checked_sub(1)?).copied()??;
    let white_first = dated.start.turn() == Side::White;
    let last = |side: Side| {
        let mine =
            |index: &usize| index.is_multiple_of(2) == ((side == Side::White) == white_first);
        (0..shown)
            .rev()
            .filter(mine)
            .find_map(|index| dated.board.moves[index].clock_ms)
    };
    let mover = if shown.is_multiple_of(2) == white_first {
        Side::White
    } else {
        Side::Black
    };
    Some(ChessclockView {
        time: BySide {
            white: last(Side::White)?,
            black: last(Side::Black)?,
        },
        running: Some(mover),
        flag: BySide::default(),
        at: at.after(audience.delay_ms),
    })
}

#[cfg(test)]
impl Released<HallBoard> {
    /// A made-up board as the hall would get it, for tests of what stands behind this room.
    pub(crate) fn made_up(value: HallBoard) -> Released<HallBoard> {
        Released {
            audience: Audience::hall(),
            value,
        }
    }
}
