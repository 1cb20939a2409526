//! Stories of a playing hall, one file each: read (pure, with the number of the line in every error) and played in a [`Hall`](crate::hall::Hall).

mod problem;
mod story;

mod words;

mod read;
mod read_acts;
mod read_expect;
mod read_orders;
mod read_setup;

mod run;
mod run_acts;
mod run_expect;
mod run_orders;
mod view;

pub use problem::Problem;
pub use read::read;
pub use run::{run, run_and_tell};
pub use story::{Boards, Expected, Line, Step, Story};
