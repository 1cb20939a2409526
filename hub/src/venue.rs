//! The venue: the one state machine of the hub. Inputs come in with the time, outputs go out; it owns no socket, file or clock.
//!
//! **Nothing is published, and no fact acknowledged, before it is in the journal.**
//!
//! That holds by construction: [`Venue::handle`] answers with every [`Output::Append`] first, and whoever runs it writes those
//! to the journal before it carries out the rest. The state changes only by events, so [`Venue::replay`] of a journal
//! gives the state that was.
//!
//! ```text
//! loop: inputs ─▶ handle(now, input) ─▶ Append… ─▶ journal (one fdatasync for many) ─▶ Publish…, Hall…, Wake
//! start: replay(event)… ─▶ resume(now) ─▶ the same outputs: everything retained once more
//! ```

mod event;
mod numbering;
mod state;

mod evolve;
mod sense;

mod alerting;
mod behind;
mod binding;
mod carrying;
mod checklist;
mod disturbance;
mod facts;
mod gesture;
mod neighbours;
mod orders;
mod prospects;
mod round_orders;
mod ruling;
mod seating;
mod set_up;

mod outside;
mod pairings;
mod past;
mod show;
#[cfg(test)]
pub(crate) mod tests;

use std::collections::{BTreeMap, BTreeSet};

use protocol::{
    AgentId, AgentPresence, Boot, DeviceId, DeviceInfo, Envelope, FeedHealth, HallBoard,
    HubPresence, Order, Role, TableId, TimeAnswer, TimeQuestion, Timestamp, Topic, Vitals, encode,
};

pub use event::{Event, EventBody, Ruling};
pub use gesture::squares_of;
pub use numbering::Numbering;
pub use prospects::{Found, Question};
pub use state::{Agent, Device, GameAt, PastRound, State, Table};

use crate::alerts::Patience;
use crate::laws::chessclock::Odd;
use crate::laws::{MateTest, Prospects};
use crate::rounds::RoundSetup;
use crate::views::{Audience, Released};
use behind::Behind;
use evolve::Changes;
use prospects::TableProspects;
use show::Shown;

/// What can come to the venue.
#[derive(Debug, Clone)]
pub enum Input {
    /// A fact about a board.
    Fact {
        /// The board.
        device: DeviceId,
        /// The fact with its number.
        envelope: Envelope,
    },
    /// An agent is there, or its last will came.
    Presence(AgentPresence),
    /// What a device is.
    Info(DeviceInfo),
    /// An agent asks for the time.
    Time {
        /// The agent.
        agent: AgentId,
        /// Its question.
        question: TimeQuestion,
    },
    /// An order.
    Order {
        /// What the sender may do.
        role: Role,
        /// Name of his connection.
        user: String,
        /// The order.
        order: Order,
    },
    /// A round with its tables.
    Round(RoundSetup),
    /// The hub's clock was set by so many milliseconds.
    ClockSet(i64),
    /// How a feed is; shown at the desk, and no part of the record.
    Feed(FeedHealth),
    /// How busy the hub is and what room it has; told with its next beat, and no part of the record.
    Vitals(Vitals),
    /// What was found out about a question.
    Found(Box<Found>),
    /// Time has passed.
    Tick,
}

/// What the venue wants done, in this order.
#[derive(Debug, Clone)]
pub enum Output {
    /// Write this to the journal; everything after it waits until that is done.
    Append(Event),
    /// Publish this; an empty retained payload clears its topic.
    Publish {
        /// Where.
        topic: Topic,
        /// Whether the broker keeps it.
        retain: bool,
        /// What.
        payload: Vec<u8>,
    },
    /// Find out, beside everything else, whether either side can mate, and come back with [`Input::Found`].
    Ask(Question),
    /// A board for the wall page and the feeds of an audience.
    Hall(Released<HallBoard>),
    /// An audience is no longer shown a table: its game goes on at another one, or the round has no such table.
    Gone {
        /// Name of the audience.
        audience: String,
        /// The table.
        table: TableId,
    },
    /// A board of an earlier round, for those who look back.
    Past(Released<HallBoard>),
    /// Come back with a tick at this moment, hub's time; an earlier one before a later one, each once.
    Wake(Timestamp),
}

/// What the venue is told once.
#[derive(Debug, Clone)]
pub struct VenueConfig {
    /// A random id of this start of the hub.
    pub boot: Boot,
    /// Version of the program.
    pub version: String,
    /// How long conditions last before they are alerts.
    pub patience: Patience,
    /// Who answers at once whether a player can mate, where nobody has found it out yet.
    pub mate_test: MateTest,
    /// The hall is shown results before an arbiter confirms them.
    pub show_unconfirmed: bool,
    /// Those outside, each with its delay.
    pub audiences: Vec<Audience>,
    /// Something leaves the house as quickly as the hall sees it; games that are kept back do not.
    pub house: bool,
    /// While no pairings are there, a board that nobody knows opens a table in this round by itself; none: it is reported.
    pub casual: Option<RoundSetup>,
}

impl VenueConfig {
    /// Safe defaults: nobody outside, boards open tables by themselves until there are pairings.
    pub fn new(boot: Boot) -> VenueConfig {
        VenueConfig {
            boot,
            version: env!("CARGO_PKG_VERSION").to_owned(),
            patience: Patience::default(),
            mate_test: crate::laws::by_search,
            show_unconfirmed: false,
            audiences: Vec::new(),
            house: false,
            casual: Some(RoundSetup {
                round: 1,
                ..RoundSetup::default()
            }),
        }
    }
}

/// Feeds that are shown at the desk.
const MOST_FEEDS: usize = 64;

/// Milliseconds between two signs of life.
const BEAT: u64 = 1_000;

/// The venue.
#[derive(Debug)]
pub struct Venue {
    config: VenueConfig,
    state: State,
    changes: Changes,
    touched: BTreeSet<TableId>,
    /// Clocks that differ from their neighbours', as they were compared last.
    odd: BTreeMap<TableId, Odd>,
    shown: Shown,
    /// The facts of each table's open alerts as they were told last.
    told: BTreeMap<TableId, u64>,
    /// Tables whose facts come late: what they were long ago is no state of now.
    behind: BTreeMap<TableId, Behind>,
    prospects: BTreeMap<TableId, TableProspects>,
    nothing_known: Prospects,
    beaten: Option<Timestamp>,
    feeds: BTreeMap<String, FeedHealth>,
    vitals: Option<Vitals>,
    walls: Vec<String>,
    skipped: u64,
    appends: Vec<Output>,
    others: Vec<Output>,
}

impl Venue {
    /// A venue in which nothing has happened.
    pub fn new(config: VenueConfig) -> Venue {
        Venue::with_state(config, State::default())
    }

    /// A venue that goes on from a state that was kept: events after `state.number` are replayed on it.
    pub fn with_state(config: VenueConfig, state: State) -> Venue {
        Venue {
            nothing_known: Prospects::new(config.mate_test),
            config,
            state,
            changes: Changes::default(),
            touched: BTreeSet::new(),
            odd: BTreeMap::new(),
            shown: Shown::default(),
            told: BTreeMap::new(),
            behind: BTreeMap::new(),
            prospects: BTreeMap::new(),
            beaten: None,
            feeds: BTreeMap::new(),
            vitals: None,
            walls: Vec::new(),
            skipped: 0,
            appends: Vec::new(),
            others: Vec::new(),
        }
    }

    /// The state: what a snapshot keeps and a test compares.
    pub fn state(&self) -> &State {
        &self.state
    }

    /// Games that are kept back from everybody outside: round and table.
    pub fn kept_back(&self) -> Vec<(u16, TableId)> {
        past::kept_back(&self.state)
    }

    /// Where the wall pages are, for the desk.
    pub fn shows_walls(&mut self, walls: Vec<String>) {
        self.walls = walls;
        self.changes.round = true;
    }

    /// Inputs that were not taken since the start, because more boards or agents came than any venue has.
    pub fn skipped(&self) -> u64 {
        self.skipped
    }

    /// Takes an event of the journal in; events that are in the state already change nothing.
    pub fn replay(&mut self, event: &Event) {
        if event.number > self.state.number {
            let mut changes = Changes::default();
            evolve::evolve(&mut self.state, event, &mut changes);
            self.note(event.at, &changes);
        }
    }

    /// After the replay at a start: everything that is retained, once more.
    pub fn resume(&mut self, now: Timestamp) -> Vec<Output> {
        self.record(
            now,
            EventBody::HubStarted {
                boot: self.config.boot.clone(),
                version: self.config.version.clone(),
            },
        );
        self.changes.desk.extend(self.state.tables.keys());
        let gone = |t: &&TableId| !self.state.tables.contains_key(t);
        let waiting = self.state.histories.keys().filter(gone);
        self.changes.tables_gone.extend(waiting);
        let alerts = self.state.book.all().map(|k| k.alert.id.clone());
        self.changes.alerts.extend(alerts);
        self.changes
            .controls
            .extend(self.state.devices.keys().cloned());
        self.changes.round = true;
        self.show_past_again();
        self.tick(now);
        self.done(now)
    }

    /// Takes an input in and answers what is to be done.
    pub fn handle(&mut self, now: Timestamp, input: Input) -> Vec<Output> {
        self.take_in(now, input);
        self.done(now)
    }

    /// Takes inputs in that came together: every event is written, what they changed is shown once.
    pub fn handle_all(
        &mut self,
        now: Timestamp,
        inputs: impl IntoIterator<Item = Input>,
    ) -> Vec<Output> {
        for input in inputs {
            self.take_in(now, input);
            self.table_alerts_of_touched(now);
        }
        self.done(now)
    }

    fn take_in(&mut self, now: Timestamp, input: Input) {
        match input {
            Input::Fact { device, envelope } => self.fact(now, &device, envelope),
            Input::Presence(presence) => self.presence(now, presence),
            Input::Info(info) => self.info(now, info),
            Input::Time { agent, question } => self.time(now, agent, question),
            Input::Order { role, user, order } => self.order(now, role, &user, &order),
            Input::Round(setup) => self.open_round(now, setup),
            Input::ClockSet(by_ms) => {
                self.record(now, EventBody::ClockSet { by_ms });
            }
            Input::Feed(health) => self.feed(health),
            Input::Vitals(vitals) => self.vitals = Some(vitals),
            Input::Found(found) => self.found(now, *found),
            Input::Tick => self.tick(now),
        }
    }

    fn time(&mut self, now: Timestamp, agent: AgentId, question: TimeQuestion) {
        let answer = TimeAnswer {
            asked: question.asked,
            hub: now,
        };
        self.publish(Topic::TimeAnswer(agent), false, encode(&answer));
    }

    fn feed(&mut self, health: FeedHealth) {
        if self.feeds.len() < MOST_FEEDS || self.feeds.contains_key(&health.name) {
            self.feeds.insert(health.name.clone(), health);
            self.changes.round = true;
        }
    }

    fn tick(&mut self, now: Timestamp) {
        self.give_up_gaps(now);
        self.catch_up_controls(now);
        self.touched.extend(self.state.tables.keys());
        self.compare_clocks();
        self.follow_gestures(now);
        self.device_alerts(now);
        self.show_waiting();
        self.release_due(now);
        self.release_past(now);
        self.beat(now);
    }

    /// A sign of life, once a second however often a tick comes.
    fn beat(&mut self, now: Timestamp) {
        if self
            .beaten
            .is_some_and(|at| now.since(at) < BEAT - 100 && at <= now)
        {
            return;
        }
        self.beaten = Some(now);
        let presence = HubPresence {
            online: true,
            now,
            boot: self.config.boot.clone(),
            version: self.config.version.clone(),
            vitals: self.vitals,
        };
        self.publish(Topic::HubPresence, true, encode(&presence));
        self.others.push(Output::Wake(now.after(BEAT)));
    }

    /// Makes an event, changes the state by it, and hands it out for the journal.
    fn record(&mut self, now: Timestamp, body: EventBody) -> u64 {
        let event = Event {
            number: self.state.number + 1,
            at: now,
            body,
        };
        let mut changes = Changes::default();
        evolve::evolve(&mut self.state, &event, &mut changes);
        self.note(now, &changes);
        self.changes.and(changes);
        self.show_line(&event);
        let number = event.number;
        self.appends.push(Output::Append(event));
        number
    }

    fn publish(&mut self, topic: Topic, retain: bool, payload: Vec<u8>) {
        self.others.push(Output::Publish {
            topic,
            retain,
            payload,
        });
    }

    fn table_alerts_of_touched(&mut self, now: Timestamp) {
        for table in std::mem::take(&mut self.touched) {
            self.ask(table);
            self.table_alerts(now, table);
        }
    }

    /// Everything that is to be done: first what must be written down, then the rest.
    fn done(&mut self, now: Timestamp) -> Vec<Output> {
        self.table_alerts_of_touched(now);
        self.show(now);
        let mut outputs = std::mem::take(&mut self.appends);
        outputs.append(&mut self.others);
        outputs
    }
}
