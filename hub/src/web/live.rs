//! The live stream of a wall: every change as it comes, drawn once for all who look at it.

use std::collections::HashMap;
use std::convert::Infallible;
use std::sync::{Arc, PoisonError};
use std::time::Duration;

use axum::body::Body;
use axum::extract::State;
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};
use bytes::Bytes;
use futures_util::Stream;
use protocol::{HallBoard, TableId, Timestamp, encode};
use serde::Serialize;
use tokio::sync::OwnedSemaphorePermit;
use tokio::sync::broadcast::Receiver;
use tokio::sync::broadcast::error::RecvError;

use super::asked::Asked;
use super::overlay::{self, Element};
use super::page::{self, Size};
use super::server::Wall;
use super::tables::{Tables, no_list};
use crate::hall_channel::{News, Shown};

/// Messages made once for all listeners, by table, size and side: every listener is sent the same bytes.
pub(super) type Drawings = HashMap<(TableId, &'static str, bool), (u64, Bytes)>;

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
    round: u16,
    at: Timestamp,
    revision: u64,
    html: &'a str,
}

impl Wall {
    /// The element of a table as JSON for the page's script.
    fn part(&self, board: &HallBoard, drawn: Drawn, flip: bool) -> Bytes {
        self.once(board, drawn.word(), flip, || {
            let html = drawn.draw(board, flip);
            let part = Part {
                table: board.table,
                round: board.round,
                at: board.at,
                revision: board.revision,
                html: &html,
            };
            message(
                "part",
                &serde_json::to_vec(&part).expect("numbers and text"),
            )
        })
    }

    /// The board itself as JSON.
    fn json(&self, board: &HallBoard) -> Bytes {
        self.once(board, "json", false, || {
            let named = format!("board\nid: {}-{}", board.table, board.revision);
            message(&named, &encode(board))
        })
    }

    /// Makes a message once for each state of a board, however many look at it.
    fn once(
        &self,
        board: &HallBoard,
        word: &'static str,
        flip: bool,
        make: impl FnOnce() -> Bytes,
    ) -> Bytes {
        let mut parts = self.parts.lock().unwrap_or_else(PoisonError::into_inner);
        let (revision, made) = parts
            .entry((board.table, word, flip))
            .or_insert((u64::MAX, Bytes::new()));
        if *revision != board.revision {
            *made = make();
            *revision = board.revision;
        }
        made.clone()
    }
}

/// An event of the stream. JSON is one line.
fn message(event: &str, data: &[u8]) -> Bytes {
    [b"event: ", event.as_bytes(), b"\ndata: ", data, b"\n\n"]
        .concat()
        .into()
}

const NO_PART: &str =
    "there is no such part: small, large, board, clocks, names, move and ticker are\n";

/// A listener of the stream: what he wants and what he is owed.
struct Listener {
    wall: Wall,
    wanted: Tables,
    changes: Receiver<News>,
    drawn: Option<Drawn>,
    flip: bool,
    _place: OwnedSemaphorePermit,
    round: Option<u16>,
    backlog: Vec<Shown>,
    beat: tokio::time::Interval,
}

/// `/live`: `board` events with a HallBoard each, or, with `?part=small|large`, `part` events for the page's script; `gone` with the
/// number of a table that is no more; `beat` every five seconds with the hub's time. Begins with every board, or with those of `?boards=1-12`.
pub(super) async fn live(State(wall): State<Wall>, asked: Asked) -> Response {
    let drawn = Drawn::of(&asked.part);
    if drawn.is_none() && !asked.part.is_empty() {
        return (StatusCode::BAD_REQUEST, NO_PART).into_response();
    }
    if !Tables::is_list(&asked.boards) {
        return (StatusCode::BAD_REQUEST, no_list(&asked.boards) + "\n").into_response();
    }
    let Ok(place) = Arc::clone(&wall.places).try_acquire_owned() else {
        return (StatusCode::SERVICE_UNAVAILABLE, "too many viewers\n").into_response();
    };
    let changes = wall.changes();
    let backlog: Vec<Shown> = wall.boards().into_iter().rev().collect();
    let round = backlog.first().map(|b| b.round);
    let beat = tokio::time::interval(Duration::from_secs(5));
    let listener = Listener {
        wall,
        wanted: Tables::of(&asked.boards),
        changes,
        drawn,
        flip: asked.flip,
        _place: place,
        round,
        backlog,
        beat,
    };
    let headers = [
        (header::CONTENT_TYPE, "text/event-stream"),
        (header::ACCESS_CONTROL_ALLOW_ORIGIN, "*"),
        (header::CACHE_CONTROL, "no-store"),
    ];
    (headers, Body::from_stream(events(listener))).into_response()
}

fn events(listener: Listener) -> impl Stream<Item = Result<Bytes, Infallible>> {
    futures_util::stream::unfold(listener, |mut listener| async move {
        listener.next().await.map(|event| (Ok(event), listener))
    })
}

impl Listener {
    async fn next(&mut self) -> Option<Bytes> {
        loop {
            while let Some(board) = self.backlog.pop() {
                if let Some(event) = self.event(&board) {
                    return Some(event);
                }
            }
            let change = tokio::select! {
                _ = self.wall.closing.wait_for(|closing| *closing) => return None,
                _ = self.beat.tick() => {
                    let now = (self.wall.now)().0.to_string();
                    return Some(message("beat", now.as_bytes()));
                }
                change = self.changes.recv() => change,
            };
            match change {
                Ok(News::Gone(table)) if self.is_watched(table) => {
                    return Some(message("gone", table.to_string().as_bytes()));
                }
                Ok(News::Gone(_)) => {}
                Ok(News::Board(board)) => self
                    .backlog
                    .extend(self.wall.shows(&board).then_some(board)),
                Err(RecvError::Lagged(_)) => self.backlog = self.wall.boards(),
                Err(RecvError::Closed) => return None,
            }
        }
    }

    fn is_watched(&self, table: TableId) -> bool {
        self.wall.has(table) && self.wanted.has(table)
    }

    /// What a board means to him; nothing when he did not ask for it.
    fn event(&mut self, board: &Shown) -> Option<Bytes> {
        if self
            .round
            .replace(board.round)
            .is_some_and(|before| before != board.round)
        {
            let round = board.round.to_string();
            return Some(message("round", round.as_bytes()));
        }
        if !self.wanted.has(board.table) {
            return None;
        }
        Some(match self.drawn {
            Some(drawn) => self.wall.part(board, drawn, self.flip),
            None => self.wall.json(board),
        })
    }
}
