//! Releases a board to an audience, at once or after its delay: the only maker of `Released`, which is all that leaves the desk.
//!
//! **An audience outside sees what the hall saw one delay ago, whole: moves, clocks, state and result, or nothing of it.**

mod audience;
mod cut;
mod history;
#[cfg(test)]
mod tests;

use std::ops::Deref;

use protocol::{HallBoard, Timestamp};

pub use audience::Audience;
pub use history::{Histories, History};

use super::Unreleased;

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

/// What the screens in the hall may see of a board: all of it, now.
pub fn to_hall(board: Unreleased, now: Timestamp, revision: u64) -> Released<HallBoard> {
    stamped(Audience::hall(), board.0, now, revision)
}

/// What leaves the house without a delay: what the hall sees now, or, of a game that is kept back, what it saw then.
pub fn to_house(
    board: Unreleased,
    history: Option<&History>,
    now: Timestamp,
    revision: u64,
) -> Option<Released<HallBoard>> {
    match history.filter(|history| history.held().is_some()) {
        Some(held) => release(held, &Audience::house(), now, revision),
        None => Some(stamped(Audience::house(), board.0, now, revision)),
    }
}

/// Whether nothing of a table is due for an audience while another table still shows it an earlier round: the pairings of a round come
/// together.
pub fn waits_for_its_round(
    history: &History,
    others: &Histories,
    audience: &Audience,
    now: Timestamp,
) -> bool {
    let until = |history: &History| history.due_until(audience, now);
    let round = |history: &History| history.round_until(until(history));
    let Some(begins) = history.comes_after(until(history)) else {
        return false;
    };
    let earlier = |other: &&History| other.comes_after(until(other)).is_none_or(|at| at < begins);
    let mut rounds = others.values().filter(earlier).filter_map(round);
    rounds.any(|other| Some(other) != round(history))
}

/// What an audience outside may see of a table at a moment; `None`: the table has gone, or was never there.
///
/// Before anything of a game is due, its pairing alone is shown: no move, no clock, no result.
pub fn release(
    history: &History,
    audience: &Audience,
    now: Timestamp,
    revision: u64,
) -> Option<Released<HallBoard>> {
    let until = history.due_until(audience, now);
    let board = match history.seen_until(until) {
        Some(seen) => cut::cut(seen?, audience, now),
        None => history.pairing()?,
    };
    Some(stamped(audience.clone(), board, now, revision))
}

/// What an audience outside may see of a game whose round is over: all of it, once its delay has passed since then.
pub fn release_closed(
    board: Unreleased,
    audience: &Audience,
    closed: Timestamp,
    now: Timestamp,
    revision: u64,
) -> Option<Released<HallBoard>> {
    let due = closed <= audience.sees_until(now);
    let whole = audience.clone().behind(0);
    due.then(|| {
        stamped(
            audience.clone(),
            cut::cut(board.0, &whole, now),
            now,
            revision,
        )
    })
}

/// The next moment at which an audience will see more, if nothing else happens.
pub fn next_due(history: &History, audience: &Audience, now: Timestamp) -> Option<Timestamp> {
    history.next_due(audience, now)
}

fn stamped(
    audience: Audience,
    board: HallBoard,
    now: Timestamp,
    revision: u64,
) -> Released<HallBoard> {
    let value = HallBoard {
        at: now,
        revision,
        ..board
    };
    Released { audience, value }
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
