//! Any bytes on a shared line, at any pace: nothing panics, one question waits at most, and boards that were met have answered.
//!
//! The input is a list of steps: a length, a pause in hundredths of a second, and so many bytes.
#![no_main]

use agent::devices::Millis;
use agent::devices::dgt::Bus;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|input: &[u8]| {
    let mut bus = Bus::default();
    let mut now: Millis = 0;
    let (expected, mut input) = input.split_at(input.len().min(2));
    let expected: Vec<u16> = expected.iter().map(|byte| u16::from(*byte) * 64).collect();
    bus.opened(now, &expected);
    let mut answers = 0;
    while let [length, pause, rest @ ..] = input {
        now += Millis::from(*pause) * 10;
        let (bytes, rest) = rest.split_at(usize::from(*length).min(rest.len()));
        bus.receive(now, bytes);
        bus.tick(now);
        assert!(std::iter::from_fn(|| bus.next_write()).count() <= 1);
        answers += std::iter::from_fn(|| bus.next_answer()).count();
        input = rest;
    }
    assert!(bus.boards() <= answers, "who was met has answered");
});
