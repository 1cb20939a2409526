//! What is answered: pages that may load nothing from elsewhere, files with a strong ETag that are made once for all who ask.

use std::collections::HashMap;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::sync::{Arc, Mutex, PoisonError};

use axum::http::{HeaderMap, HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use bytes::Bytes;
use sha2::{Digest, Sha256};

use crate::hall_channel::Shown;

/// No script but ours and nothing from other hosts; the page of a club may show ours in a frame.
const POLICY: &str = "default-src 'none'; script-src 'self'; connect-src 'self'; style-src 'unsafe-inline'; img-src 'self' data:";

pub(super) fn html(status: StatusCode, text: String) -> Response {
    let headers = [
        (header::CONTENT_TYPE, "text/html; charset=utf-8"),
        (header::CACHE_CONTROL, "no-store"),
        (header::CONTENT_SECURITY_POLICY, POLICY),
        (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
    ];
    (status, headers, text).into_response()
}

/// A file, its tag, and the boards it was made of.
struct Made {
    of: u64,
    content: Bytes,
    tag: HeaderValue,
}

/// Files that were made for somebody, by name.
#[derive(Clone, Default)]
pub(super) struct Files(Arc<Mutex<HashMap<String, Made>>>);

/// More names than any reader has.
const NAMES: usize = 256;

impl Files {
    /// The file of this name from these boards, made anew when one of them has changed; 304 when the reader has it already.
    pub(super) fn answer(
        &self,
        asked: &HeaderMap,
        (name, kind): (String, &'static str),
        boards: &[Shown],
        make: impl FnOnce() -> Option<String>,
    ) -> Option<Response> {
        let of = mark(boards);
        let mut files = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if files.get(&name).is_none_or(|made| made.of != of) {
            if files.len() >= NAMES {
                files.clear();
            }
            let content = Bytes::from(make()?);
            let tag = tag(&content);
            files.insert(name.clone(), Made { of, content, tag });
        }
        let made = files.get(&name)?;
        Some(file(asked, made, kind))
    }
}

/// What tells these boards from the same boards at another time.
fn mark(boards: &[Shown]) -> u64 {
    let mut hasher = DefaultHasher::new();
    for board in boards {
        (board.round, board.table.0, board.revision).hash(&mut hasher);
    }
    hasher.finish()
}

fn tag(content: &[u8]) -> HeaderValue {
    let digest = Sha256::digest(content);
    let hex: String = digest.iter().take(16).map(|b| format!("{b:02x}")).collect();
    HeaderValue::from_str(&format!("\"{hex}\"")).expect("hex digits in quotes")
}

fn file(asked: &HeaderMap, made: &Made, kind: &'static str) -> Response {
    let tag = made.tag.clone();
    if has_it(asked, tag.to_str().unwrap_or_default()) {
        return (StatusCode::NOT_MODIFIED, [(header::ETAG, tag)]).into_response();
    }
    let headers = [
        (header::CONTENT_TYPE, HeaderValue::from_static(kind)),
        (header::CACHE_CONTROL, HeaderValue::from_static("no-cache")),
        (
            header::ACCESS_CONTROL_ALLOW_ORIGIN,
            HeaderValue::from_static("*"),
        ),
        (header::ETAG, tag),
    ];
    (headers, made.content.clone()).into_response()
}

fn has_it(asked: &HeaderMap, tag: &str) -> bool {
    let known = asked.get_all(header::IF_NONE_MATCH).into_iter();
    known
        .filter_map(|line| line.to_str().ok())
        .flat_map(|line| line.split(','))
        .map(|one| one.trim().trim_start_matches("W/"))
        .any(|one| one == tag || one == tag.trim_matches('"') || one == "*")
}
