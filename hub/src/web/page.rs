//! The wall page as text: boards in, HTML out. One request, readable at once, nothing from outside the house.

use protocol::{HallBoard, Timestamp};

use super::card::{large, small};
use super::frame::Frame;
use super::tables::{Tables, found};
use super::words::escape;

/// How a page is asked for.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Look {
    /// Boards from Black's side.
    pub flip: bool,
    /// `dark`, `light`, `contrast`, or whatever the reader's system prefers.
    pub theme: Option<Theme>,
    /// Letters half as large again.
    pub large: bool,
    /// What of the address was not understood, in words.
    pub wrong: Vec<String>,
}

/// A chosen set of colours.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Theme {
    /// Light letters on a dark ground.
    Dark,
    /// Dark letters on a light ground.
    Light,
    /// Black, white and yellow, for eyes that need it.
    Contrast,
}

impl Look {
    /// The attribute of a chosen theme.
    pub(super) fn theme_class(&self) -> String {
        let class = |word| format!(r#" class="{word}""#);
        self.theme.map_or_else(String::new, |t| class(t.word()))
    }

    /// What was not understood, as a line of the page; nothing when all was.
    pub(super) fn complaint(&self) -> String {
        if self.wrong.is_empty() {
            return String::new();
        }
        let said: Vec<String> = self.wrong.iter().map(|w| escape(w)).collect();
        let said = said.join("; ");
        format!(r#"<p class="wrong" role="note">Not understood in the address: {said}.</p>"#)
    }

    /// The same look in the query of an address.
    pub(super) fn query(&self) -> String {
        let theme = self.theme.map(|t| format!("&amp;theme={}", t.word()));
        let large = self.large.then(|| "&amp;type=large".to_owned());
        let flip = self.flip.then(|| "&amp;flip=1".to_owned());
        theme.into_iter().chain(large).chain(flip).collect()
    }
}

impl Theme {
    fn word(self) -> &'static str {
        match self {
            Theme::Dark => "dark",
            Theme::Light => "light",
            Theme::Contrast => "contrast",
        }
    }
}

/// What the head of every page says.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Head {
    /// The event.
    pub event: String,
    /// The round, 0 before one is known.
    pub round: u16,
    /// The delay of this audience, in words.
    pub delay: String,
    /// The hub's time.
    pub now: Timestamp,
    /// Earlier rounds that can be looked at.
    pub earlier: Vec<u16>,
    /// An earlier round is shown: nothing of it changes any more.
    pub past: bool,
}

/// How big a table is drawn.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Size {
    /// One of many.
    Small,
    /// One alone, with its moves.
    Large,
}

impl Size {
    /// Its word in addresses.
    pub fn word(self) -> &'static str {
        match self {
            Size::Small => "small",
            Size::Large => "large",
        }
    }
}

/// Which part of a long round is asked for.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Asked {
    /// The page, from 1; 0 and what is too much are the nearest that there is.
    pub page: usize,
    /// Part of a player's name, or a board's number.
    pub find: String,
}

/// So many boards stand on one page of a round: more makes it too long to be read and to be loaded.
const ON_A_PAGE: usize = 100;

/// `/`: the round, every table small, a hundred on a page.
pub fn round_page(head: &Head, boards: &[&HallBoard], look: &Look, asked: &Asked) -> String {
    let matching = found(&asked.find, boards.to_vec());
    let pages = matching.len().div_ceil(ON_A_PAGE).max(1);
    let page = asked.page.clamp(1, pages);
    let first = (page - 1) * ON_A_PAGE;
    let shown = &matching[first..matching.len().min(first + ON_A_PAGE)];
    let cards: String = shown.iter().map(|b| small(b, look.flip)).collect();
    let main = match (boards.is_empty(), shown.is_empty()) {
        (true, _) => {
            "<p>No tables yet. They appear here when the pairings are imported.</p>".into()
        }
        (_, true) => "<p>No board and no player of this round fits.</p>".to_owned(),
        (false, false) => format!(r#"<ul class="grid">{cards}</ul>"#),
    };
    let file = match boards.is_empty() {
        true => String::new(),
        false => format!(
            r#"<a href="/round/{}.pgn">PGN of the round</a>"#,
            head.round
        ),
    };
    let extra = format!(r#"<p class="links">{file}{}</p>"#, other_rounds(head));
    let turn = if boards.len() > ON_A_PAGE {
        turning(asked, page, pages, &matching)
    } else {
        String::new()
    };
    let scores = super::teams::scores(boards, shown);
    let to_teams = if scores.is_empty() { "" } else { TO_TEAMS };
    let main = turn + to_teams + &main + &scores + &extra;
    let title = title(head);
    let frame = Frame {
        body: tables_of(shown, shown.len() == boards.len()),
        ..Frame::new(&title, Size::Small, look)
    };
    frame.page(head, &main)
}

/// The way past many boards to the scores of the teams.
const TO_TEAMS: &str = r##"<p class="links"><a href="#teams">Team matches</a></p>"##;

/// The field to find a board and the links to the other pages.
fn turning(asked: &Asked, page: usize, pages: usize, boards: &[&HallBoard]) -> String {
    let find = escape(&asked.find);
    let query = match find.is_empty() {
        true => String::new(),
        false => format!("&amp;find={}", in_address(&asked.find)),
    };
    let link = |(index, part): (usize, &[&HallBoard])| {
        let number = |board: Option<&&HallBoard>| board.map_or(0, |b| b.table.0);
        let words = format!("{}\u{2013}{}", number(part.first()), number(part.last()));
        match index + 1 == page {
            true => format!(r#"<li aria-current="page">{words}</li>"#),
            false => format!(
                r#"<li><a href="?page={}{query}">{words}</a></li>"#,
                index + 1
            ),
        }
    };
    let links: String = boards.chunks(ON_A_PAGE).enumerate().map(link).collect();
    let links = if pages > 1 {
        format!(r#"<nav aria-label="Boards"><ul class="pages">{links}</ul></nav>"#)
    } else {
        String::new()
    };
    format!(
        r#"<form role="search"><label>Player or board <input type="search" name="find" value="{find}"></label> <button>Find</button></form>{links}"#
    )
}

/// Text as it stands in the query of an address.
pub(super) fn in_address(text: &str) -> String {
    let part = |byte: u8| match byte {
        b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'-' | b'.' => char::from(byte).to_string(),
        byte => format!("%{byte:02X}"),
    };
    text.bytes().map(part).collect()
}

/// For the page's script: of which tables it wants news, and whether a table that it does not show yet belongs on it.
pub(super) fn tables_of(boards: &[&HallBoard], all: bool) -> String {
    let tables = Tables::text(boards.iter().map(|b| b.table));
    let all = if all { " data-all" } else { "" };
    format!(r#" data-boards="{tables}"{all}"#)
}

/// Links to the earlier rounds.
fn other_rounds(head: &Head) -> String {
    let link = |round: &u16| format!(r#" · <a href="/round/{round}">round {round}</a>"#);
    head.earlier.iter().map(link).collect()
}

/// `/board/12`: one table, large.
pub fn board_page(head: &Head, board: &HallBoard, look: &Look) -> String {
    let title = format!("Board {} \u{2013} {}", board.table, title(head));
    let links = format!(
        r#"<p class="links"><a href="{all}">all boards</a> · <a href="/board/{n}?round={r}&amp;flip={f}{look}">turn the board</a> · <a href="/board/{n}.pgn?round={r}">PGN</a></p>"#,
        all = if head.past {
            format!("/round/{}", head.round)
        } else {
            "/".to_owned()
        },
        n = board.table,
        r = board.round,
        f = u8::from(!look.flip),
        look = Look {
            flip: false,
            ..look.clone()
        }
        .query(),
    );
    let frame = Frame {
        body: tables_of(&[board], false),
        board: (!head.past).then_some(board.table),
        ..Frame::new(&title, Size::Large, look)
    };
    frame.page(head, &(large(board, look.flip) + &links))
}

/// A page for an address that is none.
pub fn missing_page(head: &Head, what: &str) -> String {
    let main = format!(
        r#"<p>{} <span class="links"><a href="/">All boards of the round</a></span></p>"#,
        escape(what)
    );
    let head = Head {
        past: true,
        ..head.clone()
    };
    Frame::new("Not here", Size::Small, &Look::default()).page(&head, &main)
}

/// One table as an element of the page, for the page itself and for the live stream.
pub fn part(board: &HallBoard, size: Size, flip: bool) -> String {
    match size {
        Size::Small => small(board, flip),
        Size::Large => large(board, flip),
    }
}

pub(super) fn title(head: &Head) -> String {
    match (head.event.is_empty(), head.round) {
        (true, _) => "Zeitnot".to_owned(),
        (false, 0) => head.event.clone(),
        (false, round) => format!("{}, round {round}", head.event),
    }
}
