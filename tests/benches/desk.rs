//! `cargo bench -p tests --bench desk`: the dashboard as a program, in a terminal of its own before a hub of 1,000 tables: what it costs when
//! nothing happens, and what it holds in memory. (`cargo bench -p tui` says how long a key takes.)

use std::process::ExitCode;
use std::time::Duration;

use anyhow::Context;
use venue_tests::{Terminal, Venue, VenueOptions, part_main, resident_kib};

const TABLES: usize = 1000;
/// Long enough that a share of a hundredth of a percent is more than a tick of the system.
const WATCHED: Duration = Duration::from_secs(60);
/// Ticks of the processor's time in a second, as Linux counts them for programs.
const TICKS: f64 = 100.0;

fn main() -> ExitCode {
    if let Some(part) = part_main() {
        return part;
    }
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .worker_threads(2)
        .enable_all()
        .build()
        .expect("a runtime");
    match runtime.block_on(desk()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("{error:#}");
            ExitCode::FAILURE
        }
    }
}

async fn desk() -> anyhow::Result<()> {
    let dir = tempfile::tempdir()?;
    let executable = std::env::current_exe()?;
    let options = VenueOptions {
        tables: TABLES,
        agents: 0,
        ..VenueOptions::new(&executable, dir.path())
    };
    let venue = Venue::start(options).await?;
    let data = dir.path().join("hub");
    let settings = dir.path().join("tui.toml");
    std::fs::write(&settings, "")?;
    let words = [
        "part",
        "desk",
        "--config",
        path(&settings)?,
        "--data",
        path(&data)?,
    ];
    let socket = dir.path().join("desk");
    let terminal = Terminal::open(&socket, &executable, &words, (120, 40)).context("tmux")?;
    terminal.sees("LIVE").await;
    terminal
        .keys(&[":", "1", "0", "0", "0", "Enter", "1"])
        .await;
    terminal.sees("1000").await;
    let process = terminal.process().context("no process in the terminal")?;
    let before = spent(process)?;
    tokio::time::sleep(WATCHED).await;
    let share = (spent(process)? - before) / WATCHED.as_secs_f64() * 100.0;
    println!("{TABLES} tables in a terminal of 120x40");
    println!("idle: {share:.2} % of a core");
    let kib = resident_kib(process).context("no memory")?;
    println!("held in memory: {:.1} MB", kib as f64 / 1024.0);
    terminal.keys(&["q"]).await;
    drop(venue);
    Ok(())
}

fn path(path: &std::path::Path) -> anyhow::Result<&str> {
    path.to_str().context("a plain path")
}

/// Seconds of the processor's time that a process has had.
fn spent(process: u32) -> anyhow::Result<f64> {
    let stat = std::fs::read_to_string(format!("/proc/{process}/stat"))?;
    let after_name = stat.rsplit(") ").next().context("no stat")?;
    let field = |at: usize| after_name.split(' ').nth(at)?.parse::<f64>().ok();
    let (user, system) = field(11).zip(field(12)).context("no times")?;
    Ok((user + system) / TICKS)
}
