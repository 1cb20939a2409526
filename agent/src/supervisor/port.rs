//! One open port: carries bytes between it and a session, and does what the session wants.

use std::collections::VecDeque;
use std::io;
use std::time::Duration;

use protocol::DeviceId;
use tokio::sync::{mpsc, watch};
use tokio::time::Instant;

use super::Shared;
use super::registry::Lease;
use crate::devices::LineOptions;
use crate::exchange::FromHub;
use crate::ports::{self, PortInfo, SerialPort};
use crate::session::{Device, Input, Memory, Output, Session};

/// A port that takes no bytes for so long is as good as unplugged.
const WRITE_LIMIT: Duration = Duration::from_secs(2);

/// How often a session hears how its outbox is.
const OUTBOX_EVERY: Duration = Duration::from_secs(5);

/// How a port ended.
#[derive(Debug)]
pub(super) struct Ended {
    /// The port.
    pub(super) port: String,
    /// A device had been found there.
    pub(super) worked: bool,
    /// Why it ended; none when the agent stops.
    pub(super) why: Option<String>,
}

/// The port's task.
pub(super) struct PortTask {
    shared: Shared,
    port: PortInfo,
    stop: watch::Receiver<bool>,
    lease: Option<Lease>,
    orders: Option<mpsc::Receiver<FromHub>>,
}

impl PortTask {
    pub(super) fn new(shared: Shared, port: PortInfo, stop: watch::Receiver<bool>) -> PortTask {
        PortTask {
            shared,
            port,
            stop,
            lease: None,
            orders: None,
        }
    }

    /// Opens the port and serves it until it ends.
    pub(super) async fn run(mut self) -> Ended {
        let driver = self.shared.driver;
        let why = match ports::open(&self.port.path, driver.about().baud) {
            Err(why) => Some(format!("A12 cannot open it: {why}")),
            Ok(serial) => {
                let line = driver.open(LineOptions {
                    bluetooth: self.shared.config.bluetooth,
                    ..LineOptions::default()
                });
                let mut session = Session::new(line, &self.port.path);
                let why = self.serve(serial, &mut session).await;
                self.put_away(session);
                why
            }
        };
        Ended {
            port: self.port.identity().to_owned(),
            worked: self.lease.is_some(),
            why,
        }
    }

    async fn serve(&mut self, mut serial: SerialPort, session: &mut Session) -> Option<String> {
        let now = || self.shared.clock.now();
        let mut outputs = session.handle(now(), Input::Opened);
        let mut buffer = [0; 1024];
        let mut outbox_due = Instant::now() + OUTBOX_EVERY;
        loop {
            if let Err(why) = self.perform(&mut serial, session, outputs).await {
                return Some(why);
            }
            let wake = session
                .wake()
                .map_or(OUTBOX_EVERY, |at| self.shared.clock.until(at));
            let wake = (Instant::now() + wake).min(outbox_due);
            outputs = tokio::select! {
                read = serial.read(&mut buffer) => match read {
                    Ok(count) => session.handle(self.shared.clock.now(), Input::Bytes(&buffer[..count])),
                    Err(why) => return self.lost(session, &why).await,
                },
                order = next_order(&mut self.orders) => self.obey(session, &order),
                () = tokio::time::sleep_until(wake) => {
                    if Instant::now() >= outbox_due {
                        outbox_due = Instant::now() + OUTBOX_EVERY;
                        self.tell_outbox(session)
                    } else {
                        session.handle(self.shared.clock.now(), Input::Tick)
                    }
                },
                _ = self.stop.changed() => return None,
            };
        }
    }

    async fn perform(
        &mut self,
        serial: &mut SerialPort,
        session: &mut Session,
        outputs: Vec<Output>,
    ) -> Result<(), String> {
        let mut queue: VecDeque<Output> = outputs.into();
        let mut end = Ok(());
        while let Some(output) = queue.pop_front() {
            match output {
                Output::Write(bytes) => write(serial, &bytes).await?,
                Output::Identified(device) => queue.extend(self.welcome(session, &device).await?),
                Output::Fact(envelope) => {
                    if let Some(lease) = &self.lease {
                        self.shared.outbox.append(lease.device(), &envelope);
                    }
                }
                Output::Keep(device, memory) => self.shared.outbox.keep(&device, memory),
                Output::Info(info) => self.shared.exchange.tell(info),
                Output::Reopen(why) => end = Err(why.to_owned()),
            }
        }
        end
    }

    /// The device said who it is: it gets back what is known of it, and the hub's wishes.
    async fn welcome(
        &mut self,
        session: &mut Session,
        id: &DeviceId,
    ) -> Result<Vec<Output>, String> {
        let lease = self.shared.registry.lease(id, &self.shared.exchange);
        let Some(lease) = lease else {
            return Err(format!(
                "A14 {id} is already read on another port: two boards with one serial number?"
            ));
        };
        tracing::info!(device = %id, port = %self.port.path, "found");
        let known = self.shared.outbox.device(id).await;
        let device = match self.shared.registry.wake(id) {
            Some(mut device) => {
                device.number_from(known.next_seq);
                device
            }
            None => Box::new(self.device_from_disk(id, known.kept.as_deref(), known.next_seq)),
        };
        self.lease = Some(lease);
        self.orders = Some(self.shared.exchange.join(id));
        let mut outputs = session.handle(self.shared.clock.now(), Input::Device(device));
        outputs.extend(self.tell_outbox(session));
        Ok(outputs)
    }

    fn device_from_disk(&self, id: &DeviceId, kept: Option<&[u8]>, next_seq: u64) -> Device {
        let mut memory = Memory::read(id, kept);
        if let Some(fixed) = self.shared.config.device(id) {
            memory.orientation_fixed |= fixed.orientation.is_some();
            memory.orientation = fixed.orientation.or(memory.orientation);
            memory.white_at = fixed.white_at.or(memory.white_at);
        }
        Device::new(
            self.shared.agent.clone(),
            memory,
            next_seq,
            self.shared.config.bluetooth,
        )
    }

    fn obey(&self, session: &mut Session, order: &FromHub) -> Vec<Output> {
        let now = self.shared.clock.now();
        match order {
            FromHub::Control(control) => session.handle(now, Input::Control(control)),
            FromHub::Command(command) => session.handle(now, Input::Command(command)),
        }
    }

    fn tell_outbox(&self, session: &mut Session) -> Vec<Output> {
        session.set_offset(self.shared.exchange.offset());
        let Some(lease) = &self.lease else {
            return Vec::new();
        };
        let backlog = self.shared.outbox.backlog(lease.device());
        let state = Input::Outbox(backlog.waiting, backlog.in_memory, backlog.lost);
        session.handle(self.shared.clock.now(), state)
    }

    async fn lost(&mut self, session: &mut Session, why: &io::Error) -> Option<String> {
        let outputs = session.handle(self.shared.clock.now(), Input::Lost);
        for output in outputs {
            match (output, &self.lease) {
                (Output::Fact(envelope), Some(lease)) => {
                    self.shared.outbox.append(lease.device(), &envelope)
                }
                (Output::Keep(device, memory), _) => self.shared.outbox.keep(&device, memory),
                (Output::Info(info), _) => self.shared.exchange.tell(info),
                _ => {}
            }
        }
        let unplugged = why.kind() == io::ErrorKind::UnexpectedEof
            || why.raw_os_error() == Some(nix::errno::Errno::EIO as i32);
        Some(if unplugged {
            "unplugged".to_owned()
        } else {
            why.to_string()
        })
    }

    fn put_away(&self, session: Session) {
        if let Some(device) = session.into_device() {
            self.shared.registry.sleep(device);
        }
    }
}

async fn write(serial: &mut SerialPort, bytes: &[u8]) -> Result<(), String> {
    match tokio::time::timeout(WRITE_LIMIT, serial.write(bytes)).await {
        Ok(written) => written.map_err(|why| why.to_string()),
        Err(_) => Err("the port takes no bytes".to_owned()),
    }
}

async fn next_order(orders: &mut Option<mpsc::Receiver<FromHub>>) -> FromHub {
    match orders {
        Some(receiver) => match receiver.recv().await {
            Some(order) => order,
            None => std::future::pending().await,
        },
        None => std::future::pending().await,
    }
}
