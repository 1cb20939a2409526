//! The venue's whole state at a place of the journal, so that only what came later is replayed.

use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use super::error::StoreError;
use crate::journal::Place;
use crate::venue::State;

/// A state and the place in the journal up to which it holds.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Snapshot {
    /// The program that wrote it: another version starts from the journal.
    pub version: String,
    /// Everything up to here is in the state.
    pub place: Place,
    /// The state.
    pub state: State,
}

impl Snapshot {
    /// A snapshot of this program's state.
    pub fn new(place: Place, state: State) -> Snapshot {
        Snapshot {
            version: env!("CARGO_PKG_VERSION").to_owned(),
            place,
            state,
        }
    }

    /// The bytes: SHA-256 of what follows, then CBOR.
    pub(crate) fn bytes(&self) -> Vec<u8> {
        let mut bytes = vec![0; 32];
        ciborium::into_writer(self, &mut bytes).expect("a vector takes everything");
        let hash = Sha256::digest(&bytes[32..]);
        bytes[..32].copy_from_slice(&hash);
        bytes
    }

    /// The snapshot of some bytes, none when another version of the program wrote it.
    pub(crate) fn parse(bytes: &[u8]) -> Result<Option<Snapshot>, StoreError> {
        let bad = |why: &str| StoreError::Value(format!("snapshot: {why}"));
        let (hash, body) = bytes.split_at_checked(32).ok_or_else(|| bad("too short"))?;
        if Sha256::digest(body)[..] != *hash {
            return Err(bad("checksum"));
        }
        #[derive(Deserialize)]
        struct Version {
            version: String,
        }
        let version: Version = ciborium::from_reader(body).map_err(|e| bad(&e.to_string()))?;
        if version.version != env!("CARGO_PKG_VERSION") {
            return Ok(None);
        }
        let snapshot: Snapshot = ciborium::from_reader(body).map_err(|e| bad(&e.to_string()))?;
        let fits = snapshot.state.number == snapshot.place.number;
        fits.then_some(Some(snapshot))
            .ok_or_else(|| bad("its place is not its state's"))
    }
}
