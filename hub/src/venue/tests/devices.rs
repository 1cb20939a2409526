//! Boards and agents: which table, who is silent, who started again.

use protocol::{EditionId, Fact, Health, OrderBody, Side, TableId, Topic, Urgency};

use super::hall::{Hall, config, device, round};
use crate::rounds::{RoundSetup, TableSetup};
use crate::venue::{EventBody, Input};

pub(super) fn well() -> Health {
    Health {
        board: true,
        clock: true,
        ..Health::default()
    }
}

#[test]
fn without_pairings_a_board_opens_its_own_table() {
    let mut hall = Hall::empty(config());
    hall.play_unseen(3, "e2e4");
    assert_eq!(hall.desk(1).device, Some(device(3)));
    assert_eq!(hall.board(1).moves[0].san, "e4");
    hall.play_unseen(4, "d2d4");
    assert_eq!(hall.board(2).moves[0].san, "d4");
    assert!(hall.open().is_empty());
}

impl Hall {
    fn play_unseen(&mut self, n: u16, uci: &str) {
        self.made(n, 1, uci);
    }
}

#[test]
fn with_pairings_an_unknown_board_is_reported_and_its_moves_are_kept_until_it_is_bound() {
    let mut setup = round(1, "5400+30");
    setup.tables[0].device = None;
    let mut hall = Hall::with_round(setup);
    hall.made(9, 1, "e2e4");
    hall.completed(9, 1);
    hall.made(9, 2, "e7e5");
    assert_eq!(hall.open(), ["device-unknown"]);
    assert_eq!(hall.alert("device-unknown").urgency, Urgency::Tech);
    assert!(hall.desk(1).record.is_empty());
    hall.order(OrderBody::Bind {
        table: TableId(1),
        device: Some(device(9)),
    });
    assert!(hall.open().is_empty());
    assert_eq!(hall.desk(1).record.len(), 2, "what it told before counts");
    hall.made(9, 3, "g1f3");
    assert_eq!(hall.board(1).moves.len(), 3);
}

/// What board 9 says stands on it.
fn stands(hall: &mut Hall, board: &str) {
    let board = board.parse().expect("a placement");
    hall.fact(9, Fact::Dump { board });
}

const ARRAY: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR";
const KING_LIFTED: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQ1BNR";

#[test]
fn a_table_gets_the_board_whose_white_king_is_lifted_for_three_seconds() {
    // Whether the table waits, how long the king is in the hand, whether it is put back, and whether the board is bound.
    let rows = [
        (true, 3_200, false, true),
        (true, 3_200, true, true),
        (true, 1_500, true, false),
        (false, 9_000, true, false),
    ];
    for (waits, lifted_ms, back, bound) in rows {
        let mut setup = round(2, "5400+30");
        setup.tables[0].device = None;
        let mut hall = Hall::with_round(setup);
        stands(&mut hall, ARRAY);
        if waits {
            let words = hall.order(OrderBody::BindByGesture { table: TableId(1) });
            assert!(format!("{words:?}").contains("lift the white king of table 1"));
        }
        stands(&mut hall, KING_LIFTED);
        // Nobody looks meanwhile where the king is put back.
        if back {
            hall.now = hall.now.after(lifted_ms);
            stands(&mut hall, ARRAY);
        } else {
            hall.pass(lifted_ms);
        }
        hall.pass(10_000);
        let expect = bound.then(|| device(9));
        assert_eq!(hall.desk(1).device, expect, "{waits} {lifted_ms} {back}");
        assert_eq!(hall.desk(2).device, Some(device(2)));
    }
}

#[test]
fn a_table_that_waited_too_long_gets_no_board() {
    let mut setup = round(1, "5400+30");
    setup.tables[0].device = None;
    let mut hall = Hall::with_round(setup);
    hall.order(OrderBody::BindByGesture { table: TableId(1) });
    hall.pass(121_000);
    stands(&mut hall, KING_LIFTED);
    hall.pass(5_000);
    assert_eq!(hall.desk(1).device, None);
}

#[test]
fn kings_on_the_squares_of_a_table_bind_its_board_unless_another_one_answers_there() {
    let named = "rnbq1bnr/pppppppp/8/8/8/Kk6/PPPPPPPP/RNBQ1BNR";
    for answers in [false, true] {
        let mut hall = Hall::with_round(round(1, "5400+30"));
        if answers {
            hall.info(1, "b1", well());
            hall.fact(1, Fact::Health(well()));
        }
        stands(&mut hall, named);
        hall.pass(1_500);
        assert_eq!(hall.desk(1).device, Some(device(1)), "not yet");
        hall.pass(2_500);
        let expect = if answers { device(1) } else { device(9) };
        assert_eq!(hall.desk(1).device, Some(expect));
        let told = hall.open().contains(&"table-claimed-twice".to_owned());
        assert_eq!(told, answers, "{:?}", hall.open());
        hall.pass(5_000);
        let claims = hall
            .journal
            .iter()
            .filter(|event| matches!(event.body, EventBody::ClaimedTwice { .. }));
        assert_eq!(claims.count(), usize::from(answers), "it is said once");
    }
}

#[test]
fn a_low_battery_is_told_once_and_ends_when_it_is_charged() {
    let with = |percent, charging| Health {
        battery: Some(protocol::Battery { percent, charging }),
        ..well()
    };
    let mut hall = Hall::standard();
    hall.info(1, "b1", with(40, false));
    hall.info(1, "b1", with(11, false));
    assert!(hall.open().is_empty());
    hall.info(1, "b1", with(10, false));
    assert_eq!(hall.open(), ["board-battery-low"]);
    let alert = hall.alert("board-battery-low");
    assert_eq!(alert.urgency, Urgency::Tech);
    assert!(
        alert.because[0].contains("10 % left at table 1"),
        "{alert:?}"
    );
    hall.fact(1, Fact::Health(with(12, false)));
    hall.pass(1_000);
    assert_eq!(
        hall.open(),
        ["board-battery-low"],
        "no flicker at the limit"
    );
    hall.fact(1, Fact::Health(with(9, true)));
    hall.pass(1_000);
    assert!(hall.open().is_empty(), "it is being charged");
}

#[test]
fn boards_of_two_tables_that_show_each_others_positions_are_exchanged() {
    let first = "rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR";
    let second = "rnbqkbnr/ppp1pppp/8/3p4/3P4/8/PPP1PPPP/RNBQKBNR";
    let shows = |hall: &mut Hall, n: u16, board: &str| {
        let squares = [
            shakmaty::Square::D4,
            shakmaty::Square::E4,
            shakmaty::Square::E5,
        ]
        .map(protocol::SquareName)
        .to_vec();
        let board = board.parse().expect("a placement");
        hall.fact(n, Fact::Unexplained { squares, board });
    };
    for exchanged in [true, false] {
        let mut hall = Hall::with_round(round(2, "5400+30"));
        hall.play(1, &["e2e4", "e7e5"]);
        hall.play(2, &["d2d4", "d7d5"]);
        shows(&mut hall, 1, second);
        if exchanged {
            shows(&mut hall, 2, first);
        }
        hall.pass(6_000);
        assert_eq!(hall.open().len(), if exchanged { 2 } else { 0 });
        if exchanged {
            assert_eq!(hall.open(), ["boards-exchanged", "boards-exchanged"]);
            let alert = hall.alert("boards-exchanged");
            assert_eq!(alert.urgency, Urgency::Tech);
            assert!(alert.headline.contains("tables 1 and 2"), "{alert:?}");
            assert_eq!(alert.evidence.len(), 1);
            hall.fact(1, Fact::Explained);
            hall.fact(2, Fact::Explained);
            hall.pass(1_000);
            assert!(hall.open().is_empty(), "{:?}", hall.open());
        } else {
            hall.pass(10_000);
            assert_eq!(
                hall.open(),
                ["position-mismatch"],
                "one board alone proves nothing"
            );
        }
    }
}

#[test]
fn two_tables_that_claim_one_board() {
    let mut setup = round(2, "5400+30");
    setup.tables[1].device = Some(device(1));
    let mut hall = Hall::with_round(setup);
    assert_eq!(hall.open(), ["table-claimed-twice"]);
    assert_eq!(hall.desk(1).device, Some(device(1)));
    assert_eq!(hall.desk(2).device, None);
    hall.made(1, 1, "e2e4");
    assert_eq!(hall.desk(1).record.len(), 1);
    // The pairings are corrected: the second table names its own board, or none.
    for named in [Some(device(2)), None] {
        let mut setup = round(2, "5400+30");
        setup.tables[1].device = Some(device(1));
        hall.input(Input::Round(setup.clone()));
        assert_eq!(hall.open(), ["table-claimed-twice"], "{named:?}");
        setup.tables[1].device = named;
        hall.input(Input::Round(setup));
        assert!(hall.open().is_empty(), "{:?}", hall.open());
        assert_eq!(hall.desk(1).record.len(), 1, "the game goes on");
    }
}

#[test]
fn a_swapped_board_does_not_swap_games() {
    let mut hall = Hall::with_round(round(2, "5400+30"));
    hall.play(1, &["e2e4"]);
    hall.play(2, &["d2d4"]);
    hall.order(OrderBody::Bind {
        table: TableId(1),
        device: Some(device(2)),
    });
    assert_eq!(hall.desk(1).record[0].san, "e4");
    assert_eq!(hall.desk(2).record[0].san, "d4");
    assert_eq!(hall.desk(2).device, None);
    let control = hall.control(2);
    assert_eq!(control.table, Some(TableId(1)));
    assert_eq!(
        control
            .adopt
            .expect("the record goes with the table")
            .line
            .len(),
        1
    );
    assert_eq!(
        hall.control(1).table,
        None,
        "the other board records nothing"
    );
}

#[test]
fn an_agent_that_starts_again_begins_from_the_hubs_record() {
    let mut hall = Hall::standard();
    hall.info(1, "b1", well());
    hall.play(1, &["e2e4", "e7e5"]);
    let before = hall.control(1).generation;
    hall.info(1, "b1", well());
    assert_eq!(
        hall.control(1).generation,
        before,
        "the same start, nothing new"
    );
    hall.info(1, "b2", well());
    let control = hall.control(1);
    assert!(control.generation > before);
    assert_eq!(control.adopt.expect("the record").line.len(), 2);

    hall.made(1, 3, "g1f3");
    assert_eq!(
        hall.desk(1).record.len(),
        3,
        "the outbox of the first start still counts"
    );
    hall.pass(1_000);
    let control = hall.control(1);
    assert_eq!(control.adopt.expect("the record").line.len(), 3);
    hall.restart_agent("b2");
    hall.fact(
        1,
        Fact::Adopted {
            generation: control.generation,
        },
    );
    hall.made(1, 3, "g1f3");
    hall.made(1, 4, "b8c6");
    assert_eq!(
        hall.desk(1).record.len(),
        4,
        "nothing lost, nothing doubled"
    );
    assert!(hall.open().is_empty());
}

impl Hall {
    fn info_of(&mut self, agent: &str, boot: &str, board: bool) {
        self.input(Input::Info(protocol::DeviceInfo {
            device: device(1),
            agent: agent.parse().expect("id"),
            boot: boot.parse().expect("id"),
            family: "dgt".to_owned(),
            serial: "00001".to_owned(),
            long_serial: None,
            firmware: None,
            clock: None,
            port: "/dev/ttyUSB0".to_owned(),
            lamps: false,
            health: Health { board, ..well() },
        }));
    }
}

#[test]
fn two_agents_that_read_one_board_are_told_until_one_leaves_it() {
    let told = ["device-claimed-twice"];
    // Who leaves it, and who is heard then.
    for (leaves, boot, stays) in [("a2", "c1", "a1"), ("a1", "b1", "a2")] {
        let mut hall = Hall::standard();
        hall.info_of("a1", "b1", true);
        hall.play(1, &["e2e4"]);
        assert!(hall.open().is_empty(), "one agent alone");
        hall.info_of("a2", "c1", true);
        assert_eq!(hall.open(), told);
        let because = &hall.alert(told[0]).because[0];
        assert!(because.contains("a1 (/dev/ttyUSB0) and a2 (/dev/ttyUSB0)"));
        hall.info_of("a1", "b1", true);
        hall.pass(1_000);
        assert_eq!(hall.open(), told, "whoever speaks");
        hall.info_of(leaves, boot, false);
        hall.pass(30_000);
        assert!(hall.open().is_empty(), "{:?}", hall.open());
        let known = &hall.venue.state().devices[&device(1)];
        assert_eq!(known.agent.as_ref().expect("known").as_str(), stays);
    }
}

#[test]
fn a_board_that_is_carried_to_another_agent_is_read_once() {
    let mut hall = Hall::standard();
    hall.info_of("a1", "b1", true);
    hall.info_of("a1", "b1", false);
    hall.info_of("a2", "c1", true);
    hall.pass(30_000);
    assert!(hall.open().is_empty(), "{:?}", hall.open());
}

#[test]
fn a_board_that_does_not_answer() {
    let mut hall = Hall::standard();
    hall.info(1, "b1", well());
    hall.play(1, &["e2e4"]);
    hall.fact(1, Fact::Health(Health::default()));
    hall.pass(5_000);
    hall.fact(1, Fact::Health(well()));
    hall.pass(30_000);
    assert!(hall.open().is_empty(), "back in time");
    hall.fact(1, Fact::Health(Health::default()));
    assert_eq!(hall.board(1).state, protocol::HallState::Paused);
    hall.pass(21_000);
    assert_eq!(hall.open(), ["board-silent"]);
    hall.fact(1, Fact::Health(well()));
    assert!(hall.open().is_empty());
    assert_eq!(hall.board(1).state, protocol::HallState::Playing);
}

#[test]
fn a_clock_that_runs_speaks_every_second() {
    let mut hall = Hall::standard();
    hall.clock(1, 5400, 5400, Some(Side::White));
    hall.play(1, &["e2e4"]);
    for second in 0..30 {
        hall.pass(1_000);
        hall.clock(1, 5428, 5400 - second, Some(Side::Black));
    }
    assert!(hall.open().is_empty());
    hall.pass(21_000);
    assert_eq!(hall.open(), ["board-silent"]);
}

#[test]
fn a_lost_clock() {
    let mut hall = Hall::standard();
    hall.clock(1, 5400, 5400, Some(Side::White));
    hall.play(1, &["e2e4"]);
    let without = Health {
        board: true,
        ..Health::default()
    };
    hall.fact(1, Fact::Health(without));
    hall.pass(16_000);
    assert_eq!(hall.open(), ["clock-lost"]);
    assert!(hall.alert("clock-lost").because[0].contains("1:30:00"));
    hall.fact(1, Fact::Health(well()));
    assert!(hall.open().is_empty());
}

#[test]
fn a_board_whose_clock_is_lost_is_quiet_and_not_silent_after_a_new_start_of_its_agent() {
    let mut hall = Hall::standard();
    hall.agent(true);
    hall.info(1, "b1", well());
    hall.clock(1, 5400, 5400, Some(Side::White));
    hall.play(1, &["e2e4"]);
    hall.clock(1, 5400, 5400, Some(Side::Black));
    hall.agent_as("b2", true);
    let without = Health {
        clock: false,
        ..well()
    };
    hall.info(1, "b2", without);
    hall.pass(90_000);
    assert!(hall.open().contains(&"clock-lost".to_owned()));
    assert!(!hall.open().contains(&"board-silent".to_owned()));
}

#[test]
fn a_silent_agent_is_one_alert_and_not_one_for_each_board() {
    let mut hall = Hall::with_round(round(3, "5400+30"));
    hall.agent(true);
    for n in 1..=3 {
        hall.info(n, "b1", well());
        hall.clock(n, 5400, 5400, Some(Side::White));
        hall.play(n, &["e2e4"]);
    }
    hall.agent(false);
    hall.pass(60_000);
    assert_eq!(hall.open(), ["agent-silent"]);
    assert!(hall.alert("agent-silent").because[0].contains("1, 2, 3"));
    hall.agent(true);
    hall.pass(1_000);
    assert!(!hall.open().contains(&"agent-silent".to_owned()));
}

#[test]
fn an_agent_whose_disk_is_full_is_one_alert_until_there_is_room() {
    let mut hall = Hall::with_round(round(3, "5400+30"));
    hall.agent(true);
    for state in ["disk-full", "ok"] {
        for n in 1..=3 {
            let state = state.to_owned();
            hall.info(n, "b1", Health { state, ..well() });
        }
        hall.pass(2_000);
        let full = state == "disk-full";
        assert_eq!(hall.open().len(), usize::from(full), "{:?}", hall.open());
        if full {
            assert_eq!(
                hall.alert("agent-disk-full").headline,
                "the disk of agent a1 is full"
            );
        }
    }
}

#[test]
fn boards_that_fall_silent_together_are_one_line() {
    let mut hall = Hall::with_round(round(3, "5400+30"));
    for n in 1..=3 {
        hall.clock(n, 5400, 5400, Some(Side::White));
        hall.play(n, &["e2e4"]);
    }
    for n in 1..=3 {
        let out = Health {
            board: false,
            ..well()
        };
        hall.fact(n, Fact::Health(out));
    }
    hall.pass(5_000);
    let groups = hall.round_shown().groups;
    assert_eq!(groups.len(), 1, "{groups:?}");
    assert_eq!(groups[0].code, "board-silent");
    assert_eq!(groups[0].tables, [TableId(1), TableId(2), TableId(3)]);
}

#[test]
fn a_hub_that_was_away_does_not_call_its_boards_silent() {
    let mut hall = Hall::standard();
    hall.clock(1, 5400, 5400, Some(Side::White));
    hall.play(1, &["e2e4"]);
    hall.hub_restarts_after(120_000);
    hall.pass(5_000);
    assert!(hall.open().is_empty(), "{:?}", hall.open());
    hall.pass(60_000);
    assert!(hall.open().contains(&"board-silent".to_owned()));
}

#[test]
fn the_last_will_of_an_earlier_start_comes_late() {
    let mut hall = Hall::standard();
    hall.agent_as("b2", true);
    hall.agent_as("b1", false);
    assert!(online(&hall));
    hall.agent_as("b2", false);
    assert!(!online(&hall));
}

fn online(hall: &Hall) -> bool {
    let agents = &hall.venue.state().agents;
    agents.values().all(|a| a.presence.online)
}

#[test]
fn the_next_round_clears_the_last_one() {
    let mut hall = Hall::with_round(round(2, "5400+30"));
    hall.play(1, &["e2e4"]);
    hall.fact(
        1,
        Fact::KingsCentred {
            result: protocol::GameResult::Draw,
        },
    );
    assert_eq!(hall.open(), ["result-proposed"]);
    let mut next = RoundSetup {
        round: 6,
        edition: EditionId::Fide2018,
        tables: vec![TableSetup::new(TableId(1), "C", "D")],
        ..round(0, "900+10")
    };
    next.starts = Some(hall.now);
    hall.input(Input::Round(next));
    assert!(hall.open().is_empty());
    let desk = hall.desk(1);
    assert_eq!((desk.game.as_str(), desk.record.len()), ("r6-t1", 0));
    assert_eq!(desk.device, Some(device(1)), "the board stays at its table");
    assert_eq!(hall.control(1).game.expect("a game").as_str(), "r6-t1");
    assert!(
        hall.text(&Topic::HallBoard(TableId(2))).is_none(),
        "table 2 is gone"
    );
    assert_eq!(hall.control(2).table, None);
}

#[test]
fn pairings_that_come_again_keep_the_games_in_play() {
    let mut hall = Hall::with_round(round(1, "5400+30"));
    hall.play(1, &["e2e4"]);
    let mut corrected = round(2, "5400+30");
    corrected.tables[0].players.white.name = "Okafor, T".to_owned();
    hall.input(Input::Round(corrected));
    assert_eq!(hall.desk(1).record.len(), 1);
    assert_eq!(hall.board(1).players.white.name, "Okafor, T");
    assert_eq!(hall.desk(2).game.as_str(), "r5-t2");
}

#[test]
fn in_casual_play_a_new_array_begins_the_next_game() {
    let mut hall = Hall::empty(config());
    hall.made(1, 1, "e2e4");
    hall.made(1, 2, "e7e5");
    hall.fact(
        1,
        Fact::SetUp {
            board: protocol::Placement(shakmaty::Board::new()),
            correct: true,
            squares: Vec::new(),
            rotated: false,
        },
    );
    assert_eq!(hall.desk(1).game.as_str(), "r1-t1-2");
    hall.made(1, 1, "d2d4");
    assert_eq!(hall.board(1).moves[0].san, "d4");
}
