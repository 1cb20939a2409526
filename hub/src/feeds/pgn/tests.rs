//! What the clean kind of file says, row by row.

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
            "BlackClock",
            "BlackElo",
            "Board",
            "FEN",
            "GameId",
            "ReferenceTime",
            "SetUp",
            "TimeControl",
            "WhiteClock",
            "WhiteElo",
            "WhiteTitle"
        ]
    );
    assert!(text.contains(r#"[White "O'Brien\\, K"]"#), "{text}");
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
    played.start_fen = Some("rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 7".into());
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
fn a_record_that_goes_on_with_no_legal_move_says_so_in_a_comment() {
    let mut played = board(&["e4", "e5"]);
    (played.state, played.result) = (HallState::Over, Some(GameResult::BlackWins));
    played.cut_short = true;
    let text = game(&played);
    assert!(
        text.ends_with("\n1. e4 e5 {What was played after this is no legal move.} 0-1\n\n"),
        "{text}"
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

#[test]
fn the_clocks_stand_in_the_tags_while_the_game_is_played_and_no_longer() {
    let mut played = board(&["e4"]);
    let text = game(&played);
    assert!(
        text.contains("[WhiteClock \"1:29:58\"]\n")
            && text.contains("[BlackClock \"0:00:03\"]\n")
            && text.contains("[ReferenceTime \"W/2023-11-14T22:13:20.000+00:00\"]\n"),
        "{text}"
    );
    played.state = HallState::Waiting;
    assert!(!game(&played).contains("Clock"), "not begun");
    (played.state, played.result) = (HallState::Over, Some(GameResult::Draw));
    assert!(!game(&played).contains("Clock"), "over");
}

#[test]
fn round_and_board_stand_together_and_a_game_has_its_name() {
    let text = game(&board(&[]));
    assert!(
        text.contains("[Round \"5.12\"]\n") && text.contains("[GameId \"r5-t12\"]\n"),
        "{text}"
    );
    assert!(
        text.ends_with("\n\n*\n\n"),
        "a game before its start ends with its marker"
    );
}

#[test]
fn e_pgn_is_letter_for_letter_what_livechess_writes() {
    let mut played = board(&["e4", "e5", "Nf3"]);
    let times = [
        (Some(919_000), None),
        (Some(918_000), Some(2_000)),
        (Some(927_000), Some(2_000)),
    ];
    for (ply, (clock, spent)) in played.moves.iter_mut().zip(times) {
        (ply.clock_ms, ply.spent_ms) = (clock, spent);
    }
    played.players.white.rating = Some(1349);
    (played.state, played.result) = (HallState::Over, Some(GameResult::WhiteWins));
    let want = r#"[ePGN "0.1;DGT LiveChess/2.2.5"]
[Event "Open de Lyon"]
[Site "Lyon"]
[Date "2026.11.29"]
[Round "5.12"]
[White "Okafor, T"]
[Black "Kuznetsova, A"]
[Result "1-0"]
[TimeControl "5400+30"]
[BlackElo "2412"]
[WhiteElo "1349"]

1. e4 {[%clk 00:15:19]} e5 {[%clk 00:15:18]} {[%emt 00:00:02]} 2. Nf3 {[%clk
00:15:27]} {[%emt 00:00:02]} 1-0

"#;
    let said = |form| written(form, std::iter::once(&played));
    assert_eq!(said(PgnForm::Livechess), want);
    let together = said(PgnForm::EPgn);
    let movetext = together.split("\n\n").nth(1).expect("movetext");
    assert_eq!(
        movetext.replace('\n', " "),
        "1. e4 {[%clk 00:15:19]} e5 {[%clk 00:15:18][%emt 00:00:02]} 2. Nf3 {[%clk 00:15:27][%emt 00:00:02]} 1-0"
    );
    assert_eq!(together.split("\n\n").next(), want.split("\n\n").next());
    let two = written(PgnForm::Livechess, [&played, &played].into_iter());
    assert_eq!(
        two.matches("ePGN").count(),
        1,
        "only the first game says so"
    );
}
