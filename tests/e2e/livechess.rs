//! The hub in the place of LiveChess: an operator's client with all its commands beside twelve live games, and a WebSocket session.

use std::net::{Ipv4Addr, SocketAddr};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};
use std::time::Duration;

use agent::simulate::hands::Tempo;
use serde_json::{Value, json};
use venue_tests::{Venue, VenueOptions};

use crate::beside::Browser;
use crate::faults::executable;

const TABLES: usize = 12;
const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";

/// The client `livechess` of PyPI, and what it needs: newer ones of these do not go together with it.
const CLIENT: &[&[&str]] = &[
    &["--no-deps", "--ignore-requires-python", "livechess==0.1.0"],
    &[
        "requests<3",
        "typer>=0.12.5,<0.13",
        "click<8.2",
        "rich<15",
        "more-itertools<11",
        "chess<2",
    ],
];

/// The client knows no other port than 1982, so each run has an address of this machine for itself.
fn own_address() -> Ipv4Addr {
    let [_, _, high, low] = std::process::id().to_be_bytes();
    Ipv4Addr::new(127, 82, high, low.max(1))
}

struct Client {
    programs: PathBuf,
    host: Ipv4Addr,
}

impl Client {
    fn command(&self, words: &[&str]) -> Command {
        let mut command = Command::new(self.programs.join("livechess"));
        command
            .args(words)
            .env("LIVECHESS_HOST", self.host.to_string())
            // Lines that are not cut, and not kept back until the end, which `watch` never reaches.
            .envs([("COLUMNS", "220"), ("PYTHONUNBUFFERED", "1")]);
        command
    }

    fn says(&self, words: &[&str]) -> String {
        let Output {
            status,
            stdout,
            stderr,
        } = self.command(words).output().expect("runs");
        let (said, complaint) = (
            String::from_utf8_lossy(&stdout),
            String::from_utf8_lossy(&stderr),
        );
        assert!(
            status.success() && complaint.is_empty(),
            "{words:?}: {said}{complaint}"
        );
        said.into_owned()
    }
}

/// `watch`, which goes on until it is ended.
struct Watching {
    child: Child,
    log: PathBuf,
}

impl Watching {
    fn start(client: &Client, tournament: &str, log: &Path) -> Watching {
        let file = || std::fs::File::create(log).expect("made");
        let mut command = client.command(&["watch", tournament, "--ignore-start"]);
        let child = command
            .stdin(Stdio::null())
            .stdout(file())
            .stderr(Stdio::null())
            .spawn();
        Watching {
            child: child.expect("runs"),
            log: log.to_owned(),
        }
    }

    fn said(&self) -> String {
        std::fs::read_to_string(&self.log).unwrap_or_default()
    }
}

impl Drop for Watching {
    fn drop(&mut self) {
        let _gone = self.child.kill();
        let _reaped = self.child.wait();
    }
}

async fn venue(dir: &Path, api: SocketAddr) -> Venue {
    let options = VenueOptions {
        tables: TABLES,
        tempo: Tempo::Lasting(60_000),
        sections: format!("[feeds.livechess_api]\nlisten = \"{api}\"\n"),
        ..VenueOptions::new(executable(), dir)
    };
    let venue = Venue::start(options).await.expect("starts");
    let played = |seen: &venue_tests::Seen| {
        seen.halls.len() == TABLES && seen.halls.values().all(|hall| hall.completed_ply > 3)
    };
    let limit = Duration::from_secs(90);
    assert!(venue.observer.wait(limit, played).await, "all play");
    venue
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_client_of_an_operator_shows_twelve_live_games_with_all_its_commands() {
    let Some(programs) = crate::pip::programs("livechess", CLIENT) else {
        return;
    };
    let host = own_address();
    let client = Client { programs, host };
    let dir = tempfile::tempdir().expect("a folder");
    let venue = venue(dir.path(), SocketAddr::from((host, 1982))).await;
    let said = client.says(&["tournaments"]);
    let id = said
        .split_whitespace()
        .find(|word| word.len() == 36 && word.matches('-').count() == 4)
        .unwrap_or_else(|| panic!("no tournament: {said}"))
        .to_owned();
    let watching = Watching::start(&client, &id, &dir.path().join("watch.log"));
    assert!(said.contains("Demonstration"), "{said}");
    let said = client.says(&["eboards"]);
    assert_eq!(said.matches(" ACTIVE ").count(), TABLES, "{said}");
    every_game_with_its_players_and_a_move(&venue, &client.says(&["tournament", &id]));
    client.says(&["events", &id]);
    assert!(
        venue.finish(Duration::from_secs(150)).await,
        "every game is recorded"
    );
    let said = client.says(&["events", &id]);
    let stopped = said.matches("Clock paused").count();
    assert_eq!(stopped, TABLES, "nobody has confirmed a result: {said}");
    let mut told = String::new();
    for _ in 0..60 {
        told = watching.said();
        if told.matches("Clock paused").count() >= TABLES {
            return;
        }
        tokio::time::sleep(Duration::from_millis(500)).await;
    }
    panic!("watch told {told:?}");
}

fn every_game_with_its_players_and_a_move(venue: &Venue, said: &str) {
    for (table, hall) in &venue.observer.seen().halls {
        let surname = |name: &str| name.split(',').next().unwrap_or_default().to_owned();
        let (white, black) = (
            surname(&hall.players.white.name),
            surname(&hall.players.black.name),
        );
        let row = said
            .lines()
            .find(|line| line.contains(&white) && line.contains(&black))
            .unwrap_or_else(|| panic!("table {table} is missing: {said}"));
        assert!(row.contains(". ") && row.contains(" - "), "{row}");
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_session_at_the_hub_is_answered_as_livechess_answers() {
    let dir = tempfile::tempdir().expect("a folder");
    let address = SocketAddr::from((own_address(), venue_tests::free_port().expect("a port")));
    let _venue = venue(dir.path(), address).await;
    let mut browser = Browser::open(address, "https://lichess.org")
        .await
        .expect("it listens");
    for question in [
        json!({"id": 1, "call": "eboards"}),
        json!({"call": "eboards", "id": 1, "param": null}),
    ] {
        browser.say(&question).await;
        let answer = browser.hear().await;
        let keys = ["id", "param", "response", "time"];
        assert_eq!(keys_of(&answer), keys, "{answer}");
        let boards = answer["param"].as_array().expect("boards");
        assert_eq!(boards.len(), TABLES);
    }
    let subscribe = json!({"id": 2, "call": "subscribe", "param": {"feed": "eboardevent", "id": 1, "param": {"serialnr": "3000000001"}}});
    browser.say(&subscribe).await;
    let reply = browser.hear().await;
    assert_eq!(
        (&reply["response"], &reply["id"], &reply["param"]),
        (&json!("call"), &json!(2), &Value::Null)
    );
    let first = browser.hear().await;
    assert_eq!(
        keys_of(&first["param"]),
        ["board", "clock", "flipped", "serialnr"],
        "{first}"
    );
    browser
        .say(&json!({"id": 3, "call": "call", "param": {"id": 1, "method": "setup", "param": {"fen": START}}}))
        .await;
    let told = browser
        .until("the moves", |v| v["param"]["san"].is_array())
        .await;
    assert!(
        told["param"]["san"]
            .as_array()
            .is_some_and(|san| san.len() > 3)
    );
    assert_eq!(
        (&told["param"]["start"], &told["param"]["match"]),
        (&json!(START), &json!(true))
    );
    browser.say(&json!({"id": 5, "call": "nosuchcall"})).await;
    let error = browser
        .until("the error", |v| v["response"] == "error")
        .await;
    assert_eq!(
        (&error["id"], &error["param"]),
        (&json!(5), &json!({"message": "unknown call"}))
    );
}

fn keys_of(value: &Value) -> Vec<&str> {
    let object = value.as_object().expect("an object");
    object.keys().map(String::as_str).collect()
}
