//! One port from opening to its end: bytes to the session, its wishes to port, outbox and hub.

use std::io;
use std::time::Duration;

use protocol::DeviceId;
use tokio::sync::watch;
use tokio::time::Instant;

use super::Shared;
use super::attendant::{Attendant, Ending};
use super::known::KnownPort;
use super::tape::Tape;
use crate::devices::{Driver, LineOptions, PortKind};
use crate::ports::{self, Port, PortInfo};
use crate::session::Input;

/// How often a device hears how many of its facts wait.
pub(super) const OUTBOX_EVERY: Duration = Duration::from_secs(5);
/// A port that takes no bytes for so long is as good as unplugged.
const WRITE_LIMIT: Duration = Duration::from_secs(2);

/// How a port's task ended.
pub(super) struct Ended {
    /// The port.
    pub(super) port: String,
    /// Whether a device had been found there.
    pub(super) worked: bool,
    /// Why it ended; none when the agent stops.
    pub(super) end: Option<Ending>,
}

/// The port's task.
pub(super) struct PortTask {
    pub(super) shared: Shared,
    pub(super) port: PortInfo,
    pub(super) driver: &'static dyn Driver,
    /// Other families are tried after this one.
    pub(super) probing: bool,
    /// This family answered here before.
    pub(super) known: Option<KnownPort>,
    pub(super) stop: watch::Receiver<bool>,
}

impl PortTask {
    /// Opens the port and serves it until it ends.
    pub(super) async fn run(self) -> Ended {
        let name = self.port.identity().to_owned();
        let (worked, end) = match ports::open(&self.port, self.driver) {
            Err(why) => {
                let why = format!("A12 cannot open it: {why}");
                (false, Some(Ending::fault(why)))
            }
            Ok(port) if self.driver.about().port == PortKind::Bus => {
                super::bus::serve(self, port).await
            }
            Ok(port) => self.serve_one(port).await,
        };
        Ended {
            port: name,
            worked,
            end,
        }
    }

    /// Remembers who answers here.
    pub(super) fn remember(&self, devices: Vec<DeviceId>, boards: Vec<u16>) {
        let who = KnownPort {
            family: self.driver.family().to_owned(),
            boards,
            devices,
        };
        self.shared.known.answered(&self.port, who);
    }

    async fn serve_one(mut self, port: Port) -> (bool, Option<Ending>) {
        let line = self.driver.open(LineOptions {
            bluetooth: self.shared.config.bluetooth,
            probing: self.probing,
            known: self.known.is_some(),
            ..LineOptions::default()
        });
        let hint = self.shared.agent.hint(&self.port.hint());
        let mut attendant = Attendant::new(self.shared.clone(), &self.port.path, &hint, line);
        let end = self.serve(port, &mut attendant).await.err();
        let worked = attendant.device().is_some();
        attendant.put_away();
        (worked, end)
    }

    /// Ends well only when the agent stops.
    async fn serve(&mut self, mut port: Port, attendant: &mut Attendant) -> Result<(), Ending> {
        let mut writes = attendant.give(Input::Opened).await?;
        let mut tape = Tape::new(&self.shared, &self.port, self.driver.family());
        let mut buffer = [0; 1024];
        let mut outbox_due = Instant::now() + OUTBOX_EVERY;
        let mut met = false;
        loop {
            for bytes in writes {
                write(&mut port, &bytes).await?;
            }
            if let (false, Some(device)) = (met, attendant.device()) {
                met = true;
                self.remember(vec![device.clone()], Vec::new());
            }
            let wake = attendant
                .wake()
                .map_or(OUTBOX_EVERY, |at| self.shared.clock.until(at));
            let wake = (Instant::now() + wake).min(outbox_due);
            writes = tokio::select! {
                read = port.read(&mut buffer) => match read {
                    Ok(count) => {
                        tape.heard(&buffer[..count]);
                        attendant.give(Input::Bytes(&buffer[..count])).await?
                    }
                    Err(why) => {
                        attendant.lose();
                        return Err(Ending::of_port(&why));
                    }
                },
                order = attendant.next_order() => attendant.obey(order).await?,
                () = tokio::time::sleep_until(wake) => {
                    if Instant::now() >= outbox_due {
                        outbox_due = Instant::now() + OUTBOX_EVERY;
                        tape.keep();
                        attendant.tell_outbox().await?
                    } else {
                        attendant.give(Input::Tick).await?
                    }
                },
                _ = self.stop.changed() => return Ok(()),
            };
        }
    }
}

/// Writes all bytes, or says why not.
pub(super) async fn write(port: &mut Port, bytes: &[u8]) -> Result<(), Ending> {
    match tokio::time::timeout(WRITE_LIMIT, port.write(bytes)).await {
        Ok(written) => written.map_err(|why: io::Error| Ending::fault(why.to_string())),
        Err(_) => Err(Ending::fault("the port takes no bytes")),
    }
}
