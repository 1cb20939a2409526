//! Virtual boards of every family in simulated time: hands, bytes, driver, session, record.

mod honesty;
mod played;
mod table;

mod clock_sides;
mod documents;
mod games;
mod kills;
mod known;
mod shared_line;
