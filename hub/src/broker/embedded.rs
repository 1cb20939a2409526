//! The broker inside the hub: mqtt5, bound to the configured address only, its state in memory.
//!
//! Nothing of it needs to survive: agents keep their facts until the hub's acknowledgement and say who they are when they
//! come back, and the hub says everything retained again after a start. So a kill -9 leaves no stale message behind.

use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use mqtt5::QoS;
use mqtt5::broker::config::{BrokerConfig, StorageBackend, StorageConfig};
use mqtt5::broker::router::MessageRouter;
use mqtt5::broker::{BrokerShutdownHandle, MqttBroker};
use mqtt5::packet::publish::PublishPacket;
use protocol::Topics;
use tokio::sync::{Mutex, mpsc};
use tokio::task::JoinHandle;
use tokio::time::{Instant, timeout};

use super::error::BrokerError;
use super::gate::{Gate, Hooks};
use super::message::{Message, Outgoing};
use super::{Broker, Soon};
use crate::credentials::Book;

/// The embedded broker's settings.
#[derive(Debug, Clone)]
pub struct EmbeddedConfig {
    /// Where it listens; port 0 asks the system for one.
    pub listen: SocketAddr,
    /// The venue's topics.
    pub topics: Topics,
}

/// The embedded broker, running.
pub struct Embedded {
    address: SocketAddr,
    router: Arc<MessageRouter>,
    gate: Arc<Gate>,
    shutdown: BrokerShutdownHandle,
    task: Mutex<Option<JoinHandle<()>>>,
}

/// A message as long as this is nobody's that belongs here.
const MAX_PACKET: usize = 1 << 20;
const MAX_CLIENTS: usize = 10_000;
/// Messages kept for a subscriber that is away or slow.
const MAX_QUEUED: usize = 20_000;
/// How long a subscriber may be away until its session is forgotten.
const SESSION: Duration = Duration::from_secs(12 * 3600);

impl Embedded {
    /// Starts to listen; what clients say comes through `arrivals`.
    ///
    /// # Errors
    /// [`BrokerError::Listen`] when the address cannot be had.
    pub async fn start(
        config: &EmbeddedConfig,
        book: Arc<Book>,
        arrivals: mpsc::Sender<Message>,
    ) -> Result<Embedded, BrokerError> {
        let gate = Arc::new(Gate::new(config.topics.clone(), book, arrivals));
        let fail = |why: mqtt5::MqttError| BrokerError::Listen {
            address: config.listen,
            why: why.to_string(),
        };
        let broker = MqttBroker::with_config(settings(config.listen, &gate))
            .await
            .map_err(fail)?;
        let mut broker = broker.with_auth_provider(Arc::clone(&gate) as _);
        let address = broker.local_addr().unwrap_or(config.listen);
        let (router, shutdown) = (broker.router(), broker.shutdown_handle());
        let mut ready = broker.ready_receiver();
        let task = tokio::spawn(async move {
            if let Err(error) = broker.run().await {
                tracing::error!("H41 the embedded broker ended: {error}");
            }
        });
        if ready.wait_for(|ready| *ready).await.is_err() {
            return Err(BrokerError::Ended("see the log".to_owned()));
        }
        Ok(Embedded {
            address,
            router,
            gate,
            shutdown,
            task: Mutex::new(Some(task)),
        })
    }
}

fn settings(listen: SocketAddr, gate: &Arc<Gate>) -> BrokerConfig {
    let storage = StorageConfig::default()
        .with_backend(StorageBackend::Memory)
        .with_max_queued_messages_per_client(MAX_QUEUED);
    let mut config = BrokerConfig::default()
        .with_bind_address(listen)
        .with_max_clients(MAX_CLIENTS)
        .with_max_packet_size(MAX_PACKET)
        .with_session_expiry(SESSION)
        .with_storage(storage)
        .with_sys_topics_enabled(false)
        .with_max_subscriptions_per_client(1000);
    config.shared_subscription_available = false;
    config.max_outbound_inflight = 100;
    config.event_handler = Some(Arc::new(Hooks(Arc::clone(gate))));
    config
}

impl Drop for Embedded {
    fn drop(&mut self) {
        self.shutdown.shutdown();
    }
}

impl Broker for Embedded {
    fn publish(&self, message: Outgoing) -> Soon<'_, ()> {
        Box::pin(async move {
            let mut packet = PublishPacket::new(message.topic, message.payload, QoS::AtLeastOnce)
                .with_retain(message.retain);
            if let Some(seconds) = message.expires_s {
                packet.properties.set_message_expiry_interval(seconds);
            }
            // No waiting: what a slow subscriber's lane does not take goes into its queue.
            self.router
                .route_message_with_deadline(&packet, None, Instant::now())
                .await;
        })
    }

    fn address(&self) -> Option<SocketAddr> {
        Some(self.address)
    }

    fn clients(&self) -> Option<u32> {
        Some(self.gate.connected())
    }

    fn dismiss<'a>(&'a self, names: &'a [String]) -> Soon<'a, ()> {
        Box::pin(async move {
            for client in self.gate.clients_of(names) {
                self.router.unregister_client(&client).await;
                self.gate.forget(&client);
                tracing::info!(client, "its credentials are gone; connection ended");
            }
        })
    }

    fn stop(&self) -> Soon<'_, ()> {
        Box::pin(async move {
            self.shutdown.shutdown();
            let Some(mut task) = self.task.lock().await.take() else {
                return;
            };
            if timeout(Duration::from_secs(3), &mut task).await.is_err() {
                task.abort();
            }
        })
    }
}
