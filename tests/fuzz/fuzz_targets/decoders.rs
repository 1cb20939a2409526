//! Any bytes through every family's decoder: nothing panics, and a transcript holds every byte once.
#![no_main]

use agent::devices::DRIVERS;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    for driver in DRIVERS {
        let frames = driver.transcript(bytes);
        let digits: usize = frames
            .iter()
            .map(|frame| frame.bytes.split_whitespace().count())
            .sum();
        assert_eq!(digits, bytes.len(), "{}", driver.family());
        let timed = driver.with_times(bytes);
        let timed = timed.iter().flat_map(|chunk| &chunk.bytes);
        // Lines that were kept without the colons they begin with get them back.
        let others = |byte: &&u8| **byte != b':';
        assert!(
            timed.filter(others).eq(bytes.iter().filter(others)),
            "{}",
            driver.family()
        );
    }
});
