//! A recorded board as a serial device, played into a running agent, broker and hub: the file holds what the bytes say.

use std::path::{Path, PathBuf};
use std::time::Duration;

use protocol::{DeviceId, GameResult, Order, OrderBody, ResultState, Role, TableId};
use venue_tests::{Observer, Part, Seen, Venue, VenueOptions};

use crate::faults::{executable, log};

/// The table of the recorded board.
const TABLE: TableId = TableId(1);
/// How much quicker than it was recorded.
const SPEED: &str = "2";
/// This machine may be busy.
const LIMIT: Duration = Duration::from_secs(60);

/// Three moves with the times after each, Black's flag, and the kings on the light squares of the centre.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_recorded_board_ends_in_the_pgn_of_its_bytes() {
    let dir = tempfile::tempdir().expect("a folder");
    let nobody_plays = VenueOptions {
        agents: 0,
        tables: 1,
        ..VenueOptions::new(executable(), dir.path())
    };
    let venue = Venue::start(nobody_plays).await.expect("starts");
    let login = venue.login("arbiter", Role::Arbiter).expect("made");
    let arbiter = Observer::start(&login, "mk", &["desk/#"]);
    let shown = arbiter.wait(LIMIT, |seen| seen.tables.contains_key(&TABLE));
    assert!(shown.await, "the desk shows its table");
    venue.login("hall-b", Role::Agent).expect("made");
    let _agent = part(dir.path(), "hall-b", &agent(dir.path()));
    let _board = part(
        dir.path(),
        "board",
        &board(dir.path(), "flag-and-kings.cap"),
    );
    let found = venue
        .observer
        .wait(LIMIT, |seen| seen.found.contains_key(&recorded_board()));
    assert!(found.await, "{}", log(dir.path(), "hall-b.log"));
    arbiter.order(&bind()).await.expect("sent");
    let all = arbiter.wait(LIMIT, |seen| {
        is_proposed(seen) && is_raised(seen, "flag-fallen") && is_raised(seen, "result-proposed")
    });
    let all = all.await;
    let seen = arbiter.seen();
    assert!(
        all,
        "{:?}\n{:?}\n{}\n{}",
        seen.answers,
        seen.tables,
        log(dir.path(), "hall-b.log"),
        log(dir.path(), "board.log")
    );
    drop(seen);
    let file = dir.path().join("hub/feeds/round-1.pgn");
    let movetext = "1. e4 [%clk 0:00:10] 1... e5 [%clk 0:00:05] 2. Nf3 [%clk 0:00:07] *";
    for _ in 0..100 {
        if clocks_of(&file) == movetext {
            return;
        }
        tokio::time::sleep(Duration::from_millis(100)).await;
    }
    assert_eq!(clocks_of(&file), movetext);
}

fn bind() -> Order {
    Order {
        client: "mk".parse().expect("a name"),
        id: 1,
        by: "MK".to_owned(),
        preview: false,
        basis: None,
        note: String::new(),
        body: OrderBody::Bind {
            table: TABLE,
            device: Some(
                "dgt-00001"
                    .parse()
                    .expect("what recorded boards are called"),
            ),
        },
    }
}

/// What recorded boards are called.
fn recorded_board() -> DeviceId {
    DeviceId::of("dgt", "00001")
}

fn is_proposed(seen: &Seen) -> bool {
    let standing = seen
        .tables
        .get(&TABLE)
        .and_then(|table| table.standing.as_ref());
    standing.is_some_and(|standing| {
        (standing.result, standing.state) == (GameResult::WhiteWins, ResultState::Proposed)
    })
}

fn is_raised(seen: &Seen, code: &str) -> bool {
    seen.alerts.values().any(|alert| alert.code == code)
}

/// The movetext of the only game without the times that moves took, on one line.
fn clocks_of(file: &Path) -> String {
    let pgn = std::fs::read_to_string(file).unwrap_or_default();
    let movetext = pgn.split("\n\n").nth(1).unwrap_or_default();
    let plain = movetext.replace(['{', '}'], "").replace("[%emt", "\n[%emt");
    let parts = plain
        .split('\n')
        .map(|part| match part.strip_prefix("[%emt") {
            Some(rest) => rest.split_once(']').map_or("", |(_, after)| after),
            None => part,
        });
    let words: Vec<&str> = parts.flat_map(str::split_whitespace).collect();
    words.join(" ")
}

fn part(dir: &Path, name: &str, arguments: &[PathBuf]) -> Part {
    let arguments: Vec<String> = arguments
        .iter()
        .map(|word| word.display().to_string())
        .collect();
    Part::start(
        executable(),
        "agent",
        &arguments,
        &dir.join(format!("{name}.log")),
    )
    .expect("starts")
}

fn agent(dir: &Path) -> Vec<PathBuf> {
    let config = dir.join("hall-b.families.toml");
    std::fs::write(&config, "").expect("written");
    vec![
        "run".into(),
        "--config".into(),
        config,
        "--credentials".into(),
        dir.join("hall-b.toml"),
        "--state".into(),
        dir.join("hall-b"),
        "--port".into(),
        dir.join("recorded/table-1"),
    ]
}

fn board(dir: &Path, capture: &str) -> Vec<PathBuf> {
    let captures = Path::new(env!("CARGO_MANIFEST_DIR")).join("../agent/captures/dgt");
    vec![
        "simulate".into(),
        "--pty".into(),
        dir.join("recorded"),
        "--speed".into(),
        SPEED.into(),
        "--capture".into(),
        captures.join(capture),
    ]
}
