//! Orders: who may, what is refused, what a preview says, what a counter-ruling undoes.

use protocol::{
    Answer, BySide, GameResult, Order, OrderBody, Penalty, Played, ResultHow, Role, Side, TableId,
    Timestamp,
};

use super::hall::{Hall, round};

fn adjust(black: i64) -> OrderBody {
    OrderBody::AdjustTime {
        table: TableId(1),
        change_ms: BySide { white: 0, black },
        article: "12.9.2".to_owned(),
    }
}

fn result(result: GameResult, confirm: bool) -> OrderBody {
    OrderBody::Result {
        table: TableId(1),
        result,
        how: match result {
            GameResult::Draw => ResultHow::Agreed,
            _ => ResultHow::Arbiter,
        },
        confirm,
        signed: BySide::default(),
    }
}

fn refused(answer: &Answer) -> Option<&str> {
    match answer {
        Answer::Refused { code, .. } => Some(code),
        _ => None,
    }
}

#[test]
fn who_may_order_what() {
    let rows = [
        (Role::Arbiter, None),
        (Role::Chief, None),
        (Role::Technician, Some("H31")),
        (Role::Viewer, Some("H31")),
        (Role::Display, Some("H31")),
        (Role::Agent, Some("H31")),
    ];
    for (role, code) in rows {
        let mut hall = Hall::standard();
        hall.play(1, &["e2e4", "e7e5"]);
        let answer = hall.order_as(role, result(GameResult::Draw, true), false, None);
        assert_eq!(refused(&answer), code, "{role}");
        let device = hall.order_as(role, OrderBody::Resync { table: TableId(1) }, false, None);
        assert_eq!(
            refused(&device).is_none(),
            matches!(role, Role::Arbiter | Role::Chief | Role::Technician),
            "{role}"
        );
    }
}

#[test]
fn what_leaves_the_house_or_reaches_beyond_the_round_is_the_chiefs() {
    let penalty = |penalty| OrderBody::Conduct {
        table: TableId(1),
        offender: Side::White,
        penalty,
    };
    let close = OrderBody::CloseRound { round: 5 };
    let rows = [
        (penalty(Penalty::Warning), None),
        (penalty(Penalty::Exclusion { rounds: 1 }), Some("excludes")),
        (penalty(Penalty::Expulsion), Some("expels")),
        (close.clone(), Some("publishes")),
    ];
    for (body, why) in rows {
        let mut hall = Hall::standard();
        hall.play(1, &["e2e4", "e7e5"]);
        if body == close {
            hall.done(result(GameResult::Draw, true));
        }
        for preview in [true, false] {
            let answer = hall.order_as(Role::Arbiter, body.clone(), preview, None);
            let refused = match &answer {
                Answer::Refused { code, why, .. } => Some((code.as_str(), why.as_str())),
                _ => None,
            };
            assert_eq!(refused.is_some(), why.is_some(), "{answer:?}");
            if let (Some((code, said)), Some(why)) = (refused, why) {
                assert!(
                    code == "H31" && said.starts_with("an arbiter may not order this: "),
                    "{said}"
                );
                assert!(
                    said.contains("the chief arbiter") && said.contains(why),
                    "{said}"
                );
            }
        }
        let answer = hall.order_as(Role::Chief, body, false, None);
        assert_eq!(refused(&answer), None, "{answer:?}");
    }
}

#[test]
fn an_arbiter_asks_for_missing_results_and_does_not_take_published_ones_back() {
    let mut hall = Hall::standard();
    let close = OrderBody::CloseRound { round: 5 };
    assert_eq!(
        refused(&hall.order(close.clone())),
        None,
        "results are missing"
    );
    hall.done(result(GameResult::Draw, true));
    let closed = hall.order_as(Role::Chief, close, false, None);
    let Answer::Done {
        ruling: Some(ruling),
        ..
    } = closed
    else {
        panic!("{closed:?}");
    };
    let counter = OrderBody::Counter { ruling };
    assert_eq!(refused(&hall.order(counter.clone())), Some("H31"));
    let answer = hall.order_as(Role::Chief, counter, false, None);
    assert_eq!(refused(&answer), None, "{answer:?}");
}

#[test]
fn a_result_stands_under_the_article_that_ends_the_game() {
    use protocol::EditionId::{Fide2001, Fide2023};
    let rows = [
        (Fide2023, ResultHow::Flag, "6.9"),
        (Fide2001, ResultHow::Flag, "6.10"),
        (Fide2023, ResultHow::Checkmate, "5.1.1"),
        (Fide2023, ResultHow::Resigned, "5.1.2"),
        (Fide2001, ResultHow::Resigned, "5.1b"),
        (Fide2023, ResultHow::Stalemate, "5.2.1"),
        (Fide2023, ResultHow::DeadPosition, "5.2.2"),
        (Fide2023, ResultHow::Agreed, "5.2.3, 9.1.1"),
        (Fide2023, ResultHow::Threefold, "9.2"),
        (Fide2023, ResultHow::FiftyMoves, "9.3"),
        (Fide2023, ResultHow::Fivefold, "9.6.1"),
        (Fide2023, ResultHow::SeventyFiveMoves, "9.6.2"),
        (Fide2001, ResultHow::SeventyFiveMoves, "8.7"),
        (Fide2023, ResultHow::Default, "6.7.1"),
        (Fide2023, ResultHow::IllegalMoves, "7.5.5"),
        (Fide2023, ResultHow::KingsSign, "8.7"),
        (Fide2023, ResultHow::Arbiter, "8.7"),
    ];
    for (edition, how, article) in rows {
        let mut setup = round(1, "5400+30");
        setup.edition = edition;
        let mut hall = Hall::with_round(setup);
        hall.play(1, &["e2e4", "e7e5"]);
        let wins = [GameResult::WhiteWins, GameResult::Draw];
        let entered = |result| OrderBody::Result {
            table: TableId(1),
            result,
            how,
            confirm: true,
            signed: BySide::default(),
        };
        let answers = wins.map(|result| hall.preview(entered(result)));
        let articles = answers.iter().filter_map(|answer| match answer {
            Answer::Preview { preview, .. } => Some(preview.article.as_str()),
            _ => None,
        });
        let articles: Vec<&str> = articles.collect();
        let both = matches!(
            how,
            ResultHow::Flag
                | ResultHow::Resigned
                | ResultHow::Default
                | ResultHow::IllegalMoves
                | ResultHow::KingsSign
                | ResultHow::Arbiter
        );
        let expected = vec![article; if both { 2 } else { 1 }];
        assert_eq!(articles, expected, "{how:?}");
    }
}

#[test]
fn a_result_that_its_way_contradicts_is_refused() {
    use GameResult::{BothLose, Draw, WhiteWins};
    let rows = [
        (WhiteWins, ResultHow::Agreed, true),
        (WhiteWins, ResultHow::Stalemate, true),
        (BothLose, ResultHow::Agreed, true),
        (Draw, ResultHow::Checkmate, true),
        (Draw, ResultHow::Resigned, false),
        (Draw, ResultHow::Flag, false),
        (WhiteWins, ResultHow::Checkmate, false),
    ];
    for (result, how, contradicts) in rows {
        let mut hall = Hall::standard();
        hall.play(1, &["e2e4", "e7e5"]);
        let answer = hall.order(OrderBody::Result {
            table: TableId(1),
            result,
            how,
            confirm: true,
            signed: BySide::default(),
        });
        let expected = contradicts.then_some("H39");
        assert_eq!(refused(&answer), expected, "{result} {how:?}");
        assert_eq!(hall.desk(1).standing.is_none(), contradicts);
    }
}

#[test]
fn what_cannot_be_done_is_refused_with_its_code_and_changes_nothing() {
    let t = TableId(1);
    let rows = [
        (adjust(0), "H39"),
        (adjust(-99_000_000), "H39"),
        (adjust(-6_000_000), "H39"),
        (OrderBody::Confirm { table: t }, "H36"),
        (OrderBody::Confirm { table: TableId(99) }, "H32"),
        (
            OrderBody::Strike {
                table: t,
                from_ply: 0,
            },
            "H35",
        ),
        (
            OrderBody::Strike {
                table: t,
                from_ply: 9,
            },
            "H35",
        ),
        (
            OrderBody::Insert {
                table: t,
                from_ply: 3,
                moves: vec!["Ke4".to_owned()],
            },
            "H35",
        ),
        (
            OrderBody::Insert {
                table: t,
                from_ply: 3,
                moves: Vec::new(),
            },
            "H39",
        ),
        (
            OrderBody::AdoptBoard {
                table: t,
                turn: Side::White,
            },
            "H36",
        ),
        (OrderBody::Counter { ruling: 77 }, "H36"),
        (
            OrderBody::Take {
                alert: "1-illegal-move-1".to_owned(),
                over: false,
            },
            "H33",
        ),
        (
            OrderBody::Bind {
                table: t,
                device: Some("dgt-00099".parse().expect("id")),
            },
            "H36",
        ),
        (OrderBody::StartRound { round: 9 }, "H37"),
        (OrderBody::CloseRound { round: 9 }, "H37"),
        (OrderBody::Restart { table: TableId(99) }, "H32"),
        (
            OrderBody::ClaimDraw {
                table: t,
                claimant: Side::White,
                claim: protocol::DrawClaim::Threefold,
                written: Some("Ke4".to_owned()),
            },
            "H35",
        ),
    ];
    let mut hall = Hall::standard();
    hall.clock(1, 5400, 5400, Some(Side::White));
    hall.play(1, &["e2e4", "e7e5"]);
    let before = hall.venue.state().clone();
    for (body, code) in rows {
        let answer = hall.order(body.clone());
        assert_eq!(refused(&answer), Some(code), "{body:?}: {answer:?}");
        assert_eq!(*hall.venue.state(), before, "{body:?}");
    }
}

#[test]
fn a_reading_out_of_range_is_said_once_and_changes_no_clock() {
    let mut hall = Hall::standard();
    hall.clock(1, 5400, 5400, Some(Side::White));
    hall.play(1, &["e2e4", "e7e5"]);
    let before = hall.desk(1).clock;
    for _ in 0..3 {
        hall.clock(1, 9_000_000, 1, Some(Side::White));
    }
    assert_eq!(hall.desk(1).clock, before);
    let said = |l: &&protocol::LogLine| l.words.contains("out of range");
    assert_eq!(hall.desk(1).log.iter().filter(said).count(), 1);
    assert!(hall.open().is_empty(), "{:?}", hall.open());
}

#[test]
fn of_two_orders_at_once_the_second_is_refused_and_nothing_is_lost() {
    let mut hall = Hall::standard();
    hall.clock(1, 5400, 5400, Some(Side::White));
    hall.play(1, &["e2e4", "e7e5"]);
    let seen = hall.desk(1).revision;
    let first = hall.order_as(Role::Arbiter, adjust(60_000), false, Some(seen));
    let second = hall.order_as(Role::Arbiter, adjust(60_000), false, Some(seen));
    assert!(refused(&first).is_none(), "{first:?}");
    assert_eq!(refused(&second), Some("H30"));
    let rulings = hall.venue.state().tables[&TableId(1)].game.rulings.len();
    assert_eq!(rulings, 1);
}

#[test]
fn a_stale_order_is_refused_with_the_difference() {
    let mut hall = Hall::standard();
    hall.play(1, &["e2e4", "e7e5"]);
    let basis = hall.desk(1).revision;
    hall.order_as(Role::Arbiter, adjust(60_000), false, Some(basis));
    let answer = hall.order_as(Role::Arbiter, adjust(60_000), false, Some(basis));
    let Answer::Refused {
        code, difference, ..
    } = &answer
    else {
        panic!("{answer:?}");
    };
    assert_eq!(code, "H30");
    assert!(
        difference
            .iter()
            .any(|l| l.contains("+1:00") && l.contains("MK")),
        "{difference:?}"
    );
}

#[test]
fn an_order_that_the_network_delivers_twice_is_carried_out_once() {
    let mut hall = Hall::standard();
    hall.play(1, &["e2e4", "e7e5"]);
    let order = Order {
        client: "tui-9".parse().expect("id"),
        id: 1,
        by: "JP".to_owned(),
        preview: false,
        basis: None,
        note: String::new(),
        body: result(GameResult::Draw, true),
    };
    let first = hall.send(Role::Arbiter, order.clone());
    let written = hall.journal.len();
    assert_eq!(hall.send(Role::Arbiter, order), first);
    assert_eq!(hall.journal.len(), written);
}

#[test]
fn a_preview_changes_nothing() {
    let mut hall = Hall::standard();
    hall.clock(1, 5400, 5400, None);
    hall.play(1, &["e2e4", "e7e5"]);
    let before = (hall.venue.state().clone(), hall.journal.len());
    for body in [
        adjust(60_000),
        result(GameResult::WhiteWins, true),
        OrderBody::Strike {
            table: TableId(1),
            from_ply: 2,
        },
        OrderBody::StartRound { round: 5 },
    ] {
        let answer = hall.preview(body.clone());
        assert!(
            matches!(answer, Answer::Preview { .. }),
            "{body:?}: {answer:?}"
        );
    }
    assert_eq!((hall.venue.state().clone(), hall.journal.len()), before);
    let Answer::Preview { preview, .. } = hall.preview(adjust(60_000)) else {
        panic!("a preview");
    };
    assert_eq!(preview.lines[1], "Black: 1:30:00 +1:00 = 1:31:00");
    assert_eq!(preview.set_clock.map(|c| c.black), Some(5_460_000));
}

fn ruling(answer: &Answer) -> u64 {
    match answer {
        Answer::Done {
            ruling: Some(number),
            ..
        } => *number,
        other => panic!("{other:?}"),
    }
}

#[test]
fn a_ruling_is_countered_by_a_new_one() {
    let mut hall = Hall::standard();
    hall.play(1, &["e2e4", "e7e5", "g1f3"]);
    let struck = hall.order(OrderBody::Strike {
        table: TableId(1),
        from_ply: 2,
    });
    assert_eq!(hall.desk(1).record.len(), 1);
    let number = ruling(&struck);
    hall.order(OrderBody::Counter { ruling: number });
    let desk = hall.desk(1);
    assert_eq!((desk.record.len(), desk.record[2].san.as_str()), (3, "Nf3"));
    let again = hall.order(OrderBody::Counter { ruling: number });
    assert_eq!(refused(&again), Some("H36"), "only once");

    let ended = hall.order(result(GameResult::Draw, true));
    assert_eq!(hall.board(1).result, Some(GameResult::Draw));
    hall.order(OrderBody::Counter {
        ruling: ruling(&ended),
    });
    assert_eq!(hall.board(1).result, None);
    assert!(!hall.control(1).over);
}

#[test]
fn a_ruling_on_moves_cannot_be_countered_when_play_has_gone_on() {
    let mut hall = Hall::standard();
    hall.play(1, &["e2e4", "e7e5", "g1f3"]);
    let struck = hall.order(OrderBody::Strike {
        table: TableId(1),
        from_ply: 3,
    });
    let generation = hall.control(1).generation;
    hall.fact(1, protocol::Fact::Adopted { generation });
    hall.play(1, &["b1c3"]);
    let answer = hall.order(OrderBody::Counter {
        ruling: ruling(&struck),
    });
    assert_eq!(refused(&answer), Some("H37"));
}

#[test]
fn moves_are_put_in_as_uci_or_san() {
    let mut hall = Hall::standard();
    hall.play(1, &["e2e4"]);
    let moves = ["e5", "g1f3", "Nc6", "O-O"].map(str::to_owned).to_vec();
    let wrong = hall.order(OrderBody::Insert {
        table: TableId(1),
        from_ply: 2,
        moves,
    });
    assert_eq!(refused(&wrong), Some("H35"), "castling is not legal yet");
    let moves = ["e5", "g1f3", "Nc6"].map(str::to_owned).to_vec();
    hall.order(OrderBody::Insert {
        table: TableId(1),
        from_ply: 2,
        moves,
    });
    let line: Vec<String> = hall.desk(1).record.iter().map(|p| p.san.clone()).collect();
    assert_eq!(line, ["e4", "e5", "Nf3", "Nc6"]);
}

#[test]
fn the_boards_position_can_be_taken_for_the_games() {
    let mut hall = Hall::with_round(round(1, "5400+30"));
    hall.play(1, &["e2e4"]);
    let after = "rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR";
    let board = after.parse().expect("a placement");
    hall.fact(1, protocol::Fact::Dump { board });
    let adopt = OrderBody::AdoptBoard {
        table: TableId(1),
        turn: Side::White,
    };
    hall.order(adopt.clone());
    assert_eq!(
        hall.desk(1).record[1].san,
        "e5",
        "a legal move where there is one"
    );
    let board = "8/8/8/8/4k3/8/8/4K3".parse().expect("a placement");
    hall.fact(1, protocol::Fact::Dump { board });
    hall.order(adopt);
    let desk = hall.desk(1);
    assert!(matches!(desk.record[2].played, Played::Irregular { .. }));
    assert_eq!(desk.fen, "8/8/8/8/4k3/8/8/4K3 w - - 0 1");
    assert_eq!(hall.board(1).moves.len(), 2);
}

#[test]
fn a_call_cannot_be_put_aside_and_other_alerts_can() {
    let mut hall = Hall::standard();
    hall.fact(
        1,
        protocol::Fact::Notice {
            code: "PRESS_WITHOUT_MOVE".to_owned(),
            over: false,
            detail: String::new(),
        },
    );
    let until = Timestamp(hall.now.0 + 600_000);
    let id = hall.alert("press-without-move").id;
    let snooze = |alert: &str| OrderBody::Snooze {
        alert: alert.to_owned(),
        until,
    };
    assert_eq!(refused(&hall.order(snooze(&id))), Some("H34"));
    hall.order(OrderBody::Take {
        alert: id.clone(),
        over: false,
    });
    let taken = hall.alert("press-without-move").life;
    assert!(matches!(taken, protocol::AlertLife::Taken { by, .. } if by == "MK"));
    hall.order(OrderBody::GiveBack { alert: id });
    let life = hall.alert("press-without-move").life;
    assert_eq!(life, protocol::AlertLife::New);

    hall.fact(1, protocol::Fact::Health(protocol::Health::default()));
    hall.pass(21_000);
    let id = hall.alert("board-silent").id;
    hall.order(snooze(&id));
    assert!(hall.alert("board-silent").snoozed.is_some());
}

#[test]
fn a_note_is_written_once_and_is_no_ruling() {
    let mut hall = Hall::standard();
    hall.play(1, &["e2e4"]);
    let time = OrderBody::AdjustTime {
        table: TableId(1),
        change_ms: BySide {
            white: 0,
            black: 120_000,
        },
        article: "7.5.5".to_owned(),
    };
    hall.clock(1, 5400, 5400, Some(Side::White));
    let number = hall.done(time).expect("a ruling");
    hall.noted("spoken to", OrderBody::Note { table: TableId(1) });
    let again = hall.noted("spoken to", OrderBody::Note { table: TableId(1) });
    assert_eq!(refused(&again), Some("H36"));
    let desk = hall.desk(1);
    let notes = desk.log.iter().filter(|l| l.words.contains("spoken to"));
    assert_eq!(notes.count(), 1, "{:?}", desk.log);
    let rulings: Vec<u64> = desk.rulings.iter().map(|r| r.number).collect();
    assert_eq!(rulings, [number]);
    let answer = hall.preview(OrderBody::Counter { ruling: number });
    let Answer::Preview { preview, .. } = answer else {
        panic!("{answer:?}");
    };
    // The ruled times are not set yet: taking them back leads to what the clock shows.
    assert_eq!(preview.then[0], "Black 1:32:00 → 1:30:00");
    assert_eq!(preview.set_clock.map(|c| c.black), Some(5_400_000));
    hall.done(OrderBody::Counter { ruling: number });
    assert!(hall.desk(1).rulings[0].countered);
}

#[test]
fn what_was_done_instead_of_a_ruling_stands_in_the_log() {
    let mut hall = Hall::standard();
    hall.fact(1, protocol::Fact::Health(protocol::Health::default()));
    hall.pass(21_000);
    let alert = hall.alert("board-silent").id;
    hall.noted("cable replaced", OrderBody::Dismiss { alert });
    assert!(!hall.open().contains(&"board-silent".to_owned()));
    hall.a_moment();
    let log = hall.desk(1).log;
    assert!(
        log.iter()
            .any(|l| l.kind == "note" && l.words.ends_with(": cable replaced")),
        "{log:?}"
    );
}
