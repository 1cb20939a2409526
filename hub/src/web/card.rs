//! One table as an element of a page: names, clocks, board, result; large, with its moves as a list and its pieces in words.

use protocol::{ChessclockView, Flag, HallBoard, HallPly, Side};

use super::board_svg::{board_svg, lower_side};
use super::words::{clock, escape, has_ended, result, state, to_move};

pub(super) fn small(board: &HallBoard, flip: bool) -> String {
    let lower = lower_side(flip);
    format!(
        r#"<li class="card" id="table-{n}" data-revision="{revision}"><h2><a href="/board/{n}?round={round}" aria-label="Board {n}">{n}</a>{result}</h2>{upper_who}{svg}{lower_who}<p class="last">{last}</p><p class="state">{state}</p></li>"#,
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

pub(super) fn large(board: &HallBoard, flip: bool) -> String {
    let lower = lower_side(flip);
    format!(
        r#"<div class="large" id="table-{n}" data-revision="{revision}"><div>{svg}</div><section aria-label="Players, clocks and moves"><h2>Board {n} {result}</h2>{upper}{lower}<p class="last">{last}</p><p class="state">{state}</p>{moves}{rest}{pieces}</section></div>"#,
        n = board.table,
        revision = board.revision,
        svg = board_svg(board, flip),
        result = official(board),
        upper = who(board, lower.other()),
        lower = who(board, lower),
        last = last_words(board),
        state = state(board),
        moves = movetext(board),
        rest = rest(board),
        pieces = in_words(board),
    )
}

/// Where a record goes on with what is no legal move, no list of moves can.
fn rest(board: &HallBoard) -> &'static str {
    if board.cut_short {
        r#"<p class="rest">What was played after this is not in the list.</p>"#
    } else {
        ""
    }
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
    let doubt = if board.unconfirmed { " ?" } else { "" };
    board.result.map_or(String::new(), |r| {
        format!(r#" <span class="result">{}{doubt}</span>"#, result(r))
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
            .map_or(String::new(), |c| clock_face(board, c, side)),
    )
}

/// The clock of a side; it does not run on once the game has ended, whoever forgot to stop it.
pub(super) fn clock_face(board: &HallBoard, view: &ChessclockView, side: Side) -> String {
    let ms = *view.time.get(side);
    let running = view.running == Some(side) && !has_ended(board);
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
