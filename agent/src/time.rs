//! Tells the time once for the whole agent: milliseconds since 1970, read from the system clock when the agent starts and
//! counted monotonically from there, so that a clock set by hand or by the network never makes a game jump.

use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use protocol::{Millis, Timestamp};

/// The agent's clock.
#[derive(Debug, Clone, Copy)]
pub struct Clock {
    anchor: Instant,
    anchor_ms: Millis,
}

impl Clock {
    /// A clock that agrees with the system's now and is steady afterwards.
    pub fn start() -> Clock {
        let since_1970 = SystemTime::now()
            .duration_since(UNIX_EPOCH)
            .unwrap_or(Duration::ZERO);
        Clock {
            anchor: Instant::now(),
            anchor_ms: millis(since_1970),
        }
    }

    /// Milliseconds since 1970 by this clock.
    pub fn now(&self) -> Millis {
        self.anchor_ms + millis(self.anchor.elapsed())
    }

    /// The same as a moment on the wire.
    pub fn timestamp(&self) -> Timestamp {
        timestamp(self.now())
    }

    /// How long to sleep until `then`; nothing when it has passed.
    pub fn until(&self, then: Millis) -> Duration {
        Duration::from_millis(then.saturating_sub(self.now()))
    }
}

/// Milliseconds since 1970 as a moment on the wire.
pub fn timestamp(now: Millis) -> Timestamp {
    Timestamp(i64::try_from(now).unwrap_or(i64::MAX))
}

fn millis(duration: Duration) -> Millis {
    u64::try_from(duration.as_millis()).unwrap_or(u64::MAX)
}
