//! What opening or verifying the journal found, in words.

use std::fmt;

/// Something in the journal that is not as it was written.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Damage {
    /// The last write before a crash was not complete; the piece was moved aside. No acknowledged event is in it.
    TornTail {
        /// The segment.
        segment: u64,
        /// Where the whole records end.
        offset: u64,
        /// Length of the piece in bytes.
        bytes: u64,
        /// It could not be moved aside: the disk is full.
        waits: bool,
    },
    /// Bytes inside a segment are unreadable.
    Unreadable {
        /// The segment.
        segment: u64,
        /// Where it begins.
        offset: u64,
        /// Length in bytes.
        bytes: u64,
    },
    /// Events are missing.
    Missing {
        /// The first missing number.
        first: u64,
        /// The last missing number.
        last: u64,
    },
    /// A record is not the one that was written after the record before it.
    ChainBroken {
        /// Number of the event.
        number: u64,
    },
    /// A segment's first bytes are not a journal's.
    BadHeader {
        /// The segment.
        segment: u64,
    },
    /// A number came twice or too late; the record was left out.
    OutOfOrder {
        /// Number of the event.
        number: u64,
    },
}

impl Damage {
    /// Its stable code.
    pub fn code(&self) -> &'static str {
        match self {
            Damage::TornTail { .. } => "H14",
            Damage::Unreadable { .. } => "H15",
            Damage::Missing { .. } => "H16",
            Damage::ChainBroken { .. } => "H17",
            Damage::BadHeader { .. } => "H18",
            Damage::OutOfOrder { .. } => "H19",
        }
    }

    /// Whether something that was acknowledged may be gone or changed; a torn tail is repaired and loses nothing.
    pub fn is_loss(&self) -> bool {
        !matches!(self, Damage::TornTail { .. })
    }
}

impl fmt::Display for Damage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} ", self.code())?;
        match self {
            Damage::TornTail {
                segment,
                offset,
                bytes,
                waits: true,
            } => write!(
                f,
                "an unfinished write of {bytes} bytes at the end of segment {segment} (byte {offset}) cannot be moved aside: the disk is full; everything that is known is shown, nothing new is written down or acknowledged · help: free space on the disk of the data folder; the hub goes on by itself"
            ),
            Damage::TornTail {
                segment,
                offset,
                bytes,
                waits: false,
            } => write!(
                f,
                "an unfinished write of {bytes} bytes at the end of segment {segment} (byte {offset}) was moved aside · help: after a crash nothing, agents send again what was not acknowledged; without one, check the disk and compare the last minutes with the scoresheets"
            ),
            Damage::Unreadable {
                segment,
                offset,
                bytes,
            } => write!(
                f,
                "{bytes} bytes of segment {segment} at byte {offset} cannot be read; everything before and after is kept · help: copy the data folder now and check the disk"
            ),
            Damage::Missing { first, last } => write!(
                f,
                "events {first} to {last} are missing · help: compare the games of that time with the scoresheets"
            ),
            Damage::ChainBroken { number } => write!(
                f,
                "event {number} is not the one that was written there · help: somebody or something changed the file; use a copy made earlier"
            ),
            Damage::BadHeader { segment } => write!(
                f,
                "segment {segment} does not begin like a journal; its records are kept where they can be read · help: check the disk"
            ),
            Damage::OutOfOrder { number } => {
                write!(
                    f,
                    "event {number} stands at a wrong place and was left out · help: check the disk"
                )
            }
        }
    }
}

/// What was found.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Findings {
    /// Events read.
    pub events: u64,
    /// Everything that is not as it was written.
    pub damage: Vec<Damage>,
}

impl Findings {
    /// Whether an acknowledged event may be gone or changed.
    pub fn is_loss(&self) -> bool {
        self.damage.iter().any(Damage::is_loss)
    }
}
