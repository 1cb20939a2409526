//! The command line of `zeitnot-hub`: what a person can ask, and where each answer is made.

mod args;
mod say;

mod asyncapi;
mod cards;
mod casefile;
mod check;
mod credentials;
mod doctor;
mod export;
mod feeds;
mod import;
mod laws;
mod run;
mod verify;

pub use args::main;
