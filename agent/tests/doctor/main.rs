//! `doctor` against boards that are not well, each behind a port of its own: every cause with its code and a cure.

mod other_time;

use std::fs::Permissions;
use std::os::unix::fs::{MetadataExt, PermissionsExt};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use agent::simulate::pty::Pty;

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
    /// A virtual board of this make with this fault.
    Faulty(&'static str, &'static str),
    /// A DGT board that another program reads.
    Held,
    /// A DGT board whose port nobody may open.
    Locked,
    /// What a board says to a port of another speed.
    OtherSpeed,
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
    let flat = [0xA0, 0, 12, 9, 0x7F, 0x7F, 5, 17, 0, 21, 42, 2];
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
        (says(ARRAY, &[&flat]), "dgt", "A54", "warn", "9 %"),
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
        (
            Behind::Faulty("dgt", "silent-clock"),
            "dgt",
            "A55",
            "warn",
            "does not answer",
        ),
        (
            Behind::Faulty("dgtbus", "silent-clock"),
            "dgtbus",
            "A55",
            "warn",
            "does not answer",
        ),
        (
            Behind::Faulty("certabo", "wrong-speed"),
            "certabo",
            "A58",
            "fail",
            "none of them",
        ),
        (
            Behind::Make("revelation"),
            "dgt",
            "A55",
            "ok",
            "clock is read",
        ),
        (Behind::Held, "dgt", "A12", "warn", "held by zeitnot-agent"),
        (Behind::Locked, "dgt", "A12", "fail", "permission denied"),
        (Behind::OtherSpeed, "dgt", "A58", "fail", "none of them"),
        (Behind::Nothing, "dgt", "A10", "fail", "not plugged in"),
    ]
}

/// A board whose speed is not the port's: it goes on and on, and nothing of it is a word.
struct OtherSpeed {
    ends: mpsc::Sender<()>,
    says: Option<JoinHandle<()>>,
}

impl OtherSpeed {
    fn start(port: &Path) -> OtherSpeed {
        let pty = Pty::open(port).expect("a device");
        let (ends, ended) = mpsc::channel();
        let says = std::thread::spawn(move || {
            let pause = Duration::from_millis(100);
            while ended.recv_timeout(pause) == Err(RecvTimeoutError::Timeout) {
                pty.read(&mut [0; 64]);
                pty.write(&[0xF8, 0x80, 0x78, 0x00, 0xE6, 0x1E]);
            }
        });
        let says = Some(says);
        OtherSpeed { ends, says }
    }
}

impl Drop for OtherSpeed {
    fn drop(&mut self) {
        let _it_ended = self.ends.send(());
        if let Some(says) = self.says.take() {
            says.join().expect("it ends");
        }
    }
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
fn put_up(behind: &Behind, dir: &Path, port: &Path) -> Vec<Program> {
    let pty = ["simulate", "--pty", plain(dir)];
    let recording = dir.join("said.bin");
    match behind {
        Behind::Nothing | Behind::OtherSpeed => Vec::new(),
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
        Behind::Faulty(make, fault) => {
            let board = ["--tables", "1", "--family", make, "--fault", fault];
            vec![Program::start(&[&pty[..], &board].concat())]
        }
        Behind::Locked => {
            let board = Program::start(&[&pty[..], &["--tables", "1"]].concat());
            wait_for(port);
            let nobody = Permissions::from_mode(0o000);
            std::fs::set_permissions(port, nobody).expect("changed");
            vec![board]
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

/// Root may open everything, unless it leaves that right behind.
fn who_looks(behind: &Behind) -> Command {
    let program = env!("CARGO_BIN_EXE_zeitnot-agent");
    let root = std::fs::metadata("/proc/self").is_ok_and(|own| own.uid() == 0);
    if !(root && matches!(behind, Behind::Locked)) {
        return Command::new(program);
    }
    let mut command = Command::new("setpriv");
    command.args([
        "--inh-caps=-all",
        "--bounding-set=-dac_override,-dac_read_search",
        program,
    ]);
    command
}

/// The lines of a doctor that looks at one port.
fn examine(behind: Behind, family: &str) -> Vec<serde_json::Value> {
    let is_there = !matches!(behind, Behind::Nothing);
    let dir = tempfile::tempdir().expect("a place");
    let boards: PathBuf = dir.path().join("boards");
    std::fs::create_dir(&boards).expect("made");
    let is_line = matches!(behind, Behind::Faulty("dgtbus", _));
    let port = boards.join(if is_line { "line-1" } else { "table-1" });
    let _board = matches!(behind, Behind::OtherSpeed).then(|| OtherSpeed::start(&port));
    let _programs = put_up(&behind, &boards, &port);
    if is_there {
        wait_for(&port);
    }
    let (config, state) = (dir.path().join("agent.toml"), dir.path().join("state"));
    let text = format!("state = {state:?}\nports = [{port:?}]\nfamily = {family:?}\n");
    std::fs::write(&config, text).expect("written");
    let mut doctor = who_looks(&behind);
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

/// What `doctor` says of an agent without boards whose hub is said to be there, and its exit code.
fn examined_with_a_hub_at(port: u16) -> (String, Option<i32>) {
    let dir = tempfile::tempdir().expect("a place");
    let config = dir.path().join("agent.toml");
    let state = dir.path().join("state");
    std::fs::write(&config, format!("state = {state:?}\n")).expect("written");
    let hub = format!("mqtt://agent-1:token@127.0.0.1:{port}");
    let mut doctor = Command::new(env!("CARGO_BIN_EXE_zeitnot-agent"));
    doctor.args(["doctor", "--config", plain(&config), "--hub", &hub]);
    doctor
        .env_remove("ZEITNOT_CREDENTIALS")
        .env("HOME", "/nonexistent");
    let out = doctor.output().expect("the program runs");
    let said = String::from_utf8_lossy(&out.stdout).into_owned();
    (said, out.status.code())
}

#[test]
fn a_hub_that_cannot_be_reached_is_named_with_a_cure() {
    // Nobody listens on a port that was just given back.
    let free = std::net::TcpListener::bind("127.0.0.1:0").expect("a port");
    let port = free.local_addr().expect("bound").port();
    drop(free);
    let (said, code) = examined_with_a_hub_at(port);
    for part in [
        "fail  A03",
        "does not answer",
        "help: is the hub running",
        "A05",
    ] {
        assert!(said.contains(part), "{part}: {said}");
    }
    assert_eq!(code, Some(1));
}

#[test]
fn a_clock_that_differs_from_the_hubs_is_named_with_a_cure() {
    let rows = [
        (0, "ok    A05", ""),
        (-4_000, "ok    A05", ""),
        (7_200_000, "warn  A05", "help: set this machine's clock"),
        (-3_600_000, "warn  A05", "help: set this machine's clock"),
    ];
    for (ahead, state, cure) in rows {
        let (port, hub) = other_time::hub(ahead);
        let (said, _) = examined_with_a_hub_at(port);
        assert!(
            said.contains(state) && said.contains(cure),
            "{ahead}: {said}"
        );
        let told = said
            .split("to the hub ")
            .nth(1)
            .and_then(|rest| rest.split(' ').next());
        let told: i64 = told.and_then(|told| told.parse().ok()).expect("an offset");
        assert!((told - ahead).abs() < 3_000, "{ahead}: {said}");
        hub.join().expect("it ends");
    }
}
