//! Cables pulled, programs killed, brokers restarted: nothing is lost and nothing doubled.

use agent::simulate::hands::Tempo;
use std::path::Path;
use std::time::Duration;

use venue_tests::{Venue, VenueOptions};

/// The executable that is every part of the venue.
pub(crate) fn executable() -> &'static Path {
    Path::new(env!("CARGO_BIN_EXE_demo"))
}

/// The games end complete and equal, or the test says what differs and what the programs said.
pub(crate) async fn ends_equal(venue: &Venue, dir: &Path, limit: Duration) {
    if venue.finish(limit).await {
        return;
    }
    panic!(
        "{}\nhub, newest first:\n{}agent:\n{}",
        venue.summary(),
        log(dir, "hub.log"),
        log(dir, "agent-1.log")
    );
}

/// The last lines of what a part said, newest first.
fn log(dir: &Path, name: &str) -> String {
    let text = std::fs::read_to_string(dir.join(name)).unwrap_or_default();
    let last = text.lines().rev().take(30);
    last.map(|line| format!("    {line}\n")).collect()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn pulled_cables_dead_boards_and_killed_programs_lose_nothing() {
    let dir = tempfile::tempdir().expect("a folder");
    let options = VenueOptions {
        tables: 4,
        agents: 2,
        seed: 3,
        tempo: Tempo::Lasting(200_000),
        ..VenueOptions::new(executable(), dir.path())
    };
    let mut venue = Venue::start(options).await.expect("starts");
    let pause = |seconds| tokio::time::sleep(Duration::from_secs(seconds));
    pause(12).await;
    venue.tables.unplug(0);
    pause(1).await;
    venue.tables.replug(0, "table-1-again");
    pause(4).await;
    venue.kill_hub();
    pause(3).await;
    venue.start_hub().expect("starts again");
    pause(4).await;
    venue.kill_agent(1);
    venue.start_agent(1).expect("starts again");
    pause(4).await;
    venue.tables.power(2, false);
    pause(1).await;
    venue.tables.power(2, true);
    ends_equal(&venue, dir.path(), Duration::from_secs(240)).await;
}
