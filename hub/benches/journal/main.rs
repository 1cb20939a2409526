//! Facts journalled durably a second by 1 to 2,000 hands, and how long a restart takes after a day of 200 tables.

mod day;

use std::path::Path;
use std::time::{Duration, Instant};

use hub::journal::{Appender, Journal, JournalConfig, Place, Record, encode};
use hub::run::recover;
use hub::store::{Snapshot, Store};
use hub::venue::{Event, Venue, VenueConfig};
use tokio::sync::{mpsc, oneshot};

fn main() {
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .worker_threads(2)
        .enable_all()
        .build()
        .expect("a runtime");
    println!("facts journalled (150 bytes each), every one on disk before it is answered:");
    for hands in [1, 10, 100, 2000] {
        runtime.block_on(durable(hands));
    }
    runtime.block_on(restart());
}

/// Appends for two seconds with so many hands at once, gathered and answered as the hub's loop does it.
async fn durable(hands: usize) {
    let folder = tempfile::tempdir().expect("a folder");
    let config = JournalConfig::new(folder.path());
    let opened = Journal::open(&config, None, |_| ()).expect("a new journal");
    let (say, facts) = mpsc::channel(2048);
    let gathering = tokio::spawn(gather(opened.journal.appender(), facts));
    let until = Instant::now() + Duration::from_secs(2);
    let mut tasks = tokio::task::JoinSet::new();
    for _ in 0..hands {
        let say = say.clone();
        tasks.spawn(async move {
            let mut waits = Vec::new();
            while Instant::now() < until {
                let (sign, signed) = oneshot::channel();
                let asked = Instant::now();
                say.send(sign).await.expect("somebody gathers");
                signed.await.expect("written");
                waits.push(asked.elapsed());
            }
            waits
        });
    }
    drop(say);
    let mut waits: Vec<Duration> = tasks.join_all().await.concat();
    gathering.await.expect("gathers to the end");
    waits.sort_unstable();
    let (p50, p99) = (waits[waits.len() / 2], waits[waits.len() * 99 / 100]);
    println!(
        "  {hands:>4} hands  {:>7}/s   p50 {p50:>8.2?}   p99 {p99:>8.2?}",
        waits.len() / 2
    );
}

async fn gather(appender: Appender, mut facts: mpsc::Receiver<oneshot::Sender<()>>) {
    let mut number = 0;
    let mut batch = Vec::with_capacity(512);
    while facts.recv_many(&mut batch, 512).await > 0 {
        let record = |_: &oneshot::Sender<()>| {
            number += 1;
            Record {
                number,
                payload: vec![b'x'; 150],
            }
        };
        let records = batch.iter().map(record).collect();
        appender.append(records).await.expect("open");
        for sign in batch.drain(..) {
            sign.send(()).expect("somebody waits");
        }
    }
}

/// A restart in the evening: from the last snapshot with the most that may follow it, and from the journal alone.
async fn restart() {
    let data = tempfile::tempdir().expect("a folder");
    let mut venue = Venue::new(config());
    let begun = Instant::now();
    let games = day::games(&mut venue, day::TABLES, 200);
    let facts = games.facts;
    println!(
        "{} tables, {facts} facts about moves: {:.1} µs each in the venue, {} events",
        day::TABLES,
        begun.elapsed().as_secs_f64() * 1e6 / facts as f64,
        games.events.len()
    );
    let opened = Journal::open(
        &JournalConfig::new(data.path().join("journal")),
        None,
        |_| (),
    )
    .expect("a new journal");
    let place = write(&opened.journal, &games.events).await;
    let (store, _) = Store::open(&data.path().join("store")).expect("a new store");
    let snapshot = Snapshot::new(place, venue.state().clone());
    let begun = Instant::now();
    store.put_snapshot(&snapshot).expect("room");
    println!("snapshot written in {:.0?}", begun.elapsed());
    drop(store);
    let readings = day::readings(&mut venue, 60_000);
    write(&opened.journal, &readings.events).await;
    opened.journal.close();
    let state = venue.state().clone();
    let (took, replayed) = timed(data.path(), &state);
    println!("restart from the snapshot with {replayed} events after it: {took:.2?}");
    std::fs::remove_dir_all(data.path().join("store")).expect("it was there");
    let (took, replayed) = timed(data.path(), &state);
    let rate = replayed as f64 / took.as_secs_f64();
    println!("restart from the journal alone, {replayed} events: {took:.2?} ({rate:.0}/s)");
}

fn timed(data: &Path, want: &hub::venue::State) -> (Duration, u64) {
    let begun = Instant::now();
    let recovered = recover(data, config()).expect("opens");
    let took = begun.elapsed();
    assert!(
        recovered.venue.state() == want,
        "the state is the one that was"
    );
    (took, recovered.replayed)
}

fn config() -> VenueConfig {
    VenueConfig::new("bench".parse().expect("a name"))
}

async fn write(journal: &Journal, events: &[Event]) -> Place {
    let appender = journal.appender();
    let mut place = None;
    for group in events.chunks(500) {
        let record = |event: &Event| Record {
            number: event.number,
            payload: encode(event),
        };
        let records = group.iter().map(record).collect();
        place = Some(appender.append(records).await.expect("written"));
    }
    place.expect("there were events")
}
