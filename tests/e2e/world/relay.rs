//! A server that takes pushes as Lichess does, and every change of a board; and a reader of the round's file as Lichess reads it.

use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};
use tokio::task::{JoinHandle, JoinSet};
use venue_tests::Venue;

use super::outlets::get;

type Bodies = Vec<(Instant, String, String)>;

/// What has been sent so far: when, to which end, the body.
#[derive(Clone, Default)]
pub(super) struct Heard(Arc<Mutex<Bodies>>);

impl Heard {
    pub(super) fn all(&self) -> Bodies {
        self.0
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .clone()
    }

    /// Notes a body; how many of its kind came before.
    fn note(&self, name: &str, body: String) -> usize {
        let mut heard = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        heard.push((Instant::now(), name.to_owned(), body));
        heard.iter().filter(|(_, other, _)| other == name).count() - 1
    }
}

/// The server; its port stays the same through a cut.
pub(super) struct Relay {
    port: u16,
    heard: Heard,
    serving: JoinHandle<()>,
}

impl Relay {
    pub(super) async fn start() -> Relay {
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port");
        let port = listener.local_addr().expect("bound").port();
        let heard = Heard::default();
        let serving = tokio::spawn(serve(listener, heard.clone()));
        Relay {
            port,
            heard,
            serving,
        }
    }

    pub(super) fn port(&self) -> u16 {
        self.port
    }

    pub(super) fn heard(&self) -> Heard {
        self.heard.clone()
    }

    /// The network is cut: nobody answers, and what was under way is lost.
    pub(super) fn cut(&self) {
        self.serving.abort();
    }

    pub(super) async fn open(&mut self) {
        let listener = TcpListener::bind(("127.0.0.1", self.port)).await;
        let listener = listener.expect("its own port");
        self.serving = tokio::spawn(serve(listener, self.heard.clone()));
    }

    /// The last push, and the file that is pulled, become what the record says.
    pub(super) async fn ends_with(&self, record: &str, venue: &Venue, web: u16) {
        let (mut tag, mut pulled) = (String::new(), String::new());
        let mut pushed = String::new();
        for _ in 0..120 {
            pull(web, &mut tag, &mut pulled).await;
            let last = self.heard.all().into_iter().rev();
            let mut last = last.filter(|(_, name, _)| name == "push");
            pushed = last.next().map(|(_, _, body)| body).unwrap_or_default();
            if [&pushed, &pulled]
                .iter()
                .all(|file| file.trim_end() == record.trim_end())
            {
                // Once more: nothing has changed, and that is all that is said.
                assert!(!pull(web, &mut tag, &mut pulled).await);
                return;
            }
            tokio::time::sleep(Duration::from_millis(500)).await;
        }
        let log = crate::faults::log(venue.data().parent().expect("a folder"), "hub.log");
        panic!("pushed {pushed}\npulled {pulled}\nrecord {record}\n{log}");
    }
}

impl Drop for Relay {
    fn drop(&mut self) {
        self.serving.abort();
    }
}

/// Asks for the round's file if it is another one than the last; says whether it was.
async fn pull(port: u16, tag: &mut String, file: &mut String) -> bool {
    let more = format!("If-None-Match: {tag}\r\n");
    let (head, body) = get(port, "/round/1.pgn", &more).await.expect("it answers");
    let head = head.to_ascii_lowercase();
    let said = head.lines().find_map(|line| line.strip_prefix("etag: "));
    let said = said.expect("a tag").to_owned();
    assert!(said.starts_with('"'), "a strong tag: {said}");
    if head.starts_with("http/1.1 304") {
        assert!(said == *tag && body.is_empty(), "{head}");
        return false;
    }
    assert!(head.starts_with("http/1.1 200"), "{head}");
    assert!(
        head.contains("content-type: application/x-chess-pgn; charset=utf-8"),
        "{head}"
    );
    (*tag, *file) = (said, body);
    true
}

async fn serve(listener: TcpListener, heard: Heard) {
    let mut connections = JoinSet::new();
    loop {
        if let Ok((stream, _)) = listener.accept().await {
            connections.spawn(converse(stream, heard.clone()));
        }
    }
}

/// Takes questions and answers them until the other end goes.
async fn converse(mut stream: TcpStream, heard: Heard) -> Option<()> {
    loop {
        let mut head = Vec::new();
        while !head.ends_with(b"\r\n\r\n") {
            head.push(stream.read_u8().await.ok()?);
        }
        let head = String::from_utf8_lossy(&head).to_ascii_lowercase();
        let length = head
            .lines()
            .find_map(|line| line.strip_prefix("content-length: "));
        let mut body = vec![0; length?.parse().ok()?];
        stream.read_exact(&mut body).await.ok()?;
        let body = String::from_utf8(body).expect("UTF-8");
        let answer = if head.starts_with("post /hook ") {
            heard.note("hook", body);
            ("204 No Content", String::new())
        } else {
            assert!(
                head.starts_with("post /api/broadcast/round/abcdefgh/push "),
                "{head}"
            );
            assert!(head.contains("authorization: bearer good"), "{head}");
            let games = body.matches("[Event ").count();
            match heard.note("push", body) {
                // Too much, once: what is sent then is sent again.
                1 => ("429 Too Many Requests\r\nretry-after: 1", String::new()),
                _ => ("200 OK", taken(games)),
            }
        };
        let (status, text) = answer;
        let length = text.len();
        let answer = format!("HTTP/1.1 {status}\r\ncontent-length: {length}\r\n\r\n{text}");
        stream.write_all(answer.as_bytes()).await.ok()?;
    }
}

fn taken(games: usize) -> String {
    let games = vec![r#"{"tags":{},"moves":1}"#; games].join(",");
    format!(r#"{{"games":[{games}]}}"#)
}
