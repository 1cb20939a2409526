//! One turn of a player by his clock: what it showed before and after, how long it ran, and so what the press gave.

use protocol::{BySide, Side};
use serde::{Deserialize, Serialize};

use super::Span;

/// How late a message may speak of the clock, milliseconds: a second of the clock and a little for the way.
pub(super) const LAG: i64 = 1_200;

/// A player's turn, or several where presses followed each other too fast to see the clock rest.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Turn {
    /// Whose.
    pub(super) side: Side,
    /// Presses in it.
    pub(super) presses: u32,
    /// Stretches of running, each with its own lag.
    pub(super) stretches: u32,
    /// Milliseconds it ran.
    pub(super) ran_ms: i64,
    /// The clock at rest before.
    pub(super) from: Span,
    /// The clock at rest afterwards.
    pub(super) to: Span,
}

impl Turn {
    /// How long it ran.
    pub(super) fn ran(&self) -> Span {
        Span::around(self.ran_ms, LAG * i64::from(self.stretches)).not_negative()
    }

    /// The clock may have come to zero, below which it shows nothing: how long it stood there is not known.
    pub(super) fn may_have_run_out(&self) -> bool {
        self.from.lo - self.ran().hi <= 0
    }

    /// What the clock gained.
    pub(super) fn gain(&self) -> Span {
        self.to.minus(self.from).plus(self.ran())
    }
}

/// Several turns in a row from one moment at which both clocks were known.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub(super) struct Window {
    /// Both clocks at its start.
    pub(super) from: BySide<Span>,
    /// Both clocks at rest at its end.
    pub(super) to: BySide<Span>,
    /// Milliseconds that clocks ran in it.
    pub(super) ran_ms: i64,
    /// Stretches without a stop.
    pub(super) stretches: u32,
    /// The turns.
    pub(super) turns: Vec<Turn>,
    /// A clock showed more than at its start when it began to run: an increment may have come before the first move.
    pub(super) early: BySide<bool>,
}

impl Window {
    /// What both clocks gained together: narrower than the turns, for one player's lag is the other's.
    pub(super) fn gain(&self) -> Span {
        let drift = self.ran_ms / 500;
        let ran = Span::around(self.ran_ms, LAG * i64::from(self.stretches.max(1)) + drift);
        let both = |t: &BySide<Span>| t.white.plus(t.black);
        both(&self.to)
            .minus(both(&self.from))
            .plus(ran.not_negative())
    }

    /// Presses of a player.
    pub(super) fn presses(&self, side: Side) -> u32 {
        let mine = self.turns.iter().filter(|t| t.side == side);
        mine.map(|t| t.presses).sum()
    }
}
