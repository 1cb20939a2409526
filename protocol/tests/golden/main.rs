//! Every message as JSON, in `golden/`: what third parties and older programs see. `GOLDEN=write` rewrites the files.

mod rulings;
mod views;

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
                more: true,
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
    golden("command-read", &Command::Read);
    golden("command-blink", &Command::Blink);
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
        lamps: false,
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
        vitals: Some(Vitals {
            clients: Some(103),
            messages: 212,
            journal_bytes: 1_800_000,
            free_bytes: Some(61_000_000_000),
            viewers: 23,
        }),
    };
    golden("hub-presence", &hub);
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
