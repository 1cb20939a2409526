//! The loop around the venue: messages in, events written down, and only then everything else out.
//!
//! **Nothing is published, and no receipt signed, before the journal says that its events are on disk.**
//!
//! ```text
//! messages ─▶ venue.handle ─▶ events ─▶ journal (one group) ─▶ publish, show, sign receipts
//! ```
//! While the disk refuses, the loop waits with what it has, says `online: false` with the reason, and goes on by itself.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::{Duration, SystemTime};

use protocol::{Boot, HubPresence, Timestamp, Topic, Topics, encode};
use tokio::sync::{mpsc, oneshot, watch};
use tokio::time::{Instant, sleep_until};

use super::feed_reports::FeedReports;
use super::intake::{Taken, take};
use super::outlooks::Outlooks;
use super::rounds_folder;
use super::steady::Steady;
use super::vitals::Watch;
use crate::broker::{Broker, Message, Outgoing, Receipt};
use crate::hall_channel::HallChannel;
use crate::journal::{self, Appender, JournalError, JournalState, Place, Record};
use crate::rounds::RoundSetup;
use crate::store::{Keep, Keeper, Snapshot};
use crate::venue::{Event, EventBody, Input, Output, Venue};

/// Messages handled before their events are written together.
const BATCH: usize = 512;
/// A snapshot is made after so many events, or so much time if there were any.
const SNAPSHOT_EVENTS: u64 = 60_000;
const SNAPSHOT_EVERY: Duration = Duration::from_secs(300);
const SECOND: Duration = Duration::from_secs(1);
/// A command to a board is of no use after this many seconds.
const COMMAND_EXPIRES_S: u32 = 15;

/// Milliseconds since 1970 by the system's clock.
pub fn system_clock() -> Timestamp {
    let since = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH);
    let ms = since.map_or(0, |d| i64::try_from(d.as_millis()).unwrap_or(i64::MAX));
    Timestamp(ms)
}

/// The loop and everything it holds.
pub(super) struct Pump {
    pub(super) venue: Venue,
    pub(super) outlooks: Outlooks,
    pub(super) appender: Appender,
    pub(super) place: Place,
    pub(super) keeper: Keeper,
    pub(super) broker: Arc<dyn Broker>,
    pub(super) messages: mpsc::Receiver<Message>,
    pub(super) halls: BTreeMap<String, HallChannel>,
    pub(super) feeds: FeedReports,
    pub(super) topics: Topics,
    pub(super) boot: Boot,
    pub(super) rounds: PathBuf,
    /// A round as the configuration has it, for what a file of pairings leaves out.
    pub(super) usual: RoundSetup,
    pub(super) now: fn() -> Timestamp,
    /// None on a clock that is not the system's.
    pub(super) steady: Option<Steady>,
    pub(super) counts: Counts,
    pub(super) vitals: Watch,
}

/// What the loop has counted.
#[derive(Debug, Default)]
pub(super) struct Counts {
    unreadable: u64,
    since_snapshot: u64,
}

impl Pump {
    /// Says everything retained, opens the broker's door, and runs until told to stop; then keeps a last snapshot.
    ///
    /// # Errors
    /// [`JournalError::Closed`] when it was stopped while the disk refused.
    pub(super) async fn run(
        mut self,
        mut stop: watch::Receiver<bool>,
        shown: oneshot::Sender<()>,
    ) -> Result<(), JournalError> {
        let first = self.venue.resume((self.now)());
        self.carry_out(first, Vec::new()).await?;
        self.broker.open();
        // Whoever started the hub may have given up waiting.
        let _waiting = shown.send(());
        let mut wake = Instant::now() + SECOND;
        let mut snapshot = Instant::now() + SNAPSHOT_EVERY;
        let mut batch = Vec::with_capacity(BATCH);
        loop {
            tokio::select! {
                () = told(&mut stop) => break,
                count = self.messages.recv_many(&mut batch, BATCH) => {
                    if count == 0 {
                        break;
                    }
                    self.hear(&mut batch).await?;
                }
                Some(found) = self.outlooks.answer() => {
                    let outputs = self.venue.handle((self.now)(), Input::Found(Box::new(found)));
                    self.carry_out(outputs, Vec::new()).await?;
                }
                () = sleep_until(wake) => {
                    wake = Instant::now() + self.tick().await?;
                }
            }
            if snapshot <= Instant::now() || self.counts.since_snapshot >= SNAPSHOT_EVENTS {
                self.keep_snapshot();
                snapshot = Instant::now() + SNAPSHOT_EVERY;
            }
        }
        self.keep_snapshot();
        self.keeper.close();
        Ok(())
    }

    /// Handles a batch of messages with one write.
    async fn hear(&mut self, batch: &mut Vec<Message>) -> Result<(), JournalError> {
        let mut inputs = Vec::with_capacity(batch.len() + 1);
        inputs.extend(self.clock_set());
        let mut answers = Vec::new();
        let mut receipts = Vec::with_capacity(batch.len());
        self.vitals.heard(batch.len());
        for message in batch.drain(..) {
            match take(&message) {
                Taken::Input(input) => inputs.push(*input),
                Taken::Answer(client, answer) => answers.push(Output::Publish {
                    topic: Topic::Answer(client),
                    retain: false,
                    payload: encode(&answer),
                }),
                Taken::Nothing(why) => self.unreadable(&message, &why),
            }
            receipts.push(message.receipt);
        }
        let mut outputs = self.venue.handle_all((self.now)(), inputs);
        outputs.append(&mut answers);
        self.carry_out(outputs, receipts).await.map(|_| ())
    }

    /// The clock was set since the last time: everything that waits for its time is told first.
    fn clock_set(&mut self) -> Option<Input> {
        let now = (self.now)();
        let by_ms = self.steady.as_mut()?.step(now)?;
        tracing::warn!(
            by_ms,
            "H21 the system's clock was set; delays go on as before · help: let a time service keep it"
        );
        Some(Input::ClockSet(by_ms))
    }

    fn unreadable(&mut self, message: &Message, why: &str) {
        self.counts.unreadable += 1;
        let count = self.counts.unreadable;
        if count.is_power_of_two() || count.is_multiple_of(1000) {
            let (topic, from) = (&message.topic, &message.from.name);
            tracing::warn!(?topic, from, count, "H32 cannot be read: {why}");
        }
    }

    /// Time has passed: the venue's tick and new rounds. Returns how long until the next.
    async fn tick(&mut self) -> Result<Duration, JournalError> {
        for (path, setup) in rounds_folder::waiting(&self.rounds, &self.usual) {
            if let Some(why) = self.venue.objection(&setup) {
                rounds_folder::refused(&path, &why);
                continue;
            }
            self.open_round(setup).await?;
            rounds_folder::taken(&path);
        }
        self.feeds.keeps_back(self.venue.kept_back());
        let feeds = self.feeds.news().into_iter().map(Input::Feed);
        let vitals = self.vitals.look(Instant::now(), self.broker.clients());
        let inputs: Vec<Input> = self
            .clock_set()
            .into_iter()
            .chain(feeds)
            .chain(vitals.map(Input::Vitals))
            .chain([Input::Tick])
            .collect();
        let now = (self.now)();
        let outputs = self.venue.handle_all(now, inputs);
        let wake = self.carry_out(outputs, Vec::new()).await?;
        let until = wake.map_or(1000, |at| at.since((self.now)()));
        Ok(Duration::from_millis(until.clamp(1, 1000)))
    }

    async fn open_round(&mut self, setup: RoundSetup) -> Result<(), JournalError> {
        tracing::info!(
            round = setup.round,
            tables = setup.tables.len(),
            "pairings came in"
        );
        let outputs = self.venue.handle((self.now)(), Input::Round(setup));
        self.carry_out(outputs, Vec::new()).await.map(|_| ())
    }

    /// Writes the events down, then does the rest, then signs. Returns when the venue wants to be woken.
    async fn carry_out(
        &mut self,
        outputs: Vec<Output>,
        receipts: Vec<Receipt>,
    ) -> Result<Option<Timestamp>, JournalError> {
        let (events, rest) = apart(outputs);
        self.write_down(events).await?;
        let mut wake = None;
        for output in rest {
            match output {
                Output::Append(_) => unreachable!("events were taken out"),
                Output::Publish {
                    topic,
                    retain,
                    payload,
                } => self.publish(&topic, retain, payload).await,
                Output::Ask(question) => self.outlooks.ask(question),
                Output::Hall(board) => self.show(board),
                Output::Gone { audience, table } => {
                    if let Some(hall) = self.halls.get(&audience) {
                        hall.forget(table);
                    }
                }
                Output::Past(board) => {
                    if let Some(hall) = self.halls.get(&board.audience().name) {
                        hall.show_past(board);
                    }
                }
                Output::Wake(at) => wake = Some(wake.map_or(at, |w: Timestamp| w.min(at))),
            }
        }
        receipts.into_iter().for_each(Receipt::sign);
        Ok(wake)
    }

    async fn write_down(&mut self, events: Vec<Event>) -> Result<(), JournalError> {
        if events.is_empty() {
            return Ok(());
        }
        self.counts.since_snapshot += events.len() as u64;
        for event in &events {
            if let EventBody::RoundOpened { setup, .. } = &event.body {
                self.keep(Keep::Round(Box::new(setup.clone())));
            }
        }
        let record = |event: &Event| Record {
            number: event.number,
            payload: journal::encode(event),
        };
        let records = events.iter().map(record).collect();
        let mut state = self.appender.state();
        state.mark_unchanged();
        let appender = self.appender.clone();
        let mut writing = Box::pin(async move { appender.append(records).await });
        let mut beat = tokio::time::interval(SECOND);
        beat.reset();
        loop {
            tokio::select! {
                place = &mut writing => {
                    self.place = place?;
                    return Ok(());
                }
                Ok(()) = state.changed() => self.say_stuck(&state).await,
                _ = beat.tick() => self.say_stuck(&state).await,
            }
        }
    }

    /// Tells everybody that nothing is being written down, and why.
    async fn say_stuck(&self, state: &watch::Receiver<JournalState>) {
        let JournalState::Stuck { why } = state.borrow().clone() else {
            return;
        };
        let payload = presence(&self.boot, (self.now)(), Some(&why));
        self.publish(&Topic::HubPresence, true, payload).await;
    }

    async fn publish(&self, topic: &Topic, retain: bool, payload: Vec<u8>) {
        let expires = matches!(topic, Topic::Command(_)).then_some(COMMAND_EXPIRES_S);
        let message = Outgoing {
            topic: self.topics.name(topic),
            retain,
            expires_s: expires,
            payload,
        };
        self.broker.publish(message).await;
    }

    fn show(&self, board: crate::views::Released<protocol::HallBoard>) {
        if board.audience().name == "hall" {
            self.keep(Keep::Game(Box::new((*board).clone())));
        }
        if let Some(hall) = self.halls.get(&board.audience().name) {
            hall.show(board);
        }
    }

    fn keep(&self, something: Keep) {
        if !self.keeper.keep(something) {
            tracing::debug!("the store is behind; it catches up with the next change");
        }
    }

    fn keep_snapshot(&mut self) {
        if self.counts.since_snapshot > 0 {
            let snapshot = Snapshot::new(self.place.clone(), self.venue.state().clone());
            self.keep(Keep::Snapshot(Box::new(snapshot)));
            self.counts.since_snapshot = 0;
        }
    }
}

/// Waits until the hub is told to stop, or is gone.
pub(super) async fn told(stop: &mut watch::Receiver<bool>) {
    if stop.wait_for(|stop| *stop).await.is_err() {
        tracing::trace!("nobody holds the hub any more");
    }
}

fn apart(outputs: Vec<Output>) -> (Vec<Event>, Vec<Output>) {
    let mut events = Vec::new();
    let mut rest = Vec::new();
    for output in outputs {
        match output {
            Output::Append(event) => events.push(event),
            other => rest.push(other),
        }
    }
    (events, rest)
}

/// The hub's presence when it is not (fully) there; with the reason, which readers that do not know it skip.
pub(super) fn presence(boot: &Boot, now: Timestamp, why: Option<&str>) -> Vec<u8> {
    #[derive(serde::Serialize)]
    struct WithReason<'a> {
        #[serde(flatten)]
        presence: HubPresence,
        #[serde(skip_serializing_if = "Option::is_none")]
        reason: Option<&'a str>,
    }
    encode(&WithReason {
        presence: HubPresence {
            online: false,
            now,
            boot: boot.clone(),
            version: env!("CARGO_PKG_VERSION").to_owned(),
            vitals: None,
        },
        reason: why,
    })
}
