//! Why a hub does not start.

use std::io;
use std::net::SocketAddr;

use thiserror::Error;

use crate::broker::BrokerError;
use crate::config::ConfigError;
use crate::credentials::CredentialError;
use crate::journal::JournalError;

/// Why a hub does not start.
#[derive(Debug, Error)]
pub enum HubError {
    /// The configuration.
    #[error(transparent)]
    Config(#[from] ConfigError),
    /// The journal.
    #[error(transparent)]
    Journal(#[from] JournalError),
    /// The broker.
    #[error(transparent)]
    Broker(#[from] BrokerError),
    /// The credentials.
    #[error(transparent)]
    Credentials(#[from] CredentialError),
    /// A wall page.
    #[error(
        "H05 cannot listen on {address} for the wall page: {source} · help: stop what uses it, or set [[http]] listen to another port"
    )]
    Http {
        /// The address.
        address: SocketAddr,
        /// The system's reason.
        source: io::Error,
    },
}
