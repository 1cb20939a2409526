//! One file of the journal: its name, its header, and reading it past any damage.
//!
//! A segment is a header of 44 bytes and frames. The header says the segment's number, the number of its first event and
//! the chain before it, so that a missing or exchanged segment shows.

use std::fs;
use std::path::{Path, PathBuf};

use super::damage::{Damage, Findings};
use super::error::JournalError;
use super::frame::{self, Chain, Record};

/// Length of a header.
pub(crate) const HEADER: usize = 44;
const MAGIC: [u8; 8] = *b"ZEITNOT1";

/// Where a reader stands: the next record follows the one described here.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Cursor {
    /// Number of the last event read, 0 before the first.
    pub(crate) number: u64,
    /// Its link; none where it is not known, after damage.
    pub(crate) chain: Option<Chain>,
}

/// A segment's header.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Header {
    pub(crate) segment: u64,
    pub(crate) first: u64,
    pub(crate) before: Chain,
}

impl Header {
    pub(crate) fn bytes(&self) -> Vec<u8> {
        let mut out = MAGIC.to_vec();
        out.extend_from_slice(&self.segment.to_le_bytes());
        out.extend_from_slice(&self.first.to_le_bytes());
        out.extend_from_slice(&self.before);
        out.extend_from_slice(&crc32c::crc32c(&out).to_le_bytes());
        out
    }

    pub(crate) fn parse(bytes: &[u8]) -> Option<Header> {
        let head = bytes.get(..HEADER)?;
        let crc = u32::from_le_bytes(head[40..].try_into().ok()?);
        (head[..8] == MAGIC && crc32c::crc32c(&head[..40]) == crc).then_some(Header {
            segment: u64::from_le_bytes(head[8..16].try_into().ok()?),
            first: u64::from_le_bytes(head[16..24].try_into().ok()?),
            before: head[24..40].try_into().ok()?,
        })
    }
}

/// The path of a segment in the journal's folder.
pub(crate) fn path(folder: &Path, segment: u64) -> PathBuf {
    folder.join(format!("{segment:08}.journal"))
}

/// The numbers of the segments in a folder, rising.
pub(crate) fn list(folder: &Path) -> Result<Vec<u64>, JournalError> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).map_err(JournalError::file("read", folder))? {
        let entry = entry.map_err(JournalError::file("read", folder))?;
        let name = entry.file_name();
        let number = name.to_str().and_then(|n| n.strip_suffix(".journal"));
        found.extend(number.and_then(|n| n.parse::<u64>().ok()));
    }
    found.sort_unstable();
    Ok(found)
}

/// Whether a crash left a segment that was only being begun: no header, no record.
pub(crate) fn is_unfinished(bytes: &[u8], segment: u64) -> bool {
    Header::parse(bytes).is_none_or(|h| h.segment != segment) && frame::find(bytes, 0).is_none()
}

/// Checks the header against where the reader stands, and says what does not fit.
pub(crate) fn enter(bytes: &[u8], segment: u64, cursor: &mut Cursor, findings: &mut Findings) {
    let Some(header) = Header::parse(bytes).filter(|h| h.segment == segment) else {
        findings.damage.push(Damage::BadHeader { segment });
        cursor.chain = None;
        return;
    };
    if header.first > cursor.number + 1 {
        findings.damage.push(Damage::Missing {
            first: cursor.number + 1,
            last: header.first - 1,
        });
        cursor.number = header.first - 1;
    } else if cursor.chain.is_some_and(|chain| chain != header.before) {
        findings.damage.push(Damage::ChainBroken {
            number: header.first,
        });
    }
    cursor.chain = Some(header.before);
}

/// Reads the records of a segment's bytes from `at` on, past any damage, and returns where the whole records end.
pub(crate) fn walk(
    bytes: &[u8],
    segment: u64,
    mut at: usize,
    cursor: &mut Cursor,
    findings: &mut Findings,
    each: &mut dyn FnMut(Record),
) -> usize {
    while at < bytes.len() {
        if let Some(framed) = frame::read(bytes, at) {
            at = framed.next;
            take(&framed, cursor, findings, each);
            continue;
        }
        let Some(next) = frame::find(bytes, at + 1) else {
            break;
        };
        findings.damage.push(Damage::Unreadable {
            segment,
            offset: at as u64,
            bytes: (next - at) as u64,
        });
        cursor.chain = None;
        at = next;
    }
    at.min(bytes.len())
}

fn take(
    framed: &frame::Framed<'_>,
    cursor: &mut Cursor,
    findings: &mut Findings,
    each: &mut dyn FnMut(Record),
) {
    let number = framed.number;
    if number <= cursor.number {
        findings.damage.push(Damage::OutOfOrder { number });
        return;
    }
    if number > cursor.number + 1 {
        findings.damage.push(Damage::Missing {
            first: cursor.number + 1,
            last: number - 1,
        });
    } else if let Some(before) = cursor.chain
        && frame::link(&before, number, framed.payload) != framed.chain
    {
        findings.damage.push(Damage::ChainBroken { number });
    }
    cursor.number = number;
    cursor.chain = Some(framed.chain);
    findings.events += 1;
    each(Record {
        number,
        payload: framed.payload.to_vec(),
    });
}
