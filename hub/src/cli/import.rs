//! `import`: pairings into a hub, running or not; or only what would be understood.

use std::fs;
use std::path::PathBuf;

use anyhow::{Context, Result, bail};
use clap::Args;

use super::args::Where;
use super::say;
use crate::rounds::{RoundSetup, from_csv, from_pgn};
use crate::run::{put_round, replay_only};
use crate::venue::VenueConfig;

/// Pairings from header-only PGN or CSV.
#[derive(Debug, Args)]
pub(super) struct Import {
    /// The file.
    file: PathBuf,
    #[command(flatten)]
    place: Where,
    /// The round, where the file does not say it.
    #[arg(long, value_name = "R")]
    round: Option<u16>,
    /// Only say what was understood.
    #[arg(long)]
    dry_run: bool,
    /// As one JSON object.
    #[arg(long)]
    json: bool,
}

impl Import {
    pub(super) fn run(self) -> Result<bool> {
        let config = self.place.config()?;
        let mut base = config.base_round();
        base.round = self.round.unwrap_or(base.round);
        let bytes = fs::read(&self.file).with_context(|| {
            format!(
                "H74 cannot read {} · help: give the path of a file with the pairings (PGN, CSV) that you may read; the system says",
                self.file.display()
            )
        })?;
        let text = text(&bytes);
        let round = understand(&text, base)?;
        if round.round == 0 {
            bail!(
                "H26 there is no round 0 · help: give the number of the round with --round, from 1 on"
            );
        }
        if let Some(why) = round.board_twice() {
            bail!("H20 nothing was imported: {why}");
        }
        if self.json {
            say::line(serde_json::to_string(&round)?);
        } else {
            say::line(words(&round));
        }
        for warning in round.problems() {
            say::warning(&warning.to_string());
        }
        let data = match self.dry_run {
            true => config.data()?,
            false => self.place.hub_data()?,
        };
        if data.join("journal").exists() {
            let now = replay_only(&data, VenueConfig::new("import".parse()?), |_, _| ())?;
            if let Some(why) = now.venue.objection(&round) {
                bail!("H26 {why}");
            }
        }
        if !self.dry_run {
            let unsaid = (!self.place.is_configured()).then(|| config.base_round());
            let path = put_round(&data, &round, unsaid.as_ref())
                .context("H27 the pairings cannot be put into the data folder · help: allow writing there, or give the hub's own folder with --data; the system says")?;
            if !self.json {
                say::line(format!(
                    "put into {}; a running hub takes it within a second",
                    path.display()
                ));
            }
        }
        Ok(true)
    }
}

/// UTF-8, or else Latin 1, as older pairing programs write.
fn text(bytes: &[u8]) -> String {
    match str::from_utf8(bytes) {
        Ok(text) => text.to_owned(),
        Err(_) => bytes.iter().map(|b| char::from(*b)).collect(),
    }
}

fn understand(text: &str, base: RoundSetup) -> Result<RoundSetup> {
    let start = text.trim_start_matches('\u{feff}').trim_start();
    let is_trf = start
        .lines()
        .take(5)
        .any(|l| l.starts_with("012 ") || l.starts_with("001 "));
    if is_trf {
        bail!(
            "H75 TRF cannot be read yet · help: export the pairings as PGN (headers only) or as CSV"
        );
    }
    if start.starts_with('[') {
        return Ok(from_pgn(text, base)?);
    }
    Ok(from_csv(text, base)?)
}

fn words(round: &RoundSetup) -> String {
    let mut lines = vec![format!(
        "{}, round {}, {}, {}: {} tables",
        if round.event.is_empty() {
            "an event without a name"
        } else {
            &round.event
        },
        round.round,
        round.edition,
        round.time_control,
        round.tables.len()
    )];
    for table in &round.tables {
        let board = table
            .device
            .as_ref()
            .map_or(String::new(), |d| format!("  [{d}]"));
        let (white, black) = (&table.players.white.name, &table.players.black.name);
        lines.push(format!("{:>4}  {white} - {black}{board}", table.table));
    }
    lines.join("\n")
}
