//! Who shares a line: what a doctor hears of boards in bus mode.

use std::collections::BTreeMap;
use std::time::{Duration, Instant};

use super::heard::{EVENTS, silent_clock};
use crate::devices::dgt::{Address, BusParty};
use crate::devices::{DeviceEvent, Driver};
use crate::ports::{self, PortInfo};
use crate::time::Clock;

/// The longest a line is searched for boards.
const PATIENCE: Duration = Duration::from_secs(20);
/// So long the boards are listened to after the search.
const LISTEN: Duration = Duration::from_secs(3);

/// What a line told.
#[derive(Default)]
pub(super) struct Shared {
    /// The boards by their addresses, with what each of them said.
    pub(super) boards: BTreeMap<Address, Vec<DeviceEvent>>,
    /// How long a round over all of them takes, milliseconds.
    pub(super) round_ms: u64,
    /// Stretches of bytes that were no answer once the boards were known.
    pub(super) damaged: u64,
}

/// Calls everybody on a line and asks them for some seconds; counts the bytes that come.
///
/// # Errors
/// What the system says of the port.
pub(super) async fn search(
    driver: &dyn Driver,
    port: &PortInfo,
    heard: &mut usize,
) -> std::io::Result<Shared> {
    let mut serial = ports::open(port, driver)?;
    let clock = Clock::start();
    let (mut line, mut shared) = (BusParty::default(), Shared::default());
    let mut buffer = [0; 1024];
    let mut end = Instant::now() + PATIENCE;
    let mut before = None;
    line.opened(clock.now());
    while Instant::now() < end {
        if let Some(bytes) = line.next_write() {
            serial.write(&bytes).await?;
        }
        if line.bus().is_searched() && before.is_none() {
            // Collisions belong to the search; what is damaged afterwards does not.
            before = Some(line.bus().damaged());
            end = Instant::now() + LISTEN * u32::from(line.bus().boards() > 0);
        }
        let nap = line.bus().wake().map_or(LISTEN, |at| clock.until(at));
        let told = tokio::select! {
            read = serial.read(&mut buffer) => {
                let count = read?;
                *heard += count;
                line.receive(clock.now(), &buffer[..count])
            }
            () = tokio::time::sleep(nap) => line.tick(clock.now()),
        };
        shared.take(told);
    }
    for events in shared.boards.values_mut() {
        events.extend(silent_clock(events));
    }
    shared.round_ms = line.bus().round_took();
    shared.damaged = line.bus().damaged() - before.unwrap_or(0);
    Ok(shared)
}

impl Shared {
    fn take(&mut self, told: Vec<(Address, DeviceEvent)>) {
        for (address, event) in told {
            let events = self.boards.entry(address).or_default();
            if events.len() < EVENTS {
                events.push(event);
            }
        }
    }
}
