//! Does to a running venue what a rehearsal wants done, each at its time.

use std::time::Duration;

use agent::simulate::ClockAction;

use super::{Mishap, Rehearsal};
use crate::Venue;

/// Plays all mishaps of a rehearsal; returns when the last one has happened.
///
/// # Errors
/// When a laptop does not come back.
pub async fn play_mishaps(story: &Rehearsal, venue: &mut Venue) -> anyhow::Result<()> {
    let mut passed = 0;
    for (at, mishap) in story.mishaps {
        tokio::time::sleep(Duration::from_secs(at.saturating_sub(passed))).await;
        passed = *at;
        happen(*mishap, venue)?;
    }
    Ok(())
}

fn happen(mishap: Mishap, venue: &mut Venue) -> anyhow::Result<()> {
    match mishap {
        Mishap::ClockLow(table) => venue.tables.clock(table - 1, ClockAction::LowBattery(true)),
        Mishap::ClockDies(table) => venue.tables.clock(table - 1, ClockAction::Unplug),
        Mishap::LaptopDies(agent) => venue.kill_agent(agent),
        Mishap::LaptopBack(agent) => venue.start_agent(agent)?,
    }
    Ok(())
}
