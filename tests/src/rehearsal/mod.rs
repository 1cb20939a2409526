//! Rehearsals: an arbiter is put before a situation on his own dashboard, and told afterwards what happened and when he could have known.

mod act;
mod report;
mod stories;

pub use act::play_mishaps;
pub use report::{Report, broken};
pub use stories::{Mishap, REHEARSALS, Rehearsal, Sign, rehearsal};
