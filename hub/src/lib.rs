//! One per venue: broker, Laws, record, wall page, feeds.
//!
//! The core is pure and in reading order [`venue`] ▶ [`game`], [`rulings`], [`alerts`], [`rounds`], [`views`] ▶ [`laws`]; the rim
//! around it is [`run`](mod@run) ▶ [`broker`], [`journal`], [`store`], [`web`], [`feeds`].

pub mod venue;

pub mod alerts;
pub mod game;
pub mod laws;
pub mod rounds;
pub mod rulings;
pub mod views;

pub mod cli;
pub mod config;
pub mod laws_cli;
pub mod run;

pub mod asyncapi;
pub mod broker;
pub mod credentials;
pub mod journal;
pub mod store;

pub mod feeds;
pub mod hall_channel;
pub mod web;
