//! Sends messages to other servers and reads their answers: ten seconds at most, no redirects, the system's certificates.

use std::time::Duration;

use axum::http::Request;
use axum::http::header::RETRY_AFTER;
use bytes::Bytes;
use http_body_util::{BodyExt, Full, Limited};
use hyper_rustls::{HttpsConnector, HttpsConnectorBuilder};
use hyper_util::client::legacy::Client;
use hyper_util::client::legacy::connect::HttpConnector;
use hyper_util::rt::TokioExecutor;
use protocol::Timestamp;

use super::{Answer, Feed, Post};

const LIMIT: Duration = Duration::from_secs(10);
/// No server is left alone for longer than this, whatever it says.
const LONGEST: Duration = Duration::from_mins(15);
/// More of an answer is not read.
const ANSWER: usize = 256 * 1024;

type Https = Client<HttpsConnector<HttpConnector>, Full<Bytes>>;

/// A client; clones share its connections.
#[derive(Clone)]
pub(super) struct Poster(Option<Https>);

impl Poster {
    /// A client; without the system's certificates it can reach nobody and says so.
    pub(super) fn new() -> Poster {
        let builder = HttpsConnectorBuilder::new().with_native_roots();
        let client = builder.map(|builder| {
            let connector = builder.https_or_http().enable_http1().build();
            Client::builder(TokioExecutor::new()).build(connector)
        });
        match client {
            Ok(client) => Poster(Some(client)),
            Err(error) => {
                tracing::warn!(
                    "H61 no certificates on this machine: {error} · help: install ca-certificates"
                );
                Poster(None)
            }
        }
    }

    /// Sends a message and says what came of it, and how long the other server wants to be left alone.
    pub(super) async fn send(
        &self,
        feed: &dyn Feed,
        post: &Post,
        now: Timestamp,
    ) -> (Answer, Option<Duration>) {
        match tokio::time::timeout(LIMIT, self.exchange(post)).await {
            Ok(Ok(said)) => {
                let wait = said.later.and_then(|later| wait(&later, now));
                (feed.answered(said.status, &said.body), wait)
            }
            Ok(Err(answer)) => (answer, None),
            Err(_) => {
                let words = "no answer within 10 seconds; tried again by itself \u{b7} help: look at this machine's way to the internet";
                (Answer::Later(words.to_owned()), None)
            }
        }
    }

    async fn exchange(&self, post: &Post) -> Result<Said, Answer> {
        let Some(client) = &self.0 else {
            return Err(Answer::Refused("there are no certificates on this machine · help: install ca-certificates and start the hub again".to_owned()));
        };
        let request = request(post)?;
        let later = |e: &dyn std::fmt::Display| {
            Answer::Later(format!(
                "cannot be reached: {e}; tried again by itself \u{b7} help: look at the address and at this machine's way there"
            ))
        };
        let response = client
            .request(request)
            .await
            .map_err(|e| later(&root(&e)))?;
        let status = response.status().as_u16();
        let later = response.headers().get(RETRY_AFTER);
        let later = later.and_then(|value| Some(value.to_str().ok()?.to_owned()));
        let body = Limited::new(response.into_body(), ANSWER).collect().await;
        let body = body
            .map(http_body_util::Collected::to_bytes)
            .unwrap_or_default();
        Ok(Said {
            status,
            later,
            body: String::from_utf8_lossy(&body).into_owned(),
        })
    }
}

/// What another server answers.
struct Said {
    status: u16,
    /// When it wants to be asked again, as it says it.
    later: Option<String>,
    body: String,
}

/// How long from now: seconds, or a date (RFC 9110, 10.2.3).
fn wait(later: &str, now: Timestamp) -> Option<Duration> {
    let seconds = later.trim().parse().ok().map(Duration::from_secs);
    let until = || {
        let date = jiff::fmt::rfc2822::parse(later).ok()?;
        let at = Timestamp(date.timestamp().as_millisecond());
        Some(Duration::from_millis(at.since(now)))
    };
    seconds.or_else(until).map(|wait| wait.min(LONGEST))
}

/// The innermost reason, which is the one that helps.
fn root(error: &dyn std::error::Error) -> String {
    let mut innermost = error;
    while let Some(source) = innermost.source() {
        innermost = source;
    }
    innermost.to_string()
}

fn request(post: &Post) -> Result<Request<Full<Bytes>>, Answer> {
    let mut builder = Request::post(&post.url)
        .header("user-agent", concat!("Zeitnot/", env!("CARGO_PKG_VERSION")))
        .header("content-type", post.content_type);
    if let Some(file) = &post.token_file {
        let token = std::fs::read_to_string(file).map_err(|e| {
            let file = file.display();
            Answer::Refused(format!("cannot read the token in {file}: {e} · help: put it there, readable by the hub alone"))
        })?;
        let token = token.trim();
        if token.is_empty() || !token.chars().all(|c| c.is_ascii_graphic()) {
            let file = file.display();
            return Err(Answer::Refused(format!(
                "what stands in {file} is no token · help: write the token there and nothing else, in one line"
            )));
        }
        builder = builder.header("authorization", format!("Bearer {token}"));
    }
    let body = Full::new(Bytes::from(post.content.clone()));
    builder.body(body).map_err(|e| {
        Answer::Refused(format!(
            "{}: {e} · help: look at the address and the token",
            post.url
        ))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_server_says_when_it_wants_to_be_asked_again() {
        // Monday, 30 November 2026, 21:00:00 UTC.
        let now = Timestamp(1_796_072_400_000);
        let rows = [
            ("3", Some(3)),
            (" 30 ", Some(30)),
            ("999999", Some(900)),
            ("Mon, 30 Nov 2026 21:00:20 GMT", Some(20)),
            ("Mon, 30 Nov 2026 20:00:00 GMT", Some(0)),
            ("soon", None),
            ("-1", None),
            ("", None),
        ];
        for (said, seconds) in rows {
            let want = seconds.map(Duration::from_secs);
            assert_eq!(wait(said, now), want, "{said:?}");
        }
    }
}
