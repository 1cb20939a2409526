//! Codes that the tracker's notices or the clock's own signs bring about: raised once, with their facts, and ended.

use protocol::{Fact, OrderBody, Side, TableId};

use super::hall::{Hall, reading, round};

fn notice(code: &str, over: bool) -> Fact {
    Fact::Notice {
        code: code.to_owned(),
        over,
        detail: "seen".to_owned(),
    }
}

#[test]
fn notices_of_the_tracker_raise_their_codes_once_and_with_evidence() {
    let rows = [
        ("MOVED_TWICE", "two-moves", "CALL", "7.5", false),
        (
            "MOVE_CHANGED_AFTER_PRESS",
            "move-changed-after-press",
            "CALL",
            "4.7",
            false,
        ),
        ("BOARDS_DIFFER", "boards-differ", "CALL", "D.2.9", true),
        ("SQUARE_UNRELIABLE", "square-faulty", "TECH", "", true),
        (
            "CLOCK_SIDE_SWAPPED",
            "clock-side-wrong",
            "SILENT",
            "6.5",
            true,
        ),
    ];
    for (code, name, urgency, article, ends) in rows {
        let mut hall = Hall::standard();
        hall.play(1, &["e2e4", "e7e5"]);
        hall.fact(1, notice("SOMETHING_ELSE", false));
        assert!(hall.open().is_empty());
        hall.fact(1, notice(code, false));
        hall.fact(1, notice(code, false));
        hall.pass(60_000);
        assert_eq!(hall.open(), [name]);
        let alert = hall.alert(name);
        assert_eq!(
            (alert.urgency.word(), alert.article.as_str()),
            (urgency, article),
            "{name}"
        );
        assert_eq!(alert.evidence.len(), 1, "{name}");
        hall.fact(1, notice(code, true));
        assert_eq!(
            hall.open().is_empty(),
            ends,
            "{name}: what is past cannot be unseen"
        );
        if !ends {
            let id = alert.id;
            hall.order(OrderBody::Dismiss { alert: id });
            assert!(hall.open().is_empty());
        }
    }
}

#[test]
fn art_7_5_2_a_pawn_that_the_tracker_reads_as_a_queen_was_left_on_the_last_rank() {
    for (control, stands) in [("5400+30", false), ("180+2", true)] {
        let mut setup = round(1, control);
        setup.tables[0].start_fen = Some("8/4P2k/8/8/8/8/8/4K3 w - - 0 1".to_owned());
        let mut hall = Hall::with_round(setup);
        hall.clock(1, 150, 150, Some(Side::White));
        hall.made(1, 1, "e7e8q");
        hall.clock(1, 150, 150, Some(Side::Black));
        hall.completed(1, 1);
        for _ in 0..3 {
            hall.fact(1, notice("ILLEGAL_MOVE", false));
            hall.pass(500);
            hall.fact(1, notice("ILLEGAL_MOVE", true));
        }
        assert_eq!(
            hall.open(),
            ["promotion-not-replaced"],
            "once, whatever the tracker repeats"
        );
        let alert = hall.alert("promotion-not-replaced");
        assert_eq!(
            (alert.side, alert.article.as_str()),
            (Some(Side::White), "7.5.2")
        );
        hall.made(1, 2, "h7h6");
        hall.clock(1, 150, 150, Some(Side::White));
        hall.completed(1, 2);
        hall.fact(1, notice("ILLEGAL_MOVE", false));
        let open = hall.open();
        let drawn = open.contains(&"illegal-position-stands".to_owned());
        assert_eq!(drawn, stands, "{control} {open:?}");
        assert!(!open.contains(&"illegal-move".to_owned()), "{open:?}");
    }
}

#[test]
fn art_7_4_two_men_of_one_colour_missing_are_displaced_and_a_piece_in_the_hand_is_not() {
    let rows = [
        ("PIECE_MISSING", "not seen for long: b8", false),
        ("PIECE_MISSING", "not seen for long: b8 e4", false),
        ("PIECE_MISSING", "not seen for long: b8 c8", true),
        (
            "EXTRA_PIECE",
            "a piece stands where the game has none: h6",
            true,
        ),
    ];
    for (code, detail, raised) in rows {
        let mut hall = Hall::standard();
        hall.play(1, &["e2e4", "e7e5"]);
        let told = |over| Fact::Notice {
            code: code.to_owned(),
            over,
            detail: detail.to_owned(),
        };
        hall.fact(1, told(false));
        hall.pass(4_000);
        assert!(hall.open().is_empty(), "{detail}");
        hall.pass(2_000);
        let open = hall.open();
        assert_eq!(open == ["pieces-displaced"], raised, "{detail} {open:?}");
        if raised {
            let alert = hall.alert("pieces-displaced");
            assert_eq!(alert.evidence.len(), 1);
            assert!(alert.because[0].ends_with(&format!("{}.", &detail[detail.len() - 2..])));
        }
        hall.fact(1, told(true));
        assert!(hall.open().is_empty(), "{detail}");
    }
}

#[test]
fn art_5_2_1_a_stalemate_calls_only_when_a_clock_runs_on() {
    let mut setup = round(1, "5400+30");
    setup.tables[0].start_fen = Some("7k/8/6K1/8/8/8/8/5Q2 w - - 0 1".to_owned());
    let mut hall = Hall::with_round(setup);
    hall.clock(1, 5400, 5400, Some(Side::White));
    hall.play(1, &["f1f7"]);
    hall.pass(9_000);
    assert!(!hall.open().contains(&"stalemate".to_owned()));
    hall.pass(2_000);
    assert!(
        hall.open().contains(&"stalemate".to_owned()),
        "{:?}",
        hall.open()
    );
    hall.clock(1, 5380, 5400, None);
    assert!(!hall.open().contains(&"stalemate".to_owned()));
    hall.order(OrderBody::Confirm { table: TableId(1) });
    assert!(hall.open().is_empty(), "{:?}", hall.open());
}

#[test]
fn a_clock_asks_for_a_battery_by_its_own_sign() {
    let mut hall = Hall::standard();
    let mut low = reading(5400, 5400, None);
    hall.fact(1, Fact::Reading(low));
    assert!(hall.open().is_empty());
    low.battery_low = true;
    hall.fact(1, Fact::Reading(low));
    hall.fact(1, Fact::Reading(low));
    assert_eq!(hall.open(), ["clock-battery-low"]);
    assert_eq!(hall.alert("clock-battery-low").evidence.len(), 1);
    low.battery_low = false;
    hall.fact(1, Fact::Reading(low));
    assert!(hall.open().is_empty());
}

#[test]
fn art_6_10_2_presses_and_moves_disagree_where_the_control_counts_moves() {
    for (control, raised) in [("40/5400+30:1800+30", true), ("5400+30", false)] {
        let mut hall = Hall::with_round(round(1, control));
        hall.clock(1, 5400, 5400, Some(Side::White));
        let mut time = [5400, 5400];
        for (mover, running) in [(0, Side::Black), (1, Side::White)].repeat(2) {
            hall.pass(5_000);
            time[mover] += 25;
            hall.clock(1, time[0], time[1], Some(running));
        }
        hall.pass(1_000);
        let open = hall.open();
        assert_eq!(
            open.contains(&"move-counter-wrong".to_owned()),
            raised,
            "{open:?}"
        );
        if raised {
            assert_eq!(hall.alert("move-counter-wrong").article, "6.10.2");
        }
    }
}

#[test]
fn art_7_5_3_a_move_seen_late_after_its_press_is_no_press_without_a_move() {
    for (later_ms, raised) in [(0, false), (1_100, false), (1_200, true), (5_000, true)] {
        let mut hall = Hall::standard();
        hall.clock(1, 5400, 5400, Some(Side::White));
        hall.play(1, &["e2e4", "e7e5"]);
        hall.now = hall.now.after(later_ms);
        hall.fact(
            1,
            Fact::Notice {
                code: "PRESS_WITHOUT_MOVE".to_owned(),
                over: false,
                detail: String::new(),
            },
        );
        let told = hall.open().contains(&"press-without-move".to_owned());
        assert_eq!(told, raised, "{later_ms}");
    }
}

#[test]
fn nobody_is_accused_while_the_record_is_not_at_what_stands_on_the_board() {
    let lost: protocol::Placement = "r1bqkb1r/pppp1ppp/2n2n2/4p3/2B1P3/5N2/PPPP1PPP/RNBQK2R"
        .parse()
        .expect("a placement");
    for code in ["PRESS_WITHOUT_MOVE", "MOVED_TWICE", "ILLEGAL_MOVE"] {
        let mut hall = Hall::standard();
        hall.clock(1, 5400, 5400, Some(Side::White));
        let squares = ["e2", "e4", "f1", "c4", "g1", "f3"];
        hall.fact(
            1,
            Fact::Unexplained {
                squares: squares
                    .map(|s| protocol::SquareName(s.parse().expect("a square")))
                    .to_vec(),
                board: lost.clone(),
            },
        );
        hall.pass(10_000);
        hall.fact(1, notice(code, false));
        hall.pass(10_000);
        assert!(
            hall.open().iter().all(|open| open == "position-mismatch"),
            "{code}: {:?}",
            hall.open()
        );
    }
}
