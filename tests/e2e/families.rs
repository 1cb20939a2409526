//! A board of every make: a whole game each through port, agent, broker and hub, with the cables pulled twice.

use std::path::Path;
use std::time::Duration;

use agent::simulate::games::classics;
use agent::simulate::hands::{Ending, Game, Tempo};
use agent::simulate::whole::MAKES;
use venue_tests::{Venue, VenueOptions};

use crate::faults::{ends_equal, executable, log};

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_game_on_a_board_of_every_make_ends_in_the_right_pgn() {
    let dir = tempfile::tempdir().expect("a folder");
    let options = VenueOptions {
        tables: MAKES.len(),
        noise: 1,
        seed: 4,
        tempo: Tempo::Lasting(80_000),
        games: short_games(),
        families: MAKES.iter().map(ToString::to_string).collect(),
        ending: Ending::Nothing,
        ..VenueOptions::new(executable(), dir.path())
    };
    let mut venue = Venue::start(options).await.expect("starts");
    for pull in 1..=2 {
        tokio::time::sleep(Duration::from_secs(20)).await;
        pull_all_cables(&mut venue, dir.path(), pull).await;
    }
    ends_equal(&venue, dir.path(), Duration::from_secs(120)).await;
    tokio::time::sleep(Duration::from_secs(2)).await;
    the_file_holds_every_game(&venue, &dir.path().join("hub/feeds/round-1.pgn"));
}

/// Games in which a player has some seconds for a move.
fn short_games() -> Vec<Game> {
    let mut games = classics();
    games.retain(|game| (24..=46).contains(&game.moves.len()));
    games
}

async fn pull_all_cables(venue: &mut Venue, dir: &Path, pull: u32) {
    // Both players think meanwhile: what some boards did not tell in time they never tell, and this machine may be slow.
    let held: Vec<usize> = (0..MAKES.len()).collect();
    held.iter().for_each(|table| venue.tables.hold(*table));
    let thinks =
        |venue: &Venue, table| venue.tables.is_held(table) || venue.tables.truth(table).finished;
    while !held.iter().all(|table| thinks(venue, *table)) {
        tokio::time::sleep(Duration::from_millis(100)).await;
    }
    tokio::time::sleep(Duration::from_millis(500)).await;
    (0..MAKES.len()).for_each(|table| venue.tables.unplug(table));
    tokio::time::sleep(Duration::from_millis(1_500)).await;
    let name = |table: usize| format!("table-{}", table + 1);
    (0..MAKES.len()).for_each(|table| venue.tables.replug(table, &name(table)));
    let back = |seen: &venue_tests::Seen| seen.back(pull) >= MAKES.len();
    let all = venue.observer.wait(Duration::from_secs(30), back).await;
    let found = venue.observer.seen().found.clone();
    assert!(
        all,
        "pull {pull}: not every board is found again: {found:?}\n{}",
        log(dir, "agent-1.log")
    );
    held.iter().for_each(|table| venue.tables.go_on(*table));
}

fn the_file_holds_every_game(venue: &Venue, file: &Path) {
    let pgn = std::fs::read_to_string(file).expect("the file of the round");
    let games: Vec<_> = agent::simulate::hands::read_games(&pgn)
        .into_iter()
        .map(|game| game.expect("a legal game"))
        .collect();
    assert_eq!(games.len(), MAKES.len());
    for (table, make) in MAKES.iter().enumerate() {
        let truth = venue.tables.truth(table);
        let played: Vec<&str> = truth.plies.iter().map(|ply| ply.uci.as_str()).collect();
        let fits = |game: &Game| {
            let words = game
                .moves
                .iter()
                .map(|played| played.to_uci(game.castling).to_string());
            words.eq(played.iter().copied())
        };
        assert!(
            games.iter().any(fits),
            "{make}: {played:?} is not in\n{pgn}"
        );
    }
}
