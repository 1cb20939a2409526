//! `check`: does the configuration make sense, and the round with it?

use anyhow::Result;
use clap::Args;

use super::args::{Settings, Where};
use super::say;
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
        let data = config.data()?;
        let mut rounds = rounds_waiting(&data, &config.base_round());
        if data.join("journal").exists() {
            let venue = VenueConfig::new("check".parse()?);
            let now = replay_only(&data, venue, |_, _| ())?;
            rounds.push(now.venue.state().round.clone());
        }
        if rounds.is_empty() {
            rounds.push(config.base_round());
        }
        for round in &rounds {
            let problems = round.problems();
            good &= problems.iter().all(|p| !p.fatal);
            report(round, &problems);
        }
        Ok(good)
    }
}

fn report(round: &RoundSetup, problems: &[Problem]) {
    for problem in problems {
        let word = if problem.fatal { "fail" } else { "warn" };
        say::line(format!("{word}  round {}: {problem}", round.round));
    }
    if problems.is_empty() {
        say::line(format!(
            "ok    round {}: {} tables, {}, {} {}",
            round.round,
            round.tables.len(),
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
