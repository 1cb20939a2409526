//! Pieces with numbers: learned at the initial array, read through noise, kept for the set.

use super::CERTABO;
use crate::devices::{Command, DeviceEvent, Driver, LineOptions, Orientation, OrientationChoice};

/// Tags of a board, in the order of a frame; `?` stands for noise.
fn frame(squares: &[(usize, [u8; 5])]) -> Vec<u8> {
    let mut tags = [[0; 5]; 64];
    for (number, tag) in squares {
        tags[*number] = *tag;
    }
    let words: Vec<String> = tags.as_flattened().iter().map(u8::to_string).collect();
    format!(":{}\r\n", words.join(" ")).into_bytes()
}

/// The initial array: 32 numbers of one set.
fn array() -> Vec<(usize, [u8; 5])> {
    let squares = (0..16).chain(48..64);
    squares
        .map(|number| (number, [48, 0, 7, 100 + number as u8, 9]))
        .collect()
}

fn moved(from: usize, to: usize) -> Vec<(usize, [u8; 5])> {
    let moved = array()
        .into_iter()
        .map(|(number, tag)| (if number == from { to } else { number }, tag));
    moved.collect()
}

fn heard(frames: &[Vec<u8>], how: LineOptions, kept: Option<&str>) -> Vec<DeviceEvent> {
    let mut line = CERTABO.open(how);
    line.opened(0);
    kept.into_iter().for_each(|kept| line.remember(kept));
    let mut now = 0;
    for frame in frames {
        now += 280;
        line.receive(now, frame);
    }
    assert_eq!(line.next_write(), None, "such a board is never written to");
    line.command(now, Command::Dump);
    std::iter::from_fn(|| line.next_event()).collect()
}

fn words(events: &[DeviceEvent]) -> Vec<String> {
    let told = events
        .iter()
        .filter(|event| !matches!(event, DeviceEvent::Identified(_)));
    told.map(ToString::to_string).collect()
}

const START: &str = "dump rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR";

#[test]
fn a_set_is_learned_from_seven_frames_and_read_by_majority() {
    let mut frames = vec![frame(&array()); 9];
    // e2 is number 52, e4 is 36; one frame of three misses a piece, another reads a disturbed number of it.
    frames.extend(vec![frame(&moved(52, 36)); 3]);
    let mut disturbed = moved(52, 36);
    disturbed[3].1[3] ^= 8;
    disturbed.remove(20);
    frames.push(frame(&disturbed));
    frames.extend(vec![frame(&moved(52, 36)); 2]);
    let events = heard(&frames, LineOptions::default(), None);
    assert_eq!(
        words(&events),
        [
            "keep",
            "orientation normal",
            START,
            "square e2 -",
            "square e4 P"
        ]
    );
}

#[test]
fn a_square_that_never_reads_the_same_keeps_a_set_from_being_learned() {
    let frames: Vec<Vec<u8>> = (0..10)
        .map(|n| {
            let mut tags = array();
            tags[0].1[0] = n;
            frame(&tags)
        })
        .collect();
    assert_eq!(
        words(&heard(&frames, LineOptions::default(), None)),
        [""; 0]
    );
}

#[test]
fn the_first_move_shows_that_a_new_set_lies_the_other_way_round() {
    // On a rotated board White's e-pawn stands on the board's own d7, number 11.
    let mut frames = vec![frame(&array()); 9];
    frames.extend(vec![frame(&moved(11, 27)); 6]);
    let told = words(&heard(&frames, LineOptions::default(), None));
    let expect = [
        "keep",
        "orientation normal",
        START,
        "keep",
        "orientation rotated",
        START,
        "square e2 -",
        "square e4 P",
    ];
    assert_eq!(told, expect);
}

#[test]
fn a_set_that_is_known_is_read_in_the_middle_of_a_game_and_tells_how_the_board_lies() {
    let learned = heard(&vec![frame(&array()); 8], LineOptions::default(), None);
    let kept = learned.iter().find_map(|event| match event {
        DeviceEvent::Keep(kept) => Some(kept.clone()),
        _ => None,
    });
    let kept = kept.expect("a learned set is kept");
    assert_eq!(kept.split(' ').count(), 32);
    let middle = heard(
        &vec![frame(&moved(52, 36)); 3],
        LineOptions::default(),
        Some(&kept),
    );
    assert_eq!(
        words(&middle),
        ["dump rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR"]
    );
    let turned: Vec<_> = array()
        .into_iter()
        .map(|(number, tag)| (63 - number, tag))
        .collect();
    let other_way = heard(
        &vec![frame(&turned); 3],
        LineOptions::default(),
        Some(&kept),
    );
    assert_eq!(words(&other_way), ["orientation rotated", START]);
    let given = LineOptions {
        orientation: OrientationChoice::Given(Orientation::Rotated),
        ..LineOptions::default()
    };
    assert_eq!(
        words(&heard(&vec![frame(&array()); 9], given, None)),
        ["keep", START]
    );
}

#[test]
fn frames_that_were_kept_without_their_colons_are_read_alike() {
    let frames = [frame(&array()), frame(&moved(52, 36))].concat();
    let bare: Vec<u8> = frames
        .iter()
        .copied()
        .filter(|byte| *byte != b':')
        .collect();
    let times = |bytes: &[u8]| CERTABO.with_times(bytes);
    assert!(times(&bare) == times(&frames), "colons are given");
    let said =
        |bytes: &[u8]| -> Vec<u8> { times(bytes).into_iter().flat_map(|c| c.bytes).collect() };
    // What is no whole frame is left as it is, and does not keep the others from being read.
    for left in [&b"1"[..], b"1 2 3\r\n4", &bare[..bare.len() / 2 - 40]] {
        assert!(said(left) == left, "{} bytes", left.len());
    }
    let (late, junk) = (bare[40..bare.len() / 2].to_vec(), b"xxx".to_vec());
    for before in [late, junk] {
        let mixed = [&before, &bare[..], &frames].concat();
        let whole = said(&mixed);
        let count = whole.iter().filter(|byte| **byte == b':').count();
        // Two and two, but junk in front of a frame without a colon is part of its line.
        assert_eq!(count, if before.ends_with(b"\r\n") { 4 } else { 3 });
    }
}

#[test]
fn a_recording_ends_with_what_stands_on_the_board() {
    let mut frames = vec![frame(&array()); 7];
    frames.push(frame(&moved(52, 36)));
    let mut line = CERTABO.open(LineOptions {
        recording: true,
        ..LineOptions::default()
    });
    line.opened(0);
    for chunk in CERTABO.with_times(&frames.concat()) {
        line.receive(chunk.at, &chunk.bytes);
    }
    line.tick(line.wake().expect("the end is awaited"));
    let told: Vec<DeviceEvent> = std::iter::from_fn(|| line.next_event()).collect();
    assert!(words(&told).ends_with(&["square e2 -".into(), "square e4 P".into()]));
}

/// A board goes on talking while the port is opened: half a line is no damage, and one that is cut later is one.
#[test]
fn a_line_that_was_running_is_no_damage_and_a_cut_one_is_one_stretch() {
    let whole = frame(&array());
    let cut = |frames: &[&[u8]]| {
        let frames: Vec<Vec<u8>> = frames.iter().map(|frame| frame.to_vec()).collect();
        let told = heard(&frames, LineOptions::default(), None);
        let garbage = |event: &&DeviceEvent| matches!(event, DeviceEvent::Garbage { .. });
        told.iter().filter(garbage).count()
    };
    assert_eq!(cut(&[&whole[200..], &whole, &whole]), 0);
    assert_eq!(cut(&[&whole, &whole[200..], &whole]), 1);
    assert_eq!(cut(&[&whole, &whole[..200], &whole]), 1);
}

#[test]
fn a_set_that_nobody_knows_is_said_to_be_unknown_until_it_is_learned() {
    let mut frames = vec![frame(&moved(52, 36)); 12];
    frames.extend(vec![frame(&array()); 9]);
    let told = words(&heard(&frames, LineOptions::default(), None));
    let expect = [
        "pieces unknown",
        "keep",
        "orientation normal",
        START,
        "pieces known",
    ];
    assert_eq!(told, expect);
    // What was kept of another set is of no use.
    let other = "2c0001020a=K 2c0001030a=k";
    let told = words(&heard(
        &vec![frame(&moved(52, 36)); 12],
        LineOptions::default(),
        Some(other),
    ));
    assert_eq!(
        told.iter().filter(|told| *told == "pieces unknown").count(),
        1
    );
    // An empty board is none.
    let told = words(&heard(&vec![frame(&[]); 20], LineOptions::default(), None));
    assert_eq!(told, [""; 0]);
}
