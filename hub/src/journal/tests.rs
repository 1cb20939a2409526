//! The journal as its user sees it: what was acknowledged is read again, whatever happened to the file in between.

use std::fs;
use std::io;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use super::writer::{FileTail, Tail};
use super::*;

fn record(number: u64) -> Record {
    Record {
        number,
        payload: format!("event number {number}").into_bytes(),
    }
}

fn config(folder: &Path) -> JournalConfig {
    JournalConfig {
        folder: folder.join("journal"),
        segment_bytes: 700,
    }
}

fn reopen(config: &JournalConfig) -> (Vec<u64>, Opened) {
    let mut numbers = Vec::new();
    let opened = Journal::open(config, None, |r: Record| {
        assert_eq!(r.payload, record(r.number).payload);
        numbers.push(r.number);
    })
    .expect("opens");
    (numbers, opened)
}

async fn written(config: &JournalConfig, from: u64, to: u64) -> Place {
    let (_, opened) = reopen(config);
    let appender = opened.journal.appender();
    let mut place = opened.end;
    for number in from..=to {
        place = appender
            .append(vec![record(number)])
            .await
            .expect("written");
    }
    opened.journal.close();
    place
}

fn files(config: &JournalConfig) -> Vec<std::path::PathBuf> {
    let mut files: Vec<_> = fs::read_dir(&config.folder)
        .expect("folder")
        .map(|e| e.expect("entry").path())
        .filter(|p| p.extension().is_some_and(|e| e == "journal"))
        .collect();
    files.sort();
    files
}

#[tokio::test]
async fn what_was_written_is_read_again_over_many_segments() {
    let folder = tempfile::tempdir().expect("folder");
    let config = config(folder.path());
    written(&config, 1, 40).await;
    assert!(files(&config).len() > 3);
    let (numbers, opened) = reopen(&config);
    assert_eq!(numbers, (1..=40).collect::<Vec<_>>());
    assert_eq!(opened.findings.damage, []);
    assert_eq!(opened.end.number, 40);
}

#[tokio::test]
async fn reading_goes_on_from_a_remembered_place() {
    let folder = tempfile::tempdir().expect("folder");
    let config = config(folder.path());
    for at in [0, 1, 9, 10, 11, 20] {
        let place = written(&config, 1 + at * 100, at * 100 + at).await;
        written(&config, place.number + 1, place.number + 3).await;
        let mut numbers = Vec::new();
        let opened = Journal::open(&config, Some(&place), |r: Record| numbers.push(r.number))
            .expect("opens");
        assert!(opened.resumed, "{place:?}");
        assert_eq!(
            numbers,
            (place.number + 1..=place.number + 3).collect::<Vec<_>>()
        );
        drop(opened);
        fs::remove_dir_all(&config.folder).expect("fresh");
    }
}

#[tokio::test]
async fn a_place_that_is_not_there_means_reading_everything() {
    let folder = tempfile::tempdir().expect("folder");
    let config = config(folder.path());
    let mut place = written(&config, 1, 5).await;
    place.number = 4;
    let mut numbers = Vec::new();
    let opened =
        Journal::open(&config, Some(&place), |r: Record| numbers.push(r.number)).expect("opens");
    assert!(!opened.resumed);
    assert_eq!(numbers, [1, 2, 3, 4, 5]);
}

#[tokio::test]
async fn a_tail_torn_at_any_byte_loses_only_the_torn_event() {
    let folder = tempfile::tempdir().expect("folder");
    let config = JournalConfig {
        segment_bytes: 1 << 20,
        ..config(folder.path())
    };
    let place = written(&config, 1, 3).await;
    let file = files(&config).remove(0);
    let whole = fs::read(&file).expect("bytes");
    let end = usize::try_from(place.offset).expect("small");
    assert_eq!(whole.len(), end);
    for cut in end - 49..end {
        for zeroed in [false, true] {
            let mut bytes = whole[..cut].to_vec();
            if zeroed {
                bytes.resize(end, 0);
            }
            fs::write(&file, &bytes).expect("torn");
            let (numbers, opened) = reopen(&config);
            assert_eq!(numbers, [1, 2], "cut at {cut}");
            assert!(!opened.findings.is_loss());
            drop(opened);
            written(&config, 3, 4).await;
            assert_eq!(reopen(&config).0, [1, 2, 3, 4], "cut at {cut}");
        }
    }
    let torn = fs::read_dir(&config.folder).expect("folder");
    let torn = torn.filter(|e| {
        e.as_ref()
            .is_ok_and(|e| e.path().extension().is_some_and(|x| x == "torn"))
    });
    assert!(torn.count() > 40, "torn pieces are kept");
}

#[tokio::test]
async fn damage_in_the_middle_is_said_and_the_rest_is_read() {
    let folder = tempfile::tempdir().expect("folder");
    let config = config(folder.path());
    written(&config, 1, 40).await;
    let file = files(&config).remove(1);
    let whole = fs::read(&file).expect("bytes");
    for (at, length) in [(200, 1), (180, 150), (44, 10), (0, 44), (0, 300)] {
        let mut bytes = whole.clone();
        bytes[at..at + length].fill(0xA5);
        fs::write(&file, &bytes).expect("damaged");
        let (numbers, opened) = reopen(&config);
        assert!(opened.findings.is_loss(), "{at} {length}");
        assert!(
            numbers.len() >= 30 && numbers.contains(&1) && numbers.contains(&40),
            "{at}"
        );
        assert!(numbers.is_sorted_by(|a, b| a < b));
        let missing = 40 - numbers.len() as u64;
        let said: u64 = opened.findings.damage.iter().map(missing_in).sum();
        assert_eq!(said, missing, "{:?}", opened.findings.damage);
    }
}

#[tokio::test]
async fn damage_before_the_place_where_reading_began_is_found_while_the_journal_is_written_on() {
    let folder = tempfile::tempdir().expect("folder");
    let config = config(folder.path());
    let place = written(&config, 1, 60).await;
    let whole = check_before(&config.folder, &place).expect("reads");
    assert_eq!((whole.events, whole.damage.len()), (60, 0));
    let later = written(&config, 61, 90).await;
    let before = check_before(&config.folder, &place).expect("reads");
    assert_eq!((before.events, before.damage.len()), (60, 0));
    let first = &files(&config)[0];
    let mut bytes = std::fs::read(first).expect("segment");
    bytes[80] ^= 0x40;
    std::fs::write(first, bytes).expect("written");
    let found = check_before(&config.folder, &later).expect("reads");
    assert!(found.is_loss(), "{found:?}");
    assert!(found.events >= 87, "{found:?}");
}

fn missing_in(damage: &Damage) -> u64 {
    match damage {
        Damage::Missing { first, last } => last - first + 1,
        _ => 0,
    }
}

#[tokio::test]
async fn a_segment_taken_away_or_exchanged_shows() {
    let folder = tempfile::tempdir().expect("folder");
    let config = config(folder.path());
    written(&config, 1, 40).await;
    let file = files(&config).remove(1);
    let whole = fs::read(&file).expect("bytes");
    fs::remove_file(&file).expect("removed");
    let (numbers, opened) = reopen(&config);
    let said: u64 = opened.findings.damage.iter().map(missing_in).sum();
    assert_eq!(numbers.len() as u64 + said, 40);
    drop(opened);

    let mut forged = Vec::new();
    let mut chain = [7; 16];
    let header = segment::Header::parse(&whole).expect("header");
    forged.extend(header.bytes());
    for number in header.first..header.first + numbers_in(&whole) {
        chain = frame::write(&mut forged, &chain, &record(number));
    }
    fs::write(&file, forged).expect("forged");
    let (numbers, opened) = reopen(&config);
    assert_eq!(numbers.len(), 40, "well-formed records are read");
    assert!(
        opened
            .findings
            .damage
            .iter()
            .any(|d| matches!(d, Damage::ChainBroken { .. }))
    );
}

fn numbers_in(segment: &[u8]) -> u64 {
    let mut at = segment::HEADER;
    let mut count = 0;
    while let Some(framed) = frame::read(segment, at) {
        at = framed.next;
        count += 1;
    }
    count
}

#[tokio::test]
async fn two_hubs_cannot_have_one_journal() {
    let folder = tempfile::tempdir().expect("folder");
    let config = config(folder.path());
    let (_, first) = reopen(&config);
    let second = Journal::open(&config, None, |_| ());
    assert!(matches!(second, Err(JournalError::InUse { .. })));
    drop(first);
    assert!(Journal::open(&config, None, |_| ()).is_ok());
}

/// A disk that refuses while the flag is up, after having written half.
struct FullDisk {
    file: FileTail,
    full: Arc<AtomicBool>,
}

impl Tail for FullDisk {
    fn open(&mut self, path: &Path, at: u64) -> io::Result<()> {
        self.file.open(path, at)
    }

    fn write_durable(&mut self, bytes: &[u8]) -> io::Result<()> {
        if self.full.load(Ordering::Acquire) {
            self.file.write_durable(&bytes[..bytes.len() / 2])?;
            return Err(io::ErrorKind::StorageFull.into());
        }
        self.file.write_durable(bytes)
    }
}

fn open_on(config: &JournalConfig, tail: FullDisk) -> Result<Opened, JournalError> {
    let lock = Lock::take(&config.folder)?;
    Journal::open_on(config, lock, None, &mut |_| (), Box::new(tail))
}

#[tokio::test]
async fn a_full_disk_delays_and_says_so_and_loses_nothing() {
    let folder = tempfile::tempdir().expect("folder");
    let config = config(folder.path());
    let full = Arc::new(AtomicBool::new(false));
    let tail = FullDisk {
        file: FileTail::default(),
        full: Arc::clone(&full),
    };
    let opened = open_on(&config, tail).expect("opens");
    let appender = opened.journal.appender();
    appender.append(vec![record(1)]).await.expect("room");
    full.store(true, Ordering::Release);
    let waiting: Vec<_> = (2..30)
        .map(|n| {
            let appender = appender.clone();
            (n, async move { appender.append(vec![record(n)]).await })
        })
        .collect();
    let mut tasks = Vec::new();
    for (_, append) in waiting {
        tasks.push(tokio::spawn(append));
        tokio::task::yield_now().await;
    }
    let mut state = appender.state();
    let stuck = state.wait_for(|s| matches!(s, JournalState::Stuck { .. }));
    stuck.await.expect("said");
    tokio::time::sleep(Duration::from_millis(300)).await;
    assert!(tasks.iter().all(|t| !t.is_finished()), "nobody is answered");
    full.store(false, Ordering::Release);
    for task in tasks {
        task.await.expect("task").expect("written in the end");
    }
    assert_eq!(*appender.state().borrow(), JournalState::Well);
    opened.journal.close();
    let (numbers, opened) = reopen(&config);
    assert_eq!(numbers, (1..30).collect::<Vec<_>>());
    assert_eq!(opened.findings.damage, []);
}

#[tokio::test]
async fn closing_while_the_disk_refuses_answers_nobody() {
    let folder = tempfile::tempdir().expect("folder");
    let config = config(folder.path());
    let tail = FullDisk {
        file: FileTail::default(),
        full: Arc::new(AtomicBool::new(true)),
    };
    let opened = open_on(&config, tail).expect("opens");
    let appender = opened.journal.appender();
    let waiting = tokio::spawn(async move { appender.append(vec![record(1)]).await });
    tokio::task::yield_now().await;
    tokio::task::spawn_blocking(move || opened.journal.close())
        .await
        .expect("closes");
    assert!(matches!(
        waiting.await.expect("task"),
        Err(JournalError::Closed)
    ));
    assert_eq!(reopen(&config).0, [] as [u64; 0]);
}
