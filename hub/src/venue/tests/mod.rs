//! Stories and properties of the whole venue, on simulated time.

mod hall;

mod devices;
mod irregularities;
mod laws;
mod numbers;
mod orders;
mod outside;
mod properties;
mod rounds;
mod story;
