//! Which Laws an event is played by: names only, their content lives in the hub.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

/// An edition of the Laws of Chess.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum EditionId {
    /// In force from 1 January 2023.
    #[default]
    #[serde(rename = "fide-2023")]
    Fide2023,
    /// From 1 January 2018.
    #[serde(rename = "fide-2018")]
    Fide2018,
    /// From 1 July 2014.
    #[serde(rename = "fide-2014")]
    Fide2014,
    /// From 1 July 2009.
    #[serde(rename = "fide-2009")]
    Fide2009,
    /// From 1 July 2001.
    #[serde(rename = "fide-2001")]
    Fide2001,
    /// The rule of Venice.
    #[serde(rename = "fide-1929")]
    Fide1929,
}

impl EditionId {
    /// All editions, newest first.
    pub const ALL: [EditionId; 6] = [
        EditionId::Fide2023,
        EditionId::Fide2018,
        EditionId::Fide2014,
        EditionId::Fide2009,
        EditionId::Fide2001,
        EditionId::Fide1929,
    ];

    /// Its name in configuration: `fide-2023`.
    pub fn name(self) -> &'static str {
        match self {
            EditionId::Fide2023 => "fide-2023",
            EditionId::Fide2018 => "fide-2018",
            EditionId::Fide2014 => "fide-2014",
            EditionId::Fide2009 => "fide-2009",
            EditionId::Fide2001 => "fide-2001",
            EditionId::Fide1929 => "fide-1929",
        }
    }
}

impl fmt::Display for EditionId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

impl FromStr for EditionId {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let known = || EditionId::ALL.map(EditionId::name).join(", ");
        EditionId::ALL
            .into_iter()
            .find(|e| e.name() == text)
            .ok_or_else(|| format!("{text:?} is no edition; known: {}", known()))
    }
}

/// Standard, rapid or blitz (Appendices A and B).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Speed {
    /// Neither rapid nor blitz.
    #[default]
    Standard,
    /// More than 10 and less than 60 minutes, counting 60 increments (A.1).
    Rapid,
    /// 10 minutes or less (B.1).
    Blitz,
}

/// The speed of play and whether the competition rules apply in full (A.4 or A.5, B.2 or B.3).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Regime {
    /// Standard, rapid or blitz.
    pub speed: Speed,
    /// Enough arbiters (A.4, B.2). Always true in standard play.
    pub supervised: bool,
}

impl Default for Regime {
    fn default() -> Self {
        Regime {
            speed: Speed::Standard,
            supervised: true,
        }
    }
}
