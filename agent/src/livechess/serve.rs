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
use super::door::Door;
use crate::time::Clock;

/// A longer question is none.
const QUESTION: usize = 64 * 1024;
/// More is not kept for a client that asks and does not listen; the boards of a large hall are a tenth of it.
const ANSWERS: usize = 4 * 1024 * 1024;
/// A client that takes no text for so long is sent away.
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
    if let Err(error) = axum::serve(Door::new(listener), router)
        .with_graceful_shutdown(stopped(stop))
        .await
    {
        tracing::error!("A60 the LiveChess API ended: {error}");
    }
}

async fn stopped(mut stop: watch::Receiver<bool>) {
    if stop.wait_for(|stop| *stop).await.is_err() {
        tracing::trace!("nobody holds the agent any more");
    }
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
        let texts = tokio::select! {
            message = socket.recv() => match message {
                Some(Ok(Message::Text(text))) => {
                    session.hear(&text, &serving.boards, serving.clock.timestamp())
                }
                Some(Ok(Message::Ping(_) | Message::Pong(_) | Message::Binary(_))) => Vec::new(),
                Some(Ok(Message::Close(_)) | Err(_)) | None => return,
            },
            changed = news.changed() => match changed {
                Ok(()) => session.news(&serving.boards, serving.clock.timestamp()),
                Err(_) => return,
            },
            _ = stop.changed() => return,
        };
        for text in texts {
            let sent = socket.send(Message::Text(text.into()));
            if !matches!(tokio::time::timeout(PATIENCE, sent).await, Ok(Ok(()))) {
                return;
            }
        }
    }
}
