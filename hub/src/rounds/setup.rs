//! The set-up of a round: what must be known before its games start, and whether it makes sense.

use std::collections::BTreeMap;

use protocol::{
    BySide, DeviceId, EditionId, Player, Regime, Side, Speed, TableId, TimeControl, Timestamp,
};
use serde::{Deserialize, Serialize};

use super::Problem;
use crate::game::GamePosition;
use crate::laws::odds::odds_problems;
use crate::laws::{Laws, Regulations};

/// Bytes of the longest name of a player.
const LONGEST_NAME: usize = 200;

/// One round.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct RoundSetup {
    /// The event.
    pub event: String,
    /// Where it is played.
    pub site: String,
    /// `YYYY.MM.DD`.
    pub date: String,
    /// The round.
    pub round: u16,
    /// Rounds of the event, 0 if not known.
    pub rounds: u16,
    /// The edition of the Laws.
    pub edition: EditionId,
    /// Standard, rapid or blitz, supervised or not (A.6, B.4: for the whole event).
    pub regime: Regime,
    /// The usual time control.
    pub time_control: TimeControl,
    /// Scheduled start, hub's time.
    pub starts: Option<Timestamp>,
    /// Default time (6.7.1), milliseconds.
    pub default_ms: u64,
    /// What the event announced beside the edition.
    pub regulations: Regulations,
    /// Every table.
    pub tables: Vec<TableSetup>,
}

/// One table of a round.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct TableSetup {
    /// Its number.
    pub table: TableId,
    /// Row and seat.
    #[serde(default)]
    pub place: Option<String>,
    /// The players.
    pub players: BySide<Player>,
    /// The board that stands on it.
    #[serde(default)]
    pub device: Option<DeviceId>,
    /// The initial position, full FEN; none: the usual array.
    #[serde(default)]
    pub start_fen: Option<String>,
    /// Castling by the rules of Chess960.
    #[serde(default)]
    pub chess960: bool,
    /// Its own time control, where it differs.
    #[serde(default)]
    pub time_control: Option<TimeControl>,
}

impl TableSetup {
    /// A table with two players, everything else as usual.
    pub fn new(table: TableId, white: &str, black: &str) -> TableSetup {
        let player = |name: &str| Player {
            name: name.to_owned(),
            ..Player::default()
        };
        TableSetup {
            table,
            place: None,
            players: BySide {
                white: player(white),
                black: player(black),
            },
            device: None,
            start_fen: None,
            chess960: false,
            time_control: None,
        }
    }
}

impl RoundSetup {
    /// What does not make sense, with a cure each; empty: the round can be played.
    pub fn problems(&self) -> Vec<Problem> {
        let mut problems = self.out_of_bounds();
        problems.extend(self.twice());
        problems.extend(self.tables.iter().filter_map(bad_start));
        if Laws::of(self.edition).odds {
            problems.extend(self.tables.iter().flat_map(bad_odds));
        }
        problems.extend(self.speed_differs());
        problems
    }

    fn out_of_bounds(&self) -> Vec<Problem> {
        let mut problems = Vec::new();
        if self.tables.iter().any(|t| t.table.0 == 0) {
            problems.push(Problem::whole(
                "there is no table 0: tables are numbered 1 to 65535",
                "number the tables from 1",
            ));
        }
        let long = |t: &&TableSetup| {
            Side::BOTH
                .iter()
                .any(|s| t.players.get(*s).name.len() > LONGEST_NAME)
        };
        if let Some(t) = self.tables.iter().find(long) {
            problems.push(Problem::whole(
                format!("a name at table {} is too long", t.table),
                format!("shorten it to {LONGEST_NAME} bytes; is a quotation mark missing?"),
            ));
        }
        problems
    }

    fn twice(&self) -> Vec<Problem> {
        let mut tables = BTreeMap::new();
        let mut players = BTreeMap::new();
        let mut problems = Vec::new();
        for t in self.tables.iter().filter(|t| t.table.0 > 0) {
            if tables.insert(t.table, ()).is_some() {
                problems.push(Problem::whole(
                    format!("table {} stands twice", t.table),
                    "give every game its own table number",
                ));
            }
            for name in Side::BOTH.map(|s| &t.players.get(s).name) {
                let known = !name.is_empty() && name != "?" && name != "BYE";
                if let Some(other) = known.then(|| players.insert(name, t.table)).flatten() {
                    problems.push(Problem::whole(
                        format!("{name} sits at tables {other} and {}", t.table),
                        "correct one of the two pairings",
                    ));
                }
            }
        }
        problems.extend(self.board_twice());
        problems
    }

    /// One board at two tables: a hub goes on with the first of them, and pairings that are written anew are better put right.
    pub fn board_twice(&self) -> Option<Problem> {
        let mut boards = BTreeMap::new();
        self.tables.iter().filter(|t| t.table.0 > 0).find_map(|t| {
            let other = boards.insert(t.device.as_ref()?, t.table)?;
            Some(Problem::warning(
                format!("tables {other} and {} name the same board", t.table),
                "one board stands on one table: name it at that one alone",
            ))
        })
    }

    fn speed_differs(&self) -> Option<Problem> {
        let by_time = self.time_control.speed()?;
        let word = |speed| match speed {
            Speed::Standard => "standard",
            Speed::Rapid => "rapid",
            Speed::Blitz => "blitz",
        };
        (by_time != self.regime.speed).then(|| {
            Problem::warning(
                format!(
                    "{} is {} by its time, the round says {}",
                    self.time_control,
                    word(by_time),
                    word(self.regime.speed)
                ),
                "set the speed of the round, or its time control",
            )
        })
    }
}

fn bad_start(table: &TableSetup) -> Option<Problem> {
    let fen = table.start_fen.as_deref()?;
    GamePosition::new(Some(fen), table.chess960)
        .err()
        .map(|why| {
            Problem::whole(
                format!("table {}: {why}", table.table),
                "write the full FEN of the initial position, or leave it out",
            )
        })
}

/// Odds that the edition does not allow.
fn bad_odds(table: &TableSetup) -> Vec<Problem> {
    let start = table.start_fen.as_deref().filter(|_| !table.chess960);
    let start = start.and_then(|fen| GamePosition::new(Some(fen), false).ok());
    let wrong = start.map(|start| odds_problems(&start.placement().0, start.turn()));
    let problem = |what: String| {
        Problem::whole(
            format!("table {}: {what}", table.table),
            "write the initial position of a game at odds as the rule has it",
        )
    };
    wrong.into_iter().flatten().map(problem).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rule_of_1929_odds_moves_past_the_middle_are_refused_in_that_edition_alone() {
        let fen = "rnbqkbnr/pppppppp/8/4P3/8/8/PPPP1PPP/RNBQKBNR w KQkq - 0 1";
        for (edition, refused) in [(EditionId::Fide1929, true), (EditionId::Fide2023, false)] {
            let mut table = TableSetup::new(TableId(1), "A", "B");
            table.start_fen = Some(fen.to_owned());
            let round = RoundSetup {
                edition,
                tables: vec![table],
                ..RoundSetup::default()
            };
            let fatal = |p: &Problem| p.fatal && p.what.contains("White on e5");
            assert_eq!(round.problems().iter().any(fatal), refused, "{edition}");
        }
    }

    #[test]
    fn a_round_that_makes_no_sense_says_why() {
        let table = |n, white: &str, black: &str| TableSetup::new(TableId(n), white, black);
        let with = |tables| RoundSetup {
            round: 1,
            tables,
            ..RoundSetup::default()
        };
        let on = |n, white: &str, black: &str| TableSetup {
            device: Some(DeviceId::of("dgt", "00001")),
            ..table(n, white, black)
        };
        let rows = [
            (vec![table(1, "A", "B"), table(2, "C", "D")], None),
            (
                vec![on(1, "A", "B"), on(2, "C", "D")],
                Some("tables 1 and 2 name the same board"),
            ),
            (
                vec![table(1, "A", "B"), table(1, "C", "D")],
                Some("table 1 stands twice"),
            ),
            (
                vec![table(1, "A", "B"), table(2, "C", "A")],
                Some("A sits at tables 1 and 2"),
            ),
        ];
        for (tables, want) in rows {
            let got = with(tables).problems();
            assert_eq!(got.first().map(|p| p.what.as_str()), want);
        }
    }

    #[test]
    fn art_b_1_the_regime_is_compared_with_the_time() {
        let round = RoundSetup {
            time_control: "180+2".parse().expect("control"),
            ..RoundSetup::default()
        };
        let problems = round.problems();
        assert!(problems[0].what.contains("is blitz by its time"));
        assert!(!problems[0].fatal);
    }
}
