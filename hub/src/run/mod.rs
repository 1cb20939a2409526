//! The hub, running: recovery, the loop around the venue, broker, wall pages, feeds, and a stop that loses nothing.

mod error;
mod recovery;

mod audiences;
mod feed_reports;
mod intake;
mod outlooks;
mod pump;
mod room;
mod steady;
mod vitals;

mod rounds_folder;
mod start;

pub use error::HubError;
pub use pump::system_clock;
pub use recovery::{Recovered, Replayed, hall_boards, recover, replay_only};
pub use rounds_folder::{put_round, rounds_waiting};
pub use start::{Addresses, Hub, start, start_at};
