//! A family is done when its captures replay: every `captures/<family>/*.cap` gives the events written beside it.

use std::fs;
use std::path::{Path, PathBuf};

use agent::devices::dgt::{Bus, BusMember};
use agent::devices::{Capture, Line, LineOptions, Orientation, Placement, driver, to_hex};
use agent::simulate::FarEnd;
use agent::simulate::dgt::VirtualBus;
use agent::simulate::whole::virtual_board;

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

/// A row without its comment: what kind it is, the family, and the rest.
fn examples() -> Vec<(&'static str, &'static str, &'static str)> {
    let rows = include_str!("worked-examples.rows").lines();
    let rows = rows.filter(|row| !row.is_empty() && !row.starts_with('#'));
    let rows = rows.filter(|row| !row.starts_with(STRANGE));
    rows.map(|row| {
        let mut words = row.splitn(3, ' ');
        let mut word = || words.next().expect("three parts");
        (word(), word(), word())
    })
    .collect()
}

/// What is nobody's here.
const STRANGE: &str = "strange ";

#[test]
fn what_boards_without_a_driver_say_is_taken_for_no_others_words() {
    let rows = include_str!("worked-examples.rows").lines();
    let strange: Vec<&str> = rows.filter_map(|row| row.strip_prefix(STRANGE)).collect();
    assert!(strange.len() >= 6);
    for said in strange {
        for driver in agent::devices::DRIVERS {
            let frames = driver.transcript(&bytes(said));
            let word = frames.iter().find(|frame| {
                !["garbage", "filler"].contains(&frame.meaning["kind"].as_str().expect("named"))
            });
            assert_eq!(word, None, "{} reads {said}", driver.family());
        }
    }
}

/// `08 00*3` or `"text\r\n`.
fn bytes(text: &str) -> Vec<u8> {
    if let Some(text) = text.strip_prefix('"') {
        let text = text.replace("\\r", "\r").replace("\\n", "\n");
        return text.into_bytes();
    }
    let hex = |byte: &str| u8::from_str_radix(byte, 16).expect("hexadecimal");
    text.split_whitespace()
        .flat_map(|word| match word.split_once('*') {
            Some((byte, count)) => vec![hex(byte); count.parse().expect("a number")],
            None => vec![hex(word)],
        })
        .collect()
}

#[test]
fn worked_examples_mean_what_the_layouts_say() {
    let mut count = 0;
    for (kind, family, row) in examples() {
        let Some((said, meaning)) = row.split_once(" => ").filter(|_| kind == "reads") else {
            continue;
        };
        let driver = driver(family).expect("a family this agent knows");
        let frames: Vec<_> = driver
            .transcript(&bytes(said))
            .into_iter()
            .map(|f| f.meaning)
            .collect();
        let meanings = serde_json::Deserializer::from_str(meaning).into_iter();
        let expected: Vec<serde_json::Value> = meanings.map(|value| value.expect("JSON")).collect();
        assert_eq!(frames, expected, "{family} {said}");
        count += 1;
    }
    assert!(count > 60, "{count} examples");
}

#[test]
fn an_agent_asks_what_the_layouts_offer_and_nothing_that_could_harm() {
    let mut said = std::collections::BTreeMap::new();
    for (kind, family, row) in examples() {
        if kind == "reads" {
            continue;
        }
        let said = said.entry(family).or_insert_with(|| conversation(family));
        let words = to_hex(&bytes(row));
        assert_eq!(said.contains(&words), kind == "asks", "{family} {words}");
    }
}

/// Longer than any question is put off.
const A_WHILE: u64 = 70_000;

/// Everything an agent says to a sound board of the family.
fn conversation(family: &str) -> Vec<String> {
    if family == "dgtbus" {
        return conversation_on_a_line();
    }
    let start = Placement::start();
    let board = virtual_board(family, "01025", Orientation::Normal, start, 1);
    let mut board = board.expect("there is one of each family");
    let driver = driver(family).expect("a family this agent knows");
    let mut line = driver.open(LineOptions::default());
    let mut said = Vec::new();
    line.opened(1_000);
    for now in (1_000..A_WHILE).step_by(10) {
        line.receive(now, &board.take_output(now));
        line.tick(now);
        while line.next_event().is_some() {}
        while let Some(question) = line.next_write() {
            board.host_bytes(now, &question);
            said.push(to_hex(&question));
        }
    }
    assert_eq!(board.harmful_commands(), 0, "{family}");
    said
}

fn conversation_on_a_line() -> Vec<String> {
    let mut far = VirtualBus::new(1);
    far.add(1025, Orientation::Normal, &Placement::start());
    let (mut bus, mut said) = (Bus::default(), Vec::new());
    let mut member: Option<BusMember> = None;
    bus.opened(1_000, &[]);
    for now in (1_000..A_WHILE).step_by(5) {
        bus.receive(now, &far.take_output(now));
        bus.tick(now);
        while let Some((board, answer)) = bus.next_answer() {
            let line = member.get_or_insert_with(|| {
                let mut line = BusMember::new(Some(board), &LineOptions::default());
                line.opened(now);
                line
            });
            line.receive(now, &answer);
            while let Some(question) = line.next_write() {
                bus.want(&question);
            }
        }
        while let Some(question) = bus.next_write() {
            far.host_bytes(now, &question);
            said.push(to_hex(&question));
        }
    }
    assert_eq!(far.harmful_commands(), 0);
    said
}
