//! The listener: one address, plain HTTP and WebSocket, other sites by the list alone, clients that do not listen sent away.

use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use axum::extract::ws::rejection::WebSocketUpgradeRejection;
use axum::extract::ws::{Message, WebSocket, WebSocketUpgrade};
use axum::extract::{Path, Request, State};
use axum::http::{HeaderMap, HeaderName, HeaderValue, Method, StatusCode, header};
use axum::middleware::{self, Next};
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use protocol::livechess::{House, Session, allowed};
use tokio::net::TcpListener;
use tokio::sync::{Semaphore, watch};

use super::Beside;
use super::door::serve_router;
use crate::time::Clock;

/// A longer question is none.
const QUESTION: usize = 64 * 1024;
/// More is not kept for a client that asks and does not listen; the boards of a large hall are a tenth of it.
const ANSWERS: usize = 4 * 1024 * 1024;
/// A client that takes no answer for so long is sent away.
const PATIENCE: Duration = Duration::from_secs(10);
/// Clients at once: programs on one computer.
const CLIENTS: usize = 32;

#[derive(Clone)]
struct Serving {
    boards: Beside,
    clock: Clock,
    origins: Arc<[String]>,
    places: Arc<Semaphore>,
    stop: watch::Receiver<bool>,
}

/// Serves the boards until `stop` turns true.
pub async fn serve(
    listener: TcpListener,
    boards: Beside,
    clock: Clock,
    origins: Vec<String>,
    stop: watch::Receiver<bool>,
) {
    let serving = Serving {
        boards,
        clock,
        origins: origins.into(),
        places: Arc::new(Semaphore::new(CLIENTS)),
        stop: stop.clone(),
    };
    let router = Router::new()
        .route("/api/v1.0", get(socket))
        .route("/api/v1.0/{*resource}", get(resource))
        .layer(middleware::from_fn_with_state(serving.clone(), gate))
        .with_state(serving);
    serve_router(listener, router, stop).await;
}

/// Lets in who may come in, and answers browsers that ask first.
async fn gate(State(serving): State<Serving>, request: Request, next: Next) -> Response {
    let origin = text(request.headers(), &header::ORIGIN);
    let host = text(request.headers(), &header::HOST);
    if !allowed(origin.as_deref(), host.as_deref(), &serving.origins) {
        let words = "this site may not connect; add it to origins in [livechess] of agent.toml\n";
        return (StatusCode::FORBIDDEN, words).into_response();
    }
    let mut response = if request.method() == Method::OPTIONS {
        StatusCode::NO_CONTENT.into_response()
    } else {
        next.run(request).await
    };
    if let Some(origin) = origin.and_then(|o| HeaderValue::from_str(&o).ok()) {
        let headers = response.headers_mut();
        headers.insert(header::ACCESS_CONTROL_ALLOW_ORIGIN, origin);
        headers.insert(header::VARY, HeaderValue::from_static("Origin"));
        let private = HeaderName::from_static("access-control-allow-private-network");
        headers.insert(private, HeaderValue::from_static("true"));
    }
    response
}

fn text(headers: &HeaderMap, name: &HeaderName) -> Option<String> {
    let value = headers.get(name)?.to_str().ok()?;
    Some(value.to_owned())
}

async fn resource(State(serving): State<Serving>, Path(path): Path<String>) -> Response {
    let kind = [
        (header::CONTENT_TYPE, "application/json; charset=utf-8"),
        (header::CACHE_CONTROL, "no-store"),
    ];
    match serving.boards.document(&path) {
        Some(text) => (kind, text).into_response(),
        None => (StatusCode::NOT_FOUND, "there is no such resource\n").into_response(),
    }
}

async fn socket(
    State(serving): State<Serving>,
    upgrade: Result<WebSocketUpgrade, WebSocketUpgradeRejection>,
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
            talk(socket, serving).await;
            drop(place);
        })
}

/// Until the client goes, breaks the rules, or stops listening.
async fn talk(mut socket: WebSocket, serving: Serving) {
    let mut session = Session::default();
    let mut news = serving.boards.0.watch();
    let mut stop = serving.stop.clone();
    loop {
        let answers = tokio::select! {
            message = socket.recv() => match message {
                Some(Ok(Message::Text(text))) => {
                    texts(session.hear(&text, &serving.boards, serving.clock.timestamp()))
                }
                Some(Ok(Message::Ping(word))) => vec![Message::Pong(word)],
                Some(Ok(Message::Pong(_) | Message::Binary(_))) => Vec::new(),
                Some(Ok(Message::Close(_)) | Err(_)) | None => return,
            },
            changed = news.changed() => match changed {
                Ok(()) => texts(session.news(&serving.boards, serving.clock.timestamp())),
                Err(_) => return,
            },
            _ = stop.changed() => return,
        };
        // Nothing more is read until every answer, that to a ping too, is on its way.
        for answer in answers {
            let sent = socket.send(answer);
            if !matches!(tokio::time::timeout(PATIENCE, sent).await, Ok(Ok(()))) {
                return;
            }
        }
    }
}

fn texts(texts: Vec<String>) -> Vec<Message> {
    let text = |text: String| Message::Text(text.into());
    texts.into_iter().map(text).collect()
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
        let (_running, stop) = watch::channel(false);
        let boards = Beside(crate::exchange::Exchange::default());
        tokio::spawn(serve(listener, boards, Clock::start(), Vec::new(), stop));
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
