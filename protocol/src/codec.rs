//! JSON with a version: `{"v":1, …}` around every message.

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use thiserror::Error;

/// The version this program writes and reads.
pub const VERSION: u32 = 1;

/// Why a payload could not be read.
#[derive(Debug, Error)]
pub enum CodecError {
    /// The payload is no JSON object.
    #[error("P01 no JSON object: {0}")]
    NoJson(serde_json::Error),
    /// There is no `v`.
    #[error("P02 the message has no version \"v\"")]
    NoVersion,
    /// Written by another generation of the program.
    #[error(
        "P03 version {found} of the message is not known here (this program speaks {VERSION}); update the older side"
    )]
    Version {
        /// The version found.
        found: u32,
    },
    /// The version is right, the content is not.
    #[error("P04 the message does not fit its type: {0}")]
    Shape(serde_json::Error),
}

#[derive(Serialize)]
struct Versioned<'a, T> {
    v: u32,
    #[serde(flatten)]
    body: &'a T,
}

#[derive(Deserialize)]
struct OnlyVersion {
    v: Option<u32>,
}

/// The message as JSON bytes with its version.
pub fn encode<T: Serialize>(message: &T) -> Vec<u8> {
    serde_json::to_vec(&Versioned {
        v: VERSION,
        body: message,
    })
    .expect("every message is a JSON object with string keys")
}

/// The message of a payload; unknown fields are ignored.
///
/// # Errors
/// [`CodecError`] when the payload is no JSON object, has no or another version, or does not fit `T`.
pub fn decode<T: DeserializeOwned>(payload: &[u8]) -> Result<T, CodecError> {
    let only: OnlyVersion = serde_json::from_slice(payload).map_err(CodecError::NoJson)?;
    match only.v {
        None => Err(CodecError::NoVersion),
        Some(VERSION) => serde_json::from_slice(payload).map_err(CodecError::Shape),
        Some(found) => Err(CodecError::Version { found }),
    }
}
