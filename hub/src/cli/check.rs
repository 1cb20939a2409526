//! `check`: does the configuration make sense, and the round with it?

use std::fs;
use std::io;
use std::path::Path;

use anyhow::Result;
use clap::Args;

use super::args::{Settings, Where};
use super::say;
use crate::config::Config;
use crate::rounds::{Problem, RoundSetup};
use crate::run::{replay_only, rounds_waiting};
use crate::venue::VenueConfig;

/// Configuration, pairings, edition, regulations.
#[derive(Debug, Args)]
pub(super) struct Check {
    #[command(flatten)]
    place: Where,
    #[command(flatten)]
    settings: Settings,
}

impl Check {
    pub(super) fn run(self) -> Result<bool> {
        let mut config = self.place.config()?;
        self.settings.over(&mut config);
        let mut good = true;
        for problem in config.problems() {
            say::line(format!("fail  {problem}"));
            good = false;
        }
        for problem in outside(&config)? {
            say::line(format!("fail  {problem}"));
            good = false;
        }
        let data = config.data()?;
        let mut rounds = rounds_waiting(&data, &config.base_round());
        if data.join("journal").exists() {
            let venue = VenueConfig::new("check".parse()?);
            let now = replay_only(&data, venue, |_, _| ())?;
            let state = now.venue.state();
            if state.paired {
                report(&state.round, state.tables.len(), &state.round.problems());
            }
        }
        if rounds.is_empty() && !data.join("journal").exists() {
            rounds.push(config.base_round());
        }
        for round in &rounds {
            let problems = round.problems();
            good &= problems.iter().all(|p| !p.fatal);
            report(round, round.tables.len(), &problems);
        }
        Ok(good)
    }
}

/// What the configuration names on this machine and the hub could not use.
fn outside(config: &Config) -> Result<Vec<String>> {
    let feeds = config.feeds.enabled.then(|| config.feeds_folder());
    let folders = std::iter::once(config.data()).chain(feeds);
    let mut problems = Vec::new();
    for folder in folders.collect::<Result<Vec<_>, _>>()? {
        if let Err(error) = can_write(&folder) {
            problems.push(format!(
                "H10 cannot write in {}: {error} · help: give the folder to the user that runs the hub, or give another one",
                folder.display()
            ));
        }
    }
    for file in config.feeds.token_files() {
        if let Err(error) = fs::read_to_string(file) {
            problems.push(format!(
                "H03 cannot read the token in {}: {error} · help: put it there, readable by the hub alone",
                file.display()
            ));
        }
    }
    Ok(problems)
}

/// Whether a folder, or where it would be made, takes a file; leaves nothing behind.
pub(super) fn can_write(folder: &Path) -> io::Result<()> {
    let folder = std::path::absolute(folder)?;
    let place = folder.ancestors().find(|place| place.exists());
    tempfile::tempfile_in(place.unwrap_or(&folder)).map(drop)
}

fn report(round: &RoundSetup, tables: usize, problems: &[Problem]) {
    for problem in problems {
        let word = if problem.fatal { "fail" } else { "warn" };
        say::line(format!("{word}  round {}: {problem}", round.round));
    }
    if problems.is_empty() {
        say::line(format!(
            "ok    round {}: {} tables, {}, {} {}",
            round.round,
            tables,
            round.edition,
            round.time_control,
            if round.regime.supervised {
                "supervised"
            } else {
                "not supervised"
            },
        ));
    }
}
