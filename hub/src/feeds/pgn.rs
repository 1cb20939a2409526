//! PGN export, the clean kind: what every reader accepts (PGN standard of 1994, supplement of 2001).
//!
//! Seven tags first and the others in ASCII order; `[%clk]` and `[%emt]` in one comment, because some readers reject two
//! adjacent ones; a termination marker always. Only completed and settled moves, all of them once the game is over.

use protocol::{GameResult, HallBoard, HallPly, HallState, Side};
use shakmaty::fen::Fen;
use shakmaty::uci::UciMove;
use shakmaty::{CastlingMode, Chess, Position};

/// Several games, one after the other.
pub fn games<'a>(boards: impl Iterator<Item = &'a HallBoard>) -> String {
    boards.map(game).collect()
}

/// One game with its tags, ending with an empty line.
pub fn game(board: &HallBoard) -> String {
    let result = board.result.or_else(|| ended_by_a_move(board));
    let marker = result.map_or("*", GameResult::pgn);
    let mut text: String = tags(board, marker)
        .iter()
        .map(|(name, value)| tag(name, value))
        .collect();
    text.push('\n');
    text.push_str(&wrapped(&movetext(board, marker)));
    text.push('\n');
    text
}

/// Checkmate and stalemate end the game at once (5.1.1, 5.2.1) whether or not somebody has confirmed it yet, and readers complain of
/// a `*` behind them.
fn ended_by_a_move(board: &HallBoard) -> Option<GameResult> {
    let mode = CastlingMode::from_chess960(board.chess960);
    let fen = board.start_fen.as_deref().map(str::parse::<Fen>);
    let mut position: Chess = match fen {
        Some(fen) => fen.ok()?.into_position(mode).ok()?,
        None => Chess::default(),
    };
    for ply in clean_moves(board) {
        let legal = ply.uci.parse::<UciMove>().ok()?.to_move(&position).ok()?;
        position.play_unchecked(legal);
    }
    let mated = position.turn();
    match (position.is_checkmate(), position.is_stalemate()) {
        (true, _) => Some(mated.fold_wb(GameResult::BlackWins, GameResult::WhiteWins)),
        (_, true) => Some(GameResult::Draw),
        _ => None,
    }
}

/// The half-moves a clean file may hold.
pub fn clean_moves(board: &HallBoard) -> &[HallPly] {
    let sure = board.settled_ply.min(board.completed_ply) as usize;
    let shown = if board.state == HallState::Over {
        board.moves.len()
    } else {
        sure.min(board.moves.len())
    };
    &board.moves[..shown]
}

fn tags(board: &HallBoard, marker: &str) -> Vec<(String, String)> {
    let or = |text: &str, unknown: &str| {
        if text.is_empty() {
            unknown.to_owned()
        } else {
            text.to_owned()
        }
    };
    let name = |side| or(&board.players.get(side).name, "?");
    let round = if board.round == 0 {
        "?".to_owned()
    } else {
        board.round.to_string()
    };
    let seven = [
        ("Event", or(&board.event, "?")),
        ("Site", or(&board.site, "?")),
        ("Date", or(&board.date, "????.??.??")),
        ("Round", round),
        ("White", name(Side::White)),
        ("Black", name(Side::Black)),
        ("Result", marker.to_owned()),
    ];
    let mut tags: Vec<(String, String)> = seven.map(|(n, v)| (n.to_owned(), v)).into();
    let mut others = other_tags(board);
    others.sort();
    tags.extend(others);
    tags
}

fn other_tags(board: &HallBoard) -> Vec<(String, String)> {
    let mut tags = vec![
        ("Board".to_owned(), board.table.to_string()),
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
    tags.extend(termination(board).map(|t| ("Termination".to_owned(), t.to_owned())));
    tags
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

fn tag(name: &str, value: &str) -> String {
    let clean: String = value
        .chars()
        .map(|c| if c.is_control() { ' ' } else { c })
        .take(255)
        .collect();
    format!(
        "[{name} \"{}\"]\n",
        clean.replace('\\', "\\\\").replace('"', "\\\"")
    )
}

/// The tokens of the movetext, marker included.
fn movetext(board: &HallBoard, marker: &str) -> Vec<String> {
    let (mut number, mut black) = first_move(board);
    let mut tokens = Vec::new();
    let mut say_number = true;
    for ply in clean_moves(board) {
        if !black || say_number {
            tokens.push(format!("{number}{}", if black { "..." } else { "." }));
        }
        tokens.push(ply.san.clone());
        let comment = comment(ply);
        say_number = comment.is_some();
        tokens.extend(comment);
        number += u32::from(black);
        black = !black;
    }
    tokens.push(marker.to_owned());
    tokens
}

/// Number of the first move and whether Black makes it.
fn first_move(board: &HallBoard) -> (u32, bool) {
    let Some(fen) = &board.start_fen else {
        return (1, false);
    };
    let field = |n| fen.split(' ').nth(n);
    (
        field(5).and_then(|n| n.parse().ok()).unwrap_or(1),
        field(1) == Some("b"),
    )
}

/// `{[%clk 1:29:58][%emt 0:00:05]}`, whole seconds as the clocks show them.
fn comment(ply: &HallPly) -> Option<String> {
    let part = |name: &str, ms: Option<u64>| {
        ms.map(|ms| format!("[%{name} {}]", crate::web::words::clock(ms)))
    };
    let both: String = [part("clk", ply.clock_ms), part("emt", ply.spent_ms)]
        .into_iter()
        .flatten()
        .collect();
    (!both.is_empty()).then(|| format!("{{{both}}}"))
}

/// Lines of less than 80 characters.
fn wrapped(tokens: &[String]) -> String {
    let mut text = String::new();
    let mut width = 0;
    for token in tokens {
        if width > 0 && width + 1 + token.len() >= 80 {
            text.push('\n');
            width = 0;
        }
        if width > 0 {
            text.push(' ');
            width += 1;
        }
        text.push_str(token);
        width += token.len();
    }
    text.push('\n');
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::web::example::board;
    use protocol::Player;

    #[test]
    fn seven_tags_first_then_the_others_in_order() {
        let mut played = board(&["e4", "e5"]);
        played.players.white = Player {
            name: "O\"Brien\\, K".into(),
            rating: Some(2400),
            title: Some("GM".into()),
            ..Player::default()
        };
        played.start_fen = Some("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1".into());
        let text = game(&played);
        let names: Vec<&str> = text
            .lines()
            .filter_map(|l| l.strip_prefix('[')?.split(' ').next())
            .collect();
        assert_eq!(
            names,
            [
                "Event",
                "Site",
                "Date",
                "Round",
                "White",
                "Black",
                "Result",
                "BlackElo",
                "Board",
                "FEN",
                "SetUp",
                "TimeControl",
                "WhiteElo",
                "WhiteTitle"
            ]
        );
        assert!(text.contains(r#"[White "O\"Brien\\, K"]"#), "{text}");
    }

    #[test]
    fn times_stand_in_one_comment_and_the_number_is_said_again_after_it() {
        let mut played = board(&["e4", "e5", "Nf3"]);
        for (ply, (clock, spent)) in
            played
                .moves
                .iter_mut()
                .zip([(5_398_999, 1_001), (5_390_000, 10_000), (3_599_000, 0)])
        {
            (ply.clock_ms, ply.spent_ms) = (Some(clock), Some(spent));
        }
        let text = game(&played);
        let movetext = text
            .split("\n\n")
            .nth(1)
            .expect("movetext")
            .replace('\n', " ");
        assert_eq!(
            movetext.trim(),
            "1. e4 {[%clk 1:29:58][%emt 0:00:01]} 1... e5 {[%clk 1:29:50][%emt 0:00:10]} 2. Nf3 {[%clk 0:59:59][%emt 0:00:00]} *"
        );
    }

    #[test]
    fn only_completed_and_settled_moves_until_the_game_is_over() {
        let mut played = board(&["e4", "e5", "Nf3", "Nc6"]);
        (played.settled_ply, played.completed_ply) = (3, 2);
        assert!(game(&played).ends_with("\n1. e4 e5 *\n\n"));
        played.state = HallState::Over;
        played.result = Some(GameResult::Draw);
        assert!(game(&played).ends_with("\n1. e4 e5 2. Nf3 Nc6 1/2-1/2\n\n"));
    }

    #[test]
    fn games_that_begin_with_black_and_results_pgn_cannot_say() {
        let mut played = board(&["e5"]);
        played.start_fen =
            Some("rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 7".into());
        played.result = Some(GameResult::NobodyAppeared);
        let text = game(&played);
        assert!(
            text.contains("\n7... e5 *\n") && text.contains(r#"[Termination "abandoned"]"#),
            "{text}"
        );
    }

    #[test]
    fn a_mate_on_the_board_is_a_result_before_anybody_confirms_it() {
        let mated = board(&["f3", "e5", "g4", "Qh4#"]);
        let text = game(&mated);
        assert!(
            text.contains("[Result \"0-1\"]") && text.ends_with("2. g4 Qh4# 0-1\n\n"),
            "{text}"
        );
        let hidden = HallBoard {
            completed_ply: 3,
            ..mated
        };
        assert!(
            game(&hidden).ends_with("2. g4 *\n\n"),
            "what is not shown has no result"
        );
    }

    #[test]
    fn no_line_is_too_long() {
        let mut played = board(&["Nf3", "Nf6", "Ng1", "Ng8"].repeat(30));
        for ply in &mut played.moves {
            (ply.clock_ms, ply.spent_ms) = (Some(5_000_000), Some(12_000));
        }
        assert!(
            game(&played)
                .lines()
                .skip_while(|l| !l.is_empty())
                .all(|l| l.len() < 80)
        );
    }
}
