//! How long each condition must last before it is an alert: all the numbers of seconds in one place.

use protocol::{Millis, Regime, Speed};
use serde::{Deserialize, Serialize};

/// Milliseconds for each condition.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Patience {
    /// White's clock stands after the start of the round.
    pub clock_not_started: Millis,
    /// A move made and not completed, standard play.
    pub move_without_press: Millis,
    /// The same in rapid play.
    pub move_without_press_rapid: Millis,
    /// The same in blitz.
    pub move_without_press_blitz: Millis,
    /// Both clocks stopped.
    pub clocks_stopped: Millis,
    /// Board and record differ.
    pub position_mismatch: Millis,
    /// Pieces that the tracker says are missing or stand elsewhere.
    pub displaced: Millis,
    /// Two boards show each other's positions.
    pub boards_exchanged: Millis,
    /// Times that were ruled and are not on the running clock.
    pub ruled_time: Millis,
    /// Nobody has said that an adjourned game goes on.
    pub resumption: Millis,
    /// The board does not take over a ruled record.
    pub not_adopted: Millis,
    /// Several lines explain the board.
    pub ambiguous: Millis,
    /// A board whose cable was pulled: some are put back at once.
    pub board_lost: Millis,
    /// A board that says nothing while its clock runs, though its agent finds nothing wrong.
    pub board_silent: Millis,
    /// An agent that is not there.
    pub agent_silent: Millis,
    /// No reading of a clock that was there.
    pub clock_lost: Millis,
    /// Play goes on after mate or stalemate.
    pub after_the_end: Millis,
    /// A clock that is not set as the event wants, before the game.
    pub clock_setting: Millis,
    /// Times that changed without a cause.
    pub clock_jumped: Millis,
    /// Times set by hand without a ruling.
    pub set_by_hand: Millis,
    /// The clock of the player who has not the move runs.
    pub wrong_clock: Millis,
    /// Facts that are missing before they are given up.
    pub missing_facts: Millis,
}

impl Default for Patience {
    fn default() -> Self {
        Patience {
            clock_not_started: 60_000,
            move_without_press: 60_000,
            move_without_press_rapid: 20_000,
            move_without_press_blitz: 10_000,
            clocks_stopped: 3_000,
            position_mismatch: 15_000,
            displaced: 5_000,
            boards_exchanged: 5_000,
            ruled_time: 30_000,
            resumption: 60_000,
            not_adopted: 20_000,
            ambiguous: 20_000,
            board_lost: 2_000,
            board_silent: 20_000,
            agent_silent: 5_000,
            clock_lost: 15_000,
            after_the_end: 10_000,
            clock_setting: 20_000,
            clock_jumped: 3_000,
            set_by_hand: 30_000,
            wrong_clock: 15_000,
            missing_facts: 20_000,
        }
    }
}

impl Patience {
    /// How long a made move may wait for its press.
    pub fn without_press(&self, regime: Regime) -> Millis {
        match regime.speed {
            Speed::Standard => self.move_without_press,
            Speed::Rapid => self.move_without_press_rapid,
            Speed::Blitz => self.move_without_press_blitz,
        }
    }
}
