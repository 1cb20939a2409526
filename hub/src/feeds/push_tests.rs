//! The push against a server that behaves as Lichess does: a whole round with corrections, a network cut, a restart, games that are not
//! understood, a token that is refused; and a folder that cannot be written, which troubles nobody else.

use std::collections::BTreeMap;
use std::net::SocketAddr;
use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use axum::Router;
use axum::extract::State;
use axum::http::{HeaderMap, StatusCode};
use axum::response::{IntoResponse, Response};
use axum::routing::post;
use protocol::{GameResult, HallBoard, HallState, TableId, Timestamp};
use tokio::net::TcpListener;
use tokio::task::{JoinHandle, JoinSet};

use super::{Feeds, FeedsConfig, pgn, start_feeds};
use crate::hall_channel::HallChannel;
use crate::web::example::{board, released};

/// What the other server knows: the text of each game by its id.
#[derive(Clone, Default)]
struct Lichess(Arc<Mutex<Known>>);

#[derive(Default)]
struct Known {
    games: BTreeMap<String, String>,
    pushes: u32,
    /// Answers this instead, so many times.
    instead: Option<(StatusCode, u32)>,
    /// How often it did, asking to be left alone for four seconds.
    refused: u32,
    /// Does not understand games of this board.
    not_understood: Option<&'static str>,
}

impl Lichess {
    fn with<T>(&self, f: impl FnOnce(&mut Known) -> T) -> T {
        f(&mut self.0.lock().unwrap_or_else(PoisonError::into_inner))
    }

    async fn serve(&self, address: SocketAddr) -> (SocketAddr, JoinHandle<()>) {
        let router = Router::new()
            .route("/api/broadcast/round/abcdEFGH/push", post(push))
            .with_state(self.clone());
        let listener = TcpListener::bind(address).await.expect("a port");
        let address = listener.local_addr().expect("bound");
        let task =
            tokio::spawn(async move { axum::serve(listener, router).await.expect("serves") });
        (address, task)
    }
}

async fn push(State(lichess): State<Lichess>, headers: HeaderMap, body: String) -> Response {
    if headers
        .get("authorization")
        .is_none_or(|t| t != "Bearer good")
    {
        return StatusCode::UNAUTHORIZED.into_response();
    }
    assert!(
        headers
            .get("user-agent")
            .is_some_and(|a| a.to_str().is_ok_and(|a| a.starts_with("Zeitnot/")))
    );
    lichess.with(|known| {
        known.pushes += 1;
        if let Some((status, times)) = known.instead.take() {
            known.instead = (times > 1).then_some((status, times - 1));
            known.refused += 1;
            return (status, [("retry-after", "4")]).into_response();
        }
        let parts = body
            .split("\n\n[")
            .map(|part| part.trim_start_matches('[').to_owned());
        let games: Vec<String> = parts
            .filter(|p| !p.trim().is_empty())
            .map(|p| format!("[{}\n", p.trim_end()))
            .collect();
        assert!(games.len() <= 100, "more are not taken");
        let said: Vec<serde_json::Value> = games.iter().map(|game| {
            let board = value(game, "Board");
            if known.not_understood == Some(board.as_str()) {
                return serde_json::json!({"tags": {"Board": board}, "error": "Cannot parse move"});
            }
            known.games.insert(value(game, "GameId"), game.clone());
            serde_json::json!({"tags": {"Board": board}, "moves": 1})
        }).collect();
        axum::Json(serde_json::json!({ "games": said })).into_response()
    })
}

fn value(game: &str, tag: &str) -> String {
    let mark = format!("[{tag} \"");
    let rest = game.split(&mark).nth(1).expect("every game has it");
    rest.split('"').next().unwrap_or("").to_owned()
}

struct Running {
    feeds: Feeds,
    boards: HallChannel,
    tasks: JoinSet<()>,
}

async fn run(address: SocketAddr, data: &Path, boards: HallChannel) -> Running {
    let token = data.join("token");
    let config: FeedsConfig = toml::from_str(&format!(
        "[[lichess]]\nname = \"A\"\nround = \"abcdEFGH\"\ntoken_file = {token:?}\nurl = \"http://{address}\"\n",
    ))
    .expect("reads");
    let halls = BTreeMap::from([("hall".to_owned(), boards.clone())]);
    let mut tasks = JoinSet::new();
    let now = || Timestamp(1_700_000_000_000);
    let feeds = start_feeds(
        &config,
        data.join("feeds"),
        data,
        &halls,
        64,
        now,
        &mut tasks,
    )
    .await;
    Running {
        feeds,
        boards,
        tasks,
    }
}

impl Running {
    fn trouble(&self, name: &str) -> String {
        let line = self
            .feeds
            .health
            .lines()
            .into_iter()
            .find(|l| l.name == name);
        line.expect("a feed").trouble.unwrap_or_default()
    }
}

async fn until(what: &str, holds: impl Fn() -> bool) {
    for _ in 0..1_200 {
        if holds() {
            return;
        }
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    panic!("{what} did not come");
}

fn table(n: u16, sans: &[&str], change: impl FnOnce(&mut HallBoard)) -> HallBoard {
    let mut one = board(sans);
    (one.table, one.game) = (TableId(n), format!("r5-t{n}").parse().expect("an id"));
    change(&mut one);
    one
}

fn waiting(board: &mut HallBoard) {
    (board.state, board.clock) = (HallState::Waiting, None);
}

fn over(board: &mut HallBoard) {
    (board.state, board.result) = (HallState::Over, Some(GameResult::BlackWins));
}

/// The other end holds every game as the record has it, and no other.
fn equal(lichess: &Lichess, boards: &HallChannel) -> bool {
    let want = boards.boards();
    let want = want
        .iter()
        .map(|b| (b.game.to_string(), format!("{}\n", pgn::game(b).trim_end())));
    lichess.with(|known| known.games == want.collect())
}

#[tokio::test]
async fn a_round_arrives_whole_through_corrections_a_cut_and_a_restart() {
    let data = tempfile::tempdir().expect("a folder");
    std::fs::write(data.path().join("token"), "good\n").expect("written");
    let lichess = Lichess::default();
    let (address, server) = lichess
        .serve("127.0.0.1:0".parse().expect("an address"))
        .await;
    let boards = HallChannel::default();
    for n in 1..=3 {
        boards.show(released(table(n, &[], waiting)));
    }
    let running = run(address, data.path(), boards).await;
    until("the pairings before play", || {
        equal(&lichess, &running.boards)
    })
    .await;
    running
        .boards
        .show(released(table(1, &["e4", "e5", "Nf3"], |_| {})));
    running.boards.show(released(table(2, &["d4"], |_| {})));
    until("moves", || equal(&lichess, &running.boards)).await;
    running
        .boards
        .show(released(table(1, &["e4", "c5"], |_| {})));
    until("a correction that removes", || {
        equal(&lichess, &running.boards)
    })
    .await;

    server.abort();
    running
        .boards
        .show(released(table(2, &["d4", "d5", "c4"], |_| {})));
    until("the operator is told of the cut", || {
        !running.trouble("lichess/A").is_empty()
    })
    .await;
    let (_, server) = lichess.serve(address).await;
    until("what was missed", || equal(&lichess, &running.boards)).await;
    until("the trouble is over", || {
        running.trouble("lichess/A").is_empty()
    })
    .await;

    let busy = [
        StatusCode::SERVICE_UNAVAILABLE,
        StatusCode::TOO_MANY_REQUESTS,
    ];
    for (status, moves) in busy.into_iter().zip([&["c4"][..], &["c4", "e5"]]) {
        lichess.with(|known| (known.instead, known.refused) = (Some((status, 2)), 0));
        running.boards.show(released(table(3, moves, over)));
        until("the first refusal", || {
            lichess.with(|known| known.refused > 0)
        })
        .await;
        tokio::time::sleep(Duration::from_secs(3)).await;
        assert_eq!(lichess.with(|known| known.refused), 1, "it is left alone");
        until("what a failing server refused", || {
            equal(&lichess, &running.boards)
        })
        .await;
    }

    let Running {
        boards, mut tasks, ..
    } = running;
    tasks.shutdown().await;
    boards.show(released(table(2, &["d4", "d5", "c4"], over)));
    let before = lichess.with(|known| known.pushes);
    let again = run(address, data.path(), boards).await;
    let twice = run(address, data.path(), again.boards.clone()).await;
    until("both runs push", || {
        lichess.with(|known| known.pushes) >= before + 2
    })
    .await;
    until("the same after a restart and from two at once", || {
        equal(&lichess, &twice.boards)
    })
    .await;
    assert_eq!(again.trouble("lichess/A"), "");
    server.abort();
}

#[tokio::test]
async fn what_goes_wrong_is_told_with_a_cure_and_troubles_no_other_feed() {
    let data = tempfile::tempdir().expect("a folder");
    let lichess = Lichess::default();
    let (address, server) = lichess
        .serve("127.0.0.1:0".parse().expect("an address"))
        .await;
    let boards = HallChannel::default();
    boards.show(released(table(7, &["e4"], |_| {})));
    boards.show(released(table(8, &["d4"], |_| {})));
    // No token at all, a wrong one, then one that is right with a game that is not understood.
    let running = run(address, data.path(), boards.clone()).await;
    until("no token", || {
        running
            .trouble("lichess/A")
            .contains("cannot read the token")
    })
    .await;
    let file = data.path().join("feeds/round-5/board-7.pgn");
    until("the files all the same", || file.exists()).await;
    drop(running);
    std::fs::write(data.path().join("token"), "bad").expect("written");
    let running = run(address, data.path(), boards.clone()).await;
    until("a token refused", || {
        running.trouble("lichess/A").contains("token is refused")
    })
    .await;
    drop(running);
    std::fs::write(data.path().join("token"), "good").expect("written");
    lichess.with(|known| known.not_understood = Some("8"));
    let running = run(address, data.path(), boards.clone()).await;
    until("the game that was not understood", || {
        running
            .trouble("lichess/A")
            .contains("board 8: Cannot parse move")
    })
    .await;
    assert!(
        lichess.with(|known| known.games.contains_key("r5-t7")),
        "the other one was taken"
    );
    // What was not understood stays told while other parts of the round are pushed.
    for n in 101..=200 {
        boards.show(released(table(n, &[], waiting)));
    }
    boards.show(released(table(200, &["c4"], |_| {})));
    until("another part", || {
        lichess.with(|known| {
            known
                .games
                .get("r5-t200")
                .is_some_and(|g| g.contains("1. c4 *"))
        })
    })
    .await;
    boards.show(released(table(200, &["c4", "c5"], |_| {})));
    until("the other part alone", || {
        lichess.with(|known| known.games["r5-t200"].contains("1. c4 c5 *"))
    })
    .await;
    assert!(running.trouble("lichess/A").contains("board 8"));

    running
        .feeds
        .pauses
        .set("lichess/A", true)
        .expect("written down");
    until("paused", || {
        running.feeds.health.lines().iter().any(|l| l.paused)
    })
    .await;
    let before = lichess.with(|known| known.pushes);
    boards.show(released(table(7, &["e4", "e5"], |_| {})));
    let wanted = "1. e4 e5 *";
    until("files go on", || {
        std::fs::read_to_string(&file).is_ok_and(|t| t.contains(wanted))
    })
    .await;
    assert_eq!(
        lichess.with(|known| known.pushes),
        before,
        "nothing is pushed while it is paused"
    );
    running
        .feeds
        .pauses
        .set("lichess/A", false)
        .expect("written down");
    until("resumed", || {
        lichess.with(|known| known.games["r5-t7"].contains(wanted))
    })
    .await;
    server.abort();
}

#[tokio::test]
async fn a_folder_that_cannot_be_written_is_told_and_written_when_it_can() {
    let data = tempfile::tempdir().expect("a folder");
    // A file stands where the folder should be: nobody, not even root, can write below it.
    std::fs::write(data.path().join("feeds"), "in the way").expect("written");
    let boards = HallChannel::default();
    boards.show(released(table(7, &["e4"], |_| {})));
    let nowhere = "127.0.0.1:9".parse().expect("an address");
    let running = run(nowhere, data.path(), boards).await;
    until("the trouble", || {
        running
            .trouble("pgn")
            .contains("help: move away what stands")
    })
    .await;
    std::fs::remove_file(data.path().join("feeds")).expect("away");
    until("the file", || data.path().join("feeds/event.pgn").exists()).await;
    until("the end of the trouble", || {
        running.trouble("pgn").is_empty()
    })
    .await;
}

#[tokio::test]
async fn a_table_that_is_gone_leaves_every_file() {
    let data = tempfile::tempdir().expect("a folder");
    let boards = HallChannel::default();
    boards.show(released(table(7, &["e4"], |_| {})));
    boards.show(released(table(8, &["d4"], |_| {})));
    let nowhere = "127.0.0.1:9".parse().expect("an address");
    let running = run(nowhere, data.path(), boards).await;
    let feeds = data.path().join("feeds");
    let event = || std::fs::read_to_string(feeds.join("event.pgn")).unwrap_or_default();
    until("both games", || event().contains("1. d4 *")).await;
    running.boards.forget(TableId(8));
    until("one game", || !event().contains("1. d4 *")).await;
    assert!(event().contains("1. e4 *"));
    assert!(!feeds.join("round-5/board-8.pgn").exists());
    let round = std::fs::read_to_string(feeds.join("round-5.pgn")).expect("written");
    assert_eq!(round.matches("[Event ").count(), 1);
}

#[tokio::test]
async fn files_that_somebody_has_removed_come_back() {
    let data = tempfile::tempdir().expect("a folder");
    let boards = HallChannel::default();
    boards.show(released(table(7, &["e4"], |_| {})));
    let nowhere = "127.0.0.1:9".parse().expect("an address");
    let running = run(nowhere, data.path(), boards).await;
    let names = ["round-5/board-7.pgn", "round-5.pgn", "event.pgn"];
    let feeds = data.path().join("feeds");
    let whole = || {
        let texts = names.map(|name| std::fs::read_to_string(feeds.join(name)));
        texts
            .iter()
            .all(|t| t.as_ref().is_ok_and(|t| t.contains("1. e4 *")))
    };
    until("every file", whole).await;
    std::fs::remove_dir_all(&feeds).expect("away");
    until("every file again", whole).await;
    std::fs::remove_file(feeds.join("event.pgn")).expect("away");
    std::fs::write(feeds.join("round-5/board-7.pgn"), "").expect("cut");
    until("the file of all and the one that was cut", whole).await;
    drop(running);
}

#[tokio::test]
async fn a_port_that_somebody_else_has_stops_nothing_and_is_tried_again() {
    let data = tempfile::tempdir().expect("a folder");
    let other = TcpListener::bind("127.0.0.1:0").await.expect("a port");
    let address = other.local_addr().expect("bound");
    let text = format!("operator = \"{address}\"\n[livechess_api]\nlisten = \"{address}\"\n");
    let config: FeedsConfig = toml::from_str(&text).expect("reads");
    let boards = HallChannel::default();
    boards.show(released(table(7, &["e4"], |_| {})));
    let halls = BTreeMap::from([("hall".to_owned(), boards.clone())]);
    let mut tasks = JoinSet::new();
    let folder = data.path().join("feeds");
    let now = || Timestamp(0);
    let feeds = start_feeds(
        &config,
        folder.clone(),
        data.path(),
        &halls,
        64,
        now,
        &mut tasks,
    );
    let feeds = feeds.await;
    let running = Running {
        feeds,
        boards,
        tasks,
    };
    until("the trouble with its cure", || {
        running
            .trouble("livechess-api")
            .contains("set [feeds.livechess_api] listen to another port")
    })
    .await;
    let file = folder.join("round-5/board-7.pgn");
    until("the files all the same", || file.exists()).await;
    drop(other);
    // Which of the two gets it is no matter; the other one goes on asking.
    let open = || std::net::TcpStream::connect(address).is_ok();
    until("somebody listens", open).await;
}

#[tokio::test]
async fn of_two_hubs_with_one_folder_the_second_writes_nothing_and_says_it() {
    let nowhere = "127.0.0.1:9".parse().expect("an address");
    let (one, other) = (tempfile::tempdir(), tempfile::tempdir());
    let (one, other) = (one.expect("a folder"), other.expect("a folder"));
    std::os::unix::fs::symlink(one.path().join("feeds"), other.path().join("feeds"))
        .expect("the same folder");
    let (boards, others) = (HallChannel::default(), HallChannel::default());
    boards.show(released(table(7, &["e4"], |_| {})));
    let first = run(nowhere, one.path(), boards).await;
    let folder = one.path().join("feeds/round-5");
    until("the first's file", || folder.join("board-7.pgn").exists()).await;
    others.show(released(table(8, &["d4"], |_| {})));
    let second = run(nowhere, other.path(), others).await;
    until("the trouble with its cure", || {
        let said = second.trouble("pgn");
        said.contains("another hub writes its files there") && said.contains("help: stop the other")
    })
    .await;
    let own = folder.join("board-8.pgn");
    let halls = BTreeMap::from([("hall".to_owned(), second.boards.clone())]);
    super::deliver_once(&halls, &FeedsConfig::default(), &second.feeds).await;
    assert!(!own.exists(), "not at the stop either");
    drop(first);
    until("its turn", || own.exists()).await;
}

#[tokio::test]
async fn what_is_paused_is_not_written_at_the_stop_either() {
    let data = tempfile::tempdir().expect("a folder");
    let boards = HallChannel::default();
    let nowhere = "127.0.0.1:9".parse().expect("an address");
    let running = run(nowhere, data.path(), boards).await;
    let pauses = &running.feeds.pauses;
    pauses.set("pgn", true).expect("written down");
    let halls = BTreeMap::from([("hall".to_owned(), running.boards.clone())]);
    running.boards.show(released(table(7, &["e4"], |_| {})));
    let file = data.path().join("feeds/event.pgn");
    super::deliver_once(&halls, &FeedsConfig::default(), &running.feeds).await;
    assert!(!file.exists());
    pauses.set("pgn", false).expect("written down");
    super::deliver_once(&halls, &FeedsConfig::default(), &running.feeds).await;
    assert!(file.exists());
}

#[tokio::test]
async fn a_full_disk_troubles_the_feed_that_writes_and_no_other() {
    // The file of a game, and one that is made of the files of games.
    for name in ["round-5/board-7.pgn", "event.pgn"] {
        a_disk_is_full_at(name).await;
    }
}

async fn a_disk_is_full_at(name: &str) {
    let data = tempfile::tempdir().expect("a folder");
    std::fs::write(data.path().join("token"), "good\n").expect("written");
    let lichess = Lichess::default();
    let (address, server) = lichess
        .serve("127.0.0.1:0".parse().expect("an address"))
        .await;
    // Whatever is written there meets a disk without any space.
    let file = data.path().join("feeds").join(name);
    std::fs::create_dir_all(file.parent().expect("a folder")).expect("made");
    let full = file.with_extension("pgn.part");
    std::os::unix::fs::symlink("/dev/full", &full).expect("made");
    let boards = HallChannel::default();
    boards.show(released(table(7, &["e4"], |_| {})));
    let running = run(address, data.path(), boards).await;
    until("the trouble", || {
        let trouble = running.trouble("pgn");
        trouble.contains("No space left") && trouble.contains("help: free space")
    })
    .await;
    until("the push all the same", || equal(&lichess, &running.boards)).await;
    assert_eq!(running.trouble("lichess/A"), "");
    assert!(!file.exists(), "no half of a file");
    std::fs::remove_file(&full).expect("space again");
    until("the file", || file.exists()).await;
    until("the end of the trouble", || {
        running.trouble("pgn").is_empty()
    })
    .await;
    server.abort();
}
