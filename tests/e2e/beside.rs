//! One board beside a browser: an agent without any hub, its LiveChess API, and a client that plays as the pages of Lichess do.

use std::net::SocketAddr;
use std::time::Duration;

use agent::simulate::hands::Tempo;
use agent::simulate::{Tables, TablesOptions};
use serde_json::{Value, json};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use venue_tests::{Part, free_port};

use crate::faults::executable;

const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";

/// The least that a WebSocket client needs: text frames of less than 64 KiB.
pub(crate) struct Browser(TcpStream);

impl Browser {
    pub(crate) async fn open(address: SocketAddr, origin: &str) -> Result<Browser, String> {
        let mut stream = TcpStream::connect(address)
            .await
            .map_err(|e| e.to_string())?;
        let hello = format!(
            "GET /api/v1.0 HTTP/1.1\r\nHost: {address}\r\nOrigin: {origin}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\
             Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n\r\n"
        );
        stream.write_all(hello.as_bytes()).await.expect("sent");
        let mut head = Vec::new();
        while !head.ends_with(b"\r\n\r\n") {
            head.push(stream.read_u8().await.map_err(|e| e.to_string())?);
        }
        let head = String::from_utf8_lossy(&head).into_owned();
        if head.starts_with("HTTP/1.1 101 ") {
            Ok(Browser(stream))
        } else {
            Err(head)
        }
    }

    pub(crate) async fn say(&mut self, call: &Value) {
        let text = call.to_string();
        let length = u16::try_from(text.len()).expect("short");
        // A mask of zeros leaves the text as it is.
        let mut frame = vec![0x81, 0x80 | 126];
        frame.extend(length.to_be_bytes());
        frame.extend([0; 4]);
        frame.extend(text.as_bytes());
        self.0.write_all(&frame).await.expect("sent");
    }

    pub(crate) async fn hear(&mut self) -> Value {
        let first = self.0.read_u8().await.expect("a frame");
        assert_eq!(first, 0x81, "one text frame");
        let length = match self.0.read_u8().await.expect("a length") {
            126 => usize::from(self.0.read_u16().await.expect("a length")),
            short => usize::from(short),
        };
        let mut text = vec![0; length];
        self.0.read_exact(&mut text).await.expect("the text");
        serde_json::from_slice(&text).expect("JSON")
    }

    /// Waits for something that is so.
    pub(crate) async fn until(&mut self, what: &str, is_so: impl Fn(&Value) -> bool) -> Value {
        let search = async {
            loop {
                let heard = self.hear().await;
                if is_so(&heard) {
                    return heard;
                }
            }
        };
        let found = tokio::time::timeout(Duration::from_secs(60), search).await;
        found.unwrap_or_else(|_| panic!("{what} did not come"))
    }
}

async fn agent_with_a_board(dir: &std::path::Path) -> (Part, Tables, SocketAddr) {
    let tables = Tables::start(&TablesOptions {
        noise: 0,
        tempo: Tempo::Lasting(60_000),
        ..TablesOptions::new(&dir.join("boards"), 1)
    })
    .expect("a board");
    let address = SocketAddr::from(([127, 0, 0, 1], free_port().expect("a port")));
    let config = dir.join("agent.toml");
    std::fs::write(&config, "family = \"dgt\"\n").expect("written");
    let arguments = [
        "run",
        "--config",
        config.to_str().expect("UTF-8"),
        "--state",
        dir.join("state").to_str().expect("UTF-8"),
        "--port",
        tables.link(0).to_str().expect("UTF-8"),
        "--livechess",
        &address.to_string(),
    ]
    .map(str::to_owned);
    let part =
        Part::start(executable(), "agent", &arguments, &dir.join("agent.log")).expect("starts");
    (part, tables, address)
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_browser_hears_the_moves_of_the_board_beside_it() {
    let dir = tempfile::tempdir().expect("a folder");
    let (_agent, tables, address) = agent_with_a_board(dir.path()).await;
    let mut opened = Browser::open(address, "https://lichess.org").await;
    for _ in 0..100 {
        if opened.is_ok() {
            break;
        }
        tokio::time::sleep(Duration::from_millis(100)).await;
        opened = Browser::open(address, "https://lichess.org").await;
    }
    let mut browser = opened.expect("it listens");
    let stranger = Browser::open(address, "https://evil.example").await.err();
    assert!(stranger.is_some_and(|head| head.starts_with("HTTP/1.1 403 ")));

    let serial = loop {
        browser.say(&json!({"id": 1, "call": "eboards"})).await;
        let answer = browser.hear().await;
        let board = &answer["param"][0];
        if board["state"] == "ACTIVE" && board["board"].is_string() {
            assert_eq!(
                board.as_object().map(serde_json::Map::len),
                Some(8),
                "{board}"
            );
            break board["serialnr"].as_str().expect("text").to_owned();
        }
        tokio::time::sleep(Duration::from_millis(200)).await;
    };
    browser
        .say(&json!({"id": 2, "call": "subscribe", "param": {"feed": "eboardevent", "id": 1, "param": {"serialnr": serial}}}))
        .await;
    let first = browser
        .until("the answer", |v| v["response"] == "call")
        .await;
    assert_eq!(first["param"], Value::Null);
    browser
        .say(&json!({"id": 3, "call": "call", "param": {"id": 1, "method": "setup", "param": {"fen": START}}}))
        .await;
    let played = |v: &Value| {
        v["param"]["san"]
            .as_array()
            .is_some_and(|san| san.len() >= 6)
    };
    let heard = browser
        .until("six half-moves", |v| {
            played(v) && v["param"]["match"] == true
        })
        .await;
    let san: Vec<&str> = heard["param"]["san"]
        .as_array()
        .expect("moves")
        .iter()
        .filter_map(Value::as_str)
        .collect();
    let truth: Vec<String> = tables
        .truth(0)
        .plies
        .into_iter()
        .map(|ply| ply.uci)
        .collect();
    assert_eq!(ucis(&san), truth[..san.len()], "{san:?}");
    assert!(heard["param"]["clock"]["white"].is_u64(), "{heard}");
}

fn ucis(sans: &[&str]) -> Vec<String> {
    use shakmaty::{CastlingMode, Chess, Position, san::San};
    let mut position = Chess::default();
    let mut uci = |san: &&str| {
        let san: San = san.parse().expect("SAN");
        let legal = san.to_move(&position).expect("legal");
        position.play_unchecked(legal);
        legal.to_uci(CastlingMode::Standard).to_string()
    };
    sans.iter().map(&mut uci).collect()
}
