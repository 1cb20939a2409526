//! Stories and properties of the whole venue, on simulated time.

mod hall;

mod adjournments;
mod claims;
mod clocks;
mod clocks_beside;
mod devices;
mod disturbances;
mod editions;
mod going_on;
mod incidents;
mod irregularities;
mod laws;
mod notices;
mod numbers;
mod orders;
mod outside;
mod pairings;
mod properties;
mod rounds;
mod second_illegal_moves;
mod starts;
mod story;

pub(crate) use outside::an_afternoon;
pub(crate) use properties::{SECRET, public_boards};
