//! Those who are shown boards, and how much later than the hall.

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
}

impl Audience {
    /// The screens in the hall: at once, with moves as soon as they are made.
    pub fn hall() -> Audience {
        Audience {
            name: "hall".to_owned(),
            delay_ms: 0,
            delay_moves: 0,
            settled_only: false,
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
