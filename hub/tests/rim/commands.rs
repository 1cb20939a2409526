//! The commands as a person types them.

use std::fs;
use std::io::{BufRead, BufReader};
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::process::{Child, Command, Output, Stdio};

const HEADERS: &str = "[Event \"Lyon Open\"]\n[Round \"5\"]\n[Board \"3\"]\n[White \"Okafor, T\"]\n[Black \"Kuznetsova, A\"]\n[Result \"*\"]\n\n*\n";

fn command(data: &Path, words: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_zeitnot-hub"));
    command
        .args(words)
        .env("ZEITNOT_DATA", data)
        .env("ZEITNOT_MQTT_LISTEN", "127.0.0.1:0")
        .env("ZEITNOT_HTTP_LISTEN", "127.0.0.1:0")
        .env("ZEITNOT_LOG", "error");
    command
}

fn run(data: &Path, words: &[&str]) -> (i32, String, String) {
    let Output {
        status,
        stdout,
        stderr,
    } = command(data, words).output().expect("it runs");
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).expect("UTF-8");
    (
        status.code().expect("an exit code"),
        text(stdout),
        text(stderr),
    )
}

/// Starts the daemon and waits until it says where everything is.
fn daemon(data: &Path) -> (Child, serde_json::Value) {
    let mut child = command(data, &["run", "--json"])
        .stdout(Stdio::piped())
        .spawn()
        .expect("it starts");
    let mut line = String::new();
    let out = child.stdout.take().expect("piped");
    BufReader::new(out).read_line(&mut line).expect("a line");
    (child, serde_json::from_str(&line).expect("JSON"))
}

fn terminate(mut child: Child) -> Option<i32> {
    let id = child.id().to_string();
    Command::new("kill")
        .args(["-TERM", &id])
        .status()
        .expect("kill runs");
    child.wait().expect("it ends").code()
}

#[test]
fn wrong_usage_is_2_and_help_is_0() {
    let data = tempfile::tempdir().expect("folder");
    let rows = [
        (&["--help"][..], 0),
        (&["run", "--help"], 0),
        (&["fly"], 2),
        (&["run", "--speed", "9"], 2),
        (&["credentials", "add", "x", "--role", "king"], 2),
        (&["verify", "--data", "/nonexistent"], 1),
        (&["run", "--config", "/nonexistent"], 2),
        (&["import", "/nonexistent"], 1),
    ];
    for (words, want) in rows {
        let (code, _, stderr) = run(data.path(), words);
        assert_eq!(code, want, "{words:?}: {stderr}");
        assert!(
            want != 1 || (stderr.starts_with("error[H") && stderr.contains("help:")),
            "{stderr}"
        );
    }
}

#[test]
fn a_hub_starts_with_nothing_and_says_where_everything_is() {
    let folder = tempfile::tempdir().expect("folder");
    let data = folder.path().join("new");
    let (child, place) = daemon(&data);
    assert!(
        place["broker"]
            .as_str()
            .is_some_and(|b| b.starts_with("mqtt://127.0.0.1:"))
    );
    assert!(
        place["wall"][0]["url"]
            .as_str()
            .is_some_and(|w| w.starts_with("http://127.0.0.1:"))
    );
    let arbiter = data.join("credentials/local-arbiter.toml");
    let mode = fs::metadata(arbiter).expect("made").permissions().mode();
    assert_eq!(mode & 0o777, 0o600);
    let (code, _, stderr) = run(&data, &["run"]);
    assert_eq!(code, 1);
    assert!(stderr.starts_with("error[H11]"), "{stderr}");
    assert_eq!(terminate(child), Some(0));
    let (code, stdout, _) = run(&data, &["verify"]);
    assert_eq!(code, 0, "{stdout}");
    assert!(
        stdout.contains("ok    journal") && stdout.contains("ok    snapshot"),
        "{stdout}"
    );
    let (code, stdout, _) = run(&data, &["doctor", "--json"]);
    assert_eq!(code, 0, "{stdout}");
    assert!(
        stdout
            .lines()
            .all(|l| serde_json::from_str::<serde_json::Value>(l).is_ok())
    );
}

#[test]
fn a_damaged_journal_fails_verify_and_names_what_is_gone() {
    let folder = tempfile::tempdir().expect("folder");
    let data = folder.path().join("new");
    for _ in 0..3 {
        terminate(daemon(&data).0);
    }
    let file = data.join("journal/00000001.journal");
    let mut bytes = fs::read(&file).expect("journal");
    bytes[60] ^= 1;
    fs::write(&file, bytes).expect("written");
    let (code, stdout, _) = run(&data, &["verify"]);
    assert_eq!(code, 1);
    assert!(stdout.contains("H15") && stdout.contains("H16"), "{stdout}");
    let (code, stdout, _) = run(&data, &["doctor"]);
    assert_eq!(code, 1, "{stdout}");
}

#[test]
fn a_snapshot_of_events_that_the_journal_lost_is_not_written_over() {
    let folder = tempfile::tempdir().expect("folder");
    let data = folder.path().join("new");
    terminate(daemon(&data).0);
    fs::remove_file(data.join("journal/00000001.journal")).expect("lost");
    assert_eq!(run(&data, &["verify"]).0, 1);
    terminate(daemon(&data).0);
    assert!(
        data.join("store.broken-1").is_dir(),
        "the last trace is kept"
    );
    assert_eq!(run(&data, &["verify"]).0, 0);
}

#[test]
fn pairings_are_understood_checked_and_exported() {
    let folder = tempfile::tempdir().expect("folder");
    let data = folder.path().join("new");
    let file = folder.path().join("round5.pgn");
    fs::write(&file, HEADERS).expect("written");
    let file = file.display().to_string();
    let (code, stdout, _) = run(&data, &["import", &file, "--dry-run", "--json"]);
    let round: serde_json::Value = serde_json::from_str(&stdout).expect("JSON");
    assert_eq!((code, &round["round"]), (0, &5.into()));
    assert_eq!(
        round["tables"][0]["players"]["black"]["name"],
        "Kuznetsova, A"
    );
    assert!(!data.exists(), "a dry run writes nothing");
    let (code, _, stderr) = run(&data, &["import", &file]);
    assert!(
        code == 1 && stderr.starts_with("error[H57]"),
        "no hub has run there: {stderr}"
    );
    assert!(!data.exists(), "nothing is made");
    fs::create_dir(&data).expect("made");
    fs::write(data.join("hub.toml"), "").expect("written");
    assert_eq!(run(&data, &["import", &file]).0, 0);
    let (code, stdout, _) = run(&data, &["check"]);
    assert_eq!(code, 0, "{stdout}");
    assert!(stdout.contains("round 5: 1 tables"), "{stdout}");
    let (child, _) = daemon(&data);
    for _ in 0..100 {
        std::thread::sleep(std::time::Duration::from_millis(50));
        if data.join("rounds/round-005.taken").exists() {
            break;
        }
    }
    assert_eq!(terminate(child), Some(0));
    let (code, pgn, _) = run(&data, &["export", "--round", "5"]);
    assert_eq!(code, 0);
    assert!(
        pgn.starts_with("[Event \"Lyon Open\"]") && pgn.contains("[White \"Okafor, T\"]"),
        "{pgn}"
    );
    assert!(run(&data, &["export", "--round", "4"]).1.trim().is_empty());
    let case = ["export", "--round", "5", "--format", "casefile"];
    let (code, _, stderr) = run(&data, &case);
    assert!(
        code == 1 && stderr.contains("no game has a move yet"),
        "{stderr}"
    );
    let (code, page, _) = run(&data, &[&case[..], &["--table", "3"]].concat());
    assert_eq!(code, 0);
    assert!(page.starts_with("<!doctype html>"), "{page}");
    assert!(
        page.contains("White can mate") && page.contains("Black can mate"),
        "{page}"
    );
    assert!(page.matches("<svg").count() > 2, "{page}");
    let (code, _, stderr) = run(&data, &["export", "--table", "4"]);
    assert!(code == 1 && stderr.starts_with("error[H79]"), "{stderr}");
    let (code, _, stderr) = run(&data, &["export", "--format", "trf16"]);
    assert_eq!(code, 1);
    assert!(stderr.contains("H70"), "{stderr}");
}

#[test]
fn what_is_no_folder_of_a_hub_is_refused_and_what_makes_no_sense_is_not_imported() {
    let folder = tempfile::tempdir().expect("folder");
    let file = |name: &str, content: &str| {
        let path = folder.path().join(name);
        fs::write(&path, content).expect("written");
        path.display().to_string()
    };
    let good = file("good.csv", "table,white,black\n1,A,B\n");
    let twice = "table,white,black,device\n5,A,B,dgt-00001\n6,C,D,dgt-00001\n";
    let twice = file("twice.csv", twice);
    let mistyped = folder.path().join("vneue");
    let data = folder.path().join("venue");
    fs::create_dir(&data).expect("made");
    fs::write(data.join("hub.toml"), "").expect("written");
    let add = ["credentials", "add", "x", "--role", "agent"];
    let rows = [
        (&mistyped, &["import", good.as_str()][..], "H57"),
        (&mistyped, &add, "H57"),
        (&data, &["import", &twice], "the same board"),
        (&data, &["import", &good, "--round", "0"], "H26"),
    ];
    for (data, words, said) in rows {
        let (code, _, stderr) = run(data, words);
        assert_eq!(code, 1, "{words:?} {stderr}");
        assert!(stderr.starts_with("error"), "{stderr}");
        assert!(
            stderr.contains(said) && stderr.contains("help:"),
            "{stderr}"
        );
        assert!(!mistyped.exists() && !data.join("rounds").exists());
    }
    let (code, stdout, _) = run(&mistyped, &["doctor"]);
    assert!(code == 1 && stdout.contains("H57"), "{stdout}");
    assert_eq!(run(&data, &["import", &good]).0, 0);
}

#[test]
fn credentials_come_and_go() {
    let data = tempfile::tempdir().expect("folder");
    fs::create_dir(data.path().join("journal")).expect("a hub has run here");
    let file = data.path().join("hall-3.toml").display().to_string();
    let add = ["credentials", "add", "hall-3", "--role", "agent"];
    let nowhere = data
        .path()
        .join("no/such/folder.toml")
        .display()
        .to_string();
    let (code, _, stderr) = run(data.path(), &[&add[..], &["-o", &nowhere]].concat());
    assert_eq!(code, 1);
    assert!(stderr.starts_with("error[H50]"), "{stderr}");
    let (code, stdout, _) = run(data.path(), &[&add[..], &["-o", &file]].concat());
    assert_eq!(code, 0, "the name is still free: {stdout}");
    let made = fs::read_to_string(&file).expect("made");
    assert!(
        made.contains("role = \"agent\"") && !stdout.contains("token"),
        "{made}"
    );
    let (code, _, stderr) = run(data.path(), &add);
    assert_eq!(code, 1);
    assert!(stderr.starts_with("error[H53]"), "{stderr}");
    assert!(
        run(data.path(), &["credentials", "list"])
            .1
            .contains("agent       hall-3")
    );
    assert!(
        run(data.path(), &["credentials", "acl"])
            .1
            .contains("user hall-3")
    );
    assert_eq!(run(data.path(), &["credentials", "revoke", "hall-3"]).0, 0);
    assert_eq!(run(data.path(), &["credentials", "list"]).1, "");
}

#[test]
fn feeds_are_listed_paused_and_resumed_and_topics_are_printed() {
    let data = tempfile::tempdir().expect("folder");
    for words in [
        &["list"][..],
        &["list", "--json"],
        &["pause", "pgn"],
        &["resume", "pgn"],
    ] {
        let (code, out, err) = run(data.path(), &[&["feeds"], words].concat());
        let refused = code == 1 && out.is_empty() && err.starts_with("error[H63]");
        assert!(
            refused && err.contains("--data DIR"),
            "{words:?}: {out}{err}"
        );
        let left = std::fs::read_dir(data.path()).expect("folder").count();
        assert_eq!(left, 0, "{words:?} leaves nothing in a folder of others");
    }
    std::fs::write(data.path().join("hub.toml"), "").expect("a hub's folder");
    let (code, out, _) = run(data.path(), &["feeds", "list"]);
    assert!(code == 0 && out.starts_with("well    pgn"), "{out}");
    let (_, _, err) = run(data.path(), &["feeds", "list"]);
    let folder = data.path().display().to_string();
    assert!(
        err.contains(&format!("no hub has run in {folder} yet")),
        "{err}"
    );
    let home = tempfile::tempdir().expect("folder");
    let nowhere = command(data.path(), &["feeds", "list"])
        .env_remove("ZEITNOT_DATA")
        .env("HOME", home.path())
        .env_remove("XDG_DATA_HOME")
        .env_remove("XDG_CONFIG_HOME")
        .output()
        .expect("it runs");
    let err = String::from_utf8_lossy(&nowhere.stderr).into_owned();
    assert!(
        nowhere.status.code() == Some(1) && err.contains("[H63]") && err.contains("--data DIR"),
        "{err}"
    );
    let wrong = data.path().join("wrong");
    let (code, _, err) = run(&wrong, &["feeds", "pause", "pgn"]);
    assert!(
        code == 1 && err.contains("[H63]") && !wrong.exists(),
        "{err}"
    );
    let ended = tempfile::tempdir().expect("folder");
    std::fs::create_dir(ended.path().join("journal")).expect("made");
    let (code, _, err) = run(ended.path(), &["feeds", "list"]);
    assert!(code == 1 && err.contains("is not running"), "{err}");
    let rows = [
        (&["feeds", "pause", "pgn"][..], 0, "pgn paused"),
        (&["feeds", "list"], 0, "paused  pgn"),
        (&["feeds", "resume", "pgn"], 0, "pgn goes on"),
        (&["feeds", "list", "--json"], 0, "\"paused\":false"),
        (&["asyncapi"], 0, "\"asyncapi\": \"3.0.0\""),
    ];
    for (words, want, said) in rows {
        let (code, out, err) = run(data.path(), words);
        assert!(code == want && out.contains(said), "{words:?}: {out} {err}");
    }
    let (code, _, err) = run(data.path(), &["feeds", "pause", "nothing"]);
    assert!(
        code == 1 && err.contains("[H62]") && err.contains("help: use one of: pgn"),
        "{err}"
    );
}
