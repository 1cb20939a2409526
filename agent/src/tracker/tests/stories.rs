//! Reads `stories.txt`: hands, presses and links as rows, and what the tracker must make of them.
//!
//! A story is a paragraph: `story NAME`, perhaps `from FEN`, `after UCI …`, `board occupancy`, `stands PLACEMENT`, then rows of
//! events (`TIME EVENT`, several to a line, separated by `|`) and expectations (`at TIME moves …`, `at TIME status …`,
//! `alerts …`, `never …`, `revision doubtful`, all of them about the end unless a time is given).

use std::collections::BTreeSet;

use shakmaty::{CastlingMode, Color, Square, fen::Fen, uci::UciMove};

use crate::tracker::*;

const STORIES: &str = include_str!("stories.txt");
const PEACE: Millis = 12_000;

#[derive(Default)]
struct Story<'a> {
    name: &'a str,
    from: Option<&'a str>,
    after: Vec<&'a str>,
    stands: Option<&'a str>,
    occupancy: bool,
    chess960: bool,
    events: Vec<(Millis, &'a str)>,
    expects: Vec<(Option<Millis>, &'a str)>,
}

fn read(paragraph: &str) -> Story<'_> {
    let mut story = Story::default();
    for line in paragraph.lines().filter(|line| !line.starts_with('#')) {
        let (word, rest) = line.split_once(' ').unwrap_or((line, ""));
        match word {
            "story" => story.name = rest,
            "from" => story.from = Some(rest),
            "after" => story.after = rest.split(' ').collect(),
            "stands" => story.stands = Some(rest),
            "board" => {
                (story.occupancy, story.chess960) = (rest == "occupancy", rest == "chess960")
            }
            "at" => {
                let (time, what) = rest.split_once(' ').expect("at TIME WHAT");
                story
                    .expects
                    .push((Some(time.parse().expect("a time")), what));
            }
            "moves" | "alerts" | "never" | "status" | "irregular" | "choices" | "revision" => {
                story.expects.push((None, line))
            }
            _ => story.events.extend(line.split(" | ").map(|event| {
                let (time, what) = event.trim().split_once(' ').expect("TIME EVENT");
                (
                    time.parse()
                        .unwrap_or_else(|_| panic!("{}: {line}", story.name)),
                    what,
                )
            })),
        }
    }
    story
}

pub(super) fn placement(text: &str) -> Readings {
    let mut readings = [Reading::EMPTY; 64];
    let flat = text
        .chars()
        .filter(|letter| *letter != '/')
        .flat_map(|letter| {
            let empty = letter.to_digit(10).unwrap_or(0) as usize;
            std::iter::repeat_n(if empty > 0 { '.' } else { letter }, empty.max(1))
        });
    for (index, letter) in flat.enumerate() {
        readings[Square::new(index as u32).flip_vertical().to_usize()] =
            Reading::from_char(letter).expect("a letter");
    }
    readings
}

fn setup(story: &Story<'_>) -> Setup {
    let mode = if story.chess960 {
        CastlingMode::Chess960
    } else {
        CastlingMode::Standard
    };
    let fen = story.from.map(|fen| {
        fen.parse::<Fen>()
            .expect("a FEN")
            .into_position(mode)
            .expect("a position")
    });
    let mut setup = Setup::from_position(fen.unwrap_or_default());
    setup.mode = mode;
    let history: Vec<UciMove> = story
        .after
        .iter()
        .map(|uci| uci.parse().expect("a move"))
        .collect();
    setup = setup.with_history(&history).expect("a history");
    if story.occupancy {
        setup.sensing = Sensing::Occupancy;
        setup.profile = Profile::Fast;
    }
    setup.placement = story.stands.map(|text| Box::new(placement(text)));
    setup
}

fn observation(what: &str) -> Observation {
    match what {
        "White" => Observation::Press {
            by: Color::White,
            white: None,
            black: None,
        },
        "Black" => Observation::Press {
            by: Color::Black,
            white: None,
            black: None,
        },
        "stopped" => Observation::Clock(ClockState::Stopped),
        "running" => Observation::Clock(ClockState::Running),
        "set" => Observation::Clock(ClockState::Set),
        "down" => Observation::Link(false),
        "up" => Observation::Link(true),
        _ if what.starts_with("dump ") => Observation::Dump(Box::new(placement(&what[5..]))),
        _ if what.starts_with("log ") => {
            Observation::Log(what[4..].split(' ').map(entry).collect())
        }
        _ => {
            let (square, reading) = change(what);
            Observation::Square { square, reading }
        }
    }
}

fn entry(what: &str) -> LogEntry {
    let (square, reading) = change(what);
    LogEntry::Square {
        square,
        reading,
        after: None,
    }
}

/// `e2-` lifts, `e4P` puts down.
fn change(what: &str) -> (Square, Reading) {
    let letter = what.chars().nth(2).expect("a square and a piece");
    let reading = if letter == '-' {
        Reading::EMPTY
    } else {
        Reading::from_char(letter).expect("a piece")
    };
    (what[..2].parse().expect("a square"), reading)
}

/// What was told up to a moment.
#[derive(Clone, Default)]
struct Told {
    line: Vec<UciMove>,
    alerts: BTreeSet<&'static str>,
    /// How sure the last change of mind was.
    revision: Option<f32>,
}

fn hear(told: &mut Told, inferences: Vec<Inference>) {
    for inference in inferences {
        match inference.fact {
            Fact::Made { uci, ply } if ply as usize == told.line.len() + 1 => told.line.push(uci),
            Fact::Revised { from_ply, line } => {
                told.line.truncate(from_ply as usize - 1);
                told.line.extend(line);
                told.revision = Some(inference.certainty);
            }
            Fact::Retracted { from_ply } => told.line.truncate(from_ply as usize - 1),
            Fact::Alert { code, .. } => {
                told.alerts.insert(code.as_str());
            }
            _ => {}
        }
    }
}

fn check(story: &Story<'_>, what: &str, told: &Told, tracker: &Tracker) {
    let (kind, rest) = what.split_once(' ').unwrap_or((what, ""));
    let words: Vec<&str> = rest.split(' ').filter(|word| !word.is_empty()).collect();
    let name = story.name;
    match kind {
        "moves" => {
            let line: Vec<String> = told.line.iter().map(UciMove::to_string).collect();
            assert_eq!(line, words, "{name}: {what}");
        }
        "alerts" => words.iter().for_each(|w| {
            assert!(
                told.alerts.contains(w),
                "{name}: no {w} in {:?}",
                told.alerts
            )
        }),
        "never" => words
            .iter()
            .for_each(|w| assert!(!told.alerts.contains(w), "{name}: {w}")),
        "status" => assert_eq!(tracker.status().as_str(), rest, "{name}: {what}"),
        "irregular" => {
            let text = format!("{:?}", tracker.record());
            assert!(
                text.contains("Irregular") && words.iter().all(|w| text.contains(w)),
                "{name}: {text}"
            );
        }
        "choices" => {
            let plies = tracker.record();
            let listed: Vec<String> = plies
                .iter()
                .flat_map(|ply| ply.choices.iter().map(|line| line[0].to_string()))
                .collect();
            words.iter().for_each(|w| {
                assert!(
                    listed.iter().any(|l| l == w),
                    "{name}: no {w} in {listed:?}"
                )
            });
        }
        "revision" => {
            let sure = told.revision.expect("a revision");
            assert_eq!(sure < 0.88, words == ["doubtful"], "{name}: {sure}");
        }
        _ => panic!("{name}: {what}"),
    }
}

fn play(story: &Story<'_>) {
    let mut tracker = Tracker::new(setup(story));
    let mut told = Told::default();
    let last = story.events.last().map_or(0, |event| event.0);
    let times: BTreeSet<Millis> = story
        .events
        .iter()
        .map(|event| event.0)
        .chain(story.expects.iter().filter_map(|expect| expect.0))
        .collect();
    for time in times {
        for (_, what) in story.events.iter().filter(|event| event.0 == time) {
            hear(&mut told, tracker.observe(time, observation(what)));
        }
        hear(&mut told, tracker.tick(time));
        for (_, what) in story.expects.iter().filter(|expect| expect.0 == Some(time)) {
            check(story, what, &told, &tracker);
        }
    }
    hear(&mut told, tracker.tick(last + PEACE));
    for (_, what) in story.expects.iter().filter(|expect| expect.0.is_none()) {
        check(story, what, &told, &tracker);
    }
}

/// The same story with the colours exchanged: the board turned top to bottom, White's part played by Black.
fn exchanged(paragraph: &str) -> String {
    let from = "from rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR b KQkq - 0 1";
    let anywhere = paragraph.lines().any(|line| line.starts_with("from "));
    let mut lines: Vec<String> = paragraph
        .lines()
        .filter(|line| !line.starts_with('#'))
        .map(exchanged_line)
        .collect();
    lines.extend((!anywhere).then(|| from.to_owned()));
    lines.join("\n")
}

fn exchanged_line(line: &str) -> String {
    match line.split_once(' ') {
        Some(("story", name)) => format!("story colours exchanged: {name}"),
        Some((word @ ("alerts" | "never" | "board" | "status"), rest)) => format!("{word} {rest}"),
        Some(("from", fen)) => format!("from {}", exchanged_fen(fen)),
        _ => line
            .split(' ')
            .map(exchanged_word)
            .collect::<Vec<_>>()
            .join(" "),
    }
}

fn exchanged_fen(fen: &str) -> String {
    let mut fields: Vec<String> = fen.split(' ').map(str::to_owned).collect();
    fields[0] = exchanged_rows(&fields[0]);
    fields[1] = if fields[1] == "w" { "b" } else { "w" }.to_owned();
    fields[2] = fields[2].chars().map(other_case).collect();
    fields[3] = exchanged_word(&fields[3]);
    fields.join(" ")
}

/// A placement row by row.
fn exchanged_rows(placement: &str) -> String {
    let rows = placement.rsplit('/');
    let rows: Vec<String> = rows
        .map(|row| row.chars().map(other_case).collect())
        .collect();
    rows.join("/")
}

/// `e2-`, `e4P`, `e2e4`, `e7e8q`, `e5`, a placement, or who pressed; other words stay.
fn exchanged_word(word: &str) -> String {
    let square = |text: &str| text.parse::<Square>().ok().map(Square::flip_vertical);
    let capital = |text: &str| square(&text.to_ascii_lowercase());
    if let Some(other) = capital(word).filter(|_| word.starts_with(char::is_uppercase)) {
        return other.to_string().to_ascii_uppercase();
    }
    match (word, word.get(..2).and_then(square), word.get(2..)) {
        ("White", ..) => "Black".to_owned(),
        ("Black", ..) => "White".to_owned(),
        _ if word.contains('/') => exchanged_rows(word),
        (_, Some(first), Some("")) => first.to_string(),
        (_, Some(first), Some(rest)) => match rest.get(..2).and_then(square) {
            Some(second) => format!("{first}{second}{}", &rest[2..]),
            None => format!(
                "{first}{}",
                rest.chars().map(other_case).collect::<String>()
            ),
        },
        _ => word.to_owned(),
    }
}

fn other_case(letter: char) -> char {
    if letter.is_uppercase() {
        letter.to_ascii_lowercase()
    } else {
        letter.to_ascii_uppercase()
    }
}

#[test]
fn every_story_ends_as_it_says() {
    let stories: Vec<String> = paragraphs().map(str::to_owned).collect();
    assert!(
        stories.len() >= 60,
        "only {} stories were read",
        stories.len()
    );
    all_end_as_they_say(&stories);
}

#[test]
fn every_story_ends_the_same_with_the_colours_exchanged() {
    let stories: Vec<String> = paragraphs().map(exchanged).collect();
    all_end_as_they_say(&stories);
}

fn paragraphs() -> impl Iterator<Item = &'static str> {
    STORIES
        .split("\n\n")
        .filter(|paragraph| paragraph.contains("story "))
        .map(str::trim)
}

fn all_end_as_they_say(stories: &[String]) {
    let failures: Vec<String> = stories
        .iter()
        .filter_map(|story| std::panic::catch_unwind(|| play(&read(story))).err())
        .map(|panic| {
            panic
                .downcast_ref::<String>()
                .cloned()
                .unwrap_or_else(|| "a panic without words".into())
        })
        .collect();
    assert!(
        failures.is_empty(),
        "{} stories fail:\n{}",
        failures.len(),
        failures.join("\n")
    );
}
