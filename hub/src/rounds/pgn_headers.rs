//! Reads pairings from a PGN file of headers only: one game per table, as pairing programs and broadcasters write them.

use std::collections::BTreeMap;

use protocol::{BySide, Player, TableId, TimeControl};

use super::import_error::{by_order, whole};
use super::{ImportError, Problem, RoundSetup, TableSetup};

/// The round of `base` with the games of a PGN file. `Event`, `Site`, `Date`, `Round` and `TimeControl` of the first game
/// count for the round; `Table`, else `Board`, else the order gives the table. Movetext is skipped.
///
/// # Errors
/// [`ImportError`] with every problem found; nothing is half imported.
pub fn from_pgn(text: &str, base: RoundSetup) -> Result<RoundSetup, ImportError> {
    let mut problems = Vec::new();
    let games = games(text.trim_start_matches('\u{feff}'), &mut problems);
    let mut round = match games.first() {
        Some(first) => with_event(base, first, &mut problems),
        None => {
            problems.push(Problem::whole(
                "no games in the file",
                "each game needs its tags, such as [White \"…\"] and [Black \"…\"]",
            ));
            base
        }
    };
    round.tables = (1_usize..)
        .zip(&games)
        .map(|(number, game)| table(game, number, &round.time_control, &mut problems))
        .collect();
    problems.extend(round.problems());
    whole(round, problems)
}

/// The tags of one game and the line where it begins.
struct Headers {
    line: u64,
    tags: BTreeMap<String, (u64, String)>,
}

impl Headers {
    fn text(&self, tag: &str) -> Option<&str> {
        let (_, text) = self.tags.get(tag)?;
        Some(text.as_str()).filter(|t| !matches!(*t, "" | "?" | "-" | "????.??.??"))
    }

    fn owned(&self, tag: &str) -> Option<String> {
        self.text(tag).map(str::to_owned)
    }

    fn read<T: std::str::FromStr>(
        &self,
        tag: &str,
        cure: &str,
        problems: &mut Vec<Problem>,
    ) -> Option<T> {
        let text = self.text(tag)?;
        let value = text.parse().ok();
        if value.is_none() {
            let line = self.tags.get(tag).map_or(self.line, |(line, _)| *line);
            problems.push(Problem::at(
                line,
                format!("{tag} {text:?} cannot be read"),
                cure,
            ));
        }
        value
    }
}

fn games(text: &str, problems: &mut Vec<Problem>) -> Vec<Headers> {
    let mut games: Vec<Headers> = Vec::new();
    let mut in_tags = false;
    for (line, content) in (1..).zip(text.lines().map(str::trim)) {
        if !content.starts_with('[') || content.starts_with("[%") {
            in_tags = false;
            continue;
        }
        let Some((tag, value)) = tag_pair(content) else {
            problems.push(Problem::at(
                line,
                format!("{:?} is no tag pair", shortened(content)),
                "write [Name \"value\"]",
            ));
            continue;
        };
        let again = games.last().is_some_and(|g| g.tags.contains_key(&tag));
        if !in_tags || again {
            games.push(Headers {
                line,
                tags: BTreeMap::new(),
            });
        }
        in_tags = true;
        if let Some(game) = games.last_mut() {
            game.tags.insert(tag, (line, value));
        }
    }
    games
}

fn tag_pair(line: &str) -> Option<(String, String)> {
    let inner = line.strip_prefix('[')?.strip_suffix(']')?.trim();
    let (tag, rest) = inner.split_once(char::is_whitespace)?;
    let quoted = rest.trim().strip_prefix('"')?.strip_suffix('"')?;
    let value = quoted.replace("\\\"", "\"").replace("\\\\", "\\");
    Some((tag.to_owned(), value.trim().to_owned()))
}

fn shortened(text: &str) -> String {
    text.chars().take(60).collect()
}

fn with_event(base: RoundSetup, first: &Headers, problems: &mut Vec<Problem>) -> RoundSetup {
    let or = |tag: &str, given: &String| first.owned(tag).unwrap_or_else(|| given.clone());
    let round = first.text("Round").and_then(|text| {
        let number = text.split('.').next().unwrap_or(text);
        let value = number.parse().ok();
        if value.is_none() {
            problems.push(Problem::at(
                first.line,
                format!("Round {text:?} cannot be read"),
                "write the number of the round",
            ));
        }
        value
    });
    let control: Option<TimeControl> = first.read("TimeControl", "write it as 5400+30", problems);
    let mut setup = RoundSetup {
        event: or("Event", &base.event),
        site: or("Site", &base.site),
        date: or("Date", &base.date),
        round: round.unwrap_or(base.round),
        time_control: control.unwrap_or_else(|| base.time_control.clone()),
        ..base
    };
    if let Some(speed) = setup
        .time_control
        .speed()
        .filter(|_| first.text("TimeControl").is_some())
    {
        setup.regime.speed = speed;
    }
    setup
}

fn table(
    game: &Headers,
    number: usize,
    usual: &TimeControl,
    problems: &mut Vec<Problem>,
) -> TableSetup {
    let cure = "write the number of the table, 1 to 65535";
    let by_tag = game
        .read::<u16>("Table", cure, problems)
        .or_else(|| game.read::<u16>("Board", cure, problems));
    let players = BySide {
        white: player(game, "White", problems),
        black: player(game, "Black", problems),
    };
    let variant = game.text("Variant").unwrap_or("").to_lowercase();
    let control = game.read::<TimeControl>("TimeControl", "write it as 5400+30", problems);
    TableSetup {
        table: TableId(by_tag.unwrap_or_else(|| by_order(number))),
        place: None,
        players,
        device: game.read(
            "Device",
            "write the board's id, such as dgt-01025",
            problems,
        ),
        start_fen: game.owned("FEN"),
        chess960: variant.contains("960") || variant.contains("fischer"),
        time_control: control.filter(|c| c != usual),
    }
}

fn player(game: &Headers, side: &str, problems: &mut Vec<Problem>) -> Player {
    let number = "write a whole number or leave the tag out";
    if !game.tags.contains_key(side) {
        problems.push(Problem::at(
            game.line,
            format!("the game has no {side}"),
            format!("write [{side} \"Last, First\"], or \"?\" where nobody plays"),
        ));
    }
    let tag = |what: &str| format!("{side}{what}");
    Player {
        name: game.owned(side).unwrap_or_else(|| "?".to_owned()),
        rating: game
            .text(&tag("Elo"))
            .filter(|elo| *elo != "0")
            .and_then(|_| game.read(&tag("Elo"), number, problems)),
        title: game.owned(&tag("Title")),
        fide_id: game.read(&tag("FideId"), number, problems),
        federation: game.owned(&tag("Federation")),
        team: game.owned(&tag("Team")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const TWO: &str = "[Event \"Open \\\"A\\\"\"]\n[Site \"Lyon\"]\n[Date \"2026.05.01\"]\n[Round \"5.1\"]\n\
        [White \"Okafor, T\"]\n[Black \"Kuznetsova, A\"]\n[WhiteElo \"2398\"]\n[BlackElo \"-\"]\n[TimeControl \"900+10\"]\n[Result \"*\"]\n\n*\n\n\
        [Event \"Open \\\"A\\\"\"]\n[White \"Sousa, M\"]\n[Black \"Petit, C\"]\n[Table \"17\"]\n[Device \"dgt-00042\"]\n[Result \"*\"]\n\n1. e4 {[%clk 0:15:00]} *\n";

    #[test]
    fn several_games_of_headers_make_a_round() {
        let round = from_pgn(TWO, RoundSetup::default()).expect("pairings");
        assert_eq!((round.event.as_str(), round.round), ("Open \"A\"", 5));
        assert_eq!(round.regime.speed, protocol::Speed::Rapid);
        let numbers: Vec<u16> = round.tables.iter().map(|t| t.table.0).collect();
        assert_eq!(numbers, [1, 17], "order, then the tag");
        assert_eq!(round.tables[0].players.white.rating, Some(2398));
        assert_eq!(round.tables[0].players.black.rating, None);
        assert_eq!(
            round.tables[1].device.as_ref().map(|d| d.as_str()),
            Some("dgt-00042")
        );
    }

    #[test]
    fn a_time_control_goes_out_in_pgn_and_comes_back() {
        for control in [
            "40/5400+30:1800+30",
            "40/7200:20/3600:900+30",
            "1500d5",
            "1500b5",
            "*60",
            "W300 B240",
        ] {
            let mut board = crate::web::example::board(&["e4"]);
            board.time_control = control.to_owned();
            let text = crate::feeds::pgn::game(&board);
            let round = from_pgn(&text, RoundSetup::default()).expect(control);
            assert_eq!(round.time_control.to_string(), control, "{text}");
        }
    }

    #[test]
    fn games_follow_each_other_without_an_empty_line() {
        let text = "[White \"A\"]\n[Black \"B\"]\n[White \"C\"]\n[Black \"D\"]\n";
        let round = from_pgn(text, RoundSetup::default()).expect("pairings");
        assert_eq!(round.tables.len(), 2);
    }

    #[test]
    fn bad_files_are_named_by_line_with_a_cure() {
        let rows = [
            ("", "no games"),
            ("hello", "no games"),
            ("[White \"A\"]\n", "line 1: the game has no Black"),
            (
                "[White \"A\"]\n[Black B]\n",
                "line 2: \"[Black B]\" is no tag pair",
            ),
            (
                "[White \"A\"]\n[Black \"B\"]\n[Board \"x\"]\n",
                "line 3: Board \"x\"",
            ),
            ("[White \"A\"]\n[Black \"B\"]\n[FEN \"x\"]\n", "no FEN"),
            (
                "[White \"A\"]\n[Black \"B\"]\n[Round \"final\"]\n",
                "Round \"final\"",
            ),
        ];
        for (text, want) in rows {
            let error = from_pgn(text, RoundSetup::default())
                .expect_err(text)
                .to_string();
            assert!(
                error.contains(want) && error.contains("help:"),
                "{text:?}: {error}"
            );
        }
    }
}
