//! A shared line from opening to its end: one question at a time, every answer to its board.

use std::collections::{BTreeMap, BTreeSet};

use protocol::DeviceId;
use tokio::time::Instant;

use super::attendant::{Attendant, Ending, Meaning};
use super::port::{OUTBOX_EVERY, PortTask, write};
use super::tape::Tape;
use crate::devices::LineOptions;
use crate::devices::dgt::{Address, Bus, BusMember};
use crate::ports::Port;
use crate::session::Input;

/// A line on which fewer answer is no bus as long as nobody said so.
const A_BUS: usize = 2;

/// The line and those who are met on it.
struct SharedLine {
    task: PortTask,
    bus: Bus,
    members: BTreeMap<Address, Attendant>,
    /// The last minute of each board, beside that of the whole line.
    tapes: BTreeMap<Address, Tape>,
}

/// Serves the line; whether a board was found, and why it ended.
pub(super) async fn serve(task: PortTask, port: Port) -> (bool, Option<Ending>) {
    let mut line = SharedLine {
        task,
        bus: Bus::default(),
        members: BTreeMap::new(),
        tapes: BTreeMap::new(),
    };
    let end = line.serve(port).await.err();
    let worked = !line.members.is_empty();
    for (_, mut member) in std::mem::take(&mut line.members) {
        if end.is_some() {
            member.lose();
        }
        member.put_away();
    }
    (worked, end)
}

impl SharedLine {
    async fn serve(&mut self, mut port: Port) -> Result<(), Ending> {
        let clock = self.task.shared.clock;
        let mut tape = Tape::new(
            &self.task.shared,
            &self.task.port,
            self.task.driver.family(),
        );
        let mut buffer = [0; 1024];
        let mut outbox_due = Instant::now() + OUTBOX_EVERY;
        let known = self.task.known.as_ref();
        let expected = known.map_or(&[][..], |known| &known.boards);
        self.bus.opened(clock.now(), expected);
        loop {
            if let Some(bytes) = self.bus.next_write() {
                write(&mut port, &bytes).await?;
            }
            self.hand_out().await;
            self.anybody()?;
            let wake = self.bus.wake().map_or(OUTBOX_EVERY, |at| clock.until(at));
            tokio::select! {
                read = port.read(&mut buffer) => {
                    let count = read.map_err(|why| Ending::of_port(&why))?;
                    tape.heard(&buffer[..count]);
                    self.bus.receive(clock.now(), &buffer[..count]);
                }
                () = tokio::time::sleep(wake) => self.bus.tick(clock.now()),
                _ = self.task.stop.changed() => return Ok(()),
            }
            if Instant::now() >= outbox_due {
                outbox_due = Instant::now() + OUTBOX_EVERY;
                tape.keep();
                self.tapes.values_mut().for_each(Tape::keep);
                self.tell_outboxes().await;
            }
        }
    }

    /// Nobody at all, or one alone whom a line of his own serves better.
    fn anybody(&self) -> Result<(), Ending> {
        if self.bus.is_searched() && self.bus.boards() < self.wanted() {
            let why = "no boards share this line";
            return Err(Ending::because(why, Meaning::Nobody));
        }
        Ok(())
    }

    /// So many boards make a bus.
    fn wanted(&self) -> usize {
        if self.task.probing && self.task.known.is_none() {
            A_BUS
        } else {
            1
        }
    }

    async fn hand_out(&mut self) {
        // A board alone may be met again on a line of its own.
        if self.bus.boards() < self.wanted() {
            return;
        }
        while let Some((address, answer)) = self.bus.next_answer() {
            if !self.members.contains_key(&address) {
                self.meet(address).await;
            }
            if let Some(tape) = self.tapes.get_mut(&address) {
                tape.heard(&answer);
            }
            self.give(address, Input::Bytes(&answer)).await;
        }
        let now = self.task.shared.clock.now();
        let due = |member: &Attendant| member.wake().is_some_and(|at| at <= now);
        let tired: Vec<Address> = self
            .members
            .iter()
            .filter(|(_, member)| due(member))
            .map(|(address, _)| *address)
            .collect();
        for address in tired {
            self.give(address, Input::Tick).await;
        }
        self.obey().await;
    }

    async fn meet(&mut self, address: Address) {
        let how = LineOptions {
            bluetooth: self.task.shared.config.bluetooth,
            ..LineOptions::default()
        };
        let line = Box::new(BusMember::new(Some(address), &how));
        let place = format!("{}#{address}", self.task.port.path);
        let shared = self.task.shared.clone();
        let family = self.task.driver.family();
        let tape = Tape::of_board(&shared, &self.task.port, address, family);
        self.tapes.entry(address).or_insert(tape);
        let member = Attendant::new(shared, &place, &place, line);
        self.members.insert(address, member);
        self.remember();
        self.give(address, Input::Opened).await;
    }

    /// Boards met now, and those of before that may only be switched off.
    fn remember(&self) {
        let before = self.task.known.iter().flat_map(|known| &known.boards);
        let met = self.members.keys().map(|address| address.number());
        let all: BTreeSet<u16> = before.copied().chain(met).collect();
        let name = |number: &u16| DeviceId::of("dgt", &format!("{number:05}"));
        let devices = all.iter().map(name).collect();
        self.task.remember(devices, all.into_iter().collect());
    }

    async fn give(&mut self, address: Address, input: Input<'_>) {
        if let Some(member) = self.members.get_mut(&address) {
            let done = member.give(input).await;
            self.follow(address, done);
        }
    }

    async fn obey(&mut self) {
        let addresses: Vec<Address> = self.members.keys().copied().collect();
        for address in addresses {
            while let Some(member) = self.members.get_mut(&address) {
                let Some(order) = member.waiting_order() else {
                    break;
                };
                let done = member.obey(order).await;
                self.follow(address, done);
            }
        }
    }

    async fn tell_outboxes(&mut self) {
        let addresses: Vec<Address> = self.members.keys().copied().collect();
        for address in addresses {
            if let Some(member) = self.members.get_mut(&address) {
                let done = member.tell_outbox().await;
                self.follow(address, done);
            }
        }
    }

    /// What a board's line wants asked is asked in its turn; a board that is lost is met again when it answers.
    fn follow(&mut self, address: Address, done: Result<Vec<Vec<u8>>, Ending>) {
        match done {
            Ok(questions) => questions.iter().for_each(|bytes| self.bus.want(bytes)),
            Err(end) => {
                tracing::warn!(board = %address, why = end.why, "a board of a shared line ended");
                if let Some(member) = self.members.remove(&address) {
                    member.put_away();
                }
            }
        }
    }
}
