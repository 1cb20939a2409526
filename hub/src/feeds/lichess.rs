//! Push to a round of a Lichess broadcast: the whole text of the round on any change, so that a correction removes what it corrects
//! and sending twice changes nothing.

use protocol::HallBoard;
use serde::Deserialize;

use super::delivery::{by_status, each};
use super::{Answer, Delivery, Feed, FeedsConfig, Post, Subject, Target, pgn};
use crate::web::tables::chosen;

/// The push.
pub(super) struct Lichess;

/// More games than this are not taken at once.
const GAMES: usize = 100;

impl Feed for Lichess {
    fn name(&self) -> &'static str {
        "lichess"
    }

    fn targets(&self, config: &FeedsConfig) -> Vec<Target> {
        let own = config.lichess.iter();
        each(
            self.name(),
            config,
            own.map(|own| (own.name.as_str(), &own.audience)),
        )
    }

    fn deliveries(
        &self,
        boards: &[Subject],
        config: &FeedsConfig,
        target: &Target,
    ) -> Vec<Delivery> {
        let Some(own) = config.lichess.get(target.index) else {
            return Vec::new();
        };
        let newest = boards.iter().map(|b| b.round).max();
        let round = Some(own.our_round).filter(|r| *r > 0).or(newest);
        let all: Vec<&HallBoard> = boards
            .iter()
            .map(|b| &***b)
            .filter(|b| Some(b.round) == round)
            .collect();
        let tables = chosen(&own.boards, &all);
        let games: Vec<&HallBoard> = all
            .into_iter()
            .filter(|b| tables.contains(&b.table))
            .collect();
        let url = format!(
            "{}/api/broadcast/round/{}/push",
            own.url.trim_end_matches('/'),
            own.round
        );
        let post = |(part, games): (usize, &[&HallBoard])| {
            Delivery::Post(Post {
                about: format!("part {part}"),
                url: url.clone(),
                token_file: Some(own.token_file.clone()),
                content_type: "text/plain; charset=utf-8",
                content: pgn::games(games.iter().copied()),
            })
        };
        games.chunks(GAMES).enumerate().map(post).collect()
    }

    fn answered(&self, status: u16, body: &str) -> Answer {
        match status {
            200..=299 => games_taken(body),
            400 => Answer::Refused(format!(
                "Lichess says: {} · help: the round must have no source address and the token the scope study:write",
                said(body)
            )),
            404 => Answer::Refused("there is no such round (404) · help: look at the address and the round".to_owned()),
            429 => Answer::Later("too much was sent (429); tried again by itself · help: is the same round pushed from elsewhere, too?".to_owned()),
            _ => by_status(status),
        }
    }
}

#[derive(Deserialize, Default)]
#[serde(default)]
struct Said {
    error: String,
    games: Option<Vec<Game>>,
}

#[derive(Deserialize, Default)]
#[serde(default)]
struct Game {
    tags: std::collections::BTreeMap<String, String>,
    error: Option<String>,
}

fn said(body: &str) -> String {
    let error = serde_json::from_str::<Said>(body).map(|s| s.error);
    let words = error.ok().filter(|e| !e.is_empty());
    let words = words.unwrap_or_else(|| body.to_owned());
    words
        .chars()
        .filter(|c| !c.is_control())
        .take(200)
        .collect()
}

/// Games that were not understood, by board.
fn games_taken(body: &str) -> Answer {
    let said = serde_json::from_str::<Said>(body).ok();
    let Some(games) = said.and_then(|said| said.games) else {
        return Answer::Later("something answers that is not Lichess; tried again by itself · help: is the address right, and does a proxy or the page of a network's login answer in its place?".to_owned());
    };
    let trouble = |game: &Game| {
        let error = game.error.as_ref()?;
        let board = game.tags.get("Board").or_else(|| game.tags.get("Round"));
        let board = board.map_or("?", String::as_str);
        Some(format!(
            "board {board}: {}",
            error.chars().take(100).collect::<String>()
        ))
    };
    let troubles: Vec<String> = games.iter().filter_map(trouble).collect();
    if troubles.is_empty() {
        return Answer::Taken;
    }
    Answer::Partly(format!(
        "{} understood: {} · help: look at their moves and tags",
        match troubles.len() {
            1 => "1 game was not".to_owned(),
            many => format!("{many} games were not"),
        },
        troubles
            .iter()
            .take(5)
            .map(String::as_str)
            .collect::<Vec<_>>()
            .join("; ")
    ))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn answers_are_told_to_the_operator() {
        let rows = [
            (
                200,
                r#"{"games":[{"tags":{"Board":"1"},"moves":4}]}"#,
                "Taken",
            ),
            (200, r#"{"games":[]}"#, "Taken"),
            (200, "nonsense", "Later"),
            (200, "{}", "something answers that is not Lichess"),
            (200, "", "Later"),
            (
                200,
                r#"{"games":[{"tags":{"Board":"7"},"error":"Cannot parse Kxe9"},{"tags":{},"moves":1}]}"#,
                "1 game was not understood: board 7: Cannot parse Kxe9",
            ),
            (
                400,
                r#"{"error":"The round has a source"}"#,
                "The round has a source",
            ),
            (400, "\u{7}<html>", "<html>"),
            (401, "", "token is refused"),
            (404, "", "look at the address and the round"),
            (429, "", "is the same round pushed from elsewhere"),
            (502, "", "Later"),
            (301, "", "points elsewhere"),
        ];
        for (status, body, words) in rows {
            let answer = format!("{:?}", Lichess.answered(status, body));
            assert!(answer.contains(words), "{status} {body}: {answer}");
        }
    }
}
