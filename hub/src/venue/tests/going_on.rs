//! Games that go on whatever is said of their tables: pairings that come during play, corrected ones, boards on other tables, new games.

use protocol::{Fact, GameResult, OrderBody, ResultHow, Side, TableId, Topic};

use super::hall::{Hall, config, device, round};
use crate::rounds::{RoundSetup, TableSetup};
use crate::venue::{EventBody, Input, Venue};

const AFTER_E4_E5: &str = "rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR";
const AFTER_D4_D5: &str = "rnbqkbnr/ppp1pppp/8/3p4/3P4/8/PPP1PPPP/RNBQKBNR";
const ARRAY: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR";

pub(super) fn stands(hall: &mut Hall, n: u16, board: &str) {
    let board = board.parse().expect("a placement");
    hall.fact(n, Fact::Dump { board });
}

/// Pairings: table, players of that table, board.
pub(super) fn pairings(number: u16, rows: &[(u16, Option<u16>)]) -> RoundSetup {
    let table = |(n, board): &(u16, Option<u16>)| TableSetup {
        device: board.map(device),
        ..TableSetup::new(TableId(*n), &format!("White {n}"), &format!("Black {n}"))
    };
    RoundSetup {
        round: number,
        tables: rows.iter().map(table).collect(),
        ..round(0, "5400+30")
    }
}

/// Boards 7 and 8 play at tables that opened by themselves.
fn unpaired() -> Hall {
    let mut hall = Hall::empty(config());
    for (n, moves, board) in [
        (7, ["e2e4", "e7e5"], AFTER_E4_E5),
        (8, ["d2d4", "d7d5"], AFTER_D4_D5),
    ] {
        let by = [Side::White, Side::Black];
        for ((uci, ply), by) in moves.iter().zip(1..).zip(by) {
            hall.fact(n, super::hall::made(ply, uci, by));
            hall.completed(n, ply);
        }
        stands(&mut hall, n, board);
    }
    hall
}

pub(super) fn sans(hall: &Hall, table: u16) -> Vec<String> {
    let moves = hall.board(table).moves;
    moves.iter().map(|ply| ply.san.clone()).collect()
}

/// A board stands at a table, and the game of that table has these moves.
#[track_caller]
pub(super) fn stands_at(hall: &Hall, table: u16, board: u16, moves: &[&str]) {
    let desk = hall.desk(table);
    assert_eq!(desk.device, Some(device(board)), "table {table}");
    assert_eq!(sans(hall, table), moves, "table {table}");
    let control = hall.control(board);
    assert_eq!(control.table, Some(TableId(table)));
    assert_eq!(control.game, Some(desk.game));
}

/// The same, and the board goes on from them.
#[track_caller]
fn plays(hall: &Hall, table: u16, board: u16, moves: &[&str]) {
    stands_at(hall, table, board, moves);
    let control = hall.control(board);
    let line = control.adopt.map(|adopt| adopt.line.len());
    assert_eq!(line, Some(moves.len()), "what the board starts from");
}

/// Moves made and completed on a board that stands on a table.
pub(super) fn play(hall: &mut Hall, board: u16, table: u16, moves: &[&str]) {
    let first = hall.desk(table).record.len() + 1;
    for (uci, index) in moves.iter().zip(first..) {
        let ply = u32::try_from(index).expect("small");
        hall.now = hall.now.after(1_000);
        hall.made(board, ply, uci);
        hall.completed(board, ply);
    }
}

#[track_caller]
pub(super) fn replays_alike(hall: &Hall) {
    let mut again = Venue::new(config());
    hall.journal.iter().for_each(|event| again.replay(event));
    assert_eq!(again.state(), hall.venue.state());
}

#[test]
fn pairings_that_come_during_play_find_their_games() {
    // The round of the pairings; games without one have round 1.
    for number in [1, 5] {
        let mut hall = unpaired();
        hall.input(Input::Round(pairings(
            number,
            &[(1, Some(8)), (2, Some(7)), (3, None)],
        )));
        plays(&hall, 1, 8, &["d4", "d5"]);
        plays(&hall, 2, 7, &["e4", "e5"]);
        let board = hall.board(2);
        assert_eq!(board.players.white.name, "White 2");
        assert_eq!((board.event.as_str(), board.round), ("Open", number));
        assert_eq!(board.time_control, "5400+30");
        assert_eq!(board.game.to_string(), format!("r{number}-t2"));
        assert!(hall.desk(3).record.is_empty());
        assert!(hall.open().is_empty(), "{:?}", hall.open());
        play(&mut hall, 7, 2, &["g1f3"]);
        assert_eq!(sans(&hall, 2), ["e4", "e5", "Nf3"]);
        assert_eq!(hall.round_shown().tables.len(), 3);
        replays_alike(&hall);
    }
}

#[test]
fn a_game_that_nobody_has_paired_goes_on_at_a_table_of_its_own_until_its_board_is_bound() {
    let mut hall = unpaired();
    hall.input(Input::Round(pairings(5, &[(1, None), (2, Some(7))])));
    plays(&hall, 2, 7, &["e4", "e5"]);
    plays(&hall, 4, 8, &["d4", "d5"]);
    assert_eq!(hall.open(), ["device-unknown"]);
    assert!(hall.round_shown().unbound.contains(&device(8)));
    assert!(hall.alert("device-unknown").because[0].contains("table 4"));
    play(&mut hall, 8, 4, &["c2c4"]);
    let preview = format!("{:?}", hall.preview(bind(1, 8)));
    assert!(
        preview.contains("recorded at table 4 goes along"),
        "{preview}"
    );
    hall.done(bind(1, 8));
    plays(&hall, 1, 8, &["d4", "d5", "c4"]);
    assert_eq!(hall.text(&Topic::DeskTable(TableId(4))), None);
    assert_eq!(hall.text(&Topic::HallBoard(TableId(4))), None);
    assert!(hall.open().is_empty(), "{:?}", hall.open());
    replays_alike(&hall);
}

pub(super) fn bind(table: u16, board: u16) -> OrderBody {
    OrderBody::Bind {
        table: TableId(table),
        device: Some(device(board)),
    }
}

#[test]
fn what_is_open_at_an_unpaired_table_is_open_at_its_table_of_the_pairings() {
    let mut hall = unpaired();
    let from = "rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2";
    let to = "rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPPKP1P/RNBQ1BNR b - - 0 2";
    hall.fact(
        7,
        Fact::Made {
            ply: 3,
            played: protocol::Played::Irregular {
                from_fen: from.to_owned(),
                to_fen: to.to_owned(),
                words: "nonsense".to_owned(),
            },
            by: Side::White,
            certainty: 1.0,
            squares: Vec::new(),
            after_ms: 0,
        },
    );
    hall.completed(7, 3);
    assert_eq!(hall.alert("illegal-move").table, Some(TableId(1)));
    hall.input(Input::Round(pairings(5, &[(1, None), (4, Some(7))])));
    let open: Vec<_> = hall.open();
    let illegal = open.iter().filter(|code| *code == "illegal-move").count();
    assert_eq!(illegal, 1, "{open:?}");
    assert_eq!(hall.alert("illegal-move").table, Some(TableId(4)));
}

#[test]
fn corrected_pairings_during_play_lose_no_move() {
    // Boards of tables 1 and 2 in the corrected pairings, and which board then tells which game where.
    let mut hall = Hall::with_round(pairings(5, &[(1, Some(7)), (2, Some(8)), (3, None)]));
    for (n, table, moves, board) in [
        (7, 1, ["e2e4", "e7e5"], AFTER_E4_E5),
        (8, 2, ["d2d4", "d7d5"], AFTER_D4_D5),
    ] {
        stands(&mut hall, n, board);
        play(&mut hall, n, table, &moves);
    }
    let mut named = pairings(5, &[(1, Some(7)), (2, Some(8)), (3, None)]);
    named.tables[0].players.white.name = "Corrected, N".to_owned();
    named.event = "Open, corrected".to_owned();
    named.time_control = "5400+60".parse().expect("control");
    hall.input(Input::Round(named));
    let board = hall.board(1);
    assert_eq!(sans(&hall, 1), ["e4", "e5"]);
    assert_eq!(board.players.white.name, "Corrected, N");
    assert_eq!(
        (board.event.as_str(), board.time_control.as_str()),
        ("Open, corrected", "5400+60")
    );
    // The boards had been named the wrong way round, and then one of them is on table 3.
    hall.input(Input::Round(pairings(
        5,
        &[(1, Some(8)), (2, Some(7)), (3, None)],
    )));
    plays(&hall, 1, 8, &["d4", "d5"]);
    plays(&hall, 2, 7, &["e4", "e5"]);
    assert_eq!(hall.board(1).players.white.name, "White 1");
    hall.input(Input::Round(pairings(
        5,
        &[(1, Some(8)), (2, None), (3, Some(7))],
    )));
    plays(&hall, 3, 7, &["e4", "e5"]);
    assert!(hall.desk(2).record.is_empty());
    replays_alike(&hall);
}

#[test]
fn a_board_that_comes_to_another_table_alone_is_followed_by_no_game() {
    let both = |board| {
        let mut hall = Hall::with_round(pairings(5, &[(1, Some(7)), (2, Some(8))]));
        hall.info(
            7,
            "b1",
            protocol::Health {
                board: true,
                ..protocol::Health::default()
            },
        );
        play(&mut hall, 7, 1, &["e2e4", "e7e5"]);
        stands(&mut hall, 7, board);
        hall
    };
    // The pieces were set up for another game before the board came to table 2.
    let mut hall = both(ARRAY);
    hall.done(bind(2, 7));
    assert!(hall.desk(2).record.is_empty());
    assert_eq!(sans(&hall, 1), ["e4", "e5"]);
    // Its game is over, and its board takes the place of one that died.
    let mut hall = both(AFTER_E4_E5);
    hall.done(OrderBody::Result {
        table: TableId(1),
        result: GameResult::Draw,
        how: ResultHow::Agreed,
        confirm: true,
        signed: protocol::BySide::default(),
    });
    play(&mut hall, 8, 2, &["d2d4", "d7d5"]);
    hall.done(bind(2, 7));
    assert_eq!(sans(&hall, 1), ["e4", "e5"]);
    plays(&hall, 2, 7, &["d4", "d5"]);
    replays_alike(&hall);
}

#[test]
fn a_board_without_a_table_records_from_the_array_on() {
    let mut hall = Hall::with_round(pairings(5, &[(1, Some(7)), (2, None)]));
    play(&mut hall, 7, 1, &["e2e4", "e7e5"]);
    stands(&mut hall, 7, AFTER_E4_E5);
    hall.done(OrderBody::Bind {
        table: TableId(1),
        device: None,
    });
    assert_eq!(hall.control(7).game, None, "nothing on it is a move");
    stands(&mut hall, 7, ARRAY);
    let first = hall.control(7).game.expect("it records");
    let by = [Side::White, Side::Black];
    for ((uci, ply), by) in ["c2c4", "c7c5"].iter().zip(1..).zip(by) {
        hall.fact(7, super::hall::made(ply, uci, by));
    }
    let board = ARRAY.parse().expect("a placement");
    let set_up = Fact::SetUp {
        board,
        correct: true,
        squares: Vec::new(),
        rotated: false,
    };
    hall.fact(7, set_up.clone());
    let second = hall.control(7).game.expect("it records");
    assert_ne!(first, second, "another game begins");
    hall.fact(7, set_up);
    assert_eq!(hall.control(7).game, Some(second), "once");
    hall.fact(7, super::hall::made(1, "g1f3", Side::White));
    hall.done(bind(2, 7));
    plays(&hall, 2, 7, &["Nf3"]);
    replays_alike(&hall);
}

#[test]
fn art_7_2_1_a_game_that_begins_again_waits_for_its_array() {
    // What stands when the arbiter says so, and whether a move told after that counts at once.
    for (board, at_once) in [(AFTER_E4_E5, false), (ARRAY, true)] {
        let mut hall = Hall::with_round(pairings(5, &[(1, Some(7))]));
        play(&mut hall, 7, 1, &["e2e4", "e7e5"]);
        stands(&mut hall, 7, board);
        hall.done(OrderBody::Restart { table: TableId(1) });
        let recorded = hall.control(7).game.is_some();
        assert_eq!(recorded, at_once, "{board}");
        if !at_once {
            hall.clock(7, 5000, 5000, Some(Side::White));
            hall.fact(7, super::hall::made(1, "e2e4", Side::White));
            assert!(hall.desk(1).record.is_empty(), "an old move comes again");
            replays_alike(&hall);
            stands(&mut hall, 7, ARRAY);
        }
        let control = hall.control(7);
        assert_eq!(control.game, Some(hall.desk(1).game));
        assert_eq!(control.adopt, None);
        play(&mut hall, 7, 1, &["d2d4"]);
        assert_eq!(sans(&hall, 1), ["d4"]);
        replays_alike(&hall);
    }
}

#[test]
fn a_game_that_waits_for_its_array_is_taken_back_with_its_moves() {
    let mut hall = Hall::with_round(pairings(5, &[(1, Some(7))]));
    play(&mut hall, 7, 1, &["e2e4", "e7e5"]);
    stands(&mut hall, 7, AFTER_E4_E5);
    let ruling = hall.done(OrderBody::Restart { table: TableId(1) });
    hall.done(OrderBody::Counter {
        ruling: ruling.expect("a ruling"),
    });
    plays(&hall, 1, 7, &["e4", "e5"]);
    replays_alike(&hall);
}

#[test]
fn an_array_that_was_set_up_before_the_arbiter_said_so_is_the_new_game() {
    let mut hall = Hall::with_round(pairings(5, &[(1, Some(7))]));
    play(&mut hall, 7, 1, &["e2e4", "e7e5"]);
    stands(&mut hall, 7, ARRAY);
    hall.fact(
        7,
        Fact::SetUp {
            board: ARRAY.parse().expect("a placement"),
            correct: true,
            squares: Vec::new(),
            rotated: false,
        },
    );
    stands(&mut hall, 7, AFTER_D4_D5);
    hall.done(OrderBody::Restart { table: TableId(1) });
    assert_eq!(hall.control(7).game, Some(hall.desk(1).game));
}

#[test]
fn a_journal_of_an_older_program_ends_unpaired_games_with_the_pairings() {
    let hall = unpaired();
    let mut venue = Venue::new(config());
    hall.journal.iter().for_each(|event| venue.replay(event));
    let number = venue.state().number;
    let body = EventBody::RoundOpened {
        setup: pairings(1, &[(1, None)]),
        goes_on: false,
    };
    venue.replay(&crate::venue::Event {
        number: number + 1,
        at: hall.now,
        body,
    });
    assert_eq!(venue.state().tables.len(), 1);
    assert!(venue.state().tables[&TableId(1)].game.record.is_empty());
}
