//! Listens to boards and clocks at the tables and tells the hub.

pub mod devices;
