//! Which agent announced which device: facts about a device of another agent are refused.

use std::collections::HashMap;

use protocol::DeviceId;

/// A device may be announced by several agents in turn: a board is carried from one computer to another, and what the
/// first one still has in its outbox counts.
#[derive(Debug, Default)]
pub struct Devices {
    owners: HashMap<DeviceId, Vec<String>>,
}

/// More devices than any venue has.
const MOST: usize = 20_000;
/// More owners than a board has in a day.
const OWNERS: usize = 32;

impl Devices {
    /// An agent says that it reads a device; false when there is no room for more.
    pub fn announce(&mut self, device: DeviceId, agent: &str) -> bool {
        if self.owners.len() >= MOST && !self.owners.contains_key(&device) {
            return false;
        }
        let owners = self.owners.entry(device).or_default();
        if !owners.iter().any(|o| o == agent) {
            if owners.len() == OWNERS {
                owners.remove(0);
            }
            owners.push(agent.to_owned());
        }
        true
    }

    /// Whether an agent may state facts about a device: it announced it, or nobody did.
    pub fn may_state(&self, device: &DeviceId, agent: &str) -> bool {
        self.owners
            .get(device)
            .is_none_or(|owners| owners.iter().any(|o| o == agent))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_device_belongs_to_those_who_announced_it() {
        let mut devices = Devices::default();
        let board = DeviceId::of("dgt", "01025");
        assert!(devices.may_state(&board, "a1"), "not yet announced");
        assert!(devices.announce(board.clone(), "a1"));
        assert!(devices.may_state(&board, "a1"));
        assert!(!devices.may_state(&board, "a2"));
        assert!(devices.announce(board.clone(), "a2"));
        assert!(devices.may_state(&board, "a1") && devices.may_state(&board, "a2"));
    }
}
