//! Both ways to a relay, against ends that behave as Lichess does: it polls our file, and we push to it. A whole round with corrections,
//! a network cut and a restart; both ends have what the record has.

use std::collections::BTreeMap;
use std::net::SocketAddr;
use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use axum::Router;
use axum::http::HeaderMap;
use axum::routing::post;
use hub::config::{AudienceConfig, Config, HttpConfig, Preset};
use hub::rounds::{RoundSetup, TableSetup};
use hub::run::{Hub, put_round, start};
use protocol::{DeviceId, Fact, GameResult, Played, Side, TableId};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};
use tokio::task::JoinHandle;

use crate::client::Client;
use crate::ground::of_hub;
use crate::running::{acknowledged, agent, arbiter, config, envelope, local, order, result};

/// Games by their id.
type Games = BTreeMap<String, String>;

/// Cuts a file into games as that relay does: carriage returns go, and every empty line before a bracket ends a game.
fn games(text: &str) -> Games {
    let text = text.replace('\r', "");
    let parts = text
        .split("\n\n[")
        .map(|part| part.trim_start_matches('[').trim_end());
    let game = |part: &str| (tag(part, "GameId"), format!("[{part}\n"));
    parts.filter(|part| !part.is_empty()).map(game).collect()
}

fn tag(game: &str, name: &str) -> String {
    let rest = game
        .split(&format!("{name} \""))
        .nth(1)
        .expect("every game has it");
    rest.split('"').next().unwrap_or("").to_owned()
}

/// The end that polls.
#[derive(Default)]
struct Pull {
    tag: Option<String>,
    games: Games,
    unchanged: u32,
    failed: u32,
}

impl Pull {
    /// One poll: five seconds, no redirects, only 200 and 304 count, strong tags go back letter for letter.
    async fn poll(&mut self, address: SocketAddr) {
        let asked = tokio::time::timeout(Duration::from_secs(5), self.ask(address)).await;
        let Ok(Ok(answer)) = asked else {
            self.failed += 1;
            return;
        };
        let (head, body) = answer.split_once("\r\n\r\n").expect("a head");
        let header = |name: &str| {
            let line = head
                .lines()
                .find(|l| l.to_lowercase().starts_with(&format!("{name}: ")));
            line.map(|l| l[name.len() + 2..].to_owned())
        };
        if !head.starts_with("HTTP/1.1 200 ") && !head.starts_with("HTTP/1.1 304 ") {
            self.failed += 1;
            return;
        }
        let tag = header("etag").expect("a tag");
        assert!(
            tag.starts_with('"') && tag.ends_with('"'),
            "{tag} is strong"
        );
        if head.starts_with("HTTP/1.1 304 ") {
            assert_eq!(self.tag.as_ref(), Some(&tag));
            self.unchanged += 1;
            return;
        }
        assert_eq!(
            header("content-type").as_deref(),
            Some("application/x-chess-pgn; charset=utf-8")
        );
        self.tag = Some(tag);
        let read = games(body);
        assert!(!read.is_empty() && read.len() <= 100, "{body}");
        self.games = read;
    }

    async fn ask(&self, address: SocketAddr) -> std::io::Result<String> {
        let mut stream = TcpStream::connect(address).await?;
        let known = self.tag.as_ref();
        let known = known.map_or(String::new(), |tag| format!("If-None-Match: {tag}\r\n"));
        let question =
            format!("GET /round/5.pgn HTTP/1.1\r\nHost: x\r\nConnection: close\r\n{known}\r\n");
        stream.write_all(question.as_bytes()).await?;
        let mut answer = Vec::new();
        stream.read_to_end(&mut answer).await?;
        if answer.is_empty() {
            return Err(std::io::ErrorKind::UnexpectedEof.into());
        }
        Ok(String::from_utf8(answer).expect("UTF-8, as it says"))
    }
}

/// The end that is pushed to.
#[derive(Clone, Default)]
struct Pushed(Arc<Mutex<Games>>);

impl Pushed {
    fn games(&self) -> Games {
        self.0
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .clone()
    }

    async fn serve(&self, address: SocketAddr) -> JoinHandle<()> {
        let known = self.clone();
        let take = move |headers: HeaderMap, body: String| async move {
            assert_eq!(headers["authorization"], "Bearer good");
            let read = games(&body);
            let said: Vec<_> = read
                .keys()
                .map(|id| serde_json::json!({"tags": {"GameId": id}, "moves": 1}))
                .collect();
            known
                .0
                .lock()
                .unwrap_or_else(PoisonError::into_inner)
                .extend(read);
            axum::Json(serde_json::json!({ "games": said }))
        };
        let router = Router::new().route("/api/broadcast/round/abcdEFGH/push", post(take));
        let listener = TcpListener::bind(address).await.expect("the port is free");
        tokio::spawn(async move { axum::serve(listener, router).await.expect("serves") })
    }
}

fn relayed(data: &Path, wall: SocketAddr, push: SocketAddr) -> Config {
    let mut config = config(data);
    config.audience = vec![AudienceConfig {
        name: "web".to_owned(),
        preset: Preset::Live,
        delay_s: None,
        delay_moves: None,
    }];
    config.play.open_tables = false;
    config.http.push(HttpConfig::new(wall, "web"));
    let token = data.join("token");
    config.feeds = toml::from_str(&format!(
        "audience = \"web\"\n[[lichess]]\nname = \"A\"\nround = \"abcdEFGH\"\ntoken_file = {token:?}\nurl = \"http://{push}\"\n",
    ))
    .expect("reads");
    config
}

fn free() -> SocketAddr {
    let listener = std::net::TcpListener::bind(local(0)).expect("a port");
    listener.local_addr().expect("bound")
}

/// The round and everything around it.
struct Relay {
    config: Config,
    wall: SocketAddr,
    hub: Option<Hub>,
    board: Client,
    seq: u64,
    pull: Pull,
    pushed: Pushed,
}

impl Relay {
    async fn say(&mut self, facts: impl IntoIterator<Item = Fact>) {
        for fact in facts {
            self.seq += 1;
            self.board
                .say("device/dgt-01025/facts", false, envelope(self.seq, fact))
                .await;
        }
        acknowledged(&mut self.board, self.seq).await;
    }

    /// Polls until both ends are as they should be, or says what differs.
    async fn until(&mut self, what: &str, is_so: impl Fn(&Games) -> bool) {
        for _ in 0..240 {
            self.pull.poll(self.wall).await;
            if is_so(&self.pull.games) && self.pushed.games() == self.pull.games {
                return;
            }
            tokio::time::sleep(Duration::from_millis(250)).await;
        }
        panic!(
            "{what} did not come: {:?}\npushed: {:?}",
            self.pull.games,
            self.pushed.games()
        );
    }

    async fn stop(&mut self) {
        if let Some(hub) = self.hub.take() {
            hub.stop().await;
        }
    }

    async fn start(&mut self) {
        let hub = start(self.config.clone()).await.expect("starts again");
        self.board = agent(&of_hub(&hub)).await;
        self.hub = Some(hub);
    }
}

/// Half-moves in UCI form, each made and completed, then settled.
fn moves(first: u32, ucis: &[&str]) -> Vec<Fact> {
    let mut facts = Vec::new();
    for (ply, uci) in (first..).zip(ucis) {
        facts.push(Fact::Made {
            ply,
            played: Played::Legal((*uci).to_owned()),
            by: if ply % 2 == 1 {
                Side::White
            } else {
                Side::Black
            },
            certainty: 1.0,
            squares: Vec::new(),
            after_ms: 0,
        });
        facts.push(completed(ply));
        facts.push(Fact::Settled { ply });
    }
    facts
}

fn completed(ply: u32) -> Fact {
    Fact::Completed {
        ply,
        pressed: true,
        clock: None,
    }
}

fn shows(id: &'static str, movetext: &'static str) -> impl Fn(&Games) -> bool {
    move |games| {
        let plain = games.get(id).map(|game| without_comments(game));
        plain.is_some_and(|game| game.trim_end().ends_with(movetext))
    }
}

fn without_comments(game: &str) -> String {
    let parts = game.split('{').enumerate();
    let kept = parts.map(|(index, part)| match index {
        0 => part,
        _ => part
            .split_once('}')
            .map_or("", |(_, rest)| rest.trim_start()),
    });
    let text: String = kept.collect();
    // The number that is said again after a comment goes with it.
    let words = text
        .split_whitespace()
        .filter(|word| !word.ends_with("..."));
    words.collect::<Vec<_>>().join(" ")
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_round_ends_at_both_ends_as_the_record_has_it() {
    let data = tempfile::tempdir().expect("folder");
    std::fs::write(data.path().join("token"), "good\n").expect("written");
    let (wall, push) = (free(), free());
    let pushed = Pushed::default();
    let server = pushed.serve(push).await;
    let config = relayed(data.path(), wall, push);
    let hub = start(config.clone()).await.expect("starts");
    let mut tables: Vec<TableSetup> = (1..=3)
        .map(|n| TableSetup::new(TableId(n), &format!("White, {n}"), &format!("Black, {n}")))
        .collect();
    tables[0].device = Some(DeviceId::of("dgt", "01025"));
    let round = RoundSetup {
        event: "Lyon Open".to_owned(),
        round: 5,
        tables,
        ..RoundSetup::default()
    };
    put_round(data.path(), &round, None).expect("written");
    let board = agent(&of_hub(&hub)).await;
    let mut relay = Relay {
        config,
        wall,
        hub: Some(hub),
        board,
        seq: 0,
        pull: Pull::default(),
        pushed,
    };
    relay
        .until("three games before play", |games| games.len() == 3)
        .await;
    assert!(
        relay
            .pull
            .games
            .values()
            .all(|game| game.ends_with("\n\n*\n"))
    );

    relay.say(moves(1, &["e2e4", "e7e5", "g1f3"])).await;
    relay
        .until("the first moves", shows("r5-t1", "1. e4 e5 2. Nf3 *"))
        .await;
    let unchanged = relay.pull.unchanged;
    relay.pull.poll(wall).await;
    assert_eq!(relay.pull.unchanged, unchanged + 1, "nothing new is a 304");

    let line = vec![Played::Legal("c7c5".to_owned())];
    let revised = Fact::Revised {
        from_ply: 2,
        line,
        certainty: 1.0,
    };
    relay
        .say([revised, completed(2), Fact::Settled { ply: 2 }])
        .await;
    relay
        .until("a correction that removes", shows("r5-t1", "1. e4 c5 *"))
        .await;

    server.abort();
    let _cut = server.await;
    relay.say(moves(3, &["g1f3", "d7d6"])).await;
    let health = data.path().join("feeds-health.json");
    while !std::fs::read_to_string(&health).is_ok_and(|t| t.contains("cannot be reached")) {
        tokio::time::sleep(Duration::from_millis(100)).await;
    }
    let server = relay.pushed.serve(push).await;
    relay
        .until("what was missed", shows("r5-t1", "1. e4 c5 2. Nf3 d6 *"))
        .await;

    relay.stop().await;
    let failed = relay.pull.failed;
    relay.pull.poll(wall).await;
    assert_eq!(
        relay.pull.failed,
        failed + 1,
        "the hub is away; what is known stays"
    );
    assert_eq!(relay.pull.games.len(), 3);
    relay.start().await;
    relay.say(moves(5, &["d2d4"])).await;
    let ground = of_hub(relay.hub.as_ref().expect("runs"));
    let mut desk = arbiter(&ground, "c1").await;
    desk.say(
        "desk/order",
        false,
        order("c1", 1, "MK", None, result(GameResult::Draw)),
    )
    .await;
    let answer: protocol::Answer = crate::running::read(&desk.hear(1).await[0]);
    let protocol::Answer::Preview { basis, .. } = answer else {
        panic!("{answer:?}");
    };
    let ruled = order("c1", 2, "MK", Some(basis), result(GameResult::Draw));
    desk.say("desk/order", false, ruled).await;
    relay
        .until(
            "the end",
            shows("r5-t1", "1. e4 c5 2. Nf3 d6 3. d4 1/2-1/2"),
        )
        .await;
    relay.stop().await;
    let file = std::fs::read_to_string(data.path().join("feeds/round-5.pgn")).expect("the record");
    assert_eq!(games(&file), relay.pull.games);
    assert_eq!(relay.pushed.games(), relay.pull.games);
    server.abort();
}
