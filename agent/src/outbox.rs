//! Keeps every envelope on disk until the hub has it in its journal.
//!
//! **An envelope is durable before it is sent, and stays until the hub's acknowledgement.** One thread owns the files; callers
//! give it orders through a bounded channel and never wait for the disk. Orders that are there together are written and
//! synced together. Beside each outbox file stands what the device's session wants to find again after a restart.

mod file;
mod keeper;
mod record;
mod states;
#[cfg(test)]
mod tests;
mod unwritten;

use std::path::PathBuf;
use std::sync::mpsc::{SyncSender, TrySendError, sync_channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::JoinHandle;

use protocol::{Ack, Boot, DeviceId, Envelope, Seq};
use thiserror::Error;
use tokio::sync::{Notify, oneshot};

pub use file::Repair;
use keeper::Keeper;
pub(crate) use keeper::write_whole;

/// Orders that may wait for the disk; a hall of twenty boards makes about a hundred a second.
const ORDERS: usize = 8192;

/// Bytes a device's file may have: more than a week of a board that is in play all the time.
pub const DEFAULT_QUOTA: u64 = 64 * 1024 * 1024;

/// Why an outbox cannot be opened.
#[derive(Debug, Error)]
pub enum OutboxError {
    /// The folder cannot be made or written.
    #[error(
        "A31 cannot keep facts in {folder}: {why} · help: give the agent a state folder that it may write (`state` in agent.toml)"
    )]
    Folder {
        /// The folder.
        folder: PathBuf,
        /// What the system said.
        why: std::io::Error,
    },
    /// Another agent works there.
    #[error(
        "A32 another agent is using {0} · help: stop it, or give this one a state folder of its own: --state DIR, ZEITNOT_AGENT_STATE, or `state` in agent.toml"
    )]
    InUse(PathBuf),
}

/// How a device's outbox is doing.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Backlog {
    /// Envelopes that wait for the hub.
    pub waiting: u64,
    /// Bytes of its file.
    pub bytes: u64,
    /// Envelopes that could not be written (disk full) and are kept in memory.
    pub in_memory: u64,
    /// The disk refused the last write, and has not been found to have room since.
    pub refused: bool,
    /// Envelopes that were lost because neither disk nor memory had room.
    pub lost: u64,
    /// Bytes at the end of the file that were no whole record when it was opened.
    pub torn_bytes: u64,
}

/// What is known of a device when its session begins.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Known {
    /// The number its next fact gets.
    pub next_seq: Seq,
    /// What its last session kept.
    pub kept: Option<Vec<u8>>,
}

/// An envelope on its way to the hub.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Outgoing {
    /// The device it speaks of.
    pub device: DeviceId,
    /// The start of the agent that wrote it.
    pub boot: Boot,
    /// The message as it is published.
    pub payload: Vec<u8>,
}

enum Order {
    Open(DeviceId, oneshot::Sender<Known>),
    Since(DeviceId, Option<(Boot, Seq)>, oneshot::Sender<Vec<Vec<u8>>>),
    Append(DeviceId, Seq, Vec<u8>),
    Keep(DeviceId, Vec<u8>),
    Ack(DeviceId, Ack),
    Next(usize, oneshot::Sender<Vec<Outgoing>>),
    Rewind,
    Stop,
}

/// A handle to the outbox. Clones speak to the same files.
#[derive(Clone)]
pub struct Outbox {
    orders: SyncSender<Order>,
    shared: Arc<Shared>,
}

#[derive(Default)]
struct Shared {
    backlogs: Mutex<std::collections::BTreeMap<DeviceId, Backlog>>,
    durable: Notify,
    overflow: std::sync::atomic::AtomicU64,
}

/// The thread that owns the files; it ends when [`Outbox::stop`] was called, after everything before it is durable.
pub struct OutboxThread(JoinHandle<()>);

impl Outbox {
    /// Opens the files below `folder` and repairs what a crash left.
    ///
    /// # Errors
    /// [`OutboxError`] when the folder cannot be used.
    pub fn open(
        folder: PathBuf,
        boot: Boot,
        quota: u64,
    ) -> Result<(Outbox, OutboxThread), OutboxError> {
        let (orders, queue) = sync_channel(ORDERS);
        let shared = Arc::new(Shared::default());
        let keeper = Keeper::open(folder, boot, quota, Arc::clone(&shared))?;
        let thread = std::thread::Builder::new()
            .name("outbox".to_owned())
            .stack_size(256 * 1024)
            .spawn(move || keeper.run(&queue))
            .expect("a thread can be started");
        Ok((Outbox { orders, shared }, OutboxThread(thread)))
    }

    /// What is known of a device; its numbering goes on from there.
    pub async fn device(&self, device: &DeviceId) -> Known {
        let (answer, known) = oneshot::channel();
        self.order(Order::Open(device.clone(), answer));
        known.await.unwrap_or(Known {
            next_seq: 1,
            kept: None,
        })
    }

    /// The envelopes after this one that are still on the disk, oldest first: what a memory that was written before them does not have.
    pub async fn since(&self, device: &DeviceId, mark: Option<(Boot, Seq)>) -> Vec<Envelope> {
        let (answer, found) = oneshot::channel();
        self.order(Order::Since(device.clone(), mark, answer));
        let payloads = found.await.unwrap_or_default();
        let decoded = payloads.iter().map(|payload| protocol::decode(payload));
        decoded.filter_map(Result::ok).collect()
    }

    /// Keeps an envelope. Returns at once.
    pub fn append(&self, device: &DeviceId, envelope: &Envelope) {
        let payload = protocol::encode(envelope);
        self.order(Order::Append(device.clone(), envelope.seq, payload));
    }

    /// Keeps what the device's session wants to find after a restart, in place of what it kept before.
    pub fn keep(&self, device: &DeviceId, memory: Vec<u8>) {
        self.order(Order::Keep(device.clone(), memory));
    }

    /// The hub has journalled everything up to there.
    pub fn ack(&self, device: &DeviceId, ack: Ack) {
        self.order(Order::Ack(device.clone(), ack));
    }

    /// The next durable envelopes to send, at most `room`, oldest first for each device.
    pub async fn next(&self, room: usize) -> Vec<Outgoing> {
        let (answer, batch) = oneshot::channel();
        self.order(Order::Next(room, answer));
        batch.await.unwrap_or_default()
    }

    /// Everything not acknowledged is to be sent again: the line to the hub is new.
    pub fn rewind(&self) {
        self.order(Order::Rewind);
    }

    /// Waits until more envelopes are durable, or room for more was made.
    pub async fn more(&self) {
        self.shared.durable.notified().await;
    }

    /// How a device's outbox is doing.
    pub fn backlog(&self, device: &DeviceId) -> Backlog {
        self.backlogs_locked()
            .get(device)
            .copied()
            .unwrap_or_default()
    }

    /// Every device with a file, plugged in or not.
    pub fn devices(&self) -> Vec<(DeviceId, Backlog)> {
        let locked = self.backlogs_locked();
        locked
            .iter()
            .map(|(id, backlog)| (id.clone(), *backlog))
            .collect()
    }

    /// Orders that were lost because the disk did not answer for long.
    pub fn overflowed(&self) -> u64 {
        self.shared
            .overflow
            .load(std::sync::atomic::Ordering::Relaxed)
    }

    /// Ends the thread after everything said before is durable.
    pub fn stop(&self) {
        let _already_gone = self.orders.send(Order::Stop);
    }

    fn order(&self, order: Order) {
        match self.orders.try_send(order) {
            Ok(()) => {}
            Err(TrySendError::Full(_)) => {
                self.shared
                    .overflow
                    .fetch_add(1, std::sync::atomic::Ordering::Relaxed);
                tracing::error!("A33 the disk does not answer; a fact could not be kept");
            }
            Err(TrySendError::Disconnected(_)) => tracing::debug!("the outbox is closed"),
        }
    }

    fn backlogs_locked(
        &self,
    ) -> std::sync::MutexGuard<'_, std::collections::BTreeMap<DeviceId, Backlog>> {
        self.shared
            .backlogs
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
    }
}

impl OutboxThread {
    /// Waits for the end. Blocks; call it from a thread that may.
    pub fn join(self) {
        if self.0.join().is_err() {
            tracing::error!("A34 the outbox ended with a fault of the program");
        }
    }
}
