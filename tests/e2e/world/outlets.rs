//! Everything that somebody outside the desk can read, read again and again, with the time at which it was read.

use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use protocol::Role;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio::task::JoinHandle;
use venue_tests::{Observer, Venue};

use super::Places;
use super::relay::Relay;

const PAGES: [&str; 19] = [
    "/",
    "/board/1",
    "/board/2",
    "/wall",
    "/overlay/board/1",
    "/overlay/clocks/1",
    "/overlay/move/1",
    "/overlay/ticker",
    "/round/1",
    "/round/1.pgn",
    "/board/1.pgn?form=e-pgn",
    "/event.pgn?form=livechess",
    "/get/event/tournament.json",
    "/get/event/round-1/index.json",
    "/get/event/round-1/game-1.json",
    "/get/event/round-1/game-2.json",
    "/live",
    "/nowhere",
    "/board/77",
];

/// What each audience is given that says moves: here a mark has to be seen at last.
const SEEN: [&str; 9] = [
    "web /board/",
    "web /round/1.pgn",
    "web /live",
    "web /get/event/round-1/",
    "web api",
    "web file round-1/board-",
    "web file livechess/round-1/game",
    "web push",
    "web hook",
];

/// A text that somebody could read.
struct Said {
    at: Instant,
    name: String,
    text: String,
}

/// Something that is said for the first time after a moment.
pub(super) struct Mark {
    words: Vec<String>,
    pub(super) at: Instant,
}

/// The texts, and who reads them.
pub(super) struct Outlets {
    said: Arc<Mutex<Vec<Said>>>,
    relay: super::relay::Heard,
    readers: Vec<JoinHandle<()>>,
}

fn lock<T>(shared: &Mutex<T>) -> MutexGuard<'_, T> {
    shared.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The head and the body of an answer; a stream is read for a second.
pub(super) async fn get(port: u16, path: &str, more: &str) -> Option<(String, String)> {
    let mut stream = TcpStream::connect(("127.0.0.1", port)).await.ok()?;
    let question = format!("GET {path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n{more}\r\n");
    stream.write_all(question.as_bytes()).await.ok()?;
    let mut answer = Vec::new();
    let whole = stream.read_to_end(&mut answer);
    if let Ok(Err(_)) = tokio::time::timeout(Duration::from_secs(1), whole).await {
        return None;
    }
    let text = String::from_utf8_lossy(&answer).into_owned();
    let (head, body) = text.split_once("\r\n\r\n")?;
    Some((head.to_owned(), body.to_owned()))
}

fn files(folder: &Path) -> Vec<PathBuf> {
    let mut all = Vec::new();
    for entry in std::fs::read_dir(folder).into_iter().flatten().flatten() {
        let path = entry.path();
        if path.is_dir() {
            all.extend(files(&path));
        } else {
            all.push(path);
        }
    }
    all
}

/// The documents of the API that lead to another one, and those that they lead to.
async fn documents(port: u16) -> Vec<(String, String)> {
    let document = async |path: &str| {
        let answer = get(port, &format!("/api/v1.0/{path}"), "").await;
        answer.map(|(_, body)| body).unwrap_or_default()
    };
    let ids = |text: &str| -> Vec<String> {
        let parts = text.split("\"uuid\" : \"").skip(1);
        let ids = parts.filter_map(|part| part.split('"').next());
        ids.map(str::to_owned).collect()
    };
    let tournaments = document("tournaments").await;
    let mut all = vec![("eboards".to_owned(), document("eboards").await)];
    for id in ids(&tournaments) {
        let round = document(&format!("round/{id}/0")).await;
        for game in ids(&round) {
            all.push(("game".to_owned(), document(&format!("game/{game}")).await));
        }
        all.push(("round".to_owned(), round));
        let tournament = document(&format!("tournament/{id}")).await;
        all.push(("tournament".to_owned(), tournament));
    }
    all.push(("tournaments".to_owned(), tournaments));
    all
}

impl Outlets {
    /// Begins to read.
    pub(super) fn watch(venue: &Venue, places: &Places, relay: &Relay) -> Outlets {
        let said: Arc<Mutex<Vec<Said>>> = Arc::default();
        let mut outlets = Outlets {
            said,
            relay: relay.heard(),
            readers: Vec::new(),
        };
        let hall = venue.wall();
        let hall = hall
            .rsplit_once(':')
            .and_then(|(_, port)| port.parse().ok());
        for (audience, port) in [
            ("hall", hall.expect("a port")),
            ("web", places.web),
            ("two", places.two),
        ] {
            for page in PAGES {
                outlets.read(format!("{audience} {page}"), move || async move {
                    let answer = get(port, page, "").await;
                    answer
                        .into_iter()
                        .map(|(head, body)| (String::new(), head + &body))
                        .collect()
                });
            }
        }
        let api = places.api;
        outlets.read("web api ".to_owned(), move || documents(api));
        let folder = venue.data().join("feeds");
        outlets.read("web file ".to_owned(), move || {
            let name = |path: &Path| {
                let below = path.strip_prefix(&folder).unwrap_or(path);
                below.display().to_string()
            };
            let text = |path: PathBuf| Some((name(&path), std::fs::read_to_string(&path).ok()?));
            std::future::ready(files(&folder).into_iter().filter_map(text).collect())
        });
        let display = venue.login("screen", Role::Display).expect("a login");
        let screen = Observer::start(&display, "screen", &["hall/#", "world/#"]);
        outlets.read(String::new(), move || {
            let payloads = std::mem::take(&mut screen.seen().hall_payloads);
            let text = |(topic, payload): (String, Vec<u8>)| {
                let audience = ["web", "two"]
                    .into_iter()
                    .find(|a| topic.contains(&format!("/world/{a}/")));
                let name = format!("{} {topic}", audience.unwrap_or("hall"));
                (name, String::from_utf8_lossy(&payload).into_owned())
            };
            std::future::ready(payloads.into_iter().map(text).collect())
        });
        outlets
    }

    /// Reads an outlet every now and then, and keeps what is new.
    fn read<F, A>(&mut self, name: String, mut read: F)
    where
        F: FnMut() -> A + Send + 'static,
        A: Future<Output = Vec<(String, String)>> + Send,
    {
        let said = Arc::clone(&self.said);
        self.readers.push(tokio::spawn(async move {
            let mut before = Vec::new();
            loop {
                let texts = read().await;
                let at = Instant::now();
                let news = texts.iter().filter(|text| !before.contains(*text));
                let news = news.map(|(what, text)| Said {
                    at,
                    name: format!("{name}{what}"),
                    text: text.clone(),
                });
                lock(&said).extend(news);
                before = texts;
                tokio::time::sleep(Duration::from_millis(300)).await;
            }
        }));
    }

    /// Looks at everything that was said so far, pushes included.
    fn search<T>(&self, mut found: impl FnMut(&Said) -> Option<T>) -> Vec<T> {
        let mut all: Vec<T> = lock(&self.said).iter().filter_map(&mut found).collect();
        let pushed = self.relay.all().into_iter().map(|(at, name, text)| Said {
            at,
            name: format!("web {name}"),
            text,
        });
        all.extend(pushed.filter_map(|said| found(&said)));
        all
    }

    /// From now on something may be said that has not been said so far.
    pub(super) fn mark(&self, words: &[&str]) -> Mark {
        let words: Vec<String> = words.iter().map(|word| (*word).to_owned()).collect();
        let says = |said: &Said| words.iter().any(|word| said.text.contains(word));
        let early = self.search(|said| says(said).then(|| said.name.clone()));
        assert!(early.is_empty(), "{words:?} is said already: {early:?}");
        Mark {
            words,
            at: Instant::now(),
        }
    }

    /// When one of the words was first said to an audience, and where.
    pub(super) fn first_in(&self, audience: &str, mark: &Mark) -> Option<(Instant, String)> {
        let says = |said: &Said| mark.words.iter().any(|word| said.text.contains(word));
        let found = self.search(|said| {
            let found = said.name.starts_with(audience) && says(said);
            found.then(|| (said.at, said.name.clone()))
        });
        found.into_iter().min()
    }

    /// Waits until every outlet of the audience outside has said it, and none has before the delay was over.
    pub(super) async fn seen_after(&self, mark: &Mark, delay: Duration) {
        let mut missing = Vec::new();
        for _ in 0..120 {
            let seen = |name: &&&str| self.first_in(name, mark).is_none();
            missing = SEEN.iter().filter(seen).collect();
            if missing.is_empty() {
                break;
            }
            tokio::time::sleep(Duration::from_millis(500)).await;
        }
        assert!(
            missing.is_empty(),
            "{:?} is not said by {missing:?}",
            mark.words
        );
        let (at, name) = self.first_in("web", mark).expect("seen");
        let after = at - mark.at;
        assert!(
            after >= delay,
            "{name} says {:?} after {after:?}",
            mark.words
        );
    }

    /// No outlet of any audience has said one of these words.
    pub(super) fn said_nothing_of(&self, words: &[&str]) {
        let mut read = 0;
        self.search(|Said { name, text, .. }| {
            read += 1;
            for word in words {
                assert!(!text.contains(word), "{name} says {word}: {text}");
            }
            None::<()>
        });
        assert!(read > 500, "enough was read: {read}");
    }
}

impl Drop for Outlets {
    fn drop(&mut self) {
        self.readers.iter().for_each(JoinHandle::abort);
    }
}
