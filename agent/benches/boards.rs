//! `cargo bench -p agent --bench boards`: what an agent costs that reads one board, and twenty: its share of a core and its memory.
//!
//! Blitz games on virtual boards in this process, the agent in its own. With `ZEITNOT_CREDENTIALS` it tells a running hub; without,
//! its facts wait on disk.

use std::path::Path;
use std::process::{Child, Command, ExitCode, Stdio};
use std::time::Duration;

use agent::simulate::hands::Tempo;
use agent::simulate::{Tables, TablesOptions};

/// Until then boards are being found.
const WARM_UP: Duration = Duration::from_secs(15);
/// So long the agent is watched.
const WATCHED: Duration = Duration::from_secs(60);
/// A blitz game lasts so long, milliseconds.
const GAME: u64 = 180_000;

fn main() -> ExitCode {
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .worker_threads(1)
        .enable_all()
        .build()
        .expect("a runtime");
    for (boards, core, memory) in [(1, 1.0, 12), (20, 5.0, 25)] {
        match runtime.block_on(watch(boards)) {
            Ok((share, mib)) => println!(
                "agent, {boards:>2} boards  {share:>5.2} % of a core (goal {core} %)  {mib:>5.1} MiB (goal {memory} MiB)"
            ),
            Err(why) => {
                eprintln!("{boards} boards: {why}");
                return ExitCode::FAILURE;
            }
        }
    }
    ExitCode::SUCCESS
}

/// Per cent of a core while games are played, and MiB of resident memory at the end.
async fn watch(boards: usize) -> std::io::Result<(f64, f64)> {
    let dir = std::env::temp_dir().join(format!("zeitnot-boards-{}", std::process::id()));
    let options = TablesOptions {
        tempo: Tempo::Lasting(GAME),
        ..TablesOptions::new(&dir.join("boards"), boards)
    };
    let tables = Tables::start(&options)?;
    let mut agent = start_agent(&dir)?;
    tokio::time::sleep(WARM_UP).await;
    let before = cpu_ticks(agent.id())?;
    tokio::time::sleep(WATCHED).await;
    let ticks = cpu_ticks(agent.id())? - before;
    let mib = resident_kib(agent.id())? / 1024.0;
    agent.kill()?;
    agent.wait()?;
    tables.stop().await;
    std::fs::remove_dir_all(&dir)?;
    // Linux counts in hundredths of a second for whoever asks /proc.
    Ok((ticks / WATCHED.as_secs_f64(), mib))
}

fn start_agent(dir: &Path) -> std::io::Result<Child> {
    Command::new(env!("CARGO_BIN_EXE_zeitnot-agent"))
        .arg("run")
        .arg("--state")
        .arg(dir.join("state"))
        .arg("--port")
        .arg(dir.join("boards/table-*"))
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
}

/// User and system time of a process in hundredths of a second.
fn cpu_ticks(process: u32) -> std::io::Result<f64> {
    let stat = std::fs::read_to_string(format!("/proc/{process}/stat"))?;
    // The name in brackets may hold blanks; user and system time are the 12th and 13th words after it.
    let after = stat.rsplit_once(')').map_or("", |(_, after)| after);
    let words: Vec<&str> = after.split_whitespace().collect();
    let number = |at: usize| words.get(at).and_then(|word| word.parse::<f64>().ok());
    Ok(number(11).unwrap_or(0.0) + number(12).unwrap_or(0.0))
}

fn resident_kib(process: u32) -> std::io::Result<f64> {
    let status = std::fs::read_to_string(format!("/proc/{process}/status"))?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"));
    let word = line.and_then(|line| line.split_whitespace().next());
    Ok(word.and_then(|word| word.parse().ok()).unwrap_or(0.0))
}
