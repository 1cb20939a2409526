//! Every accident that hands can have, played in many variants: the tracker must find the game again, line for line.
//!
//! `accidents.rows` names each accident with how many of a hundred games must come out perfect, on boards that know pieces
//! and on boards that only feel. Games are in `accidents.pgn`: castling in every form, captures in passing, promotions.

use std::collections::BTreeSet;

use shakmaty::Position;

use super::events::{Event, parse};
use crate::simulate::hands::{
    self, Accident, Done, Noise, Performance, Play, Profile, Sensing, read_games,
};
use crate::simulate::script::{ACCIDENTS, read_accident};
use crate::tracker::{self, Millis, Played, Ply, Setup, Tracker};

const ROWS: &str = include_str!("accidents.rows");
const GAMES: &str = include_str!("accidents.pgn");
const PEACE: Millis = 12_000;
const CERTAIN: f32 = 0.88;
/// Games of every length with as many places for the accident.
const VARIANTS: u64 = 2;

/// Board, timing of the hands' sensor, and of the tracker.
const BOARDS: [(Sensing, Profile, tracker::Profile); 3] = [
    (Sensing::Identity, Profile::Usb, tracker::Profile::Usb),
    (
        Sensing::Identity,
        Profile::Bluetooth,
        tracker::Profile::Bluetooth,
    ),
    (Sensing::Occupancy, Profile::Fast, tracker::Profile::Fast),
];

/// An accident and how many per cent of the games must be perfect, by what the board knows; `None` where nothing is claimed.
struct Row {
    words: &'static str,
    identity: usize,
    occupancy: Option<usize>,
}

fn rows() -> Vec<Row> {
    let lines = ROWS
        .lines()
        .filter(|line| !line.is_empty() && !line.starts_with('#'));
    let row = |line: &'static str| {
        let mut fields = line.split('|').map(str::trim);
        let mut field = || fields.next().expect("three fields");
        Row {
            words: field(),
            identity: field().parse().expect("a percentage"),
            occupancy: field().parse().ok(),
        }
    };
    lines.map(row).collect()
}

#[test]
fn every_accident_has_a_row() {
    let names: BTreeSet<&str> = rows()
        .iter()
        .filter_map(|row| row.words.split(' ').next())
        .collect();
    let all: BTreeSet<&str> = ACCIDENTS.iter().map(|entry| entry.name).collect();
    assert_eq!(names, all);
}

#[test]
fn whatever_happens_the_game_is_found_again() {
    let games: Vec<hands::Game> = read_games(GAMES)
        .into_iter()
        .map(|game| game.expect("the games are legal"))
        .collect();
    let failures: Vec<String> = rows()
        .iter()
        .flat_map(|row| failures(row, &games))
        .collect();
    assert!(failures.is_empty(), "{}", failures.join("\n"));
}

fn failures(row: &Row, games: &[hands::Game]) -> Vec<String> {
    let mut found = Vec::new();
    for (sensing, hands, timing) in BOARDS {
        let floor = match sensing {
            Sensing::Identity => Some(row.identity),
            Sensing::Occupancy => row.occupancy,
        };
        let Some(floor) = floor else { continue };
        let (mut played, mut missed) = (0, Vec::new());
        for (number, game) in games.iter().enumerate() {
            for variant in 0..VARIANTS {
                let ply = 1 + variant as usize * (7 + number) % game.moves.len();
                let line = format!("{ply} {}", row.words);
                let accident = read_accident(&line).expect("an accident");
                let play = play(accident, (sensing, hands), variant * 31 + number as u64);
                let performance = hands::play(game, &play);
                if performance.staged.is_empty() {
                    continue;
                }
                played += 1;
                let record = read(game, &play, &performance, timing);
                if !is_perfect(&record, &performance) {
                    missed.push(format!("game {number} variant {variant}"));
                }
            }
        }
        if played == 0 || (played - missed.len()) * 100 < floor * played {
            let (words, missed) = (row.words, missed.join(", "));
            found.push(format!(
                "{words}, {sensing:?} {hands:?}: of {played} games {missed}"
            ));
        }
    }
    found
}

fn play(accident: Accident, (sensing, profile): (Sensing, Profile), seed: u64) -> Play {
    Play {
        sensing,
        ..Play::new(Noise::level((seed % 2) as u8), seed)
            .on(profile)
            .with(accident)
    }
}

fn read(
    game: &hands::Game,
    play: &Play,
    performance: &Performance,
    timing: tracker::Profile,
) -> Vec<Ply> {
    let mut setup = Setup::from_position(game.start.clone());
    setup.mode = game.castling;
    setup.profile = timing;
    if play.sensing == Sensing::Occupancy {
        setup.sensing = tracker::Sensing::Occupancy;
    }
    let mut tracker = Tracker::new(setup);
    let mut last = 0;
    for (at, sensed) in hands::sense(performance, play) {
        if let Event::Observed { observation, .. } = parse(hands::json_line(at, &sensed).as_bytes())
        {
            last = at;
            tracker.observe(at, observation);
        }
    }
    tracker.tick(last + PEACE);
    tracker.record()
}

/// The record is the truth, or differs only in uncertain plies whose choices contain it.
fn is_perfect(record: &[Ply], performance: &Performance) -> bool {
    let covers = |number: u32, uci| {
        let unsure = record.iter().filter(|ply| ply.certainty < CERTAIN);
        unsure.filter(|ply| ply.number <= number).any(|ply| {
            let place = (number - ply.number) as usize;
            ply.choices.iter().any(|line| line.get(place) == Some(&uci))
        })
    };
    let same = |(ply, truth): (&Ply, &hands::Ply)| match (&ply.played, &truth.done) {
        (Played::Legal(shown), Done::Legal(played)) => {
            shown == played || covers(ply.number, *played)
        }
        (Played::Irregular(shown), Done::Irregular { to_fen, .. }) => {
            placement(&shown.to_fen) == placement(to_fen)
        }
        _ => false,
    };
    record.len() == performance.truth.len() && record.iter().zip(&performance.truth).all(same)
}

fn placement(fen: &str) -> Option<&str> {
    fen.split(' ').next()
}

#[test]
fn the_games_castle_in_every_form_of_chess960() {
    let games = read_games(GAMES).into_iter().filter_map(Result::ok);
    let mut forms = BTreeSet::new();
    for game in games.filter(|game| !game.castling.is_standard()) {
        let mut position = game.start.clone();
        for &mv in &game.moves {
            if let shakmaty::Move::Castle { king, rook } = mv {
                let side = mv.castling_side().expect("castling has a side");
                let (to, rook_to) = (side.king_to(position.turn()), side.rook_to(position.turn()));
                forms.insert((king == to, rook == rook_to, king == rook_to, rook == to));
            }
            position.play_unchecked(mv);
        }
    }
    // King stays, rook stays, the king leaves the rook's new square, the rook leaves the king's.
    let wanted = [
        (true, false, false, false),
        (false, true, false, false),
        (false, false, true, false),
        (false, false, false, true),
        (false, false, false, false),
    ];
    for form in wanted {
        assert!(forms.contains(&form), "{form:?} of {forms:?}");
    }
}
