//! The house from end to end: its shape, its stories, its faults.

mod desk;
mod families;
mod faults;
mod hall;
mod readers;
mod scenarios;
mod tidy;
