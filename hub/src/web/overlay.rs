//! Pages for programs that lay pictures over each other: one element each, transparent, sized by the window, told everything in the
//! address (`board=12`, `orientation=black` or `flip=1`, `hideClock=1`, `scale=1.5`, `theme=light`), alive by themselves.

use protocol::{HallBoard, Side};

use super::board_svg::{board_svg, lower_side};
use super::card::{clock_face, last_words, official, player_name};
use super::page::{Head, Look};
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
            .map_or(String::new(), |c| clock_face(c, side));
        format!(
            r#"<div class="who{turn}"><span class="name">{}</span>{clock}</div>"#,
            player_name(board, side)
        )
    };
    format!("{}{}{}", one(lower.other()), official(board), one(lower))
}

/// A page with these tables' elements.
pub fn overlay_page(head: &Head, what: Element, boards: &[&HallBoard], asked: &Overlay) -> String {
    let items: String = boards
        .iter()
        .map(|b| element(what, b, asked.look.flip))
        .collect();
    let flip = if asked.look.flip {
        r#" data-flip="1""#
    } else {
        ""
    };
    let scale = if asked.scale.is_finite() {
        asked.scale.clamp(0.2, 10.0)
    } else {
        1.0
    };
    format!(
        r#"<!DOCTYPE html>
<html lang="en"{theme}>
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>{title}</title>
<style>
:root {{ --scale: {scale}; }}
{STYLE}</style>
</head>
<body class="overlay {word}{hide}" data-size="{word}" data-now="{now}"{flip}>
{PIECES}{wrong}<ul>{items}</ul>
<script src="/assets/live.js" defer></script>
</body>
</html>
"#,
        theme = asked.look.theme_class(),
        title = escape(&head.event),
        word = what.word(),
        wrong = asked.look.complaint(),
        hide = if asked.hide_clock { " hide-clock" } else { "" },
        now = head.now.0,
    )
}
