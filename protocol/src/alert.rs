//! Alerts: findings that want an arbiter, and how far they have come.

use serde::{Deserialize, Serialize};

use crate::{FactId, Ply, Side, TableId, Timestamp};

/// What an arbiter may do about it; it follows from the finding, the edition and the regime.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Urgency {
    /// The Laws want him to act unasked.
    Call,
    /// A player has stopped the clocks or claims.
    Asked,
    /// Be near, say nothing (12.6).
    Silent,
    /// The record is at risk, not the game.
    Tech,
}

impl Urgency {
    /// All of them, the most urgent first.
    pub const ALL: [Urgency; 4] = [
        Urgency::Call,
        Urgency::Asked,
        Urgency::Silent,
        Urgency::Tech,
    ];

    /// The word of the dashboard.
    pub fn word(self) -> &'static str {
        match self {
            Urgency::Call => "CALL",
            Urgency::Asked => "ASKED",
            Urgency::Silent => "SILENT",
            Urgency::Tech => "TECH",
        }
    }

    /// The glyph of the dashboard.
    pub fn glyph(self) -> &'static str {
        match self {
            Urgency::Call => "!!",
            Urgency::Asked => "?",
            Urgency::Silent => "~",
            Urgency::Tech => "#",
        }
    }
}

/// How far an alert has come.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "life", rename_all = "kebab-case")]
pub enum AlertLife {
    /// Nobody has taken it.
    New,
    /// An arbiter is on the way.
    Taken {
        /// His initials.
        by: String,
        /// Since when, hub's time.
        at: Timestamp,
    },
    /// It is over.
    Closed {
        /// `ruled`, `cleared`, `lapsed` or `dismissed`.
        why: String,
        /// Initials, where a person closed it.
        #[serde(default)]
        by: Option<String>,
        /// When, hub's time.
        at: Timestamp,
    },
}

/// Put aside for a while; never a CALL.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Snooze {
    /// Until when, hub's time.
    pub until: Timestamp,
    /// Whose initials.
    pub by: String,
}

/// One stored fact that an alert rests on.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Evidence {
    /// Its name in the journal.
    pub fact: FactId,
    /// When it happened, hub's time.
    pub at: Timestamp,
    /// What it says, in a few words.
    pub words: String,
}

/// Retained at `desk/alert/<id>` while open and for the rest of the round.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Alert {
    /// `<table>-<code>-<n>`, or `<agent or device>-<code>-<n>` without a table.
    pub id: String,
    /// The code in kebab case: `illegal-move`.
    pub code: String,
    /// The table, where there is one.
    #[serde(default)]
    pub table: Option<TableId>,
    /// The half-move concerned.
    #[serde(default)]
    pub ply: Option<Ply>,
    /// The player concerned: the offender, or whose flag fell.
    #[serde(default)]
    pub side: Option<Side>,
    /// What the arbiter may do about it.
    pub urgency: Urgency,
    /// The article in the event's edition; empty where the Laws do not speak.
    #[serde(default)]
    pub article: String,
    /// One line for lists.
    pub headline: String,
    /// Sentences for the arbiter: what was seen and why it matters.
    #[serde(default)]
    pub because: Vec<String>,
    /// The proposed ruling with its arithmetic; empty where none.
    #[serde(default)]
    pub proposal: Vec<String>,
    /// First observed, hub's time.
    pub since: Timestamp,
    /// When it lapses by itself, in words: "with Black's next move".
    #[serde(default)]
    pub lapse: Option<String>,
    /// How far it has come.
    #[serde(flatten)]
    pub life: AlertLife,
    /// Put aside until.
    #[serde(default)]
    pub snoozed: Option<Snooze>,
    /// Facts it rests on.
    #[serde(default)]
    pub evidence: Vec<Evidence>,
    /// Lines of its earlier lives.
    #[serde(default)]
    pub history: Vec<String>,
}

impl Alert {
    /// Whether it still wants somebody.
    pub fn is_open(&self) -> bool {
        !matches!(self.life, AlertLife::Closed { .. })
    }
}
