//! `cargo bench -p tests`: what the whole house costs. Driver throughput, how long a move takes to the hall at 12 and at 200
//! tables, memory of hub and agents. (`cargo bench --workspace` adds journal, tracker and cannot-mate.)
//!
//! 200 tables are played twice: as a round of blitz, three seconds a half-move and the games beginning over ten seconds, and as a flood, every
//! game begun in one second and over in two minutes. The same processor also plays all boards.

use agent::simulate::hands::Tempo;
use std::process::ExitCode;
use std::time::{Duration, Instant};

use agent::devices::{LineOptions, driver};
use venue_tests::{Venue, VenueOptions, part_main};

fn main() -> ExitCode {
    if let Some(part) = part_main() {
        return part;
    }
    println!("driver dgt             {:>9.1} MB/s", driver_speed());
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .worker_threads(2)
        .enable_all()
        .build()
        .expect("a runtime");
    for pace in PACES {
        if let Err(error) = runtime.block_on(hall(pace)) {
            eprintln!("{} tables, {}: {error:#}", pace.tables, pace.name);
            return ExitCode::FAILURE;
        }
    }
    ExitCode::SUCCESS
}

/// A game's bytes, again and again: a move of two squares and three readings of the clock.
fn driver_speed() -> f64 {
    let dump = [&[0x86, 0x00, 0x43][..], &[0; 64]].concat();
    let move_of_a_piece = [
        0x8e, 0, 5, 0x34, 0, 0x8e, 0, 5, 0x24, 1, 0x8e, 0, 5, 0x24, 0, 0x8e, 0, 5, 0x34, 1,
    ];
    let reading = [0x8d, 0, 10, 0x21, 0x29, 0x58, 0x21, 0x30, 0, 0x13];
    let part = [&move_of_a_piece[..], &reading, &reading, &reading].concat();
    let bytes = [dump, part.repeat(200_000)].concat();
    let options = LineOptions {
        recording: true,
        ..LineOptions::default()
    };
    let mut line = driver("dgt").expect("registered").open(options);
    let began = Instant::now();
    let mut events = 0_u64;
    for (now, chunk) in (0..).zip(bytes.chunks(64)) {
        line.receive(now, chunk);
        while line.next_event().is_some() {
            events += 1;
        }
    }
    assert!(events > 400_000, "the bytes mean something");
    bytes.len() as f64 / 1e6 / began.elapsed().as_secs_f64()
}

/// How a hall is played.
struct Pace {
    name: &'static str,
    tables: usize,
    tempo: Tempo,
    agents_apart: Duration,
}

/// A half-move of blitz, as its players take it.
const BLITZ: Tempo = Tempo::Thinking(3_000);

const PACES: [&Pace; 3] = [
    &Pace {
        name: "round of blitz",
        tables: 12,
        tempo: BLITZ,
        agents_apart: Duration::ZERO,
    },
    &Pace {
        name: "round of blitz",
        tables: 200,
        tempo: BLITZ,
        agents_apart: Duration::from_secs(1),
    },
    &Pace {
        name: "flood",
        tables: 200,
        tempo: Tempo::Lasting(120_000),
        agents_apart: Duration::ZERO,
    },
];

async fn hall(pace: &Pace) -> anyhow::Result<()> {
    let tables = pace.tables;
    let dir = tempfile::tempdir()?;
    let options = VenueOptions {
        tables,
        agents: tables.div_ceil(20),
        agents_apart: pace.agents_apart,
        noise: 1,
        tempo: pace.tempo,
        ..VenueOptions::new(&std::env::current_exe()?, dir.path())
    };
    let venue = Venue::start(options).await?;
    tokio::time::sleep(Duration::from_secs(60)).await;
    let summary = venue.summary();
    let (hub, agents) = venue.memory_kib();
    let latency = summary.latency_ms;
    println!(
        "{tables:>3} tables, {:<14}  made to hall  p50 {:>4} ms  p99 {:>4} ms   last square to made  p50 {:>4} ms  p99 {:>4} ms   \
         hub {:>4} MiB, {} agents {:>4} MiB in all   {} plies, {} wrong",
        pace.name,
        latency.made_to_hall.p50,
        latency.made_to_hall.p99,
        latency.square_to_made.p50,
        latency.square_to_made.p99,
        hub / 1024,
        tables.div_ceil(20),
        agents / 1024,
        summary.plies_recorded,
        summary.plies_wrong,
    );
    Ok(())
}
