//! What a feed is and what it hands over: files and posts, each whole.

use std::path::PathBuf;
use std::sync::Arc;

use protocol::HallBoard;

use super::FeedsConfig;
use crate::views::Released;

/// A released board, shared by everybody who shows it.
pub type Subject = Arc<Released<HallBoard>>;

/// Something that should be somewhere.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Delivery {
    /// A file with this content, whole.
    File {
        /// Where, below the folder of the feeds.
        path: String,
        /// What it holds.
        content: String,
    },
    /// A file made of all files beside it that are named `<before>N<after>`, by rising N.
    Joined {
        /// Where, below the folder of the feeds.
        path: String,
        /// What their names begin with.
        before: &'static str,
        /// What their names end with.
        after: &'static str,
    },
    /// A message to another server.
    Post(Post),
}

/// A message to another server: the whole of what it should know.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Post {
    /// What it is about, for comparing with the last one: a table, or nothing.
    pub about: String,
    /// The address.
    pub url: String,
    /// File with the token, sent as `Authorization: Bearer`.
    pub token_file: Option<PathBuf>,
    /// The type of the content.
    pub content_type: &'static str,
    /// The content.
    pub content: String,
}

/// One receiver of a feed, with a name for the operator and the audience it belongs to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Target {
    /// `pgn`, `lichess/A` …
    pub name: String,
    /// The audience whose boards it gets.
    pub audience: String,
    /// Which one of its section, counted from 0.
    pub index: usize,
}

/// What an answer of another server means.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Answer {
    /// It has everything.
    Taken,
    /// It has everything but this; the same again would not help.
    Partly(String),
    /// Not now: the same again later.
    Later(String),
    /// Not like this: somebody has to do something.
    Refused(String),
}

/// Turns released boards into deliveries.
pub trait Feed: Sync {
    /// Its name in configuration and logs.
    fn name(&self) -> &'static str;
    /// Its receivers by the configuration; none: it is switched off.
    fn targets(&self, config: &FeedsConfig) -> Vec<Target>;
    /// What a receiver should have, for these boards ordered by round and table.
    fn deliveries(
        &self,
        boards: &[Subject],
        config: &FeedsConfig,
        target: &Target,
    ) -> Vec<Delivery>;
    /// What an answer to a post means; only feeds that post are asked.
    fn answered(&self, status: u16, _body: &str) -> Answer {
        by_status(status)
    }
}

/// The usual meaning of a status.
pub(super) fn by_status(status: u16) -> Answer {
    match status {
        200..=299 => Answer::Taken,
        401 | 403 => Answer::Refused(format!(
            "the token is refused ({status}) · help: make a new one and put it into the token file"
        )),
        404 | 410 => Answer::Refused(format!(
            "there is nothing at this address ({status}) · help: look at the address"
        )),
        429 => Answer::Later("too much was sent (429); tried again by itself \u{b7} help: does somebody else send there, too?".to_owned()),
        408 | 500..=599 => Answer::Later(format!(
            "the server answers {status}; tried again by itself \u{b7} help: if it lasts, ask those who run it"
        )),
        300..=399 => Answer::Refused(format!(
            "the server points elsewhere ({status}) · help: write the final address"
        )),
        _ => Answer::Refused(format!(
            "the server answers {status} · help: look at its log"
        )),
    }
}

/// One receiver with this name, when the feed is switched on.
pub(super) fn one(name: &str, on: bool, audience: &str) -> Vec<Target> {
    let target = Target {
        name: name.to_owned(),
        audience: audience.to_owned(),
        index: 0,
    };
    on.then_some(target).into_iter().collect()
}

/// One target for each of an operator's addresses, each with a name and, it may be, an audience of its own.
pub(super) fn each<'a>(
    feed: &str,
    config: &FeedsConfig,
    own: impl Iterator<Item = (&'a str, &'a Option<String>)>,
) -> Vec<Target> {
    own.enumerate()
        .map(|(index, (name, audience))| Target {
            name: format!("{feed}/{name}"),
            audience: config.audience_of(audience).to_owned(),
            index,
        })
        .collect()
}

/// The boards by round, rising.
pub(super) fn rounds(boards: &[Subject]) -> Vec<(u16, Vec<&HallBoard>)> {
    let mut rounds: std::collections::BTreeMap<u16, Vec<&HallBoard>> = Default::default();
    for board in boards {
        rounds.entry(board.round).or_default().push(board);
    }
    rounds.into_iter().collect()
}
