//! An adjourned game: its envelope, how far its resumption has come, and who is awaited (I).

use protocol::{Missing, Ply, Side, Timestamp};
use serde::{Deserialize, Serialize};

use super::Game;
use crate::laws::adjourned::{Envelope, Sealed, resumes_within, sealed_move};

/// A game that was adjourned.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Adjournment {
    /// What stands on the envelope.
    pub envelope: Envelope,
    /// Half-moves in the record.
    pub ply: Ply,
    /// When it was adjourned, hub's time.
    pub at: Timestamp,
    /// When it is to be resumed, hub's time.
    pub resumes: Option<Timestamp>,
    /// Who was missing when the resumption began.
    pub missing: Missing,
    /// Since when the clock of the player who must reply runs, the envelope still closed.
    pub since: Option<Timestamp>,
    /// What stood in the envelope, where that is no move that can be played.
    pub opened: Option<String>,
}

/// A player who is missing although the game goes on.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Awaited {
    /// Who.
    pub side: Side,
    /// When the game was to be resumed, hub's time.
    pub since: Timestamp,
    /// He sealed, and his move ends the game.
    pub excused: bool,
}

/// Who is late for a resumption, if that is known, and since when he loses.
pub fn late(
    game: &Game,
    default_ms: u64,
    grace_ms: u64,
    now: Timestamp,
) -> Option<(Option<Side>, Timestamp)> {
    let limit = resumes_within(game.laws(), default_ms).max(grace_ms);
    let (side, since) = match (&game.adjourned, game.awaited) {
        (Some(adjourned), _) => (adjourned.absent(), adjourned.since.or(adjourned.resumes)?),
        (None, Some(awaited)) if !awaited.excused && !has_moved(game, awaited) => {
            (Some(awaited.side), awaited.since)
        }
        _ => return None,
    };
    let due = since.after(limit);
    (now > due).then_some((side, due))
}

fn has_moved(game: &Game, awaited: Awaited) -> bool {
    let after = |p: &protocol::DeskPly| p.by == awaited.side && p.made_at > awaited.since;
    game.record.entries().iter().rev().any(|e| after(&e.ply))
}

impl Adjournment {
    fn absent(&self) -> Option<Side> {
        match self.missing {
            Missing::Nobody | Missing::Both => None,
            Missing::Replier => Some(self.envelope.replies()),
            Missing::Sealer => Some(self.envelope.sealed_by),
        }
    }
}

/// Reads what stands in an envelope at the position of a game; none where that position is not legal.
pub fn read_envelope(game: &Game, text: &str) -> Option<Sealed> {
    let position = game.record.position().legal()?;
    Some(sealed_move(position, text))
}
