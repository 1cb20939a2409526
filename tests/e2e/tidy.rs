//! The shape of the house: which rooms are pure, which arrows exist. Rows of data; a room that is added gets its row.

use std::path::{Path, PathBuf};

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .parent()
        .expect("the workspace")
        .to_owned()
}

/// Every Rust file at or below a path of the workspace.
fn rust_files(place: &str) -> Vec<PathBuf> {
    let path = root().join(place);
    if path.is_file() {
        return vec![path];
    }
    let Ok(entries) = std::fs::read_dir(&path) else {
        return Vec::new();
    };
    let mut files = Vec::new();
    for entry in entries.flatten() {
        let below = entry.path();
        if below.is_dir() {
            files.extend(rust_files(
                below
                    .strip_prefix(root())
                    .expect("below root")
                    .to_str()
                    .expect("UTF-8"),
            ));
        } else if below.extension().is_some_and(|e| e == "rs") {
            files.push(below);
        }
    }
    files
}

/// Lines of code that hold one of the words; comments do not count.
fn lines_with(place: &str, words: &[&str]) -> Vec<String> {
    let mut hits = Vec::new();
    for file in rust_files(place) {
        let text = std::fs::read_to_string(&file).expect("readable");
        for (number, line) in text.lines().enumerate() {
            let code = line.split("//").next().unwrap_or("");
            if words.iter().any(|word| code.contains(word)) {
                let name = file.strip_prefix(root()).expect("below root").display();
                hits.push(format!("{name}:{}: {}", number + 1, line.trim()));
            }
        }
    }
    hits
}

/// Rooms without sockets, files, threads or a clock: time is an argument.
const PURE: &[&str] = &[
    "protocol/src",
    "agent/src/devices",
    "agent/src/session",
    "agent/src/simulate/dgt",
    "agent/src/simulate/far_end.rs",
    "agent/src/simulate/hands",
    "agent/src/simulate/uart.rs",
    "agent/src/simulate/whole",
    "agent/src/tracker",
    "agent/src/wall/sign.rs",
    "hub/src/alerts",
    "hub/src/asyncapi",
    "hub/src/feeds/delivery.rs",
    "hub/src/feeds/lichess.rs",
    "hub/src/feeds/livechess.rs",
    "hub/src/feeds/livechess_api/documents.rs",
    "hub/src/feeds/livechess_cloud.rs",
    "hub/src/feeds/livechess_folder.rs",
    "hub/src/feeds/mod.rs",
    "hub/src/feeds/pgn",
    "hub/src/feeds/pgn_files.rs",
    "hub/src/feeds/results.rs",
    "hub/src/feeds/webhook.rs",
    "hub/src/game",
    "hub/src/laws",
    "hub/src/rounds",
    "hub/src/rulings",
    "hub/src/venue",
    "hub/src/views",
    "hub/src/web/board_svg.rs",
    "hub/src/web/frame.rs",
    "hub/src/web/overlay.rs",
    "hub/src/web/page.rs",
    "hub/src/web/projector.rs",
    "hub/src/web/qr.rs",
    "hub/src/web/standings.rs",
    "hub/src/web/tables.rs",
    "hub/src/web/teams.rs",
    "hub/src/web/words.rs",
    "tests/src/hall",
    "tests/src/scenario",
    "tui/src/dialogs",
    "tui/src/screens",
    "tui/src/widgets",
];

const IMPURE: &[&str] = &[
    "tokio",
    "rumqttc",
    "std::net",
    "std::fs",
    "std::thread",
    "SystemTime::now",
    "Instant::now",
    "Zoned::now",
    "Timestamp::now",
];

#[test]
fn pure_rooms_name_no_socket_file_thread_or_clock() {
    for room in PURE {
        let files = rust_files(room);
        let alone = root().join(format!("{room}.rs"));
        assert!(
            !files.is_empty() || alone.is_file(),
            "{room} is not there: mend the list"
        );
        let mut hits = lines_with(room, IMPURE);
        if alone.is_file() {
            hits.extend(lines_with(&format!("{room}.rs"), IMPURE));
        }
        assert!(hits.is_empty(), "{room} is pure, but:\n{}", hits.join("\n"));
    }
}

/// (from, words it may not use, why).
const NO_ARROW: &[(&str, &[&str], &str)] = &[
    (
        "agent/src",
        &["hub::", "tui::"],
        "agent, hub and tui only share the protocol",
    ),
    (
        "hub/src",
        &["agent::", "tui::"],
        "agent, hub and tui only share the protocol",
    ),
    (
        "tui/src",
        &["agent::", "hub::"],
        "agent, hub and tui only share the protocol",
    ),
    (
        "agent/src/devices",
        &["crate::ports", "crate::tracker", "crate::session"],
        "devices know bytes, nothing above",
    ),
    (
        "agent/src/tracker",
        &[
            "crate::ports",
            "crate::session",
            "crate::link",
            "crate::outbox",
            "crate::supervisor",
        ],
        "core to rim",
    ),
    (
        "agent/src/session",
        &[
            "crate::ports",
            "crate::link",
            "crate::outbox",
            "crate::supervisor",
        ],
        "core to rim",
    ),
    (
        "hub/src/laws",
        &[
            "crate::game",
            "crate::venue",
            "crate::alerts",
            "crate::views",
        ],
        "the Laws know no game record",
    ),
    (
        "hub/src/views/hall.rs",
        &["crate::alerts"],
        "the hall is told nothing of alerts",
    ),
    (
        "hub/src/feeds",
        &["DeskTable", "crate::alerts"],
        "feeds are given released hall boards only",
    ),
    (
        "hub/src/web",
        &["DeskTable", "crate::alerts"],
        "the wall is given released hall boards only",
    ),
    (
        "hub/src/game",
        &[
            "crate::journal",
            "crate::store",
            "crate::broker",
            "crate::web",
            "crate::feeds",
        ],
        "core to rim",
    ),
    (
        "hub/src/venue",
        &[
            "crate::journal",
            "crate::store",
            "crate::broker",
            "crate::web",
        ],
        "core to rim",
    ),
    (
        "hub/src/venue.rs",
        &[
            "crate::journal",
            "crate::store",
            "crate::broker",
            "crate::web",
        ],
        "core to rim",
    ),
    (
        "tui/src/screens",
        &["crate::link", "crate::terminal"],
        "core to rim",
    ),
    (
        "tui/src/widgets",
        &["crate::screens", "crate::link", "crate::terminal"],
        "widgets know no screen",
    ),
];

#[test]
fn arrows_point_down() {
    for (from, words, why) in NO_ARROW {
        let hits: Vec<String> = lines_with(from, words)
            .into_iter()
            .filter(|line| !part_of_a_longer_word(line, words))
            .collect();
        assert!(hits.is_empty(), "{from}: {why}\n{}", hits.join("\n"));
    }
}

/// `user_agent::x` is not `agent::x`.
fn part_of_a_longer_word(line: &str, words: &[&str]) -> bool {
    words.iter().all(|word| {
        line.match_indices(word).all(|(at, _)| {
            line[..at]
                .chars()
                .next_back()
                .is_some_and(|c| c.is_alphanumeric() || c == '_' || c == ':')
        })
    })
}

#[test]
fn the_protocol_depends_on_nothing_that_does_io() {
    let manifest = std::fs::read_to_string(root().join("protocol/Cargo.toml")).expect("manifest");
    let section = manifest
        .split("[dependencies]")
        .nth(1)
        .and_then(|rest| rest.split("\n[").next())
        .expect("dependencies");
    let names: Vec<&str> = section
        .lines()
        .filter_map(|line| line.split(['.', ' ', '=']).next())
        .filter(|n| !n.is_empty())
        .collect();
    assert_eq!(names, ["serde", "serde_json", "shakmaty", "thiserror"]);
}

/// The first level of the house, as `ARCHITECTURE.md` draws it.
#[test]
fn no_other_folder_stands_at_the_top() {
    let known = [
        ".cargo", ".ci", ".git", "agent", "hub", "protocol", "target", "tests", "tui",
    ];
    let entries = std::fs::read_dir(root()).expect("the workspace").flatten();
    let folders = entries
        .filter(|e| e.path().is_dir())
        .map(|e| e.file_name().to_string_lossy().into_owned());
    let strange: Vec<String> = folders
        .filter(|name| !known.contains(&name.as_str()))
        .collect();
    assert!(strange.is_empty(), "{strange:?}");
}
