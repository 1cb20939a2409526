//! The tag pairs of a game.

use protocol::{GameResult, HallBoard, HallState, Side, Timestamp};

use crate::web::words::clock;

/// The tag pairs: seven first, the others in ASCII order.
pub(crate) fn tags(board: &HallBoard, marker: &str) -> Vec<(String, String)> {
    let or = |text: &str, unknown: &str| {
        if text.is_empty() {
            unknown.to_owned()
        } else {
            text.to_owned()
        }
    };
    let name = |side| or(&board.players.get(side).name, "?");
    let seven = [
        ("Event", or(&board.event, "?")),
        ("Site", or(&board.site, "?")),
        ("Date", or(&board.date, "????.??.??")),
        ("Round", round(board)),
        ("White", name(Side::White)),
        ("Black", name(Side::Black)),
        ("Result", marker.to_owned()),
    ];
    let mut tags: Vec<(String, String)> = seven.map(|(n, v)| (n.to_owned(), v)).into();
    let mut others = other_tags(board);
    others.extend(clock_tags(board, marker, clock));
    others.sort();
    tags.extend(others);
    tags
}

/// `5.12`: round and board, the form that relays sort by.
pub(super) fn round(board: &HallBoard) -> String {
    match board.round {
        0 => "?".to_owned(),
        round => format!("{round}.{}", board.table),
    }
}

fn other_tags(board: &HallBoard) -> Vec<(String, String)> {
    let mut tags = vec![
        ("Board".to_owned(), board.table.to_string()),
        ("GameId".to_owned(), board.game.to_string()),
        ("TimeControl".to_owned(), time_control(board)),
    ];
    for side in Side::BOTH {
        let player = board.players.get(side);
        let mut add = |what: &str, value: Option<String>| {
            tags.extend(value.map(|v| (format!("{}{what}", side.word()), v)));
        };
        add("Elo", player.rating.map(|r| r.to_string()));
        add("Title", player.title.clone());
        add("FideId", player.fide_id.map(|f| f.to_string()));
        add("Team", player.team.clone());
    }
    if let Some(fen) = &board.start_fen {
        tags.extend([
            ("FEN".to_owned(), fen.clone()),
            ("SetUp".to_owned(), "1".to_owned()),
        ]);
    }
    if board.chess960 {
        tags.push(("Variant".to_owned(), "Chess960".to_owned()));
    }
    tags.extend(began_tags(board));
    tags.extend(termination(board).map(|t| ("Termination".to_owned(), t.to_owned())));
    tags
}

/// Day and time of the first move in UTC.
pub(super) fn began_tags(board: &HallBoard) -> Vec<(String, String)> {
    let at = super::began(board).and_then(|at| jiff::Timestamp::from_millisecond(at.0).ok());
    let tag = |name: &str, form: &str, at: jiff::Timestamp| {
        (name.to_owned(), at.strftime(form).to_string())
    };
    at.map_or_else(Vec::new, |at| {
        vec![
            tag("UTCDate", "%Y.%m.%d", at),
            tag("UTCTime", "%H:%M:%S", at),
        ]
    })
}

/// What the clocks show now, `written` in the way of the form, and since when, while the game is played: fresher than the time of the
/// last move.
pub(super) fn clock_tags(
    board: &HallBoard,
    marker: &str,
    written: fn(u64) -> String,
) -> Vec<(String, String)> {
    let playing = matches!(
        board.state,
        HallState::Playing | HallState::Paused | HallState::Adjourned
    );
    let Some(view) = board.clock.filter(|_| playing && marker == "*") else {
        return Vec::new();
    };
    let side = view.running.unwrap_or(board.turn);
    let letter = &side.word()[..1];
    vec![
        ("WhiteClock".to_owned(), written(view.time.white)),
        ("BlackClock".to_owned(), written(view.time.black)),
        (
            "ReferenceTime".to_owned(),
            format!("{letter}/{}", moment(view.at)),
        ),
    ]
}

/// RFC 3339 in UTC, with milliseconds.
fn moment(at: Timestamp) -> String {
    match jiff::Timestamp::from_millisecond(at.0) {
        Ok(at) => at.strftime("%Y-%m-%dT%H:%M:%S.%3f+00:00").to_string(),
        Err(_) => "?".to_owned(),
    }
}

fn time_control(board: &HallBoard) -> String {
    if board.time_control.is_empty() {
        "?".to_owned()
    } else {
        board.time_control.clone()
    }
}

/// PGN has no code for games that were not played or that both lost.
fn termination(board: &HallBoard) -> Option<&'static str> {
    match board.result? {
        GameResult::WhiteByDefault | GameResult::BlackByDefault | GameResult::NobodyAppeared => {
            Some("abandoned")
        }
        GameResult::BothLose => Some("adjudication"),
        GameResult::WhiteWins | GameResult::BlackWins | GameResult::Draw => None,
    }
}

/// One tag pair as a line, of 255 characters at most. A double quote inside becomes a single one: the standard has an escape for it, but
/// chess.js 1.4.0 refuses the whole game.
pub(crate) fn tag(name: &str, value: &str) -> String {
    let clean: String = value
        .chars()
        .map(|c| match c {
            '"' => '\'',
            c if c.is_control() => ' ',
            c => c,
        })
        .take(255)
        .collect();
    format!("[{name} \"{}\"]\n", clean.replace('\\', "\\\\"))
}
