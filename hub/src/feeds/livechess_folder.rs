//! The folder that LiveChess writes with "export to local filesystem": `tournament.json`, and for each round `index.json`, a PGN for
//! each game, if wanted a JSON for each game and one PGN with all of them.
//!
//! Readers: the Lichess Broadcaster, uploads to chess.com, programs of federations.

use protocol::{GameResult, HallBoard};
use serde::Serialize;

use super::delivery::{one, rounds};
use super::livechess::{Names, is_live, names};
use super::livechess_cloud::{game_document, plain_name};
use super::{Delivery, Feed, FeedsConfig, Subject, Target, pgn};

/// The folder.
pub(super) struct LivechessFolder;

#[derive(Serialize)]
struct Tournament<'a> {
    id: String,
    name: &'a str,
    rounds: Vec<Count>,
}

#[derive(Serialize)]
struct Count {
    count: usize,
    live: usize,
}

#[derive(Serialize)]
struct Index {
    pairings: Vec<Pairing>,
}

#[derive(Serialize)]
struct Pairing {
    white: Names,
    black: Names,
    result: &'static str,
    live: bool,
}

impl Feed for LivechessFolder {
    fn name(&self) -> &'static str {
        "livechess-folder"
    }

    fn targets(&self, config: &FeedsConfig) -> Vec<Target> {
        let own = &config.livechess_folder;
        one(self.name(), own.enabled, config.audience_of(&own.audience))
    }

    fn deliveries(&self, boards: &[Subject], config: &FeedsConfig, _: &Target) -> Vec<Delivery> {
        let rounds = rounds(boards);
        let Some((_, last)) = rounds.last() else {
            return Vec::new();
        };
        let event = last.first().map_or("", |b| b.event.as_str());
        let mut files = vec![file("tournament.json", tournament(event, &rounds))];
        for (round, boards) in &rounds {
            files.extend(round_files(*round, boards, config));
        }
        files
    }
}

fn file(path: &str, content: String) -> Delivery {
    Delivery::File {
        path: format!("livechess/{path}"),
        content,
    }
}

fn json(value: &impl Serialize) -> String {
    serde_json::to_string_pretty(value).expect("names and numbers")
}

fn tournament(event: &str, rounds: &[(u16, Vec<&HallBoard>)]) -> String {
    json(&Tournament {
        id: plain_name(event),
        name: event,
        rounds: counts(rounds)
            .into_iter()
            .map(|(count, live)| Count { count, live })
            .collect(),
    })
}

/// How many games, and how many of them live, in every round from the first on.
pub(super) fn counts(rounds: &[(u16, Vec<&HallBoard>)]) -> Vec<(usize, usize)> {
    let last = rounds.last().map_or(0, |(round, _)| *round);
    let of = |number: u16| {
        let boards = rounds.iter().find(|(round, _)| *round == number);
        let boards = boards.map_or(&[][..], |(_, boards)| boards);
        (boards.len(), boards.iter().filter(|b| is_live(b)).count())
    };
    (1..=last).map(of).collect()
}

fn round_files(round: u16, boards: &[&HallBoard], config: &FeedsConfig) -> Vec<Delivery> {
    let own = &config.livechess_folder;
    let below = |name: &str, content| file(&format!("round-{round}/{name}"), content);
    let mut files = vec![below("index.json", index(boards))];
    for (number, board) in (1..).zip(boards) {
        let text = pgn::written(own.form, std::iter::once(*board));
        files.push(below(&format!("game-{number}.pgn"), text));
        if own.json {
            files.push(below(&format!("game-{number}.json"), game_document(board)));
        }
    }
    if own.combine {
        files.push(below(
            "games.pgn",
            pgn::written(own.form, boards.iter().copied()),
        ));
    }
    files
}

fn index(boards: &[&HallBoard]) -> String {
    let pairing = |board: &&HallBoard| Pairing {
        white: names(&board.players.white),
        black: names(&board.players.black),
        result: board.result.map_or("*", GameResult::pgn),
        live: is_live(board),
    };
    json(&Index {
        pairings: boards.iter().map(pairing).collect(),
    })
}
