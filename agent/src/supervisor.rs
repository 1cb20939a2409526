//! Keeps one task per port alive: finds ports once a second, opens those that are allowed, tries again what failed.
//!
//! **What happens to one board never stops another**: every port is a task of its own; an error or a panic ends that task,
//! is said, and the port is tried again.

mod attendant;
mod backoff;
mod bus;
mod known;
mod port;
mod registry;
mod tape;

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use std::time::Duration;

use tokio::sync::watch;
use tokio::task::{Id, JoinError, JoinSet};

use crate::config::Config;
use crate::exchange::Exchange;
use crate::outbox::Outbox;
use crate::ports::{self, PortInfo};
use crate::session::Agent;
use crate::time::Clock;
use attendant::{Ending, Meaning};
use backoff::Backoff;
pub use known::who_answered;
use known::{KnownPorts, in_order};
use port::{Ended, PortTask};
use registry::Registry;

/// How often the machine is looked over for ports.
const LOOK_EVERY: Duration = Duration::from_secs(1);

/// What every port's task needs.
#[derive(Clone)]
pub struct Shared {
    /// What the agent was told.
    pub config: Arc<Config>,
    /// Who states the facts.
    pub agent: Agent,
    /// The agent's clock.
    pub clock: Clock,
    /// Where boards and link meet.
    pub exchange: Exchange,
    /// Where facts are kept.
    pub outbox: Outbox,
    registry: Registry,
    known: KnownPorts,
}

impl Shared {
    /// Everything together, with no device known yet.
    pub fn new(
        config: Arc<Config>,
        agent: Agent,
        clock: Clock,
        exchange: Exchange,
        outbox: Outbox,
    ) -> Shared {
        Shared {
            known: KnownPorts::read(&config.state),
            config,
            agent,
            clock,
            exchange,
            outbox,
            registry: Registry::default(),
        }
    }
}

/// The supervisor's task.
pub struct Supervisor {
    shared: Shared,
    stop: watch::Receiver<bool>,
    tasks: JoinSet<Ended>,
    open: BTreeMap<Id, String>,
    backoff: Backoff,
    missed: BTreeSet<String>,
    /// Ports whose device was still read on another port.
    refused: BTreeSet<String>,
    /// Which of its candidates a port is tried as.
    tried: BTreeMap<String, usize>,
}

impl Supervisor {
    /// A supervisor that ends, with all its ports, when `stop` turns true.
    pub fn new(shared: Shared, stop: watch::Receiver<bool>) -> Supervisor {
        Supervisor {
            shared,
            stop,
            tasks: JoinSet::new(),
            open: BTreeMap::new(),
            backoff: Backoff::default(),
            missed: BTreeSet::new(),
            refused: BTreeSet::new(),
            tried: BTreeMap::new(),
        }
    }

    /// Looks, opens, tries again, until told to stop.
    pub async fn run(mut self) {
        let mut look = tokio::time::interval(LOOK_EVERY);
        look.set_missed_tick_behavior(tokio::time::MissedTickBehavior::Delay);
        loop {
            tokio::select! {
                _ = look.tick() => self.look(),
                Some(ended) = self.tasks.join_next_with_id() => self.note(ended),
                _ = self.stop.changed() => break,
            }
        }
        while self.tasks.join_next().await.is_some() {}
    }

    fn look(&mut self) {
        let config = Arc::clone(&self.shared.config);
        let found = ports::matching(ports::scan(&config.ports), &config.ports, &config.deny);
        let present: BTreeSet<&str> = found.iter().map(PortInfo::identity).collect();
        self.backoff.present(&present);
        self.tried.retain(|port, _| present.contains(port.as_str()));
        self.say_missing(&found);
        for port in found {
            let name = port.identity().to_owned();
            let is_open = self.open.values().any(|open| *open == name);
            if !is_open && self.backoff.allows(&name, self.shared.clock.now()) {
                self.open_port(port, name);
            }
        }
    }

    fn open_port(&mut self, port: PortInfo, name: String) {
        let known = self.shared.known.at(&port);
        let candidates = ports::candidates(&port, self.shared.config.family_of(&port));
        let candidates = in_order(candidates, known.as_ref());
        let tried = self.tried.get(&name).copied().unwrap_or(0);
        let Some(&driver) = candidates.get(tried % candidates.len().max(1)) else {
            return;
        };
        let task = PortTask {
            shared: self.shared.clone(),
            port,
            driver,
            probing: candidates.len() > 1,
            known: known.filter(|known| known.family == driver.family()),
            stop: self.stop.clone(),
        };
        let handle = self.tasks.spawn(task.run());
        self.open.insert(handle.id(), name);
    }

    /// Nobody of one family answers: the next is tried, and after the last there is a pause.
    fn try_next(&mut self, port: &str) -> bool {
        let tried = self.tried.entry(port.to_owned()).or_default();
        *tried += 1;
        let config = &self.shared.config;
        let found = ports::matching(ports::scan(&config.ports), &config.ports, &config.deny);
        let info = found.iter().find(|info| info.identity() == port);
        let candidates = info.map_or(0, |info| {
            ports::candidates(info, config.family_of(info)).len()
        });
        let again = *tried < candidates;
        if !again {
            *tried = 0;
        }
        again
    }

    /// A listed port that is not there is said once, until it was there again.
    fn say_missing(&mut self, found: &[PortInfo]) {
        let missing: BTreeSet<String> = ports::missing(found, &self.shared.config.ports)
            .into_iter()
            .collect();
        for words in missing.difference(&self.missed) {
            tracing::warn!(
                "A17 {words}; it is waited for · help: plug it in; if it is, `zeitnot-agent list` says under which name"
            );
        }
        self.missed = missing;
    }

    fn note(&mut self, ended: Result<(Id, Ended), JoinError>) {
        let (id, Ended { port, worked, end }) = match ended {
            Ok(ended) => ended,
            Err(fault) => {
                let id = fault.id();
                let port = self.open.get(&id).cloned().unwrap_or_default();
                let end = Ending::fault(format!("A15 a fault of the program: {fault}"));
                let (worked, end) = (false, Some(end));
                (id, Ended { port, worked, end })
            }
        };
        let meaning = end.as_ref().map(|end| end.meaning);
        self.open.remove(&id);
        if worked {
            self.backoff.worked(&port);
            // A device that is free again may be the one that answers on another port.
            for refused in std::mem::take(&mut self.refused) {
                self.backoff.worked(&refused);
            }
            self.tried.remove(&port);
        }
        if meaning == Some(Meaning::Nobody) && !worked && self.try_next(&port) {
            return;
        }
        if let Some(Ending { why, meaning }) = end {
            if meaning == Meaning::Taken {
                self.refused.insert(port.clone());
            }
            let pause = self.backoff.failed(&port, self.shared.clock.now());
            tracing::warn!(
                port,
                why,
                pause_ms = pause,
                "a port ended; it is tried again"
            );
        }
    }
}
