//! Results for pairing programs and tables: `results-round-5.csv` with a line for each board, `results-round-5.json` with the same.

use protocol::{HallBoard, Player};
use serde::Serialize;

use super::delivery::{one, rounds};
use super::{Delivery, Feed, FeedsConfig, Subject, Target};

/// The files.
pub(super) struct Results;

impl Feed for Results {
    fn name(&self) -> &'static str {
        "results"
    }

    fn targets(&self, config: &FeedsConfig) -> Vec<Target> {
        let own = &config.results;
        one(self.name(), own.enabled, config.audience_of(&own.audience))
    }

    fn deliveries(&self, boards: &[Subject], _: &FeedsConfig, _: &Target) -> Vec<Delivery> {
        let files = |(round, boards): (u16, Vec<&HallBoard>)| {
            let lines: Vec<Line> = boards.iter().map(|b| line(b)).collect();
            let file = |kind: &str, content| Delivery::File {
                path: format!("results-round-{round}.{kind}"),
                content,
            };
            let json = serde_json::to_string_pretty(&lines).expect("names and numbers");
            [file("csv", csv(&lines)), file("json", json)]
        };
        rounds(boards).into_iter().flat_map(files).collect()
    }
}

/// One board, with the names of columns that imports know.
#[derive(Serialize)]
struct Line<'a> {
    round: u16,
    board: u16,
    white: &'a str,
    black: &'a str,
    white_fideid: Option<u32>,
    black_fideid: Option<u32>,
    white_rating: Option<u16>,
    black_rating: Option<u16>,
    white_title: &'a str,
    black_title: &'a str,
    result: String,
}

fn line(board: &HallBoard) -> Line<'_> {
    let (white, black) = (&board.players.white, &board.players.black);
    fn title(player: &Player) -> &str {
        player.title.as_deref().unwrap_or("")
    }
    Line {
        round: board.round,
        board: board.table.0,
        white: &white.name,
        black: &black.name,
        white_fideid: white.fide_id,
        black_fideid: black.fide_id,
        white_rating: white.rating,
        black_rating: black.rating,
        white_title: title(white),
        black_title: title(black),
        result: board.result.map_or("*".to_owned(), |r| r.to_string()),
    }
}

fn csv(lines: &[Line<'_>]) -> String {
    let mut writer = csv::Writer::from_writer(Vec::new());
    for line in lines {
        writer.serialize(line).expect("a vector takes everything");
    }
    let bytes = writer.into_inner().expect("a vector takes everything");
    String::from_utf8(bytes).expect("made of strings")
}
