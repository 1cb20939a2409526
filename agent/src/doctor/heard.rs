//! One board on a port of its own, asked as an agent would ask it and listened to for some seconds.

use std::time::{Duration, Instant};

use crate::devices::{DeviceEvent, Driver, Identity, LineOptions, NoClockBecause};
use crate::ports::{self, PortInfo};
use crate::time::Clock;

/// A board that is found is listened to for so long.
const LISTEN: Duration = Duration::from_secs(4);
/// More than this no board says meanwhile.
pub(super) const EVENTS: usize = 10_000;

/// A board on a port, and what it said in the first seconds.
pub(super) struct Heard {
    pub(super) who: Identity,
    pub(super) events: Vec<DeviceEvent>,
}

/// Asks for one family until somebody of it answers, or nobody does; counts the bytes that come.
///
/// # Errors
/// What the system says of the port.
pub(super) async fn ask(
    driver: &dyn Driver,
    probing: bool,
    port: &PortInfo,
    heard: &mut usize,
) -> std::io::Result<Option<Heard>> {
    let mut serial = ports::open(port, driver)?;
    let mut line = driver.open(LineOptions {
        probing,
        ..LineOptions::default()
    });
    let clock = Clock::start();
    let mut buffer = [0; 1024];
    line.opened(clock.now());
    let (mut who, mut events) = (None, Vec::new());
    let mut until = None;
    loop {
        while let Some(event) = line.next_event() {
            match event {
                DeviceEvent::NotThisFamily => return Ok(None),
                DeviceEvent::Identified(identity) => {
                    until = until.or(Some(Instant::now() + LISTEN));
                    who = Some(identity);
                }
                event if events.len() < EVENTS => events.push(event),
                _ => {}
            }
        }
        if let Some(who) = who.take_if(|_| until.is_some_and(|at| Instant::now() >= at)) {
            if line.reads_clock() {
                events.extend(silent_clock(&events));
            }
            return Ok(Some(Heard { who, events }));
        }
        while let Some(bytes) = line.next_write() {
            serial.write(&bytes).await?;
        }
        let Some(wake) = line.wake().or(until.map(|_| clock.now() + 100)) else {
            return Ok(None);
        };
        tokio::select! {
            read = serial.read(&mut buffer) => {
                let count = read?;
                *heard += count;
                line.receive(clock.now(), &buffer[..count]);
            }
            () = tokio::time::sleep(clock.until(wake).min(LISTEN / 10)) => line.tick(clock.now()),
        }
    }
}

/// Nothing was heard of a chessclock that was asked for.
pub(super) fn silent_clock(events: &[DeviceEvent]) -> Option<DeviceEvent> {
    let of_clock = |event: &DeviceEvent| {
        matches!(
            event,
            DeviceEvent::Clock(_) | DeviceEvent::NoClock(_) | DeviceEvent::Disbelieved(_)
        )
    };
    let heard = events.iter().any(of_clock);
    (!heard).then_some(DeviceEvent::NoClock(NoClockBecause::Silent))
}
