//! Whatever happens at the tables: no file, page, message or answer says what only the desk may know.

use std::sync::Arc;

use proptest::prelude::*;
use protocol::livechess::{House, Session};
use protocol::{HallBoard, Timestamp};

use super::livechess_api::hall_of;
use super::tests::everything;
use super::{Delivery, FEEDS, Subject, livechess_cloud, pgn};
use crate::venue::tests::{SECRET, public_boards};
use crate::web::example::released;
use crate::web::overlay::{Element, element};
use crate::web::page::{Asked, Head, Look, Size, board_page, part, round_page};

/// Everything that leaves by feeds, with a name for each.
fn files_and_messages(boards: &[Subject]) -> Vec<(String, String)> {
    let config = everything();
    let mut all = Vec::new();
    for feed in FEEDS {
        for target in feed.targets(&config) {
            for delivery in feed.deliveries(boards, &config, &target) {
                all.extend(match delivery {
                    Delivery::File { path, content } => Some((path, content)),
                    Delivery::Post(post) => Some((post.url, post.content)),
                    Delivery::Joined { .. } => None,
                });
            }
        }
    }
    all
}

/// What pages, files on request and the API answer.
fn pages_and_answers(boards: &[Subject]) -> Vec<(String, String)> {
    let plain: Vec<&HallBoard> = boards.iter().map(|b| &***b).collect();
    let (head, look) = (Head::default(), Look::default());
    let mut all = vec![
        (
            "round".to_owned(),
            round_page(&head, &plain, &look, &Asked::default()),
        ),
        ("pgn".to_owned(), pgn::games(plain.iter().copied())),
        (
            "e-pgn".to_owned(),
            pgn::livechess_games(plain.iter().copied()),
        ),
    ];
    let house = hall_of(boards, "FR");
    for board in &plain {
        let path = format!("round-{}/index.json", board.round);
        let cloud = livechess_cloud::document(boards, &everything().livechess_cloud, &path);
        all.push((path, cloud.unwrap_or_default()));
        all.push(("board".to_owned(), board_page(&head, board, &look)));
        all.push(("part".to_owned(), part(board, Size::Large, true)));
        for what in [
            Element::Board,
            Element::Clocks,
            Element::Move,
            Element::Ticker,
        ] {
            all.push(("overlay".to_owned(), element(what, board, false)));
        }
    }
    for address in ["tournaments", "eboards"] {
        all.push((
            address.to_owned(),
            house.document(address).unwrap_or_default(),
        ));
    }
    let mut session = Session::default();
    for board in house.eboards() {
        let call = serde_json::json!({"id": 1, "call": "subscribe", "param": {"feed": "eboardevent", "id": 1, "param": {"serialnr": board.serialnr}}});
        let said = session.hear(&call.to_string(), &house, Timestamp(0));
        all.push(("socket".to_owned(), said.join("\n")));
    }
    all
}

/// Words that pages use for other things.
fn is_ours(word: &str, name: &str) -> bool {
    let page = ["round", "board", "part", "overlay"].contains(&name);
    // `aria-labelledby`, style sheets and article numbers are no secret.
    page && ["log", "device", "quiet", "standing"].contains(&word)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(96))]

    #[test]
    fn nothing_that_only_the_desk_may_know_leaves_in_any_form(boards in public_boards()) {
        let boards: Vec<Subject> = boards.into_iter().map(|b| Arc::new(released(b))).collect();
        let mut all = files_and_messages(&boards);
        all.extend(pages_and_answers(&boards));
        prop_assert!(boards.is_empty() || !all.is_empty());
        for (name, text) in all {
            for word in SECRET.into_iter().filter(|word| !is_ours(word, &name)) {
                prop_assert!(!text.contains(word), "{name} says {word}: {text}");
            }
        }
    }
}
