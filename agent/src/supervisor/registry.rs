//! Devices by their id: who is being read on some port, and who waits for its cable.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use protocol::DeviceId;

use crate::exchange::Exchange;
use crate::session::Device;

/// All devices of the agent. Clones are the same place.
#[derive(Debug, Clone, Default)]
pub(super) struct Registry {
    inner: Arc<Mutex<Inner>>,
}

#[derive(Debug, Default)]
struct Inner {
    read: BTreeSet<DeviceId>,
    asleep: BTreeMap<DeviceId, Box<Device>>,
}

/// The right to read a device; given back when dropped, also when its task panics.
#[derive(Debug)]
pub(super) struct Lease {
    device: DeviceId,
    registry: Registry,
    exchange: Exchange,
}

impl Registry {
    /// The right to read a device; none while another port has it.
    pub(super) fn lease(&self, device: &DeviceId, exchange: &Exchange) -> Option<Lease> {
        self.locked().read.insert(device.clone()).then(|| Lease {
            device: device.clone(),
            registry: self.clone(),
            exchange: exchange.clone(),
        })
    }

    /// A device whose port is closed waits here.
    pub(super) fn sleep(&self, device: Box<Device>) {
        self.locked().asleep.insert(device.id().clone(), device);
    }

    /// A device that waited.
    pub(super) fn wake(&self, device: &DeviceId) -> Option<Box<Device>> {
        self.locked().asleep.remove(device)
    }

    fn locked(&self) -> MutexGuard<'_, Inner> {
        self.inner.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Lease {
    pub(super) fn device(&self) -> &DeviceId {
        &self.device
    }
}

impl Drop for Lease {
    fn drop(&mut self) {
        self.registry.locked().read.remove(&self.device);
        self.exchange.leave(&self.device);
    }
}
