//! What stands around the content of every page: head with delay, time and code, fine print, and the script that keeps it alive.

use protocol::{TableId, Timestamp};

use super::page::{Head, Look, Size};
use super::words::escape;

const STYLE: &str = include_str!("assets/style.css");
const PIECES: &str = include_str!("assets/pieces/pieces.svg");

/// What stands around the content of a page.
pub(super) struct Frame<'a> {
    pub(super) title: &'a str,
    pub(super) size: Size,
    pub(super) look: &'a Look,
    /// Further attributes of the body.
    pub(super) body: String,
    /// Address to load next where there is no script; empty: the same one.
    pub(super) reload: String,
    /// Which boards of how many are seen, in words.
    pub(super) part: String,
    /// The one board that the page is about.
    pub(super) board: Option<TableId>,
}

impl<'a> Frame<'a> {
    pub(super) fn new(title: &'a str, size: Size, look: &'a Look) -> Frame<'a> {
        Frame {
            title,
            size,
            look,
            body: String::new(),
            reload: String::new(),
            part: String::new(),
            board: None,
        }
    }

    /// The code that leads a telephone to this board, or to the round.
    fn code(&self) -> String {
        let (query, what) = match self.board {
            Some(table) => (format!("?board={table}"), format!("board {table}")),
            None => (String::new(), "the round".to_owned()),
        };
        format!(
            r#"<a class="qr" href="/qr.svg{query}"><img src="/qr.svg{query}" alt="QR code of {what}" width="64" height="64"></a>"#
        )
    }

    pub(super) fn page(&self, head: &Head, main: &str) -> String {
        let theme = self.look.theme_class();
        let large = if self.look.large {
            r#" data-type="large""#
        } else {
            ""
        };
        let flip = if self.look.flip {
            r#" data-flip="1""#
        } else {
            ""
        };
        let next = if self.reload.is_empty() {
            String::new()
        } else {
            format!("; url={}", self.reload)
        };
        format!(
            r##"<!DOCTYPE html>
<html lang="en"{theme}>
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<noscript><meta http-equiv="refresh" content="20{next}"></noscript>
<link rel="icon" href="/assets/icon.svg">
<title>{title}</title>
<style>
{STYLE}</style>
</head>
<body data-size="{size}" data-round="{round}" data-now="{now}"{flip}{large}{body}>
{PIECES}<a class="skip" href="#main">To the boards</a>
<header><h1>{title}</h1><p class="delay">{delay}</p>{part}<p>as of <time id="asof">{time}</time></p><p id="age" role="status"></p>{code}</header>
<main id="main">
{wrong}{main}
</main>
<footer>{FINE_PRINT}</footer>
<p id="said" class="unseen" role="status"></p>
<script src="/assets/live.js" defer></script>
</body>
</html>
"##,
            title = escape(self.title),
            size = if head.past { "" } else { self.size.word() },
            round = head.round,
            now = head.now.0,
            time = time_of_day(head.now),
            part = words("seen", &self.part),
            code = self.code(),
            body = self.body,
            wrong = self.look.complaint(),
            delay = escape(&head.delay),
        )
    }
}

/// A paragraph of these words; nothing for none.
fn words(class: &str, words: &str) -> String {
    if words.is_empty() {
        return String::new();
    }
    format!(r#"<p class="{class}">{}</p>"#, escape(words))
}

/// `14:05:09 UTC`; the page's script makes the reader's own time of it.
fn time_of_day(now: Timestamp) -> String {
    let second = now.0 / 1000 % 86_400;
    let (hours, minutes, seconds) = (second / 3600, second / 60 % 60, second % 60);
    format!("{hours:02}:{minutes:02}:{seconds:02} UTC")
}

const FINE_PRINT: &str = "Shown for information: no player may base a claim on what is displayed here (Article 6.12.2). \
                          \u{2248} marks a time counted down since the clock was last read.";
