//! The wall over a real socket: what browsers and relays ask for.

use std::time::Duration;

use protocol::{HallBoard, TableId, Timestamp};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::oneshot;

use super::example::{board, released};
use super::tables::Tables;
use super::{Viewers, Wall, serve};
use crate::hall_channel::HallChannel;

struct Running {
    address: std::net::SocketAddr,
    boards: HallChannel,
    viewers: Viewers,
    stop: oneshot::Sender<()>,
    served: tokio::task::JoinHandle<std::io::Result<()>>,
}

async fn running() -> Running {
    let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port");
    let address = listener.local_addr().expect("bound");
    let boards = HallChannel::default();
    boards.show(released(board(&["e4", "e5"])));
    let wall = Wall::new(boards.clone(), || Timestamp(1_700_000_000_000));
    let mut viewers = Viewers::default();
    viewers.add(&wall);
    let (stop, stopped) = oneshot::channel();
    let shutdown = async move { drop(stopped.await) };
    let served = tokio::spawn(serve(listener, wall, shutdown));
    Running {
        address,
        boards,
        viewers,
        stop,
        served,
    }
}

impl Running {
    async fn open(&self, path: &str, headers: &str) -> TcpStream {
        let mut stream = TcpStream::connect(self.address).await.expect("listening");
        let request =
            format!("GET {path} HTTP/1.1\r\nHost: wall\r\nConnection: close\r\n{headers}\r\n");
        stream.write_all(request.as_bytes()).await.expect("sent");
        stream
    }

    async fn get(&self, path: &str, headers: &str) -> String {
        let mut answer = Vec::new();
        self.open(path, headers)
            .await
            .read_to_end(&mut answer)
            .await
            .expect("answered");
        String::from_utf8(answer).expect("text")
    }
}

fn header<'a>(answer: &'a str, name: &str) -> Option<&'a str> {
    let head = answer.split("\r\n\r\n").next()?;
    head.lines().find_map(|line| {
        line.split_once(": ")
            .filter(|(n, _)| n.eq_ignore_ascii_case(name))
            .map(|(_, v)| v)
    })
}

#[tokio::test]
async fn what_is_not_understood_in_an_address_stands_on_the_page() {
    let wall = running().await;
    let pages = [
        "/?theme=pink",
        "/board/12?flip=sideways",
        "/wall?colour=red",
        "/wall?page=last&boards=12",
        "/round/5?type=huge",
        "/overlay/board/12?theme=pink",
        "/overlay/ticker?scale=huge",
    ];
    for page in pages {
        let answer = wall.get(page, "").await;
        let word = page.split(['?', '&']).nth(1).expect("a word");
        assert!(answer.starts_with("HTTP/1.1 200 "), "{answer}");
        let said = format!("Not understood in the address: \u{201c}{word}\u{201d}");
        assert!(answer.contains(&said), "{page}: {answer}");
    }
    for page in [
        "/?theme=dark&type=large",
        "/overlay/board?board=12&orientation=black",
    ] {
        assert!(
            !wall.get(page, "").await.contains("Not understood"),
            "{page}"
        );
    }
    let hostile = wall.get("/?<script>=%22%3E%3Cscript%3E", "").await;
    assert!(!hostile.contains("<script>="), "{hostile}");
    for (refused, instead) in [
        ("/round/5.pgn?form=latex", "form=e-pgn"),
        ("/live?part=huge", "ticker"),
    ] {
        let answer = wall.get(refused, "").await;
        assert!(
            answer.starts_with("HTTP/1.1 400 ") && answer.contains(instead),
            "{answer}"
        );
    }
}

#[tokio::test]
async fn a_table_that_is_gone_leaves_every_open_page() {
    let wall = running().await;
    let mut stream = wall.open("/live?part=small&boards=12", "").await;
    let mut heard = String::new();
    let mut hear = async |word: &str| {
        let mut buffer = [0; 65_536];
        while !heard.contains(word) {
            let count = stream.read(&mut buffer).await.expect("alive");
            assert!(count > 0, "{heard}");
            heard.push_str(&String::from_utf8_lossy(&buffer[..count]));
        }
    };
    hear("event: part").await;
    wall.boards.forget(TableId(13));
    wall.boards.forget(TableId(12));
    hear("event: gone\ndata: 12\n\n").await;
    assert!(!heard.contains("data: 13"), "{heard}");
    let page = wall.get("/board/12", "").await;
    assert!(page.starts_with("HTTP/1.1 404 "), "{page}");
}

#[tokio::test]
async fn earlier_rounds_stay_to_be_read() {
    let wall = running().await;
    let mut next = board(&["d4"]);
    next.round = 6;
    wall.boards.show(released(next));
    let mut third = board(&["c4"]);
    third.round = 3;
    wall.boards.show_past(released(third));
    for (path, word) in [
        ("/round/5.pgn", "1. e4 e5"),
        ("/round/5", "/board/12?round=5"),
        ("/board/12?round=5", "/round/5"),
        ("/board/12.pgn?round=3", "1. c4"),
        ("/round/6.pgn", "1. d4"),
        ("/board/12.pgn", "1. d4"),
        ("/", "/round/3"),
    ] {
        let answer = wall.get(path, "").await;
        assert!(answer.starts_with("HTTP/1.1 200 "), "{path}: {answer}");
        assert!(answer.contains(word), "{path}: {word} is not in {answer}");
    }
    let past = wall.get("/round/5", "").await;
    assert!(
        past.contains(r#"data-size="""#),
        "an earlier round does not listen"
    );
    assert!(wall.get("/round/4", "").await.starts_with("HTTP/1.1 404 "));
}

#[tokio::test]
async fn every_address_answers_with_its_status_and_type() {
    let wall = running().await;
    let rows = [
        ("/", "200", "text/html; charset=utf-8"),
        ("/board/12", "200", "text/html; charset=utf-8"),
        (
            "/board/12?flip=1&theme=dark",
            "200",
            "text/html; charset=utf-8",
        ),
        ("/wall?boards=1-12", "200", "text/html; charset=utf-8"),
        (
            "/board/12.pgn",
            "200",
            "application/x-chess-pgn; charset=utf-8",
        ),
        (
            "/round/5.pgn",
            "200",
            "application/x-chess-pgn; charset=utf-8",
        ),
        ("/assets/live.js", "200", "text/javascript; charset=utf-8"),
        (
            "/event.pgn",
            "200",
            "application/x-chess-pgn; charset=utf-8",
        ),
        ("/overlay/board/12", "200", "text/html; charset=utf-8"),
        (
            "/overlay/clocks/12?hideClock=1&scale=1.5&theme=light",
            "200",
            "text/html; charset=utf-8",
        ),
        ("/overlay/ticker", "200", "text/html; charset=utf-8"),
        ("/overlay/names/12", "200", "text/html; charset=utf-8"),
        ("/overlay/teams", "200", "text/html; charset=utf-8"),
        (
            "/overlay/standings?page=2",
            "200",
            "text/html; charset=utf-8",
        ),
        ("/assets/icon.svg", "200", "image/svg+xml"),
        (
            "/overlay/move/12?scale=NaN",
            "200",
            "text/html; charset=utf-8",
        ),
        ("/overlay/engine/12", "404", "text/html; charset=utf-8"),
        ("/qr.svg", "200", "image/svg+xml"),
        (
            "/get/lyon/tournament.json",
            "200",
            "application/json; charset=utf-8",
        ),
        (
            "/get/lyon/round-5/index.json",
            "200",
            "application/json; charset=utf-8",
        ),
        (
            "/get/lyon/round-5/game-1.json?poll",
            "200",
            "application/json; charset=utf-8",
        ),
        (
            "/get/lyon/round-5/game-2.json",
            "404",
            "text/plain; charset=utf-8",
        ),
        ("/wall?boards=9-x", "400", "text/html; charset=utf-8"),
        ("/wall?boards=scramble", "200", "text/html; charset=utf-8"),
        (
            "/overlay/ticker?boards=9-x",
            "400",
            "text/html; charset=utf-8",
        ),
        ("/overlay/board/x", "400", "text/html; charset=utf-8"),
        ("/live?boards=9-x", "400", "text/plain; charset=utf-8"),
        ("/board/13", "404", "text/html; charset=utf-8"),
        ("/board/x.pgn", "404", "text/html; charset=utf-8"),
        ("/round/4.pgn", "404", "text/html; charset=utf-8"),
        ("/../etc/passwd", "404", "text/html; charset=utf-8"),
        ("/desk/table/12", "404", "text/html; charset=utf-8"),
    ];
    for (path, status, kind) in rows {
        let answer = wall.get(path, "").await;
        assert!(
            answer.starts_with(&format!("HTTP/1.1 {status} ")),
            "{path}: {answer}"
        );
        assert_eq!(header(&answer, "content-type"), Some(kind), "{path}");
    }
}

#[tokio::test]
async fn a_code_leads_to_the_round_or_to_its_board() {
    let wall = running().await;
    for (path, address) in [
        ("/qr.svg", "http://wall/"),
        ("/qr.svg?board=12", "http://wall/board/12"),
        ("/qr.svg?board=x", "http://wall/"),
    ] {
        let svg = wall.get(path, "").await;
        let label = format!("\"QR code of {address}\"");
        assert!(svg.contains(&label), "{path}: {svg}");
    }
    assert!(wall.get("/board/12", "").await.contains("/qr.svg?board=12"));
}

#[tokio::test]
async fn a_pgn_has_a_strong_etag_that_changes_with_the_game_only() {
    let wall = running().await;
    let first = wall.get("/round/5.pgn", "").await;
    let tag = header(&first, "etag").expect("a tag").to_owned();
    assert!(
        tag.starts_with('"') && tag.ends_with('"'),
        "{tag} is strong"
    );
    let same = wall
        .get("/round/5.pgn", &format!("If-None-Match: {tag}\r\n"))
        .await;
    assert!(same.starts_with("HTTP/1.1 304 "), "{same}");
    assert_eq!(header(&same, "etag"), Some(tag.as_str()));
    let lines = format!("If-None-Match: \"other\"\r\nIf-None-Match: {tag}\r\n");
    let second = wall.get("/round/5.pgn", &lines).await;
    assert!(second.starts_with("HTTP/1.1 304 "), "{second}");
    let bare = tag.trim_matches('"');
    let bare = wall
        .get("/round/5.pgn", &format!("If-None-Match: {bare}\r\n"))
        .await;
    assert!(
        bare.starts_with("HTTP/1.1 304 "),
        "one relay takes the quotes off: {bare}"
    );
    wall.boards.show(released(HallBoard {
        revision: 8,
        ..board(&["e4", "e5", "Nf3"])
    }));
    let changed = wall
        .get("/round/5.pgn", &format!("If-None-Match: {tag}\r\n"))
        .await;
    assert!(
        changed.starts_with("HTTP/1.1 200 ") && changed.contains("2. Nf3"),
        "{changed}"
    );
}

async fn read_until(stream: &mut TcpStream, words: &str) -> String {
    let mut heard = String::new();
    let mut buffer = [0; 16_384];
    while !heard.contains(words) {
        let count = tokio::time::timeout(Duration::from_secs(20), stream.read(&mut buffer))
            .await
            .expect("in time")
            .expect("open");
        assert!(count > 0, "the stream ended before {words:?}: {heard}");
        heard.push_str(&String::from_utf8_lossy(&buffer[..count]));
    }
    heard
}

#[tokio::test]
async fn the_live_stream_begins_whole_tells_changes_and_ends_with_the_hub() {
    let wall = running().await;
    let (mut boards, mut parts) = (
        wall.open("/live", "").await,
        wall.open("/live?part=small", "").await,
    );
    assert!(
        read_until(&mut boards, "event: board")
            .await
            .contains("200 OK")
    );
    read_until(&mut parts, "event: part").await;
    assert_eq!(wall.viewers.count(), 2);
    wall.boards.show(released(HallBoard {
        revision: 8,
        ..board(&["d4", "d5", "c4"])
    }));
    read_until(&mut boards, "\"san\":\"c4\"").await;
    read_until(&mut parts, "2. c4").await;
    wall.boards.show(released(HallBoard {
        round: 6,
        table: TableId(1),
        revision: 9,
        ..board(&[])
    }));
    read_until(&mut parts, "event: round").await;
    wall.stop.send(()).expect("running");
    tokio::time::timeout(Duration::from_secs(20), wall.served)
        .await
        .expect("ends")
        .expect("no panic")
        .expect("no error");
}

#[tokio::test]
async fn a_stream_of_some_boards_tells_of_no_others_and_a_wall_of_one_hall_knows_no_others() {
    let wall = running().await;
    let mut one = wall.open("/live?boards=20-30", "").await;
    let show = |n: u16, sans: &[&str]| {
        let (table, revision) = (TableId(n), 8);
        wall.boards.show(released(HallBoard {
            table,
            revision,
            ..board(sans)
        }));
    };
    read_until(&mut one, "event: beat").await;
    show(12, &["c4"]);
    show(25, &["d4"]);
    let heard = read_until(&mut one, "\"san\":\"d4\"").await;
    assert!(!heard.contains("c4"), "{heard}");

    let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port");
    let hall = Running {
        address: listener.local_addr().expect("bound"),
        ..running().await
    };
    let own =
        Wall::new(wall.boards.clone(), || Timestamp(0)).of_tables(Tables::of("20-30"), "Hall B");
    tokio::spawn(serve(listener, own, std::future::pending()));
    let page = hall.get("/", "").await;
    assert!(
        page.contains("table-25") && !page.contains("table-12"),
        "{page}"
    );
    assert!(page.contains("Open de Lyon, Hall B, round 5"), "{page}");
    for path in ["/board/12", "/board/12.pgn"] {
        assert!(
            hall.get(path, "").await.starts_with("HTTP/1.1 404 "),
            "{path}"
        );
    }
    assert!(!hall.get("/event.pgn", "").await.contains("c4"));
}

#[tokio::test]
async fn hostile_clients_leave_the_wall_standing() {
    let wall = running().await;
    for bytes in [
        &b"\0\xff\xfe garbage\r\n\r\n"[..],
        b"GET / HTTP/9.9\r\n\r\n",
        b"GET /",
        &[b'A'; 100_000],
    ] {
        let mut stream = TcpStream::connect(wall.address).await.expect("listening");
        // A server that hangs up on garbage at once is right to do so.
        let _hung_up = stream.write_all(bytes).await;
    }
    assert!(wall.get("/", "").await.starts_with("HTTP/1.1 200 "));
}

#[tokio::test]
async fn who_does_not_finish_a_question_or_takes_nothing_is_sent_away() {
    let wall = running().await;
    let mut idle = wall.open("/live", "").await;
    read_until(&mut idle, "event: beat").await;
    let rows = [
        &b""[..],
        b"G",
        b"GET / HTTP/1.1\r\nHost: wall\r\n",
        b"P",
        b"PRI * HTTP/2.0\r\n",
        b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n\0\0\0\x04\0\0\0\0\0",
    ];
    let mut guests = Vec::new();
    for begun in rows {
        let mut guest = TcpStream::connect(wall.address).await.expect("listening");
        guest.write_all(begun).await.expect("sent");
        guests.push((begun, guest));
    }
    for (begun, mut guest) in guests {
        let mut said = Vec::new();
        let sent_away = guest.read_to_end(&mut said);
        let ended = tokio::time::timeout(Duration::from_secs(120), sent_away).await;
        let (begun, said) = (begun.escape_ascii(), said.escape_ascii().to_string());
        assert!(ended.is_ok(), "{begun} holds its place");
        assert!(
            said.is_empty() || said.starts_with("HTTP/1.1 4"),
            "{begun}: {said}"
        );
    }
    read_until(&mut idle, "event: beat").await;
}
