//! Why there is no broker.

use std::net::SocketAddr;

use thiserror::Error;

/// Why the broker cannot be started or reached.
#[derive(Debug, Error)]
pub enum BrokerError {
    /// The address is taken or is not this machine's.
    #[error(
        "H40 cannot listen on {address} for MQTT: {why} · help: stop what uses it, or set [broker] listen to another address or port"
    )]
    Listen {
        /// The address.
        address: SocketAddr,
        /// The broker's reason.
        why: String,
    },
    /// It ended while starting.
    #[error("H41 the embedded broker ended while starting: {0}")]
    Ended(String),
}
