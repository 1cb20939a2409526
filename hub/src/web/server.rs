//! HTTP for the wall page: pages, PGN and one live stream. Given released boards and nothing else.

use std::net::SocketAddr;
use std::sync::{Arc, Mutex};

use axum::Router;
use axum::extract::{FromRequestParts, Path, Query, State};
use axum::http::request::Parts;
use axum::http::{HeaderMap, StatusCode, header};
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use protocol::{HallBoard, TableId, Timestamp};
use tokio::net::TcpListener;
use tokio::sync::broadcast::Receiver;
use tokio::sync::{Semaphore, watch};

use super::answers::{Files, html};
use super::asked::{Asked, FORMS};
use super::live::{Drawings, live};
use super::overlay::{self, Element};
use super::page::{self, Head};
use super::projector::wall_page;
use super::reachable::reachable;
use super::serving::{CONNECTIONS, serve_router};
use super::standings::standings;
use super::tables::{Tables, chosen, complaint};
use super::teams;
use crate::feeds::{CloudSettings, livechess_cloud, pgn};
use crate::hall_channel::{HallChannel, News, Shown};

/// What one listener serves: the boards of its audience.
#[derive(Clone)]
pub struct Wall {
    channel: HallChannel,
    only: Tables,
    name: String,
    country: String,
    pub(super) now: fn() -> Timestamp,
    pub(super) parts: Arc<Mutex<Drawings>>,
    files: Files,
    pub(super) closing: watch::Receiver<bool>,
    connections: usize,
    pub(super) places: Arc<Semaphore>,
    listener: Option<SocketAddr>,
}

/// How many follow walls live: places of each wall, all and those that are free.
#[derive(Debug, Default)]
pub struct Viewers(Vec<(usize, Arc<Semaphore>)>);

impl Viewers {
    /// Counts those of this wall too.
    pub fn add(&mut self, wall: &Wall) {
        let places = viewers(wall.connections);
        self.0.push((places, Arc::clone(&wall.places)));
    }

    /// So many there are now.
    pub fn count(&self) -> u32 {
        let watching = |(all, free): &(usize, Arc<Semaphore>)| all - free.available_permits();
        let all: usize = self.0.iter().map(watching).sum();
        u32::try_from(all).unwrap_or(u32::MAX)
    }
}

/// Viewers with a live stream at once: of five connections to a wall four, so that pages and files can still be asked for.
fn viewers(connections: usize) -> usize {
    connections / 5 * 4
}

impl Wall {
    /// A wall that shows these boards; `now` reads the hub's clock.
    pub fn new(boards: HallChannel, now: fn() -> Timestamp) -> Wall {
        Wall {
            channel: boards,
            only: Tables::default(),
            name: String::new(),
            country: String::new(),
            now,
            parts: Arc::default(),
            files: Files::default(),
            closing: watch::channel(false).1,
            connections: CONNECTIONS,
            places: Arc::new(Semaphore::new(viewers(CONNECTIONS))),
            listener: None,
        }
    }

    /// A wall to which so many may connect at once.
    #[must_use]
    pub fn with_connections(self, connections: usize) -> Wall {
        let connections = connections.min(CONNECTIONS);
        Wall {
            connections,
            places: Arc::new(Semaphore::new(viewers(connections))),
            ..self
        }
    }

    /// The wall of one hall or section: these tables and no others, under a name of its own.
    #[must_use]
    pub fn of_tables(self, only: Tables, name: &str) -> Wall {
        Wall {
            only,
            name: name.to_owned(),
            ..self
        }
    }

    /// The event's country in two letters, for the documents of LiveChess Cloud.
    #[must_use]
    pub fn in_country(self, country: &str) -> Wall {
        Wall {
            country: country.to_owned(),
            ..self
        }
    }

    /// Whether this wall shows a board at all.
    pub(super) fn shows(&self, board: &Shown) -> bool {
        self.has(board.table)
    }

    /// Whether a table is one of this wall's.
    pub(super) fn has(&self, table: TableId) -> bool {
        self.only.has(table)
    }

    /// Its boards of the round, by table.
    pub(super) fn boards(&self) -> Vec<Shown> {
        self.of(self.channel.boards())
    }

    /// Every change from now on, of its boards and of others.
    pub(super) fn changes(&self) -> Receiver<News> {
        self.channel.changes()
    }

    fn round(&self, round: u16) -> Vec<Shown> {
        self.of(self.channel.round(round))
    }

    fn all(&self) -> Vec<Shown> {
        self.of(self.channel.all())
    }

    fn of(&self, mut boards: Vec<Shown>) -> Vec<Shown> {
        boards.retain(|board| self.shows(board));
        boards
    }

    fn head(&self, boards: &[Shown]) -> Head {
        let first = boards.first();
        let event = first.map_or("", |b| b.event.as_str());
        let names: Vec<&str> = [event, &self.name]
            .into_iter()
            .filter(|n| !n.is_empty())
            .collect();
        Head {
            event: names.join(", "),
            round: first.map_or(0, |b| b.round),
            delay: first.map_or_else(|| "live".to_owned(), |b| b.audience().words()),
            now: (self.now)(),
            earlier: self.channel.earlier(),
            past: false,
        }
    }

    /// The head of a round, this one or an earlier one.
    fn head_of(&self, boards: &[Shown]) -> Head {
        let now = self.channel.boards().first().map(|b| b.round);
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
    let connections = wall.connections;
    let router = router(Wall {
        closing,
        listener: listener.local_addr().ok(),
        ..wall
    });
    let stopping = async move {
        shutdown.await;
        close.send_replace(true);
    };
    serve_router(listener, router, connections, stopping).await
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
        .route("/assets/icon.svg", get(icon))
        .fallback(missing)
        .with_state(wall)
}

/// A query is read as pairs, so that one word that is not understood spoils nothing else.
impl<S: Send + Sync> FromRequestParts<S> for Asked {
    type Rejection = Response;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Asked, Response> {
        let pairs = Query::<Vec<(String, String)>>::from_request_parts(parts, state).await;
        let Query(pairs) = pairs.map_err(IntoResponse::into_response)?;
        Ok(Asked::of(&pairs))
    }
}

fn plain(boards: &[Shown]) -> Vec<&HallBoard> {
    boards.iter().map(|b| &***b).collect()
}

async fn round(State(wall): State<Wall>, asked: Asked) -> Response {
    let boards = wall.boards();
    html(
        StatusCode::OK,
        page::round_page(
            &wall.head(&boards),
            &plain(&boards),
            &asked.look(),
            &asked.section(),
        ),
    )
}

async fn projector(State(wall): State<Wall>, asked: Asked) -> Response {
    if let Some(complaint) = complaint(&asked.boards) {
        return refused(&wall, &complaint);
    }
    let boards = wall.boards();
    let shown = chosen_of(&asked.boards, &boards);
    html(
        StatusCode::OK,
        wall_page(&wall.head(&boards), &shown, &asked.look(), &asked.screen()),
    )
}

/// Those boards that a list asks for.
fn chosen_of<'a>(tables: &str, boards: &'a [Shown]) -> Vec<&'a HallBoard> {
    let all = plain(boards);
    let chosen = chosen(tables, &all);
    let is_chosen = |b: &&HallBoard| chosen.contains(&b.table);
    all.into_iter().filter(is_chosen).collect()
}

/// A name, and whether it asked for the PGN file.
fn without_pgn(name: &str) -> (&str, bool) {
    name.strip_suffix(".pgn")
        .map_or((name, false), |n| (n, true))
}

/// Games as a file with its tag; `name` tells it from the other files.
fn pgn_file(
    wall: &Wall,
    headers: &HeaderMap,
    name: &str,
    asked: &Asked,
    boards: &[Shown],
) -> Response {
    let Some(form) = asked.form() else {
        return (StatusCode::BAD_REQUEST, format!("{FORMS}\n")).into_response();
    };
    let kind = "application/x-chess-pgn; charset=utf-8";
    let file = (format!("{} {name}", form.word()), kind);
    let make = || Some(pgn::written(form, boards.iter().map(|b| &***b)));
    let answer = wall.files.answer(headers, file, boards, make);
    answer.unwrap_or_else(|| StatusCode::INTERNAL_SERVER_ERROR.into_response())
}

/// `/board/12` and `/board/12.pgn`.
async fn board(
    State(wall): State<Wall>,
    Path(name): Path<String>,
    asked: Asked,
    headers: HeaderMap,
) -> Response {
    let (number, as_pgn) = without_pgn(&name);
    let boards = match asked.round {
        Some(round) => wall.round(round),
        None => wall.boards(),
    };
    let found = number
        .parse::<TableId>()
        .ok()
        .and_then(|table| boards.iter().find(|b| b.table == table));
    match found {
        None => not_here(&wall, "There is no such board in this round."),
        Some(board) if as_pgn => {
            let name = format!("board {} {number}", board.round);
            pgn_file(&wall, &headers, &name, &asked, std::slice::from_ref(board))
        }
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
    asked: Asked,
    headers: HeaderMap,
) -> Response {
    let (number, as_pgn) = without_pgn(&name);
    let round = number.parse::<u16>().ok();
    let boards = round.map_or_else(Vec::new, |round| wall.round(round));
    match (boards.is_empty(), as_pgn) {
        (true, _) => not_here(&wall, "There is no such round here."),
        (false, true) => pgn_file(&wall, &headers, &format!("round {number}"), &asked, &boards),
        (false, false) => html(
            StatusCode::OK,
            page::round_page(
                &wall.head_of(&boards),
                &plain(&boards),
                &asked.look(),
                &asked.section(),
            ),
        ),
    }
}

/// All rounds in one file.
async fn event_pgn(State(wall): State<Wall>, asked: Asked, headers: HeaderMap) -> Response {
    let boards = wall.all();
    pgn_file(&wall, &headers, "event", &asked, &boards)
}

/// `/overlay/ticker` and the like: all tables, or those of `?boards=`.
async fn overlay(State(wall): State<Wall>, Path(word): Path<String>, asked: Asked) -> Response {
    lay_over(&wall, &word, &asked.boards, &asked)
}

/// `/overlay/board/12`.
async fn overlay_of(
    State(wall): State<Wall>,
    Path((word, table)): Path<(String, String)>,
    asked: Asked,
) -> Response {
    lay_over(&wall, &word, &table, &asked)
}

fn lay_over(wall: &Wall, word: &str, tables: &str, asked: &Asked) -> Response {
    if let Some(complaint) = complaint(tables) {
        return refused(wall, &complaint);
    }
    let boards = wall.boards();
    let shown = chosen_of(tables, &boards);
    let head = wall.head(&boards);
    let form = asked.overlay();
    let page = match (word, Element::of(word)) {
        (_, Some(element)) => overlay::overlay_page(&head, element, (&shown, tables), &form),
        ("teams", _) => {
            let table = teams::scores(&plain(&boards), &shown);
            overlay::summary_page(&head, word, &table, &form)
        }
        ("standings", _) => {
            let table = standings(&plain(&wall.all()), asked.screen().page);
            overlay::summary_page(&head, word, &table, &form)
        }
        _ => return not_here(wall, NO_ELEMENT),
    };
    html(StatusCode::OK, page)
}

const NO_ELEMENT: &str =
    "There is no such element: board, clocks, names, move, ticker, teams and standings are.";

/// The documents of LiveChess Cloud, under whatever name the reader gives the event.
async fn cloud(
    State(wall): State<Wall>,
    Path((id, path)): Path<(String, String)>,
    headers: HeaderMap,
) -> Response {
    let settings = CloudSettings {
        id,
        country: wall.country.clone(),
        ..CloudSettings::default()
    };
    let boards = wall.all();
    let name = format!("cloud {} {path}", settings.id);
    let kind = "application/json; charset=utf-8";
    let make = || livechess_cloud::document(&boards, &settings, &path);
    let answer = wall.files.answer(&headers, (name, kind), &boards, make);
    answer.unwrap_or_else(|| (StatusCode::NOT_FOUND, "there is no such document\n").into_response())
}

/// The address of this wall, or with `?board=12` of one of its boards, as the reader knows it.
async fn qr(State(wall): State<Wall>, headers: HeaderMap, asked: Asked) -> Response {
    let host = headers.get(header::HOST).and_then(|h| h.to_str().ok());
    let board = asked.boards.parse::<TableId>().ok();
    let path = board.map_or_else(String::new, |table| format!("board/{table}"));
    let host = host.map(|host| reachable(host, wall.listener));
    let svg = host.and_then(|host| super::qr::qr_svg(&format!("http://{host}/{path}")));
    match svg {
        Some(svg) => ([(header::CONTENT_TYPE, "image/svg+xml")], svg).into_response(),
        None => (StatusCode::NOT_FOUND, "no address to show\n").into_response(),
    }
}

async fn script() -> Response {
    let kind = "text/javascript; charset=utf-8";
    asset(kind, include_str!("assets/live.js"))
}

/// The sign of the page in a browser's tab.
async fn icon() -> Response {
    asset("image/svg+xml", include_str!("assets/icon.svg"))
}

fn asset(kind: &'static str, text: &'static str) -> Response {
    let headers = [
        (header::CONTENT_TYPE, kind),
        (header::CACHE_CONTROL, "max-age=300"),
    ];
    (headers, text).into_response()
}

async fn missing(State(wall): State<Wall>) -> Response {
    not_here(&wall, "There is no such page.")
}

fn not_here(wall: &Wall, what: &str) -> Response {
    sorry(wall, StatusCode::NOT_FOUND, what)
}

fn refused(wall: &Wall, what: &str) -> Response {
    sorry(wall, StatusCode::BAD_REQUEST, &format!("{what}."))
}

fn sorry(wall: &Wall, status: StatusCode, what: &str) -> Response {
    let head = wall.head(&wall.boards());
    html(status, page::missing_page(&head, what))
}
