//! The JSON layout of LiveChess Cloud, for readers that can be pointed at another server: `tournament.json`, `round-N/index.json`,
//! `round-N/game-M.json`.

use protocol::livechess::Clock;
use protocol::{GameResult, HallBoard};
use serde::Serialize;

use super::delivery::{one, rounds};
use super::livechess::{
    FullNames, clock, full_names, is_live, ply, position_number, result_code, serial,
};
use super::livechess_folder::counts;
use super::pgn::{began, clean_moves};
use super::{CloudSettings, Delivery, Feed, FeedsConfig, Subject, Target};

/// The layout as files, for a web server of somebody else.
pub(super) struct CloudFiles;

impl Feed for CloudFiles {
    fn name(&self) -> &'static str {
        "livechess-cloud"
    }

    fn targets(&self, config: &FeedsConfig) -> Vec<Target> {
        let own = &config.livechess_cloud;
        one(self.name(), own.enabled, config.audience_of(&own.audience))
    }

    fn deliveries(&self, boards: &[Subject], config: &FeedsConfig, _: &Target) -> Vec<Delivery> {
        let own = &config.livechess_cloud;
        let file = |path: String| {
            let content = document(boards, own, &path)?;
            let path = format!("livechess-cloud/get/{}/{path}", own.id);
            Some(Delivery::File { path, content })
        };
        let mut paths = vec!["tournament.json".to_owned()];
        for (round, boards) in rounds(boards) {
            paths.push(format!("round-{round}/index.json"));
            let games = (1..=boards.len()).map(|game| format!("round-{round}/game-{game}.json"));
            paths.extend(games);
        }
        paths.into_iter().filter_map(file).collect()
    }
}

#[derive(Serialize)]
struct Tournament<'a> {
    id: &'a str,
    name: &'a str,
    location: &'a str,
    country: Option<&'a str>,
    website: Option<&'a str>,
    rules: &'a str,
    chess960: &'a str,
    timecontrol: &'a str,
    rounds: Vec<Count>,
    eboards: Vec<String>,
}

#[derive(Serialize)]
struct Count {
    count: usize,
    live: usize,
}

#[derive(Serialize)]
struct Index {
    date: Option<String>,
    pairings: Vec<Pairing>,
}

#[derive(Serialize)]
struct Pairing {
    white: FullNames,
    black: FullNames,
    result: &'static str,
    live: bool,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Game {
    live: bool,
    serial_nr: String,
    first_move: i64,
    chess960: u16,
    result: Option<&'static str>,
    comment: Option<String>,
    clock: Option<Clock>,
    moves: Vec<String>,
}

/// The document at a path below `get/<id>/`; none for paths that are none.
pub fn document(boards: &[Subject], settings: &CloudSettings, path: &str) -> Option<String> {
    let rounds = rounds(boards);
    if path == "tournament.json" {
        return tournament(&rounds, settings);
    }
    let (round, name) = path.strip_prefix("round-")?.split_once('/')?;
    let round: u16 = round.parse().ok()?;
    let (_, boards) = rounds.iter().find(|(number, _)| *number == round)?;
    if name == "index.json" {
        return Some(index(boards));
    }
    let game = name.strip_prefix("game-")?.strip_suffix(".json")?;
    let game: usize = game.parse().ok()?;
    boards.get(game.checked_sub(1)?).map(|b| game_document(b))
}

fn json(value: &impl Serialize) -> String {
    serde_json::to_string_pretty(value).expect("names and numbers")
}

fn tournament(rounds: &[(u16, Vec<&HallBoard>)], settings: &CloudSettings) -> Option<String> {
    let (_, boards) = rounds.last()?;
    let first = boards.first()?;
    let count = |(count, live)| Count { count, live };
    Some(json(&Tournament {
        id: &settings.id,
        name: &first.event,
        location: &first.site,
        country: (!settings.country.is_empty()).then_some(&settings.country),
        website: None,
        rules: "STANDARD",
        chess960: if first.chess960 {
            "CHESS960"
        } else {
            "STANDARD"
        },
        timecontrol: &first.time_control,
        rounds: counts(rounds).into_iter().map(count).collect(),
        eboards: boards.iter().map(|b| serial(b)).collect(),
    }))
}

fn index(boards: &[&HallBoard]) -> String {
    let pairing = |board: &&HallBoard| Pairing {
        white: full_names(&board.players.white),
        black: full_names(&board.players.black),
        result: board.result.map_or("*", GameResult::pgn),
        live: is_live(board),
    };
    json(&Index {
        date: boards.first().and_then(|b| date(&b.date)),
        pairings: boards.iter().map(pairing).collect(),
    })
}

/// `2026-11-29` of `2026.11.29`; a date that is not known is none.
pub(super) fn date(pgn: &str) -> Option<String> {
    (!pgn.is_empty() && !pgn.contains('?')).then(|| pgn.replace('.', "-"))
}

/// One game.
pub(super) fn game_document(board: &HallBoard) -> String {
    json(&Game {
        live: is_live(board),
        serial_nr: serial(board),
        // LiveChess itself writes 0 where it does not know.
        first_move: began(board).map_or(0, |at| at.0),
        chess960: position_number(board),
        result: board.result.and_then(result_code),
        comment: None,
        clock: board.clock.as_ref().map(clock),
        moves: clean_moves(board).iter().map(ply).collect(),
    })
}

/// A name for addresses: small letters, digits and hyphens.
pub(super) fn plain_name(name: &str) -> String {
    let mut plain = String::new();
    for c in name.to_lowercase().chars() {
        match c {
            'a'..='z' | '0'..='9' => plain.push(c),
            _ if plain.ends_with('-') || plain.is_empty() => {}
            _ => plain.push('-'),
        }
    }
    let plain = plain.trim_end_matches('-');
    if plain.is_empty() {
        "event".to_owned()
    } else {
        plain.to_owned()
    }
}
