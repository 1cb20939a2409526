//! The listener: one address, plain HTTP and WebSocket, other sites by the list alone, clients that do not listen sent away.

use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use axum::extract::ws::{Message, WebSocket, WebSocketUpgrade};
use axum::extract::{Path, Request, State};
use axum::http::{HeaderMap, HeaderName, HeaderValue, Method, StatusCode, header};
use axum::middleware::{self, Next};
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use protocol::Timestamp;
use protocol::livechess::{Session, allowed};
use tokio::net::TcpListener;
use tokio::sync::Semaphore;
use tokio::sync::broadcast::error::RecvError;

use super::documents::{Hall, document};
use crate::feeds::{ApiSettings, FeedHealth, Pauses, Subject};
use crate::hall_channel::HallChannel;
use crate::web::serve_router;

/// A longer question is none.
const QUESTION: usize = 64 * 1024;
/// More is not kept for a client that asks and does not listen; the boards of a large hall are a tenth of it.
const ANSWERS: usize = 4 * 1024 * 1024;
/// A client that takes no answer for so long is sent away.
const PATIENCE: Duration = Duration::from_secs(10);
/// Clients at once.
const CLIENTS: usize = 256;

/// What the listener serves.
#[derive(Clone)]
pub(crate) struct Api {
    pub(crate) boards: HallChannel,
    pub(crate) settings: ApiSettings,
    pub(crate) health: FeedHealth,
    pub(crate) pauses: Pauses,
    pub(crate) connections: usize,
    pub(crate) now: fn() -> Timestamp,
}

impl Api {
    fn hall<'a>(&'a self, boards: &'a [Subject]) -> Hall<'a> {
        Hall {
            boards,
            country: &self.settings.country,
        }
    }
}

#[derive(Clone)]
struct Serving {
    api: Arc<Api>,
    places: Arc<Semaphore>,
}

/// The name of the feed.
pub(crate) const NAME: &str = "livechess-api";

/// Serves until it is dropped.
///
/// # Errors
/// When the listener fails.
pub(crate) async fn serve(listener: TcpListener, api: Api) -> std::io::Result<()> {
    let connections = api.connections;
    let serving = Serving {
        api: Arc::new(api),
        places: Arc::new(Semaphore::new(CLIENTS)),
    };
    let router = Router::new()
        .route("/api/v1.0", get(socket))
        .route("/api/v1.0/{*resource}", get(resource))
        .fallback(|| async {
            (
                StatusCode::NOT_FOUND,
                "there is nothing here; try /api/v1.0/eboards\n",
            )
        })
        .layer(middleware::from_fn_with_state(serving.clone(), gate))
        .with_state(serving);
    serve_router(listener, router, connections, std::future::pending()).await
}

/// Lets in who may come in, and answers browsers that ask first.
async fn gate(State(serving): State<Serving>, request: Request, next: Next) -> Response {
    let api = &serving.api;
    let origin = text(request.headers(), &header::ORIGIN);
    let host = text(request.headers(), &header::HOST);
    if !allowed(origin.as_deref(), host.as_deref(), &api.settings.origins) {
        let words = "this site may not connect; add it to origins in [feeds.livechess_api]\n";
        return (StatusCode::FORBIDDEN, words).into_response();
    }
    if api.pauses.has(NAME) {
        return (StatusCode::SERVICE_UNAVAILABLE, "paused by the operator\n").into_response();
    }
    let mut response = if request.method() == Method::OPTIONS {
        StatusCode::NO_CONTENT.into_response()
    } else {
        next.run(request).await
    };
    if let Some(origin) = origin.and_then(|o| HeaderValue::from_str(&o).ok()) {
        open_to(response.headers_mut(), origin);
    }
    response
}

fn text(headers: &HeaderMap, name: &HeaderName) -> Option<String> {
    let value = headers.get(name)?.to_str().ok()?;
    Some(value.to_owned())
}

fn open_to(headers: &mut HeaderMap, origin: HeaderValue) {
    headers.insert(header::ACCESS_CONTROL_ALLOW_ORIGIN, origin);
    headers.insert(header::VARY, HeaderValue::from_static("Origin"));
    let private = HeaderName::from_static("access-control-allow-private-network");
    headers.insert(private, HeaderValue::from_static("true"));
}

async fn resource(State(serving): State<Serving>, Path(path): Path<String>) -> Response {
    let api = &serving.api;
    match document(&api.boards.all(), &api.settings.country, &path) {
        Some(text) => {
            api.health.delivered(NAME, (api.now)(), 1);
            let headers = [
                (header::CONTENT_TYPE, "application/json; charset=utf-8"),
                (header::CACHE_CONTROL, "no-store"),
            ];
            (headers, text).into_response()
        }
        None => (StatusCode::NOT_FOUND, "there is no such resource\n").into_response(),
    }
}

async fn socket(
    State(serving): State<Serving>,
    upgrade: Result<WebSocketUpgrade, axum::extract::ws::rejection::WebSocketUpgradeRejection>,
) -> Response {
    let Ok(upgrade) = upgrade else {
        let words = "connect by WebSocket, or ask for /api/v1.0/eboards\n";
        return (StatusCode::UPGRADE_REQUIRED, words).into_response();
    };
    let Ok(place) = Arc::clone(&serving.places).try_acquire_owned() else {
        return (StatusCode::SERVICE_UNAVAILABLE, "too many clients\n").into_response();
    };
    upgrade
        .max_message_size(QUESTION)
        .max_frame_size(QUESTION)
        .max_write_buffer_size(ANSWERS)
        .on_upgrade(move |socket| async move {
            talk(socket, &serving.api).await;
            drop(place);
        })
}

/// Until the client goes, breaks the rules, stops listening, or is paused.
async fn talk(mut socket: WebSocket, api: &Api) {
    let mut session = Session::default();
    let mut changes = api.boards.changes();
    loop {
        let answers = tokio::select! {
            message = socket.recv() => match message {
                Some(Ok(Message::Text(text))) => {
                    texts(session.hear(&text, &api.hall(&api.boards.all()), (api.now)()))
                }
                Some(Ok(Message::Ping(word))) => vec![Message::Pong(word)],
                Some(Ok(Message::Pong(_) | Message::Binary(_))) => Vec::new(),
                Some(Ok(Message::Close(_)) | Err(_)) | None => return,
            },
            change = changes.recv() => match change {
                Ok(_) | Err(RecvError::Lagged(_)) => {
                    changes = changes.resubscribe();
                    texts(session.news(&api.hall(&api.boards.all()), (api.now)()))
                }
                Err(RecvError::Closed) => return,
            },
        };
        if api.pauses.has(NAME) || !say(&mut socket, answers, api).await {
            return;
        }
    }
}

fn texts(texts: Vec<String>) -> Vec<Message> {
    let text = |text: String| Message::Text(text.into());
    texts.into_iter().map(text).collect()
}

/// Nothing more is read until every answer, that to a ping too, is on its way.
async fn say(socket: &mut WebSocket, answers: Vec<Message>, api: &Api) -> bool {
    for answer in answers {
        let is_text = matches!(answer, Message::Text(_));
        let sent = tokio::time::timeout(PATIENCE, socket.send(answer)).await;
        if !matches!(sent, Ok(Ok(()))) {
            return false;
        }
        if is_text {
            api.health.delivered(NAME, (api.now)(), 1);
        }
    }
    true
}

#[cfg(test)]
mod tests {
    use tokio::io::{AsyncReadExt, AsyncWriteExt};
    use tokio::net::TcpStream;

    use super::*;

    /// Pings of the greatest size, masked with zeros.
    const PINGS: usize = 500;
    /// More than both ends of a connection hold on their way.
    const TOO_MANY: usize = 1_000_000;

    async fn connected(address: std::net::SocketAddr) -> TcpStream {
        let mut stream = TcpStream::connect(address).await.expect("let in");
        let question = "GET /api/v1.0 HTTP/1.1\r\nHost: 127.0.0.1:1982\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\
            Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n";
        stream.write_all(question.as_bytes()).await.expect("sent");
        let mut head = Vec::new();
        while !head.ends_with(b"\r\n\r\n") {
            head.push(stream.read_u8().await.expect("answered"));
        }
        assert!(head.starts_with(b"HTTP/1.1 101 "));
        stream
    }

    #[tokio::test]
    async fn who_pings_and_takes_no_answer_is_not_listened_to_for_long() {
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port");
        let address = listener.local_addr().expect("bound");
        let folder = tempfile::tempdir().expect("a folder");
        let api = Api {
            boards: HallChannel::default(),
            settings: ApiSettings::default(),
            health: FeedHealth::default(),
            pauses: Pauses::open(folder.path()),
            connections: 5,
            now: || Timestamp(0),
        };
        tokio::spawn(serve(listener, api));
        let mut client = connected(address).await;
        let ping = [&[0x89, 0x80 | 125, 0, 0, 0, 0][..], &[b'x'; 125]].concat();
        client.write_all(&ping).await.expect("sent");
        let mut pong = [0; 127];
        client.read_exact(&mut pong).await.expect("answered");
        assert_eq!(
            (&pong[..2], &pong[2..]),
            (&[0x8A, 125][..], &ping[6..]),
            "one ping, one pong"
        );
        let many = ping.repeat(PINGS);
        let mut taken = 0;
        while taken < TOO_MANY && client.write_all(&many).await.is_ok() {
            taken += PINGS;
        }
        assert!(
            taken < TOO_MANY,
            "{taken} pings were read and not one answer taken"
        );
    }
}
