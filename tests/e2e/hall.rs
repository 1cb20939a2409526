//! A whole round: games played to the end, seen on the wall, written to files, told to nobody who may not know.

use std::time::Duration;

use protocol::HallBoard;
use serde_json::Value;
use venue_tests::{Venue, VenueOptions};

use crate::faults::{ends_equal, executable};
use crate::readers::{
    browser_sees, javascript_reads, pgn_extract_is_content_with, pgn_files, python_chess_reads,
};

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_round_from_the_first_move_to_the_files() {
    let dir = tempfile::tempdir().expect("a folder");
    let options = VenueOptions {
        noise: 1,
        tables: 6,
        ..VenueOptions::new(executable(), dir.path())
    };
    let venue = Venue::start(options).await.expect("starts");
    let moves = |seen: &venue_tests::Seen| seen.halls.values().any(|hall| hall.moves.len() > 6);
    assert!(
        venue.observer.wait(Duration::from_secs(60), moves).await,
        "a game is under way"
    );
    the_wall_shows_games(&venue.wall()).await;
    ends_equal(&venue, dir.path(), Duration::from_secs(150)).await;
    {
        let seen = venue.observer.seen();
        assert!(seen.unreadable.is_empty(), "{:?}", seen.unreadable);
        let proposed = seen
            .tables
            .values()
            .filter(|t| t.standing.is_some())
            .count();
        assert_eq!(
            proposed, 6,
            "kings in the centre, mate or stalemate propose a result at every table"
        );
        for (topic, payload) in &seen.hall_payloads {
            is_fit_for_the_hall(topic, payload);
        }
    }
    tokio::time::sleep(Duration::from_secs(2)).await;
    the_files_hold_the_games(&venue, &dir.path().join("hub/feeds/round-1.pgn"));
}

async fn the_wall_shows_games(address: &str) {
    let address = address.to_owned();
    let seen = tokio::task::spawn_blocking(move || browser_sees(&address))
        .await
        .expect("no panic");
    let Some(page) = seen else { return };
    for words in [
        "Demonstration, round 1",
        "to move",
        "href=\"#K\"",
        ">live</p>",
        "id=\"table-6\"",
        "class=\"clock running\"",
    ] {
        assert!(page.contains(words), "the page lacks {words}: {page}");
    }
}

/// The files hold what is completed and settled; the last move of a game nobody has confirmed may wait.
fn the_files_hold_the_games(venue: &Venue, file: &std::path::Path) {
    let text = std::fs::read_to_string(file).expect("the round's file");
    let clean: usize = venue.observer.seen().halls.values().map(clean_plies).sum();
    assert!(clean + 6 >= venue.summary().plies_played, "{text}");
    python_chess_reads(file, 6, Some(clean));
    let faithful = file.with_file_name("faithful.pgn");
    let text = venue.export("faithful-pgn").expect("exported");
    std::fs::write(&faithful, text).expect("written");
    let files = pgn_files(file.parent().expect("a folder"));
    assert_eq!(
        files.len(),
        6 + 3,
        "a file a game, the round, the event, the faithful one"
    );
    files
        .iter()
        .for_each(|file| pgn_extract_is_content_with(file));
    javascript_reads(&files, 6 * 4);
}

fn clean_plies(board: &HallBoard) -> usize {
    let sure = board.settled_ply.min(board.completed_ply) as usize;
    if board.state == protocol::HallState::Over {
        board.moves.len()
    } else {
        sure.min(board.moves.len())
    }
}

/// Only the fields of a hall board, and only signs on scalar topics.
fn is_fit_for_the_hall(topic: &str, payload: &[u8]) {
    const FIELDS: &[&str] = &[
        "v",
        "table",
        "game",
        "event",
        "site",
        "date",
        "round",
        "players",
        "time_control",
        "start_fen",
        "chess960",
        "began",
        "moves",
        "settled_ply",
        "completed_ply",
        "position",
        "turn",
        "check",
        "clock",
        "state",
        "result",
        "unconfirmed",
        "cut_short",
        "at",
        "revision",
    ];
    if let Ok(Value::Object(fields)) = serde_json::from_slice::<Value>(payload) {
        let strange: Vec<&String> = fields
            .keys()
            .filter(|name| !FIELDS.contains(&name.as_str()))
            .collect();
        assert!(strange.is_empty(), "{topic}: {strange:?}");
    } else {
        assert!(
            payload.len() < 40,
            "{topic}: a sign shows one short value, not {}",
            String::from_utf8_lossy(payload)
        );
    }
}
