//! Facts journalled durably a second by 1 to 2,000 hands, and how long a restart takes after a day of 200 tables.

use std::sync::Arc;
use std::time::{Duration, Instant};

use hub::journal::{Journal, JournalConfig, Record};
use tokio::sync::Mutex;

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
}

/// Appends for two seconds with so many hands at once.
async fn durable(hands: usize) {
    let folder = tempfile::tempdir().expect("a folder");
    let config = JournalConfig::new(folder.path());
    let opened = Journal::open(&config, None, |_| ()).expect("a new journal");
    let next = Arc::new(Mutex::new(1));
    let until = Instant::now() + Duration::from_secs(2);
    let mut tasks = tokio::task::JoinSet::new();
    for _ in 0..hands {
        let (appender, next) = (opened.journal.appender(), Arc::clone(&next));
        tasks.spawn(async move {
            let mut waits = Vec::new();
            while Instant::now() < until {
                let mut number = next.lock().await;
                let record = Record {
                    number: *number,
                    payload: vec![b'x'; 150],
                };
                *number += 1;
                let asked = Instant::now();
                let written = appender.submit(vec![record]).await.expect("open");
                drop(number);
                written.await.expect("written");
                waits.push(asked.elapsed());
            }
            waits
        });
    }
    let mut waits: Vec<Duration> = tasks.join_all().await.concat();
    waits.sort_unstable();
    let (p50, p99) = (waits[waits.len() / 2], waits[waits.len() * 99 / 100]);
    println!(
        "  {hands:>4} hands  {:>7}/s   p50 {p50:>8.2?}   p99 {p99:>8.2?}",
        waits.len() / 2
    );
}
