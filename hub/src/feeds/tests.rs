//! Every feed against its golden folder in `hub/src/feeds/golden/` (`GOLDEN=write` rewrites it), and what must hold for all of them.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use protocol::{GameResult, HallBoard, HallState, Player, TableId, Timestamp};

use super::{Delivery, FEEDS, FeedsConfig, Subject};
use crate::web::example::{board, released};

/// A round of three: one in play, one drawn, one that waits.
fn round() -> Vec<Subject> {
    let mut playing = board(&["e4", "e5", "Nf3", "Nc6", "Bc4"]);
    (playing.table, playing.game) = (TableId(1), "r5-t1".parse().expect("an id"));
    playing.settled_ply = 4;
    playing.began = Some(Timestamp(1_795_957_200_000));
    for (ply, (clock, spent)) in
        playing
            .moves
            .iter_mut()
            .zip([(5_425, 5), (5_420, 10), (5_390, 65), (5_395, 55)])
    {
        (ply.clock_ms, ply.spent_ms) = (Some(clock * 1000), Some(spent * 1000));
    }
    playing.players.white = Player {
        title: Some("GM".into()),
        federation: Some("NGR".into()),
        fide_id: Some(1_500_001),
        ..playing.players.white
    };
    let mut drawn = board(&["d4", "d5"]);
    (drawn.table, drawn.game) = (TableId(2), "r5-t2".parse().expect("an id"));
    (drawn.state, drawn.result) = (HallState::Over, Some(GameResult::Draw));
    let mut waiting = board(&[]);
    (waiting.table, waiting.game) = (TableId(3), "r5-t3".parse().expect("an id"));
    (waiting.state, waiting.clock) = (HallState::Waiting, None);
    [playing, drawn, waiting]
        .map(|b| Arc::new(released(b)))
        .into()
}

/// Every feed switched on.
pub(super) fn everything() -> FeedsConfig {
    toml::from_str(
        r#"
        [livechess_folder]
        enabled = true
        [livechess_cloud]
        enabled = true
        id = "lyon"
        country = "FR"
        [results]
        enabled = true
        [[lichess]]
        name = "A"
        round = "abcdEFGH"
        token_file = "/etc/zeitnot/lichess"
        boards = "1-2"
        [[webhook]]
        name = "club"
        url = "https://club.example/boards"
        "#,
    )
    .expect("reads")
}

fn deliveries(boards: &[Subject]) -> Vec<(String, String)> {
    let config = everything();
    let mut all = Vec::new();
    for feed in FEEDS {
        for target in feed.targets(&config) {
            for delivery in feed.deliveries(boards, &config, &target) {
                all.push(match delivery {
                    Delivery::File { path, content } => {
                        (format!("{}/{path}", feed.name()), content)
                    }
                    Delivery::Joined {
                        path,
                        before,
                        after,
                    } => (
                        format!("{}/{path}", feed.name()),
                        format!("{before}N{after}\n"),
                    ),
                    Delivery::Post(post) => (
                        format!("{}/{}", feed.name(), post.about.replace(' ', "-")),
                        format!(
                            "POST {}\n{}\n\n{}",
                            post.url, post.content_type, post.content
                        ),
                    ),
                });
            }
        }
    }
    all
}

#[test]
fn every_feed_says_what_its_golden_folder_says() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/feeds/golden");
    let all = deliveries(&round());
    let mut differ = Vec::new();
    for (name, content) in &all {
        let path = folder.join(name);
        if std::env::var_os("GOLDEN").is_some() {
            std::fs::create_dir_all(path.parent().expect("a folder")).expect("made");
            std::fs::write(&path, content).expect("written");
        }
        if std::fs::read_to_string(&path).ok().as_ref() != Some(content) {
            differ.push(path);
        }
    }
    assert!(differ.is_empty(), "GOLDEN=write rewrites them: {differ:?}");
    let want: Vec<PathBuf> = all.iter().map(|(name, _)| folder.join(name)).collect();
    let strange: Vec<PathBuf> = files(&folder)
        .into_iter()
        .filter(|f| !want.contains(f))
        .collect();
    assert!(strange.is_empty(), "{strange:?}");
}

fn files(folder: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(folder).expect("golden files").flatten();
    let below = |path: PathBuf| {
        if path.is_dir() {
            files(&path)
        } else {
            vec![path]
        }
    };
    entries.flat_map(|e| below(e.path())).collect()
}

#[test]
fn the_list_of_feeds_is_sorted_and_every_feed_has_a_name_of_its_own() {
    let names: Vec<&str> = FEEDS.iter().map(|f| f.name()).collect();
    let mut sorted = names.clone();
    sorted.sort_unstable();
    sorted.dedup();
    assert_eq!(names, sorted);
}

#[test]
fn without_boards_nothing_is_delivered() {
    assert_eq!(deliveries(&[]), []);
}

/// The keys of the folder, level by level, as LiveChess 2.2 writes them.
#[test]
fn the_livechess_folder_has_the_names_and_keys_of_the_original() {
    let all = deliveries(&round());
    let json = |name: &str| -> serde_json::Value {
        let (_, text) = all
            .iter()
            .find(|(path, _)| path == &format!("livechess-folder/livechess/{name}"))
            .expect(name);
        serde_json::from_str(text).expect("JSON")
    };
    let keys = |value: &serde_json::Value| -> Vec<String> {
        value
            .as_object()
            .expect("an object")
            .keys()
            .cloned()
            .collect()
    };
    let tournament = json("tournament.json");
    assert_eq!(keys(&tournament), ["id", "name", "rounds"]);
    assert_eq!(tournament["rounds"].as_array().map(Vec::len), Some(5));
    assert_eq!(keys(&tournament["rounds"][4]), ["count", "live"]);
    assert_eq!(
        (
            &tournament["rounds"][4]["count"],
            &tournament["rounds"][4]["live"]
        ),
        (&3.into(), &2.into())
    );
    let index = json("round-5/index.json");
    assert_eq!(keys(&index), ["pairings"]);
    let pairing = &index["pairings"][0];
    assert_eq!(keys(pairing), ["black", "live", "result", "white"]);
    assert_eq!(
        keys(&pairing["white"]),
        ["federation", "fname", "lname", "mname", "title"]
    );
    assert!(
        all.iter()
            .any(|(path, _)| path == "livechess-folder/livechess/round-5/game-3.pgn")
    );
    assert!(
        all.iter()
            .any(|(path, _)| path == "livechess-folder/livechess/round-5/games.pgn")
    );
}

#[test]
fn a_move_that_is_not_sure_is_in_no_delivery_for_the_world() {
    for (name, content) in deliveries(&round()) {
        let of_the_hall = name.starts_with("webhook/");
        assert!(of_the_hall || !content.contains("Bc4"), "{name}: {content}");
    }
}

#[test]
fn more_than_a_hundred_games_are_pushed_in_parts() {
    let many = |n: u16| {
        let mut one: HallBoard = board(&["e4"]);
        one.table = TableId(n);
        Arc::new(released(one))
    };
    let boards: Vec<Subject> = (1..=230).map(many).collect();
    let mut config = everything();
    config.lichess[0].boards.clear();
    let feed = FEEDS.iter().find(|f| f.name() == "lichess").expect("there");
    let target = feed.targets(&config).remove(0);
    let games = |delivery: &Delivery| match delivery {
        Delivery::Post(post) => post.content.matches("[Event ").count(),
        _ => 0,
    };
    let parts: Vec<usize> = feed
        .deliveries(&boards, &config, &target)
        .iter()
        .map(games)
        .collect();
    assert_eq!(parts, [100, 100, 30]);
}
