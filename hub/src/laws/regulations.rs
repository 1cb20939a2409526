//! What an event may announce beside the edition: guidelines that apply, limits on agreed draws, departures from the Laws that are
//! printed with their source on whatever rests on them.

use serde::{Deserialize, Serialize};

/// The regulations of an event; everything off: the Laws as they stand.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Regulations {
    /// The guidelines for games without increment apply (III.1).
    pub guidelines_iii: bool,
    /// No draw by agreement before each player has completed so many moves (9.1.1); 0: no such limit.
    pub no_draw_before: u32,
    /// The third occurrence and fifty moves end the game unclaimed, as on servers.
    pub draws_unclaimed: bool,
    /// In rapid and blitz a fallen flag is the players' to claim; the arbiter is silent.
    pub flags_on_claim: bool,
    /// Both flags down and nobody knows the first: drawn in every kind of play.
    pub both_flags_draw: bool,
    /// The captains of two teams are the arbiters: a ruling carries the initials of both, or a note why one rules alone.
    pub joint_arbiters: bool,
}

/// How a departure from the Laws names its source.
pub const BY_REGULATIONS: &str = "by the regulations of the event";
