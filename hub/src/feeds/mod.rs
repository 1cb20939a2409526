//! What leaves the house: one file per feed, each given released hall boards and nothing else.
//!
//! A new feed is one file that turns boards into [`Delivery`]s, one line in [`FEEDS`], its section in [`FeedsConfig`] and a folder of
//! golden files. A feed says what should be there now; whether that is news, and how it gets there, is the business of `deliver`.

mod delivery;
mod sense;
mod settings;

pub mod pgn;
mod pgn_files;

pub mod livechess;
mod livechess_api;
mod livechess_folder;

pub mod livechess_cloud;

mod results;

mod lichess;
mod webhook;

mod deliver;
mod files;
mod health;
mod lease;
mod operator;
mod post;
mod sent;
mod start;

#[cfg(test)]
mod leak_tests;
#[cfg(test)]
mod odd_tests;
#[cfg(test)]
mod push_tests;
#[cfg(test)]
mod tests;

pub use deliver::deliver_once;
pub(crate) use deliver::write_whole;
pub use delivery::{Answer, Delivery, Feed, Post, Subject, Target};
pub use health::{FeedHealth, FeedLine, KeptBack, Pauses};
pub use lease::Lease;
pub(crate) use operator::ago;
pub use settings::{
    ApiSettings, CloudSettings, FeedsConfig, FolderSettings, LichessSettings, PgnForm, PgnSettings,
    ResultsSettings, WebhookSettings,
};
pub use start::{Feeds, HEALTH, start_feeds};

/// Every feed, sorted by name.
pub const FEEDS: &[&dyn Feed] = &[
    &lichess::Lichess,
    &livechess_api::LivechessApi,
    &livechess_cloud::CloudFiles,
    &livechess_folder::LivechessFolder,
    &pgn_files::PgnFiles,
    &results::Results,
    &webhook::Webhook,
];
