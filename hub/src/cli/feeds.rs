//! `feeds`: how each feed of the hub on this data folder is; pause and resume. Works beside a running hub, and while none runs.

use std::fs;
use std::path::Path;

use anyhow::{Context, Result, bail};
use clap::Subcommand;

use super::args::Where;
use super::doctor::is_running;
use super::say;
use crate::feeds::{FeedLine, HEALTH, Pauses, ago};
use crate::run::system_clock;

/// The feeds.
#[derive(Debug, Subcommand)]
pub(super) enum Feeds {
    /// How each feed is, when it delivered last, what is wrong; exit 1 when one is not well or the hub is not running.
    List {
        /// One JSON object a line.
        #[arg(long)]
        json: bool,
        #[command(flatten)]
        place: Where,
    },
    /// Nothing more goes to this feed until it is resumed.
    Pause {
        /// Its name, as `list` says it: `pgn`, `lichess/A` …
        name: String,
        #[command(flatten)]
        place: Where,
    },
    /// It goes on with everything that it missed.
    Resume {
        /// Its name.
        name: String,
        #[command(flatten)]
        place: Where,
    },
}

impl Feeds {
    pub(super) fn run(self) -> Result<bool> {
        let place = match &self {
            Feeds::List { place, .. }
            | Feeds::Pause { place, .. }
            | Feeds::Resume { place, .. } => place,
        };
        let config = place.config()?;
        let data = config.data()?;
        let named = place.data.is_some() || place.is_configured();
        say_where(&data, named, place.is_mistyped(&data))?;
        let pauses = Pauses::open(&data);
        let mut names: Vec<FeedLine> = config.feeds.receivers();
        let told = fs::read(data.join(HEALTH)).unwrap_or_default();
        let told: Vec<FeedLine> = serde_json::from_slice(&told).unwrap_or_default();
        for line in told {
            names.retain(|known| known.name != line.name);
            names.push(line);
        }
        names.sort_by(|a, b| a.name.cmp(&b.name));
        match self {
            Feeds::List { json, .. } => {
                let well = list(names, &pauses, json)?;
                let runs = !data.join("journal").is_dir() || is_running(&data);
                if !runs {
                    say::warning(
                        "H65 the hub is not running: so its feeds were when it was heard last, and nothing goes out now · help: start it",
                    );
                }
                Ok(well && runs)
            }
            Feeds::Pause { name, .. } => set(&names, &pauses, &name, true),
            Feeds::Resume { name, .. } => set(&names, &pauses, &name, false),
        }
    }
}

/// Says whose feeds these are; a folder that nobody named, or in which no hub left anything, is most likely not the one that is meant.
fn say_where(data: &Path, named: bool, mistyped: bool) -> Result<()> {
    let folder = data.display();
    let help = "name the hub's folder with --data DIR, or its file with --config FILE";
    if data.join("journal").is_dir() {
        say::aside(format!("feeds of the hub in {folder}"));
    } else if !named {
        bail!("H63 no hub has run in {folder}, and no other folder was named \u{b7} help: {help}");
    } else if !data.is_dir() {
        bail!("H63 there is no folder {folder} \u{b7} help: {help}");
    } else if mistyped {
        bail!("H63 no hub has run in {folder} \u{b7} help: {help}");
    } else {
        say::aside(format!(
            "no hub has run in {folder} yet: this is what its configuration says"
        ));
    }
    Ok(())
}

fn list(lines: Vec<FeedLine>, pauses: &Pauses, json: bool) -> Result<bool> {
    let mut well = true;
    for mut line in lines {
        line.paused = pauses.has(&line.name);
        well &= line.trouble.is_none() || line.paused;
        if json {
            say::line(serde_json::to_string(&line)?);
        } else {
            say::line(words(&line));
        }
    }
    Ok(well)
}

fn words(line: &FeedLine) -> String {
    let state = match (line.paused, &line.trouble) {
        (true, _) => "paused ".to_owned(),
        (false, None) => "well   ".to_owned(),
        (false, Some(_)) => "trouble".to_owned(),
    };
    let last = ago(line.delivered, system_clock());
    let trouble = line
        .trouble
        .as_deref()
        .map_or(String::new(), |t| format!("\n        {t}"));
    format!(
        "{state} {:<20} for {:<8} last {last}, {} in all{trouble}",
        line.name, line.audience, line.count
    )
}

fn set(lines: &[FeedLine], pauses: &Pauses, name: &str, paused: bool) -> Result<bool> {
    if !lines.iter().any(|line| line.name == name) {
        let known: Vec<&str> = lines.iter().map(|l| l.name.as_str()).collect();
        bail!(
            "H62 there is no feed {name:?} · help: use one of: {}",
            known.join(", ")
        );
    }
    pauses
        .set(name, paused)
        .context("H62 cannot be written down · help: allow writing into the data folder")?;
    let words = if paused { "paused" } else { "goes on" };
    say::line(format!(
        "{name} {words}; a running hub takes it within two seconds"
    ));
    Ok(true)
}
