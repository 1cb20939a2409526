//! Every fault for every family, as a person asks for it on the command line: what an agent makes of it.

use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Child, Command, Stdio};

use agent::simulate::whole::MAKES;

const ZEITNOT: &str = env!("CARGO_BIN_EXE_zeitnot-agent");

struct Simulation(Child);

impl Simulation {
    /// Its devices by name, when they are there.
    fn start(dir: &Path, arguments: &[&str], devices: usize) -> (Simulation, Vec<String>) {
        let mut command = Command::new(ZEITNOT);
        command.args(["simulate", "--pty"]).arg(dir).args(arguments);
        let mut child = command.stdout(Stdio::piped()).spawn().expect("it runs");
        let printed = BufReader::new(child.stdout.take().expect("piped"));
        let names = printed.lines().take(devices);
        let names = names.map(|name| name.expect("a line")).collect();
        (Simulation(child), names)
    }
}

impl Drop for Simulation {
    fn drop(&mut self) {
        let _ended = self.0.kill().and_then(|()| self.0.wait());
    }
}

const FAULTS: [&str; 8] = [
    "lost-bytes",
    "noise",
    "split-frames",
    "wrong-speed",
    "restarts",
    "silence",
    "silent-clock",
    "vanishing-port",
];

#[test]
fn every_fault_is_there_for_every_family() {
    let families = [MAKES, &["diyclock"]].concat();
    let (names, count) = (families.join(","), families.len().to_string());
    for fault in FAULTS {
        let dir = tempfile::tempdir().expect("a place");
        let how = ["--fault", fault, "--tables", &count, "--family", &names];
        let (_boards, devices) = Simulation::start(dir.path(), &how, families.len());
        assert_eq!(devices.len(), families.len(), "{fault}");
        assert!(devices.iter().all(|device| Path::new(device).exists()));
    }
    for fault in FAULTS.iter().chain(&["collisions"]) {
        let dir = tempfile::tempdir().expect("a place");
        let how = ["--fault", fault, "--tables", "3", "--family", "dgtbus"];
        let (_boards, devices) = Simulation::start(dir.path(), &how, 1);
        let line = dir.path().join("line-1");
        assert_eq!(devices, [line.to_str().expect("plain")], "{fault}");
    }
}

/// A minute of a board with a fault, recorded, and how much of it nobody understands.
#[test]
fn faults_are_heard_on_the_line() {
    let rows = [
        ("sound", true, false),
        ("lost-bytes", true, true),
        ("noise", true, true),
        ("wrong-speed", false, true),
    ];
    for (fault, words, garbage) in rows {
        let dir = tempfile::tempdir().expect("a place");
        let sound = ["--family", "certabo", "--lasting", "20"];
        let faulty = ["--fault", fault];
        let how = [&sound[..], if fault == "sound" { &[] } else { &faulty }].concat();
        let (_board, devices) = Simulation::start(dir.path(), &how, 1);
        let tape = dir.path().join("tape.cap");
        let tape = tape.to_str().expect("plain");
        let record = ["record", "--family", "certabo", "--for", "6", "-o", tape];
        let recorded = Command::new(ZEITNOT)
            .args(record)
            .args(["--port", &devices[0]])
            .env("HOME", "/nonexistent")
            .output();
        assert_eq!(
            recorded.expect("it runs").status.success(),
            words,
            "{fault}"
        );
        let decoded = Command::new(ZEITNOT).args(["decode", tape]).output();
        let told = String::from_utf8_lossy(&decoded.expect("it runs").stdout).into_owned();
        let kinds: Vec<String> = told
            .lines()
            .map(|line| serde_json::from_str::<serde_json::Value>(line).expect("JSON"))
            .map(|frame| frame["kind"].as_str().expect("named").to_owned())
            .collect();
        let tags = |kind: &String| kind == "tags";
        assert_eq!(kinds.iter().any(tags), words, "{fault}");
        // The recording itself may begin and end in the middle of a frame.
        let inner = &kinds[1..kinds.len() - 1];
        let garbled = inner.iter().any(|kind| kind == "garbage");
        assert_eq!(garbled, garbage, "{fault}: {kinds:?}");
    }
}

#[test]
fn faults_that_cannot_be_are_refused_in_words() {
    let rows: [(&[&str], &str); 4] = [
        (&["--fault", "collisions"], "only boards that share a line"),
        (&["--fault", "gremlins"], "gremlins"),
        (&["--family", "dgtbus,dgt"], "dgtbus alone"),
        (&["--family", "saitek"], "dgtbus"),
    ];
    for (how, words) in rows {
        let refused = Command::new(ZEITNOT)
            .args(["simulate", "--pty", "/nonexistent/boards"])
            .args(how)
            .output();
        let refused = refused.expect("it runs");
        let said = String::from_utf8_lossy(&refused.stderr).into_owned();
        assert_eq!(refused.status.code(), Some(2), "{said}");
        assert!(said.contains(words), "{said}");
    }
}
