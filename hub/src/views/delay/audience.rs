//! Those who are shown boards, and how much later than the hall.

use protocol::Timestamp;
use serde::{Deserialize, Serialize};

/// Somebody who is shown boards.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Audience {
    /// Its name in topics and configuration: `hall`, `web` …
    pub name: String,
    /// How much later it sees everything, milliseconds.
    pub delay_ms: u64,
    /// How many moves (each one of White and one of Black) stay hidden while a game is in play.
    pub delay_moves: u16,
    /// It gets only completed and settled moves.
    pub settled_only: bool,
    /// It was less behind until a moment: what it has seen then is not taken from it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub before: Option<Before>,
}

/// A shorter delay, and until when it held.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Before {
    /// Until then.
    pub until: Timestamp,
    /// Milliseconds.
    pub delay_ms: u64,
}

impl Audience {
    /// The screens in the hall: at once, with moves as soon as they are made.
    pub fn hall() -> Audience {
        Audience {
            name: "hall".to_owned(),
            delay_ms: 0,
            delay_moves: 0,
            settled_only: false,
            before: None,
        }
    }

    /// What leaves the house as quickly as the hall sees it: all that the hall sees, but for games that are kept back. Its name is
    /// nobody else's, because it stands in no topic.
    pub fn house() -> Audience {
        Audience {
            name: String::new(),
            ..Audience::hall()
        }
    }

    /// Somebody outside: completed and settled moves, after a delay.
    pub fn world(name: &str, delay_ms: u64) -> Audience {
        Audience {
            name: name.to_owned(),
            delay_ms,
            delay_moves: 0,
            settled_only: true,
            before: None,
        }
    }

    /// The same audience, with so many moves hidden.
    #[must_use]
    pub fn behind(self, moves: u16) -> Audience {
        Audience {
            delay_moves: moves,
            ..self
        }
    }

    /// The same audience after another start of the hub: `last` is what it was before. A longer delay takes nothing back.
    #[must_use]
    pub fn after(self, last: &Audience, now: Timestamp) -> Audience {
        let shorter = (last.delay_ms < self.delay_ms).then_some(Before {
            until: now,
            delay_ms: last.delay_ms,
        });
        let kept = last.before.filter(|b| b.delay_ms < self.delay_ms);
        let seen = |b: &Before| back(b.until, b.delay_ms);
        let before = shorter.into_iter().chain(kept).max_by_key(seen);
        Audience { before, ..self }
    }

    /// The last moment of which it sees what the hall saw.
    pub fn sees_until(&self, now: Timestamp) -> Timestamp {
        self.sees_of(|moment| moment, now)
    }

    /// The same of a game for which time stands still from some moment on.
    pub(super) fn sees_of(
        &self,
        goes_to: impl Fn(Timestamp) -> Timestamp,
        now: Timestamp,
    ) -> Timestamp {
        let due = back(goes_to(now), self.delay_ms);
        let before = self
            .before
            .map(|b| back(goes_to(b.until.min(now)), b.delay_ms));
        before.map_or(due, |before| before.max(due))
    }

    /// How much later than the hall it sees what it sees now.
    pub(super) fn is_behind(&self, now: Timestamp) -> u64 {
        let shorter = self
            .before
            .filter(|b| back(b.until, b.delay_ms) > back(now, self.delay_ms));
        shorter.map_or(self.delay_ms, |b| b.delay_ms)
    }

    /// The delay in words: "live", "15 minutes delayed", "2 moves delayed".
    pub fn words(&self) -> String {
        let moves = match self.delay_moves {
            0 => None,
            1 => Some("1 move".to_owned()),
            n => Some(format!("{n} moves")),
        };
        let time = match self.delay_ms {
            0 => None,
            60_000 => Some("1 minute".to_owned()),
            ms if ms.is_multiple_of(60_000) => Some(format!("{} minutes", ms / 60_000)),
            ms => Some(format!("{} seconds", ms.div_ceil(1000))),
        };
        match (time, moves) {
            (None, None) => "live".to_owned(),
            (Some(one), None) | (None, Some(one)) => format!("{one} delayed"),
            (Some(time), Some(moves)) => format!("{time} and {moves} delayed"),
        }
    }
}

fn back(moment: Timestamp, delay_ms: u64) -> Timestamp {
    let delay = i64::try_from(delay_ms).unwrap_or(i64::MAX);
    Timestamp(moment.0.saturating_sub(delay))
}
