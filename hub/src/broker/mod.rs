//! The broker and the hub's end of it: embedded, or any MQTT 5 broker by configuration; who may say what.

mod devices;
mod embedded;
mod error;
mod external;
mod gate;
mod message;
mod outbox;
mod rights;

pub use devices::Devices;
pub use embedded::{Embedded, EmbeddedConfig};
pub use error::BrokerError;
pub use external::{External, ExternalConfig};
pub use message::{Message, Outgoing, Receipt, Sender};
pub use rights::{may_publish, may_subscribe, mosquitto_acl};

use std::future::Future;
use std::net::SocketAddr;
use std::pin::Pin;

/// A future of a [`Broker`].
pub type Soon<'a, T> = Pin<Box<dyn Future<Output = T> + Send + 'a>>;

/// What the hub needs of a broker; what clients say comes through the channel given when it was made.
pub trait Broker: Send + Sync {
    /// Publishes to everybody who may read the topic, in the order of the calls; never waits for a slow subscriber.
    fn publish(&self, message: Outgoing) -> Soon<'_, ()>;
    /// Everything retained has been said: clients may be heard.
    fn open(&self) {}
    /// Where clients connect, when the broker is ours.
    fn address(&self) -> Option<SocketAddr>;
    /// How many clients are connected, when the broker is ours.
    fn clients(&self) -> Option<u32> {
        None
    }
    /// Ends the connections of clients whose credentials are gone; they cannot come back.
    fn dismiss<'a>(&'a self, names: &'a [String]) -> Soon<'a, ()>;
    /// Ends.
    fn stop(&self) -> Soon<'_, ()>;
}
