//! The thread behind the outbox: takes orders in groups, writes them, syncs once a group, and answers.

use std::collections::BTreeMap;
use std::fs::{self, File};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::mpsc::{Receiver, RecvTimeoutError};
use std::sync::{Arc, PoisonError};
use std::time::{Duration, Instant};

use protocol::{Ack, Boot, DeviceId, Seq};

use super::file::BoxFile;
use super::record::{BootKey, boot_key, boot_of};
use super::states::States;
use super::unwritten::Unwritten;
use super::{Backlog, Known, Order, OutboxError, Outgoing, Shared};

/// Envelopes of one device that may be on their way at once.
const WINDOW: u64 = 64;

/// Without an acknowledgement for so long, everything is sent again.
const RESEND_AFTER: Duration = Duration::from_secs(5);

/// After so long an acknowledgement that frees nothing means that facts were lost on the way: the hub waits for them.
const RESEND_AFTER_REPEAT: Duration = Duration::from_secs(1);

/// How often a full disk is tried again.
const RETRY: Duration = Duration::from_secs(1);

/// So much is written to find out whether a disk has room again, bytes.
const TRIAL: usize = 4096;

/// The longest group of orders that is synced together.
const GROUP: usize = 512;

pub(super) struct Keeper {
    folder: PathBuf,
    boot: Boot,
    quota: u64,
    shared: Arc<Shared>,
    boxes: BTreeMap<DeviceId, DeviceBox>,
    to_keep: BTreeMap<DeviceId, Vec<u8>>,
    states: States,
    turn: usize,
    _lock: File,
}

/// One device's envelopes: in its file as far as the disk takes them, else in memory.
struct DeviceBox {
    path: PathBuf,
    /// None while it cannot be opened.
    file: Option<BoxFile>,
    refused: bool,
    tried: Instant,
    unwritten: Unwritten,
    lost: u64,
    torn_bytes: u64,
    dirty: bool,
    moved: Instant,
}

impl Keeper {
    pub(super) fn open(
        folder: PathBuf,
        boot: Boot,
        quota: u64,
        shared: Arc<Shared>,
    ) -> Result<Keeper, OutboxError> {
        let fail = |why: io::Error| OutboxError::Folder {
            folder: folder.clone(),
            why,
        };
        fs::create_dir_all(&folder).map_err(fail)?;
        let lock = File::create(folder.join("lock")).map_err(fail)?;
        if lock.try_lock().is_err() {
            return Err(OutboxError::InUse(folder));
        }
        let mut keeper = Keeper {
            folder: folder.clone(),
            boot,
            quota,
            shared,
            boxes: BTreeMap::new(),
            to_keep: BTreeMap::new(),
            states: States::start().map_err(fail)?,
            turn: 0,
            _lock: lock,
        };
        keeper.open_all().map_err(fail)?;
        Ok(keeper)
    }

    pub(super) fn run(mut self, queue: &Receiver<Order>) {
        loop {
            let mut wait = Vec::new();
            let first = queue.recv_timeout(RETRY);
            let gone = matches!(first, Err(RecvTimeoutError::Disconnected));
            let group = first.into_iter().chain(queue.try_iter().take(GROUP));
            let mut stop = gone;
            for order in group {
                stop |= self.take(order, &mut wait);
            }
            self.commit();
            self.keep();
            for (room, answer) in wait {
                let _asker_gone = answer.send(self.next(room));
            }
            if stop {
                return;
            }
        }
    }

    fn open_all(&mut self) -> io::Result<()> {
        for entry in fs::read_dir(&self.folder)? {
            let path = entry?.path();
            let name = path.file_stem().and_then(|name| name.to_str());
            let device = name.and_then(|name| name.parse::<DeviceId>().ok());
            if let (Some(device), Some("box")) = (device, path.extension().and_then(|e| e.to_str()))
            {
                self.open_box(&device);
            }
        }
        Ok(())
    }

    fn open_box(&mut self, device: &DeviceId) -> &mut DeviceBox {
        if !self.boxes.contains_key(device) {
            let mut known = DeviceBox::new(self.folder.join(format!("{device}.box")));
            known.open(device);
            self.boxes.insert(device.clone(), known);
            self.publish(device);
        }
        self.boxes.get_mut(device).expect("it was put there")
    }

    fn take(
        &mut self,
        order: Order,
        wait: &mut Vec<(usize, tokio::sync::oneshot::Sender<Vec<Outgoing>>)>,
    ) -> bool {
        match order {
            Order::Open(device, answer) => {
                let _asker_gone = answer.send(self.known(&device));
            }
            Order::Since(device, mark, answer) => {
                let _asker_gone = answer.send(self.since(&device, mark.as_ref()));
            }
            Order::Append(device, seq, payload) => self.append(&device, seq, payload),
            Order::Keep(device, memory) => {
                self.to_keep.insert(device, memory);
            }
            Order::Ack(device, ack) => self.ack(&device, &ack),
            Order::Next(room, answer) => wait.push((room, answer)),
            Order::Rewind => self.rewind(),
            Order::Stop => return true,
        }
        false
    }

    fn known(&mut self, device: &DeviceId) -> Known {
        let boot = boot_key(&self.boot);
        let last = self.open_box(device).last_of(boot);
        Known {
            next_seq: last + 1,
            kept: self.kept(device),
        }
    }

    fn since(&mut self, device: &DeviceId, mark: Option<&(Boot, Seq)>) -> Vec<Vec<u8>> {
        let mark = mark.map(|(boot, seq)| (boot_key(boot), *seq));
        let file = self.open_box(device).file.as_ref();
        let found = file.map_or(Ok(Vec::new()), |file| file.since(mark));
        found.unwrap_or_else(|why| {
            tracing::error!(%device, %why, "A40 the outbox cannot be read back");
            Vec::new()
        })
    }

    fn append(&mut self, device: &DeviceId, seq: Seq, payload: Vec<u8>) {
        let (boot, quota) = (boot_key(&self.boot), self.quota);
        self.open_box(device)
            .append(device, boot, seq, payload, quota);
    }

    fn ack(&mut self, device: &DeviceId, ack: &Ack) {
        let path = self.kept_path(device);
        let Some(known) = self.boxes.get_mut(device) else {
            return;
        };
        let before = known.backlog().waiting;
        let wanted = self.states.is_waiting(&path);
        let noted = known.file.as_mut().map_or(Ok(()), |file| {
            file.ack(boot_key(&ack.boot), ack.seq, wanted)
        });
        if let Err(why) = noted {
            tracing::warn!(%device, %why, "A36 an acknowledgement could not be noted");
        }
        if ack.boot == self.boot {
            known.unwritten.free(ack.seq);
        }
        known.heard(known.backlog().waiting < before);
        self.publish(device);
        self.shared.durable.notify_one();
    }

    fn rewind(&mut self) {
        self.boxes.values_mut().for_each(DeviceBox::rewind);
        self.shared.durable.notify_one();
    }

    fn commit(&mut self) {
        let (boot, quota) = (boot_key(&self.boot), self.quota);
        let mut changed: Vec<_> = self
            .boxes
            .iter_mut()
            .filter_map(|(device, known)| {
                known
                    .write_waiting(device, boot, quota)
                    .then_some((device, known))
            })
            .collect();
        sync_together(&mut changed);
        let changed: Vec<DeviceId> = changed
            .into_iter()
            .map(|(device, _)| device.clone())
            .collect();
        for device in &changed {
            self.publish(device);
        }
        if !changed.is_empty() {
            self.shared.durable.notify_one();
        }
    }

    /// Fair to all devices: each call begins with the device after the one the last call began with.
    fn next(&mut self, room: usize) -> Vec<Outgoing> {
        let mut batch = Vec::new();
        let count = self.boxes.len();
        self.turn = (self.turn + 1) % count.max(1);
        let order: Vec<DeviceId> = self
            .boxes
            .keys()
            .cycle()
            .skip(self.turn)
            .take(count)
            .cloned()
            .collect();
        for device in order {
            if let Some(known) = self.boxes.get_mut(&device) {
                known.send(&device, &self.boot, room, &mut batch);
            }
        }
        batch
    }

    /// After the facts are durable, so that nothing is remembered as said that was not.
    fn keep(&mut self) {
        for (device, memory) in std::mem::take(&mut self.to_keep) {
            self.states.put(self.kept_path(&device), memory);
        }
    }

    fn kept(&self, device: &DeviceId) -> Option<Vec<u8>> {
        let newest = self.to_keep.get(device).cloned();
        newest.or_else(|| self.states.get(&self.kept_path(device)))
    }

    fn kept_path(&self, device: &DeviceId) -> PathBuf {
        self.folder.join(format!("{device}.state"))
    }

    fn publish(&self, device: &DeviceId) {
        if let Some(known) = self.boxes.get(device) {
            let mut locked = self
                .shared
                .backlogs
                .lock()
                .unwrap_or_else(PoisonError::into_inner);
            locked.insert(device.clone(), known.backlog());
        }
    }
}

impl DeviceBox {
    fn new(path: PathBuf) -> DeviceBox {
        DeviceBox {
            path,
            file: None,
            refused: false,
            tried: Instant::now(),
            unwritten: Unwritten::default(),
            lost: 0,
            torn_bytes: 0,
            dirty: false,
            moved: Instant::now(),
        }
    }

    /// Opens the file; what comes meanwhile stays in memory.
    fn open(&mut self, device: &DeviceId) {
        self.tried = Instant::now();
        match BoxFile::open(&self.path) {
            Ok((file, repair)) => {
                if repair.torn_bytes > 0 {
                    tracing::warn!(%device, bytes = repair.torn_bytes, "A35 the outbox had a torn end; it was moved aside");
                }
                self.torn_bytes = repair.torn_bytes;
                self.file = Some(file);
                self.taken(device);
            }
            Err(why) => self.refuse(device, &why),
        }
    }

    fn refuse(&mut self, device: &DeviceId, why: &io::Error) {
        if !std::mem::replace(&mut self.refused, true) {
            tracing::error!(%device, %why, "A38 the disk refuses; facts go on from memory: make room");
        }
    }

    fn taken(&mut self, device: &DeviceId) {
        if std::mem::replace(&mut self.refused, false) {
            tracing::info!(%device, "the disk takes facts again");
        }
    }

    /// A disk that refused is tried again now and then, though there may be nothing to write; true when it has room again.
    fn try_again(&mut self, device: &DeviceId) -> bool {
        if !self.refused || self.tried.elapsed() < RETRY {
            return false;
        }
        if self.file.is_none() {
            self.open(device);
        } else {
            self.tried = Instant::now();
            let trial = self.path.with_extension("trial");
            let room = fs::write(&trial, [0; TRIAL]);
            let _gone_or_never_made = fs::remove_file(&trial);
            if room.is_ok() {
                self.taken(device);
            }
        }
        !self.refused
    }

    fn last_of(&self, boot: BootKey) -> Seq {
        self.unwritten
            .last()
            .or_else(|| self.file.as_ref()?.last_of(boot))
            .unwrap_or(0)
    }

    fn append(&mut self, device: &DeviceId, boot: BootKey, seq: Seq, payload: Vec<u8>, quota: u64) {
        if !self.unwritten.is_empty() || !self.write(device, boot, seq, &payload, quota) {
            self.lost += self.unwritten.push(seq, payload);
        }
        self.dirty = true;
    }

    fn write(
        &mut self,
        device: &DeviceId,
        boot: BootKey,
        seq: Seq,
        payload: &[u8],
        quota: u64,
    ) -> bool {
        let Some(file) = &mut self.file else {
            return false;
        };
        if file.bytes() + payload.len() as u64 > quota {
            return false;
        }
        let written = file.append(boot, seq, payload);
        match &written {
            Ok(()) => self.taken(device),
            Err(why) => self.refuse(device, why),
        }
        written.is_ok()
    }

    /// Writes what is still unwritten; true when something is to be synced.
    fn write_waiting(&mut self, device: &DeviceId, boot: BootKey, quota: u64) -> bool {
        self.dirty |= self.try_again(device);
        let refused = !self.unwritten.is_empty();
        while let Some((seq, payload)) = self.unwritten.pop() {
            if !self.write(device, boot, seq, &payload, quota) {
                self.unwritten.put_back(seq, payload);
                break;
            }
            self.dirty = true;
        }
        if refused && self.unwritten.is_empty() {
            tracing::info!(%device, "facts are written to disk again");
        } else if self.dirty && !self.refused && !self.unwritten.is_empty() {
            tracing::error!(%device, "A38 the outbox is full; facts are kept in memory");
        }
        self.dirty
    }

    fn sync(&mut self, device: &DeviceId) {
        let synced = self.file.as_ref().map_or(Ok(()), BoxFile::sync);
        if let Err(why) = synced {
            tracing::error!(%device, %why, "A39 the disk does not confirm what was written");
        }
        self.dirty = false;
    }

    /// An acknowledgement came, with or without news.
    fn heard(&mut self, news: bool) {
        if news {
            self.moved = Instant::now();
        } else if self.on_the_way() > 0 && self.moved.elapsed() > RESEND_AFTER_REPEAT {
            self.rewind();
        }
    }

    fn rewind(&mut self) {
        self.file.iter_mut().for_each(BoxFile::rewind);
        self.unwritten.rewind();
    }

    fn send(&mut self, device: &DeviceId, boot: &Boot, limit: usize, batch: &mut Vec<Outgoing>) {
        if self.on_the_way() > 0 && self.moved.elapsed() > RESEND_AFTER {
            tracing::debug!(%device, "no acknowledgement for long; sending again");
            self.rewind();
        }
        while batch.len() < limit && self.on_the_way() < WINDOW {
            if self.on_the_way() == 0 {
                self.moved = Instant::now();
            }
            let Some((boot, payload)) = self.next(device, boot) else {
                return;
            };
            batch.push(Outgoing {
                device: device.clone(),
                boot,
                payload,
            });
        }
    }

    fn next(&mut self, device: &DeviceId, boot: &Boot) -> Option<(Boot, Vec<u8>)> {
        match self.file.as_mut().map_or(Ok(None), BoxFile::next) {
            Ok(Some(stored)) => Some((boot_of(&stored.boot)?, stored.payload)),
            Ok(None) => Some((boot.clone(), self.unwritten.next()?)),
            Err(why) => {
                tracing::error!(%device, %why, "A40 the outbox cannot be read back");
                None
            }
        }
    }

    fn on_the_way(&self) -> u64 {
        let file = self.file.as_ref().map_or(0, BoxFile::in_flight);
        file + self.unwritten.sent()
    }

    fn backlog(&self) -> Backlog {
        Backlog {
            waiting: self.file.as_ref().map_or(0, BoxFile::waiting) + self.unwritten.len(),
            bytes: self.file.as_ref().map_or(0, BoxFile::bytes),
            in_memory: self.unwritten.len(),
            refused: self.refused,
            lost: self.lost,
            torn_bytes: self.torn_bytes,
        }
    }
}

/// Syncs the files side by side: a disk takes about as long for many as for one.
fn sync_together(boxes: &mut [(&DeviceId, &mut DeviceBox)]) {
    let Some(((device, first), others)) = boxes.split_first_mut() else {
        return;
    };
    std::thread::scope(|scope| {
        for (device, known) in others {
            scope.spawn(|| known.sync(device));
        }
        first.sync(device);
    });
}

/// The file holds these bytes or what it held before, whatever happens meanwhile.
pub(crate) fn write_whole(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let fresh = path.with_extension("new");
    let mut file = File::create(&fresh)?;
    file.write_all(bytes)?;
    file.sync_data()?;
    fs::rename(&fresh, path)
}
