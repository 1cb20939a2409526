//! `cargo run -p tests --bin scenario -- FILE…`: plays stories and names the lines that went otherwise; `--log` shows what the hub wrote
//! down meanwhile.

use std::path::PathBuf;
use std::process::ExitCode;

use clap::Parser;
use venue_tests::scenario::{Problem, Story, read, run_and_tell};

/// Plays stories of a playing hall, in one process and on simulated time.
#[derive(Debug, Parser)]
#[command(name = "scenario", version)]
struct Arguments {
    /// The files.
    #[arg(required = true)]
    files: Vec<PathBuf>,
    /// Show what the hub wrote down, with seconds since the hall opened.
    #[arg(long)]
    log: bool,
}

fn main() -> ExitCode {
    let arguments = Arguments::parse();
    let files = arguments.files.iter();
    let bad = files
        .filter(|file| !whole_file(file, arguments.log))
        .count();
    if bad == 0 {
        ExitCode::SUCCESS
    } else {
        ExitCode::FAILURE
    }
}

fn whole_file(file: &PathBuf, log: bool) -> bool {
    let name = file
        .file_stem()
        .unwrap_or_default()
        .to_string_lossy()
        .into_owned();
    let text = match std::fs::read_to_string(file) {
        Ok(text) => text,
        Err(why) => {
            eprintln!(
                "S01 {}: {why}\nhelp: name a file of stories, as in tests/scenarios",
                file.display()
            );
            return false;
        }
    };
    match read(&name, &text) {
        Ok(stories) => {
            let bad = stories.iter().filter(|story| !one(file, story, log));
            bad.count() == 0
        }
        Err(problem) => {
            eprintln!(
                "S02 {}: {problem}\nhelp: the grammar stands in tests/README.md",
                file.display()
            );
            false
        }
    }
}

fn one(file: &std::path::Path, story: &Story, log: bool) -> bool {
    let mut tell = |line: &str| {
        if log {
            println!("{line}");
        }
    };
    let problems: Vec<Problem> = run_and_tell(story, &mut tell).err().unwrap_or_default();
    println!(
        "{} {}",
        if problems.is_empty() { "ok  " } else { "FAIL" },
        story.name
    );
    for problem in &problems {
        println!("     {}: {problem}", file.display());
    }
    problems.is_empty()
}
