//! The resources of the API: tournament, boards, rounds, games; the exact keys, because its clients break on one more or one less.

use protocol::livechess::{Clock, EBoard, House, Watched, printed};
use protocol::{HallBoard, HallState};
use serde::Serialize;
use sha2::{Digest, Sha256};

use crate::feeds::Subject;
use crate::feeds::delivery::rounds;
use crate::feeds::livechess::{
    FullNames, clock, full_names, is_live, ply, position_number, result_code, serial,
};
use crate::feeds::livechess_cloud::{date, plain_name};

#[derive(Serialize)]
struct Tournament {
    uuid: String,
    description: String,
    rounds: u16,
}

#[derive(Serialize)]
struct WholeTournament {
    uuid: String,
    name: String,
    description: String,
    location: String,
    country: String,
    rounds: u16,
    eboards: Vec<String>,
}

#[derive(Serialize)]
struct Round {
    nr: u16,
    date: Option<String>,
    pairings: Vec<Pairing>,
}

#[derive(Serialize)]
struct Pairing {
    nr: usize,
    uuid: String,
    white: FullNames,
    black: FullNames,
    live: bool,
    result: Option<&'static str>,
}

#[derive(Serialize)]
struct Game {
    chess960: u16,
    result: Option<&'static str>,
    comment: Option<String>,
    clock: Option<Clock>,
    moves: Vec<String>,
}

/// The boards of an audience, for a client of the API.
pub(in crate::feeds) struct Hall<'a> {
    pub(super) boards: &'a [Subject],
    pub(super) country: &'a str,
}

/// The same for tests of what leaves.
#[cfg(test)]
pub(in crate::feeds) fn hall_of<'a>(boards: &'a [Subject], country: &'a str) -> Hall<'a> {
    Hall { boards, country }
}

impl House for Hall<'_> {
    fn eboards(&self) -> Vec<EBoard> {
        eboards(self.boards)
    }

    fn watched(&self, wanted: &str) -> Option<Watched> {
        let board = newest(self.boards)
            .into_iter()
            .find(|b| serial(b) == wanted)?;
        let moves = board.moves.iter();
        Some(Watched {
            board: eboard(board),
            start_fen: board.start_fen.clone(),
            chess960: board.chess960,
            moves: moves
                .map(|ply| (ply.uci.clone(), ply.san.clone()))
                .collect(),
        })
    }

    fn document(&self, address: &str) -> Option<String> {
        document(self.boards, self.country, address)
    }
}

/// The document of a resource such as `round/<uuid>/0`; none for what is none.
pub(super) fn document(boards: &[Subject], country: &str, resource: &str) -> Option<String> {
    let parts: Vec<&str> = resource.trim_matches('/').split('/').collect();
    match parts[..] {
        ["tournaments"] => Some(printed(&tournaments(boards))),
        ["eboards"] => Some(printed(&eboards(boards))),
        ["tournament", uuid] => whole(boards, country, uuid).map(|t| printed(&t)),
        ["round", uuid, index] => round(boards, uuid, index.parse().ok()?).map(|r| printed(&r)),
        ["game", uuid] => game(boards, uuid).map(|g| printed(&g)),
        _ => None,
    }
}

/// Every board of the newest round.
fn eboards(boards: &[Subject]) -> Vec<EBoard> {
    newest(boards).into_iter().map(eboard).collect()
}

fn eboard(board: &HallBoard) -> EBoard {
    EBoard {
        serialnr: serial(board),
        source: Some("zeitnot".to_owned()),
        state: Some(match board.state {
            HallState::Paused => "NOTRESPONDING",
            HallState::Waiting | HallState::Playing | HallState::Adjourned | HallState::Over => {
                "ACTIVE"
            }
        }),
        battery: None,
        comment: Some(format!("table {}", board.table)),
        board: Some(board.position.to_string()),
        flipped: false,
        clock: board.clock.as_ref().map(clock),
    }
}

fn newest(boards: &[Subject]) -> Vec<&HallBoard> {
    rounds(boards)
        .pop()
        .map_or_else(Vec::new, |(_, boards)| boards)
}

fn tournaments(boards: &[Subject]) -> Vec<Tournament> {
    let of = |board: &&HallBoard| Tournament {
        uuid: tournament_id(board),
        description: title(board),
        rounds: board.round,
    };
    newest(boards).first().map(of).into_iter().collect()
}

fn title(board: &HallBoard) -> String {
    if board.event.is_empty() {
        "Event".to_owned()
    } else {
        board.event.clone()
    }
}

fn whole(boards: &[Subject], country: &str, uuid: &str) -> Option<WholeTournament> {
    let boards = newest(boards);
    let first = boards.first().filter(|b| tournament_id(b) == uuid)?;
    Some(WholeTournament {
        uuid: uuid.to_owned(),
        name: plain_name(&first.event),
        description: title(first),
        location: first.site.clone(),
        country: country.to_owned(),
        rounds: first.round,
        eboards: boards.iter().map(|b| serial(b)).collect(),
    })
}

/// The first round is number 0 in the address; one more than the last is taken for the last.
fn round(boards: &[Subject], uuid: &str, index: u16) -> Option<Round> {
    let rounds = rounds(boards);
    let (last, newest) = rounds.last()?;
    newest.first().filter(|b| tournament_id(b) == uuid)?;
    if index > *last {
        return None;
    }
    let nr = index.saturating_add(1).min(*last);
    let boards = rounds.iter().find(|(round, _)| *round == nr);
    let boards = boards.map_or(&[][..], |(_, boards)| boards);
    Some(Round {
        nr,
        date: boards.first().and_then(|b| date(&b.date)),
        pairings: (1..).zip(boards).map(|(nr, b)| pairing(nr, b)).collect(),
    })
}

fn pairing(nr: usize, board: &HallBoard) -> Pairing {
    Pairing {
        nr,
        uuid: game_id(board),
        white: full_names(&board.players.white),
        black: full_names(&board.players.black),
        // Before it has begun a game has no clock, and a live game without one is taken for one that has ended.
        live: is_live(board) && board.state != HallState::Waiting,
        result: board.result.and_then(result_code),
    }
}

fn game(boards: &[Subject], uuid: &str) -> Option<Game> {
    let board = boards.iter().find(|b| game_id(b) == uuid)?;
    Some(Game {
        chess960: position_number(board),
        result: board.result.and_then(result_code),
        comment: None,
        clock: board.clock.as_ref().map(clock),
        moves: board.moves.iter().map(ply).collect(),
    })
}

fn tournament_id(board: &HallBoard) -> String {
    uuid(&format!("event {}", board.event))
}

fn game_id(board: &HallBoard) -> String {
    uuid(&format!("game {} {}", board.event, board.game))
}

/// An id in the form of a UUID that is the same after every restart.
fn uuid(of: &str) -> String {
    let digest = Sha256::digest(of.as_bytes());
    let hex: String = digest.iter().take(16).map(|b| format!("{b:02x}")).collect();
    let (a, b, c, d, e) = (
        &hex[..8],
        &hex[8..12],
        &hex[13..16],
        &hex[17..20],
        &hex[20..],
    );
    format!("{a}-{b}-4{c}-8{d}-{e}")
}
