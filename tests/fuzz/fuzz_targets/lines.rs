//! Any conversation with every family's line, at any pace: nothing panics, and a line that is served falls asleep.
//!
//! The input is a list of steps: a length, a pause in hundredths of a second, and so many bytes.
#![no_main]

use agent::devices::{DRIVERS, Line, LineOptions, Millis};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|input: &[u8]| {
    for driver in DRIVERS {
        for recording in [false, true] {
            let mut line = driver.open(LineOptions {
                recording,
                ..LineOptions::default()
            });
            talk(line.as_mut(), input);
        }
    }
});

fn talk(line: &mut dyn Line, mut input: &[u8]) {
    let mut now: Millis = 0;
    line.opened(now);
    while let [length, pause, rest @ ..] = input {
        now += Millis::from(*pause) * 10;
        let (bytes, rest) = rest.split_at(usize::from(*length).min(rest.len()));
        line.receive(now, bytes);
        serve(line, now);
        assert!(line.wake().is_none_or(|wake| wake > now));
        input = rest;
    }
}

fn serve(line: &mut dyn Line, now: Millis) {
    for _ in 0..2 {
        while line.next_event().is_some() {}
        while line.next_write().is_some() {}
        line.tick(now);
    }
    while line.next_event().is_some() {}
    while line.next_write().is_some() {}
}
