//! Every message as JSON, in `golden/`: what third parties and older programs see. `GOLDEN=write` rewrites the files.

use std::fmt::Debug;
use std::path::PathBuf;

use protocol::*;
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value;

/// The message equals its file, and the file with fields nobody knows still reads as the message.
fn golden<T: Serialize + DeserializeOwned + PartialEq + Debug>(name: &str, message: &T) {
    let path = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join(format!("golden/{name}.json"));
    let written: Value = serde_json::from_slice(&encode(message)).expect("own JSON");
    let pretty = format!(
        "{}\n",
        serde_json::to_string_pretty(&written).expect("a value")
    );
    if std::env::var("GOLDEN").as_deref() == Ok("write") {
        std::fs::write(&path, &pretty).expect("golden folder");
    }
    let stored =
        std::fs::read_to_string(&path).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
    assert_eq!(
        pretty, stored,
        "{name}: the wire changed; say so in CHANGELOG.md under Breaking"
    );
    let mut extended: Value = serde_json::from_str(&stored).expect("golden JSON");
    extended["a_field_of_tomorrow"] = Value::from(42);
    let back: T = decode(extended.to_string().as_bytes()).unwrap_or_else(|e| panic!("{name}: {e}"));
    assert_eq!(&back, message, "{name}");
}

fn id<T: std::str::FromStr<Err = IdError>>(text: &str) -> T {
    text.parse().expect("an id")
}

fn square(name: &str) -> SquareName {
    SquareName(name.parse().expect("a square"))
}

fn reading() -> ClockReading {
    ClockReading {
        time: BySide {
            white: 5_390_000,
            black: 5_400_000,
        },
        running: Some(Side::Black),
        turn: Some(Side::Black),
        flag: BySide {
            white: Flag::Up,
            black: Flag::Up,
        },
        bonus_sign: BySide {
            white: true,
            black: true,
        },
        battery_low: false,
    }
}

fn start() -> Placement {
    "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR"
        .parse()
        .expect("placement")
}

fn envelope(seq: Seq, fact: Fact) -> Envelope {
    let (agent, boot) = (id("hall-a"), id("4f1c09d2a7e3b865"));
    Envelope {
        agent,
        boot,
        seq,
        at: Timestamp(1_700_000_000_123),
        offset: Some(-7),
        fact,
    }
}

#[test]
fn facts() {
    let legal = |uci: &str| Played::Legal(uci.to_owned());
    let irregular = Played::Irregular {
        from_fen: "4k3/8/8/8/7b/8/5P2/4K3 w - - 0 1".to_owned(),
        to_fen: "4k3/8/8/8/5P1b/8/8/4K3 b - - 0 1".to_owned(),
        words: "f2-f4".to_owned(),
    };
    let made = |played| Fact::Made {
        ply: 1,
        played,
        by: Side::White,
        certainty: 0.97,
        squares: vec![square("e2"), square("e4")],
        after_ms: 120,
    };
    let rows = [
        ("fact-made", made(legal("e2e4"))),
        ("fact-made-irregular", made(irregular)),
        (
            "fact-completed",
            Fact::Completed {
                ply: 1,
                pressed: true,
                clock: Some(reading()),
            },
        ),
        ("fact-settled", Fact::Settled { ply: 1 }),
        (
            "fact-revised",
            Fact::Revised {
                from_ply: 1,
                line: vec![legal("e2e3"), legal("e7e5")],
                certainty: 0.9,
            },
        ),
        ("fact-retracted", Fact::Retracted { from_ply: 1 }),
        (
            "fact-unexplained",
            Fact::Unexplained {
                squares: vec![square("a1")],
                board: start(),
            },
        ),
        ("fact-explained", Fact::Explained),
        (
            "fact-ambiguous",
            Fact::Ambiguous(Uncertain {
                ply: 7,
                choices: vec![vec!["a2a3".into()], vec!["a2a4".into()]],
            }),
        ),
        (
            "fact-kings-centred",
            Fact::KingsCentred {
                result: GameResult::Draw,
            },
        ),
        (
            "fact-set-up",
            Fact::SetUp {
                board: start(),
                correct: true,
                squares: vec![],
                rotated: false,
            },
        ),
        (
            "fact-notice",
            Fact::Notice {
                code: "PRESS_WITHOUT_MOVE".into(),
                over: false,
                detail: "White pressed".into(),
            },
        ),
        ("fact-reading", Fact::Reading(reading())),
        (
            "fact-press",
            Fact::Press {
                by: Side::White,
                clock: reading(),
            },
        ),
        (
            "fact-squares",
            Fact::Squares {
                changes: vec![(square("e2"), None), (square("e4"), Some('P'))],
            },
        ),
        ("fact-dump", Fact::Dump { board: start() }),
        (
            "fact-health",
            Fact::Health(Health {
                board: true,
                clock: true,
                state: "ok".into(),
                ..Health::default()
            }),
        ),
        ("fact-adopted", Fact::Adopted { generation: 3 }),
        (
            "fact-logged",
            Fact::Logged {
                times: vec![BySide {
                    white: Some(5_397_000),
                    black: None,
                }],
            },
        ),
    ];
    for (seq, (name, fact)) in (1..).zip(rows) {
        golden(name, &envelope(seq, fact));
    }
}

#[test]
fn carriage_and_control() {
    golden(
        "ack",
        &Ack {
            agent: id("hall-a"),
            boot: id("4f1c09d2a7e3b865"),
            seq: 2210,
        },
    );
    golden(
        "time-question",
        &TimeQuestion {
            asked: Timestamp(1_700_000_000_000),
        },
    );
    golden(
        "time-answer",
        &TimeAnswer {
            asked: Timestamp(1_700_000_000_000),
            hub: Timestamp(1_700_000_000_004),
        },
    );
    let adopt = Adopt {
        after: Some((id("4f1c09d2a7e3b865"), 2210)),
        line: vec![Played::Legal("e2e4".into())],
        position: "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1".into(),
    };
    let control = Control {
        generation: 3,
        table: Some(TableId(12)),
        game: Some(id("r5-t12")),
        edition: EditionId::Fide2023,
        start_fen: None,
        chess960: false,
        over: false,
        adopt: Some(adopt),
    };
    golden("control", &control);
    golden("command-resync", &Command::Resync);
    golden(
        "command-orientation",
        &Command::Orientation { rotated: true },
    );
    golden(
        "command-clock-side",
        &Command::ClockSide { left: Side::Black },
    );
    golden("command-expect", &Command::Expect { board: start() });
}

fn device_info() -> DeviceInfo {
    DeviceInfo {
        device: DeviceId::of("dgt", "01025"),
        agent: id("hall-a"),
        boot: id("4f1c09d2a7e3b865"),
        family: "dgt".into(),
        serial: "01025".into(),
        long_serial: Some("3000147740".into()),
        firmware: Some("1.8".into()),
        clock: Some("dgt3000".into()),
        port: "/dev/ttyACM0".into(),
        health: Health {
            board: true,
            clock: true,
            state: "ok".into(),
            battery: Some(Battery {
                percent: 78,
                charging: false,
            }),
            ..Health::default()
        },
    }
}

#[test]
fn presence_and_devices() {
    golden("device-info", &device_info());
    let agent = AgentPresence {
        agent: id("hall-a"),
        boot: id("4f1c09d2a7e3b865"),
        online: true,
        version: "0.1.0".into(),
        host: "hall-a.local".into(),
        devices: vec![DeviceId::of("dgt", "01025")],
    };
    golden("agent-presence", &agent);
    let hub = HubPresence {
        online: true,
        now: Timestamp(1_700_000_000_000),
        boot: id("aa00bb11cc22dd33"),
        version: "0.1.0".into(),
    };
    golden("hub-presence", &hub);
}

fn players() -> BySide<Player> {
    let player = |name: &str, rating| Player {
        name: name.to_owned(),
        rating: Some(rating),
        ..Player::default()
    };
    BySide {
        white: player("Okafor, T", 2398),
        black: player("Kuznetsova, A", 2412),
    }
}

fn after_e4() -> Placement {
    "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR"
        .parse()
        .expect("placement")
}

fn clock_view() -> ChessclockView {
    ChessclockView {
        time: BySide {
            white: 5_390_000,
            black: 5_400_000,
        },
        running: Some(Side::Black),
        flag: BySide::default(),
        at: Timestamp(1_700_000_000_130),
    }
}

#[test]
fn views() {
    let ply = DeskPly {
        played: Played::Legal("e2e4".into()),
        san: "e4".into(),
        by: Side::White,
        made_at: Timestamp(1_700_000_000_116),
        completed_at: Some(Timestamp(1_700_000_000_900)),
        pressed: true,
        settled: true,
        certainty: 0.97,
        clock_ms: Some(5_390_000),
        spent_ms: Some(10_000),
    };
    let hall = HallBoard {
        table: TableId(12),
        game: id("r5-t12"),
        event: "Open de Lyon".into(),
        site: "Lyon".into(),
        date: "2026.11.29".into(),
        round: 5,
        players: players(),
        time_control: "5400+30".into(),
        start_fen: None,
        chess960: false,
        moves: ply.for_hall().into_iter().collect(),
        settled_ply: 1,
        completed_ply: 1,
        position: after_e4(),
        turn: Side::Black,
        check: false,
        clock: Some(clock_view()),
        state: HallState::Playing,
        result: None,
        at: Timestamp(1_700_000_000_900),
        revision: 3,
    };
    golden("hall-board", &hall);
    let desk = DeskTable {
        table: TableId(12),
        place: Some("Row D seat 9".into()),
        game: id("r5-t12"),
        round: 5,
        players: players(),
        edition: EditionId::Fide2023,
        regime: Regime::default(),
        time_control: "5400+30".parse().expect("control"),
        start_fen: None,
        chess960: false,
        record: vec![ply],
        uncertain: vec![],
        position: after_e4(),
        fen: "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1".into(),
        turn: Side::Black,
        board: None,
        clock: Some(clock_view()),
        state: TableState::Playing,
        standing: None,
        illegal_moves: BySide { white: 1, black: 0 },
        repetitions: 1,
        quiet_plies: 0,
        to_control: Some(BySide {
            white: 39,
            black: 40,
        }),
        silence: vec!["how many moves are completed".into()],
        silence_article: "12.6".into(),
        device: Some(DeviceId::of("dgt", "01025")),
        device_info: Some(device_info()),
        heard: Some(Timestamp(1_700_000_000_900)),
        alerts: vec!["12-clocks-stopped-1".into()],
        log: vec![LogLine {
            at: Timestamp(1_700_000_000_116),
            kind: "made".into(),
            words: "1. e2-e4".into(),
            source: "hall-a #2210".into(),
        }],
        rulings: vec![ruling_line()],
        held: false,
        completed_ply: 1,
        revision: 3,
    };
    golden("desk-table", &desk);
    let line = JournalLine {
        number: 4711,
        table: Some(TableId(12)),
        line: desk.log[0].clone(),
        article: String::new(),
    };
    golden("journal-line", &line);
    let standing = Standing {
        result: GameResult::Draw,
        how: ResultHow::KingsSign,
        state: ResultState::Proposed,
    };
    let result = TableResult {
        table: TableId(12),
        game: id("r5-t12"),
        players: players(),
        time_control: "5400+30".parse().expect("control"),
        standing: Some(standing),
        signed: BySide {
            white: true,
            black: false,
        },
        illegal_moves: BySide { white: 1, black: 0 },
        ruling: Some(ruling_line()),
    };
    let round = DeskRound {
        event: "Open de Lyon".into(),
        round: 5,
        rounds: 9,
        regime: Regime {
            speed: Speed::Blitz,
            supervised: false,
        },
        closing: Some(Timestamp(1_700_000_009_000)),
        absent: vec![(TableId(12), Side::Black, Some(Timestamp(1_700_000_900_000)))],
        tables: vec![result],
        earlier: vec![3, 4],
        walls: vec!["http://10.0.0.5:8080/  (hall)".into()],
        feeds: vec![FeedHealth {
            name: "pgn-round".into(),
            state: FeedState::Failing,
            at: Some(Timestamp(1_700_000_000_000)),
            detail: "the disk is full".into(),
        }],
        ..DeskRound::default()
    };
    golden("desk-round", &round);
}

fn ruling_line() -> RulingLine {
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
    for (name, body) in orders_of_claims_and_rounds(table) {
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
    ]
}

#[test]
fn another_version_is_a_clear_error() {
    let rows = [
        (r#"{"v":2,"agent":"a"}"#, "P03 version 2"),
        (r#"{"agent":"a"}"#, "P02"),
        ("[1,2]", "P01"),
        ("\u{0}\u{1}", "P01"),
        (r#"{"v":1}"#, "P04"),
        (r#"{"v":-1}"#, "P01"),
    ];
    for (payload, code) in rows {
        let error = decode::<Ack>(payload.as_bytes())
            .expect_err(payload)
            .to_string();
        assert!(error.starts_with(code), "{payload}: {error}");
    }
}

proptest::proptest! {
    #[test]
    fn any_bytes_at_all_are_read_without_panic(bytes in proptest::collection::vec(proptest::prelude::any::<u8>(), 0..200)) {
        assert!(decode::<Envelope>(&bytes).is_err());
        assert!(decode::<Order>(&bytes).is_err());
    }

    #[test]
    fn any_small_damage_to_a_message_is_an_error_or_another_message(at in 0usize..400, byte: u8) {
        let mut bytes = encode(&envelope(1, Fact::Press { by: Side::White, clock: reading() }));
        let at = at % bytes.len();
        bytes[at] = byte;
        if let Ok(read) = decode::<Envelope>(&bytes) {
            assert!(decode::<Envelope>(&encode(&read)).is_ok(), "what was read writes again");
        }
    }
}
