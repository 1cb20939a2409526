//! Cables pulled, programs killed, brokers restarted: nothing is lost and nothing doubled.

use agent::simulate::hands::Tempo;
use std::path::Path;
use std::time::Duration;

use venue_tests::{Mosquitto, Venue, VenueOptions};

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
pub(crate) fn log(dir: &Path, name: &str) -> String {
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

/// An external broker dies twice and comes back without anything it held; a hub dies with it once.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_broker_that_forgets_everything_loses_nothing() {
    if !Mosquitto::is_installed() {
        println!("skipped: Mosquitto is not installed");
        return;
    }
    let dir = tempfile::tempdir().expect("a folder");
    let options = VenueOptions {
        agents: 2,
        seed: 5,
        tempo: Tempo::Lasting(70_000),
        mosquitto: true,
        ..VenueOptions::new(executable(), dir.path())
    };
    let mut venue = Venue::start(options).await.expect("starts");
    let pause = |seconds| tokio::time::sleep(Duration::from_secs(seconds));
    pause(8).await;
    venue.restart_broker().expect("starts again");
    pause(8).await;
    venue.kill_hub();
    venue.restart_broker().expect("starts again");
    venue.start_hub().expect("starts again");
    ends_equal(&venue, dir.path(), Duration::from_secs(240)).await;
}
