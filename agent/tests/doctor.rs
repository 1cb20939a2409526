//! `doctor` against boards that are not well, each behind a port of its own: every cause with its code and a cure.

use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

/// The connector's side first, as a board numbers its squares.
const ARRAY: [u8; 64] = [
    8, 9, 10, 12, 11, 10, 9, 8, 7, 7, 7, 7, 7, 7, 7, 7, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
    0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 1, 1, 1, 2, 3, 4, 6, 5, 4,
    3, 2,
];
const CLOCK: [u8; 10] = [0x8D, 0, 10, 0, 5, 0, 0, 5, 0, 8];
const NO_CLOCK: [u8; 10] = [0x8D, 0, 10, 0, 0, 0, 0, 0, 0, 0x20];

/// What is behind the port.
enum Behind {
    /// A DGT board that says this.
    Says(Vec<u8>),
    /// A virtual board of this make.
    Make(&'static str),
    /// A DGT board that another program reads.
    Held,
    /// Nothing.
    Nothing,
}

/// What is behind it, the family that is configured, the code, the state, and a word of what is told.
type Row = (
    Behind,
    &'static str,
    &'static str,
    &'static str,
    &'static str,
);

fn rows() -> Vec<Row> {
    let says = |squares: [u8; 64], rest: &[&[u8]]| {
        let dump = [&[0x86, 0, 67][..], &squares].concat();
        Behind::Says([&dump[..], &rest.concat()].concat())
    };
    let mut dead = ARRAY;
    (0..8).for_each(|row| dead[row * 8 + 2] = 0);
    let mut turned = ARRAY;
    turned.reverse();
    let lifted = [0x8E, 0, 5, 0x32, 0];
    let put = [0x8E, 0, 5, 0x32, 1];
    let flicker = [&lifted[..], &put].concat().repeat(5);
    let low = [0x8D, 0, 10, 0, 5, 0, 0, 5, 0, 0x0C];
    let noise = [0x31; 12];
    let damaged: Vec<u8> = (0..6).flat_map(|_| [&noise[..], &put].concat()).collect();
    vec![
        (says(ARRAY, &[&CLOCK]), "dgt", "A20", "ok", "speaks"),
        (says(dead, &[&CLOCK]), "dgt", "A52", "fail", "c-file"),
        (says(ARRAY, &[&flicker]), "dgt", "A53", "warn", "c2"),
        (
            says(ARRAY, &[&NO_CLOCK, &NO_CLOCK]),
            "dgt",
            "A55",
            "warn",
            "plugged",
        ),
        (says(ARRAY, &[&low, &low]), "dgt", "A55", "warn", "battery"),
        (says(ARRAY, &[&damaged]), "dgt", "A56", "warn", "damaged"),
        (says(turned, &[&CLOCK]), "dgt", "A57", "ok", "turned"),
        (Behind::Make("chessnut"), "chessnut", "A54", "ok", "88 %"),
        (
            Behind::Make("millennium"),
            "dgt",
            "A59",
            "fail",
            "wrong mode",
        ),
        (
            Behind::Make("certabo"),
            "ichessone",
            "A59",
            "fail",
            "certabo",
        ),
        (Behind::Make("ucb"), "dgt", "A20", "fail", "nobody answers"),
        (Behind::Held, "dgt", "A12", "warn", "held by zeitnot-agent"),
        (Behind::Nothing, "dgt", "A10", "fail", "not plugged in"),
    ]
}

struct Program(Child);

impl Program {
    fn start(arguments: &[&str]) -> Program {
        let mut command = Command::new(env!("CARGO_BIN_EXE_zeitnot-agent"));
        command
            .args(arguments)
            .stdout(Stdio::null())
            .stderr(Stdio::null());
        Program(command.spawn().expect("the program runs"))
    }
}

impl Drop for Program {
    fn drop(&mut self) {
        let _ended = self.0.kill().and_then(|()| self.0.wait());
    }
}

fn wait_for(path: &Path) {
    let until = Instant::now() + Duration::from_secs(60);
    while std::fs::symlink_metadata(path).is_err() {
        assert!(Instant::now() < until, "{} did not appear", path.display());
        std::thread::sleep(Duration::from_millis(50));
    }
}

fn plain(path: &Path) -> &str {
    path.to_str().expect("plain")
}

/// Puts up what is behind a port.
fn put_up(behind: Behind, dir: &Path, port: &Path) -> Vec<Program> {
    let pty = ["simulate", "--pty", plain(dir)];
    let recording = dir.join("said.bin");
    match behind {
        Behind::Nothing => Vec::new(),
        Behind::Says(bytes) => {
            std::fs::write(&recording, bytes).expect("written");
            vec![Program::start(
                &[&pty[..], &["--capture", plain(&recording)]].concat(),
            )]
        }
        Behind::Make(make) => {
            vec![Program::start(
                &[&pty[..], &["--tables", "1", "--family", make]].concat(),
            )]
        }
        Behind::Held => {
            let board = Program::start(&[&pty[..], &["--tables", "1"]].concat());
            wait_for(port);
            let tape = dir.join("tape.cap");
            let holder = Program::start(&["record", "--port", plain(port), "-o", plain(&tape)]);
            wait_for(&tape);
            vec![board, holder]
        }
    }
}

/// The lines of a doctor that looks at one port.
fn examine(behind: Behind, family: &str) -> Vec<serde_json::Value> {
    let is_there = !matches!(behind, Behind::Nothing);
    let dir = tempfile::tempdir().expect("a place");
    let boards: PathBuf = dir.path().join("boards");
    std::fs::create_dir(&boards).expect("made");
    let port = boards.join("table-1");
    let _programs = put_up(behind, &boards, &port);
    if is_there {
        wait_for(&port);
    }
    let (config, state) = (dir.path().join("agent.toml"), dir.path().join("state"));
    let text = format!("state = {state:?}\nports = [{port:?}]\nfamily = {family:?}\n");
    std::fs::write(&config, text).expect("written");
    let mut doctor = Command::new(env!("CARGO_BIN_EXE_zeitnot-agent"));
    doctor.args(["doctor", "--json", "--config", plain(&config)]);
    doctor
        .env_remove("ZEITNOT_CREDENTIALS")
        .env("HOME", "/nonexistent");
    let said = doctor.output().expect("the program runs").stdout;
    let lines = String::from_utf8_lossy(&said).into_owned();
    lines
        .lines()
        .map(|line| serde_json::from_str(line).expect("JSON"))
        .collect()
}

#[test]
fn every_cause_is_named_with_a_cure() {
    let examined: Vec<_> = rows()
        .into_iter()
        .map(|(behind, family, code, state, word)| {
            let doctor = std::thread::spawn(move || examine(behind, family));
            (doctor, code, state, word)
        })
        .collect();
    for (doctor, code, state, word) in examined {
        let checks = doctor.join().expect("it ends");
        let text =
            |check: &serde_json::Value, key: &str| check[key].as_str().unwrap_or("").to_owned();
        let found = checks
            .iter()
            .find(|check| text(check, "code") == code && text(check, "text").contains(word));
        let found = found.unwrap_or_else(|| panic!("{code} {word}: {checks:#?}"));
        assert_eq!(text(found, "state"), state, "{found}");
        let cured = state == "ok" || !text(found, "help").is_empty();
        assert!(cured, "{found}");
    }
}
