//! One record as it lies in a segment: magic, length, CRC32C, number, link of the hash chain, payload.
//!
//! ```text
//! 0  4   b"ZNJ1"
//! 4  4   length of the payload, little endian
//! 8  4   CRC32C of everything from byte 12 to the end of the payload
//! 12 8   number of the event, little endian, from 1 without gaps
//! 20 16  chain: the first 16 bytes of SHA-256(chain of the record before ‖ number ‖ payload)
//! 36 …   payload
//! ```
//! The CRC finds accidents; the chain shows that no record was taken out, put in or exchanged.

use sha2::{Digest, Sha256};

/// A link of the hash chain.
pub type Chain = [u8; 16];

/// The longest payload a record may have; anything longer is damage.
pub(crate) const MAX_PAYLOAD: usize = 4 << 20;

const MAGIC: [u8; 4] = *b"ZNJ1";
const HEAD: usize = 36;

/// One record: the number of an event and its bytes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Record {
    /// Number of the event, from 1 without gaps.
    pub number: u64,
    /// The event's bytes.
    pub payload: Vec<u8>,
}

/// A record read from a segment, with where the next one begins.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Framed<'a> {
    pub(crate) number: u64,
    pub(crate) chain: Chain,
    pub(crate) payload: &'a [u8],
    pub(crate) next: usize,
}

/// The link after `before` for a record.
pub(crate) fn link(before: &Chain, number: u64, payload: &[u8]) -> Chain {
    let hash = Sha256::new()
        .chain_update(before)
        .chain_update(number.to_le_bytes())
        .chain_update(payload)
        .finalize();
    let mut chain = Chain::default();
    chain.copy_from_slice(&hash[..16]);
    chain
}

/// Appends the record's frame to `out` and returns its link of the chain.
pub(crate) fn write(out: &mut Vec<u8>, before: &Chain, record: &Record) -> Chain {
    let chain = link(before, record.number, &record.payload);
    let length = u32::try_from(record.payload.len()).expect("payloads are checked to be short");
    out.extend_from_slice(&MAGIC);
    out.extend_from_slice(&length.to_le_bytes());
    let crc_at = out.len();
    out.extend_from_slice(&[0; 4]);
    out.extend_from_slice(&record.number.to_le_bytes());
    out.extend_from_slice(&chain);
    out.extend_from_slice(&record.payload);
    let crc = crc32c::crc32c(&out[crc_at + 4..]);
    out[crc_at..crc_at + 4].copy_from_slice(&crc.to_le_bytes());
    chain
}

/// The whole and undamaged frame that begins at `at`, none otherwise.
pub(crate) fn read(bytes: &[u8], at: usize) -> Option<Framed<'_>> {
    let head = bytes.get(at..at.checked_add(HEAD)?)?;
    let length = u32::from_le_bytes(head[4..8].try_into().ok()?) as usize;
    if head[..4] != MAGIC || length > MAX_PAYLOAD {
        return None;
    }
    let next = at + HEAD + length;
    let crc = u32::from_le_bytes(head[8..12].try_into().ok()?);
    if crc32c::crc32c(bytes.get(at + 12..next)?) != crc {
        return None;
    }
    Some(Framed {
        number: u64::from_le_bytes(head[12..20].try_into().ok()?),
        chain: head[20..36].try_into().ok()?,
        payload: &bytes[at + HEAD..next],
        next,
    })
}

/// Where the next whole frame begins after `at`, for getting past a damaged stretch.
pub(crate) fn find(bytes: &[u8], at: usize) -> Option<usize> {
    let mut from = at;
    while let Some(step) = bytes
        .get(from..)?
        .windows(MAGIC.len())
        .position(|w| w == MAGIC)
    {
        if read(bytes, from + step).is_some() {
            return Some(from + step);
        }
        from += step + 1;
    }
    None
}

/// Number and link of the whole frame that ends exactly at `end`.
pub(crate) fn find_ending(bytes: &[u8], end: usize) -> Option<(u64, Chain)> {
    let first = end.saturating_sub(HEAD + MAX_PAYLOAD);
    (first..=end.checked_sub(HEAD)?)
        .rev()
        .filter(|at| bytes[*at..].starts_with(&MAGIC))
        .find_map(|at| read(bytes, at).filter(|f| f.next == end))
        .map(|f| (f.number, f.chain))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sample(number: u64) -> Record {
        Record {
            number,
            payload: format!("event {number}").into_bytes(),
        }
    }

    #[test]
    fn a_frame_reads_back() {
        let mut bytes = Vec::new();
        let chain = write(&mut bytes, &Chain::default(), &sample(7));
        let frame = read(&bytes, 0).expect("whole");
        assert_eq!((frame.number, frame.chain), (7, chain));
        assert_eq!((frame.payload, frame.next), (&b"event 7"[..], bytes.len()));
    }

    #[test]
    fn a_cut_or_changed_frame_is_no_frame() {
        let mut whole = Vec::new();
        write(&mut whole, &Chain::default(), &sample(7));
        for cut in 0..whole.len() {
            assert_eq!(read(&whole[..cut], 0), None, "cut at {cut}");
        }
        for at in 0..whole.len() {
            let mut bad = whole.clone();
            bad[at] ^= 0x20;
            assert_eq!(read(&bad, 0), None, "changed at {at}");
        }
    }

    #[test]
    fn the_next_frame_is_found_after_garbage() {
        let mut bytes = b"ZNJ1 not a frame ZNJ1".to_vec();
        let start = bytes.len();
        write(&mut bytes, &Chain::default(), &sample(1));
        assert_eq!(find(&bytes, 0), Some(start));
        assert_eq!(find(&bytes, start + 1), None);
        assert_eq!(find_ending(&bytes, bytes.len()).map(|e| e.0), Some(1));
        assert_eq!(find_ending(&bytes, start), None);
    }
}
