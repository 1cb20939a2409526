//! Who has how many points from the games of this event that its readers may see: a table for overlays, ten players a page.

use std::collections::BTreeMap;

use protocol::{HallBoard, Player, Side};

use super::teams::{halves, points};
use super::words::escape;

/// So many players stand on a page.
const ON_A_PAGE: usize = 10;

/// The page of the standings, counted from 1; the nearest that there is. No byes and no tie-breaks: the pairing program has those.
pub(super) fn standings(boards: &[&HallBoard], page: usize) -> String {
    let players = players(boards);
    let pages = players.len().div_ceil(ON_A_PAGE).max(1);
    let first = (page.clamp(1, pages) - 1) * ON_A_PAGE;
    let rank = |score: &Score| 1 + players.iter().filter(|p| p.halves > score.halves).count();
    let row = |score: &Score| {
        format!(
            "<tr><td>{}</td><th scope=\"row\">{}</th><td>{}</td></tr>",
            rank(score),
            escape(&score.name),
            halves(score.halves)
        )
    };
    let rows: String = players
        .iter()
        .skip(first)
        .take(ON_A_PAGE)
        .map(row)
        .collect();
    format!(r#"<table><caption>Points from the games</caption><tbody>{rows}</tbody></table>"#)
}

struct Score {
    name: String,
    halves: u32,
}

/// All players, the one with most points first, by name among equals.
fn players(boards: &[&HallBoard]) -> Vec<Score> {
    let mut scores: BTreeMap<&str, Score> = BTreeMap::new();
    for board in boards {
        let result = board.result.filter(|_| !board.unconfirmed).map(points);
        let (white, black) = result.unwrap_or_default();
        for (side, halves) in [(Side::White, white), (Side::Black, black)] {
            let player = board.players.get(side);
            if player.name.is_empty() {
                continue;
            }
            let score = scores.entry(&player.name).or_insert_with(|| Score {
                name: titled(player),
                halves: 0,
            });
            score.halves += halves;
        }
    }
    let mut scores: Vec<Score> = scores.into_values().collect();
    scores.sort_by_key(|s| std::cmp::Reverse(s.halves));
    scores
}

fn titled(player: &Player) -> String {
    match &player.title {
        Some(title) => format!("{title} {}", player.name),
        None => player.name.clone(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::web::example::board;
    use protocol::GameResult;

    fn game(white: &str, black: &str, result: Option<GameResult>) -> HallBoard {
        let mut one = board(&[]);
        one.players.white.name = white.to_owned();
        one.players.black.name = black.to_owned();
        one.result = result;
        one
    }

    #[test]
    fn the_points_of_all_rounds_are_added_up() {
        let mut open = game("Ana", "Cem", Some(GameResult::BlackWins));
        open.unconfirmed = true;
        let games = [
            game("Ana", "<Bo>", Some(GameResult::WhiteWins)),
            game("<Bo>", "Cem", Some(GameResult::Draw)),
            game("Cem", "Ana", Some(GameResult::Draw)),
            game("Ana", "", None),
            open,
        ];
        let all: Vec<&HallBoard> = games.iter().collect();
        let text = standings(&all, 1);
        let rows = [
            "<td>1</td><th scope=\"row\">Ana</th><td>1\u{bd}</td>",
            "<td>2</td><th scope=\"row\">Cem</th><td>1</td>",
            "<td>3</td><th scope=\"row\">&lt;Bo&gt;</th><td>\u{bd}</td>",
        ];
        let found: Vec<_> = rows.iter().map(|row| text.find(row)).collect();
        assert!(found.is_sorted() && found[0].is_some(), "{text}");
    }

    #[test]
    fn ten_players_stand_on_a_page() {
        let games: Vec<HallBoard> = (0..12)
            .map(|n| game(&format!("W{n:02}"), &format!("B{n:02}"), None))
            .collect();
        let all: Vec<&HallBoard> = games.iter().collect();
        for (page, count, has) in [(0, 10, "B00"), (2, 10, "B10"), (3, 4, "W11"), (9, 4, "W08")] {
            let text = standings(&all, page);
            assert_eq!(text.matches("<tr>").count(), count, "{page}");
            assert!(text.contains(has), "{page}: {text}");
        }
    }
}
