//! A shared line with everybody on it, for whoever listens for a while and keeps nothing.

use std::collections::BTreeMap;

use super::{Address, Bus, BusMember};
use crate::devices::{DeviceEvent, Line, LineOptions, Millis};

/// The line and the boards that were met on it.
#[derive(Default)]
pub struct BusParty {
    bus: Bus,
    members: BTreeMap<Address, BusMember>,
}

impl BusParty {
    /// The port was opened: everybody is called.
    pub fn opened(&mut self, now: Millis) {
        self.bus.opened(now, &[]);
    }

    /// Bytes arrived; what the boards said with them.
    pub fn receive(&mut self, now: Millis, bytes: &[u8]) -> Vec<(Address, DeviceEvent)> {
        self.bus.receive(now, bytes);
        self.hand_out(now)
    }

    /// Time passed; what the boards had to say.
    pub fn tick(&mut self, now: Millis) -> Vec<(Address, DeviceEvent)> {
        self.bus.tick(now);
        self.hand_out(now)
    }

    /// The next bytes to write.
    pub fn next_write(&mut self) -> Option<Vec<u8>> {
        self.bus.next_write()
    }

    /// The line itself: how many boards there are, how long a round takes.
    pub fn bus(&self) -> &Bus {
        &self.bus
    }

    /// Every answer goes to its board, whose questions are put in their turn.
    fn hand_out(&mut self, now: Millis) -> Vec<(Address, DeviceEvent)> {
        let mut told = Vec::new();
        while let Some((address, answer)) = self.bus.next_answer() {
            let member = self.members.entry(address).or_insert_with(|| {
                let mut member = BusMember::new(Some(address), &LineOptions::default());
                member.opened(now);
                member
            });
            member.receive(now, &answer);
            told.extend(std::iter::from_fn(|| member.next_event()).map(|event| (address, event)));
            while let Some(question) = member.next_write() {
                self.bus.want(&question);
            }
        }
        told
    }
}
