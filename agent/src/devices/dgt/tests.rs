//! Properties of the whole driver: whatever arrives, however it is cut, whenever.

use proptest::collection::vec;
use proptest::prelude::*;

use super::{Dgt, HostCommand};
use crate::devices::{
    ClockSide, Command, DeviceEvent, Driver, Line, LineOptions, Millis, Orientation,
    OrientationChoice, parse_hex,
};

fn any_command() -> impl Strategy<Value = Command> {
    prop_oneof![
        Just(Command::Dump),
        Just(Command::Clock),
        Just(Command::Log),
        Just(Command::Battery),
        Just(Command::Orientation(OrientationChoice::Auto)),
        Just(Command::Orientation(OrientationChoice::Given(
            Orientation::Rotated
        ))),
        Just(Command::WhiteAt(None)),
    ]
}

/// Bytes that look like messages more often than chance would have it.
fn any_bytes() -> impl Strategy<Value = Vec<u8>> {
    let noise = vec(any::<u8>(), 0..40);
    let field = (0u8..70, 0u8..20).prop_map(|(number, code)| vec![0x8E, 0, 5, number, code]);
    let clock = vec(0u8..0x80, 7).prop_map(|payload| [vec![0x8D, 0, 10], payload].concat());
    let dump = vec(0u8..0x11, 64).prop_map(|payload| [vec![0x86, 0, 67], payload].concat());
    let log = vec(0u8..0x80, 20).prop_map(|payload| [vec![0x8F, 0, 23], payload].concat());
    let serial = "[0-9]{5}".prop_map(|serial| [vec![0x91, 0, 8], serial.into_bytes()].concat());
    let firmware = Just(vec![0x93, 0, 5, 1, 8]);
    prop_oneof![noise, field, clock, dump, log, serial, firmware]
}

fn drain(line: &mut dyn Line) -> (Vec<DeviceEvent>, Vec<Vec<u8>>) {
    let events = std::iter::from_fn(|| line.next_event()).collect();
    let writes = std::iter::from_fn(|| line.next_write()).collect();
    (events, writes)
}

fn recorded(pieces: &[&[u8]]) -> Vec<DeviceEvent> {
    let mut line = Dgt.open(LineOptions {
        recording: true,
        ..LineOptions::default()
    });
    line.opened(0);
    pieces.iter().for_each(|piece| line.receive(0, piece));
    line.tick(5_000);
    drain(line.as_mut()).0
}

proptest! {
    #[test]
    fn nothing_that_arrives_stops_a_line_or_makes_it_say_anything_harmful(
        steps in vec((any_bytes(), 0u64..3_000, proptest::option::of(any_command())), 0..60),
        bluetooth: bool,
    ) {
        let mut line = Dgt.open(LineOptions { bluetooth, ..LineOptions::default() });
        let mut now: Millis = 0;
        line.opened(now);
        for (bytes, pause, command) in steps {
            now += pause;
            line.tick(now);
            line.receive(now, &bytes);
            command.into_iter().for_each(|command| line.command(now, command));
            let (_, writes) = drain(line.as_mut());
            prop_assert!(writes.len() <= 1);
            prop_assert!(writes.iter().all(|bytes| HostCommand::ALL.iter().any(|command| command.bytes() == bytes)));
            line.tick(now);
            drain(line.as_mut());
            prop_assert!(line.wake().is_none_or(|wake| wake > now), "a line that is woken has something to do");
        }
    }

    #[test]
    fn bytes_mean_the_same_however_they_are_cut(parts in vec(any_bytes(), 0..12), cuts in vec(0usize..600, 0..8)) {
        let bytes = parts.concat();
        let mut cuts: Vec<usize> = cuts.into_iter().filter(|&cut| cut < bytes.len()).collect();
        cuts.extend([0, bytes.len()]);
        cuts.sort_unstable();
        let pieces: Vec<&[u8]> = cuts.windows(2).map(|pair| &bytes[pair[0]..pair[1]]).collect();
        prop_assert_eq!(recorded(&pieces), recorded(&[&bytes]));
    }

    #[test]
    fn a_transcript_holds_every_byte_once(parts in vec(any_bytes(), 0..12)) {
        let bytes = parts.concat();
        let frames = Dgt.transcript(&bytes);
        let shown: Vec<u8> = frames.iter().flat_map(|frame| parse_hex(&frame.bytes).expect("hexadecimal")).collect();
        prop_assert_eq!(&shown, &bytes);
        let timed: Vec<u8> = Dgt.with_times(&bytes).into_iter().flat_map(|chunk| chunk.bytes).collect();
        prop_assert_eq!(&timed, &bytes);
        prop_assert!(frames.iter().all(|frame| frame.meaning["kind"].is_string()));
    }
}

/// Events of a recording, as words.
#[test]
fn what_a_board_says_becomes_events_in_true_squares_and_colours() {
    let start = format!(
        "86 00 43 08 09 0a 0c 0b 0a 09 08 07 07 07 07 07 07 07 07 {} 01 01 01 01 01 01 01 01 02 03 04 06 05 04 03 02",
        "00 ".repeat(32)
    );
    let turned = format!(
        "86 00 43 02 03 04 05 06 04 03 02 01 01 01 01 01 01 01 01 {} 07 07 07 07 07 07 07 07 08 09 0a 0b 0c 0a 09 08",
        "00 ".repeat(32)
    );
    let array = "dump rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR";
    let stopped = "8d 00 0a 20 05 00 20 05 00 08";
    let rows: [(String, Vec<&str>); 12] = [
        (format!("{start} 8e 00 05 34 00"), vec!["orientation normal", array, "square e2 -"]),
        (
            format!("{turned} 8e 00 05 0b 00 8e 00 05 1b 01"),
            vec!["orientation rotated", "white at the right of the clock by Board", array, "square e2 -", "square e4 P"],
        ),
        (
            format!("{turned} 8d 00 0a 20 05 00 20 04 00 13"),
            vec![
                "orientation rotated",
                "white at the right of the clock by Board",
                array,
                "clock 0:05:00+ 0:04:00+ white runs",
            ],
        ),
        (
            format!("{start} {stopped} 8e 00 05 34 00 8e 00 05 24 01 8d 00 0a 20 04 59 20 05 02 13"),
            vec![
                "orientation normal",
                array,
                "clock 0:05:00+ 0:05:00+ white stopped",
                "square e2 -",
                "square e4 P",
                "white at the left of the clock by FirstPress",
                "press white 0:05:02+ 0:04:59+ black runs",
                "clock 0:05:02+ 0:04:59+ black runs",
            ],
        ),
        (
            format!("{start} 8d 00 0a 20 05 00 20 05 00 12 8e 00 05 34 00 8e 00 05 24 01 8d 00 0a 20 05 02 20 05 00 09"),
            vec![
                "orientation normal",
                array,
                "clock 0:05:00+ 0:05:00+ black stopped",
                "square e2 -",
                "square e4 P",
                "white at the right of the clock by FirstPress against the board",
                "press white 0:05:02+ 0:05:00+ black runs",
                "clock 0:05:02+ 0:05:00+ black runs",
            ],
        ),
        ("8d 00 0a 30 00 00 20 00 20 16".into(), vec!["clock 0:00:20+ 0:00:00+! black stopped low battery"]),
        (
            "8d 00 0a 00 00 00 00 00 00 20 8d 00 0a 00 00 00 00 00 00 20 8d 00 0a 00 00 00 00 00 00 00".into(),
            vec!["no clock NotConnected", "disbelieved Null"],
        ),
        (
            "8d 00 0a 0a 10 08 2a 05 31 00 8d 00 0a 0a 10 09 0a 20 00 00 8d 00 0a 0a 40 0a 0a 00 00 00".into(),
            vec!["clock button 1 held 04", "clock type 2.0", "clock ack 40 0a 00 00"],
        ),
        ("8e 00 05 1c 0e 8e 00 05 1c 17".into(), vec![
            "square e5 -",
            "result piece e5 WhiteWins",
            "square e5 -",
            "garbage 1c 17 (a piece that does not exist)",
        ]),
        (
            "8f 00 14 7f 7f 7f 6a 7a 40 0b 51 1b 61 29 57 71 28 03 6e 6b".into(),
            vec![
                "orientation rotated",
                "white at the right of the clock by Board",
                "log PowerUp, start rotated, e2=-, e4=P~, white 5397 s, black 5283 s, Downloaded,",
            ],
        ),
        (
            "91 00 08 30 31 30 32 35 93 00 05 03 0a".into(),
            vec!["identified dgt serial 01025", "identified dgt serial 01025 firmware 3.10"],
        ),
        ("a0 00 0c 37 01 0c 05 11 00 15 2a 01".into(), vec!["battery 55 % 72 min left charging"]),
    ];
    for (hex, expect) in rows {
        let events = recorded(&[&parse_hex(&hex).expect("rows are hexadecimal")]);
        let words: Vec<String> = events.iter().map(ToString::to_string).collect();
        let words: Vec<&str> = words.iter().map(|w| w.trim_end()).collect();
        assert_eq!(words, expect, "{hex}");
    }
}

#[test]
fn a_square_that_flickers_is_reported_once_a_minute() {
    for (codes, reports) in [([0, 4], 2), ([4, 3], 0)] {
        let mut line = Dgt.open(LineOptions {
            recording: true,
            ..LineOptions::default()
        });
        line.opened(0);
        for n in 0..180 {
            let code = codes[usize::from(n % 2 == 0)];
            line.receive(n * 500, &[0x8E, 0, 5, 0x22, code]);
        }
        let (events, _) = drain(line.as_mut());
        let told = events
            .iter()
            .filter(|event| matches!(event, DeviceEvent::Flickers { .. }));
        assert_eq!(told.count(), reports, "{codes:?}");
    }
}

#[test]
fn a_known_orientation_gives_the_sides_of_the_clock_in_the_middle_of_a_game() {
    let given = OrientationChoice::Given(Orientation::Rotated);
    let kept = OrientationChoice::Kept(Orientation::Rotated);
    let rows = [
        (
            OrientationChoice::Auto,
            None,
            "clock 0:04:00+ 0:05:00+ black runs",
        ),
        (given, None, "clock 0:05:00+ 0:04:00+ white runs"),
        (kept, None, "clock 0:05:00+ 0:04:00+ white runs"),
        (
            kept,
            Some(ClockSide::Left),
            "clock 0:04:00+ 0:05:00+ black runs",
        ),
    ];
    for (orientation, white_at, expect) in rows {
        let how = LineOptions {
            orientation,
            white_at,
            recording: true,
            ..LineOptions::default()
        };
        let mut line = Dgt.open(how);
        line.opened(0);
        line.receive(0, &[0x8D, 0, 0x0A, 0x20, 5, 0, 0x20, 4, 0, 0x13]);
        assert_eq!(drain(line.as_mut()).0[0].to_string(), expect);
    }
}

#[test]
fn a_port_where_nobody_answers_is_left_alone() {
    for babble in [
        &[][..],
        b"$GPGGA,120000.00,,,,,0,00,99.99,,,,,,*68\r\n",
        &[0xFF, 0x00, 0x93, 0x00],
    ] {
        let mut line = Dgt.open(LineOptions::default());
        line.opened(0);
        let (mut events, mut writes) = (Vec::new(), Vec::new());
        for now in (0..30_000).step_by(50) {
            line.receive(now, babble);
            line.tick(now);
            let (more, written) = drain(line.as_mut());
            events.extend(more);
            writes.extend(written);
        }
        let verdicts = events
            .iter()
            .filter(|event| !matches!(event, DeviceEvent::Garbage { .. }));
        assert_eq!(verdicts.collect::<Vec<_>>(), [&DeviceEvent::NotThisFamily]);
        assert_eq!(writes.concat(), [0x40, 0x4D, 0x4D, 0x4D, 0x4D, 0x4D, 0x4D]);
        assert_eq!(line.wake(), None);
    }
}
