//! Whole games on boards of every make, each with a port of its own: on sound lines, on bad ones, with the board away.

use agent::devices::{Orientation, driver};
use agent::simulate::games::classics;
use agent::simulate::hands::{Act, Game};
use agent::simulate::whole::{MAKES, family_of, virtual_board};

use crate::played::{array, performance, truth};
use crate::table::{Away, Flaws, SOUND, Table};

/// The hands begin when the board was found.
const LEAD: u64 = 6_000;

/// Bytes are lost, others come from nowhere, messages arrive in pieces.
const BAD_LINE: Flaws = Flaws {
    lost: 200,
    noise: 200,
    split: true,
    ..SOUND
};
const PULLED: Flaws = Flaws {
    away: Some(Away::Cable),
    ..SOUND
};

/// What happens at a table.
enum Step {
    Act(Act),
    Leave(Away),
    Back(Away),
}

fn recorded_as_played(make: &str, seeds: std::ops::Range<u64>, noise: u8, flaws: Flaws) {
    let games = classics();
    for seed in seeds {
        let game = &games[seed as usize % games.len()];
        let (record, truth, table) = record(make, seed, game, noise, flaws);
        // What arrives at another speed is nobody's words; a DGT board must not take it for those that harm it.
        if !flaws.wrong_speed || family_of(make) == "dgt" {
            let harmful = table.board.harmful_commands();
            assert_eq!(harmful, 0, "{make} heard what no host may say");
        }
        assert_eq!(record, truth, "{make}, seed {seed}");
    }
}

#[test]
fn games_on_sound_lines_are_recorded_as_played() {
    MAKES
        .iter()
        .for_each(|make| recorded_as_played(make, 2..4, 1, SOUND));
}

#[test]
fn games_over_bad_lines_are_recorded_as_played() {
    MAKES
        .iter()
        .for_each(|make| recorded_as_played(make, 3..4, 1, BAD_LINE));
}

/// One thing that goes wrong each.
const FAULTS: [(&str, Flaws); 6] = [
    ("bytes are lost", Flaws { lost: 300, ..SOUND }),
    (
        "bytes come from nowhere",
        Flaws {
            noise: 300,
            ..SOUND
        },
    ),
    (
        "messages arrive in pieces",
        Flaws {
            split: true,
            ..SOUND
        },
    ),
    (
        "the port has the wrong speed at first",
        Flaws {
            wrong_speed: true,
            ..SOUND
        },
    ),
    (
        "the board is switched off and on",
        Flaws {
            away: Some(Away::Power),
            ..SOUND
        },
    ),
    (
        "nothing is heard for a while",
        Flaws {
            away: Some(Away::Silence),
            ..SOUND
        },
    ),
];

#[test]
fn every_fault_alone_leaves_the_games_whole() {
    for (fault, flaws) in FAULTS {
        println!("{fault}");
        MAKES
            .iter()
            .for_each(|make| recorded_as_played(make, 4..5, 1, flaws));
    }
}

#[test]
fn games_whose_cable_is_pulled_twice_are_recorded_as_played() {
    MAKES
        .iter()
        .for_each(|make| recorded_as_played(make, 4..5, 1, PULLED));
}

/// Plays a game through; the record and the truth.
fn record(
    family: &str,
    seed: u64,
    game: &Game,
    noise: u8,
    flaws: Flaws,
) -> (Vec<String>, Vec<String>, Table) {
    let orientation = if seed % 3 == 2 {
        Orientation::Rotated
    } else {
        Orientation::Normal
    };
    let (performance, acts) = performance(game, noise, seed, 120);
    let start = array(&performance);
    let board = virtual_board(family, "01025", orientation, start, seed).expect("rows name boards");
    let driver = driver(family_of(family)).expect("rows name families");
    let mut table = Table::new(board, driver, flaws);
    table.run_to(LEAD, true);
    let last = acts.last().map_or(0, |(at, _)| *at);
    let mut connected = true;
    for (at, step) in steps(acts, flaws.away, family, last) {
        table.run_to(LEAD + at, connected);
        match step {
            Step::Act(act) => table.act(&act),
            Step::Leave(away) => connected = table.leave(away),
            Step::Back(away) => {
                table.back(away);
                connected = true;
            }
        }
    }
    table.run_to(LEAD + last + 30_000, true);
    (table.moves(), truth(&performance), table)
}

/// What the hands do, and between it the times without the board.
fn steps(acts: Vec<(u64, Act)>, away: Option<Away>, make: &str, last: u64) -> Vec<(u64, Step)> {
    let moments = match (away, make) {
        (None, _) => Vec::new(),
        // It says each move once and cannot be asked: what is moved while it is not heard it never tells.
        (Some(_), "ucb") => pauses(&acts, last),
        (Some(_), _) => vec![last / 3, last * 2 / 3],
    };
    let acts = acts.into_iter().map(|(at, act)| (at, Step::Act(act)));
    let mut steps: Vec<(u64, Step)> = acts.collect();
    for (at, away) in moments.into_iter().zip(away.into_iter().cycle()) {
        steps.push((at, Step::Leave(away)));
        steps.push((at + 2_000, Step::Back(away)));
    }
    steps.sort_by_key(|(at, _)| *at);
    steps
}

/// Two moments, one after the other, when nobody moves for a while.
fn pauses(acts: &[(u64, Act)], last: u64) -> Vec<u64> {
    let after = |from: u64| {
        let mut pairs = acts.windows(2).map(|pair| (pair[0].0, pair[1].0));
        let long = |(this, next): &(u64, u64)| *this >= from && next - this > 5_500;
        let found = pairs.find(long).expect("a pause");
        found.0 + 2_600
    };
    let first = after(last / 3);
    vec![first, after(first.max(last / 2))]
}
