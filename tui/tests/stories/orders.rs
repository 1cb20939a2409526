//! Orders: every decision of the dashboard becomes the order that its words promise, as rows of keys.

use crate::Desk;
use protocol::{
    BySide, ClaimJudgement, DrawClaim, Missing, OrderBody, Penalty, PromotionPiece, QuickplayAsk,
    Reported, Side, TableId, Timestamp,
};

#[track_caller]
fn ordered(keys: &str) -> OrderBody {
    let mut desk = Desk::open();
    desk.press(keys);
    let screen = desk.screen();
    let [order] = &desk.orders[..] else {
        panic!("{keys}: {:?}\n{screen}", desk.orders);
    };
    order.clone()
}

#[test]
fn claims_are_entered_with_the_written_move_and_then_ruled() {
    let table = TableId(61);
    let draw = |claim, written: Option<&str>| OrderBody::ClaimDraw {
        table,
        claimant: Side::Black,
        claim,
        written: written.map(str::to_owned),
    };
    let asks = |asks| OrderBody::ClaimQuickplay {
        table,
        claimant: Side::Black,
        asks,
    };
    let rows = [
        (": 6 1 enter C enter", draw(DrawClaim::Threefold, None)),
        (
            ": 6 1 enter C 2 tab N f 6 enter",
            draw(DrawClaim::FiftyMoves, Some("Nf6")),
        ),
        (": 6 1 enter C 3 enter", asks(QuickplayAsk::Increment)),
        (": 6 1 enter C 4 enter", asks(QuickplayAsk::Draw)),
        (
            ": 7 0 enter C 2 enter",
            OrderBody::RuleClaim {
                table: TableId(70),
                judgement: ClaimJudgement::Reject,
                bonus: false,
            },
        ),
        (
            ": 7 0 enter C 1 0 7 0 enter",
            OrderBody::RuleClaim {
                table: TableId(70),
                judgement: ClaimJudgement::Grant,
                bonus: false,
            },
        ),
    ];
    for (keys, want) in rows {
        assert_eq!(ordered(keys), want, "{keys}");
    }
}

#[test]
fn the_nine_penalties_for_conduct() {
    let rows = [
        ("1", Penalty::Warning),
        ("2", Penalty::OpponentTime { ms: 120_000 }),
        ("3", Penalty::OffenderTime { ms: 120_000 }),
        ("4", Penalty::OpponentPoints { halves: 1 }),
        ("5", Penalty::OffenderPoints { halves: 1 }),
        ("6 0 6 1", Penalty::Loss),
        (
            "7",
            Penalty::Fine {
                amount: "1".to_owned(),
            },
        ),
        ("8", Penalty::Exclusion { rounds: 1 }),
        ("9", Penalty::Expulsion),
    ];
    for (keys, want) in rows {
        let OrderBody::Conduct { penalty, .. } = ordered(&format!(": 6 1 enter m {keys} enter"))
        else {
            panic!("{keys}");
        };
        assert_eq!(penalty, want, "{keys}");
    }
}

#[test]
fn the_record_the_clock_and_the_game_as_a_whole() {
    let table = TableId(61);
    let rows = [
        (
            ": 6 1 enter p 4 tab backspace backspace 8 b tab N f 6 enter",
            OrderBody::Insert {
                table,
                from_ply: 16,
                moves: vec!["Nf6".to_owned()],
            },
        ),
        (
            ": 6 1 enter p 5 tab tab tab tab 4 enter",
            OrderBody::Promotion {
                table,
                ply: 15,
                piece: PromotionPiece::Knight,
            },
        ),
        (": 6 1 enter p 1 enter", OrderBody::Resync { table }),
        (": 6 1 enter c enter", OrderBody::ReplaceClock { table }),
        (": 6 1 enter X 0 6 1 enter", OrderBody::Restart { table }),
        (
            ": 6 1 enter N 3 enter",
            OrderBody::Report {
                table,
                what: Reported::BoardTurned,
            },
        ),
        (": 6 1 enter H enter", OrderBody::Hold { table, hold: true }),
        (
            ": 6 1 enter H 2 enter",
            OrderBody::Hold { table, hold: false },
        ),
        ("3 P 5 enter", OrderBody::CloseRound { round: 5 }),
        ("3 O enter", OrderBody::StartRound { round: 5 }),
    ];
    for (keys, want) in rows {
        assert_eq!(ordered(keys), want, "{keys}");
    }
}

#[test]
fn a_game_is_adjourned_and_resumed_with_its_envelope() {
    let adjourned =
        ordered(": 6 1 enter J tab tab tab 2 tab 1 9 : 0 0 tab 1 9 : 3 0 tab h a l l enter");
    let OrderBody::Adjourn {
        sealed_by,
        time_ms: Some(BySide { white, .. }),
        draw_offer,
        session_ends: Some(ends),
        resumes: Some(resumes),
        place,
        ..
    } = adjourned
    else {
        panic!("{adjourned:?}");
    };
    assert_eq!(
        (sealed_by, draw_offer, place.as_str()),
        (Side::Black, Some(Side::White), "hall")
    );
    assert_eq!(white % 1000, 0, "as it stands on the screen");
    let time_of_day = |at: Timestamp| at.0.div_euclid(60_000).rem_euclid(24 * 60);
    assert_eq!(
        (time_of_day(ends), time_of_day(resumes)),
        (19 * 60, 19 * 60 + 30)
    );
    let table = TableId(61);
    let rows = [
        (
            ": 6 1 enter E tab tab N f 3 enter",
            OrderBody::Resume {
                table,
                missing: Missing::Nobody,
                sealed: Some("Nf3".to_owned()),
                lost: false,
            },
        ),
        (
            ": 6 1 enter E 2 enter",
            OrderBody::Resume {
                table,
                missing: Missing::Replier,
                sealed: None,
                lost: false,
            },
        ),
        (
            ": 6 1 enter E tab 2 enter",
            OrderBody::Resume {
                table,
                missing: Missing::Nobody,
                sealed: None,
                lost: true,
            },
        ),
    ];
    for (keys, want) in rows {
        assert_eq!(ordered(keys), want, "{keys}");
    }
}

#[test]
fn what_is_written_wrong_is_said_and_not_ordered() {
    let rows = [
        (": 6 1 enter E enter", "write what stands in the envelope"),
        (
            ": 6 1 enter J tab tab tab tab 2 5 : 0 0 enter",
            "25:00 is no time of day",
        ),
        (
            ": 6 1 enter m 4 tab tab tab backspace x enter",
            "x is no number",
        ),
        (
            ": 6 1 enter m 2 tab tab backspace backspace backspace backspace enter",
            "is no time",
        ),
        (": 6 1 enter p 4 enter", "write the moves"),
        (": 6 1 enter p 3 tab ? enter", "is no move number"),
        ("3 P 4 enter", "this leaves the house: type the number 5"),
    ];
    for (keys, want) in rows {
        let mut desk = Desk::open();
        desk.press(keys).sees(want);
        assert_eq!(desk.orders, [], "{keys}");
    }
}

#[test]
fn from_an_alert_the_game_may_also_go_on() {
    let mut desk = Desk::open();
    let mut alert = desk.app.venue.alerts["17-fivefold-1"].clone();
    alert.id = "61-colours-reversed-1".to_owned();
    alert.code = "colours-reversed".to_owned();
    alert.table = Some(TableId(61));
    desk.app.venue.alerts.clear();
    desk.app
        .update(tui::message::Message::Heard(tui::message::Heard::Alert(
            Box::new(alert),
        )));
    desk.wait(1100);
    desk.press("r")
        .sees("New game · Table 061")
        .press("2 enter");
    let [OrderBody::Dismiss { alert }] = &desk.orders[..] else {
        panic!("{:?}", desk.orders);
    };
    assert_eq!(alert, "61-colours-reversed-1");
}
