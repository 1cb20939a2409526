//! A playing hall for tests: boards that state facts, arbiters that order, and everything that was written and published.

use std::collections::BTreeMap;

use protocol::{
    AgentPresence, Alert, Answer, BySide, ClockReading, Control, DeskTable, DeviceId, DeviceInfo,
    Envelope, Fact, HallBoard, Health, Order, OrderBody, Played, Role, Side, TableId, Timestamp,
    Topic, Topics, decode,
};

use crate::hall_channel::HallChannel;
use crate::laws::unwinnable::{Budget, Outlook};
use crate::laws::verdicts;
use crate::rounds::{RoundSetup, TableSetup};
use crate::venue::{Event, Found, Input, Output, Question, Venue, VenueConfig};

/// The moment at which tests begin.
pub(super) const NOON: Timestamp = Timestamp(1_800_000_000_000);

pub(super) struct Hall {
    pub(super) venue: Venue,
    pub(super) now: Timestamp,
    pub(super) journal: Vec<Event>,
    pub(super) retained: BTreeMap<String, Vec<u8>>,
    pub(super) said: Vec<(Topic, Vec<u8>)>,
    /// Boards of earlier rounds by audience, round and table.
    pub(super) past: BTreeMap<(String, u16, TableId), HallBoard>,
    /// What walls and feeds of each audience have.
    pub(super) channels: BTreeMap<String, HallChannel>,
    pub(super) questions: Vec<Question>,
    seqs: BTreeMap<(DeviceId, String), u64>,
    boot: String,
    orders: u64,
    /// Whether its boards have lamps.
    pub(super) lamps: bool,
}

pub(super) fn device(n: u16) -> DeviceId {
    DeviceId::of("dgt", &format!("{n:05}"))
}

pub(super) fn config() -> VenueConfig {
    VenueConfig::new("hub1".parse().expect("id"))
}

/// A round of standard play with a board on each of `tables` tables.
pub(super) fn round(tables: u16, control: &str) -> RoundSetup {
    let time_control: protocol::TimeControl = control.parse().expect("control");
    let mut setup = RoundSetup {
        event: "Open".to_owned(),
        round: 5,
        time_control: time_control.clone(),
        ..RoundSetup::default()
    };
    setup.regime.speed = time_control.speed().unwrap_or_default();
    setup.regime.supervised = setup.regime.speed == protocol::Speed::Standard;
    for n in 1..=tables {
        let white = format!("White {n}");
        let black = format!("Black {n}");
        let mut table = TableSetup::new(TableId(n), &white, &black);
        table.device = Some(device(n));
        setup.tables.push(table);
    }
    setup
}

impl Hall {
    pub(super) fn empty(config: VenueConfig) -> Hall {
        let mut hall = Hall {
            venue: Venue::new(config),
            now: NOON,
            journal: Vec::new(),
            retained: BTreeMap::new(),
            said: Vec::new(),
            past: BTreeMap::new(),
            channels: BTreeMap::new(),
            questions: Vec::new(),
            seqs: BTreeMap::new(),
            boot: "b1".to_owned(),
            orders: 0,
            lamps: false,
        };
        let outputs = hall.venue.resume(NOON);
        hall.carry_out(outputs);
        hall
    }

    pub(super) fn with_round(setup: RoundSetup) -> Hall {
        let mut hall = Hall::empty(config());
        hall.input(Input::Round(setup));
        hall
    }

    /// Two players at table 1.
    pub(super) fn standard() -> Hall {
        Hall::with_round(round(1, "5400+30"))
    }

    pub(super) fn input(&mut self, input: Input) {
        let outputs = self.venue.handle(self.now, input);
        self.carry_out(outputs);
    }

    /// What a hub does with the outputs; fails when something would be published before it is written.
    pub(super) fn carry_out(&mut self, outputs: Vec<Output>) {
        let mut writing = true;
        let topics = topics();
        for output in outputs {
            match output {
                Output::Append(event) => {
                    assert!(writing, "an event after something was published");
                    self.journal.push(event);
                }
                Output::Publish {
                    topic,
                    retain,
                    payload,
                } => {
                    writing = false;
                    if retain && payload.is_empty() {
                        self.retained.remove(&topics.name(&topic));
                    } else if retain {
                        self.retained.insert(topics.name(&topic), payload);
                    } else {
                        self.said.push((topic, payload));
                    }
                }
                Output::Past(board) => {
                    writing = false;
                    let key = (board.audience().name.clone(), board.round, board.table);
                    self.past.insert(key, (*board).clone());
                    let audience = board.audience().name.clone();
                    self.channels.entry(audience).or_default().show_past(board);
                }
                Output::Ask(question) => self.questions.push(question),
                Output::Hall(board) => {
                    writing = false;
                    let audience = board.audience().name.clone();
                    self.channels.entry(audience).or_default().show(board);
                }
                Output::Gone { audience, table } => {
                    writing = false;
                    self.channels.entry(audience).or_default().forget(table);
                }
                Output::Wake(_) => writing = false,
            }
        }
    }

    /// The same hall after a restart of its hub, from the journal alone.
    pub(super) fn restart(&mut self) {
        let mut again = Venue::new(self.venue.config.clone());
        self.journal.iter().for_each(|event| again.replay(event));
        assert_eq!(again.state(), self.venue.state());
        self.venue = again;
        self.retained.clear();
        self.past.clear();
        self.channels.clear();
        let outputs = self.venue.resume(self.now);
        self.carry_out(outputs);
    }

    /// What walls and feeds of an audience have: round, table and how many half-moves.
    pub(super) fn has(&self, audience: &str) -> Vec<(u16, u16, usize)> {
        let boards = self.channels.get(audience).map(HallChannel::all);
        let boards = boards.into_iter().flatten();
        boards
            .map(|b| (b.round, b.table.0, b.moves.len()))
            .collect()
    }

    /// Finds out what the venue has asked, and tells it.
    pub(super) fn find_out(&mut self) {
        for question in std::mem::take(&mut self.questions) {
            let mut outlook = Outlook::default();
            let mut never = || false;
            let mut budget = Budget::new(20_000, &mut never);
            let refused = outlook.find_out(&question.position, &mut budget);
            assert!(refused.is_empty(), "{refused:?}");
            self.input(Input::Found(Box::new(Found {
                table: question.table,
                game: question.game,
                mates: verdicts(&question.position, &outlook),
                position: question.position,
            })));
        }
    }

    pub(super) fn restart_agent(&mut self, boot: &str) {
        self.boot = boot.to_owned();
    }

    pub(super) fn envelope(&mut self, n: u16, fact: Fact) -> Envelope {
        self.envelope_of(&device(n), fact)
    }

    fn envelope_of(&mut self, device: &DeviceId, fact: Fact) -> Envelope {
        let boot = self.boot.clone();
        let seq = self.seqs.entry((device.clone(), boot.clone()));
        let seq = seq.or_insert(0);
        *seq += 1;
        Envelope {
            agent: "a1".parse().expect("id"),
            boot: boot.parse().expect("id"),
            seq: *seq,
            at: self.now,
            offset: Some(0),
            fact,
        }
    }

    pub(super) fn fact(&mut self, n: u16, fact: Fact) {
        self.fact_of(&device(n), fact);
    }

    pub(super) fn fact_of(&mut self, device: &DeviceId, fact: Fact) {
        let envelope = self.envelope_of(device, fact);
        self.input(Input::Fact {
            device: device.clone(),
            envelope,
        });
    }

    pub(super) fn info(&mut self, n: u16, boot: &str, health: Health) {
        self.input(Input::Info(DeviceInfo {
            device: device(n),
            agent: "a1".parse().expect("id"),
            boot: boot.parse().expect("id"),
            family: "dgt".to_owned(),
            serial: format!("{n:05}"),
            long_serial: None,
            firmware: None,
            clock: None,
            port: String::new(),
            lamps: self.lamps,
            health,
        }));
    }

    pub(super) fn agent(&mut self, online: bool) {
        self.agent_as("b1", online);
    }

    pub(super) fn agent_as(&mut self, boot: &str, online: bool) {
        self.input(Input::Presence(AgentPresence {
            agent: "a1".parse().expect("id"),
            boot: boot.parse().expect("id"),
            online,
            version: String::new(),
            host: String::new(),
            devices: Vec::new(),
        }));
    }

    /// The hub is away for so long, and starts again from what it wrote.
    pub(super) fn hub_restarts_after(&mut self, ms: u64) {
        self.now = self.now.after(ms);
        self.venue = Venue::new(config());
        for event in &self.journal {
            self.venue.replay(event);
        }
        let outputs = self.venue.resume(self.now);
        self.carry_out(outputs);
    }

    pub(super) fn round_shown(&self) -> protocol::DeskRound {
        protocol::decode(
            self.text(&Topic::DeskRound)
                .as_deref()
                .expect("a round")
                .as_bytes(),
        )
        .expect("a round")
    }

    pub(super) fn pass(&mut self, ms: u64) {
        self.now = self.now.after(ms);
        self.input(Input::Tick);
    }

    /// The moment in which small changes are shown.
    pub(super) fn a_moment(&mut self) {
        self.pass(250);
    }

    pub(super) fn made(&mut self, n: u16, ply: u32, uci: &str) {
        let by = if ply % 2 == 1 {
            Side::White
        } else {
            Side::Black
        };
        self.fact(n, made(ply, uci, by));
    }

    pub(super) fn completed(&mut self, n: u16, ply: u32) {
        self.fact(
            n,
            Fact::Completed {
                ply,
                pressed: true,
                clock: None,
            },
        );
    }

    /// Moves made, completed and settled, a second each.
    pub(super) fn play(&mut self, n: u16, moves: &[&str]) {
        let first = self.desk(n).record.len() + 1;
        for (uci, index) in moves.iter().zip(first..) {
            let ply = u32::try_from(index).expect("small");
            self.now = self.now.after(1_000);
            self.made(n, ply, uci);
            self.completed(n, ply);
            self.fact(n, Fact::Settled { ply });
        }
    }

    pub(super) fn irregular(&mut self, n: u16, ply: u32, by: Side, to_fen: &str, words: &str) {
        let from_fen = self.desk(n).fen;
        self.fact(
            n,
            Fact::Made {
                ply,
                played: Played::Irregular {
                    from_fen,
                    to_fen: to_fen.to_owned(),
                    words: words.to_owned(),
                },
                by,
                certainty: 1.0,
                squares: Vec::new(),
                after_ms: 0,
            },
        );
    }

    pub(super) fn clock(&mut self, n: u16, white_s: u64, black_s: u64, running: Option<Side>) {
        self.fact(n, Fact::Reading(reading(white_s, black_s, running)));
    }

    pub(super) fn order(&mut self, body: OrderBody) -> Answer {
        self.order_as(Role::Arbiter, body, false, None)
    }

    /// An order that must be carried out; its number as a ruling.
    #[track_caller]
    pub(super) fn done(&mut self, body: OrderBody) -> Option<u64> {
        match self.order(body) {
            Answer::Done { ruling, .. } => ruling,
            answer => panic!("not done: {answer:?}"),
        }
    }

    /// An order with a note of its own.
    pub(super) fn noted(&mut self, note: &str, body: OrderBody) -> Answer {
        self.orders += 1;
        let order = Order {
            client: "tui-1".parse().expect("id"),
            id: self.orders,
            by: "MK".to_owned(),
            preview: false,
            basis: None,
            note: note.to_owned(),
            body,
        };
        self.send(Role::Arbiter, order)
    }

    pub(super) fn preview(&mut self, body: OrderBody) -> Answer {
        self.order_as(Role::Arbiter, body, true, None)
    }

    pub(super) fn order_as(
        &mut self,
        role: Role,
        body: OrderBody,
        preview: bool,
        basis: Option<u64>,
    ) -> Answer {
        self.orders += 1;
        let order = Order {
            client: "tui-1".parse().expect("id"),
            id: self.orders,
            by: "MK".to_owned(),
            preview,
            basis,
            note: "seen at the table".to_owned(),
            body,
        };
        self.send(role, order)
    }

    pub(super) fn send(&mut self, role: Role, order: Order) -> Answer {
        self.input(Input::Order {
            role,
            user: "mk".to_owned(),
            order,
        });
        let (topic, payload) = self.said.last().expect("an answer").clone();
        assert!(matches!(topic, Topic::Answer(_)), "{topic:?}");
        decode(&payload).expect("an answer")
    }

    pub(super) fn text(&self, topic: &Topic) -> Option<String> {
        let payload = self.retained.get(&topics().name(topic))?;
        Some(String::from_utf8(payload.clone()).expect("UTF-8"))
    }

    pub(super) fn desk(&self, n: u16) -> DeskTable {
        let text = self.text(&Topic::DeskTable(TableId(n))).expect("the table");
        decode(text.as_bytes()).expect("a table")
    }

    pub(super) fn board(&self, n: u16) -> HallBoard {
        let text = self.text(&Topic::HallBoard(TableId(n))).expect("the board");
        decode(text.as_bytes()).expect("a board")
    }

    pub(super) fn control(&self, n: u16) -> Control {
        let text = self.text(&Topic::Control(device(n))).expect("control");
        decode(text.as_bytes()).expect("control")
    }

    pub(super) fn scalar(&self, n: u16, name: &str) -> Option<String> {
        self.text(&Topic::HallScalar(TableId(n), name.to_owned()))
    }

    /// Codes of the open alerts.
    pub(super) fn open(&self) -> Vec<String> {
        let alerts = self.alerts().into_iter();
        alerts.filter(Alert::is_open).map(|a| a.code).collect()
    }

    /// The alert of a code, an open one first.
    pub(super) fn alert(&self, code: &str) -> Alert {
        let mut found = self.alerts();
        found.retain(|a| a.code == code);
        found.sort_by_key(|a| !a.is_open());
        found
            .into_iter()
            .next()
            .unwrap_or_else(|| panic!("no {code}"))
    }

    fn alerts(&self) -> Vec<Alert> {
        let mark = "/desk/alert/";
        let of = self.retained.iter().filter(|(t, _)| t.contains(mark));
        of.map(|(_, p)| decode(p).expect("an alert")).collect()
    }
}

pub(super) fn topics() -> Topics {
    Topics::new(&"test".parse().expect("id"))
}

pub(super) fn made(ply: u32, uci: &str, by: Side) -> Fact {
    Fact::Made {
        ply,
        played: Played::Legal(uci.to_owned()),
        by,
        certainty: 1.0,
        squares: Vec::new(),
        after_ms: 0,
    }
}

pub(super) fn reading(white_s: u64, black_s: u64, running: Option<Side>) -> ClockReading {
    ClockReading {
        time: BySide {
            white: white_s * 1000,
            black: black_s * 1000,
        },
        running,
        turn: running,
        flag: BySide::default(),
        bonus_sign: BySide::default(),
        battery_low: false,
    }
}
