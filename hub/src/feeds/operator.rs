//! The operator's page: how every feed is, when it delivered last, what is wrong and how to mend it, pause and resume.
//!
//! It listens where the configuration says and nowhere by itself, and takes orders only from its own page.

use std::time::Duration;

use axum::Router;
use axum::extract::{Form, Request, State};
use axum::http::{HeaderMap, HeaderValue, StatusCode, header};
use axum::middleware::{self, Next};
use axum::response::{Html, IntoResponse, Redirect, Response};
use axum::routing::{get, post};
use protocol::{TableId, Timestamp};
use serde::Deserialize;
use tokio::net::TcpListener;

use super::{FeedLine, Feeds};
use crate::web::serve_router;
use crate::web::words::escape;

#[derive(Clone)]
struct Page {
    feeds: Feeds,
    now: fn() -> Timestamp,
}

/// Serves the page until it is dropped.
///
/// # Errors
/// When the listener fails.
pub(super) async fn serve(
    listener: TcpListener,
    feeds: Feeds,
    now: fn() -> Timestamp,
) -> std::io::Result<()> {
    let router = Router::new()
        .route("/", get(show))
        .route("/feeds.json", get(json))
        .route("/again.js", get(again))
        .route("/pause", post(pause))
        .route("/resume", post(resume))
        .layer(middleware::from_fn(in_time))
        .with_state(Page { feeds, now });
    serve_router(listener, router, OPERATORS, std::future::pending()).await
}

/// Connections at once.
const OPERATORS: usize = 64;
/// A question that is not whole by then is none.
const QUESTION: Duration = Duration::from_secs(10);

async fn in_time(request: Request, next: Next) -> Response {
    let answer = tokio::time::timeout(QUESTION, next.run(request)).await;
    let mut answer = answer.unwrap_or_else(|_| {
        let close = [(header::CONNECTION, "close")];
        (StatusCode::REQUEST_TIMEOUT, close, "too slow\n").into_response()
    });
    // Its buttons are for eyes that see what they press.
    let alone = HeaderValue::from_static("DENY");
    answer.headers_mut().insert(header::X_FRAME_OPTIONS, alone);
    answer
}

#[derive(Deserialize)]
struct Asked {
    name: String,
}

async fn show(State(page): State<Page>) -> Html<String> {
    let kept_back = page.feeds.kept_back.games();
    Html(text(&page.feeds.health.lines(), &kept_back, (page.now)()))
}

async fn json(State(page): State<Page>) -> Response {
    let text = serde_json::to_string_pretty(&page.feeds.health.lines()).expect("text and numbers");
    (
        [(header::CONTENT_TYPE, "application/json; charset=utf-8")],
        text,
    )
        .into_response()
}

async fn again() -> Response {
    let kind = (header::CONTENT_TYPE, "text/javascript; charset=utf-8");
    ([kind], AGAIN).into_response()
}

async fn pause(State(page): State<Page>, headers: HeaderMap, Form(asked): Form<Asked>) -> Response {
    set(&page, &headers, &asked.name, true)
}

async fn resume(
    State(page): State<Page>,
    headers: HeaderMap,
    Form(asked): Form<Asked>,
) -> Response {
    set(&page, &headers, &asked.name, false)
}

fn set(page: &Page, headers: &HeaderMap, name: &str, paused: bool) -> Response {
    if !from_this_page(headers) {
        return (StatusCode::FORBIDDEN, "use the buttons of this page\n").into_response();
    }
    if !page
        .feeds
        .health
        .lines()
        .iter()
        .any(|line| line.name == name)
    {
        return (StatusCode::NOT_FOUND, "there is no such feed\n").into_response();
    }
    match page.feeds.pauses.set(name, paused) {
        Ok(()) => {
            page.feeds.health.paused(name, paused);
            tracing::info!(feed = name, paused, "by the operator");
            Redirect::to("/").into_response()
        }
        Err(error) => {
            let words =
                format!("cannot be written down: {error} · help: free space in the data folder\n");
            (StatusCode::INTERNAL_SERVER_ERROR, words).into_response()
        }
    }
}

/// A page of another site cannot press our buttons, whatever name it gives this machine.
fn from_this_page(headers: &HeaderMap) -> bool {
    let text = |name| headers.get(name).and_then(|v| v.to_str().ok());
    let host = text(header::HOST).unwrap_or("");
    let name = host.rsplit_once(':').map_or(host, |(name, _)| name);
    let plain = name == "localhost"
        || name
            .trim_matches(['[', ']'])
            .parse::<std::net::IpAddr>()
            .is_ok();
    let own = text(header::ORIGIN).is_none_or(|o| o.strip_prefix("http://") == Some(host));
    plain && own
}

/// The page for these feeds and games.
fn text(lines: &[FeedLine], kept_back: &[(u16, TableId)], now: Timestamp) -> String {
    let rows: String = lines.iter().map(|line| row(line, now)).collect();
    let body = if rows.is_empty() {
        "<p>No feed is switched on: see [feeds] in hub.toml.</p>".to_owned()
    } else {
        format!(
            "<table><thead><tr><th scope=\"col\">Feed</th><th scope=\"col\">For</th><th scope=\"col\">State</th><th scope=\"col\">Last delivery</th><th scope=\"col\">Deliveries</th><th scope=\"col\">What is wrong</th><th scope=\"col\">Order</th></tr></thead><tbody>{rows}</tbody></table>"
        )
    };
    let kept = kept_words(kept_back);
    format!(
        "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><meta name=\"viewport\" content=\"width=device-width, initial-scale=1\"><noscript><meta http-equiv=\"refresh\" content=\"5\"></noscript><link rel=\"icon\" href=\"data:,\"><title>Feeds</title><style>{STYLE}</style></head><body><p id=\"lost\" role=\"status\"></p><main><h1>Feeds</h1>{body}{kept}</main><script src=\"/again.js\" defer></script></body></html>\n"
    )
}

/// Games of which nobody outside is shown more, whatever the feeds do.
fn kept_words(games: &[(u16, TableId)]) -> String {
    if games.is_empty() {
        return String::new();
    }
    let item = |(round, table): &(u16, TableId)| format!("<li>round {round}, board {table}</li>");
    let items: String = games.iter().map(item).collect();
    format!(
        "<h2>Kept back from outside</h2><p>An arbiter keeps these games as they were for everybody outside the hall, until he lets them go at his desk (<kbd>H</kbd>).</p><ul>{items}</ul>"
    )
}

const STYLE: &str = "body{font:100%/1.4 system-ui,sans-serif;margin:1rem;color:#111;background:#fff}table{border-collapse:collapse;width:100%}\
th,td{text-align:left;padding:.4rem .6rem;border-bottom:1px solid #999;vertical-align:top}.trouble,#lost{font-weight:700}#lost:empty{display:none}button{font:inherit;padding:.3rem .8rem}\
button:focus-visible{outline:3px solid #0b57a4;outline-offset:2px}\
@media(max-width:50rem){thead{display:none}tr,tbody th,td{display:block;border:0;padding:.1rem 0}tr{border-bottom:1px solid #999;padding:.6rem 0}td[data-of]::before{content:attr(data-of)\": \"}td:empty{display:none}}\
@media(prefers-color-scheme:dark){body{color:#f2f2f2;background:#101214}button:focus-visible{outline-color:#9cf}}";

/// Shows the feeds as they are now, every five seconds, without taking a button from under anybody's hand.
const AGAIN: &str = "setInterval(function () {\n  fetch('/').then(function (a) { return a.text(); }).then(function (t) {\n    var fresh = new DOMParser().parseFromString(t, 'text/html').querySelector('main');\n    var old = document.querySelector('main');\n    var at = document.activeElement, label = old.contains(at) && at.getAttribute('aria-label');\n    old.replaceWith(fresh);\n    var again = label && Array.from(fresh.querySelectorAll('button')).find(function (b) { return b.getAttribute('aria-label').split(' ')[1] === label.split(' ')[1]; });\n    if (again) again.focus();\n    say('');\n  }).catch(function () { say('No connection to the hub: this is how the feeds were before.'); });\n}, 5000);\n\nfunction say(words) {\n  var place = document.getElementById('lost');\n  if (place.textContent !== words) place.textContent = words;\n}\n";

fn row(line: &FeedLine, now: Timestamp) -> String {
    let (state, order, verb) = match (line.paused, &line.trouble) {
        (true, _) => ("paused", "resume", "Resume"),
        (false, Some(_)) => ("trouble", "pause", "Pause"),
        (false, None) => ("well", "pause", "Pause"),
    };
    let trouble = line.trouble.as_deref().unwrap_or("");
    format!(
        "<tr><th scope=\"row\">{name}</th><td data-of=\"for\">{audience}</td><td class=\"{state}\">{state}</td><td data-of=\"last delivery\">{last}</td><td data-of=\"deliveries\">{count}</td><td>{trouble}</td><td><form method=\"post\" action=\"/{order}\"><input type=\"hidden\" name=\"name\" value=\"{name}\"><button aria-label=\"{verb} {name}\">{verb}</button></form></td></tr>",
        name = escape(&line.name),
        audience = escape(&line.audience),
        last = ago(line.delivered, now),
        count = line.count,
        trouble = escape(trouble),
    )
}

/// How long ago, in words.
pub(crate) fn ago(at: Option<Timestamp>, now: Timestamp) -> String {
    match at.map(|at| now.since(at) / 1000) {
        None => "not yet".to_owned(),
        Some(seconds @ 0..120) => format!("{seconds} s ago"),
        Some(seconds) => format!("{} min ago", seconds / 60),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn line(name: &str, paused: bool, trouble: Option<&str>) -> FeedLine {
        FeedLine {
            name: name.to_owned(),
            audience: "web".to_owned(),
            paused,
            delivered: Some(Timestamp(0)),
            count: 3,
            trouble: trouble.map(str::to_owned),
        }
    }

    #[test]
    fn each_feed_says_how_it_is_and_what_can_be_done() {
        let lines = [
            line("pgn", false, None),
            line(
                "lichess/A",
                false,
                Some("the token is refused · help: <new>"),
            ),
            line("results", true, None),
        ];
        let kept_back = [(4, TableId(12)), (5, TableId(3))];
        let page = text(&lines, &kept_back, Timestamp(240_000));
        for words in [
            "4 min ago",
            ">well<",
            ">trouble<",
            "help: &lt;new&gt;",
            ">paused<",
            "Resume results",
            "Pause lichess/A",
            "<li>round 4, board 12</li><li>round 5, board 3</li>",
        ] {
            assert!(page.contains(words), "{words}: {page}");
        }
        let none = text(&[], &[], Timestamp(0));
        assert!(none.contains("No feed is switched on") && !none.contains("Kept back"));
    }

    #[test]
    fn only_its_own_page_gives_orders() {
        let rows = [
            ("127.0.0.1:8081", None, true),
            ("127.0.0.1:8081", Some("http://127.0.0.1:8081"), true),
            ("localhost:8081", Some("http://localhost:8081"), true),
            ("[::1]:8081", Some("http://[::1]:8081"), true),
            ("127.0.0.1:8081", Some("https://evil.example"), false),
            ("evil.example:8081", Some("http://evil.example:8081"), false),
            ("", None, false),
        ];
        for (host, origin, want) in rows {
            let mut headers = HeaderMap::new();
            headers.insert(header::HOST, host.parse().expect("a value"));
            if let Some(origin) = origin {
                headers.insert(header::ORIGIN, origin.parse().expect("a value"));
            }
            assert_eq!(from_this_page(&headers), want, "{host} {origin:?}");
        }
    }
}
