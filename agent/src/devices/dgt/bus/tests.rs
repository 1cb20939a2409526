//! Answers, boards and whole lines.

use super::command::{Address, Question, checksum};
use super::{Bus, BusMember, DgtBus};
use crate::devices::{Driver, Line, LineOptions, Orientation, Placement, parse_hex, to_hex};
use crate::simulate::FarEnd;
use crate::simulate::dgt::VirtualBus;

#[test]
fn questions_are_those_of_the_layout() {
    let board = Address(1025);
    let rows = [
        (Question::Everybody, "87 00 00 07"),
        (Question::BeQuiet(board), "8a 08 01 13"),
        (Question::Version(board), "8b 08 01 14"),
        (Question::Clock(board), "81 08 01 0a"),
        (Question::Changes(board), "83 08 01 0c"),
        (Question::Repeat(board), "84 08 01 0d"),
        (Question::Dump(board), "82 08 01 0b"),
        (Question::Serial(board), "91 08 01 1a"),
        (Question::Battery(board), "98 08 01 21"),
    ];
    for (question, expect) in rows {
        assert_eq!(to_hex(&question.bytes()), expect);
    }
    assert_eq!(
        checksum(&[0x81, 0x10, 0x06]),
        0x17,
        "the vendor's own example"
    );
}

fn start_dump() -> String {
    format!(
        "83 00 46 08 01 08 09 0a 0c 0b 0a 09 08 {} {} {} 02 03 04 06 05 04 03 02 7c",
        "07 ".repeat(8),
        "00 ".repeat(32),
        "01 ".repeat(8)
    )
}

#[test]
fn answers_mean_what_the_layouts_say_wherever_they_are_cut() {
    let start = start_dump();
    let array = "dump rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR";
    let clock = "84 00 0d 08 01 01 29 58 01 30 00 13 60";
    let rows: [(String, &[&str]); 8] = [
        ("87 00 06 08 01 16".into(), &["identified dgt serial 01025"]),
        (
            "89 00 08 08 01 01 06 21".into(),
            &[
                "identified dgt serial 01025",
                "identified dgt serial 01025 firmware 1.6",
            ],
        ),
        (
            clock.into(),
            &[
                "identified dgt serial 01025",
                "clock 1:30:00 1:29:58 black runs",
            ],
        ),
        (
            format!("{start} {clock} 85 00 06 08 01 14 85 00 0d 08 01 40 0c 57 1c 61 29 50 34"),
            &[
                "identified dgt serial 01025",
                "orientation normal",
                array,
                "clock 1:30:00 1:29:58 black runs",
                "square e7 -",
                "square e5 p",
                "press black 1:30:00 1:29:50 white runs",
                "clock 1:30:00 1:29:50 white runs",
            ],
        ),
        (
            format!("{start} 8b 00 0e 08 01 40 34 51 24 71 29 57 6b 67"),
            &[
                "identified dgt serial 01025",
                "orientation normal",
                array,
                "square e2 -",
                "square e4 P",
            ],
        ),
        (
            format!("{start} 85 00 0b 08 01 6a 57 0c 57 0d 4a {start}"),
            &[
                "identified dgt serial 01025",
                "orientation normal",
                array,
                array,
            ],
        ),
        ("85 00 0d 08 01 40 34 51 24 71 29 57 76".into(), &[]),
        // Newer firmware: hardware version, long serial number, battery, trade mark, a raw frame of a clock.
        (
            "8c 00 08 08 01 02 03 22 b0 00 10 08 01 33 30 30 30 31 34 37 37 34 30 43 \
             b5 00 0f 08 01 4e 7f 7f 05 11 00 15 2a 02 70 b4 00 09 08 01 41 42 43 0c b1 00 07 08 01 00 41"
                .into(),
            &[
                "identified dgt serial 01025",
                "identified dgt serial 01025 hardware 2.3",
                "identified dgt serial 01025 long serial 3000147740 hardware 2.3",
                "battery 78 %",
            ],
        ),
    ];
    for (hex, expect) in rows {
        let bytes = parse_hex(&hex).expect("rows are hexadecimal");
        for cut in 0..=bytes.len() {
            let how = LineOptions {
                recording: true,
                ..LineOptions::default()
            };
            let mut line = DgtBus.open(how);
            line.opened(0);
            line.receive(0, &bytes[..cut]);
            line.receive(0, &bytes[cut..]);
            let words: Vec<String> = std::iter::from_fn(|| line.next_event())
                .map(|e| e.to_string())
                .collect();
            assert_eq!(words, expect, "{hex} at {cut}");
        }
    }
}

#[test]
fn a_transcript_names_the_board_of_every_answer() {
    let bytes = parse_hex("87 00 06 08 01 16 40 88 00 06 08 01 17").expect("hexadecimal");
    let kinds: Vec<String> = DgtBus
        .transcript(&bytes)
        .iter()
        .map(|frame| format!("{} {}", frame.meaning["kind"], frame.meaning["board"]))
        .collect();
    assert_eq!(
        kinds,
        [
            "\"here\" \"01025\"",
            "\"garbage\" null",
            "\"start_tag_written\" \"01025\""
        ]
    );
}

#[test]
fn twenty_boards_are_all_found_though_they_speak_at_once() {
    for seed in 0..5 {
        let mut far = VirtualBus::new(seed);
        for number in 0..20 {
            far.add(1001 + number * 37, Orientation::Normal, &Placement::start());
        }
        let mut bus = Bus::default();
        bus.opened(0, &[]);
        let mut met = Vec::new();
        for now in (0..40_000).step_by(5) {
            let bytes = far.take_output(now);
            if !bytes.is_empty() {
                bus.receive(now, &bytes);
            }
            bus.tick(now);
            while let Some(bytes) = bus.next_write() {
                far.host_bytes(now, &bytes);
            }
            while let Some((address, _)) = bus.next_answer() {
                if !met.contains(&address) {
                    met.push(address);
                }
            }
        }
        assert_eq!(met.len(), 20, "seed {seed}");
        assert_eq!(far.harmful_commands(), 0);
        assert!(
            bus.round_took() <= 1_500,
            "a round takes {} ms",
            bus.round_took()
        );
    }
}

#[test]
fn a_board_of_newer_firmware_is_asked_for_its_battery_once_a_minute() {
    let mut member = BusMember::new(Some(Address(1025)), &LineOptions::default());
    member.opened(0);
    while member.next_write().is_some() {}
    let mut asked = Vec::new();
    for now in (0..130_000).step_by(1_000) {
        // It says who it is when asked, and something every second.
        let said = match now {
            1_000 => "b0 00 10 08 01 33 30 30 30 31 34 37 37 34 30 43",
            _ => "85 00 06 08 01 14",
        };
        member.receive(now, &parse_hex(said).expect("hexadecimal"));
        member.tick(now);
        while let Some(question) = member.next_write() {
            assert_eq!(to_hex(&question), "98 08 01 21");
            asked.push(now);
            let charge = "b5 00 0f 08 01 4e 7f 7f 05 11 00 15 2a 02 70";
            member.receive(now, &parse_hex(charge).expect("hexadecimal"));
        }
    }
    assert_eq!(asked, [1_000, 61_000, 121_000]);
}

#[test]
fn a_board_that_falls_silent_is_lost_and_one_that_is_met_asks_for_everything() {
    let mut member = BusMember::new(Some(Address(1025)), &LineOptions::default());
    member.opened(0);
    let asked: Vec<String> = std::iter::from_fn(|| member.next_write())
        .map(|bytes| to_hex(&bytes))
        .collect();
    let questions = ["8b 08 01 14", "82 08 01 0b", "81 08 01 0a", "91 08 01 1a"];
    assert_eq!(asked, questions);
    assert_eq!(member.wake(), Some(10_000));
    member.tick(10_000);
    let words: Vec<String> = std::iter::from_fn(|| member.next_event())
        .map(|e| e.to_string())
        .collect();
    assert_eq!(
        words,
        [
            "identified dgt serial 01025",
            "no clock Silent",
            "lost Silent"
        ]
    );
}

/// One call brings a frame that noise made, with a good checksum, and one from an address that is everybody's.
#[test]
fn what_answers_a_call_and_then_nothing_is_no_board() {
    let mut bus = Bus::default();
    bus.opened(0, &[]);
    let (mut answers, mut asked) = (Vec::new(), Vec::new());
    let mut called = 0;
    for now in (0..30_000).step_by(5) {
        bus.tick(now);
        while let Some(question) = bus.next_write() {
            if question[0] == 0x87 {
                called += 1;
            }
            if called == 1 && question[0] == 0x87 {
                for ghost in ["87 00 06 73 2e 2e", "87 00 06 00 00 0d"] {
                    bus.receive(now + 1, &parse_hex(ghost).expect("hexadecimal"));
                }
            }
            asked.push(question);
        }
        answers.extend(std::iter::from_fn(|| bus.next_answer()));
    }
    assert_eq!((bus.boards(), answers.len()), (0, 0));
    let alone = asked.iter().filter(|question| question[0] != 0x87);
    let addresses: Vec<&[u8]> = alone.map(|question| &question[1..3]).collect();
    assert_eq!(
        addresses,
        [[0x73, 0x2E]; 2],
        "asked twice, and address 0 never"
    );
}
