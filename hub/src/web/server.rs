//! HTTP for the wall page: pages, PGN and one live stream. Given released boards and nothing else.

use std::collections::HashMap;
use std::convert::Infallible;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use axum::Router;
use axum::extract::{Path, Query, State};
use axum::http::{HeaderMap, HeaderValue, StatusCode, header};
use axum::response::sse::{Event, Sse};
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use futures_util::Stream;
use protocol::{HallBoard, TableId, Timestamp};
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use tokio::net::TcpListener;
use tokio::sync::broadcast::Receiver;
use tokio::sync::broadcast::error::RecvError;
use tokio::sync::{OwnedSemaphorePermit, Semaphore, watch};

use super::overlay::{self, Element, Overlay};
use super::page::{self, Head, Look, Size, Theme};
use super::serving::serve_router;
use crate::feeds::{CloudSettings, livechess_cloud, pgn};
use crate::hall_channel::{HallChannel, Shown};

/// What one listener serves: the boards of its audience.
#[derive(Clone)]
pub struct Wall {
    boards: HallChannel,
    now: fn() -> Timestamp,
    parts: Arc<Mutex<Parts>>,
    closing: watch::Receiver<bool>,
    places: Arc<Semaphore>,
}

/// Viewers with a live stream at once, for each wall.
const VIEWERS: usize = 4_000;

impl Wall {
    /// A wall that shows these boards; `now` reads the hub's clock.
    pub fn new(boards: HallChannel, now: fn() -> Timestamp) -> Wall {
        Wall {
            boards,
            now,
            parts: Arc::default(),
            closing: watch::channel(false).1,
            places: Arc::new(Semaphore::new(VIEWERS)),
        }
    }

    fn head(&self, boards: &[Shown]) -> Head {
        let first = boards.first();
        Head {
            event: first.map_or(String::new(), |b| b.event.clone()),
            round: first.map_or(0, |b| b.round),
            delay: first.map_or_else(|| "live".to_owned(), |b| b.audience().words()),
            now: (self.now)(),
            earlier: self.boards.earlier(),
            past: false,
        }
    }

    /// The head of a round, this one or an earlier one.
    fn head_of(&self, boards: &[Shown]) -> Head {
        let now = self.boards.boards().first().map(|b| b.round);
        let round = boards.first().map(|b| b.round);
        Head {
            past: round.is_some() && round != now,
            ..self.head(boards)
        }
    }
}

/// Serves the wall until `shutdown` is done; streams then end by themselves.
///
/// # Errors
/// When the listener fails.
pub async fn serve(
    listener: TcpListener,
    wall: Wall,
    shutdown: impl Future<Output = ()> + Send + 'static,
) -> std::io::Result<()> {
    let (close, closing) = watch::channel(false);
    let router = router(Wall { closing, ..wall });
    let stopping = async move {
        shutdown.await;
        close.send_replace(true);
    };
    serve_router(listener, router, stopping).await
}

fn router(wall: Wall) -> Router {
    Router::new()
        .route("/", get(round))
        .route("/board/{table}", get(board))
        .route("/wall", get(projector))
        .route("/round/{round}", get(any_round))
        .route("/overlay/{element}", get(overlay))
        .route("/overlay/{element}/{table}", get(overlay_of))
        .route("/event.pgn", get(event_pgn))
        .route("/get/{id}/{*path}", get(cloud))
        .route("/qr.svg", get(qr))
        .route("/live", get(live))
        .route("/assets/live.js", get(script))
        .fallback(missing)
        .with_state(wall)
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct Asked {
    flip: u8,
    theme: String,
    boards: String,
    page: usize,
    part: String,
    round: Option<u16>,
    r#type: String,
    form: String,
    #[serde(rename = "hideClock")]
    hide_clock: u8,
    scale: Option<f32>,
}

impl Asked {
    fn look(&self) -> Look {
        let theme = match self.theme.as_str() {
            "dark" => Some(Theme::Dark),
            "light" => Some(Theme::Light),
            "contrast" => Some(Theme::Contrast),
            _ => None,
        };
        Look {
            flip: self.flip == 1,
            theme,
            large: self.r#type == "large",
        }
    }

    fn overlay(&self) -> Overlay {
        Overlay {
            look: self.look(),
            hide_clock: self.hide_clock == 1,
            scale: self.scale.unwrap_or(1.0),
        }
    }

    /// Games in the form that is asked for: clean, or as LiveChess writes them.
    fn pgn(&self, boards: &[&HallBoard]) -> String {
        let boards = boards.iter().copied();
        match self.form.as_str() {
            "livechess" => pgn::livechess_games(boards),
            _ => pgn::games(boards),
        }
    }
}

fn plain(boards: &[Shown]) -> Vec<&HallBoard> {
    boards.iter().map(|b| &***b).collect()
}

async fn round(State(wall): State<Wall>, Query(asked): Query<Asked>) -> Response {
    let boards = wall.boards.boards();
    html(
        StatusCode::OK,
        page::round_page(&wall.head(&boards), &plain(&boards), &asked.look()),
    )
}

async fn projector(State(wall): State<Wall>, Query(asked): Query<Asked>) -> Response {
    let boards = wall.boards.boards();
    let all = plain(&boards);
    let chosen = page::chosen(&asked.boards, &all);
    let shown: Vec<&HallBoard> = all
        .into_iter()
        .filter(|b| chosen.contains(&b.table))
        .collect();
    html(
        StatusCode::OK,
        page::wall_page(&wall.head(&boards), &shown, &asked.look(), asked.page),
    )
}

/// A name, and whether it asked for the PGN file.
fn without_pgn(name: &str) -> (&str, bool) {
    name.strip_suffix(".pgn")
        .map_or((name, false), |n| (n, true))
}

/// `/board/12` and `/board/12.pgn`.
async fn board(
    State(wall): State<Wall>,
    Path(name): Path<String>,
    Query(asked): Query<Asked>,
    headers: HeaderMap,
) -> Response {
    let (number, as_pgn) = without_pgn(&name);
    let boards = match asked.round {
        Some(round) => wall.boards.round(round),
        None => wall.boards.boards(),
    };
    let found = number
        .parse::<TableId>()
        .ok()
        .and_then(|table| boards.iter().find(|b| b.table == table));
    match found {
        None => not_here(&wall, "There is no such board in this round."),
        Some(board) if as_pgn => pgn_file(&headers, asked.pgn(&[board])),
        Some(board) => html(
            StatusCode::OK,
            page::board_page(&wall.head_of(&boards), board, &asked.look()),
        ),
    }
}

/// `/round/5` and `/round/5.pgn`, of this round and of earlier ones.
async fn any_round(
    State(wall): State<Wall>,
    Path(name): Path<String>,
    Query(asked): Query<Asked>,
    headers: HeaderMap,
) -> Response {
    let (number, as_pgn) = without_pgn(&name);
    let round = number.parse::<u16>().ok();
    let boards = round.map_or_else(Vec::new, |round| wall.boards.round(round));
    match (boards.is_empty(), as_pgn) {
        (true, _) => not_here(&wall, "There is no such round here."),
        (false, true) => pgn_file(&headers, asked.pgn(&plain(&boards))),
        (false, false) => html(
            StatusCode::OK,
            page::round_page(&wall.head_of(&boards), &plain(&boards), &asked.look()),
        ),
    }
}

/// All rounds in one file.
async fn event_pgn(
    State(wall): State<Wall>,
    Query(asked): Query<Asked>,
    headers: HeaderMap,
) -> Response {
    let boards = wall.boards.all();
    pgn_file(&headers, asked.pgn(&plain(&boards)))
}

/// `/overlay/ticker` and the like: all tables, or those of `?boards=`.
async fn overlay(
    State(wall): State<Wall>,
    Path(word): Path<String>,
    Query(asked): Query<Asked>,
) -> Response {
    lay_over(&wall, &word, &asked.boards, &asked)
}

/// `/overlay/board/12`.
async fn overlay_of(
    State(wall): State<Wall>,
    Path((word, table)): Path<(String, String)>,
    Query(asked): Query<Asked>,
) -> Response {
    lay_over(&wall, &word, &table, &asked)
}

fn lay_over(wall: &Wall, word: &str, tables: &str, asked: &Asked) -> Response {
    let Some(element) = Element::of(word) else {
        return not_here(
            wall,
            "There is no such element: board, clocks, move and ticker are.",
        );
    };
    let boards = wall.boards.boards();
    let all = plain(&boards);
    let chosen = page::chosen(tables, &all);
    let shown: Vec<&HallBoard> = all
        .into_iter()
        .filter(|b| chosen.contains(&b.table))
        .collect();
    let head = wall.head(&boards);
    html(
        StatusCode::OK,
        overlay::overlay_page(&head, element, &shown, &asked.overlay()),
    )
}

/// The documents of LiveChess Cloud, under whatever name the reader gives the event.
async fn cloud(
    State(wall): State<Wall>,
    Path((id, path)): Path<(String, String)>,
    headers: HeaderMap,
) -> Response {
    let settings = CloudSettings {
        id,
        ..CloudSettings::default()
    };
    match livechess_cloud::document(&wall.boards.all(), &settings, &path) {
        Some(text) => file(&headers, text, "application/json; charset=utf-8"),
        None => (StatusCode::NOT_FOUND, "there is no such document\n").into_response(),
    }
}

/// The address of this wall as the reader knows it.
async fn qr(headers: HeaderMap) -> Response {
    let host = headers.get(header::HOST).and_then(|h| h.to_str().ok());
    let svg = host.and_then(|host| super::qr::qr_svg(&format!("http://{host}/")));
    match svg {
        Some(svg) => ([(header::CONTENT_TYPE, "image/svg+xml")], svg).into_response(),
        None => (StatusCode::NOT_FOUND, "no address to show\n").into_response(),
    }
}

async fn script() -> Response {
    let headers = [
        (header::CONTENT_TYPE, "text/javascript; charset=utf-8"),
        (header::CACHE_CONTROL, "max-age=300"),
    ];
    (headers, include_str!("assets/live.js")).into_response()
}

async fn missing(State(wall): State<Wall>) -> Response {
    not_here(&wall, "There is no such page.")
}

fn not_here(wall: &Wall, what: &str) -> Response {
    html(
        StatusCode::NOT_FOUND,
        page::missing_page(&wall.head(&wall.boards.boards()), what),
    )
}

/// No script but ours, nothing from other hosts, no frames of strangers around it.
const POLICY: &str = "default-src 'none'; script-src 'self'; connect-src 'self'; style-src 'unsafe-inline'; img-src 'self' data:";

fn html(status: StatusCode, text: String) -> Response {
    let headers = [
        (header::CONTENT_TYPE, "text/html; charset=utf-8"),
        (header::CACHE_CONTROL, "no-store"),
        (header::CONTENT_SECURITY_POLICY, POLICY),
        (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
    ];
    (status, headers, text).into_response()
}

fn pgn_file(asked: &HeaderMap, text: String) -> Response {
    file(asked, text, "application/x-chess-pgn; charset=utf-8")
}

/// A file with a strong ETag; 304 when the reader has it already.
fn file(asked: &HeaderMap, text: String, kind: &'static str) -> Response {
    let digest = Sha256::digest(text.as_bytes());
    let tag: String = digest
        .iter()
        .take(16)
        .map(|byte| format!("{byte:02x}"))
        .collect();
    let tag = format!("\"{tag}\"");
    let etag = HeaderValue::from_str(&tag).expect("hex digits in quotes");
    if has_it(asked, &tag) {
        return (StatusCode::NOT_MODIFIED, [(header::ETAG, etag)]).into_response();
    }
    let headers = [
        (header::CONTENT_TYPE, HeaderValue::from_static(kind)),
        (header::CACHE_CONTROL, HeaderValue::from_static("no-cache")),
        (
            header::ACCESS_CONTROL_ALLOW_ORIGIN,
            HeaderValue::from_static("*"),
        ),
        (header::ETAG, etag),
    ];
    (headers, text).into_response()
}

fn has_it(asked: &HeaderMap, tag: &str) -> bool {
    let known = asked
        .get(header::IF_NONE_MATCH)
        .and_then(|v| v.to_str().ok())
        .unwrap_or("");
    known
        .split(',')
        .map(|one| one.trim().trim_start_matches("W/"))
        .any(|one| one == tag || one == tag.trim_matches('"') || one == "*")
}

/// Elements drawn once for all listeners, by table, size and side.
type Parts = HashMap<(TableId, &'static str, bool), (u64, Arc<str>)>;

/// What a part of a page is drawn as.
#[derive(Debug, Clone, Copy)]
enum Drawn {
    Table(Size),
    Overlay(Element),
}

impl Drawn {
    fn of(word: &str) -> Option<Drawn> {
        match word {
            "small" => Some(Drawn::Table(Size::Small)),
            "large" => Some(Drawn::Table(Size::Large)),
            word => Element::of(word).map(Drawn::Overlay),
        }
    }

    fn word(self) -> &'static str {
        match self {
            Drawn::Table(size) => size.word(),
            Drawn::Overlay(element) => element.word(),
        }
    }

    fn draw(self, board: &HallBoard, flip: bool) -> String {
        match self {
            Drawn::Table(size) => page::part(board, size, flip),
            Drawn::Overlay(element) => overlay::element(element, board, flip),
        }
    }
}

#[derive(Serialize)]
struct Part<'a> {
    table: TableId,
    revision: u64,
    html: &'a str,
}

impl Wall {
    /// The element of a table as JSON for the page's script.
    fn part(&self, board: &HallBoard, drawn: Drawn, flip: bool) -> Arc<str> {
        self.once(board, drawn.word(), flip, || {
            let html = drawn.draw(board, flip);
            let part = Part {
                table: board.table,
                revision: board.revision,
                html: &html,
            };
            serde_json::to_string(&part).expect("numbers and text")
        })
    }

    /// The board itself as JSON.
    fn json(&self, board: &HallBoard) -> Arc<str> {
        self.once(board, "json", false, || {
            String::from_utf8(protocol::encode(board)).expect("JSON is UTF-8")
        })
    }

    /// Makes a text once for each state of a board, however many look at it.
    fn once(
        &self,
        board: &HallBoard,
        word: &'static str,
        flip: bool,
        make: impl FnOnce() -> String,
    ) -> Arc<str> {
        let mut parts = self.parts.lock().unwrap_or_else(PoisonError::into_inner);
        let (revision, text) = parts
            .entry((board.table, word, flip))
            .or_insert((u64::MAX, Arc::from("")));
        if *revision != board.revision {
            *text = make().into();
            *revision = board.revision;
        }
        Arc::clone(text)
    }
}

/// A listener of the stream: what he wants and what he is owed.
struct Listener {
    wall: Wall,
    changes: Receiver<Shown>,
    drawn: Option<Drawn>,
    flip: bool,
    _place: OwnedSemaphorePermit,
    round: Option<u16>,
    backlog: Vec<Shown>,
    beat: tokio::time::Interval,
}

/// `/live`: `board` events with a HallBoard each, or, with `?part=small|large`, `part` events for the page's script; `beat`
/// every five seconds with the hub's time. Begins with every board.
async fn live(State(wall): State<Wall>, Query(asked): Query<Asked>) -> Response {
    let drawn = Drawn::of(&asked.part);
    let Ok(place) = Arc::clone(&wall.places).try_acquire_owned() else {
        return (StatusCode::SERVICE_UNAVAILABLE, "too many viewers\n").into_response();
    };
    let changes = wall.boards.changes();
    let backlog: Vec<Shown> = wall.boards.boards().into_iter().rev().collect();
    let round = backlog.first().map(|b| b.round);
    let beat = tokio::time::interval(Duration::from_secs(5));
    let listener = Listener {
        wall,
        changes,
        drawn,
        flip: asked.flip == 1,
        _place: place,
        round,
        backlog,
        beat,
    };
    let headers = [
        (header::ACCESS_CONTROL_ALLOW_ORIGIN, "*"),
        (header::CACHE_CONTROL, "no-store"),
    ];
    (headers, Sse::new(events(listener))).into_response()
}

fn events(listener: Listener) -> impl Stream<Item = Result<Event, Infallible>> {
    futures_util::stream::unfold(listener, |mut listener| async move {
        listener.next().await.map(|event| (Ok(event), listener))
    })
}

impl Listener {
    async fn next(&mut self) -> Option<Event> {
        loop {
            if let Some(board) = self.backlog.pop() {
                return Some(self.event(&board));
            }
            tokio::select! {
                _ = self.wall.closing.wait_for(|closing| *closing) => return None,
                _ = self.beat.tick() => return Some(Event::default().event("beat").data((self.wall.now)().0.to_string())),
                change = self.changes.recv() => match change {
                    Ok(board) => self.backlog.push(board),
                    Err(RecvError::Lagged(_)) => self.backlog = self.wall.boards.boards(),
                    Err(RecvError::Closed) => return None,
                },
            }
        }
    }

    fn event(&mut self, board: &Shown) -> Event {
        if self
            .round
            .replace(board.round)
            .is_some_and(|before| before != board.round)
        {
            return Event::default()
                .event("round")
                .data(board.round.to_string());
        }
        match self.drawn {
            Some(drawn) => Event::default()
                .event("part")
                .data(&*self.wall.part(board, drawn, self.flip)),
            None => Event::default()
                .event("board")
                .id(format!("{}-{}", board.table, board.revision))
                .data(&*self.wall.json(board)),
        }
    }
}
