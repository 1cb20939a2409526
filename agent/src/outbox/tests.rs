//! The outbox as its callers see it.

use std::path::Path;

use protocol::{Fact, Health, Timestamp};

use super::*;

fn boot(name: &str) -> Boot {
    name.parse().expect("good")
}

fn device() -> DeviceId {
    "dgt-01025".parse().expect("good")
}

fn envelope(boot_name: &str, seq: Seq) -> Envelope {
    Envelope {
        agent: "a1".parse().expect("good"),
        boot: boot(boot_name),
        seq,
        at: Timestamp(0),
        offset: None,
        fact: Fact::Health(Health::default()),
    }
}

fn ack(boot_name: &str, seq: Seq) -> Ack {
    Ack {
        agent: "a1".parse().expect("good"),
        boot: boot(boot_name),
        seq,
    }
}

fn open(dir: &Path, boot_name: &str, quota: u64) -> (Outbox, OutboxThread) {
    Outbox::open(dir.to_owned(), boot(boot_name), quota).expect("opens")
}

fn numbers(batch: &[Outgoing]) -> Vec<(String, Seq)> {
    let read = |out: &Outgoing| protocol::decode::<Envelope>(&out.payload).expect("own words");
    batch
        .iter()
        .map(read)
        .map(|e| (e.boot.to_string(), e.seq))
        .collect()
}

fn run(test: impl Future<Output = ()>) {
    tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .expect("a runtime")
        .block_on(test);
}

fn close(outbox: &Outbox, thread: OutboxThread) {
    outbox.stop();
    thread.join();
}

#[test]
fn older_starts_are_sent_first_and_only_the_hub_frees_what_was_sent() {
    run(async {
        let dir = tempfile::tempdir().expect("a place");
        let (first, thread) = open(dir.path(), "b1", DEFAULT_QUOTA);
        (1..=3).for_each(|seq| first.append(&device(), &envelope("b1", seq)));
        first.keep(&device(), b"kept".to_vec());
        assert_eq!(first.next(10).await.len(), 3);
        close(&first, thread);

        let (second, thread) = open(dir.path(), "b2", DEFAULT_QUOTA);
        let known = second.device(&device()).await;
        assert_eq!(
            (known.next_seq, known.kept.as_deref()),
            (1, Some(&b"kept"[..]))
        );
        second.append(&device(), &envelope("b2", 1));
        let sent = numbers(&second.next(10).await);
        let expect = [("b1", 1), ("b1", 2), ("b1", 3), ("b2", 1)];
        assert_eq!(sent, expect.map(|(boot, seq)| (boot.to_owned(), seq)));
        assert!(second.next(10).await.is_empty(), "all are on their way");
        second.ack(&device(), ack("b1", 2));
        second.rewind();
        assert_eq!(
            numbers(&second.next(10).await).len(),
            2,
            "sent again on a new line"
        );
        second.ack(&device(), ack("b1", 3));
        second.ack(&device(), ack("b2", 1));
        second.rewind();
        assert!(second.next(10).await.is_empty());
        assert_eq!(second.backlog(&device()).waiting, 0);
        assert_eq!(second.device(&device()).await.next_seq, 2);
        close(&second, thread);
    });
}

#[test]
fn twenty_devices_find_their_facts_and_what_they_kept_at_once_and_after_a_restart() {
    run(async {
        let dir = tempfile::tempdir().expect("a folder");
        let devices: Vec<DeviceId> = (1..=20)
            .map(|n| format!("dgt-{n:05}").parse().expect("good"))
            .collect();
        let (outbox, thread) = open(dir.path(), "b1", DEFAULT_QUOTA);
        for (at, device) in devices.iter().enumerate() {
            outbox.append(device, &envelope("b1", 1));
            outbox.keep(device, format!("old of {at}").into_bytes());
            outbox.keep(device, format!("newest of {at}").into_bytes());
            let newest = Some(format!("newest of {at}").into_bytes());
            assert_eq!(outbox.device(device).await.kept, newest, "at once");
        }
        close(&outbox, thread);
        let (outbox, thread) = open(dir.path(), "b2", DEFAULT_QUOTA);
        for (at, device) in devices.iter().enumerate() {
            let newest = Some(format!("newest of {at}").into_bytes());
            assert_eq!(outbox.device(device).await.kept, newest, "after a restart");
            assert_eq!(outbox.backlog(device).waiting, 1);
        }
        close(&outbox, thread);
    });
}

#[test]
fn a_full_disk_is_said_and_facts_go_on_from_memory_until_there_is_room() {
    run(async {
        let dir = tempfile::tempdir().expect("a place");
        let (outbox, thread) = open(dir.path(), "b1", 1_000);
        (1..=50).for_each(|seq| outbox.append(&device(), &envelope("b1", seq)));
        let sent = numbers(&outbox.next(100).await);
        assert_eq!(sent.len(), 50, "nothing waits for the disk");
        let backlog = outbox.backlog(&device());
        assert!(
            backlog.in_memory > 0 && backlog.lost == 0 && backlog.bytes <= 1_000,
            "{backlog:?}"
        );
        outbox.ack(&device(), ack("b1", 50));
        outbox.append(&device(), &envelope("b1", 51));
        assert_eq!(numbers(&outbox.next(100).await), [("b1".to_owned(), 51)]);
        let backlog = outbox.backlog(&device());
        assert_eq!(
            (backlog.in_memory, backlog.waiting),
            (0, 1),
            "written to disk again"
        );
        close(&outbox, thread);
    });
}

#[test]
fn an_outbox_that_cannot_be_opened_sends_from_memory_and_is_opened_when_it_can() {
    run(async {
        let dir = tempfile::tempdir().expect("a place");
        let in_the_way = dir.path().join("dgt-01025.box");
        std::fs::create_dir(&in_the_way).expect("room");
        let (outbox, thread) = open(dir.path(), "b1", DEFAULT_QUOTA);
        assert_eq!(outbox.device(&device()).await.next_seq, 1);
        (1..=3).for_each(|seq| outbox.append(&device(), &envelope("b1", seq)));
        assert_eq!(outbox.next(10).await.len(), 3, "the hub hears them");
        outbox.ack(&device(), ack("b1", 2));
        outbox.next(0).await;
        let backlog = outbox.backlog(&device());
        assert!(backlog.refused && backlog.in_memory == 1, "{backlog:?}");
        std::fs::remove_dir(&in_the_way).expect("empty");
        while outbox.backlog(&device()).refused {
            tokio::time::sleep(std::time::Duration::from_millis(100)).await;
        }
        outbox.append(&device(), &envelope("b1", 4));
        outbox.next(0).await;
        let backlog = outbox.backlog(&device());
        assert_eq!((backlog.in_memory, backlog.waiting), (0, 2), "{backlog:?}");
        close(&outbox, thread);
        let (again, thread) = open(dir.path(), "b2", DEFAULT_QUOTA);
        let kept = [3, 4].map(|seq| ("b1".to_owned(), seq));
        assert_eq!(numbers(&again.next(10).await), kept);
        close(&again, thread);
    });
}

#[test]
fn memory_for_a_full_disk_is_bounded_and_what_is_lost_is_counted() {
    run(async {
        let dir = tempfile::tempdir().expect("a place");
        let (outbox, thread) = open(dir.path(), "b1", 0);
        for seq in 1..=2_500 {
            outbox.append(&device(), &envelope("b1", seq));
            if seq % 500 == 0 {
                outbox.device(&device()).await;
            }
        }
        outbox.next(1).await;
        let backlog = outbox.backlog(&device());
        assert_eq!((backlog.in_memory, backlog.lost), (2_000, 500));
        close(&outbox, thread);
    });
}

#[test]
fn an_acknowledgement_that_frees_nothing_means_that_the_hub_waits_for_what_was_lost() {
    run(async {
        let dir = tempfile::tempdir().expect("a place");
        let (outbox, thread) = open(dir.path(), "b1", DEFAULT_QUOTA);
        (1..=4).for_each(|seq| outbox.append(&device(), &envelope("b1", seq)));
        assert_eq!(outbox.next(10).await.len(), 4);
        outbox.ack(&device(), ack("b1", 1));
        outbox.ack(&device(), ack("b1", 1));
        assert!(outbox.next(10).await.is_empty(), "it may be on its way");
        tokio::time::sleep(std::time::Duration::from_millis(1_100)).await;
        outbox.ack(&device(), ack("b1", 1));
        let again = [2, 3, 4].map(|seq| ("b1".to_owned(), seq));
        assert_eq!(numbers(&outbox.next(10).await), again);
        close(&outbox, thread);
    });
}

/// One a second: a clock that is told of tells no more.
const A_DAY: Seq = 24 * 60 * 60;

/// What is on the disk at this moment, as one finds it after `kill -9`.
fn as_it_lies(from: &Path, to: &Path) {
    for entry in std::fs::read_dir(from).expect("it is there").flatten() {
        let there = to.join(entry.file_name());
        if entry.file_type().is_ok_and(|kind| kind.is_dir()) {
            std::fs::create_dir_all(&there).expect("room");
            as_it_lies(&entry.path(), &there);
        } else {
            std::fs::copy(entry.path(), there).expect("room");
        }
    }
}

/// Takes what is sent until `most` are taken or nothing more comes; they must follow each other.
async fn drain(outbox: &Outbox, after: Seq, most: Seq) -> Seq {
    let mut last = after;
    while last < most {
        let sent = numbers(&outbox.next(500).await);
        let Some((_, newest)) = sent.last().cloned() else {
            return last;
        };
        let expect: Vec<Seq> = (last + 1..=newest).collect();
        let found: Vec<Seq> = sent.into_iter().map(|(_, seq)| seq).collect();
        assert_eq!(found, expect);
        last = newest;
        outbox.ack(&device(), ack("b1", last));
    }
    last
}

#[test]
fn a_day_without_the_hub_drains_in_order_though_the_agent_is_killed_meanwhile() {
    run(async {
        let dir = tempfile::tempdir().expect("a place");
        let (first, thread) = open(dir.path(), "b1", DEFAULT_QUOTA);
        for seq in 1..=A_DAY {
            first.append(&device(), &envelope("b1", seq));
            if seq % 500 == 0 {
                first.device(&device()).await;
            }
        }
        let half = drain(&first, 0, A_DAY / 2).await;
        let backlog = first.backlog(&device());
        assert_eq!((backlog.lost, backlog.in_memory), (0, 0), "{backlog:?}");
        let killed = tempfile::tempdir().expect("a place");
        as_it_lies(dir.path(), killed.path());
        close(&first, thread);

        let (second, thread) = open(killed.path(), "b2", DEFAULT_QUOTA);
        second.device(&device()).await;
        let waiting = second.backlog(&device()).waiting;
        let freed = A_DAY - waiting;
        assert!(freed <= half, "only what the hub has is gone: {freed}");
        assert_eq!(drain(&second, freed, A_DAY).await, A_DAY);
        second.device(&device()).await;
        assert_eq!(second.backlog(&device()).waiting, 0);
        close(&second, thread);
    });
}
