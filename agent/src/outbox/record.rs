//! One record of an outbox file: a header with length, checksum, number and start, then the envelope as it goes on the wire.

use protocol::{Boot, Seq};

/// First bytes of every outbox file: name and version of the form.
pub(super) const MAGIC: &[u8; 8] = b"ZNBOX01\n";

/// Length of a record's header in bytes: length (4), checksum (4), seq (8), boot (16).
pub(super) const HEADER: usize = 32;

/// The longest envelope that is believed; more is a damaged length.
pub(super) const MAX_PAYLOAD: usize = 256 * 1024;

/// The name of a record within its file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Head {
    /// Length of the envelope; 0 for a mark that everything up to `seq` of `boot` is journalled.
    pub(super) len: usize,
    crc: u32,
    /// Number of the fact.
    pub(super) seq: Seq,
    /// The agent's start, sixteen bytes.
    pub(super) boot: BootKey,
}

/// A boot id in sixteen bytes, zero-padded.
pub(super) type BootKey = [u8; 16];

/// The sixteen bytes of a boot id; longer ids are cut (this program makes ids of sixteen letters).
pub(super) fn boot_key(boot: &Boot) -> BootKey {
    let mut key = [0; 16];
    for (to, from) in key.iter_mut().zip(boot.as_str().bytes()) {
        *to = from;
    }
    key
}

/// The boot id of sixteen bytes.
pub(super) fn boot_of(key: &BootKey) -> Option<Boot> {
    let text = std::str::from_utf8(key).ok()?;
    text.trim_end_matches('\0').parse().ok()
}

/// The bytes of a record.
pub(super) fn encode(boot: BootKey, seq: Seq, payload: &[u8]) -> Vec<u8> {
    let mut bytes = Vec::with_capacity(HEADER + payload.len());
    bytes.extend(
        u32::try_from(payload.len())
            .unwrap_or(u32::MAX)
            .to_le_bytes(),
    );
    bytes.extend([0; 4]);
    bytes.extend(seq.to_le_bytes());
    bytes.extend(boot);
    bytes.extend(payload);
    let crc = crc32c::crc32c(&bytes[8..]).to_le_bytes();
    bytes[4..8].copy_from_slice(&crc);
    bytes
}

impl Head {
    /// Reads a header; the checksum is looked at together with the payload.
    pub(super) fn decode(bytes: &[u8; HEADER]) -> Option<Head> {
        let word = |at: usize| {
            u32::from_le_bytes([bytes[at], bytes[at + 1], bytes[at + 2], bytes[at + 3]])
        };
        let len = usize::try_from(word(0)).ok()?;
        let mut seq = [0; 8];
        seq.copy_from_slice(&bytes[8..16]);
        let mut boot = [0; 16];
        boot.copy_from_slice(&bytes[16..32]);
        (len <= MAX_PAYLOAD).then_some(Head {
            len,
            crc: word(4),
            seq: Seq::from_le_bytes(seq),
            boot,
        })
    }

    /// Whether header and payload are as they were written.
    pub(super) fn fits(&self, header: &[u8; HEADER], payload: &[u8]) -> bool {
        let crc = crc32c::crc32c_append(crc32c::crc32c(&header[8..]), payload);
        payload.len() == self.len && crc == self.crc
    }

    /// Whether this is a mark of the hub's acknowledgement and no envelope.
    pub(super) fn is_mark(&self) -> bool {
        self.len == 0
    }

    /// Length of the whole record.
    pub(super) fn size(&self) -> u64 {
        (HEADER + self.len) as u64
    }
}
