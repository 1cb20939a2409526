//! The commands as a person types them.

use std::path::Path;
use std::process::{Child, Command, Output, Stdio};
use std::time::{Duration, Instant};

use agent::simulate::whole::{MAKES, family_of};

fn agent(arguments: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_zeitnot-agent"));
    command
        .args(arguments)
        .env_remove("ZEITNOT_CREDENTIALS")
        .env("HOME", "/nonexistent");
    command.output().expect("the program runs")
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

/// A board as a device in a folder, until it is dropped.
struct Board(Child);

impl Board {
    fn start(dir: &Path, arguments: &[&str]) -> Board {
        let mut command = Command::new(env!("CARGO_BIN_EXE_zeitnot-agent"));
        command
            .args(["simulate", "--pty"])
            .arg(dir)
            .args(arguments)
            .stdout(Stdio::null());
        let board = Board(command.spawn().expect("the program runs"));
        let until = Instant::now() + Duration::from_secs(60);
        while std::fs::symlink_metadata(dir.join("table-1")).is_err() {
            assert!(Instant::now() < until, "no device appeared");
            std::thread::sleep(Duration::from_millis(50));
        }
        board
    }
}

impl Drop for Board {
    fn drop(&mut self) {
        let _ended = self.0.kill().and_then(|()| self.0.wait());
    }
}

/// e2e4 with its press on a DGT board at the initial array, as raw bytes.
fn short_game() -> Vec<u8> {
    let mut bytes = vec![0x86, 0x00, 0x43];
    let back = [8, 9, 10, 12, 11, 10, 9, 8];
    bytes.extend(back);
    bytes.extend([7; 8]);
    bytes.extend([0; 32]);
    bytes.extend([1; 8]);
    bytes.extend([2, 3, 4, 6, 5, 4, 3, 2]);
    let clock =
        |status: u8, left: [u8; 3]| [0x8d, 0, 0x0a, 0, 0x05, 0, left[0], left[1], left[2], status];
    bytes.extend(clock(0x09, [0, 0x05, 0]));
    bytes.extend([0x8e, 0, 5, 0x34, 0, 0x8e, 0, 5, 0x24, 1]);
    bytes.extend(clock(0x09, [0, 0x04, 0x58]));
    bytes.extend(clock(0x13, [0, 0x04, 0x58]));
    bytes.extend(clock(0x13, [0, 0x04, 0x58]));
    bytes
}

#[test]
fn a_recording_is_replayed_as_facts_moves_and_pgn() {
    let dir = tempfile::tempdir().expect("a place");
    let path = dir.path().join("short.bin");
    std::fs::write(&path, short_game()).expect("written");
    let path = path.to_str().expect("plain");
    assert_eq!(
        text(&agent(&["replay", path, "--format", "uci"]).stdout),
        "e2e4\n"
    );
    let pgn = text(&agent(&["replay", path, "--format", "pgn"]).stdout);
    assert!(pgn.contains("\n1. e4 {[%clk 0:04:58]} *\n"), "{pgn}");
    let facts = text(&agent(&["replay", path]).stdout);
    let kinds: Vec<String> = facts
        .lines()
        .map(|line| serde_json::from_str::<serde_json::Value>(line).expect("JSON"))
        .map(|v| v["fact"].as_str().expect("named").to_owned())
        .collect();
    for kind in ["dump", "reading", "squares", "made", "press", "completed"] {
        assert!(kinds.iter().any(|k| k == kind), "{kind} in {kinds:?}");
    }
}

#[test]
fn every_frame_is_decoded_and_noise_is_called_garbage() {
    let dir = tempfile::tempdir().expect("a place");
    let path = dir.path().join("noise.bin");
    std::fs::write(&path, [&[0x31, 0x32][..], &short_game()].concat()).expect("written");
    let out = text(&agent(&["decode", path.to_str().expect("plain"), "--family", "dgt"]).stdout);
    let first = out.lines().next().expect("a line");
    assert!(first.contains("garbage"), "{first}");
    assert_eq!(out.lines().count(), 1 + 7, "{out}");
}

fn record(dir: &Path, table: usize, make: &str) -> Child {
    let mut command = Command::new(env!("CARGO_BIN_EXE_zeitnot-agent"));
    command
        .args([
            "record",
            "--for",
            "22",
            "--family",
            family_of(make),
            "--port",
        ])
        .arg(dir.join(format!("table-{}", table + 1)))
        .arg("-o")
        .arg(dir.join(format!("{make}.cap")))
        .env("HOME", "/nonexistent");
    command.spawn().expect("the program runs")
}

#[test]
fn a_board_of_every_make_is_recorded_decoded_and_replayed() {
    let dir = tempfile::tempdir().expect("a place");
    let makes = MAKES;
    let (tables, families) = (makes.len().to_string(), makes.join(","));
    let how = ["--lasting", "60", "--noise", "0", "--tables", &tables];
    let _boards = Board::start(dir.path(), &[&how[..], &["--family", &families]].concat());
    let recorders: Vec<Child> = (0..makes.len())
        .map(|table| record(dir.path(), table, makes[table]))
        .collect();
    for (mut recorder, make) in recorders.into_iter().zip(makes) {
        assert!(recorder.wait().expect("it ends").success(), "{make}");
    }
    for make in makes {
        let cap = dir.path().join(format!("{make}.cap"));
        let cap = cap.to_str().expect("plain");
        let frames = text(&agent(&["decode", cap]).stdout);
        let kinds: Vec<String> = frames
            .lines()
            .map(|line| serde_json::from_str::<serde_json::Value>(line).expect("JSON"))
            .map(|frame| frame["kind"].as_str().expect("named").to_owned())
            .collect();
        assert!(kinds.len() > 3, "{make}: {frames}");
        // Some boards talk all the time: the recording begins and ends in the middle of a frame.
        let is_whole = |kind: &String| !["garbage", "filler"].contains(&kind.as_str());
        let first = kinds.iter().position(is_whole).expect("a frame");
        let last = kinds.iter().rposition(is_whole).expect("a frame");
        let between = &kinds[first..=last];
        assert!(!between.contains(&"garbage".to_owned()), "{make}: {frames}");
        let moves = text(&agent(&["replay", cap, "--format", "uci"]).stdout);
        assert!(moves.split_whitespace().count() >= 3, "{make}: {moves:?}");
    }
}

#[test]
fn a_board_is_listed_recorded_and_its_recording_replays() {
    let dir = tempfile::tempdir().expect("a place");
    let _board = Board::start(dir.path(), &["--lasting", "15", "--noise", "0"]);
    let port = format!("{}/table-*", dir.path().display());
    let listed = text(&agent(&["list", "--port", &port, "--json"]).stdout);
    let entry = listed
        .lines()
        .find(|line| line.contains("table-1"))
        .expect("listed");
    assert_eq!(
        serde_json::from_str::<serde_json::Value>(entry).expect("JSON")["access"],
        "open"
    );
    let cap = dir.path().join("board.cap");
    let cap = cap.to_str().expect("plain");
    let recorded = agent(&["record", "--port", &port, "-o", cap, "--for", "12"]);
    assert!(recorded.status.success(), "{}", text(&recorded.stderr));
    assert_eq!(text(&recorded.stderr), "", "silent in a pipe");
    let moves = text(&agent(&["replay", cap, "--format", "uci"]).stdout);
    assert!(moves.split_whitespace().count() >= 4, "{moves:?}");
}

#[test]
fn a_recorded_board_is_a_device_like_any_other() {
    let dir = tempfile::tempdir().expect("a place");
    let path = dir.path().join("short.bin");
    std::fs::write(&path, short_game()).expect("written");
    let boards = dir.path().join("boards");
    let _board = Board::start(
        &boards,
        &["--capture", path.to_str().expect("plain"), "--speed", "2"],
    );
    let port = format!("{}/table-1", boards.display());
    let state = dir.path().join("state");
    std::fs::create_dir(&state).expect("made");
    let config = dir.path().join("agent.toml");
    std::fs::write(&config, format!("state = {state:?}\nports = [{port:?}]\n")).expect("written");
    let checked = agent(&[
        "doctor",
        "--config",
        config.to_str().expect("plain"),
        "--json",
    ]);
    let said = text(&checked.stdout);
    assert!(
        said.contains("serial 00001") && said.contains("A20"),
        "{said}"
    );
    assert!(checked.status.success(), "{said}");
}

#[test]
fn mistakes_are_told_with_a_code_and_a_way_out() {
    let dir = tempfile::tempdir().expect("a place");
    let bad = dir.path().join("bad.cap");
    std::fs::write(&bad, "family dgt\n5 86\n4 00\n").expect("written");
    let bad = bad.to_str().expect("plain");
    let file = |name: &str, bytes: &[u8]| {
        let path = dir.path().join(name);
        std::fs::write(&path, bytes).expect("written");
        path.to_str().expect("plain").to_owned()
    };
    let torn = file(
        "torn.cap",
        b"0 91 00 08 30 31 30 32 35\n5 93 00 05 01 08\n9 8e 0",
    );
    let told = agent(&["decode", &torn]);
    assert!(told.status.success() && text(&told.stderr).contains("A63"));
    assert_eq!(text(&told.stdout).lines().count(), 2);
    let empty = file("empty.bin", b"");
    let heading = file("heading.cap", b"family dgt\n");
    let noise = file("noise.bin", &[0x31, 0x07, 0xFF, 0xFE, 0x12].repeat(40));
    let chance: Vec<u8> = (0..40_000_u32)
        .map(|at| (at.wrapping_mul(2_654_435_761) >> 13) as u8)
        .collect();
    let chance = file("chance.bin", &[&b"\nN\nT\n"[..], &chance].concat());
    let rows: [(&[&str], i32, &str); 17] = [
        (&["replay", &chance, "--family", "ucb"], 2, "A62"),
        (&["replay", &chance, "--family", "citrine"], 2, "A62"),
        (&["decode", &chance, "--family", "ucb"], 2, "A62"),
        (&["infer", &chance], 2, "A23"),
        (&["replay", &empty], 2, "A61"),
        (&["decode", &heading], 2, "A61"),
        (&["replay", &noise], 2, "A62"),
        (
            &["replay", &noise, "--family", "certabo", "--format", "pgn"],
            2,
            "A62",
        ),
        (&["replay", "/nonexistent.bin"], 2, "A21"),
        (&["replay", bad], 2, "A22"),
        (&["replay", &torn, "--speed", "0"], 2, "A29"),
        (&["list", "--port", "0403:6001:"], 2, "A10"),
        (&["decode", "/dev/null", "--family", "unheard-of"], 2, "A04"),
        (&["run", "--config", "/nonexistent.toml"], 2, "A01"),
        (
            &["record", "--port", "/nonexistent/x", "-o", "/dev/null"],
            1,
            "A13",
        ),
        (&["simulate", "--tables", "2"], 2, "A30"),
        (&["run", "--port", "COM3"], 2, "A10"),
    ];
    for (arguments, code, said) in rows {
        let out = agent(arguments);
        let words = text(&out.stderr);
        assert_eq!(out.status.code(), Some(code), "{arguments:?}: {words}");
        assert!(
            words.contains(said) && words.contains("help:"),
            "{arguments:?}: {words}"
        );
    }
}

#[test]
fn noise_is_decoded_as_noise_and_said_to_be_nothing_else() {
    let dir = tempfile::tempdir().expect("a place");
    let path = dir.path().join("noise.hex");
    std::fs::write(&path, "90 81 00 08 00 00 b5 00 08 91").expect("written");
    let out = agent(&["decode", path.to_str().expect("plain"), "--family", "dgt"]);
    let frames = text(&out.stdout);
    assert!(
        frames.lines().all(|line| line.contains("garbage")),
        "{frames}"
    );
    let words = text(&out.stderr);
    assert_eq!(out.status.code(), Some(2), "a script should notice");
    assert!(words.contains("A62") && words.contains("--family"));
}

#[test]
fn what_is_installed_is_shown_first() {
    let dir = tempfile::tempdir().expect("a place");
    let shown = text(&agent(&["doctor", "--install"]).stdout);
    assert!(
        shown.contains("idVendor") && shown.contains("DeviceAllow=char-ttyACM rw"),
        "{shown}"
    );
    let root = dir.path().to_str().expect("plain");
    assert!(
        agent(&["doctor", "--install", "--yes", "--root", root])
            .status
            .success()
    );
    assert!(
        dir.path()
            .join("etc/udev/rules.d/70-eboards.rules")
            .is_file()
    );
    assert!(
        dir.path()
            .join("etc/systemd/system/zeitnot-agent.service")
            .is_file()
    );
}

#[test]
fn the_families_are_listed_and_the_configuration_printed() {
    let out = text(&agent(&["list", "--supported"]).stdout);
    assert!(out.contains("dgt") && out.contains("9600 baud"), "{out}");
    assert!(!out.contains(" 0 baud"), "{out}");
    let readme = concat!(env!("CARGO_MANIFEST_DIR"), "/../README.md");
    let readme = std::fs::read_to_string(readme).expect("a README");
    assert!(readme.contains(&out), "the README's table is not\n{out}");
    let out = text(&agent(&["run", "--print-config", "--port", "0403:6001"]).stdout);
    assert!(out.contains("0403:6001"), "{out}");
}

/// A Chessnut board as the kernel would list it.
const USB_BOARD: &str = "P: /devices/pci0000:00/0000:00:14.0/usb1/1-1
N: bus/usb/001/011=12010002
E: DEVNAME=/dev/bus/usb/001/011
E: DEVTYPE=usb_device
E: SUBSYSTEM=usb
A: busnum=1\\n
A: devnum=11\\n
A: idProduct=8100\\n
A: idVendor=2d80\\n
A: product=Chessnut Air\\n
A: serial=CN0007\\n

";

#[test]
fn a_usb_board_is_listed_with_its_serial_number_where_umockdev_can_pretend_one() {
    let dir = tempfile::tempdir().expect("a place");
    let board = dir.path().join("board.umockdev");
    std::fs::write(&board, USB_BOARD).expect("written");
    let mut command = Command::new("umockdev-run");
    command
        .arg(format!("--device={}", board.display()))
        .args(["--", env!("CARGO_BIN_EXE_zeitnot-agent"), "list", "--json"])
        .env("HOME", "/nonexistent");
    let Ok(out) = command.output() else {
        println!("skipped: umockdev is not installed");
        return;
    };
    let listed = text(&out.stdout);
    let found = listed.lines().find(|line| line.contains("CN0007"));
    let found = found.unwrap_or_else(|| panic!("{listed}{}", text(&out.stderr)));
    let entry: serde_json::Value = serde_json::from_str(found).expect("JSON");
    assert_eq!(entry["families"], serde_json::json!(["chessnut"]));
    assert_eq!(entry["access"], "not-listed", "nobody allowed it");
}
