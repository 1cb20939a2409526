//! Serves one device: carries out what its session wants, brings it its memory and the hub's wishes.

use std::collections::VecDeque;
use std::io;

use protocol::DeviceId;
use tokio::sync::mpsc;

use super::Shared;
use super::registry::Lease;
use crate::devices::Line;
use crate::exchange::FromHub;
use crate::outbox::Known;
use crate::session::{Device, Input, Memory, Output, Session};

/// Why a session ends.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Ending {
    /// In words.
    pub(super) why: String,
    /// What it means for the port.
    pub(super) meaning: Meaning,
}

/// What the end of a session means for its port.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Meaning {
    /// The port is tried again.
    Fault,
    /// Nobody of the family answered: another family may.
    Nobody,
    /// Its device is read on another port; when that one ends, this one is tried at once.
    Taken,
}

/// One session with its right to the device.
pub(super) struct Attendant {
    shared: Shared,
    port: String,
    session: Session,
    lease: Option<Lease>,
    orders: Option<mpsc::Receiver<FromHub>>,
}

impl Attendant {
    pub(super) fn new(shared: Shared, port: &str, hint: &str, line: Box<dyn Line>) -> Attendant {
        Attendant {
            shared,
            port: port.to_owned(),
            session: Session::hinted(line, port, hint),
            lease: None,
            orders: None,
        }
    }

    /// The device, once it said who it is.
    pub(super) fn device(&self) -> Option<&DeviceId> {
        self.lease.as_ref().map(Lease::device)
    }

    /// When the session wants to be told that time passed.
    pub(super) fn wake(&self) -> Option<protocol::Millis> {
        self.session.wake()
    }

    /// Gives the session something and does what follows; returns what is to be written.
    pub(super) async fn give(&mut self, input: Input<'_>) -> Result<Vec<Vec<u8>>, Ending> {
        let outputs = self.session.handle(self.shared.clock.now(), input);
        let writes = self.perform(outputs).await;
        self.show();
        writes
    }

    /// Programs beside the board see it as it is now.
    fn show(&self) {
        let exchange = &self.shared.exchange;
        if let (true, Some(lease), Some(device)) =
            (exchange.is_watched(), &self.lease, self.session.device())
        {
            exchange.show(lease.device(), device.view());
        }
    }

    /// The next wish of the hub.
    pub(super) async fn next_order(&mut self) -> FromHub {
        let order = match &mut self.orders {
            Some(orders) => orders.recv().await,
            None => None,
        };
        match order {
            Some(order) => order,
            None => std::future::pending().await,
        }
    }

    /// A wish of the hub that is there already.
    pub(super) fn waiting_order(&mut self) -> Option<FromHub> {
        self.orders.as_mut()?.try_recv().ok()
    }

    /// The hub wants something.
    pub(super) async fn obey(&mut self, order: FromHub) -> Result<Vec<Vec<u8>>, Ending> {
        match &order {
            FromHub::Control(control) => self.give(Input::Control(control)).await,
            FromHub::Command(command) => self.give(Input::Command(command)).await,
            FromHub::SetUp(fen) => self.give(Input::SetUp(fen)).await,
        }
    }

    /// How the outbox of the device is.
    pub(super) async fn tell_outbox(&mut self) -> Result<Vec<Vec<u8>>, Ending> {
        let outputs = self.outbox_outputs();
        self.perform(outputs).await
    }

    /// The port is gone.
    pub(super) fn lose(&mut self) {
        for output in self.session.handle(self.shared.clock.now(), Input::Lost) {
            self.keep(output);
        }
    }

    /// The device waits to be found again.
    pub(super) fn put_away(self) {
        if let Some(device) = self.session.into_device() {
            self.shared.registry.sleep(device);
        }
    }

    async fn perform(&mut self, outputs: Vec<Output>) -> Result<Vec<Vec<u8>>, Ending> {
        let mut queue: VecDeque<Output> = outputs.into();
        let mut writes = Vec::new();
        let mut end = None;
        while let Some(output) = queue.pop_front() {
            match output {
                Output::Write(bytes) => writes.push(bytes),
                Output::Identified(device) => queue.extend(self.welcome(&device).await?),
                Output::Reopen(why) => {
                    end = Some(Ending::fault(why));
                }
                Output::Nobody => {
                    let why = "nobody of this family answers";
                    end = Some(Ending::because(why, Meaning::Nobody));
                }
                other => self.keep(other),
            }
        }
        end.map_or(Ok(writes), Err)
    }

    fn keep(&self, output: Output) {
        match (output, &self.lease) {
            (Output::Fact(envelope), Some(lease)) => {
                self.shared.outbox.append(lease.device(), &envelope);
            }
            (Output::Keep(device, memory), _) => self.shared.outbox.keep(&device, memory),
            (Output::Info(info), _) => self.shared.exchange.tell(info),
            _ => {}
        }
    }

    /// The device said who it is: it gets back what is known of it, and the hub's wishes.
    async fn welcome(&mut self, id: &DeviceId) -> Result<Vec<Output>, Ending> {
        let lease = self.shared.registry.lease(id, &self.shared.exchange);
        let Some(lease) = lease else {
            let why = format!(
                "A14 {id} is already read on another port: two boards with one serial number?"
            );
            return Err(Ending::because(why, Meaning::Taken));
        };
        tracing::info!(device = %id, port = %self.port, "found");
        let known = self.shared.outbox.device(id).await;
        let device = match self.shared.registry.wake(id) {
            Some(mut device) => {
                device.number_from(known.next_seq);
                device
            }
            None => Box::new(self.device_from_disk(id, &known).await),
        };
        self.lease = Some(lease);
        self.orders = Some(self.shared.exchange.join(id));
        let now = self.shared.clock.now();
        let mut outputs = self.session.handle(now, Input::Device(device));
        outputs.extend(self.outbox_outputs());
        Ok(outputs)
    }

    async fn device_from_disk(&mut self, id: &DeviceId, known: &Known) -> Device {
        let mut memory = Memory::read(id, known.kept.as_deref());
        let outbox = &self.shared.outbox;
        memory.catch_up(&outbox.since(id, memory.said.clone()).await);
        if let Some(fixed) = self.shared.config.device(id) {
            memory.orientation_fixed |= fixed.orientation.is_some();
            memory.orientation = fixed.orientation.or(memory.orientation);
            memory.white_at = fixed.white_at.or(memory.white_at);
        }
        Device::new(
            self.shared.agent.clone(),
            memory,
            known.next_seq,
            self.shared.config.bluetooth,
        )
    }

    fn outbox_outputs(&mut self) -> Vec<Output> {
        self.session.set_offset(self.shared.exchange.offset());
        let Some(lease) = &self.lease else {
            return Vec::new();
        };
        let backlog = self.shared.outbox.backlog(lease.device());
        // What the hub took from memory waits no longer, and yet the disk is full.
        let refused = backlog.in_memory.max(u64::from(backlog.refused));
        let state = Input::Outbox(backlog.waiting, refused, backlog.lost);
        self.session.handle(self.shared.clock.now(), state)
    }
}

impl Ending {
    pub(super) fn because(why: impl Into<String>, meaning: Meaning) -> Ending {
        let why = why.into();
        Ending { why, meaning }
    }

    /// Something went wrong with the port.
    pub(super) fn fault(why: impl Into<String>) -> Ending {
        Ending::because(why, Meaning::Fault)
    }

    /// Reading or writing failed.
    pub(super) fn of_port(why: &io::Error) -> Ending {
        let unplugged = why.kind() == io::ErrorKind::UnexpectedEof
            || why.raw_os_error() == Some(nix::errno::Errno::EIO as i32);
        Ending::fault(if unplugged {
            "unplugged".to_owned()
        } else {
            why.to_string()
        })
    }
}
