//! Reading the journal: from the beginning, or from a place a snapshot remembers.

use std::cmp::Ordering;
use std::fs;
use std::path::Path;

use serde::{Deserialize, Serialize};

use super::damage::{Damage, Findings};
use super::error::JournalError;
use super::frame::{Chain, Record};
use super::segment::{self, Cursor, HEADER};

/// A place between two records: everything up to event `number` lies before it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Place {
    /// The segment.
    pub segment: u64,
    /// Byte in the segment where the next record begins or will begin.
    pub offset: u64,
    /// Number of the last event before it, 0 at the beginning.
    pub number: u64,
    /// The hash chain there.
    pub chain: Chain,
}

/// Reads every record of the journal in `folder`, past any damage, and says what was found. Changes nothing.
///
/// # Errors
/// [`JournalError::File`] when a file cannot be read at all.
pub fn read_all(folder: &Path, mut each: impl FnMut(Record)) -> Result<Findings, JournalError> {
    let mut reading = Reading::new();
    reading.segments(folder, &segment::list(folder)?, &mut each)?;
    Ok(reading.findings)
}

/// Reads the records after `place`; segments before it are not looked at.
///
/// # Errors
/// [`JournalError::NoSuchPlace`] when the journal does not reach to there; [`JournalError::File`].
pub fn read_from(
    folder: &Path,
    place: &Place,
    mut each: impl FnMut(Record),
) -> Result<Findings, JournalError> {
    let mut reading = Reading::new();
    reading.resume(folder, place, &mut each)?;
    Ok(reading.findings)
}

/// Reads what lies before `place`, which a start from a snapshot does not look at, and says what was found. Changes nothing,
/// and may run while the journal is written on.
///
/// # Errors
/// [`JournalError::File`].
pub fn check_before(folder: &Path, place: &Place) -> Result<Findings, JournalError> {
    let mut reading = Reading::new();
    let until = usize::try_from(place.offset).unwrap_or(usize::MAX);
    for segment in segment::list(folder)? {
        let length = match segment.cmp(&place.segment) {
            Ordering::Less => usize::MAX,
            Ordering::Equal => until,
            Ordering::Greater => break,
        };
        reading.segment(folder, segment, length, &mut |_| ())?;
    }
    Ok(reading.findings)
}

/// A reading in progress, and where it came to.
#[derive(Debug)]
pub(crate) struct Reading {
    pub(crate) cursor: Cursor,
    pub(crate) findings: Findings,
    /// The last segment read, its length and where its whole records end.
    pub(crate) last: Option<(u64, usize, usize)>,
}

impl Reading {
    pub(crate) fn new() -> Reading {
        let cursor = Cursor {
            number: 0,
            chain: Some(Chain::default()),
        };
        Reading {
            cursor,
            findings: Findings::default(),
            last: None,
        }
    }

    /// Reads whole segments, one after the other.
    pub(crate) fn segments(
        &mut self,
        folder: &Path,
        segments: &[u64],
        each: &mut dyn FnMut(Record),
    ) -> Result<(), JournalError> {
        for &segment in segments {
            self.segment(folder, segment, usize::MAX, each)?;
        }
        Ok(())
    }

    /// Reads one segment, at most its first `until` bytes.
    fn segment(
        &mut self,
        folder: &Path,
        segment: u64,
        until: usize,
        each: &mut dyn FnMut(Record),
    ) -> Result<(), JournalError> {
        self.close_last();
        let path = segment::path(folder, segment);
        let mut bytes = fs::read(&path).map_err(JournalError::file("read", &path))?;
        bytes.truncate(until);
        if segment::is_unfinished(&bytes, segment) {
            self.last = Some((segment, bytes.len(), 0));
            return Ok(());
        }
        segment::enter(&bytes, segment, &mut self.cursor, &mut self.findings);
        self.walk(segment, &bytes, HEADER, each);
        Ok(())
    }

    /// Reads on from a remembered place.
    pub(crate) fn resume(
        &mut self,
        folder: &Path,
        place: &Place,
        each: &mut dyn FnMut(Record),
    ) -> Result<(), JournalError> {
        let gone = || JournalError::NoSuchPlace {
            number: place.number,
        };
        if place.number == 0 {
            return self.segments(folder, &segment::list(folder)?, each);
        }
        let path = segment::path(folder, place.segment);
        let bytes = fs::read(&path).map_err(|_| gone())?;
        let at = usize::try_from(place.offset)
            .map_err(|_| gone())?
            .max(HEADER);
        if at > bytes.len() || !ends_here(&bytes, at, place) {
            return Err(gone());
        }
        self.cursor = Cursor {
            number: place.number,
            chain: Some(place.chain),
        };
        self.walk(place.segment, &bytes, at, each);
        let later: Vec<u64> = segment::list(folder)?
            .into_iter()
            .filter(|s| *s > place.segment)
            .collect();
        self.segments(folder, &later, each)
    }

    fn walk(&mut self, segment: u64, bytes: &[u8], at: usize, each: &mut dyn FnMut(Record)) {
        let (cursor, findings) = (&mut self.cursor, &mut self.findings);
        let end = segment::walk(bytes, segment, at.min(bytes.len()), cursor, findings, each);
        self.last = Some((segment, bytes.len(), end));
    }

    /// The segment before another one must be whole: what is torn in it is damage.
    fn close_last(&mut self) {
        if let Some((segment, length, end)) = self.last
            && end < length
        {
            self.findings.damage.push(Damage::Unreadable {
                segment,
                offset: end as u64,
                bytes: (length - end) as u64,
            });
            self.cursor.chain = None;
        }
    }
}

/// Whether the record that ends at `at` is the one the place says, or the segment begins there.
fn ends_here(bytes: &[u8], at: usize, place: &Place) -> bool {
    if at == HEADER {
        return segment::Header::parse(bytes)
            .is_some_and(|h| h.first == place.number + 1 && h.before == place.chain);
    }
    // The place was taken behind a record that ended there; that record carries the number and the link.
    super::frame::find_ending(bytes, at)
        .is_some_and(|(number, chain)| number == place.number && chain == place.chain)
}
