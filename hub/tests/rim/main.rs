//! The hub's rim against real sockets, files and brokers.

mod client;
mod ground;

mod commands;
mod conformance;
mod embedded;
mod external;
mod outside;
mod races;
mod relay;
mod running;
