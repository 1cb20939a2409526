//! Whatever happens at the tables: no file, page, message or answer says what only the desk may know.

use std::sync::Arc;

use proptest::prelude::*;
use protocol::livechess::{House, Session};
use protocol::{HallBoard, Timestamp};

use super::livechess_api::hall_of;
use super::tests::everything;
use super::{Delivery, FEEDS, PgnForm, Subject, livechess_cloud, pgn};
use crate::venue::tests::{SECRET, public_boards};
use crate::web::example::released;
use crate::web::overlay::{Element, Overlay, element, overlay_page};
use crate::web::page::{Asked, Head, Look, Size, board_page, part, round_page};
use crate::web::projector::{Screen, wall_page};

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
    let mut all = vec![(
        "round".to_owned(),
        round_page(&head, &plain, &look, &Asked::default()),
    )];
    for form in [PgnForm::Clean, PgnForm::EPgn, PgnForm::Livechess] {
        let text = pgn::written(form, plain.iter().copied());
        all.push((form.word().to_owned(), text));
    }
    let screen = Screen::default();
    all.push(("page".to_owned(), wall_page(&head, &plain, &look, &screen)));
    for element in ELEMENTS {
        let overlay = overlay_page(&head, element, (&plain, ""), &Overlay::default());
        all.push(("overlay".to_owned(), overlay));
    }
    let house = hall_of(boards, "FR");
    for board in &plain {
        let round = board.round;
        let cloud = [
            "tournament.json".to_owned(),
            format!("round-{round}/index.json"),
            format!("round-{round}/game-1.json"),
        ];
        for path in cloud {
            let text = livechess_cloud::document(boards, &everything().livechess_cloud, &path);
            all.push((path, text.unwrap_or_default()));
        }
        all.push(("board".to_owned(), board_page(&head, board, &look)));
        all.push(("part".to_owned(), part(board, Size::Large, true)));
        for what in ELEMENTS {
            all.push(("overlay".to_owned(), element(what, board, false)));
        }
    }
    for address in addresses(&house) {
        let text = house.document(&address).unwrap_or_default();
        all.push((address, text));
    }
    let mut session = Session::default();
    for board in house.eboards() {
        let call = serde_json::json!({"id": 1, "call": "subscribe", "param": {"feed": "eboardevent", "id": 1, "param": {"serialnr": board.serialnr}}});
        let said = session.hear(&call.to_string(), &house, Timestamp(0));
        all.push(("socket".to_owned(), said.join("\n")));
    }
    all
}

/// Every resource of the API that leads to another one, and those that they lead to.
fn addresses(house: &dyn House) -> Vec<String> {
    let ids = |address: &str| {
        let text = house.document(address).unwrap_or_default();
        let parts = text.split("\"uuid\" : \"").skip(1);
        let ids = parts.filter_map(|part| part.split('"').next());
        ids.map(str::to_owned).collect::<Vec<_>>()
    };
    let mut all = vec!["tournaments".to_owned(), "eboards".to_owned()];
    for id in ids("tournaments") {
        all.push(format!("tournament/{id}"));
        for round in 0..8 {
            let address = format!("round/{id}/{round}");
            all.extend(ids(&address).into_iter().map(|game| format!("game/{game}")));
            all.push(address);
        }
    }
    all
}

const ELEMENTS: [Element; 5] = [
    Element::Board,
    Element::Clocks,
    Element::Names,
    Element::Move,
    Element::Ticker,
];

/// Words that pages use for other things.
fn is_ours(word: &str, name: &str) -> bool {
    let page = ["round", "page", "board", "part", "overlay"].contains(&name);
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
