//! What leaves the house: one file per feed, each given released hall boards and nothing else.
//!
//! A new feed is one file that turns boards into [`Delivery`]s and one line in [`FEEDS`].

mod deliver;
pub mod pgn;
mod pgn_files;

pub use deliver::{FeedHealth, deliver, deliver_once};

use crate::views::Released;
use protocol::HallBoard;

/// A file to be written, whole.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Delivery {
    /// Where, below the folder of the feeds.
    pub path: String,
    /// What it holds.
    pub content: String,
}

/// Turns the released boards of a round into deliveries.
pub trait Feed: Sync {
    /// Its name in configuration, logs and on the operator's page.
    fn name(&self) -> &'static str;
    /// What is to be written for these boards of one round, ordered by table.
    fn deliveries(&self, boards: &[Released<HallBoard>]) -> Vec<Delivery>;
}

/// Every feed, sorted by name.
pub const FEEDS: &[&dyn Feed] = &[&pgn_files::PgnGames, &pgn_files::PgnRound];
