//! Moments and lengths of time, always given by the caller.

use serde::{Deserialize, Serialize};

/// A length of time, or a moment on a caller's own monotonic clock, in milliseconds.
pub type Millis = u64;

/// A moment in milliseconds since 1970-01-01T00:00:00Z, by the clock of whoever wrote it.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default, Serialize, Deserialize,
)]
#[serde(transparent)]
pub struct Timestamp(pub i64);

impl Timestamp {
    /// Milliseconds from `earlier` to this moment, 0 if it lies ahead.
    pub fn since(self, earlier: Timestamp) -> Millis {
        u64::try_from(self.0.saturating_sub(earlier.0)).unwrap_or(0)
    }

    /// This moment and `ms` more.
    pub fn after(self, ms: Millis) -> Timestamp {
        Timestamp(self.0.saturating_add(i64::try_from(ms).unwrap_or(i64::MAX)))
    }

    /// The same moment on a clock that is `offset` milliseconds ahead of this one.
    pub fn shifted(self, offset: i64) -> Timestamp {
        Timestamp(self.0.saturating_add(offset))
    }
}
