//! Which family answered last on a port, kept in the state folder, so that a restarted agent asks it first.

use std::collections::BTreeMap;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use protocol::DeviceId;
use serde::{Deserialize, Serialize};

use crate::devices::Driver;
use crate::outbox::write_whole;
use crate::ports::PortInfo;

/// No hall has more ports; where there are more, the first by name go.
const MOST: usize = 1_000;

/// Who answered on a port.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct KnownPort {
    /// The family.
    pub(super) family: String,
    /// Addresses of the boards of a shared line.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(super) boards: Vec<u16>,
    /// What the hub calls them.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(super) devices: Vec<DeviceId>,
}

/// Everybody who answered. Clones are the same place.
#[derive(Debug, Clone)]
pub(super) struct KnownPorts {
    file: PathBuf,
    ports: Arc<Mutex<BTreeMap<String, KnownPort>>>,
}

impl KnownPorts {
    /// What is kept in the state folder; a damaged file is as good as none.
    pub(super) fn read(state: &Path) -> KnownPorts {
        let file = state.join("ports.json");
        let kept = fs::read(&file)
            .ok()
            .and_then(|bytes| serde_json::from_slice(&bytes).ok());
        KnownPorts {
            file,
            ports: Arc::new(Mutex::new(kept.unwrap_or_default())),
        }
    }

    /// Who answered on the port last.
    pub(super) fn at(&self, port: &PortInfo) -> Option<KnownPort> {
        self.locked().get(&name(port)).cloned()
    }

    /// Somebody answers; kept at once when it is news, because the next start may follow a fall.
    pub(super) fn answered(&self, port: &PortInfo, who: KnownPort) {
        let mut ports = self.locked();
        let name = name(port);
        if ports.get(&name) == Some(&who) {
            return;
        }
        ports.insert(name, who);
        while ports.len() > MOST {
            ports.pop_first();
        }
        if let Err(why) = write(&self.file, &ports) {
            tracing::debug!(file = %self.file.display(), %why, "who answered cannot be kept");
        }
    }

    fn locked(&self) -> MutexGuard<'_, BTreeMap<String, KnownPort>> {
        self.ports.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The devices that answered on a port last, as an agent with this state folder remembers.
pub fn who_answered(state: &Path, port: &PortInfo) -> Vec<DeviceId> {
    let known = KnownPorts::read(state).at(port);
    known.map_or(Vec::new(), |known| known.devices)
}

/// The families to try, the one that answered last before all others.
pub(super) fn in_order(
    mut candidates: Vec<&'static dyn Driver>,
    known: Option<&KnownPort>,
) -> Vec<&'static dyn Driver> {
    let first = known.and_then(|known| {
        let is_it = |driver: &&dyn Driver| driver.family() == known.family;
        candidates.iter().position(is_it)
    });
    if let Some(first) = first {
        candidates[..=first].rotate_right(1);
    }
    candidates
}

/// The board's chip where it says who it is, because names of ports change when cables are put back.
fn name(port: &PortInfo) -> String {
    let chip = port.usb.as_ref();
    let tells = chip.is_some_and(|usb| usb.serial.is_some() || usb.place.is_some());
    match chip {
        Some(usb) if tells => format!("{:04x}:{:04x}:{}", usb.vendor, usb.product, port.hint()),
        _ => port.path.clone(),
    }
}

fn write(file: &Path, ports: &BTreeMap<String, KnownPort>) -> io::Result<()> {
    write_whole(file, &serde_json::to_vec_pretty(ports)?)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ports::{AUTO, candidates};

    fn port(path: &str) -> PortInfo {
        PortInfo {
            path: path.to_owned(),
            target: None,
            place: Default::default(),
            usb: None,
        }
    }

    #[test]
    fn who_answered_is_asked_first_after_a_restart() {
        let dir = tempfile::tempdir().expect("a place");
        let (a, b) = (port("/dev/ttyACM0"), port("/dev/ttyACM1"));
        let families = |known: &KnownPorts, port: &PortInfo| -> Vec<&'static str> {
            let order = in_order(candidates(port, AUTO), known.at(port).as_ref());
            order.iter().map(|driver| driver.family()).collect()
        };
        let first = KnownPorts::read(dir.path());
        let usual = ["certabo", "dgt", "millennium", "dgtbus"];
        assert_eq!(families(&first, &a), usual);
        let id = DeviceId::of("millennium", "laptop-1-ttyACM0");
        let who = KnownPort {
            family: "millennium".to_owned(),
            devices: vec![id.clone()],
            ..KnownPort::default()
        };
        first.answered(&a, who);
        assert_eq!(who_answered(dir.path(), &a), [id]);
        assert_eq!(who_answered(dir.path(), &b), []);
        let second = KnownPorts::read(dir.path());
        assert_eq!(
            families(&second, &a),
            ["millennium", "certabo", "dgt", "dgtbus"]
        );
        assert_eq!(families(&second, &b), usual);
        fs::write(dir.path().join("ports.json"), "{ torn").expect("written");
        assert_eq!(families(&KnownPorts::read(dir.path()), &a), usual);
    }
}
