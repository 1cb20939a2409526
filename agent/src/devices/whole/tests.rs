//! A line to a board that reports whole positions, in time.

use crate::devices::{DeviceEvent, LineOptions, LostBecause, Millis, driver, parse_hex};

/// Events in words and writes, each with its time.
type Said = Vec<(Millis, String)>;
type Written = Vec<(Millis, Vec<u8>)>;

/// What is said and written until a time, with bytes that arrive on the way.
fn conversation(family: &str, arrive: &[(Millis, &str)], until: Millis) -> (Said, Written) {
    let driver = driver(family).expect("rows name families");
    let mut line = driver.open(LineOptions::default());
    line.opened(0);
    let (mut events, mut writes) = (Vec::new(), Vec::new());
    for now in (0..=until).step_by(10) {
        for (_, hex) in arrive.iter().filter(|(at, _)| *at == now) {
            line.receive(now, &parse_hex(hex).expect("hexadecimal"));
        }
        line.tick(now);
        events.extend(std::iter::from_fn(|| line.next_event()).map(|e| (now, e.to_string())));
        writes.extend(std::iter::from_fn(|| line.next_write()).map(|w| (now, w)));
    }
    (events, writes)
}

#[test]
fn a_board_is_asked_found_at_its_answer_and_given_up_when_it_falls_silent() {
    let lost = DeviceEvent::Lost(LostBecause::Silent).to_string();
    let (events, writes) = conversation("millennium", &[(900, "76 b0 31 b0 b3 37 34")], 10_000);
    let expect = [
        (900, "identified millennium".to_owned()),
        (900, "identified millennium firmware 1.3".to_owned()),
        (5_900, lost),
    ];
    assert_eq!(events, expect);
    assert_eq!(
        writes[..3],
        [
            (200, vec![0xD6, 0xB5, 0xB6]),
            (800, vec![0xD6, 0xB5, 0xB6]),
            (900, vec![0xD3, 0xB5, 0xB3])
        ]
    );
    assert!(
        writes.iter().all(|(at, _)| *at < 5_900),
        "nothing is written to a lost board"
    );
}

#[test]
fn nobody_answers() {
    let (events, writes) = conversation("chessnut", &[], 10_000);
    assert_eq!(events, [(3_950, "not this family".to_owned())]);
    assert_eq!(writes.len(), 3);
    let (events, writes) = conversation("certabo", &[], 10_000);
    assert_eq!(events, [(2_400, "not this family".to_owned())]);
    assert_eq!(writes, []);
}
