//! A family is done when its captures replay: every `captures/<family>/*.cap` gives the events written beside it.

use std::fs;
use std::path::{Path, PathBuf};

use agent::devices::{Capture, LineOptions, driver};

#[test]
fn every_capture_replays_as_its_transcript_says() {
    let captures = captures();
    assert!(!captures.is_empty(), "there are captures");
    for path in captures {
        let expected = fs::read_to_string(path.with_extension("events"))
            .expect("a transcript beside each capture");
        let heard = replay(&path);
        for (number, (heard, expected)) in (1..).zip(heard.lines().zip(expected.lines())) {
            assert_eq!(heard, expected, "{} line {number}", path.display());
        }
        assert_eq!(
            heard.lines().count(),
            expected.lines().count(),
            "{}",
            path.display()
        );
    }
}

fn captures() -> Vec<PathBuf> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("captures");
    let mut paths: Vec<PathBuf> = entries(&root)
        .iter()
        .flat_map(|family| entries(family))
        .collect();
    paths.retain(|path| path.extension().is_some_and(|extension| extension == "cap"));
    paths.sort();
    paths
}

fn entries(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).expect("a folder of captures");
    entries
        .map(|entry| entry.expect("a readable folder").path())
        .collect()
}

fn replay(path: &Path) -> String {
    let text = fs::read_to_string(path).expect("a readable capture");
    let capture = Capture::parse(&text).expect("a well-formed capture");
    let family = capture
        .family
        .as_deref()
        .expect("a capture names its family");
    let driver = driver(family).expect("a family this agent knows");
    let mut line = driver.open(LineOptions {
        recording: true,
        ..LineOptions::default()
    });
    line.opened(0);
    let mut heard = String::new();
    for chunk in &capture.chunks {
        line.receive(chunk.at, &chunk.bytes);
        while let Some(event) = line.next_event() {
            heard += &format!("{} {event}\n", chunk.at);
        }
    }
    heard
}
