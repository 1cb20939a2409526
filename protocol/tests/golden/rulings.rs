//! Alerts, orders, rulings and the answers to them.

use protocol::*;

use crate::{golden, id};

pub(crate) fn ruling_line() -> RulingLine {
    RulingLine {
        number: 4710,
        at: Timestamp(1_700_000_000_100),
        by: "MK".into(),
        words: "time: White +0:00, Black +2:00".into(),
        article: "7.5.5".into(),
        undoable: true,
        countered: false,
    }
}

#[test]
fn alerts_and_rulings() {
    let fact = FactId {
        agent: id("hall-a"),
        boot: id("4f1c09d2a7e3b865"),
        device: Some(id("dgt-01025")),
        seq: 2210,
    };
    let alert = Alert {
        id: "12-illegal-move-1".into(),
        code: "illegal-move".into(),
        table: Some(TableId(12)),
        ply: Some(67),
        side: Some(Side::White),
        urgency: Urgency::Call,
        article: "7.5.5".into(),
        headline: "illegal move completed, White, second".into(),
        because: vec!["the knight on g5 was pinned".into()],
        proposal: vec!["lost: 0-1".into()],
        since: Timestamp(1_700_000_000_900),
        lapse: Some("with Black's next move".into()),
        life: AlertLife::Taken {
            by: "MK".into(),
            at: Timestamp(1_700_000_003_000),
        },
        snoozed: None,
        evidence: vec![Evidence {
            fact,
            at: Timestamp(1_700_000_000_900),
            words: "White pressed".into(),
        }],
        history: vec![],
    };
    golden("alert", &alert);
    let order = |body| Order {
        client: id("tui-1"),
        id: 9,
        by: "MK".into(),
        preview: true,
        basis: Some(3),
        note: "knight was pinned".into(),
        body,
    };
    let table = TableId(12);
    let illegal = OrderBody::IllegalMove {
        table,
        offender: Side::White,
        judgement: Judgement::Second,
        incident: None,
        take_increment: true,
    };
    golden("order-illegal-move", &order(illegal));
    let time = OrderBody::AdjustTime {
        table,
        change_ms: BySide {
            white: 0,
            black: 120_000,
        },
        article: "7.5.5".into(),
    };
    golden("order-adjust-time", &order(time));
    let penalty = Penalty::OpponentTime { ms: 120_000 };
    golden(
        "order-conduct",
        &order(OrderBody::Conduct {
            table,
            offender: Side::White,
            penalty,
        }),
    );
    golden(
        "order-take",
        &order(OrderBody::Take {
            alert: "12-illegal-move-1".into(),
            over: false,
        }),
    );
    let claims = orders_of_claims_and_rounds(table);
    for (name, body) in claims.into_iter().chain(orders_of_the_record(table)) {
        golden(name, &order(body));
    }
    let preview = Preview {
        lines: vec!["second completed illegal move: lost".into()],
        article: "7.5.5".into(),
        then: vec!["result 0-1".into()],
        ends_game: true,
        set_clock: None,
    };
    golden(
        "answer-preview",
        &Answer::Preview {
            id: 9,
            basis: 3,
            preview,
        },
    );
    golden(
        "answer-done",
        &Answer::Done {
            id: 9,
            ruling: Some(4712),
            words: "result 0-1".into(),
        },
    );
    let refused = Answer::Refused {
        id: 9,
        code: "H31".into(),
        why: "somebody ruled first".into(),
        difference: vec!["JP: first illegal move, Black +2:00".into()],
    };
    golden("answer-refused", &refused);
}

fn orders_of_claims_and_rounds(table: TableId) -> Vec<(&'static str, OrderBody)> {
    vec![
        (
            "order-claim-draw",
            OrderBody::ClaimDraw {
                table,
                claimant: Side::White,
                claim: DrawClaim::Threefold,
                written: Some("Nf3".into()),
            },
        ),
        (
            "order-claim-quickplay",
            OrderBody::ClaimQuickplay {
                table,
                claimant: Side::White,
                asks: QuickplayAsk::Draw,
            },
        ),
        (
            "order-rule-claim",
            OrderBody::RuleClaim {
                table,
                judgement: ClaimJudgement::Postpone,
                bonus: true,
            },
        ),
        (
            "order-adjourn",
            OrderBody::Adjourn {
                table,
                sealed_by: Side::Black,
                time_ms: Some(BySide {
                    white: 600_000,
                    black: 540_000,
                }),
                draw_offer: Some(Side::White),
                session_ends: None,
                resumes: Some(Timestamp(1_700_050_000_000)),
                place: "hall 2".into(),
            },
        ),
        (
            "order-resume",
            OrderBody::Resume {
                table,
                missing: Missing::Sealer,
                sealed: Some("Kd2".into()),
                lost: false,
            },
        ),
        ("order-replace-clock", OrderBody::ReplaceClock { table }),
        (
            "order-promotion",
            OrderBody::Promotion {
                table,
                ply: 77,
                piece: PromotionPiece::Knight,
            },
        ),
        (
            "order-report",
            OrderBody::Report {
                table,
                what: Reported::ColoursReversed,
            },
        ),
        ("order-restart", OrderBody::Restart { table }),
        ("order-close-round", OrderBody::CloseRound { round: 5 }),
        (
            "order-add-time",
            OrderBody::AddTime {
                tables: vec![table],
                ms: 300_000,
            },
        ),
    ]
}

fn orders_of_the_record(table: TableId) -> Vec<(&'static str, OrderBody)> {
    let alert = || "12-illegal-move-1".to_owned();
    vec![
        ("order-give-back", OrderBody::GiveBack { alert: alert() }),
        ("order-dismiss", OrderBody::Dismiss { alert: alert() }),
        (
            "order-snooze",
            OrderBody::Snooze {
                alert: alert(),
                until: Timestamp(1_700_000_060_000),
            },
        ),
        (
            "order-result",
            OrderBody::Result {
                table,
                result: GameResult::Draw,
                how: ResultHow::Agreed,
                confirm: true,
                signed: BySide {
                    white: true,
                    black: false,
                },
            },
        ),
        ("order-confirm", OrderBody::Confirm { table }),
        (
            "order-strike",
            OrderBody::Strike {
                table,
                from_ply: 66,
            },
        ),
        (
            "order-insert",
            OrderBody::Insert {
                table,
                from_ply: 66,
                moves: vec!["Nf6".into(), "e7e8q".into()],
            },
        ),
        (
            "order-adopt-board",
            OrderBody::AdoptBoard {
                table,
                turn: Side::Black,
            },
        ),
        ("order-note", OrderBody::Note { table }),
        ("order-counter", OrderBody::Counter { ruling: 4710 }),
        ("order-resync", OrderBody::Resync { table }),
        ("order-bind-by-gesture", OrderBody::BindByGesture { table }),
        ("order-read-board", OrderBody::ReadBoard { table }),
        ("order-blink", OrderBody::Blink { table }),
        ("order-hold", OrderBody::Hold { table, hold: true }),
        ("order-start-round", OrderBody::StartRound { round: 5 }),
    ]
}
