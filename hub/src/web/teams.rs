//! Scores of team matches: boards whose players sit for the same two teams, added up.

use std::collections::BTreeMap;

use protocol::{GameResult, HallBoard, Side};

use super::tables::Tables;
use super::words::escape;

/// The matches of a round that the shown boards belong to, as a table; nothing where nobody sits for a team.
pub(super) fn scores(boards: &[&HallBoard], shown: &[&HallBoard]) -> String {
    let mut matches = matches(boards);
    let seen = self::matches(shown);
    matches.retain(|teams, _| seen.contains_key(teams));
    if matches.is_empty() {
        return String::new();
    }
    let row = |((one, other), score): (&(&str, &str), &[u32; 3])| {
        format!(
            "<tr><th scope=\"row\">{} \u{2013} {}</th><td>{} : {}</td><td>{}</td></tr>",
            escape(one),
            escape(other),
            halves(score[0]),
            halves(score[1]),
            match score[2] {
                0 => "all games over".to_owned(),
                1 => "1 game open".to_owned(),
                n => format!("{n} games open"),
            }
        )
    };
    let rows: String = matches.iter().map(row).collect();
    let of = Tables::text(shown.iter().map(|b| b.table));
    format!(
        r#"<table class="teams" id="teams" data-from="/overlay/teams?boards={of}" style="--matches:{}"><caption>Team matches</caption><tbody>{rows}</tbody></table>"#,
        matches.len()
    )
}

type Matches<'a> = BTreeMap<(&'a str, &'a str), [u32; 3]>;

/// Half points of both teams and games that are open.
fn matches<'a>(boards: &[&'a HallBoard]) -> Matches<'a> {
    let mut matches = Matches::new();
    for board in boards {
        let team = |side| {
            board
                .players
                .get(side)
                .team
                .as_deref()
                .filter(|t| !t.is_empty())
        };
        let (Some(white), Some(black)) = (team(Side::White), team(Side::Black)) else {
            continue;
        };
        let turned = white > black;
        let key = if turned {
            (black, white)
        } else {
            (white, black)
        };
        let score = matches.entry(key).or_default();
        match board.result.map(points) {
            Some((for_white, for_black)) => {
                score[usize::from(turned)] += for_white;
                score[usize::from(!turned)] += for_black;
            }
            None => score[2] += 1,
        }
    }
    matches
}

/// Half points of White and of Black.
pub(super) fn points(result: GameResult) -> (u32, u32) {
    match result {
        GameResult::WhiteWins | GameResult::WhiteByDefault => (2, 0),
        GameResult::BlackWins | GameResult::BlackByDefault => (0, 2),
        GameResult::Draw => (1, 1),
        GameResult::BothLose | GameResult::NobodyAppeared => (0, 0),
    }
}

/// `2½`.
pub(super) fn halves(halves: u32) -> String {
    match (halves / 2, halves % 2) {
        (0, 1) => "\u{bd}".to_owned(),
        (whole, 0) => whole.to_string(),
        (whole, _) => format!("{whole}\u{bd}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::web::example::board;

    #[test]
    fn boards_of_the_same_two_teams_are_added_up_whatever_the_colours() {
        let sits = |white: &str, black: &str, result| {
            let mut one = board(&[]);
            one.players.white.team = Some(white.to_owned());
            one.players.black.team = Some(black.to_owned());
            one.result = result;
            one
        };
        let boards = [
            sits("Lyon", "Oslo", Some(GameResult::WhiteWins)),
            sits("Oslo", "Lyon", Some(GameResult::Draw)),
            sits("Lyon", "Oslo", None),
            sits("Bern", "<Rom>", Some(GameResult::BlackWins)),
        ];
        let all: Vec<&HallBoard> = boards.iter().collect();
        let text = scores(&all, &all);
        for words in [
            "Lyon \u{2013} Oslo</th><td>1\u{bd} : \u{bd}</td><td>1 game open",
            "&lt;Rom&gt; \u{2013} Bern</th><td>1 : 0</td><td>all games over",
        ] {
            assert!(text.contains(words), "{words}: {text}");
        }
        let one = scores(&all, &all[3..]);
        assert!(one.contains("Bern") && !one.contains("Oslo"), "{one}");
        assert_eq!(scores(&[&board(&[])], &[&board(&[])]), "");
    }
}
