//! Pages for programs that lay pictures over each other: one element each, transparent, sized by the window, told everything in the
//! address (`board=12`, `orientation=black` or `flip=1`, `hideClock=1`, `scale=1.5`, `theme=light`), alive by themselves.
//!
//! An element is each table's own, and comes anew by the live stream, or it sums tables up, and is asked for anew.

use protocol::{HallBoard, Side};

use super::board_svg::{board_svg, lower_side};
use super::card::{clock_face, last_words, official, player_name};
use super::page::{Head, Look};
use super::tables::is_by_state;
use super::words::escape;

const STYLE: &str = include_str!("assets/overlay.css");
const PIECES: &str = include_str!("assets/pieces/pieces.svg");

/// What an overlay shows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Element {
    /// The board alone.
    Board,
    /// Names and clocks.
    Clocks,
    /// Titles, names and ratings.
    Names,
    /// The last move in letters.
    Move,
    /// All results in one line.
    Ticker,
}

impl Element {
    /// The element of a word in an address.
    pub fn of(word: &str) -> Option<Element> {
        match word {
            "board" => Some(Element::Board),
            "clocks" => Some(Element::Clocks),
            "names" => Some(Element::Names),
            "move" => Some(Element::Move),
            "ticker" => Some(Element::Ticker),
            _ => None,
        }
    }

    /// Its word in addresses.
    pub fn word(self) -> &'static str {
        match self {
            Element::Board => "board",
            Element::Clocks => "clocks",
            Element::Names => "names",
            Element::Move => "move",
            Element::Ticker => "ticker",
        }
    }
}

/// How it is asked for.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Overlay {
    /// Side and colours.
    pub look: Look,
    /// Names without clocks.
    pub hide_clock: bool,
    /// Letters this much larger, 1 as they are.
    pub scale: f32,
}

/// The element of a table, for the page and for the live stream.
pub fn element(what: Element, board: &HallBoard, flip: bool) -> String {
    let inner = match what {
        Element::Board => board_svg(board, flip),
        Element::Clocks => clocks(board, flip),
        Element::Names => names(board, flip),
        Element::Move => format!(r#"<p class="move">{}</p>"#, last_words(board)),
        Element::Ticker => format!(
            "<p>{} {} \u{2013} {} {}</p>",
            board.table,
            player_name(board, Side::White),
            player_name(board, Side::Black),
            official(board)
        ),
    };
    format!(
        r#"<li class="element" id="table-{}" data-revision="{}">{inner}</li>"#,
        board.table, board.revision
    )
}

fn clocks(board: &HallBoard, flip: bool) -> String {
    let lower = lower_side(flip);
    let one = |side: Side| {
        let turn = if super::words::to_move(board) == Some(side) {
            " turn"
        } else {
            ""
        };
        let clock = board
            .clock
            .as_ref()
            .map_or(String::new(), |c| clock_face(board, c, side));
        format!(
            r#"<div class="who{turn}"><span class="name">{}</span>{clock}</div>"#,
            player_name(board, side)
        )
    };
    format!("{}{}{}", one(lower.other()), official(board), one(lower))
}

fn names(board: &HallBoard, flip: bool) -> String {
    let lower = lower_side(flip);
    let one = |side: Side| {
        let rating = board.players.get(side).rating;
        let rating = rating.map_or(String::new(), |r| {
            format!(r#"<span class="rating">{r}</span>"#)
        });
        let name = player_name(board, side);
        format!(r#"<div class="who"><span class="name">{name}</span>{rating}</div>"#)
    };
    one(lower.other()) + &one(lower)
}

/// A page with these tables' elements; `wanted` is how the tables were asked for.
pub fn overlay_page(
    head: &Head,
    what: Element,
    (boards, wanted): (&[&HallBoard], &str),
    asked: &Overlay,
) -> String {
    let items: String = boards
        .iter()
        .map(|b| element(what, b, asked.look.flip))
        .collect();
    // Without an end to it, a ticker moves; each board has its time to be read.
    let seconds = 4 * boards.len().max(3);
    let word = what.word();
    let kept = match is_by_state(wanted) {
        true => r#" data-again="20""#.to_owned(),
        false => format!(r#" data-boards="{}" data-all"#, escape(wanted)),
    };
    let body = format!(r#"class="overlay {word}" data-size="{word}"{kept}"#);
    let whole = format!(r#"<ul id="whole" style="--seconds:{seconds}s">{items}</ul>"#);
    asked.page(head, &body, &whole)
}

/// A page with a table that sums boards up: the scores of teams, standings.
pub fn summary_page(head: &Head, word: &str, table: &str, asked: &Overlay) -> String {
    let body = format!(r#"class="overlay {word}" data-size="" data-again="10""#);
    asked.page(head, &body, &format!(r#"<div id="whole">{table}</div>"#))
}

impl Overlay {
    fn page(&self, head: &Head, body: &str, whole: &str) -> String {
        let flip = if self.look.flip {
            r#" data-flip="1""#
        } else {
            ""
        };
        let scale = if self.scale.is_finite() {
            self.scale.clamp(0.2, 10.0)
        } else {
            1.0
        };
        let hide = if self.hide_clock {
            r#" data-hide="clock""#
        } else {
            ""
        };
        format!(
            r#"<!DOCTYPE html>
<html lang="en"{theme}>
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<link rel="icon" href="data:,">
<title>{title}</title>
<style>
:root {{ --scale: {scale}; }}
{STYLE}</style>
</head>
<body {body} data-round="{round}" data-now="{now}"{flip}{hide}>
{PIECES}{wrong}{whole}
<script src="/assets/live.js" defer></script>
</body>
</html>
"#,
            theme = self.look.theme_class(),
            title = escape(&head.event),
            round = head.round,
            wrong = self.look.complaint(),
            now = head.now.0,
        )
    }
}
