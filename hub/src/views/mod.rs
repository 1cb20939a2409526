//! What is shown: everything to arbiters, and to everybody else only what may be shown.

mod desk;
mod hall;
mod joined;

mod delay;
mod scalars;

mod journal;

pub use delay::{
    Audience, Histories, History, Released, next_due, release, release_closed, to_hall, to_house,
    waits_for_its_round,
};
pub use desk::{Seat, desk_without_record, ruling_lines};
pub use hall::{Unreleased, hall};
pub(crate) use joined::Joined;
pub use journal::journal_line;
pub use scalars::{clocks, scalars};
