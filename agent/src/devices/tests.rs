//! What every family has to keep, and what the families that report whole boards make of known bytes.

use proptest::collection::vec;
use proptest::prelude::*;

use super::{DRIVERS, DeviceEvent, Driver, Line, LineOptions, Millis, PortKind, driver, parse_hex};

const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR";

/// Family, bytes (hexadecimal, or text after a quotation mark), and the events in words.
fn rows() -> Vec<(&'static str, String, Vec<String>)> {
    let start = |rest: &[&str]| -> Vec<String> {
        ["orientation normal", &format!("dump {START}")]
            .into_iter()
            .chain(rest.iter().copied())
            .map(str::to_owned)
            .collect()
    };
    let words = |words: &[&str]| words.iter().map(|word| (*word).to_owned()).collect();
    let turned = format!("dump {START}");
    let millennium = "sRNBKQBNRPPPPPPPP................................pppppppprnbkqbnr73";
    let after_e4 = "sRNBKQBNRPPP.PPPP...........P....................pppppppprnbkqbnr73";
    vec![
        ("millennium", "76 b0 31 b0 b3 37 34".into(), words(&["identified millennium firmware 1.3"])),
        ("millennium", format!("\"{millennium}{after_e4}"), start(&["square e2 -", "square e4 P"])),
        (
            "millennium",
            format!("\"{}", mirrored(millennium)),
            words(&["orientation rotated", &turned]),
        ),
        ("millennium", format!("\"{}", millennium.replace("73", "74")), Vec::new()),
        ("millennium", format!("\"x78l6C{millennium}"), start(&[])),
        (
            "chessnut",
            format!("01 24 58 23 31 85 44 44 44 44 {} 77 77 77 77 a6 c9 9b 6a 10 27 00 00", "00 ".repeat(16)),
            start(&[]),
        ),
        (
            "chessnut",
            "01 24 58 23 31 85 44 04 44 44 00 00 00 00 00 40 00 00 00 70 00 00 00 0a 00 00 77 07 77 77 06 c9 9b 6a 11 27 00 00".into(),
            words(&["dump rnbqkbnr/pppp1ppp/8/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R"]),
        ),
        (
            "chessnut",
            format!("23 01 00 01 24 a6 b9 9c 6a 77 77 77 77 {} 44 44 44 44 58 13 32 85 ff ff ff ff", "00 ".repeat(16)),
            words(&["orientation rotated", &turned]),
        ),
        ("chessnut", "2a 02 58 00 2a 02 64 01 2a 02 d8 00 41 03 0c 01 64".into(), words(&[
            "battery 88 %", "battery 100 % charging", "battery 88 % charging", "battery 100 % charging",
        ])),
        (
            "chessnut",
            format!("01 24 58 23 31 85 44 44 44 44 {} 0f ff f0 77 77 77 77 a6 c9 9b 6a", "00 ".repeat(13)),
            Vec::new(),
        ),
        (
            "ichessone",
            format!(
                "3d 70 a8 9b c9 8a 77 77 77 77 {} 11 11 11 11 42 35 63 24 3d 62 01 64 3d 62 00 58",
                "00 ".repeat(16)
            ),
            start(&["battery 100 % charging", "battery 88 %"]),
        ),
        (
            "ichessone",
            format!("3d 70 42 36 53 24 11 11 11 11 {} 77 77 77 77 a8 9c b9 8a", "00 ".repeat(16)),
            words(&["orientation rotated", &turned]),
        ),
        (
            "zmartfun",
            format!(
                "00 43 25 51 34 66 66 66 66 {} cc cc cc cc a9 8b b7 9a ff ff 00 43 25 51 34 66 06 66 66 {} 00 06 {} cc cc cc cc a9 8b b7 9a",
                "00 ".repeat(16), "00 ".repeat(4), "00 ".repeat(10)
            ),
            start(&["square d2 -", "square c4 P"]),
        ),
        ("certabo", "\":255 255 0 0 0 0 255 255\r\n".into(), words(&["occupancy ffff00000000ffff"])),
        (
            "certabo",
            "\":255 255 0 0 0 0 255 255\r\nL\r\n:255 255 0 0 8 0 247 255\r\n".into(),
            words(&["occupancy ffff00000000ffff", "orientation normal", "occupancy ffff00000000ffff", "occupied e2 -", "occupied e4 +"]),
        ),
        ("certabo", "\"xx:255 255 0\0 0 0 0 255 254\nD".into(), words(&[
            "garbage 78 78 (between frames)", "occupancy ffff00000000ff7f",
        ])),
        ("certabo", "\":255 256 0 0 0 0 255 254\r\n".into(), words(&[
            "garbage 3a 32 35 35 20 32 35 36 20 30 20 30 20 30 20 30 20 32 35 35 20 32 35 34 0d 0a (not the numbers of a board)",
        ])),
        (
            "diyclock",
            "\"STATUS:179000:180000:2000:RUNNING:BLACK\nSTATUS:179000:178500:2000:RUNNING:WHITE\nSTATUS:0:178500:2000:STOPPED:WHITE\n".into(),
            words(&[
                "clock 0:02:59 0:03:00 black runs",
                "press black 0:02:59 0:02:58 white runs",
                "clock 0:02:59 0:02:58 white runs",
                "clock 0:00:00* 0:02:58 white stopped",
            ]),
        ),
        ("diyclock", "\"CLOCK_READY\nSTATUS:x:180000:2000:RUNNING:BLACK\n".into(), words(&[
            "garbage 53 54 41 54 55 53 3a 78 3a 31 38 30 30 30 30 3a 32 30 30 30 3a 52 55 4e 4e 49 4e 47 3a 42 4c 41 43 4b 0a (a status that says nothing)",
        ])),
        (
            "club",
            format!(
                "\"{}{}{}{}{}",
                club("I K7 2.1"),
                club("B rnbqkbnrpppppppp................................PPPPPPPPRNBQKBNR"),
                club("T 5400000 5398000 R -"),
                club("B rnbqkbnrpppppppp....................P...........PPPP.PPPRNBQKBNR"),
                club("T 5400000 5397000 L b"),
            ),
            words(&[
                "identified club serial K7 firmware 2.1",
                "orientation normal",
                &turned,
                "clock 1:30:00 1:29:58 black runs",
                "square e2 -",
                "square e4 P",
                "press black 1:30:00 1:29:57 white runs low battery",
                "clock 1:30:00 1:29:57 white runs low battery",
            ]),
        ),
        ("club", format!("\"{}{}", club("O xxxxxxxxxxxxxxxx................................xxxxxxxxxxxxxxxx"), club("T 0 0 x -")), words(&[
            "occupancy ffff00000000ffff", "garbage 54 20 30 20 30 20 78 20 2d 2a 30 31 0a (a line that says nothing)",
        ])),
        ("club", "\"B 8*00\n".into(), Vec::new()),
        (
            "citrine",
            "\"M 1 e2-e4\r\nM 1, e7-e5\r\nM 2 g1-f3\r\nM 2, b8-c6\r\nM 3 f1-c4\r\nM 3, g8-f6\r\nM 4 O-O\r\nM 4, f6xe4\r\nM 5 e2-e5\r\nClock 00:06:27 00:00:01\r\n".into(),
            start(&[
                "square e2 -", "square e4 P", "keep", "square e7 -", "square e5 p", "keep", "square g1 -", "square f3 N", "keep",
                "square b8 -", "square c6 n", "keep", "square f1 -", "square c4 B", "keep", "square g8 -", "square f6 n", "keep",
                "square e1 -", "square h1 -", "square f1 R", "square g1 K", "keep", "square f6 -", "square e4 n", "keep",
                "garbage 4d 20 35 20 65 32 2d 65 35 0d 0a (a move that is not legal after those that were heard)",
                "clock 0:06:27 0:00:01 white runs",
            ]),
        ),
        (
            "citrine",
            "\"Game   6\r\n.      white       black\r\n.   1  e2-e4       e7-e5\r\n.   2  f2-f4       f8-c5\r\n.   3  Nf4xe5\r\nM   3,  d8-h4 |\r\nT   3,  d8-h4\r\nNew Game\r\n".into(),
            start(&[
                "square e2 -", "square e4 P", "square e7 -", "square e5 p", "square f2 -", "square f4 P", "square f8 -", "square c5 b",
                "square f4 -", "square e5 P", "keep", "square d8 -", "square h4 q", "keep", "square h4 -", "square d8 q", "keep",
                "square e4 -", "square c5 -", "square e5 -", "square e2 P", "square f2 P", "square e7 p", "square f8 b", "keep",
            ]),
        ),
        // A row is missing: the game is asked for again, and nothing is believed.
        ("citrine", "\"Game   6\r\n.   1  e2-e4       e7-e5\r\n.   3  f4xe5\r\nClock 00:06:27 00:00:01\r\n".into(), words(&[
            "clock 0:06:27 0:00:01 white runs",
        ])),
        ("ucb", "\"Me2e4\r\nT\r\nMd2d4\r\nN\r\n".into(), start(&[
            "square e2 -", "square e4 P", "keep", "square e4 -", "square e2 P", "keep", "square d2 -", "square d4 P", "keep",
            "square d4 -", "square d2 P", "keep",
        ])),
        (
            "pegasus",
            format!("86 00 43 {} {} {} 8e 00 05 34 00 8e 00 05 24 01", "01 ".repeat(16), "00 ".repeat(32), "01 ".repeat(16)),
            words(&["occupancy ffff00000000ffff", "orientation normal", "occupancy ffff00000000ffff", "occupied e2 -", "occupied e4 +"]),
        ),
    ]
}

fn club(content: &str) -> String {
    let sum = content.bytes().fold(0, |sum, byte| sum ^ byte);
    format!("{content}*{sum:02X}\n")
}

fn mirrored(message: &str) -> String {
    let squares: String = message[1..65].chars().rev().collect();
    format!("s{squares}{}", &message[65..])
}

fn bytes_of(row: &str) -> Vec<u8> {
    match row.strip_prefix('"') {
        Some(text) => text.bytes().collect(),
        None => parse_hex(row).expect("rows are hexadecimal"),
    }
}

/// What a recording says when it arrives in these pieces.
fn recorded(driver: &dyn Driver, pieces: &[&[u8]]) -> Vec<String> {
    let mut line = driver.open(LineOptions {
        recording: true,
        ..LineOptions::default()
    });
    line.opened(0);
    pieces.iter().for_each(|piece| line.receive(0, piece));
    line.tick(5_000);
    let events = std::iter::from_fn(|| line.next_event());
    events
        .map(|event| event.to_string().trim_end().to_owned())
        .collect()
}

#[test]
fn known_bytes_mean_what_the_layouts_say_wherever_they_are_cut() {
    for (family, bytes, expect) in rows() {
        let driver = driver(family).expect("rows name families");
        let bytes = bytes_of(&bytes);
        let whole = recorded(driver, &[&bytes]);
        let told = |events: &[String]| -> Vec<String> {
            let real = events
                .iter()
                .filter(|event| !expect.is_empty() || !event.starts_with("garbage"));
            real.cloned().collect()
        };
        assert_eq!(told(&whole), expect, "{family} {bytes:02x?}");
        for cut in 0..=bytes.len() {
            let pieces = recorded(driver, &[&bytes[..cut], &bytes[cut..]]);
            assert_eq!(pieces, whole, "{family} cut at {cut}");
        }
    }
}

/// Bytes that look like somebody's messages more often than chance would have it.
fn any_bytes() -> impl Strategy<Value = Vec<u8>> {
    let known = prop::sample::select(rows()).prop_map(|(_, bytes, _)| bytes_of(&bytes));
    let damaged = (known.clone(), any::<prop::sample::Index>(), any::<u8>()).prop_map(
        |(mut bytes, at, byte)| {
            let at = at.index(bytes.len());
            bytes[at] = byte;
            bytes
        },
    );
    let short = (known.clone(), any::<prop::sample::Index>()).prop_map(|(mut bytes, at)| {
        bytes.remove(at.index(bytes.len()));
        bytes
    });
    prop_oneof![vec(any::<u8>(), 0..60), known, damaged, short]
}

/// Nothing is kept for each byte of what is no board's.
#[test]
fn a_run_of_the_same_rubbish_is_one_piece() {
    for rubbish in [0, b'a', b' ', b'1', b'\n', 0x80, 0xFF] {
        let bytes = vec![rubbish; 50_000];
        for driver in DRIVERS {
            let family = driver.family();
            let count = driver.transcript(&bytes).len();
            // A lone 80 is a word of a DGT board, and noughts are an empty board of the House of Staunton.
            let says =
                [(0x80, "dgt"), (0x80, "pegasus"), (0, "zmartfun")].contains(&(rubbish, family));
            assert!(says || count < 100, "{family} {rubbish:x}: {count} frames");
            let count = driver.with_times(&bytes).len();
            assert!(
                says || count < 1_000,
                "{family} {rubbish:x}: {count} chunks"
            );
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn nothing_that_arrives_stops_any_line(
        steps in vec((any_bytes(), 0u64..3_000), 0..20),
        recording: bool,
        bluetooth: bool,
    ) {
        for driver in DRIVERS {
            let mut line = driver.open(LineOptions { recording, bluetooth, ..LineOptions::default() });
            let mut now: Millis = 0;
            line.opened(now);
            for (bytes, pause) in &steps {
                now += pause;
                line.tick(now);
                line.receive(now, bytes);
                serve(line.as_mut(), now);
                prop_assert!(line.wake().is_none_or(|wake| wake > now), "{} has something to do", driver.family());
            }
        }
    }

    #[test]
    fn every_transcript_holds_every_byte_once(parts in vec(any_bytes(), 0..6)) {
        let bytes = parts.concat();
        for driver in DRIVERS {
            let frames = driver.transcript(&bytes);
            let shown: Vec<u8> = frames.iter().flat_map(|frame| parse_hex(&frame.bytes).expect("hexadecimal")).collect();
            prop_assert_eq!(&shown, &bytes);
            let timed: Vec<u8> = driver.with_times(&bytes).into_iter().flat_map(|chunk| chunk.bytes).collect();
            // Lines that were kept without the colons they begin with get them back.
            let bare = |bytes: &[u8]| bytes.iter().copied().filter(|byte| *byte != b':').collect::<Vec<u8>>();
            prop_assert_eq!(bare(&timed), bare(&bytes));
            prop_assert!(timed == bytes || driver.family() == "certabo");
            prop_assert!(frames.iter().all(|frame| frame.meaning["kind"].is_string()));
        }
    }
}

fn serve(line: &mut dyn Line, now: Millis) {
    for _ in 0..3 {
        while line.next_event().is_some() {}
        while line.next_write().is_some() {}
        line.tick(now);
    }
    while line.next_event().is_some() {}
    while line.next_write().is_some() {}
}

#[test]
fn a_port_where_something_else_speaks_is_left_alone() {
    for driver in DRIVERS
        .iter()
        .filter(|driver| driver.about().port != PortKind::Bus)
    {
        let mut line = driver.open(LineOptions::default());
        line.opened(0);
        let mut verdicts = Vec::new();
        for now in (0..30_000).step_by(50) {
            line.receive(now, b"$GPGGA,120000.00,,,,,0,00,99.99,,,,,,*68\r\n");
            line.tick(now);
            while line.next_write().is_some() {}
            verdicts.extend(
                std::iter::from_fn(|| line.next_event())
                    .filter(|event| !matches!(event, DeviceEvent::Garbage { .. })),
            );
        }
        assert_eq!(
            verdicts,
            [DeviceEvent::NotThisFamily],
            "{}",
            driver.family()
        );
    }
}
