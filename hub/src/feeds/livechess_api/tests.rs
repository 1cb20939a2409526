//! The resources key by key, a whole WebSocket session, and what clients do wrong.

use std::sync::Arc;

use protocol::livechess::Session;
use protocol::{HallBoard, HallState, TableId, Timestamp};
use serde_json::{Value, json};

use super::documents::{Hall, document};
use crate::feeds::Subject;
use crate::web::example::{board, released};

const NOW: Timestamp = Timestamp(1_700_000_005_000);

fn shown(change: impl FnOnce(&mut HallBoard)) -> Vec<Subject> {
    let mut one = board(&["e4", "e5"]);
    change(&mut one);
    vec![Arc::new(released(one))]
}

fn get(boards: &[Subject], resource: &str) -> Value {
    let text = document(boards, "FR", resource).expect(resource);
    serde_json::from_str(&text).expect("JSON")
}

fn keys(value: &Value) -> Vec<&str> {
    value
        .as_object()
        .expect("an object")
        .keys()
        .map(String::as_str)
        .collect()
}

#[test]
fn every_resource_has_exactly_the_keys_that_clients_know() {
    let boards = shown(|_| {});
    let tournaments = get(&boards, "tournaments");
    assert_eq!(keys(&tournaments[0]), ["description", "rounds", "uuid"]);
    let uuid = tournaments[0]["uuid"].as_str().expect("text");
    let tournament = get(&boards, &format!("tournament/{uuid}"));
    assert_eq!(
        keys(&tournament),
        [
            "country",
            "description",
            "eboards",
            "location",
            "name",
            "rounds",
            "uuid"
        ]
    );
    assert_eq!(
        (&tournament["country"], &tournament["rounds"]),
        (&json!("FR"), &json!(5))
    );
    let eboards = get(&boards, "eboards");
    assert_eq!(
        keys(&eboards[0]),
        [
            "battery", "board", "clock", "comment", "flipped", "serialnr", "source", "state"
        ]
    );
    assert_eq!(
        eboards[0]["clock"],
        json!({"white": 5398, "black": 3, "run": true, "time": 1_700_000_000_000_i64})
    );
    assert_eq!(tournament["eboards"][0], eboards[0]["serialnr"]);
    let round = get(&boards, &format!("round/{uuid}/4"));
    assert_eq!(
        (keys(&round), &round["nr"]),
        (vec!["date", "nr", "pairings"], &json!(5))
    );
    let pairing = &round["pairings"][0];
    assert_eq!(
        keys(pairing),
        ["black", "live", "nr", "result", "uuid", "white"]
    );
    assert_eq!(
        keys(&pairing["white"]),
        [
            "federation",
            "fideid",
            "fname",
            "gender",
            "lname",
            "mname",
            "title"
        ]
    );
    assert_eq!(
        get(&boards, &format!("round/{uuid}/0"))["pairings"],
        json!([]),
        "a round that is not known has no pairings"
    );
    let game = get(
        &boards,
        &format!("game/{}", pairing["uuid"].as_str().expect("text")),
    );
    assert_eq!(
        keys(&game),
        ["chess960", "clock", "comment", "moves", "result"]
    );
    assert_eq!(game["moves"], json!(["e4 +0", "e5 +0"]));
    for nothing in [
        "",
        "nothing",
        "tournament/x",
        "round/x/0",
        &format!("round/{uuid}/99"),
        &format!("round/{uuid}/-1"),
        "game/x",
    ] {
        assert_eq!(document(&boards, "", nothing), None, "{nothing}");
    }
    assert_eq!(get(&[], "tournaments"), json!([]));
}

fn hall(boards: &[Subject]) -> Hall<'_> {
    Hall {
        boards,
        country: "",
    }
}

fn hear(session: &mut Session, boards: &[Subject], call: &Value) -> Vec<Value> {
    let texts = session.hear(&call.to_string(), &hall(boards), NOW);
    texts
        .iter()
        .map(|t| serde_json::from_str(t).expect("JSON"))
        .collect()
}

#[test]
fn a_session_as_the_clients_of_livechess_hold_it() {
    let mut session = Session::default();
    let boards = shown(|_| {});
    let serial = "3000000012";
    let clock = json!({"white": 5398, "black": 3, "run": true, "time": 1_700_000_000_000_i64});
    let all = hear(&mut session, &boards, &json!({"id": 1, "call": "eboards"}));
    assert_eq!(
        (
            all.len(),
            &all[0]["response"],
            &all[0]["id"],
            &all[0]["time"]
        ),
        (1, &json!("call"), &json!(1), &json!(NOW.0))
    );
    assert_eq!(all[0]["param"][0]["serialnr"], serial);
    let subscribe = json!({"id": 2, "call": "subscribe", "param": {"feed": "eboardevent", "id": 1, "param": {"serialnr": serial}}});
    let placement = "rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR";
    let first = hear(&mut session, &boards, &subscribe);
    assert_eq!(
        first[0],
        json!({"response": "call", "id": 2, "param": null, "time": NOW.0})
    );
    assert_eq!(
        first[1],
        json!({"response": "feed", "id": 1, "time": NOW.0,
        "param": {"serialnr": serial, "flipped": false, "board": placement, "clock": clock}})
    );
    let fen = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
    let setup = json!({"id": 3, "call": "call", "param": {"id": 1, "method": "setup", "param": {"fen": fen}}});
    let then = hear(&mut session, &boards, &setup);
    assert_eq!(
        then[0],
        json!({"response": "call", "id": 3, "param": null, "time": NOW.0})
    );
    let param = &then[1]["param"];
    assert_eq!(
        (&param["start"], &param["san"], &param["match"]),
        (&json!(fen), &json!(["e4", "e5"]), &json!(true))
    );
    assert!(
        session.news(&hall(&boards), NOW).is_empty(),
        "nothing is told twice"
    );
    let more = vec![Arc::new(released(board(&["e4", "e5", "Nf3"])))];
    let news: Value = serde_json::from_str(&session.news(&hall(&more), NOW)[0]).expect("JSON");
    assert_eq!(news["param"]["san"], json!(["e4", "e5", "Nf3"]));
    let corrected = vec![Arc::new(released(board(&["e4", "c5"])))];
    let news: Value = serde_json::from_str(&session.news(&hall(&corrected), NOW)[0]).expect("JSON");
    assert_eq!(
        news["param"]["san"],
        json!(["e4", "c5"]),
        "a correction replaces"
    );
    let flip = json!({"id": 4, "call": "call", "param": {"id": 1, "method": "flip", "param": {"flip": true}}});
    let turned = hear(&mut session, &corrected, &flip);
    assert_eq!(
        (&turned[0]["param"], &turned[1]["param"]["flipped"]),
        (&Value::Null, &json!(true))
    );
    assert_eq!(
        hear(
            &mut session,
            &corrected,
            &json!({"id": 6, "call": "unsubscribe", "param": 1})
        )
        .len(),
        1
    );
    assert!(session.news(&hall(&boards), NOW).is_empty());
}

#[test]
fn what_clients_do_wrong_is_answered() {
    let boards = shown(|b| b.state = HallState::Paused);
    let subscribe = |id: Value, serial: &str| json!({"id": 2, "call": "subscribe", "param": {"feed": "eboardevent", "id": id, "param": {"serialnr": serial}}});
    let mut session = Session::default();
    hear(&mut session, &boards, &subscribe(json!(1), "3000000012"));
    let rows = [
        (json!({"call": "nosuchcall", "id": 5}), "unknown call"),
        (json!("eboards"), "not a call"),
        (json!({"id": 5}), "not a call"),
        (subscribe(json!(2), "nobody"), "unknown serialnr"),
        (json!({"call": "subscribe", "id": 5}), "unknown feed"),
        (
            json!({"call": "call", "id": 5, "param": {"id": 9, "method": "setup"}}),
            "unknown feed",
        ),
        (
            json!({"call": "call", "id": 5, "param": {"id": 1, "method": "setup", "param": {"fen": "x"}}}),
            "not a FEN",
        ),
        (
            json!({"call": "call", "id": 5, "param": {"id": 1, "method": "dance"}}),
            "unknown method",
        ),
        (
            json!({"call": "unsubscribe", "id": 5, "param": {"id": 77}}),
            "unknown feed",
        ),
        (json!({"call": "game", "id": 5, "param": "x"}), "not found"),
    ];
    for (call, words) in rows {
        let answer = hear(&mut session, &boards, &call);
        assert_eq!(answer[0]["param"]["message"], words, "{call}");
        assert_eq!(answer[0]["response"], "error");
        assert_eq!(answer[0]["id"], call["id"], "{call}");
    }
    let said = session.hear(r#"{"call":"tournaments"}"#, &hall(&boards), NOW);
    assert!(!said[0].contains('\n'), "a frame is one line: {said:?}");
    for id in 0..400 {
        hear(&mut session, &boards, &subscribe(json!(id), "3000000012"));
    }
    let full = hear(
        &mut session,
        &boards,
        &subscribe(json!("one more"), "3000000012"),
    );
    assert_eq!(full[0]["param"]["message"], "too many feeds");
    assert_eq!(session.hear("\u{0}{", &hall(&boards), NOW).len(), 1);
}

#[test]
fn a_board_is_that_of_the_newest_round() {
    let mut next = board(&["d4"]);
    next.round = 6;
    let mut boards = shown(|_| {});
    boards.push(Arc::new(released(next)));
    let mut session = Session::default();
    let subscribe = json!({"id": 2, "call": "subscribe", "param": {"feed": "eboardevent", "id": 1, "param": {"serialnr": "3000000012"}}});
    let told = hear(&mut session, &boards, &subscribe);
    assert_eq!(
        told[1]["param"]["board"],
        "rnbqkbnr/pppppppp/8/8/3P4/8/PPP1PPPP/RNBQKBNR"
    );
}

#[test]
fn a_position_that_the_game_had_is_a_start_and_any_other_is_none() {
    let boards = shown(|b| b.table = TableId(12));
    let rows = [
        (
            "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1",
            json!(["e5"]),
            true,
        ),
        (
            "rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2",
            json!([]),
            true,
        ),
        ("8/8/8/4k3/8/8/4K3/8 w - - 0 1", json!([]), false),
    ];
    for (fen, san, matches) in rows {
        let mut session = Session::default();
        hear(
            &mut session,
            &boards,
            &json!({"id": 2, "call": "subscribe", "param": {"feed": "liveviewer", "id": 7, "param": {"serialnr": "3000000012"}}}),
        );
        let told = hear(
            &mut session,
            &boards,
            &json!({"id": 3, "call": "call", "param": {"id": 7, "method": "setup", "param": {"fen": fen}}}),
        );
        assert_eq!(
            (&told[1]["param"]["san"], &told[1]["param"]["match"]),
            (&san, &json!(matches)),
            "{fen}"
        );
    }
}

/// Each text on its own line, as it goes over the socket: some clients read by place, and people compare by eye.
#[test]
fn a_session_has_its_keys_in_the_order_of_the_original() {
    let boards = shown(|_| {});
    let mut session = Session::default();
    let start = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
    let rows = [
        (
            json!({"id": 1, "call": "eboards"}),
            0,
            "response id param serialnr source state battery comment board flipped clock white black run time time",
        ),
        (
            json!({"id": 2, "call": "subscribe", "param": {"feed": "eboardevent", "id": 1, "param": {"serialnr": "3000000012"}}}),
            1,
            "response id param serialnr flipped board clock white black run time time",
        ),
        (
            json!({"id": 3, "call": "call", "param": {"id": 1, "method": "setup", "param": {"fen": start}}}),
            1,
            "response id param serialnr flipped board clock white black run time start san match time",
        ),
        (
            json!({"id": 5, "call": "nosuchcall"}),
            0,
            "response id param message time",
        ),
    ];
    for (call, which, want) in rows {
        let texts = session.hear(&call.to_string(), &hall(&boards), NOW);
        let parts: Vec<&str> = texts[which].split('"').collect();
        let is_key = |pair: &&[&str]| pair[1].starts_with(':');
        let keys = parts[1..]
            .chunks(2)
            .filter(|pair| pair.len() == 2)
            .filter(is_key);
        let keys: Vec<&str> = keys.map(|pair| pair[0]).collect();
        assert_eq!(keys.join(" "), want, "{}", texts[which]);
    }
}
