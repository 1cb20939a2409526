//! From the data folder to a venue: the snapshot, what the journal says since, and every repair said.

use std::collections::BTreeMap;
use std::path::Path;

use protocol::{HallBoard, TableId, Timestamp};

use crate::journal::{
    Findings, Journal, JournalConfig, JournalError, Lock, Place, Record, Replay, decode, read_all,
};
use crate::store::{Opening, Store};
use crate::venue::{Output, State, Venue, VenueConfig};
use crate::views::Released;

/// A venue as it was, and the files it goes on with.
#[derive(Debug)]
pub struct Recovered {
    /// The venue, replayed.
    pub venue: Venue,
    /// The journal, open.
    pub journal: Journal,
    /// The end of the journal.
    pub end: Place,
    /// The store; none when none can be made.
    pub store: Option<Store>,
    /// What was found and repaired, in words with codes.
    pub said: Vec<String>,
    /// Events replayed after the snapshot.
    pub replayed: u64,
    /// Where reading began; what lies before was not looked at.
    pub read_from: Option<Place>,
}

/// Opens journal and store of a data folder, repairs what can be repaired, and replays.
///
/// # Errors
/// [`JournalError`]; a store that does not open only makes it slower.
pub fn recover(data: &Path, config: VenueConfig) -> Result<Recovered, JournalError> {
    let mut said = Vec::new();
    let journal = JournalConfig::new(data.join("journal"));
    let lock = Lock::take(&journal.folder)?;
    let mut store = open_store(&data.join("store"), &mut said);
    let snapshot = store.as_ref().and_then(|store| {
        let snapshot = store.snapshot();
        snapshot
            .inspect_err(|error| said.push(error.to_string()))
            .ok()
            .flatten()
    });
    let place = snapshot.as_ref().map(|s| s.place.clone());
    let state = snapshot.map_or(State::default(), |s| s.state);
    let mut replaying = Replaying {
        venue: Venue::with_state(config.clone(), state),
        config,
        said: Vec::new(),
        events: 0,
    };
    let opened = Journal::open_locked(&journal, lock, place.as_ref(), &mut replaying)?;
    if let (Some(place), false) = (&place, opened.resumed) {
        let number = place.number;
        said.push(JournalError::NoSuchPlace { number }.to_string());
        store = store.and_then(|store| kept_apart(store, &mut said));
    }
    if let Some(known) = store.take_if(|store| opened.end.number == 0 && store.knows_games()) {
        let games = known.games().map_or(0, |games| games.len());
        said.push(JournalError::Emptied { games }.to_string());
        store = kept_apart(known, &mut said);
    }
    said.extend(opened.findings.damage.iter().map(ToString::to_string));
    said.append(&mut replaying.said);
    Ok(Recovered {
        venue: replaying.venue,
        journal: opened.journal,
        end: opened.end,
        store,
        said,
        replayed: replaying.events,
        read_from: place.filter(|_| opened.resumed),
    })
}

/// A venue replayed from the whole journal, which is only read.
#[derive(Debug)]
pub struct Replayed {
    /// The venue.
    pub venue: Venue,
    /// What was found in the journal.
    pub findings: Findings,
    /// Events that could not be understood.
    pub said: Vec<String>,
}

/// Replays a journal without changing anything; `before` sees the venue before each event.
///
/// # Errors
/// [`JournalError::File`].
pub fn replay_only(
    data: &Path,
    config: VenueConfig,
    mut before: impl FnMut(&Venue, &crate::venue::Event),
) -> Result<Replayed, JournalError> {
    let mut venue = Venue::new(config);
    let mut said = Vec::new();
    let findings = read_all(&data.join("journal"), |record| {
        match decode(&record.payload) {
            Ok(event) => {
                before(&venue, &event);
                venue.replay(&event);
            }
            Err(error) => said.push(format!("event {}: {error}", record.number)),
        }
    })?;
    Ok(Replayed {
        venue,
        findings,
        said,
    })
}

/// The boards of every table as an audience sees them at a moment.
pub fn hall_boards(venue: &mut Venue, now: Timestamp, audience: &str) -> Vec<Released<HallBoard>> {
    let mut boards: BTreeMap<TableId, Released<HallBoard>> = BTreeMap::new();
    for output in venue.resume(now) {
        if let Output::Hall(board) = output
            && board.audience().name == audience
        {
            boards.insert(board.table, board);
        }
    }
    boards.into_values().collect()
}

/// The venue while the journal is read into it.
struct Replaying {
    venue: Venue,
    config: VenueConfig,
    said: Vec<String>,
    events: u64,
}

impl Replay for Replaying {
    fn restart(&mut self) {
        self.venue = Venue::new(self.config.clone());
        self.said.clear();
        self.events = 0;
    }

    fn record(&mut self, record: Record) {
        self.events += 1;
        match decode(&record.payload) {
            Ok(event) => self.venue.replay(&event),
            Err(error) if self.said.len() < 20 => {
                self.said.push(format!("event {}: {error}", record.number));
            }
            Err(_) => {}
        }
    }
}

/// The snapshot knows of events that the journal has lost: it is the last trace of them and is not written over.
fn kept_apart(store: Store, said: &mut Vec<String>) -> Option<Store> {
    let moved = store.set_aside().map(|(store, aside)| {
        said.push(format!(
            "H28 the old snapshot is kept in {}",
            aside.display()
        ));
        store
    });
    moved.inspect_err(|error| said.push(error.to_string())).ok()
}

fn open_store(folder: &Path, said: &mut Vec<String>) -> Option<Store> {
    match Store::open(folder) {
        Ok((store, Opening::Whole)) => Some(store),
        Ok((store, Opening::Remade { aside, why })) => {
            said.push(format!("{why} (moved to {})", aside.display()));
            Some(store)
        }
        Err(error) => {
            said.push(error.to_string());
            None
        }
    }
}
