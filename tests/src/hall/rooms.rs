//! The hall itself: passes time from one happening to the next, carries facts to the hub and its wishes to the boards, and
//! breaks what a story wants broken.

use std::collections::VecDeque;

use agent::simulate::dgt::{ClockAction, VirtualOptions};
use hub::rounds::RoundSetup;
use hub::venue::Input;
use protocol::{
    AgentId, AgentPresence, Alert, Boot, DeskTable, DeviceId, DeviceInfo, Fact, HallBoard, Millis,
    Order, Role, TableId, Timestamp, Topic, decode,
};
use shakmaty::{Piece, Square};

use super::{HubPart, Said, Seat, Told};

/// The moment at which simulated halls begin.
pub const NOON: Timestamp = Timestamp(1_800_000_000_000);

/// A hall with one agent.
pub struct Hall {
    now: Timestamp,
    /// The hub.
    pub hub: HubPart,
    seats: Vec<Seat>,
    agent: AgentId,
    boot: Boot,
    boots: u32,
    agent_runs: bool,
    linked: bool,
    /// What the agent keeps until the hub has it.
    outbox: VecDeque<Input>,
}

impl Hall {
    /// A hub with a round, or without one, and an agent without boards.
    pub fn open(round: Option<RoundSetup>) -> Hall {
        let boot: Boot = "a1".parse().expect("a name");
        let mut hall = Hall {
            now: NOON,
            hub: HubPart::start(NOON),
            seats: Vec::new(),
            agent: "agent-1".parse().expect("a name"),
            boot,
            boots: 1,
            agent_runs: true,
            linked: true,
            outbox: VecDeque::new(),
        };
        hall.hub
            .handle(NOON, round.map(Input::Round).into_iter().collect());
        hall.presence();
        hall.settle();
        hall
    }

    /// A board is plugged in.
    pub fn add_board(&mut self, serial: &str, options: VirtualOptions) -> DeviceId {
        let seat = Seat::new(
            self.millis(),
            serial,
            options,
            self.agent.clone(),
            self.boot.clone(),
        );
        let id = seat.id().clone();
        self.seats.push(seat);
        let control: Option<protocol::Control> = self.hub.retained(&Topic::Control(id.clone()));
        let now = self.millis();
        if let (Some(control), Some(seat)) = (control, self.seat_mut(&id)) {
            seat.control(now, &control);
        }
        self.settle();
        id
    }

    /// The time.
    pub fn now(&self) -> Timestamp {
        self.now
    }

    /// A board.
    pub fn seat(&self, device: &DeviceId) -> Option<&Seat> {
        self.seats.iter().find(|seat| seat.id() == device)
    }

    fn seat_mut(&mut self, device: &DeviceId) -> Option<&mut Seat> {
        self.seats.iter_mut().find(|seat| seat.id() == device)
    }

    fn millis(&self) -> Millis {
        u64::try_from(self.now.0).unwrap_or(0)
    }

    /// Passes so much time.
    pub fn pass(&mut self, ms: Millis) {
        let until = self.now.after(ms);
        while self.step(until) {}
    }

    /// Passes time to the next happening, `until` at the latest; false when `until` has come.
    pub fn step(&mut self, until: Timestamp) -> bool {
        if self.now >= until {
            return false;
        }
        let seats = self.seats.iter().filter_map(Seat::wake);
        let next = seats
            .map(agent::time::timestamp)
            .chain(self.hub.wake())
            .min()
            .unwrap_or(until);
        self.now = next.clamp(self.now.after(1), until);
        self.settle();
        true
    }

    /// Somebody does something at a board.
    pub fn at(&mut self, device: &DeviceId, act: impl FnOnce(&mut Seat, Millis)) {
        let now = self.millis();
        if let Some(seat) = self.seat_mut(device) {
            act(seat, now);
        }
        self.settle();
    }

    /// A hand puts a piece on a square or takes it off.
    pub fn touch(&mut self, device: &DeviceId, square: Square, piece: Option<Piece>) {
        self.at(device, |seat, now| seat.touch(now, square, piece));
    }

    /// A hand does something to a chessclock.
    pub fn clock(&mut self, device: &DeviceId, action: ClockAction) {
        self.at(device, |seat, now| seat.clock(now, action));
    }

    /// The agent states something that a virtual board cannot bring about.
    pub fn state(&mut self, device: &DeviceId, fact: Fact) {
        self.at(device, |seat, now| seat.state(now, fact));
    }

    /// An order reaches the hub; the answer can be read from it.
    pub fn order(&mut self, role: Role, order: Order) {
        let user = order.by.to_lowercase();
        let input = Input::Order { role, user, order };
        self.hub.handle(self.now, vec![input]);
        self.settle();
    }

    /// Pairings come, or corrected ones.
    pub fn pairings(&mut self, round: RoundSetup) {
        self.hub.handle(self.now, vec![Input::Round(round)]);
        self.settle();
    }

    /// `kill -9` of the agent; facts that the hub does not have are on its disk.
    pub fn kill_agent(&mut self) {
        self.agent_runs = false;
        self.seats.iter_mut().for_each(Seat::kill_agent);
        self.presence();
        self.settle();
    }

    /// The agent starts again.
    pub fn start_agent(&mut self) {
        self.boots += 1;
        self.boot = format!("a{}", self.boots).parse().expect("a name");
        self.agent_runs = true;
        let (now, boot) = (self.millis(), self.boot.clone());
        for seat in &mut self.seats {
            seat.start_agent(now, boot.clone());
        }
        self.presence();
        self.settle();
    }

    /// The network between agent and hub is cut or mended.
    pub fn link(&mut self, linked: bool) {
        self.linked = linked;
        self.presence();
        if linked {
            self.tell_controls();
        }
        self.settle();
    }

    /// `kill -9` of the hub.
    pub fn kill_hub(&mut self) {
        self.hub.kill();
    }

    /// The hub starts again on its journal.
    pub fn start_hub(&mut self) {
        self.hub.start_again(self.now);
        self.presence();
        self.tell_controls();
        self.settle();
    }

    /// What arbiters see of a table.
    pub fn desk(&self, table: TableId) -> Option<DeskTable> {
        self.hub.retained(&Topic::DeskTable(table))
    }

    /// What everybody sees of a table.
    pub fn board(&self, table: TableId) -> Option<HallBoard> {
        self.hub.retained(&Topic::HallBoard(table))
    }

    /// Every alert of the round, in the order of their ids.
    pub fn alerts(&self) -> Vec<Alert> {
        let alert = |(topic, payload): (&Topic, &Vec<u8>)| match topic {
            Topic::DeskAlert(_) => decode(payload).ok(),
            _ => None,
        };
        let mut alerts: Vec<Alert> = self.hub.all_retained().filter_map(alert).collect();
        alerts.sort_by(|a, b| a.id.cmp(&b.id));
        alerts
    }

    /// What a virtual board cannot bring about: a word about a board, as the hub last heard it but for this.
    pub fn tell_info(&mut self, device: &DeviceId, change: impl FnOnce(&mut DeviceInfo)) {
        if let Some(mut info) = self.hub.info(device) {
            change(&mut info);
            self.hub.handle(self.now, vec![Input::Info(info)]);
        }
    }

    /// The agent's presence, or its last will.
    fn presence(&mut self) {
        let presence = AgentPresence {
            agent: self.agent.clone(),
            boot: self.boot.clone(),
            online: self.agent_runs && self.linked,
            version: String::new(),
            host: String::new(),
            devices: self.seats.iter().map(|s| s.id().clone()).collect(),
        };
        self.hub.handle(self.now, vec![Input::Presence(presence)]);
    }

    fn tell_controls(&mut self) {
        let now = self.millis();
        for seat in &mut self.seats {
            let control: Option<protocol::Control> =
                self.hub.retained(&Topic::Control(seat.id().clone()));
            if let Some(control) = control {
                seat.control(now, &control);
            }
        }
    }

    /// Everything that follows at this moment.
    fn settle(&mut self) {
        let now = self.millis();
        self.hub.run(self.now);
        loop {
            for seat in &mut self.seats {
                let told = seat.run(now);
                let device = seat.id().clone();
                self.outbox
                    .extend(told.into_iter().map(|t| input(&device, t)));
            }
            if self.linked && self.agent_runs && self.hub.is_running() && !self.outbox.is_empty() {
                self.hub.handle(self.now, self.outbox.drain(..).collect());
            }
            if !self.deliver(now) {
                return;
            }
        }
    }

    /// What the hub says reaches the boards; whether there was anything.
    fn deliver(&mut self, now: Millis) -> bool {
        let said = self.hub.take_said();
        let any = !said.is_empty();
        for word in said {
            let device = match &word {
                Said::Control(device, _) | Said::Command(device, _) => device.clone(),
            };
            let reachable = self.linked && self.agent_runs;
            let Some(seat) = self.seat_mut(&device).filter(|_| reachable) else {
                continue;
            };
            match word {
                Said::Control(_, control) => seat.control(now, &control),
                Said::Command(_, command) => seat.command(now, &command),
            }
        }
        any
    }
}

fn input(device: &DeviceId, told: Told) -> Input {
    match told {
        Told::Fact(envelope) => Input::Fact {
            device: device.clone(),
            envelope,
        },
        Told::Info(info) => Input::Info(info),
    }
}
