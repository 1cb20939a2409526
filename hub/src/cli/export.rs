//! `export`: games out of the journal.

use std::collections::BTreeMap;

use anyhow::{Result, bail};
use clap::Args;
use protocol::{GameId, HallBoard, Timestamp};

use super::args::Where;
use super::say;
use crate::feeds::pgn;
use crate::run::{hall_boards, replay_only};
use crate::venue::{EventBody, Venue, VenueConfig};

/// Games of all rounds, or of one.
#[derive(Debug, Args)]
pub(super) struct Export {
    #[command(flatten)]
    place: Where,
    /// Only this round.
    #[arg(long, value_name = "R")]
    round: Option<u16>,
    /// The form.
    #[arg(long, default_value = "pgn")]
    format: String,
}

impl Export {
    pub(super) fn run(self) -> Result<bool> {
        let data = self.place.config()?.data()?;
        if !data.join("journal").exists() {
            bail!(
                "H71 there is no journal in {} · help: give the hub's data folder with --data",
                data.display()
            );
        }
        match self.format.as_str() {
            "pgn" => {}
            "faithful-pgn" | "trf16" | "trf26" | "csv" | "casefile" => bail!(
                "H70 the form {:?} is not there yet · help: --format pgn is",
                self.format
            ),
            other => bail!("H70 nobody knows the form {other:?} · help: --format pgn"),
        }
        let mut games = Games::default();
        let config = VenueConfig::new("export".parse()?);
        let mut replayed = replay_only(&data, config, |venue, event| {
            let ends = matches!(
                event.body,
                EventBody::RoundOpened { .. }
                    | EventBody::NextGame { .. }
                    | EventBody::TableOpened { .. }
            );
            if ends {
                games.take(&mut Venue::with_state(
                    VenueConfig::new("export".parse().expect("a name")),
                    venue.state().clone(),
                ));
            }
        })?;
        games.take(&mut replayed.venue);
        let wanted = games
            .0
            .values()
            .filter(|b| self.round.is_none_or(|r| r == b.round));
        let mut boards: Vec<&HallBoard> = wanted.collect();
        boards.sort_by_key(|b| (b.round, b.table));
        say::line(pgn::games(boards.into_iter()).trim_end());
        for line in replayed
            .findings
            .damage
            .iter()
            .map(ToString::to_string)
            .chain(replayed.said)
        {
            say::error(&anyhow::anyhow!(line));
        }
        Ok(true)
    }
}

/// The newest state of every game.
#[derive(Default)]
struct Games(BTreeMap<GameId, HallBoard>);

impl Games {
    fn take(&mut self, venue: &mut Venue) {
        for board in hall_boards(venue, Timestamp(i64::MAX / 2), "hall") {
            self.0.insert(board.game.clone(), (*board).clone());
        }
    }
}
