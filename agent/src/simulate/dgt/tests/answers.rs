//! What a virtual board says to a host, command by command.

use shakmaty::{ByColor, Color, Square};

use crate::devices::{Battery, Millis, parse_hex, to_hex};
use crate::simulate::FarEnd;
use crate::simulate::dgt::{CaptureBoard, ClockAction, VirtualDgt, VirtualOptions};

const START: &str = "86 00 43 08 09 0a 0c 0b 0a 09 08 07 07 07 07 07 07 07 07 \
    00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 \
    01 01 01 01 01 01 01 01 02 03 04 06 05 04 03 02";

fn board() -> VirtualDgt {
    let battery = Battery {
        percent: 78,
        minutes_left: None,
        on_minutes: 317,
        standby_minutes: 1302,
        charging: false,
        discharging: true,
    };
    let options = VirtualOptions {
        battery: Some(battery),
        hardware: Some((1, 0)),
        long_serial: Some("3000147740".into()),
        sweep: None,
        ..VirtualOptions::default()
    };
    VirtualDgt::new("01025", options)
}

/// What comes back within a fifth of a second.
fn answer(far: &mut impl FarEnd, now: Millis, command: &str) -> String {
    far.take_output(now);
    far.host_bytes(now, &parse_hex(command).expect("rows are hexadecimal"));
    to_hex(&far.take_output(now + 200))
}

#[test]
fn every_question_is_answered() {
    let rows = [
        ("40", ""),
        ("41", "8d 00 0a 00 00 00 00 00 00 08"),
        ("42", START),
        ("45", "91 00 08 30 31 30 32 35"),
        ("46", "90 00 05 08 01"),
        ("48", "96 00 05 01 00"),
        ("4c", "a0 00 0c 4e 7f 7f 05 11 00 15 2a 02"),
        ("4d", "93 00 05 01 08"),
        ("55", "a2 00 0d 33 30 30 30 31 34 37 37 34 30"),
        ("40 4d", "93 00 05 01 08"),
        ("2b 03 03 09 00", ""),
        ("4b 2b 03 03 09 00", "8d 00 0a 0a 10 09 0a 20 00 00"),
        (
            "43 2b 0a 03 0a 01 1e 00 01 1e 00 04 00",
            "8d 00 0a 0a 40 0a 0a 00 00 00",
        ),
        ("43 2b 04 03 0b 10 00", "8d 00 0a 0a 10 0b 0a 00 00 00"),
        ("87 00 00 07", ""),
        ("4e 4d", ""),
        ("00 7f 30", ""),
    ];
    for (command, expect) in rows {
        assert_eq!(answer(&mut board(), 1_000, command), expect, "{command}");
    }
    let text = answer(&mut board(), 1_000, "47");
    assert!(
        text.starts_with("92 00 ") && !text.contains("44 69 67 69 74 61 6c"),
        "{text}"
    );
}

#[test]
fn update_modes_differ_in_what_they_report() {
    // Squares and clock messages within five quiet seconds and one change of a square, then after a power cut.
    for (mode, fields, clocks) in [
        ("40", 0, 0..=0),
        ("44", 1, 0..=0),
        ("4b", 1, 0..=1),
        ("43", 1, 4..=6),
    ] {
        let mut far = board();
        answer(&mut far, 2_000, mode);
        far.set_square(3_000, Square::E2, None);
        let said = to_hex(&far.take_output(7_200));
        assert_eq!(said.matches("8e 00 05 34 00").count(), fields, "{mode}");
        assert!(
            clocks.contains(&said.matches("8d 00 0a").count()),
            "{mode}: {said}"
        );
        far.power(8_000, false);
        far.power(9_000, true);
        far.set_square(10_000, Square::D2, None);
        assert_eq!(to_hex(&far.take_output(15_000)), "", "{mode} is forgotten");
    }
}

#[test]
fn a_running_clock_is_told_once_a_second_and_its_flag_falls() {
    let mut far = board();
    answer(&mut far, 1_000, "4b");
    let time = ByColor {
        white: 3_000,
        black: 60_000,
    };
    far.clock(2_000, ClockAction::Set { time, increment: 0 });
    far.clock(
        2_000,
        ClockAction::Start {
            running: Color::White,
        },
    );
    let said = to_hex(&far.take_output(12_000));
    assert_eq!(said.matches("8d 00 0a").count(), 4, "{said}");
    assert!(said.ends_with("8d 00 0a 00 01 00 10 00 00 08"), "{said}");
}

#[test]
fn a_recording_answers_while_it_plays() {
    let recorded = format!(
        "{START} 8d 00 0a 20 05 00 20 05 00 09 8e 00 05 34 00 8d 00 0a 20 05 00 20 04 59 09"
    );
    let mut far = CaptureBoard::new(&parse_hex(&recorded).expect("hexadecimal"), 2.0);
    assert_eq!(answer(&mut far, 1_000, "45"), "91 00 08 30 30 30 30 31");
    assert_eq!(answer(&mut far, 2_000, "42"), START);
    assert_eq!(
        answer(&mut far, 3_000, "41"),
        "8d 00 0a 20 05 00 20 05 00 09"
    );
    far.host_bytes(4_000, &[0x4B]);
    let said = to_hex(&far.take_output(6_000));
    assert!(
        said.ends_with("8e 00 05 34 00 8d 00 0a 20 05 00 20 04 59 09") && far.is_over(),
        "{said}"
    );
    assert_eq!(answer(&mut far, 7_000, "42").matches("01").count(), 7);
}
