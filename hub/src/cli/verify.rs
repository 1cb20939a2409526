//! `verify`: the journal is whole, its replay equals the snapshot, the PGN files equal the journal. Changes nothing.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::sync::Arc;

use anyhow::{Result, bail};
use clap::Args;
use protocol::Timestamp;

use super::args::Where;
use super::doctor::is_running;
use super::say;
use crate::config::Config;
use crate::feeds::{Delivery, FEEDS, FeedsConfig, Subject};
use crate::journal::{Damage, JournalError};
use crate::run::{Replayed, hall_boards, replay_only};
use crate::store::{Snapshot, Store, StoreError};
use crate::venue::{State, VenueConfig};
use crate::views::Audience;

/// Whether journal, snapshot and files agree.
#[derive(Debug, Args)]
pub(super) struct Verify {
    #[command(flatten)]
    place: Where,
}

/// What a check found.
enum Found {
    Good(String),
    Bad(String),
    Skipped(String),
}

impl Verify {
    pub(super) fn run(self) -> Result<bool> {
        let config = self.place.config()?;
        let data = config.data()?;
        if !data.join("journal").exists() {
            bail!(
                "H71 there is no journal in {} · help: give the hub's data folder with --data",
                data.display()
            );
        }
        let running = is_running(&data);
        let snapshot = snapshot(&data);
        let number = match &snapshot {
            Ok(Some(snapshot)) => snapshot.place.number,
            _ => 0,
        };
        let mut then: Option<State> = None;
        // What audiences outside wait for depends on their delays, which may have been others then.
        let venue = VenueConfig::new("verify".parse()?);
        let mut replayed = replay_only(&data, venue, |venue, _| {
            if number > 0 && venue.state().number == number && then.is_none() {
                then = Some(venue.state().clone());
            }
        })?;
        if then.is_none() && replayed.venue.state().number == number {
            then = Some(replayed.venue.state().clone());
        }
        let checks = [
            ("journal", journal(&replayed, running)),
            ("snapshot", compare(snapshot, then.as_ref())),
            ("pgn", files(&config, &mut replayed, running)?),
        ];
        // Every check is reported, also after one that failed.
        let good = checks.map(|(name, found)| report(name, found));
        Ok(!good.contains(&false))
    }
}

fn report(name: &str, found: Found) -> bool {
    match found {
        Found::Good(words) => say::line(format!("ok    {name}: {words}")),
        Found::Skipped(words) => say::line(format!("skip  {name}: {words}")),
        Found::Bad(words) => {
            say::line(format!("fail  {name}: {words}"));
            return false;
        }
    }
    true
}

fn journal(replayed: &Replayed, running: bool) -> Found {
    // What a running hub is just writing is no unfinished write.
    let damage = replayed.findings.damage.iter();
    let damage = damage.filter(|d| !running || d.is_loss());
    let damage = damage.map(Damage::to_string);
    let all: Vec<String> = damage.chain(replayed.said.iter().cloned()).collect();
    if all.is_empty() && replayed.findings.events == 0 {
        Found::Bad("H71 it holds no event: nothing was ever written down here, or its files are gone · help: if there were games, put `journal` back from a copy".to_owned())
    } else if all.is_empty() {
        Found::Good(format!(
            "{} events, every checksum and every link of the chain",
            replayed.findings.events
        ))
    } else {
        Found::Bad(all.join("; "))
    }
}

fn snapshot(data: &Path) -> Result<Option<Snapshot>, StoreError> {
    let folder = data.join("store");
    if !folder.exists() {
        return Ok(None);
    }
    Store::try_open(&folder).and_then(|store| store.snapshot())
}

fn compare(snapshot: Result<Option<Snapshot>, StoreError>, then: Option<&State>) -> Found {
    let snapshot = match snapshot {
        Ok(Some(snapshot)) => snapshot,
        Ok(None) => {
            return Found::Skipped("there is none; the next start reads the journal".to_owned());
        }
        Err(why) if why.is_lock() => return Found::Skipped("the hub is running".to_owned()),
        Err(why) => return Found::Bad(why.to_string()),
    };
    let number = snapshot.place.number;
    match then {
        Some(state) if same(state, &snapshot.state) => {
            Found::Good(format!("equal to the replay at event {number}"))
        }
        Some(_) => Found::Bad(format!(
            "H72 the snapshot at event {number} differs from the replay · help: remove the folder `store`; the next start makes it anew"
        )),
        None => Found::Bad(JournalError::NoSuchPlace { number }.to_string()),
    }
}

/// All but what audiences outside still wait for, which rests on the delays of then.
fn same(one: &State, other: &State) -> bool {
    let without = |state: &State| State {
        histories: BTreeMap::new(),
        ..state.clone()
    };
    without(one) == without(other)
}

/// The files of the feeds as the journal gives them, against those on disk. A running hub writes them a moment after the journal, and
/// with the times of running clocks.
fn files(config: &Config, replayed: &mut Replayed, running: bool) -> Result<Found> {
    let folder = config.feeds_folder()?;
    if !config.feeds.enabled || !folder.exists() {
        return Ok(Found::Skipped("no files were written".to_owned()));
    }
    let pgn = &config.feeds.pgn;
    if config.feeds.audience_of(&pgn.audience) != "hall" || !pgn.enabled {
        return Ok(Found::Skipped(
            "the files are for an audience that sees everything later".to_owned(),
        ));
    }
    // The last moves are written a moment later than they are journalled; the time only moves clocks that run.
    let boards = hall_boards(
        &mut replayed.venue,
        Timestamp(i64::MAX / 2),
        &Audience::house().name,
    );
    let boards: Vec<Subject> = boards.into_iter().map(Arc::new).collect();
    let want = wanted(&boards, &config.feeds);
    let differs = |(path, content): (&String, &String)| {
        let found = fs::read_to_string(folder.join(path)).ok();
        (found.as_ref() != Some(content)).then(|| path.clone())
    };
    let wrong: Vec<String> = want.iter().filter_map(differs).collect();
    if wrong.is_empty() {
        Ok(Found::Good(format!(
            "{} files equal the journal",
            want.len()
        )))
    } else if running {
        Ok(Found::Skipped(format!(
            "not compared, the hub is writing: {}",
            wrong.join(", ")
        )))
    } else {
        Ok(Found::Bad(format!(
            "H73 not as the journal has them: {} · help: start the hub, it writes them again",
            wrong.join(", ")
        )))
    }
}

/// The PGN files for these boards, by path.
fn wanted(boards: &[Subject], config: &FeedsConfig) -> BTreeMap<String, String> {
    let file = |delivery| match delivery {
        Delivery::File { path, content } => Some((path, content)),
        Delivery::Joined { .. } | Delivery::Post(_) => None,
    };
    let pgn = FEEDS.iter().filter(|feed| feed.name() == "pgn");
    let targets = pgn.flat_map(|feed| feed.targets(config).into_iter().map(move |t| (feed, t)));
    targets
        .flat_map(|(feed, target)| feed.deliveries(boards, config, &target))
        .filter_map(file)
        .collect()
}
