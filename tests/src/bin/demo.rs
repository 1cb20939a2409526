//! `cargo demo`: a whole venue on this machine, with the dashboard in front or, headless, with a summary at the end.

use std::io::Write;
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Duration;

use agent::simulate::hands::Tempo;
use anyhow::Context;
use clap::Parser;
use rand::{Rng, SeedableRng};
use venue_tests::rehearsal::{self, REHEARSALS, Rehearsal, Report, broken};
use venue_tests::{Venue, VenueOptions, part_main};

/// A whole tournament hall on this machine: hub, simulated boards that speak the real byte protocol, wall page, dashboard.
#[derive(Debug, Parser)]
#[command(name = "demo", version)]
struct Arguments {
    /// Without the dashboard; ends with a summary, and with exit code 1 if a record is not the game played.
    #[arg(long)]
    headless: bool,
    /// How long a headless demo lasts: 60s, 2m.
    #[arg(long = "for", value_name = "TIME", default_value = "60s", value_parser = length)]
    lasting: Duration,
    /// How many tables.
    #[arg(long, default_value_t = 12, value_parser = clap::value_parser!(u16).range(1..=1000))]
    tables: u16,
    /// 0 careful players on sound boards … 3 faulty boards.
    #[arg(long, default_value_t = 1, value_parser = clap::value_parser!(u8).range(0..=3))]
    noise: u8,
    /// All chance follows from it.
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Port of the wall page; 0: any free one.
    #[arg(long, default_value_t = 8080)]
    http: u16,
    /// Keep everything in this folder instead of a passing one.
    #[arg(long, value_name = "DIR")]
    dir: Option<PathBuf>,
    /// Headless: so many times, at random moments, hub or agent is killed outright and started again.
    #[arg(long, default_value_t = 0, value_name = "N")]
    kills: u32,
    /// A rehearsal: puts you before a situation and says afterwards what happened; `--story list` names them all.
    #[arg(long, value_name = "NAME", conflicts_with_all = ["tables", "noise", "kills", "json"])]
    story: Option<String>,
    /// The summary as one JSON object.
    #[arg(long)]
    json: bool,
}

fn length(text: &str) -> Result<Duration, String> {
    let (number, unit) = text.split_at(
        text.find(|c: char| !c.is_ascii_digit())
            .unwrap_or(text.len()),
    );
    let seconds = match unit {
        "" | "s" => 1,
        "m" | "min" => 60,
        "h" => 3600,
        _ => {
            return Err(format!(
                "{text:?} is no length of time · help: write 60s or 2m"
            ));
        }
    };
    let number: u64 = number
        .parse()
        .map_err(|_| format!("{text:?} is no length of time · help: write 60s or 2m"))?;
    match number.saturating_mul(seconds) {
        20..=86_400 => Ok(Duration::from_secs(number * seconds)),
        _ => Err("a demo lasts from 20 seconds to a day".to_owned()),
    }
}

fn main() -> ExitCode {
    if let Some(part) = part_main() {
        return part;
    }
    let arguments = Arguments::parse();
    let story = match arguments.story.as_deref().map(chosen) {
        Some(Err(answer)) => return answer,
        Some(Ok(story)) => Some(story),
        None => None,
    };
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .worker_threads(2)
        .enable_all()
        .build();
    let ended = runtime
        .map_err(anyhow::Error::from)
        .and_then(|runtime| runtime.block_on(demo(&arguments, story)));
    ended.unwrap_or_else(|error| {
        let what = format!("{error:#}");
        let help = match what.contains("no terminal") {
            true => "without a terminal there is `cargo demo -- --headless`",
            false => "is another demo running? try --http 0",
        };
        eprintln!("D01 {what}\nhelp: {help}");
        ExitCode::FAILURE
    })
}

/// The rehearsal of this name; else the list of all, which is an answer or part of an error.
fn chosen(name: &str) -> Result<&'static Rehearsal, ExitCode> {
    if let Some(story) = rehearsal::rehearsal(name) {
        return Ok(story);
    }
    let list = REHEARSALS
        .iter()
        .map(|story| format!("{:<20} {}\n", story.name, story.title));
    let list = list.collect::<String>();
    if name == "list" {
        print!("{list}");
        return Err(ExitCode::SUCCESS);
    }
    eprint!("D02 no rehearsal is called {name:?}\nhelp: choose one of these\n{list}");
    Err(ExitCode::from(2))
}

async fn demo(
    arguments: &Arguments,
    story: Option<&'static Rehearsal>,
) -> anyhow::Result<ExitCode> {
    let passing = tempfile::Builder::new().prefix("zeitnot-demo-").tempdir()?;
    let dir = arguments
        .dir
        .clone()
        .unwrap_or_else(|| passing.path().to_owned());
    let http = if arguments.http != 8080 || std::net::TcpListener::bind(("127.0.0.1", 8080)).is_ok()
    {
        arguments.http
    } else {
        0
    };
    let options = VenueOptions {
        tables: arguments.tables.into(),
        noise: arguments.noise,
        seed: arguments.seed,
        tempo: Tempo::Lasting(game_length(arguments)),
        http,
        ..VenueOptions::new(&std::env::current_exe()?, &dir)
    };
    if let Some(story) = story {
        return rehearse(arguments, story, &dir, http).await;
    }
    let mut venue = Venue::start(options).await?;
    if arguments.headless {
        headless(arguments, &mut venue).await
    } else {
        with_dashboard(&venue).await
    }
}

/// Headless games end well before the demo does; with the dashboard there is time to look.
fn game_length(arguments: &Arguments) -> u64 {
    let whole = u64::try_from(arguments.lasting.as_millis()).unwrap_or(u64::MAX);
    if arguments.headless {
        whole.saturating_sub(16_000).max(8_000) * 4 / 5
    } else {
        240_000
    }
}

/// How long a headless demo that was cut short waits for its last moves: a move with its thinking time, and a busy machine.
const DRAINS: Duration = Duration::from_secs(30);

async fn headless(arguments: &Arguments, venue: &mut Venue) -> anyhow::Result<ExitCode> {
    if !arguments.json {
        println!("{} tables; wall page at {}", arguments.tables, venue.wall());
    }
    let end = tokio::time::Instant::now() + arguments.lasting;
    if arguments.kills > 0 {
        kill_and_restart(arguments, venue).await?;
    }
    let left = end.duration_since(tokio::time::Instant::now());
    if !venue.finish(left).await {
        if !arguments.json {
            println!(
                "the time is over: the hands stop after their next press, and what is on its way is waited for, {} s at most",
                DRAINS.as_secs()
            );
        }
        venue.stop_hands(DRAINS).await;
    }
    let summary = venue.summary();
    let words = match arguments.json {
        true => serde_json::to_string(&summary)?,
        false => summary.to_string(),
    };
    writeln!(std::io::stdout(), "{words}").context("the summary cannot be written")?;
    if summary.plies_played == 0 {
        eprintln!("help: nothing was played, so nothing was shown; give it more time with --for");
    }
    Ok(if summary.equal && summary.plies_played > 0 {
        ExitCode::SUCCESS
    } else {
        ExitCode::FAILURE
    })
}

/// The situation, the dashboard (or, headless, nobody who does anything), and the account of it.
async fn rehearse(
    arguments: &Arguments,
    story: &'static Rehearsal,
    dir: &std::path::Path,
    http: u16,
) -> anyhow::Result<ExitCode> {
    let mut options = story.venue(&std::env::current_exe()?, dir)?;
    (options.http, options.seed) = (http, arguments.seed);
    let width = tui::terminal::columns();
    let situation = broken(story.situation, width);
    println!("{}: {}\n\n{situation}\n", story.name, story.title);
    if !arguments.headless {
        println!("press Enter for the dashboard; leave it with q when you have had enough");
        std::io::stdin().read_line(&mut String::new())?;
    }
    let mut venue = Venue::start(options).await?;
    let began = venue.began();
    if arguments.headless {
        let whole = tokio::time::Instant::now() + arguments.lasting;
        let mishaps = rehearsal::play_mishaps(story, &mut venue);
        // A rehearsal cut short leaves the rest of its mishaps out.
        if let Ok(played) = tokio::time::timeout_at(whole, mishaps).await {
            played?;
        }
        tokio::time::sleep_until(whole).await;
    } else {
        let options = desk_of(&venue)?;
        let dashboard = tokio::task::spawn_blocking(move || tui::run(options));
        tokio::pin!(dashboard);
        tokio::select! {
            ended = &mut dashboard => ended??,
            played = rehearsal::play_mishaps(story, &mut venue) => {
                played?;
                dashboard.await??;
            }
        }
    }
    let summary = venue.summary();
    let report = Report::of(story, &venue.observer.seen(), &summary, began);
    println!("{}", report.within(width));
    Ok(ExitCode::SUCCESS)
}

/// Kills hub and agent outright, spread over the time the games take.
async fn kill_and_restart(arguments: &Arguments, venue: &mut Venue) -> anyhow::Result<()> {
    let mut dice = rand::rngs::StdRng::seed_from_u64(arguments.seed);
    let apart = game_length(arguments) / u64::from(arguments.kills + 1);
    for kill in 1..=arguments.kills {
        tokio::time::sleep(Duration::from_millis(
            dice.random_range(apart / 2..=apart * 3 / 2),
        ))
        .await;
        if dice.random() {
            venue.kill_hub();
            venue.start_hub()?;
        } else {
            venue.kill_agent(0);
            venue.start_agent(0)?;
        }
        if !arguments.json {
            println!("kill {kill} of {}: {}", arguments.kills, venue.summary());
        }
    }
    Ok(())
}

/// The dashboard of the chief arbiter, who may publish; it says first where the wall page is.
fn desk_of(venue: &Venue) -> anyhow::Result<tui::Options> {
    Ok(tui::Options {
        welcome: Some(format!("wall page: {}   (again with ?)", venue.wall())),
        ..tui::Options::new(&venue.chief()?)
    })
}

async fn with_dashboard(venue: &Venue) -> anyhow::Result<ExitCode> {
    let options = desk_of(venue)?;
    tokio::task::spawn_blocking(move || tui::run(options)).await??;
    println!(
        "the wall page was at {}; the whole hall ends with the dashboard",
        venue.wall()
    );
    Ok(ExitCode::SUCCESS)
}
