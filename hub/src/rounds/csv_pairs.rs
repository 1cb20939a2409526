//! Reads pairings from CSV with a header row; columns in any order, every bad row named with its line.

use std::collections::BTreeMap;

use protocol::{BySide, Player, TableId, TimeControl};

use super::import_error::{by_order, whole};
use super::{ImportError, Problem, RoundSetup, TableSetup};

/// Columns that are understood.
const COLUMNS: &[&str] = &[
    "table",
    "place",
    "white",
    "black",
    "white_rating",
    "black_rating",
    "white_title",
    "black_title",
    "white_fide_id",
    "black_fide_id",
    "white_federation",
    "black_federation",
    "white_team",
    "black_team",
    "device",
    "fen",
    "chess960",
    "time_control",
    "round",
    "result",
];

/// Other names of the same, as the hub's own results and other programs write them.
const ALSO: &[(&str, &str)] = &[
    ("board", "table"),
    ("white_fideid", "white_fide_id"),
    ("black_fideid", "black_fide_id"),
];

/// The round of `base` with the tables of a CSV file (comma, semicolon or tab). A column `round` says which round it is; a column `result`
/// is passed over, as results are no pairings.
///
/// # Errors
/// [`ImportError`] with every problem found; nothing is half imported.
pub fn from_csv(text: &str, base: RoundSetup) -> Result<RoundSetup, ImportError> {
    let text = text.trim_start_matches('\u{feff}');
    let mut reader = csv::ReaderBuilder::new()
        .delimiter(delimiter(text))
        .trim(csv::Trim::All)
        .flexible(true)
        .from_reader(text.as_bytes());
    let columns = columns(&mut reader).map_err(|p| ImportError(vec![p]))?;
    let mut problems = Vec::new();
    let mut tables = Vec::new();
    let mut rounds: Vec<u16> = Vec::new();
    for (number, record) in (1_usize..).zip(reader.records()) {
        match record {
            Ok(record) => match row(&columns, &record, number) {
                Ok((table, round)) => {
                    tables.push(table);
                    rounds.extend(round.filter(|r| !rounds.contains(r)));
                }
                Err(bad) => problems.extend(bad),
            },
            Err(error) => problems.push(Problem::whole(
                error.to_string(),
                "save the file as UTF-8 CSV",
            )),
        }
    }
    if tables.is_empty() && problems.is_empty() {
        problems.push(Problem::whole(
            "no pairings in the file",
            "one line per table",
        ));
    }
    if rounds.len() > 1 {
        problems.push(Problem::whole(
            format!(
                "the file has rows of rounds {} and {}",
                rounds[0], rounds[1]
            ),
            "import each round from a file of its own",
        ));
    }
    let round = rounds.first().copied().unwrap_or(base.round);
    let round = RoundSetup {
        tables,
        round,
        ..base
    };
    problems.extend(round.problems());
    whole(round, problems)
}

fn delimiter(text: &str) -> u8 {
    let head = text.lines().next().unwrap_or("");
    let count = |sign| head.matches(sign).count();
    [(b';', ';'), (b'\t', '\t')]
        .into_iter()
        .find(|(_, sign)| count(*sign) > count(','))
        .map_or(b',', |(byte, _)| byte)
}

type Columns = BTreeMap<&'static str, usize>;

fn columns(reader: &mut csv::Reader<&[u8]>) -> Result<Columns, Problem> {
    let header = reader.headers().map_err(|e| {
        Problem::at(
            1,
            e.to_string(),
            "save the file as UTF-8 CSV with a header row",
        )
    })?;
    let mut columns = Columns::new();
    for (index, name) in header.iter().enumerate() {
        let plain = name.to_lowercase().replace([' ', '-'], "_");
        let also = ALSO.iter().find(|(other, _)| *other == plain);
        let plain = also.map_or(plain.as_str(), |(_, own)| own);
        let known = COLUMNS.iter().find(|c| **c == plain);
        let known = known.ok_or_else(|| {
            Problem::at(
                1,
                format!("column {name:?} is not known"),
                format!("known columns: {}", COLUMNS.join(", ")),
            )
        })?;
        if columns.insert(known, index).is_some() {
            return Err(Problem::at(
                1,
                format!("column {name:?} stands twice"),
                "keep one of them",
            ));
        }
    }
    for needed in ["white", "black"] {
        if !columns.contains_key(needed) {
            return Err(Problem::at(
                1,
                format!("there is no column {needed:?}"),
                "the first line names the columns, such as table,white,black",
            ));
        }
    }
    Ok(columns)
}

struct Row<'a> {
    columns: &'a Columns,
    record: &'a csv::StringRecord,
    line: u64,
    problems: Vec<Problem>,
}

impl Row<'_> {
    fn text(&self, column: &str) -> Option<&str> {
        let index = *self.columns.get(column)?;
        self.record.get(index).filter(|t| !t.is_empty())
    }

    fn owned(&self, column: &str) -> Option<String> {
        self.text(column).map(str::to_owned)
    }

    fn read<T: std::str::FromStr>(&mut self, column: &str, cure: &str) -> Option<T> {
        let text = self.owned(column)?;
        let value = text.parse().ok();
        if value.is_none() {
            self.problems.push(Problem::at(
                self.line,
                format!("{column} {text:?} cannot be read"),
                cure,
            ));
        }
        value
    }

    fn player(&mut self, side: &str) -> Player {
        let column = |what: &str| format!("{side}_{what}");
        let name = self.owned(side);
        if name.is_none() {
            self.problems.push(Problem::at(
                self.line,
                format!("{side} has no name"),
                "write the player's name, or ? where nobody plays",
            ));
        }
        Player {
            name: name.unwrap_or_default(),
            rating: self.read(&column("rating"), "write a whole number or leave it empty"),
            title: self.owned(&column("title")),
            fide_id: self.read(&column("fide_id"), "write a whole number or leave it empty"),
            federation: self.owned(&column("federation")),
            team: self.owned(&column("team")),
        }
    }
}

fn row(
    columns: &Columns,
    record: &csv::StringRecord,
    number: usize,
) -> Result<(TableSetup, Option<u16>), Vec<Problem>> {
    let line = record.position().map_or(0, csv::Position::line);
    let mut row = Row {
        columns,
        record,
        line,
        problems: Vec::new(),
    };
    if record
        .iter()
        .skip(columns.len())
        .any(|field| !field.is_empty())
    {
        row.problems.push(Problem::at(
            line,
            format!("{} fields for {} columns", record.len(), columns.len()),
            "put names with a comma between quotation marks: \"Okafor, T\"",
        ));
    }
    let table: Option<u16> = row.read("table", "write the number of the table, 1 to 65535");
    let round: Option<u16> = row.read("round", "write the number of the round");
    let players = BySide {
        white: row.player("white"),
        black: row.player("black"),
    };
    let setup = TableSetup {
        table: TableId(table.unwrap_or_else(|| by_order(number))),
        place: row.owned("place"),
        players,
        device: row.read("device", "write the board's id, such as dgt-01025"),
        start_fen: row.owned("fen"),
        chess960: row
            .read("chess960", "write true or false")
            .unwrap_or_default(),
        time_control: row.read::<TimeControl>("time_control", "write it as 5400+30"),
    };
    if row.problems.is_empty() {
        Ok((setup, round))
    } else {
        Err(row.problems)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_come_in_any_order_and_with_any_sign_between() {
        let rows = [
            "table,white,black,white_rating,device\n7,\"Okafor, T\",\"Kuznetsova, A\",2398,dgt-01025\n",
            "Black;White;Table;Device;White Rating\nKuznetsova, A;Okafor, T;7;dgt-01025;2398\n",
            "\u{feff}white\tblack\ttable\twhite-rating\tdevice\r\nOkafor, T\tKuznetsova, A\t7\t2398\tdgt-01025\r\n",
        ];
        for text in rows {
            let round = from_csv(text, RoundSetup::default()).expect(text);
            let table = &round.tables[0];
            assert_eq!(table.table, TableId(7), "{text}");
            assert_eq!(table.players.white.name, "Okafor, T");
            assert_eq!(table.players.black.name, "Kuznetsova, A");
            assert_eq!(table.players.white.rating, Some(2398));
            assert_eq!(table.device.as_ref().map(|d| d.as_str()), Some("dgt-01025"));
        }
    }

    #[test]
    fn the_columns_of_results_are_read_as_pairings() {
        let text = "round,board,white,black,white_fideid,black_fideid,white_rating,black_rating,white_title,black_title,result\n\
                    5,7,\"Okafor, T\",\"Kuznetsova, A\",1500001,,2398,,GM,,1-0\n5,8,A,B,,,,,,,*\n";
        let round = from_csv(text, RoundSetup::default()).expect("pairings");
        assert_eq!((round.round, round.tables.len()), (5, 2));
        assert_eq!(round.tables[0].table, TableId(7));
        assert_eq!(round.tables[0].players.white.fide_id, Some(1_500_001));
        let two = from_csv("round,white,black\n5,A,B\n6,C,D\n", RoundSetup::default());
        let error = two.expect_err("two rounds").to_string();
        assert!(
            error.contains("rounds 5 and 6") && error.contains("help:"),
            "{error}"
        );
    }

    #[test]
    fn every_bad_row_is_named_and_nothing_is_half_imported() {
        let rows = [
            ("white,black\n", "no pairings"),
            ("", "no column"),
            (
                "white,black,colour\nA,B,x\n",
                "line 1: column \"colour\" is not known",
            ),
            ("white,black\nA,B\nC,\n", "line 3: black has no name"),
            (
                "table,white,black\nx,A,B\n",
                "line 2: table \"x\" cannot be read",
            ),
            ("table,white,black\n1,A,B\n1,C,D\n", "table 1 stands twice"),
            (
                "white,black,white_rating\nA,B,high\n",
                "white_rating \"high\"",
            ),
            ("white,black,fen\nA,B,rubbish\n", "no FEN"),
            ("table,white,black\n0,A,B\n", "there is no table 0"),
            (
                "table,white,black\n1,Okafor, T,Kuznetsova, A\n",
                "line 2: 5 fields for 3 columns",
            ),
        ];
        for (text, want) in rows {
            let error = from_csv(text, RoundSetup::default())
                .expect_err(text)
                .to_string();
            assert!(error.contains(want), "{text:?}: {error}");
            assert!(error.contains("help:"), "{error}");
        }
    }

    #[test]
    fn more_rows_than_there_are_table_numbers_and_endless_names_are_refused() {
        let rows: String = (0..70_000).map(|n| format!("W{n},B{n}\n")).collect();
        let none: String = "W,\n".repeat(5_000);
        let long = format!("{},B\n", "x".repeat(100_000));
        for (rows, want) in [
            (rows.as_str(), "tables are numbered 1 to 65535"),
            (long.as_str(), "is too long"),
            (none.as_str(), "and 4980 more"),
        ] {
            let error = from_csv(&format!("white,black\n{rows}"), RoundSetup::default())
                .expect_err(want)
                .to_string();
            assert!(error.contains(want), "{want}");
            assert!(error.len() < 3_000, "{} bytes", error.len());
        }
    }

    #[test]
    fn two_bad_rows_are_told_together() {
        let error = from_csv("white,black\nA,\n,B\n", RoundSetup::default()).expect_err("bad");
        assert_eq!(error.0.len(), 2);
    }
}
