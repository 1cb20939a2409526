//! The wall page as text: boards in, HTML out. One request, readable at once, nothing from outside the house.

use protocol::{ChessclockView, Flag, HallBoard, HallPly, HallState, Side, TableId, Timestamp};

use super::board_svg::{board_svg, lower_side};
use super::words::{clock, escape, result, state, to_move};

const STYLE: &str = include_str!("assets/style.css");
const PIECES: &str = include_str!("assets/pieces/pieces.svg");

/// How a page is asked for.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Look {
    /// Boards from Black's side.
    pub flip: bool,
    /// `dark`, `light`, `contrast`, or whatever the reader's system prefers.
    pub theme: Option<Theme>,
    /// Letters half as large again.
    pub large: bool,
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
    pub(super) fn theme_class(&self) -> &'static str {
        match self.theme {
            Some(Theme::Dark) => r#" class="dark""#,
            Some(Theme::Light) => r#" class="light""#,
            Some(Theme::Contrast) => r#" class="contrast""#,
            None => "",
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

/// `/`: the round, every table small.
pub fn round_page(head: &Head, boards: &[&HallBoard], look: &Look) -> String {
    let cards: String = boards.iter().map(|b| small(b, look.flip)).collect();
    let main = if boards.is_empty() {
        "<p>No tables yet. They appear here when the pairings are imported.</p>".to_owned()
    } else {
        format!(r#"<ul class="grid">{cards}</ul>"#)
    };
    let extra = format!(
        r#"<p><a href="/round/{}.pgn">PGN of the round</a>{}</p>"#,
        head.round,
        other_rounds(head)
    );
    let main = main + &super::teams::scores(boards) + &extra;
    Frame::new(&title(head), Size::Small, look).page(head, &main)
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
        r#"<p><a href="{all}">all boards</a> · <a href="/board/{n}?round={r}&amp;flip={f}">turn the board</a> · <a href="/board/{n}.pgn?round={r}">PGN</a></p>"#,
        all = if head.past {
            format!("/round/{}", head.round)
        } else {
            "/".to_owned()
        },
        n = board.table,
        r = board.round,
        f = u8::from(!look.flip)
    );
    Frame::new(&title, Size::Large, look).page(head, &(large(board, look.flip) + &links))
}

/// `/wall`: for a projector, pages of boards that turn by themselves.
pub fn wall_page(head: &Head, boards: &[&HallBoard], look: &Look, page_number: usize) -> String {
    const ON_A_PAGE: usize = 8;
    let pages = boards.len().div_ceil(ON_A_PAGE).max(1);
    let number = page_number.clamp(1, pages);
    let shown = boards.iter().skip((number - 1) * ON_A_PAGE).take(ON_A_PAGE);
    let cards: String = shown.map(|b| small(b, look.flip)).collect();
    let look = Look {
        theme: Some(look.theme.unwrap_or(Theme::Dark)),
        ..look.clone()
    };
    let title = title(head);
    let frame = Frame {
        body: format!(
            r#" class="wall" data-pages="{pages}" data-page="{number}" style="--columns:{};--rows:{}""#,
            boards.len().clamp(1, 4),
            boards.len().clamp(1, ON_A_PAGE).div_ceil(4),
        ),
        reload: number % pages + 1,
        ..Frame::new(&title, Size::Small, &look)
    };
    frame.page(head, &format!(r#"<ul class="grid">{cards}</ul>"#))
}

/// A page for an address that is none.
pub fn missing_page(head: &Head, what: &str) -> String {
    let main = format!(
        r#"<p>{} <a href="/">All boards of the round</a></p>"#,
        escape(what)
    );
    Frame::new("Not here", Size::Small, &Look::default()).page(head, &main)
}

/// One table as an element of the page, for the page itself and for the live stream.
pub fn part(board: &HallBoard, size: Size, flip: bool) -> String {
    match size {
        Size::Small => small(board, flip),
        Size::Large => large(board, flip),
    }
}

fn title(head: &Head) -> String {
    match (head.event.is_empty(), head.round) {
        (true, _) => "Zeitnot".to_owned(),
        (false, 0) => head.event.clone(),
        (false, round) => format!("{}, round {round}", head.event),
    }
}

/// What stands around the content of a page.
struct Frame<'a> {
    title: &'a str,
    size: Size,
    look: &'a Look,
    /// Further attributes of the body.
    body: String,
    /// Page to load next where there is no script, 0 for the same one.
    reload: usize,
}

impl<'a> Frame<'a> {
    fn new(title: &'a str, size: Size, look: &'a Look) -> Frame<'a> {
        Frame {
            title,
            size,
            look,
            body: String::new(),
            reload: 0,
        }
    }

    fn page(&self, head: &Head, main: &str) -> String {
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
        let next = if self.reload == 0 {
            String::new()
        } else {
            format!("; url=?page={}", self.reload)
        };
        format!(
            r##"<!DOCTYPE html>
<html lang="en"{theme}>
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<noscript><meta http-equiv="refresh" content="20{next}"></noscript>
<title>{title}</title>
<style>
{STYLE}</style>
</head>
<body data-size="{size}" data-now="{now}"{flip}{large}{body}>
{PIECES}<a class="skip" href="#main">To the boards</a>
<header><h1>{title}</h1><p>{delay}</p><p id="age" role="status"></p><a class="qr" href="/qr.svg"><img src="/qr.svg" alt="QR code of this page" width="64" height="64"></a></header>
<main id="main">
{main}
</main>
<footer>{FINE_PRINT}</footer>
<script src="/assets/live.js" defer></script>
</body>
</html>
"##,
            title = escape(self.title),
            size = if head.past { "" } else { self.size.word() },
            now = head.now.0,
            body = self.body,
            delay = escape(&head.delay),
        )
    }
}

const FINE_PRINT: &str = "Shown for information: no player may base a claim on what is displayed here (Article 6.12.2). \
                          \u{2248} marks a time counted down since the clock was last read.";

fn small(board: &HallBoard, flip: bool) -> String {
    let lower = lower_side(flip);
    format!(
        r#"<li class="card" id="table-{n}" data-revision="{revision}"><h2><a href="/board/{n}?round={round}">{n}</a>{result}</h2>{upper_who}{svg}{lower_who}<p class="last">{last}</p><p class="state">{state}</p></li>"#,
        n = board.table,
        round = board.round,
        revision = board.revision,
        result = official(board),
        upper_who = who(board, lower.other()),
        svg = board_svg(board, flip),
        lower_who = who(board, lower),
        last = last_words(board),
        state = state(board),
    )
}

fn large(board: &HallBoard, flip: bool) -> String {
    let lower = lower_side(flip);
    format!(
        r#"<div class="large" id="table-{n}" data-revision="{revision}"><div>{svg}</div><section aria-label="Players, clocks and moves"><h2>Board {n} {result}</h2>{upper}{lower}<p class="last">{last}</p><p class="state">{state}</p>{moves}{pieces}</section></div>"#,
        n = board.table,
        revision = board.revision,
        svg = board_svg(board, flip),
        result = official(board),
        upper = who(board, lower.other()),
        lower = who(board, lower),
        last = last_words(board),
        state = state(board),
        moves = movetext(board),
        pieces = in_words(board),
    )
}

fn in_words(board: &HallBoard) -> String {
    let [white, black] = super::words::pieces(&board.position.0);
    format!(
        "<details class=\"pieces\"><summary>The board in words</summary><p>White: {white}.</p><p>Black: {black}.</p></details>"
    )
}

/// Title and name, made safe.
pub(super) fn player_name(board: &HallBoard, side: Side) -> String {
    let player = board.players.get(side);
    let title = player
        .title
        .as_ref()
        .map_or(String::new(), |t| escape(t) + " ");
    let name = if player.name.is_empty() {
        side.word()
    } else {
        &player.name
    };
    title + &escape(name)
}

pub(super) fn official(board: &HallBoard) -> String {
    board.result.map_or(String::new(), |r| {
        format!(r#" <span class="result">{}</span>"#, result(r))
    })
}

fn who(board: &HallBoard, side: Side) -> String {
    let player = board.players.get(side);
    let to_move = to_move(board) == Some(side);
    let rating = player.rating.map_or(String::new(), |r| {
        format!(r#"<span class="rating">{r}</span>"#)
    });
    format!(
        r#"<div class="who{turn}"><span class="name" title="{side}">{name}</span>{rating}{word}{clock}</div>"#,
        turn = if to_move { " turn" } else { "" },
        side = side.word(),
        name = player_name(board, side),
        word = if to_move {
            r#"<span class="move">to move</span>"#
        } else {
            ""
        },
        clock = board
            .clock
            .as_ref()
            .map_or(String::new(), |c| clock_face(c, side)),
    )
}

pub(super) fn clock_face(view: &ChessclockView, side: Side) -> String {
    let ms = *view.time.get(side);
    let running = view.running == Some(side);
    let flag = if *view.flag.get(side) == Flag::Up {
        ""
    } else {
        r#" <span class="flag">flag</span>"#
    };
    format!(
        r#"<span class="clock{run}" data-ms="{ms}" data-at="{at}">{text}</span>{flag}"#,
        run = if running { " running" } else { "" },
        at = view.at.0,
        text = clock(ms),
    )
}

pub(super) fn last_words(board: &HallBoard) -> String {
    let Some(ply) = board.moves.last() else {
        return String::new();
    };
    format!(
        "{} {}",
        number_before(board, board.moves.len() - 1),
        escape(&ply.san)
    )
}

/// `12.` or `12…` before the half-move with this index.
fn number_before(board: &HallBoard, index: usize) -> String {
    let (first, black_first) = first_number(board);
    let half = index + usize::from(black_first);
    format!(
        "{}{}",
        first + half / 2,
        if half.is_multiple_of(2) {
            "."
        } else {
            "\u{2026}"
        }
    )
}

/// Number of the first move and whether Black makes it.
fn first_number(board: &HallBoard) -> (usize, bool) {
    let Some(fen) = &board.start_fen else {
        return (1, false);
    };
    let field = |n| fen.split(' ').nth(n);
    (
        field(5).and_then(|n| n.parse().ok()).unwrap_or(1),
        field(1) == Some("b"),
    )
}

fn movetext(board: &HallBoard) -> String {
    let (first, black_first) = first_number(board);
    let mut plies: Vec<(usize, Option<&HallPly>)> =
        board.moves.iter().map(Some).enumerate().collect();
    if black_first {
        plies.insert(0, (0, None));
    }
    let items: String = plies
        .chunks(2)
        .enumerate()
        .map(|(row, pair)| {
            let words: String = pair
                .iter()
                .map(|(index, ply)| ply_words(board, *index, *ply))
                .collect();
            format!(r#"<li><span class="n">{}.</span>{words}</li>"#, first + row)
        })
        .collect();
    format!(r#"<ol class="moves">{items}</ol>"#)
}

fn ply_words(board: &HallBoard, index: usize, ply: Option<&HallPly>) -> String {
    let Some(ply) = ply else {
        return r#"<span class="ply">…</span>"#.to_owned();
    };
    let now = if index + 1 == board.moves.len() {
        " now"
    } else {
        ""
    };
    let open = if index >= board.settled_ply as usize {
        " open"
    } else {
        ""
    };
    format!(
        r#"<span class="ply{now}{open}">{}</span> "#,
        escape(&ply.san)
    )
}

/// The tables of `1-12,20`, all for an empty text; what is no number is left out. By the state of the games: `playing`, `over`, and
/// `scramble`, the eight that are played with the least time, least first.
pub fn chosen(text: &str, boards: &[&HallBoard]) -> Vec<TableId> {
    let in_state = |states: &[HallState]| {
        let of = boards.iter().filter(|b| states.contains(&b.state));
        of.map(|b| b.table).collect()
    };
    match text {
        "playing" => in_state(&[HallState::Playing, HallState::Paused]),
        "over" => in_state(&[HallState::Over]),
        "scramble" => scramble(boards),
        numbers => numbered(numbers, boards),
    }
}

fn scramble(boards: &[&HallBoard]) -> Vec<TableId> {
    const MOST: usize = 8;
    let time = |b: &&HallBoard| {
        let played = b.state == HallState::Playing && b.result.is_none();
        let view = b.clock.filter(|_| played)?;
        Some((view.time.white.min(view.time.black), b.table))
    };
    let mut by_time: Vec<_> = boards.iter().filter_map(time).collect();
    by_time.sort_unstable();
    by_time
        .into_iter()
        .take(MOST)
        .map(|(_, table)| table)
        .collect()
}

fn numbered(text: &str, boards: &[&HallBoard]) -> Vec<TableId> {
    let wanted = |table: TableId| {
        text.is_empty()
            || text.split(',').any(|range| {
                let (from, to) = range.split_once('-').unwrap_or((range, range));
                let number = |t: &str| t.trim().parse::<u16>().ok();
                number(from)
                    .zip(number(to))
                    .is_some_and(|(from, to)| (from..=to).contains(&table.0))
            })
    };
    boards
        .iter()
        .map(|b| b.table)
        .filter(|t| wanted(*t))
        .collect()
}
