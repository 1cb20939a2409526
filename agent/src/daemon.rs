//! A whole agent in this process: outbox, link and supervisor wired together, started and stopped.

use std::net::SocketAddr;
use std::sync::Arc;

use protocol::{AgentId, Boot};
use thiserror::Error;
use tokio::net::TcpListener;
use tokio::sync::watch;
use tokio::task::JoinSet;

use crate::config::{Config, ConfigError, HubError};
use crate::exchange::Exchange;
use crate::link::{Link, Speaker};
use crate::livechess::{self, Beside};
use crate::outbox::{Outbox, OutboxError, OutboxThread};
use crate::session;
use crate::supervisor::{Shared, Supervisor};
use crate::time::Clock;

/// Why an agent cannot start.
#[derive(Debug, Error)]
pub enum StartError {
    /// The configuration.
    #[error(transparent)]
    Config(#[from] ConfigError),
    /// The state folder.
    #[error(transparent)]
    Outbox(#[from] OutboxError),
    /// The address of the LiveChess API.
    #[error(
        "A59 cannot listen at {address}: {why} · help: end the program that listens there (LiveChess itself?) or give another address with --livechess"
    )]
    Livechess {
        /// The address.
        address: SocketAddr,
        /// What the system said.
        why: std::io::Error,
    },
}

impl From<HubError> for StartError {
    fn from(error: HubError) -> StartError {
        StartError::Config(error.into())
    }
}

/// A running agent.
pub struct Agent {
    /// Its name.
    pub id: AgentId,
    /// Its start.
    pub boot: Boot,
    /// Its boards and the line to the hub.
    pub exchange: Exchange,
    /// The facts that wait.
    pub outbox: Outbox,
    thread: OutboxThread,
    stop: watch::Sender<bool>,
    tasks: JoinSet<()>,
}

/// Starts an agent on the current runtime; it opens the ports the configuration lists and speaks to the first hub that answers.
///
/// # Errors
/// [`StartError`] when the configuration or the state folder cannot be used.
pub async fn start(config: Config) -> Result<Agent, StartError> {
    let hubs = config.brokers()?;
    let id = agent_id(&config, hubs.first().map(|hub| hub.name.as_str()));
    let boot = new_boot();
    config.check()?;
    let (outbox, thread) = Outbox::open(config.state.clone(), boot.clone(), config.outbox_bytes)?;
    let (clock, exchange) = (Clock::start(), Exchange::default());
    let (stop, stopped) = watch::channel(false);
    let mut tasks = JoinSet::new();
    let speaker = Speaker {
        agent: id.clone(),
        boot: boot.clone(),
        host: host_name(),
    };
    let link = Link::new(speaker, hubs, clock, exchange.clone(), outbox.clone());
    tasks.spawn(link.run(stopped.clone()));
    let agent = session::Agent {
        id: id.clone(),
        boot: boot.clone(),
    };
    if let Some(address) = config.livechess.listen {
        let why = |why| StartError::Livechess { address, why };
        let listener = TcpListener::bind(address).await.map_err(why)?;
        let origins = config.livechess.origins.clone();
        let beside = Beside(exchange.clone());
        // Somebody watches from now on, so that the boards are known when the first client asks.
        let news = exchange.watch();
        let stopped = stopped.clone();
        tasks.spawn(async move {
            livechess::serve(listener, beside, clock, origins, stopped).await;
            drop(news);
        });
    }
    let shared = Shared::new(
        Arc::new(config),
        agent,
        clock,
        exchange.clone(),
        outbox.clone(),
    );
    tasks.spawn(Supervisor::new(shared, stopped).run());
    Ok(Agent {
        id,
        boot,
        exchange,
        outbox,
        thread,
        stop,
        tasks,
    })
}

impl Agent {
    /// Closes all ports, says goodbye to the hub, and makes everything durable.
    pub async fn stop(mut self) {
        let _all_gone = self.stop.send(true);
        while let Some(ended) = self.tasks.join_next().await {
            if let Err(fault) = ended {
                tracing::error!(%fault, "A15 a fault of the program");
            }
        }
        self.outbox.stop();
        let thread = self.thread;
        let _joined = tokio::task::spawn_blocking(move || thread.join()).await;
    }
}

/// The agent's name: that of its credentials, because the hub's rights go by it; else the configured one; else the host's.
fn agent_id(config: &Config, at_the_hub: Option<&str>) -> AgentId {
    let named = at_the_hub.and_then(|name| name.parse().ok());
    let own = || config.name.clone();
    let host = || clean(&host_name()).parse().ok();
    named
        .or_else(own)
        .or_else(host)
        .unwrap_or_else(|| "agent".parse().expect("a good name"))
}

fn clean(name: &str) -> String {
    let lower = name.to_ascii_lowercase();
    lower
        .chars()
        .map(|c| if c.is_ascii_alphanumeric() { c } else { '-' })
        .take(64)
        .collect()
}

fn host_name() -> String {
    std::fs::read_to_string("/proc/sys/kernel/hostname")
        .map_or_else(|_| "agent".to_owned(), |name| name.trim().to_owned())
}

fn new_boot() -> Boot {
    let id: u64 = rand::random();
    format!("{id:016x}")
        .parse()
        .expect("hexadecimal is a good name")
}
