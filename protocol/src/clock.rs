//! What a chessclock showed (Article 6.1).

use serde::{Deserialize, Serialize};

use crate::{BySide, Side, Timestamp};

/// The clock's own sign that a player's time is used up (6.8); the digits alone say nothing.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Flag {
    /// No sign.
    #[default]
    Up,
    /// Fallen and shown; the clock may run on in the next period.
    Shown,
    /// Fallen and the clock is blocked at zero.
    Blocked,
}

/// One reading of a chessclock, both sides from the same message.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct ClockReading {
    /// Time shown for each player, milliseconds (whole seconds on most clocks).
    pub time: BySide<u64>,
    /// Whose clock runs; none while both are stopped.
    pub running: Option<Side>,
    /// Whose turn the lever says it is: the side whose lever is up.
    #[serde(default)]
    pub turn: Option<Side>,
    /// The clock's flag signs.
    #[serde(default)]
    pub flag: BySide<Flag>,
    /// The clock's sign for increment or delay, if it has one.
    #[serde(default)]
    pub bonus_sign: BySide<bool>,
    /// The clock asks for a new battery.
    #[serde(default)]
    pub battery_low: bool,
}

/// The clocks as a screen shows them: a reading and its moment, from which a display counts down by itself.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct ChessclockView {
    /// Time of each player at `at`, milliseconds.
    pub time: BySide<u64>,
    /// Whose clock runs.
    pub running: Option<Side>,
    /// The clock's flag signs.
    #[serde(default)]
    pub flag: BySide<Flag>,
    /// The moment of the reading, hub's clock.
    pub at: Timestamp,
}

impl ChessclockView {
    /// What the clocks should show at `now`: the running side counted down, never below zero.
    pub fn extrapolated(&self, now: Timestamp) -> BySide<u64> {
        let mut time = self.time;
        if let Some(side) = self.running {
            let left = time.get_mut(side);
            *left = left.saturating_sub(now.since(self.at));
        }
        time
    }
}
