//! Pairings that come in steps while boards play: every game at the table that names its board, none twice, none lost, and tables in
//! addition to those that are there.

use protocol::{Side, TableId, Topic};

use super::going_on::{bind, pairings, play, replays_alike, stands, stands_at};
use super::hall::{Hall, config, device, made, round};
use crate::rounds::{RoundSetup, TableSetup};
use crate::venue::Input;

/// What is played on boards 1 to 4, and how they stand after it.
const PLAYED: [([&str; 2], [&str; 2], &str); 4] = [
    (
        ["e2e4", "e7e5"],
        ["e4", "e5"],
        "rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR",
    ),
    (
        ["d2d4", "d7d5"],
        ["d4", "d5"],
        "rnbqkbnr/ppp1pppp/8/3p4/3P4/8/PPP1PPPP/RNBQKBNR",
    ),
    (
        ["c2c4", "c7c5"],
        ["c4", "c5"],
        "rnbqkbnr/pp1ppppp/8/2p5/2P5/8/PP1PPPPP/RNBQKBNR",
    ),
    (
        ["f2f4", "f7f5"],
        ["f4", "f5"],
        "rnbqkbnr/ppppp1pp/8/5p2/5P2/8/PPPPP1PP/RNBQKBNR",
    ),
];

fn of_board(board: u16) -> ([&'static str; 2], [&'static str; 2], &'static str) {
    PLAYED[usize::from(board) - 1]
}

/// Boards play at tables that opened by themselves, table 1 for the first that came.
fn without_pairings(came: &[u16]) -> Hall {
    let mut hall = Hall::empty(config());
    for board in came {
        let (moves, _, stand) = of_board(*board);
        for ((uci, ply), by) in moves.iter().zip(1..).zip(Side::BOTH) {
            hall.fact(*board, made(ply, uci, by));
            hall.completed(*board, ply);
        }
        stands(&mut hall, *board, stand);
    }
    hall
}

/// Tables 1, 2, … with these boards.
fn tables(boards: &[u16]) -> RoundSetup {
    let rows: Vec<_> = (1..).zip(boards.iter().map(|b| Some(*b))).collect();
    pairings(1, &rows)
}

#[track_caller]
fn each_once(hall: &Hall, boards: &[u16]) {
    for (table, board) in (1..).zip(boards) {
        stands_at(hall, table, *board, &of_board(*board).1);
        assert_eq!(
            hall.board(table).players.white.name,
            format!("White {table}")
        );
    }
    let shown: Vec<u16> = hall
        .round_shown()
        .tables
        .iter()
        .map(|t| t.table.0)
        .collect();
    let paired: Vec<u16> = (1..).take(boards.len()).collect();
    assert_eq!(shown, paired, "no other table is there");
    for ghost in 5..12 {
        assert_eq!(hall.text(&Topic::DeskTable(TableId(ghost))), None);
        assert_eq!(hall.text(&Topic::HallBoard(TableId(ghost))), None);
    }
    assert!(hall.open().is_empty(), "{:?}", hall.open());
    replays_alike(hall);
}

#[test]
fn pairings_that_come_in_two_steps_during_play_lose_no_table() {
    // In which order the boards came, whether one is bound between the steps, and which boards the whole list names.
    let rows = [
        ([1, 2, 3, 4], None, [1, 2, 3, 4]),
        ([1, 2, 3, 4], Some((1, 1)), [1, 2, 3, 4]),
        ([4, 3, 2, 1], Some((1, 1)), [1, 2, 3, 4]),
        ([2, 3, 4, 1], None, [1, 2, 3, 4]),
        ([1, 2, 3, 4], Some((1, 2)), [4, 1, 2, 3]),
        ([3, 1, 4, 2], Some((2, 4)), [2, 4, 3, 1]),
        ([2, 1, 4, 3], Some((2, 1)), [3, 4, 1, 2]),
    ];
    for (came, bound, named) in rows {
        let mut hall = without_pairings(&came);
        hall.input(Input::Round(pairings(1, &[(1, None), (2, None)])));
        if let Some((table, board)) = bound {
            hall.done(bind(table, board));
        }
        let all = tables(&named);
        assert_eq!(hall.venue.objection(&all), None, "{came:?} {bound:?}");
        hall.input(Input::Round(all.clone()));
        each_once(&hall, &named);
        hall.input(Input::Round(all));
        each_once(&hall, &named);
        hall.hub_restarts_after(1_000);
        each_once(&hall, &named);
    }
}

#[test]
fn a_game_that_nobody_has_paired_makes_room_and_is_not_lost() {
    let mut hall = without_pairings(&[1, 2, 3]);
    hall.input(Input::Round(pairings(1, &[(1, None)])));
    stands_at(&hall, 3, 3, &["c4", "c5"]);
    hall.input(Input::Round(pairings(
        1,
        &[(1, Some(1)), (2, Some(2)), (3, None)],
    )));
    stands_at(&hall, 1, 1, &["e4", "e5"]);
    assert!(hall.desk(3).record.is_empty());
    assert_eq!(hall.desk(3).device, None);
    let free = hall.venue.state().devices[&device(3)].table;
    let free = free.expect("a table of its own").0;
    assert!(free > 3);
    stands_at(&hall, free, 3, &["c4", "c5"]);
    play(&mut hall, 3, free, &["g1f3"]);
    hall.done(bind(3, 3));
    stands_at(&hall, 3, 3, &["c4", "c5", "Nf3"]);
    assert_eq!(hall.round_shown().tables.len(), 3);
    assert!(hall.open().is_empty(), "{:?}", hall.open());
    replays_alike(&hall);
}

#[test]
fn boards_that_were_named_in_a_circle_are_put_right_with_their_games() {
    for named in [[2, 3, 1, 4], [2, 3, 4, 1], [4, 3, 2, 1]] {
        let mut hall = Hall::with_round(tables(&[1, 2, 3, 4]));
        for board in 1..=4 {
            let (moves, _, stand) = of_board(board);
            stands(&mut hall, board, stand);
            play(&mut hall, board, board, &moves);
        }
        hall.input(Input::Round(tables(&named)));
        each_once(&hall, &named);
    }
}

#[test]
fn two_boards_are_exchanged_by_one_order_with_their_games() {
    let mut hall = Hall::with_round(tables(&[1, 2]));
    for board in 1..=2 {
        let (moves, _, stand) = of_board(board);
        stands(&mut hall, board, stand);
        play(&mut hall, board, board, &moves);
    }
    let preview = format!("{:?}", hall.preview(bind(1, 2)));
    assert!(preview.contains("on tables 1 and 2"), "{preview}");
    hall.done(bind(1, 2));
    each_once(&hall, &[2, 1]);
}

/// Tables with players of their own names.
fn of_players(rows: &[(u16, &str, &str)]) -> RoundSetup {
    let table = |(n, white, black): &(u16, &str, &str)| TableSetup::new(TableId(*n), white, black);
    RoundSetup {
        round: 5,
        tables: rows.iter().map(table).collect(),
        ..round(0, "5400+30")
    }
}

#[test]
fn tables_come_in_addition_and_others_for_played_tables_do_not() {
    let mut hall = Hall::with_round(pairings(5, &[(1, Some(1)), (2, Some(2)), (3, None)]));
    play(&mut hall, 1, 1, &["e2e4", "e7e5"]);
    play(&mut hall, 2, 2, &["d2d4"]);
    let (more, also) = ((4, "New, A", "New, B"), (5, "New, C", "New, D"));
    let rows = [
        (vec![more, also], false),
        (vec![(1, "White 1", "Black 1"), more], false),
        (vec![(1, "Other, A", "Other, B"), more], true),
        (vec![(2, "Other, A", "Other, B")], true),
        (vec![(3, "Other, A", "Other, B"), more], false),
    ];
    for (rows, refused) in rows {
        let why = hall.venue.objection(&of_players(&rows));
        assert_eq!(why.is_some(), refused, "{rows:?} {why:?}");
    }
    hall.input(Input::Round(of_players(&[more, also])));
    let names = |n: u16| hall.board(n).players.white.name;
    assert_eq!(
        [1, 2, 3, 4, 5].map(names),
        ["White 1", "White 2", "White 3", "New, A", "New, C"]
    );
    assert_eq!(hall.round_shown().tables.len(), 5);
    stands_at(&hall, 1, 1, &["e4", "e5"]);
    // A player of a table that has not begun sits at a new one.
    hall.input(Input::Round(of_players(&[(6, "White 3", "New, E")])));
    assert_eq!(hall.text(&Topic::HallBoard(TableId(3))), None);
    assert_eq!(hall.round_shown().tables.len(), 5);
    replays_alike(&hall);
}

#[test]
fn art_6_10_2_presses_of_a_board_that_was_paired_late_are_counted_with_its_moves() {
    // The control of the pairings counts moves; the board plays before it has a table, or at one of its own.
    for paired_first in [true, false] {
        let late = || RoundSetup {
            tables: pairings(1, &[(1, Some(1))]).tables,
            ..round(0, "40/5400+30:1800+30")
        };
        let mut hall = Hall::empty(config());
        if paired_first {
            let mut others = late();
            others.tables = pairings(1, &[(1, None)]).tables;
            hall.input(Input::Round(others));
        }
        let moves = [
            "e2e4", "e7e5", "g1f3", "b8c6", "f1b5", "a7a6", "b5a4", "g8f6", "d2d3", "d7d6", "b1c3",
            "c8d7",
        ];
        let mut time = [5400, 5400];
        let mut ply = 0;
        let mut play_on = |hall: &mut Hall, moves: &[&str]| {
            for uci in moves {
                let mover = if ply % 2 == 0 {
                    Side::White
                } else {
                    Side::Black
                };
                ply += 1;
                hall.pass(5_000);
                hall.fact(1, made(ply, uci, mover));
                time[usize::from(mover == Side::Black)] += 25;
                hall.clock(1, time[0], time[1], Some(mover.other()));
                hall.completed(1, ply);
            }
        };
        play_on(&mut hall, &moves[..8]);
        match paired_first {
            true => drop(hall.done(bind(1, 1))),
            false => hall.input(Input::Round(late())),
        }
        assert_eq!(hall.desk(1).record.len(), 8, "{paired_first}");
        play_on(&mut hall, &moves[8..]);
        hall.pass(1_000);
        assert_eq!(hall.desk(1).record.len(), 12);
        let open = hall.open();
        assert!(!open.contains(&"move-counter-wrong".to_owned()), "{open:?}");
    }
}
