//! Clocks at the desk: facts as evidence, replacement times with bounds, neighbours, the side of the clock, times that are not set.

use protocol::{
    Answer, BySide, Fact, Health, OrderBody, PromotionPiece, Side, TableId, Uncertain, Urgency,
};

use super::hall::{Hall, round};

const T: TableId = TableId(1);

#[test]
fn art_6_10_2_clock_and_draw_alerts_name_their_facts() {
    let mut hall = Hall::standard();
    hall.clock(1, 7200, 7200, None);
    hall.clock(1, 7200, 7200, Some(Side::White));
    let alert = hall.alert("time-control-wrong");
    assert!(!alert.evidence.is_empty(), "{alert:?}");
    let mut hall = Hall::standard();
    for _ in 0..2 {
        hall.play(1, &["g1f3", "g8f6", "f3g1", "f6g8"]);
    }
    let alert = hall.alert("threefold-claimable");
    let words: Vec<&str> = alert.evidence.iter().map(|e| e.words.as_str()).collect();
    assert_eq!(words, ["half-move 4, Ng8", "half-move 8, Ng8"]);
    assert_eq!(alert.evidence[0].fact.seq, 10, "the fact that told it");
}

#[test]
fn art_6_10_1_a_clock_is_replaced_with_times_and_bounds() {
    let mut hall = Hall::standard();
    let too_early = hall.order(OrderBody::ReplaceClock { table: T });
    assert!(matches!(too_early, Answer::Refused { .. }));
    hall.clock(1, 5400, 5400, Some(Side::White));
    hall.play(1, &["e2e4", "e7e5"]);
    hall.clock(1, 5000, 4000, Some(Side::White));
    hall.fact(
        1,
        Fact::Health(Health {
            board: true,
            clock: false,
            ..Health::default()
        }),
    );
    for _ in 0..12 {
        hall.pass(5_000);
    }
    let alert = hall.alert("clock-lost");
    assert_eq!(alert.urgency, Urgency::Tech);
    assert!(alert.proposal[0].contains("between"), "{alert:?}");
    assert!(
        alert.proposal.iter().any(|l| l.contains("formula")),
        "{alert:?}"
    );
    let Answer::Preview { preview, .. } = hall.preview(OrderBody::ReplaceClock { table: T }) else {
        panic!("a preview");
    };
    assert_eq!(preview.article, "6.10.1");
    assert_eq!(
        preview.set_clock,
        Some(BySide {
            white: 4_940_000,
            black: 4_000_000
        })
    );
    hall.order(OrderBody::ReplaceClock { table: T });
    assert!(!hall.open().contains(&"clock-lost".to_owned()));
    hall.clock(1, 4940, 4000, None);
    hall.clock(1, 4940, 4000, Some(Side::White));
    hall.pass(1_000);
    let open = hall.open();
    assert!(
        !open
            .iter()
            .any(|c| c == "clock-jumped" || c == "move-counter-wrong"),
        "{open:?}"
    );
}

/// Both clocks stand at 5000 s, and Black was given two minutes that nobody has set.
fn two_minutes_ruled() -> Hall {
    let mut hall = Hall::standard();
    hall.clock(1, 5400, 5400, Some(Side::White));
    hall.play(1, &["e2e4"]);
    hall.clock(1, 5000, 5000, None);
    hall.order(OrderBody::AdjustTime {
        table: T,
        change_ms: BySide {
            white: 0,
            black: 120_000,
        },
        article: "7.5.5".to_owned(),
    });
    hall
}

#[test]
fn art_12_5_times_that_were_ruled_and_are_not_on_the_running_clock() {
    let mut hall = two_minutes_ruled();
    let sum = |h: &Hall| h.open().contains(&"clock-sum-wrong".to_owned());
    for second in 1..=31 {
        hall.pass(1_000);
        assert!(!sum(&hall) || second >= 30, "the arbiter is at it");
        hall.clock(1, 5000, 5000 - second, Some(Side::Black));
    }
    assert!(sum(&hall), "{:?}", hall.open());
    let alert = hall.alert("clock-sum-wrong");
    assert!(alert.proposal[0].contains("Black 1:2"), "{alert:?}");
    hall.clock(1, 5000, 5089, Some(Side::Black));
    assert!(!sum(&hall), "{:?}", hall.open());
}

#[test]
fn art_7_5_5_times_that_were_ruled_and_never_set_follow_the_game() {
    let mut hall = two_minutes_ruled();
    // Seconds that pass, and what the clock shows then by itself; in the end two minutes are missing still.
    for (passes, white, black, runs) in [
        (5, 5000, 5000, Side::Black),
        (150, 5000, 4880, Side::White),
        (40, 4990, 4880, Side::Black),
        (20, 4990, 4890, Side::White),
        (1, 4989, 4890, Side::White),
    ] {
        hall.pass(passes * 1_000);
        hall.clock(1, white, black, Some(runs));
    }
    hall.pass(9_000);
    hall.clock(1, 4980, 4890, Some(Side::White));
    let alert = hall.alert("clock-sum-wrong");
    let want = "White 1:23:00, Black 1:23:30";
    assert!(alert.proposal[0].contains(want), "{alert:?}");
    let Answer::Preview { preview, .. } = hall.preview(OrderBody::ReplaceClock { table: T }) else {
        panic!("a preview");
    };
    let set = BySide {
        white: 4_980_000,
        black: 5_010_000,
    };
    assert_eq!(preview.set_clock, Some(set), "{preview:?}");
    // One side after the other, the clock standing.
    for (white, black, missing) in [(4980, 4890, true), (4979, 5010, false)] {
        hall.pass(2_000);
        hall.clock(1, white, black, None);
        let due = hall.venue.state().tables[&T].game.clock.due;
        assert_eq!(due.is_some(), missing, "{due:?}");
    }
    assert!(!hall.open().contains(&"clock-sum-wrong".to_owned()));
}

#[test]
fn art_6_10_a_clock_that_differs_from_its_neighbours_where_no_control_is_known() {
    let rows = [("?", 7200, true), ("?", 5400, false)];
    for (control, odd, raised) in rows {
        let mut setup = round(5, "5400+30");
        setup.time_control = control.parse().expect("control");
        let mut hall = Hall::with_round(setup);
        for n in 1..=5 {
            let time = if n == 3 { odd } else { 5400 };
            hall.clock(n, time, time, None);
        }
        hall.pass(1_000);
        let open = hall.open();
        assert_eq!(
            open.contains(&"clock-sum-wrong".to_owned()),
            raised,
            "{odd} {open:?}"
        );
        if raised {
            let alert = hall.alert("clock-sum-wrong");
            assert_eq!(alert.table, Some(TableId(3)));
            assert!(alert.because[0].contains("4 tables"), "{alert:?}");
        }
    }
}

#[test]
fn art_6_5_presses_from_the_wrong_side_of_the_clock() {
    for wrong in [true, false] {
        let mut hall = Hall::standard();
        let mut runs = if wrong { Side::Black } else { Side::White };
        hall.clock(1, 5400, 5400, Some(runs));
        let moves = ["e2e4", "e7e5", "g1f3", "b8c6", "f1b5", "a7a6"];
        for (uci, ply) in moves.into_iter().zip(1..) {
            hall.pass(5_000);
            hall.made(1, ply, uci);
            runs = runs.other();
            hall.clock(1, 5390, 5390, Some(runs));
            hall.completed(1, ply);
        }
        let open = hall.open();
        let raised = open.contains(&"clock-side-wrong".to_owned());
        assert_eq!(raised, wrong, "{open:?}");
        if wrong {
            assert_eq!(hall.alert("clock-side-wrong").urgency, Urgency::Silent);
        }
    }
}

#[test]
fn art_4_7_3_the_piece_of_a_promotion_is_another_one() {
    let mut setup = round(1, "5400+30");
    setup.tables[0].start_fen = Some("8/4P2k/8/8/8/8/8/4K3 w - - 0 1".to_owned());
    let mut hall = Hall::with_round(setup);
    hall.play(1, &["e7e8q", "h7h6"]);
    let promotion = |ply, piece| OrderBody::Promotion {
        table: T,
        ply,
        piece,
    };
    for (ply, piece) in [
        (2, PromotionPiece::Rook),
        (1, PromotionPiece::Queen),
        (9, PromotionPiece::Rook),
    ] {
        let answer = hall.order(promotion(ply, piece));
        assert!(matches!(answer, Answer::Refused { .. }), "{ply} {answer:?}");
    }
    let answer = hall.order(promotion(1, PromotionPiece::Knight));
    let Answer::Done {
        ruling: Some(ruling),
        ..
    } = answer
    else {
        panic!("{answer:?}");
    };
    let line = |h: &Hall| {
        h.desk(1)
            .record
            .iter()
            .map(|p| p.san.clone())
            .collect::<Vec<_>>()
    };
    assert_eq!(line(&hall), ["e8=N", "Kh6"]);
    hall.order(OrderBody::Counter { ruling });
    assert_eq!(line(&hall), ["e8=Q", "Kh6"]);
}

/// White's flag falls with so many half-moves played and so much time on Black's clock; two moves in twenty minutes, then an hour.
fn flagged(moves: &[&str], black_s: u64, doubt: bool) -> Option<protocol::Alert> {
    let mut hall = Hall::with_round(round(1, "2/1200:3600"));
    hall.now = hall.now.after(1_000);
    hall.clock(1, 1200, 1200, Some(Side::White));
    hall.play(1, moves);
    if doubt {
        hall.fact(
            1,
            Fact::Ambiguous(Uncertain {
                ply: 1,
                choices: vec![vec!["e2e4".to_owned()], vec!["e2e3".to_owned()]],
                more: false,
            }),
        );
    }
    hall.now = hall.now.after(1_200_000);
    let mut reading = super::hall::reading(0, black_s, Some(Side::White));
    reading.flag.white = protocol::Flag::Shown;
    hall.fact(1, Fact::Reading(reading));
    let raised = hall.open().contains(&"flag-fallen".to_owned());
    raised.then(|| hall.alert("flag-fallen"))
}

#[test]
fn art_8_6_a_record_with_holes_proves_no_overstepping() {
    for doubt in [false, true] {
        let alert = flagged(&["e2e4", "e7e5"], 500, doubt).expect("moves are missing");
        let words = alert.because.join(" ");
        assert_eq!(words.contains("8.6"), doubt, "{words}");
    }
}

#[test]
fn art_8_5_after_a_flag_who_stopped_recording_completes_his_scoresheet() {
    let four = ["e2e4", "e7e5", "g1f3", "b8c6"];
    for (black_s, article) in [(200, "8.5.1"), (500, "8.5.2")] {
        let alert = flagged(&four, black_s, false).expect("the scoresheets are wanted");
        let words = alert.proposal.join(" ");
        assert!(
            words.contains("Nothing is lost") && words.contains(article),
            "{words}"
        );
    }
}

#[test]
fn art_6_2_what_a_control_adds_and_what_is_carried_over_stands_in_the_log() {
    let mut hall = Hall::with_round(round(1, "1/600:1800"));
    hall.clock(1, 600, 600, Some(Side::White));
    hall.now = hall.now.after(100_000);
    hall.clock(1, 500, 600, Some(Side::White));
    hall.now = hall.now.after(1_000);
    hall.clock(1, 2299, 600, Some(Side::Black));
    hall.a_moment();
    let log = hall.desk(1).log;
    let told = log.iter().any(|l| {
        l.words == "White's period 2: 0:30:00 added, 0:08:19 carried over" && l.kind == "clock"
    });
    assert!(told, "{log:?}");
}
