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
        let timed: usize = driver
            .with_times(bytes)
            .iter()
            .map(|chunk| chunk.bytes.len())
            .sum();
        assert_eq!(timed, bytes.len(), "{}", driver.family());
    }
});
