//! Words of the wall page: clocks, results, sentences for screen readers, escaping.

use protocol::{GameResult, HallBoard, HallState, Side};
use shakmaty::{CastlingMode, Chess, FromSetup, Position, Role, Setup};

/// Text made safe inside HTML and attribute values.
pub(crate) fn escape(text: &str) -> String {
    let mut safe = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => safe.push_str("&amp;"),
            '<' => safe.push_str("&lt;"),
            '>' => safe.push_str("&gt;"),
            '"' => safe.push_str("&quot;"),
            '\'' => safe.push_str("&#39;"),
            c => safe.push(c),
        }
    }
    safe
}

/// A time as a clock shows it: `1:29:58`.
pub(crate) fn clock(ms: u64) -> String {
    let seconds = ms / 1000;
    format!(
        "{}:{:02}:{:02}",
        seconds / 3600,
        seconds / 60 % 60,
        seconds % 60
    )
}

/// A result as people write it.
pub(crate) fn result(result: GameResult) -> &'static str {
    match result {
        GameResult::WhiteWins => "1\u{2013}0",
        GameResult::BlackWins => "0\u{2013}1",
        GameResult::Draw => "\u{00bd}\u{2013}\u{00bd}",
        GameResult::BothLose => "0\u{2013}0",
        GameResult::WhiteByDefault => "+ \u{2013} \u{2212}",
        GameResult::BlackByDefault => "\u{2212} \u{2013} +",
        GameResult::NobodyAppeared => "\u{2212} \u{2013} \u{2212}",
    }
}

/// What the state of a game is called; empty while it is simply in play.
pub(crate) fn state(board: &HallBoard) -> &'static str {
    match board.state {
        HallState::Waiting => "not begun",
        HallState::Playing => ended(board).unwrap_or(""),
        HallState::Paused => "moves paused",
        HallState::Adjourned => "adjourned",
        HallState::Over if board.result.is_none() => "game over, result not yet official",
        HallState::Over if board.unconfirmed => "not yet confirmed",
        HallState::Over => "",
    }
}

/// What the last move made of the game, when that ended it: "checkmate", "stalemate".
pub(crate) fn ended(board: &HallBoard) -> Option<&'static str> {
    let setup = Setup {
        board: board.position.0.clone(),
        turn: board.turn.into(),
        ..Setup::empty()
    };
    let position = Chess::from_setup(setup, CastlingMode::Standard).ok()?;
    let over = board.result.is_none() && position.legal_moves().is_empty();
    over.then_some(if board.check {
        "checkmate"
    } else {
        "stalemate"
    })
}

/// Whether the game is over, by its result or by what stands on the board.
pub(crate) fn has_ended(board: &HallBoard) -> bool {
    board.result.is_some() || board.state == HallState::Over || ended(board).is_some()
}

/// Whose move it is; nobody's before the game has begun and once it has ended.
pub(crate) fn to_move(board: &HallBoard) -> Option<Side> {
    let goes_on = board.state != HallState::Waiting && !has_ended(board);
    goes_on.then_some(board.turn)
}

/// The board in one sentence: "Board 12, Okafor against Kuznetsova, Black played knight takes g3, White to move".
pub(crate) fn sentence(board: &HallBoard) -> String {
    let family = |side: Side| {
        let name = board.players.get(side).name.split(',').next();
        let name = name.filter(|name| !name.trim().is_empty());
        name.map_or_else(|| side.word().to_owned(), str::to_owned)
    };
    let mut parts = vec![format!(
        "Board {}, {} against {}",
        board.table,
        family(Side::White),
        family(Side::Black)
    )];
    if let Some(ply) = board.moves.last() {
        parts.push(format!(
            "{} played {}",
            board.turn.other().word(),
            spoken(&ply.san)
        ));
    }
    match board.result {
        Some(result) => parts.push(format!("result {}", spoken_result(result))),
        None => parts.extend(to_move(board).map(|side| format!("{} to move", side.word()))),
    }
    let state = state(board);
    if !state.is_empty() {
        parts.push(state.to_owned());
    }
    parts.join(", ")
}

fn spoken_result(result: GameResult) -> &'static str {
    match result {
        GameResult::WhiteWins | GameResult::WhiteByDefault => "White wins",
        GameResult::BlackWins | GameResult::BlackByDefault => "Black wins",
        GameResult::Draw => "draw",
        GameResult::BothLose | GameResult::NobodyAppeared => "both lose",
    }
}

/// Standard algebraic notation as it is read aloud: "knight takes g3 check".
pub(crate) fn spoken(san: &str) -> String {
    if san.starts_with("O-O-O") {
        return with_ending("castles long".to_owned(), san);
    }
    if san.starts_with("O-O") {
        return with_ending("castles short".to_owned(), san);
    }
    let mut words: Vec<String> = Vec::new();
    let plain: String = san.chars().filter(|c| !"+#!?".contains(*c)).collect();
    let mut squares = String::new();
    let mut letters = plain.chars().peekable();
    match letters.peek().and_then(|c| role(*c)) {
        Some(role) => {
            words.push(role.to_owned());
            letters.next();
        }
        None => words.push("pawn".to_owned()),
    }
    for c in letters {
        match c {
            'x' => words.extend([std::mem::take(&mut squares), "takes".to_owned()]),
            '=' => words.extend([std::mem::take(&mut squares), "becomes".to_owned()]),
            c => match role(c) {
                Some(role) => words.push(role.to_owned()),
                None => squares.push(c),
            },
        }
    }
    words.push(squares);
    words.retain(|w| !w.is_empty());
    with_ending(words.join(" "), san)
}

fn with_ending(words: String, san: &str) -> String {
    match san.as_bytes().last() {
        Some(b'+') => words + " check",
        Some(b'#') => words + " mate",
        _ => words,
    }
}

fn role(letter: char) -> Option<&'static str> {
    letter
        .is_ascii_uppercase()
        .then(|| Role::from_char(letter))
        .flatten()
        .map(|role| match role {
            Role::Pawn => "pawn",
            Role::Knight => "knight",
            Role::Bishop => "bishop",
            Role::Rook => "rook",
            Role::Queen => "queen",
            Role::King => "king",
        })
}

/// White's and Black's pieces by kind and square: "king e1, queen d1, pawns a2 b2".
pub(crate) fn pieces(board: &shakmaty::Board) -> [String; 2] {
    [shakmaty::Color::White, shakmaty::Color::Black].map(|color| {
        let kinds = [
            Role::King,
            Role::Queen,
            Role::Rook,
            Role::Bishop,
            Role::Knight,
            Role::Pawn,
        ];
        let of = |kind: Role| {
            let squares = board.by_piece(kind.of(color)).into_iter();
            let squares: Vec<String> = squares.map(|s| s.to_string()).collect();
            let plural = if squares.len() == 1 { "" } else { "s" };
            let word = role(kind.upper_char()).unwrap_or("piece");
            (!squares.is_empty()).then(|| format!("{word}{plural} {}", squares.join(" ")))
        };
        kinds
            .into_iter()
            .filter_map(of)
            .collect::<Vec<_>>()
            .join(", ")
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn moves_are_read_aloud() {
        let rows = [
            ("Nxg3", "knight takes g3"),
            ("e4", "pawn e4"),
            ("exd5", "pawn e takes d5"),
            ("O-O", "castles short"),
            ("O-O-O+", "castles long check"),
            ("Rad1", "rook ad1"),
            ("e8=Q#", "pawn e8 becomes queen mate"),
            ("gxf1=N+", "pawn g takes f1 becomes knight check"),
        ];
        for (san, words) in rows {
            assert_eq!(spoken(san), words, "{san}");
        }
    }

    #[test]
    fn a_board_is_told_in_a_sentence_also_without_names() {
        let mut board = crate::web::example::board(&["e4"]);
        let want = "Board 12, Okafor against Kuznetsova, White played pawn e4, Black to move";
        assert_eq!(sentence(&board), want);
        board.players.white.name.clear();
        let want = "Board 12, White against Kuznetsova, White played pawn e4, Black to move";
        assert_eq!(sentence(&board), want);
    }

    #[test]
    fn a_board_is_told_piece_by_piece() {
        let board: protocol::Placement = "4k3/p7/8/8/8/8/1P1P4/R3K2R".parse().expect("placement");
        let want = ["king e1, rooks a1 h1, pawns b2 d2", "king e8, pawn a7"];
        assert_eq!(pieces(&board.0), want.map(str::to_owned));
    }

    #[test]
    fn names_cannot_break_the_page() {
        assert_eq!(escape("<b a='\"'>&"), "&lt;b a=&#39;&quot;&#39;&gt;&amp;");
    }

    #[test]
    fn clocks_show_whole_seconds() {
        assert_eq!(
            [clock(0), clock(5_398_999), clock(36_000_000)],
            ["0:00:00", "1:29:58", "10:00:00"]
        );
    }
}
