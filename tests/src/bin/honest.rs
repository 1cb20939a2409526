//! `cargo run --release -p tests --bin honest -- --games 500`: honest games on right clocks must call nobody but for their ends.

use std::process::ExitCode;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

use clap::Parser;
use venue_tests::trial::{TABLES, Trial, one_hall};

/// Plays honest games in one process on simulated time and counts what calls an arbiter; exit code 1 if anything does but the ends of games.
#[derive(Debug, Parser)]
#[command(name = "honest", version)]
struct Arguments {
    /// How many games; they are played ten to a hall.
    #[arg(long, default_value_t = 500, value_parser = clap::value_parser!(u32).range(1..=100_000))]
    games: u32,
    /// 0 careful players on sound boards … 3 faulty boards.
    #[arg(long, default_value_t = 1, value_parser = clap::value_parser!(u8).range(0..=3))]
    noise: u8,
    /// All chance follows from it.
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Play only this hall, counted from 0.
    #[arg(long)]
    hall: Option<usize>,
}

fn main() -> ExitCode {
    let arguments = Arguments::parse();
    let halls = (arguments.games as usize).div_ceil(TABLES);
    let numbers: Vec<usize> = match arguments.hall {
        Some(hall) => vec![hall],
        None => (0..halls).collect(),
    };
    let sum = all(&numbers, &arguments);
    println!(
        "{} games, {} half-moves, {} of them recorded as played",
        sum.games, sum.plies, sum.recorded
    );
    for ((urgency, code), count) in &sum.alerts {
        println!("{urgency:<7} {code:<26} {count}");
    }
    for call in &sum.false_calls {
        println!("false: {call}");
    }
    println!("{} false calls", sum.false_calls.len());
    if sum.false_calls.is_empty() {
        ExitCode::SUCCESS
    } else {
        ExitCode::FAILURE
    }
}

fn all(numbers: &[usize], arguments: &Arguments) -> Trial {
    let next = AtomicUsize::new(0);
    let sum = Mutex::new(Trial::default());
    let threads = std::thread::available_parallelism().map_or(2, usize::from);
    std::thread::scope(|scope| {
        for _ in 0..threads {
            scope.spawn(|| {
                while let Some(number) = numbers.get(next.fetch_add(1, Ordering::Relaxed)) {
                    let trial = one_hall(*number, arguments.seed, arguments.noise);
                    sum.lock().expect("no panic").add(trial);
                }
            });
        }
    });
    sum.into_inner().expect("no panic")
}
