//! The store as its user sees it: what was kept is there again, and a damaged store is made anew without a word of panic.

use std::fs;

use super::*;
use crate::journal::Place;
use crate::rounds::RoundSetup;
use crate::venue::State;

fn snapshot(number: u64) -> Snapshot {
    let place = Place {
        segment: 1,
        offset: 100,
        number,
        chain: [3; 16],
    };
    let state = State {
        number,
        ..State::default()
    };
    Snapshot::new(place, state)
}

#[test]
fn a_snapshot_takes_the_place_of_the_one_before() {
    let folder = tempfile::tempdir().expect("folder");
    let path = folder.path().join("store");
    {
        let (store, opening) = Store::open(&path).expect("opens");
        assert!(matches!(opening, Opening::Whole));
        assert_eq!(store.snapshot().expect("read"), None);
        let mut long = snapshot(1);
        long.version = format!("{}{}", " ".repeat(1 << 20), long.version);
        store.put_snapshot(&long).expect("kept");
        store.put_snapshot(&snapshot(2)).expect("kept");
        assert_eq!(store.snapshot().expect("read"), Some(snapshot(2)));
    }
    let store = Store::try_open(&path).expect("opens again");
    assert_eq!(store.snapshot().expect("read"), Some(snapshot(2)));
}

#[test]
fn a_snapshot_of_another_version_or_place_is_not_used() {
    let mut other = snapshot(2);
    other.version = "0.0.0-other".to_owned();
    assert!(matches!(Snapshot::parse(&other.bytes()), Ok(None)));
    let mut wrong = snapshot(2);
    wrong.place.number = 3;
    assert!(Snapshot::parse(&wrong.bytes()).is_err());
    let mut bytes = snapshot(2).bytes();
    for at in [0, 31, 32, bytes.len() - 1] {
        bytes[at] ^= 1;
        assert!(Snapshot::parse(&bytes).is_err(), "changed at {at}");
        bytes[at] ^= 1;
    }
    assert!(Snapshot::parse(&bytes[..10]).is_err());
}

#[test]
fn a_damaged_store_is_moved_aside_and_made_anew() {
    let folder = tempfile::tempdir().expect("folder");
    let path = folder.path().join("store");
    let (store, _) = Store::open(&path).expect("opens");
    for number in 1..50 {
        store.put_snapshot(&snapshot(number)).expect("kept");
    }
    drop(store);
    let db = path.join("db");
    let whole = fs::read(&db).expect("bytes");
    let mut remade = 0;
    for (from, to) in [
        (0, 64),
        (0, whole.len() / 2),
        (64, whole.len()),
        (0, whole.len()),
    ] {
        let mut bytes = whole.clone();
        bytes[from..to].fill(0xA5);
        fs::write(&db, bytes).expect("damaged");
        fs::write(path.join("conf"), "garbage").expect("damaged");
        let (store, opening) = Store::open(&path).expect("opens in the end");
        remade += u32::from(matches!(opening, Opening::Remade { .. }));
        store.put_snapshot(&snapshot(7)).expect("usable");
        assert_eq!(store.snapshot().expect("read"), Some(snapshot(7)));
    }
    assert!(remade > 0);
    assert!(
        folder.path().join("store.broken-1").exists(),
        "the old one is kept"
    );
}

#[test]
fn rounds_are_kept_by_number() {
    let folder = tempfile::tempdir().expect("folder");
    let (store, _) = Store::open(&folder.path().join("store")).expect("opens");
    let round = |number| RoundSetup {
        round: number,
        event: format!("Open {number}"),
        ..RoundSetup::default()
    };
    for number in [2, 1, 300, 2] {
        store.put_round(&round(number)).expect("kept");
    }
    assert_eq!(
        store.rounds().expect("read"),
        [round(1), round(2), round(300)]
    );
}

#[test]
fn the_keeper_writes_before_it_closes() {
    let folder = tempfile::tempdir().expect("folder");
    let path = folder.path().join("store");
    let keeper = Keeper::start(Store::open(&path).expect("opens").0);
    assert!(keeper.keep(Keep::Snapshot(Box::new(snapshot(9)))));
    keeper.close();
    let store = Store::try_open(&path).expect("opens");
    assert_eq!(store.snapshot().expect("read"), Some(snapshot(9)));
}

#[test]
fn a_store_in_use_is_left_alone() {
    let folder = tempfile::tempdir().expect("folder");
    let path = folder.path().join("store");
    let (_running, _) = Store::open(&path).expect("opens");
    let second = Store::open(&path).expect_err("in use");
    assert!(second.is_lock(), "{second}");
    assert!(!folder.path().join("store.broken-1").exists());
}

#[test]
fn an_emptied_journal_beside_games_that_are_known_is_said_and_the_games_are_kept_apart() {
    use crate::rounds::TableSetup;
    use crate::run::{hall_boards, recover};
    use crate::venue::{Input, Venue, VenueConfig};
    use protocol::{TableId, Timestamp};

    let config = || VenueConfig::new("hub1".parse().expect("a name"));
    let mut venue = Venue::new(config());
    let round = RoundSetup {
        tables: vec![TableSetup::new(TableId(1), "A", "B")],
        ..RoundSetup::default()
    };
    venue.handle(Timestamp(1), Input::Round(round));
    let boards = hall_boards(&mut venue, Timestamp(2), "hall");
    let boards: Vec<_> = boards.iter().map(|board| (**board).clone()).collect();
    for known in [false, true] {
        let data = tempfile::tempdir().expect("a folder");
        if known {
            let (store, _) = Store::open(&data.path().join("store")).expect("a store");
            store.put_games(&boards).expect("room");
        }
        let recovered = recover(data.path(), config()).expect("opens");
        let said = recovered.said.join(" ");
        assert_eq!(said.contains("the store knows 1 games"), known, "{said}");
        let apart = data.path().join("store.broken-1");
        assert_eq!(apart.exists(), known);
    }
}
