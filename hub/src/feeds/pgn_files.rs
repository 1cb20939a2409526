//! PGN as files: `round-5/board-12.pgn` for each game, `round-5.pgn` for each round, `event.pgn` for all of them.

use super::delivery::{one, rounds};
use super::{Delivery, Feed, FeedsConfig, Subject, Target, pgn};

/// The files.
pub(super) struct PgnFiles;

impl Feed for PgnFiles {
    fn name(&self) -> &'static str {
        "pgn"
    }

    fn targets(&self, config: &FeedsConfig) -> Vec<Target> {
        let own = &config.pgn;
        one(self.name(), own.enabled, config.audience_of(&own.audience))
    }

    fn deliveries(&self, boards: &[Subject], config: &FeedsConfig, _: &Target) -> Vec<Delivery> {
        let form = config.pgn.form;
        let mut files = Vec::new();
        for (round, boards) in rounds(boards) {
            for board in &boards {
                files.push(Delivery::File {
                    path: format!("round-{round}/board-{}.pgn", board.table),
                    content: pgn::written(form, std::iter::once(*board)),
                });
            }
            files.push(Delivery::File {
                path: format!("round-{round}.pgn"),
                content: pgn::written(form, boards.iter().copied()),
            });
        }
        if !files.is_empty() {
            files.push(Delivery::Joined {
                path: "event.pgn".to_owned(),
                before: "round-",
                after: ".pgn",
            });
        }
        files
    }
}
