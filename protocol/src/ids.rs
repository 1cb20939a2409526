//! Names and numbers of things: short, lower case, safe inside an MQTT topic.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};
use thiserror::Error;

/// A name that may not stand in a topic.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("{0:?} is no name: 1 to 64 of a-z, 0-9, '-', '_' and '.'")]
pub struct IdError(pub String);

fn checked(text: &str) -> Result<String, IdError> {
    let good = |b: u8| b.is_ascii_lowercase() || b.is_ascii_digit() || b"-_.".contains(&b);
    if (1..=64).contains(&text.len()) && text.bytes().all(good) {
        Ok(text.to_owned())
    } else {
        Err(IdError(text.chars().take(80).collect()))
    }
}

macro_rules! names {
    ($($(#[$doc:meta])* $name:ident;)*) => {$(
        $(#[$doc])*
        #[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
        #[serde(try_from = "String", into = "String")]
        pub struct $name(String);

        impl $name {
            /// The name as it stands in topics and files.
            pub fn as_str(&self) -> &str {
                &self.0
            }
        }

        impl FromStr for $name {
            type Err = IdError;

            fn from_str(text: &str) -> Result<Self, IdError> {
                checked(text).map($name)
            }
        }

        impl TryFrom<String> for $name {
            type Error = IdError;

            fn try_from(text: String) -> Result<Self, IdError> {
                checked(&text).map($name)
            }
        }

        impl From<$name> for String {
            fn from(id: $name) -> String {
                id.0
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str(&self.0)
            }
        }
    )*};
}

names! {
    /// The venue, second level of every topic.
    VenueId;
    /// One agent: a computer in the hall that has boards plugged in.
    AgentId;
    /// One board with its clock: `<family>-<serial of the protocol>`, such as `dgt-01025`, of boards without one
    /// `<family>-<agent>-<port>`; never a table number.
    DeviceId;
    /// A random id made at every start of an agent, so that numbers of two starts are never confused.
    Boot;
    /// Whoever sends orders and reads answers: one dashboard.
    ClientId;
    /// One game: `r<round>-t<table>` with `-2`, `-3` … when a table starts again.
    GameId;
}

impl DeviceId {
    /// The id of a board that told its serial; letters that do not fit a topic become `-`.
    pub fn of(family: &str, serial: &str) -> DeviceId {
        let clean = |c: char| {
            if c.is_ascii_alphanumeric() {
                c.to_ascii_lowercase()
            } else {
                '-'
            }
        };
        let text: String = family
            .chars()
            .chain(['-'])
            .chain(serial.trim().chars())
            .map(clean)
            .take(64)
            .collect();
        DeviceId(text)
    }

    /// The family, the part before the first `-`.
    pub fn family(&self) -> &str {
        self.0.split('-').next().unwrap_or(&self.0)
    }
}

/// The number of a table, unique in the venue.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct TableId(pub u16);

impl fmt::Display for TableId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(&self.0, f)
    }
}

impl FromStr for TableId {
    type Err = std::num::ParseIntError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        text.parse().map(TableId)
    }
}

/// Number of a fact, counted from 1 for each (agent, boot, device).
pub type Seq = u64;

/// Number of a half-move in a game, counted from 1.
pub type Ply = u32;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_that_would_break_a_topic_are_refused() {
        for bad in ["", "a/b", "+", "#", "Äh", "UPPER", "a b", &"x".repeat(65)] {
            assert!(bad.parse::<AgentId>().is_err(), "{bad:?}");
        }
        assert_eq!(
            "table-12.left".parse::<AgentId>().expect("good").as_str(),
            "table-12.left"
        );
    }

    #[test]
    fn device_ids_come_from_the_boards_own_serial() {
        assert_eq!(DeviceId::of("dgt", "01025").as_str(), "dgt-01025");
        assert_eq!(DeviceId::of("dgt", " 30/01 ").as_str(), "dgt-30-01");
        assert_eq!(DeviceId::of("dgt", "01025").family(), "dgt");
    }
}
