//! Programs of others read what we write: pgn-extract, python-chess, Chromium. Where one is not installed its check says so.

use std::path::{Path, PathBuf};
use std::process::Command;

/// pgn-extract checks every move and complains on standard error.
pub(crate) fn pgn_extract_is_content_with(file: &Path) {
    let program = ["/usr/games/pgn-extract", "/usr/bin/pgn-extract"]
        .into_iter()
        .find(|p| Path::new(p).exists());
    let Some(program) = program else {
        println!("skipped: pgn-extract is not installed");
        return;
    };
    let output = Command::new(program)
        .args(["-r", "-s"])
        .arg(file)
        .output()
        .expect("runs");
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(said.trim().is_empty(), "pgn-extract: {said}");
}

const PYTHON: &str = "
import sys, chess.pgn
games = plies = clocks = 0
with open(sys.argv[1], encoding='utf-8') as f:
    while (game := chess.pgn.read_game(f)) is not None:
        assert not game.errors, game.errors
        marker = game.headers['Result']
        assert [tag for tag in game.headers if tag != 'ePGN'][:7] == ['Event', 'Site', 'Date', 'Round', 'White', 'Black', 'Result'], game.headers
        games += 1
        for node in game.mainline():
            plies += 1
            clocks += node.clock() is not None
print(games, plies, clocks)
";

/// python-chess finds this many games, so many half-moves where they are known, nearly each with its clock, and no error.
pub(crate) fn python_chess_reads(file: &Path, games: usize, plies: Option<usize>) {
    let present = Command::new("python3")
        .args(["-c", "import chess.pgn"])
        .output()
        .is_ok_and(|o| o.status.success());
    if !present {
        println!("skipped: python-chess is not installed");
        return;
    }
    let output = Command::new("python3")
        .args(["-c", PYTHON])
        .arg(file)
        .output()
        .expect("runs");
    let said = String::from_utf8_lossy(&output.stdout);
    let complaint = String::from_utf8_lossy(&output.stderr);
    let numbers: Vec<usize> = said
        .split_whitespace()
        .filter_map(|n| n.parse().ok())
        .collect();
    let plies = plies.unwrap_or(numbers.get(1).copied().unwrap_or(0));
    assert_eq!(numbers[..2], [games, plies], "{complaint}");
    assert!(
        numbers[2] * 5 >= plies * 4,
        "most moves have their time, blitz as it is: {said}"
    );
}

/// chess.js and chessops find every game and every half-move of these files.
pub(crate) fn javascript_reads(files: &[PathBuf], games: usize) {
    let wanted = ["chess.js@1.4.0", "chessops@0.15.1"];
    let Some(folder) = crate::node::packages("readers", &wanted) else {
        return;
    };
    let paths: Vec<&str> = files.iter().filter_map(|f| f.to_str()).collect();
    let output = crate::node::run(&folder, include_str!("node/readers.cjs"), &paths);
    let complaint = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{complaint}");
    let said = String::from_utf8_lossy(&output.stdout);
    let found = said.split_whitespace().next().and_then(|n| n.parse().ok());
    assert_eq!(found, Some(games), "{said}");
}

/// Odd names and results, Chess960, positions, irregular half-moves: the hub's own golden files, in every form that leaves it.
#[test]
fn every_reader_reads_every_form_of_odd_games() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../hub/src/feeds/pgn/golden");
    let files = pgn_files(&folder);
    let count = |file: &PathBuf| {
        let text = std::fs::read_to_string(file).expect("a golden file");
        let marker = ["1-0", "0-1", "1/2-1/2", "*"];
        let ends = |line: &&str| marker.iter().any(|m| line.ends_with(m)) && !line.starts_with('[');
        (
            text.matches("[Event ").count(),
            text.lines().filter(ends).count(),
        )
    };
    let mut all = 0;
    for file in &files {
        let (games, ends) = count(file);
        assert_eq!(games, ends, "every game ends: {}", file.display());
        pgn_extract_is_content_with(file);
        python_chess_reads(file, games, None);
        all += games;
    }
    assert!(files.len() == 4 && all > 65, "{files:?}");
    javascript_reads(&files, all);
}

/// Every PGN file below a folder, by name.
pub(crate) fn pgn_files(folder: &Path) -> Vec<PathBuf> {
    let mut files = Vec::new();
    for entry in std::fs::read_dir(folder).into_iter().flatten().flatten() {
        let path = entry.path();
        if path.is_dir() {
            files.extend(pgn_files(&path));
        } else if path.extension().is_some_and(|kind| kind == "pgn") {
            files.push(path);
        }
    }
    files.sort();
    files
}

/// What a browser makes of an address once its script has begun; none where there is no browser.
pub(crate) fn browser_sees(address: &str) -> Option<String> {
    let program = ["/usr/bin/chromium", "/usr/bin/chromium-browser"]
        .into_iter()
        .find(|p| Path::new(p).exists());
    let Some(program) = program else {
        println!("skipped: Chromium is not installed");
        return None;
    };
    let profile = tempfile::tempdir().expect("a folder");
    let flags = [
        "--headless",
        "--no-sandbox",
        "--disable-gpu",
        "--disable-background-networking",
        "--no-first-run",
    ];
    let output = Command::new("timeout")
        .args(["60", program])
        .args(flags)
        .arg(format!("--user-data-dir={}", profile.path().display()))
        .args(["--dump-dom", address])
        .output()
        .expect("runs");
    Some(String::from_utf8_lossy(&output.stdout).into_owned())
}
