//! `cargo bench -p agent --bench outage`: a day without the hub, twenty boards in play all the time: the size on disk, the time to
//! write and to drain it, and whether anything is lost or out of order when the agent is killed in the middle of draining.

use std::collections::BTreeMap;
use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Command, ExitCode, Stdio};
use std::time::Instant;

use agent::outbox::{DEFAULT_QUOTA, Outbox};
use protocol::{
    Ack, Boot, BySide, ClockReading, DeviceId, Envelope, Fact, Flag, Played, Seq, Side, Timestamp,
    decode,
};

const BOARDS: u64 = 20;
/// Facts of a board in a day: a reading every five seconds, and six facts for a half-move every forty.
const READINGS: u64 = 24 * 3600 / 5;
const EACH_MOVE: u64 = 8;
/// Facts appended between two looks at the disk.
const AT_ONCE: u64 = 2_000;
/// In the environment of the process that is killed: the folder.
const FOLDER: &str = "OUTAGE_FOLDER";

fn main() -> ExitCode {
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .expect("a runtime");
    if let Some(folder) = std::env::var_os(FOLDER) {
        let mut out = std::io::stdout();
        runtime.block_on(drain(Path::new(&folder), "second", |device, seq| {
            writeln!(out, "{device} {seq}").expect("the other end reads");
        }));
        return ExitCode::SUCCESS;
    }
    let folder = std::env::temp_dir().join(format!("zeitnot-outage-{}", std::process::id()));
    let began = Instant::now();
    let facts = runtime.block_on(fill(&folder));
    println!(
        "{facts} facts of {BOARDS} boards in {:.1} s, {:.1} MB on disk",
        began.elapsed().as_secs_f64(),
        size(&folder) as f64 / 1e6
    );
    let acknowledged = killed_in_the_middle(&folder, facts / 2);
    println!(
        "killed when {} were acknowledged",
        acknowledged.values().sum::<Seq>()
    );
    let whole = runtime.block_on(the_rest(&folder, &acknowledged, facts / BOARDS));
    let left = size(&folder);
    std::fs::remove_dir_all(&folder).expect("our own folder");
    println!(
        "{}, {left} bytes left on disk",
        if whole {
            "nothing lost, order kept"
        } else {
            "FACTS LOST OR OUT OF ORDER"
        }
    );
    ExitCode::from(u8::from(!whole))
}

async fn fill(folder: &Path) -> u64 {
    let (outbox, thread) =
        Outbox::open(folder.to_owned(), boot("first"), DEFAULT_QUOTA).expect("a folder");
    let mut seq = 0;
    for round in 0..READINGS {
        for fact in facts(round) {
            seq += 1;
            for board in 0..BOARDS {
                outbox.append(&device(board), &envelope(seq, fact.clone()));
            }
        }
        if round.is_multiple_of(AT_ONCE / BOARDS) {
            let _written = outbox.device(&device(0)).await;
        }
    }
    outbox.stop();
    thread.join();
    assert_eq!(outbox.overflowed(), 0, "the disk kept up");
    seq * BOARDS
}

/// Drains until nothing waits; says every fact that was acknowledged, in order.
async fn drain(folder: &Path, name: &str, mut got: impl FnMut(&DeviceId, Seq)) {
    let (outbox, thread) =
        Outbox::open(folder.to_owned(), boot(name), DEFAULT_QUOTA).expect("a folder");
    while outbox
        .devices()
        .iter()
        .any(|(_, backlog)| backlog.waiting > 0)
    {
        let mut last: BTreeMap<DeviceId, Ack> = BTreeMap::new();
        for sent in outbox.next(512).await {
            let envelope: Envelope = decode(&sent.payload).expect("our own words");
            got(&sent.device, envelope.seq);
            let ack = Ack {
                agent: envelope.agent,
                boot: envelope.boot,
                seq: envelope.seq,
            };
            last.insert(sent.device, ack);
        }
        last.into_iter()
            .for_each(|(device, ack)| outbox.ack(&device, ack));
    }
    outbox.stop();
    thread.join();
}

/// A process of its own drains and is killed; the last number of each board that it acknowledged.
fn killed_in_the_middle(folder: &Path, after: u64) -> BTreeMap<String, Seq> {
    let mut child = Command::new(std::env::current_exe().expect("we run"))
        .env(FOLDER, folder)
        .stdout(Stdio::piped())
        .spawn()
        .expect("we can run again");
    let lines = BufReader::new(child.stdout.take().expect("piped")).lines();
    let mut last = BTreeMap::new();
    for (count, line) in (0..).zip(lines.map_while(Result::ok)) {
        if count == after {
            child.kill().expect("it runs");
        }
        if let Some((device, seq)) = line.split_once(' ') {
            last.insert(device.to_owned(), seq.parse().unwrap_or(0));
        }
    }
    child.wait().expect("it ended");
    last
}

/// Whether every board goes on where it was, without a hole, to its last fact.
async fn the_rest(folder: &Path, acknowledged: &BTreeMap<String, Seq>, each: Seq) -> bool {
    let mut at: BTreeMap<String, Seq> = BTreeMap::new();
    let mut whole = true;
    let (began, mut count) = (Instant::now(), 0_u64);
    drain(folder, "third", |device, seq| {
        let name = device.to_string();
        let known = acknowledged.get(&name).copied().unwrap_or(0);
        whole &= at
            .insert(name, seq)
            .map_or(seq <= known + 1, |last| seq == last + 1);
        count += 1;
    })
    .await;
    let seconds = began.elapsed().as_secs_f64();
    println!(
        "{count} drained in {seconds:.1} s: {:.0} a second",
        count as f64 / seconds
    );
    whole && at.len() as u64 == BOARDS && at.values().all(|last| *last == each)
}

fn facts(round: u64) -> Vec<Fact> {
    let clock = reading(round);
    let ply = u32::try_from(round / EACH_MOVE + 1).unwrap_or(1);
    let mut facts = vec![Fact::Reading(clock)];
    if round.is_multiple_of(EACH_MOVE) {
        let squares = |text: &str| Fact::Squares {
            changes: vec![(text[..2].parse().expect("a square"), text.chars().nth(2))],
        };
        facts.extend([
            squares("g1"),
            squares("f3N"),
            Fact::Made {
                ply,
                played: Played::Legal("g1f3".to_owned()),
                by: Side::White,
                certainty: 0.72,
                squares: vec![
                    "g1".parse().expect("a square"),
                    "f3".parse().expect("a square"),
                ],
                after_ms: 0,
            },
            Fact::Press {
                by: Side::White,
                clock,
            },
            Fact::Completed {
                ply,
                pressed: true,
                clock: Some(clock),
            },
            Fact::Settled { ply },
        ]);
    }
    facts
}

fn reading(round: u64) -> ClockReading {
    let left = 5_400_000 - round * 1000 % 5_000_000;
    ClockReading {
        time: BySide {
            white: left,
            black: left,
        },
        running: Some(Side::White),
        turn: Some(Side::White),
        flag: BySide {
            white: Flag::Up,
            black: Flag::Up,
        },
        bonus_sign: BySide {
            white: true,
            black: true,
        },
        battery_low: false,
    }
}

fn envelope(seq: Seq, fact: Fact) -> Envelope {
    Envelope {
        agent: "hall-a".parse().expect("a name"),
        boot: boot("first"),
        seq,
        at: Timestamp(1_764_500_000_000 + i64::try_from(seq).unwrap_or(0) * 5_000),
        offset: Some(-12),
        fact,
    }
}

fn boot(name: &str) -> Boot {
    name.parse().expect("a name")
}

fn device(board: u64) -> DeviceId {
    format!("dgt-{:05}", board + 1).parse().expect("an id")
}

fn size(folder: &Path) -> u64 {
    let files = std::fs::read_dir(folder).expect("our own folder");
    files
        .filter_map(|file| file.ok()?.metadata().ok())
        .map(|meta| meta.len())
        .sum()
}
