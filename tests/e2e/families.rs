//! A board of every make, and a line of many: a whole game each through port, agent, broker and hub, with the cables pulled twice.

use std::path::Path;
use std::time::Duration;

use agent::simulate::games::classics;
use agent::simulate::hands::{Ending, Game, Tempo};
use agent::simulate::whole::MAKES;
use protocol::{BySide, GameResult, Order, OrderBody, Played, ResultHow, Role, TableId};
use venue_tests::{Observer, Seen, Venue, VenueOptions};

use crate::faults::{ends_equal, executable, log};

/// Makes that cannot tell pieces apart.
const KNOW_SQUARES_ONLY: [&str; 2] = ["pegasus", "sentio"];

/// Boards on the shared line.
const ON_A_LINE: usize = 4;

fn options(dir: &Path, tables: usize) -> VenueOptions {
    VenueOptions {
        tables,
        noise: 1,
        seed: 4,
        tempo: Tempo::Lasting(80_000),
        games: short_games(),
        ending: Ending::Nothing,
        ..VenueOptions::new(executable(), dir)
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_game_on_a_board_of_every_make_ends_in_the_right_pgn() {
    let dir = tempfile::tempdir().expect("a folder");
    let options = VenueOptions {
        families: MAKES.iter().map(ToString::to_string).collect(),
        ..options(dir.path(), MAKES.len())
    };
    let mut venue = Venue::start(options).await.expect("starts");
    for pull in 1..=2 {
        tokio::time::sleep(Duration::from_secs(20)).await;
        pull_all_cables(&mut venue, dir.path(), pull).await;
    }
    ends_equal(&venue, dir.path(), Duration::from_secs(120)).await;
    the_file_holds_every_game(&venue, dir.path(), MAKES).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn games_on_one_line_whose_cable_is_pulled_twice_end_in_the_right_pgn() {
    let dir = tempfile::tempdir().expect("a folder");
    let options = VenueOptions {
        one_line: true,
        ..options(dir.path(), ON_A_LINE)
    };
    let mut venue = Venue::start(options).await.expect("starts");
    for pull in 1..=2 {
        tokio::time::sleep(Duration::from_secs(25)).await;
        // What the boards did meanwhile waits in them.
        venue.tables.unplug(0);
        tokio::time::sleep(Duration::from_millis(1_500)).await;
        venue.tables.replug(0, "line-1");
        all_are_back(&venue, dir.path(), pull, ON_A_LINE).await;
    }
    ends_equal(&venue, dir.path(), Duration::from_secs(120)).await;
    the_file_holds_every_game(&venue, dir.path(), &["dgtbus"; ON_A_LINE]).await;
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
    all_are_back(venue, dir, pull, MAKES.len()).await;
    held.iter().for_each(|table| venue.tables.go_on(*table));
}

async fn all_are_back(venue: &Venue, dir: &Path, pull: u32, boards: usize) {
    let back = |seen: &Seen| seen.back(pull) >= boards;
    let all = venue.observer.wait(Duration::from_secs(45), back).await;
    let found = venue.observer.seen().found.clone();
    assert!(
        all,
        "pull {pull}: not every board is found again: {found:?}\n{}",
        log(dir, "agent-1.log")
    );
}

/// The players agree to draws: now the last moves stand in the file too, although nobody answered them.
async fn the_arbiter_enters_results(venue: &Venue) {
    let login = venue.login("arbiter", Role::Arbiter).expect("made");
    let arbiter = Observer::start(&login, "mk", &["desk/table/+", "desk/answer/mk"]);
    let tables = venue.tables.len();
    let shown = |seen: &Seen| seen.tables.len() == tables;
    assert!(arbiter.wait(Duration::from_secs(30), shown).await);
    for table in 1..=u16::try_from(tables).expect("few") {
        let order = Order {
            client: "mk".parse().expect("a name"),
            id: table.into(),
            by: "MK".to_owned(),
            preview: false,
            basis: None,
            note: String::new(),
            body: OrderBody::Result {
                table: TableId(table),
                result: GameResult::Draw,
                how: ResultHow::Agreed,
                confirm: true,
                signed: BySide::default(),
            },
        };
        arbiter.order(&order).await.expect("sent");
    }
    let answered = |seen: &Seen| seen.answers.len() == tables;
    let all = arbiter.wait(Duration::from_secs(30), answered).await;
    assert!(all, "{:?}", arbiter.seen().answers);
}

async fn the_file_holds_every_game(venue: &Venue, dir: &Path, makes: &[&str]) {
    the_arbiter_enters_results(venue).await;
    let file = dir.join("hub/feeds/round-1.pgn");
    let text = || std::fs::read_to_string(&file).unwrap_or_default();
    for _ in 0..100 {
        if text().matches("[Result \"1/2-1/2\"]").count() == makes.len() {
            break;
        }
        tokio::time::sleep(Duration::from_millis(100)).await;
    }
    let pgn = text();
    let games: Vec<_> = agent::simulate::hands::read_games(&pgn)
        .into_iter()
        .map(|game| game.expect("a legal game"))
        .collect();
    assert_eq!(games.len(), makes.len(), "{pgn}");
    for (table, (make, game)) in makes.iter().zip(&games).enumerate() {
        let truth = venue.tables.truth(table);
        let played: Vec<&str> = truth.plies.iter().map(|ply| ply.uci.as_str()).collect();
        let written: Vec<String> = game
            .moves
            .iter()
            .map(|played| played.to_uci(game.castling).to_string())
            .collect();
        let number = TableId(u16::try_from(table + 1).expect("few"));
        let seen = venue.observer.seen();
        let record: Vec<String> = seen.tables[&number]
            .record
            .iter()
            .map(|ply| match &ply.played {
                Played::Legal(uci) => uci.clone(),
                Played::Irregular { words, .. } => words.clone(),
            })
            .collect();
        assert_eq!(written, record, "{make} at table {number}:\n{pgn}");
        // Two captures may leave the same squares occupied: such a doubt was said, with what was played among its choices.
        if !KNOW_SQUARES_ONLY.contains(make) {
            assert_eq!(written, played, "{make} at table {number}:\n{pgn}");
        }
    }
}
