//! What leaves the house, on a clock of our own: nothing before its delay, everything after it, and never what only the desk may know.

use std::net::SocketAddr;
use std::path::Path;
use std::sync::atomic::{AtomicI64, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use hub::config::{AudienceConfig, HttpConfig, Preset};
use hub::feeds::{LichessSettings, WebhookSettings};
use hub::run::{Hub, start_at};
use protocol::{Fact, HubPresence, OrderBody, Played, Side, TableId, Timestamp, decode};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};

use crate::client::{Client, Way, text};
use crate::ground::of_hub;
use crate::running::{acknowledged, agent, arbiter, config, envelope, local, order};

static NOW: AtomicI64 = AtomicI64::new(1_800_000_000_000);
const FIFTEEN_MINUTES: i64 = 900_000;

fn now() -> Timestamp {
    Timestamp(NOW.load(Ordering::SeqCst))
}

/// What a first move 1. Nf3 looks like, in whatever form.
const MOVE: [&str; 4] = ["Nf3", "knight f3", "5N2", "g1f3"];
/// What the desk knows of an irregular move.
const SECRET: [&str; 4] = ["Nb8-b5", "illegal", "alert", "1N6"];

/// Somebody far away who takes everything that is brought to him.
struct Receiver {
    address: SocketAddr,
    taken: Arc<Mutex<String>>,
}

impl Receiver {
    async fn start() -> Receiver {
        let listener = TcpListener::bind(local(0)).await.expect("a port");
        let address = listener.local_addr().expect("bound");
        let taken = Arc::new(Mutex::new(String::new()));
        let own = Arc::clone(&taken);
        tokio::spawn(async move {
            while let Ok((stream, _)) = listener.accept().await {
                tokio::spawn(take(stream, Arc::clone(&own)));
            }
        });
        Receiver { address, taken }
    }

    /// What came since the last time.
    fn news(&self) -> String {
        std::mem::take(&mut *self.taken.lock().expect("nobody panics here"))
    }
}

/// Whatever comes on a connection is kept; every request is answered.
async fn take(mut stream: TcpStream, taken: Arc<Mutex<String>>) {
    let mut buffer = vec![0; 65_536];
    let mut all = Vec::new();
    while let Ok(count) = stream.read(&mut buffer).await
        && count > 0
    {
        all.extend_from_slice(&buffer[..count]);
        let whole = String::from_utf8_lossy(&all).into_owned();
        let length = whole.lines().find_map(|l| {
            l.to_lowercase()
                .strip_prefix("content-length: ")?
                .parse::<usize>()
                .ok()
        });
        let body = whole
            .split_once("\r\n\r\n")
            .map_or(0, |(_, body)| body.len());
        if length.is_some_and(|length| body >= length) {
            all.clear();
            taken.lock().expect("nobody panics here").push_str(&whole);
            let answer = "HTTP/1.1 200 OK\r\nContent-Length: 12\r\n\r\n{\"games\":[]}";
            if stream.write_all(answer.as_bytes()).await.is_err() {
                return;
            }
        }
    }
}

async fn hub_with_a_web(data: &Path, api: SocketAddr, far: &Receiver) -> Hub {
    let token = data.join("lichess.token");
    std::fs::write(&token, "lip_x").expect("written");
    let mut config = config(data);
    config.audience = vec![AudienceConfig {
        name: "web".to_owned(),
        preset: Preset::FifteenMinutes,
        delay_s: None,
        delay_moves: None,
    }];
    config.http.push(HttpConfig::new(local(0), "web"));
    config.feeds.audience = "web".to_owned();
    config.feeds.livechess_folder.enabled = true;
    config.feeds.livechess_cloud.enabled = true;
    config.feeds.results.enabled = true;
    config.feeds.livechess_api.listen = Some(api);
    config.feeds.webhook.push(WebhookSettings {
        name: "club".to_owned(),
        url: format!("http://{}/boards", far.address),
        token_file: None,
        audience: None,
    });
    config.feeds.lichess.push(LichessSettings {
        name: "A".to_owned(),
        our_round: 0,
        round: "abcdEFGH".to_owned(),
        token_file: token,
        boards: String::new(),
        audience: None,
        url: format!("http://{}", far.address),
    });
    start_at(config, now).await.expect("starts")
}

async fn get(address: SocketAddr, path: &str) -> String {
    let mut stream = TcpStream::connect(address).await.expect("listening");
    let request = format!("GET {path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n");
    stream.write_all(request.as_bytes()).await.expect("sent");
    let mut answer = Vec::new();
    stream.read_to_end(&mut answer).await.expect("answered");
    String::from_utf8_lossy(&answer).into_owned()
}

fn files(folder: &Path) -> String {
    let mut text = String::new();
    for entry in std::fs::read_dir(folder).into_iter().flatten().flatten() {
        let path = entry.path();
        if path.is_dir() {
            text.push_str(&files(&path));
        } else {
            text.push_str(&std::fs::read_to_string(&path).unwrap_or_default());
        }
    }
    text
}

const PAGES: [&str; 11] = [
    "/",
    "/board/1",
    "/board/1?flip=1",
    "/wall",
    "/wall?boards=playing",
    "/round/1.pgn",
    "/round/1.pgn?form=livechess",
    "/event.pgn",
    "/overlay/board/1",
    "/overlay/move/1",
    "/get/x/round-1/game-1.json",
];

/// Everything that the world can be told, each with where it stands.
async fn of_the_world(hub: &Hub, api: SocketAddr) -> Vec<(String, String)> {
    let web = hub.addresses.http[1].0;
    let mut all = Vec::new();
    for page in PAGES {
        all.push((page.to_owned(), get(web, page).await));
    }
    for stream in ["/live", "/live?part=small", "/live?part=large"] {
        all.push((stream.to_owned(), beginning(web, stream).await));
    }
    let boards = get(api, "/api/v1.0/eboards").await;
    all.push(("api".to_owned(), boards));
    all.push(("api game".to_owned(), game_of_the_api(api).await));
    let folder = hub.addresses.feeds.as_ref().expect("feeds");
    all.push(("files".to_owned(), files(folder)));
    let mut viewer = Client::connect(&of_hub(hub), Way::of("local-viewer")).await;
    assert!(viewer.subscribe("world/web/board/1").await);
    all.push(("topic".to_owned(), text(&viewer.hear(1).await[0])));
    all
}

/// What a stream says first: the boards as they are.
async fn beginning(address: SocketAddr, path: &str) -> String {
    let mut stream = TcpStream::connect(address).await.expect("listening");
    let request = format!("GET {path} HTTP/1.1\r\nHost: x\r\n\r\n");
    stream.write_all(request.as_bytes()).await.expect("sent");
    let (mut told, mut buffer) = (String::new(), vec![0; 65_536]);
    while !told.contains("event: beat") {
        let count = stream.read(&mut buffer).await.expect("told");
        assert!(count > 0, "the stream goes on");
        told.push_str(&String::from_utf8_lossy(&buffer[..count]));
    }
    told
}

/// The game of the first pairing, by way of tournament and round, as its clients go.
async fn game_of_the_api(api: SocketAddr) -> String {
    let uuid = |text: &str| {
        let (_, rest) = text.split_once("\"uuid\" : \"").expect("an id");
        rest.split('"').next().expect("a text").to_owned()
    };
    let tournaments = get(api, "/api/v1.0/tournaments").await;
    let round = format!("/api/v1.0/round/{}/0", uuid(&tournaments));
    let round = get(api, &round).await;
    get(api, &format!("/api/v1.0/game/{}", uuid(&round))).await
}

fn holds(text: &str, words: &[&str]) -> bool {
    words.iter().any(|word| text.contains(word))
}

/// Waits until the hub has looked at this moment.
async fn has_come(onlooker: &mut Client, moment: Timestamp) {
    loop {
        let publish = onlooker.hear(1).await.remove(0);
        if publish.topic.ends_with(b"hub/presence") {
            let presence: HubPresence = decode(&publish.payload).expect("our own words");
            if presence.now >= moment {
                return;
            }
        }
    }
}

async fn later(onlooker: &mut Client, ms: i64) {
    NOW.fetch_add(ms, Ordering::SeqCst);
    has_come(onlooker, now()).await;
    // The files follow a moment later.
    tokio::time::sleep(Duration::from_millis(1_500)).await;
}

fn irregular() -> Fact {
    Fact::Made {
        ply: 2,
        played: Played::Irregular {
            from_fen: "rnbqkbnr/pppppppp/8/8/8/5N2/PPPPPPPP/RNBQKB1R b KQkq - 1 1".to_owned(),
            to_fen: "r1bqkbnr/pppppppp/8/1N6/8/5N2/PPPPPPPP/RNBQKB1R w KQkq - 1 2".to_owned(),
            words: "Nb8-b5".to_owned(),
        },
        by: Side::Black,
        certainty: 1.0,
        squares: Vec::new(),
        after_ms: 0,
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn nothing_leaves_before_its_delay_and_nothing_of_the_desk_leaves_at_all() {
    let data = tempfile::tempdir().expect("folder");
    let free = std::net::TcpListener::bind(local(0)).expect("a port");
    let api = free.local_addr().expect("bound");
    drop(free);
    let far = Receiver::start().await;
    let hub = hub_with_a_web(data.path(), api, &far).await;
    let ground = of_hub(&hub);
    let mut onlooker = Client::connect(&ground, Way::of("local-arbiter")).await;
    assert!(onlooker.subscribe("hub/presence").await);
    let mut one = agent(&ground).await;
    let legal = Fact::Made {
        ply: 1,
        played: Played::Legal("g1f3".to_owned()),
        by: Side::White,
        certainty: 1.0,
        squares: Vec::new(),
        after_ms: 0,
    };
    let completed = |ply| Fact::Completed {
        ply,
        pressed: true,
        clock: None,
    };
    let facts = [
        legal,
        completed(1),
        Fact::Settled { ply: 1 },
        irregular(),
        completed(2),
    ];
    for (seq, fact) in (1..).zip(facts) {
        one.say("device/dgt-01025/facts", false, envelope(seq, fact))
            .await;
    }
    acknowledged(&mut one, 5).await;
    let hall = hub.addresses.http[0].0;
    for page in ["/", "/board/1", "/overlay/move/1"] {
        let text = get(hall, page).await;
        assert!(holds(&text, &MOVE), "the hall sees it at once: {page}");
        assert!(!holds(&text, &SECRET), "{page}: {text}");
    }
    later(&mut onlooker, FIFTEEN_MINUTES - 1_000).await;
    unseen(&hub, api, &far).await;
    let mut chief = arbiter(&ground, "mk").await;
    keep_back(&mut chief, 1, true).await;
    later(&mut onlooker, FIFTEEN_MINUTES).await;
    unseen(&hub, api, &far).await;
    hub.stop().await;
    let hub = hub_with_a_web(data.path(), api, &far).await;
    let ground = of_hub(&hub);
    let mut onlooker = Client::connect(&ground, Way::of("local-arbiter")).await;
    assert!(onlooker.subscribe("hub/presence").await);
    later(&mut onlooker, 1_000).await;
    unseen(&hub, api, &far).await;
    let mut chief = arbiter(&ground, "mk").await;
    keep_back(&mut chief, 2, false).await;
    later(&mut onlooker, 1_000).await;
    for (place, text) in of_the_world(&hub, api).await {
        assert!(holds(&text, &MOVE), "not there in {place}: {text}");
        assert!(!holds(&text, &SECRET), "{place}: {text}");
    }
    let brought = far.news();
    assert!(brought.contains("POST /boards ") && brought.contains("/abcdEFGH/push "));
    assert!(
        holds(&brought, &MOVE) && !holds(&brought, &SECRET),
        "{brought}"
    );
    assert!(
        get(hub.addresses.http[1].0, "/")
            .await
            .contains("15 minutes delayed")
    );
    hub.stop().await;
}

/// Nobody outside has seen the move, or anything of the desk.
async fn unseen(hub: &Hub, api: SocketAddr, far: &Receiver) {
    let mut all = of_the_world(hub, api).await;
    all.push(("brought".to_owned(), far.news()));
    for (place, text) in all {
        assert!(!holds(&text, &MOVE), "too early in {place}: {text}");
        assert!(!holds(&text, &SECRET), "{place}: {text}");
    }
}

async fn keep_back(chief: &mut Client, id: u64, hold: bool) {
    let table = TableId(1);
    let body = OrderBody::Hold { table, hold };
    chief
        .say("desk/order", false, order("mk", id, "MK", Some(0), body))
        .await;
    let answer = text(&chief.hear(1).await[0]);
    assert!(answer.contains("\"done\""), "{answer}");
}
