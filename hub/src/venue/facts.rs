//! Facts of agents: numbered, written down, decided upon, acknowledged.

use protocol::{
    Ack, AgentId, AgentPresence, Boot, DeviceId, DeviceInfo, Envelope, Fact, FactId, Seq, TableId,
    Timestamp, Topic, encode,
};

use super::event::EventBody;
use super::numbering::Turn;
use super::sense::when;
use super::state::GameAt;
use super::{Numbering, Venue};
use crate::game::{GameEvent, Seen, Source, decide, pressed_beside};

/// Boards, and agents, that one hub takes in: whoever invents more of them is not heard.
const MOST_DEVICES: usize = 2_048;

impl Venue {
    fn is_one_too_many(&mut self, device: &DeviceId) -> bool {
        let devices = &self.state.devices;
        let full = devices.len() >= MOST_DEVICES && !devices.contains_key(device);
        self.skipped += u64::from(full);
        full
    }

    pub(super) fn fact(&mut self, now: Timestamp, device: &DeviceId, envelope: Envelope) {
        let (agent, boot) = (envelope.agent.clone(), envelope.boot.clone());
        if self.is_one_too_many(device) {
            return;
        }
        let known = self.state.devices.get(device);
        let fresh = Numbering::default();
        let numbers = known.map_or(&fresh, |d| &d.numbers);
        let full = numbers.is_full(&agent, &boot);
        match numbers.turn(&agent, &boot, envelope.seq) {
            Turn::Known => {}
            Turn::Early if full => {}
            Turn::Absurd => self.refuse(now, device, &envelope),
            turn => self.take(now, device, envelope, turn),
        }
        self.acknowledge(device, agent, boot);
    }

    /// A fact whose number no fact can have: taken, it would hide every real one; said once for each start of an agent.
    fn refuse(&mut self, now: Timestamp, device: &DeviceId, envelope: &Envelope) {
        self.skipped += 1;
        let known = self.state.devices.get(device);
        let said = known.and_then(|d| d.refused.as_ref());
        if said.is_some_and(|r| r.agent == envelope.agent && r.boot == envelope.boot) {
            return;
        }
        self.record(
            now,
            EventBody::FactRefused {
                device: device.clone(),
                agent: envelope.agent.clone(),
                boot: envelope.boot.clone(),
                seq: envelope.seq,
            },
        );
        self.alerts_of(now, device);
    }

    fn take(&mut self, now: Timestamp, device: &DeviceId, envelope: Envelope, turn: Turn) {
        let new = self
            .state
            .devices
            .get(device)
            .is_none_or(|d| d.heard.is_none());
        let (agent, boot) = (envelope.agent.clone(), envelope.boot.clone());
        let fact = envelope.clone();
        let (gesture, had_moves) = (self.gesture_of(device), self.has_unplaced(device));
        self.record(
            now,
            EventBody::FactReceived {
                device: device.clone(),
                envelope,
            },
        );
        if new {
            self.new_device(now, device);
        }
        self.gesture_ended(now, device, gesture, when(&fact, now));
        self.follow_set_up(now, device, &fact.fact, had_moves);
        if turn != Turn::Early {
            self.decide(now, device, &fact);
            self.take_waiting(now, device, &agent, &boot);
        }
    }

    /// Facts that came too early and whose turn it is now.
    fn take_waiting(&mut self, now: Timestamp, device: &DeviceId, agent: &AgentId, boot: &Boot) {
        while let Some((seq, fact)) = self.next_waiting(device, agent, boot) {
            let (gesture, had_moves) = (self.gesture_of(device), self.has_unplaced(device));
            self.record(
                now,
                EventBody::EarlyFactTaken {
                    device: device.clone(),
                    agent: agent.clone(),
                    boot: boot.clone(),
                    seq,
                },
            );
            self.gesture_ended(now, device, gesture, when(&fact, now));
            self.follow_set_up(now, device, &fact.fact, had_moves);
            self.decide(now, device, &fact);
        }
    }

    fn has_unplaced(&self, device: &DeviceId) -> bool {
        let known = self.state.devices.get(device);
        known.is_some_and(|d| !d.unplaced.is_empty())
    }

    fn next_waiting(
        &self,
        device: &DeviceId,
        agent: &AgentId,
        boot: &Boot,
    ) -> Option<(Seq, Envelope)> {
        let numbers = &self.state.devices.get(device)?.numbers;
        let seq = numbers.ready(agent, boot)?;
        Some((seq, numbers.waiting(agent, boot, seq)?.clone()))
    }

    fn acknowledge(&mut self, device: &DeviceId, agent: AgentId, boot: Boot) {
        let known = self.state.devices.get(device);
        let seq = known.map_or(0, |d| d.numbers.last(&agent, &boot));
        if seq > 0 {
            let ack = Ack { agent, boot, seq };
            self.publish(Topic::Ack(device.clone()), false, encode(&ack));
        }
    }

    /// What a fact means for the game at its table.
    pub(super) fn decide(&mut self, now: Timestamp, device: &DeviceId, envelope: &Envelope) {
        let Some(table) = self.state.devices.get(device).and_then(|d| d.table) else {
            return;
        };
        let of_clock = matches!(envelope.fact, Fact::Reading(_) | Fact::Press { .. });
        let seat = self.state.tables.get(&table);
        if of_clock && seat.is_some_and(|seat| !seat.believes_clock_of(device)) {
            return;
        }
        self.touched.insert(table);
        self.next_casual_game(now, table, &envelope.fact);
        let Some(game) = self.state.tables.get(&table).map(|t| &t.game) else {
            return;
        };
        let id = envelope.id(device);
        let at = when(envelope, now);
        let events = decide(
            game,
            Seen {
                fact: &envelope.fact,
                id: &id,
                at,
            },
        );
        self.comes_late(now, table, at);
        let asks_again = events
            .iter()
            .any(|e| matches!(e, GameEvent::StrayFact { .. }));
        let source = Source::Fact(id);
        for event in events {
            self.game(now, table, source.clone(), event);
        }
        if asks_again {
            self.ask_again(now, table);
        }
        self.complete_beside(now, table, envelope.id(device), envelope);
    }

    /// A half-move that was pressed on a chessclock with a line of its own.
    fn complete_beside(&mut self, now: Timestamp, table: TableId, id: FactId, envelope: &Envelope) {
        let seat = self.state.tables.get(&table);
        let Some(seat) = seat.filter(|seat| seat.clock.is_some()) else {
            return;
        };
        let (fact, at) = (&envelope.fact, when(envelope, now));
        let events = pressed_beside(&seat.game, Seen { fact, id: &id, at });
        for event in events {
            self.game(now, table, Source::Fact(id.clone()), event);
        }
    }

    /// Records an event of a game of this round.
    pub(super) fn game(
        &mut self,
        now: Timestamp,
        table: TableId,
        source: Source,
        event: GameEvent,
    ) -> u64 {
        self.game_at(now, GameAt::now(table), source, event)
    }

    /// Records an event of a game.
    pub(super) fn game_at(
        &mut self,
        now: Timestamp,
        at: GameAt,
        source: Source,
        event: GameEvent,
    ) -> u64 {
        let GameAt { past, table } = at;
        if past.is_none() {
            self.touched.insert(table);
        }
        self.record(
            now,
            EventBody::Game {
                past,
                table,
                source,
                event,
            },
        )
    }

    /// Gaps that last too long: the facts are given up, and those behind them taken.
    pub(super) fn give_up_gaps(&mut self, now: Timestamp) {
        let patience = self.config.patience.missing_facts;
        let overdue: Vec<_> = self
            .state
            .devices
            .iter()
            .flat_map(|(id, d)| {
                let gaps = d.numbers.overdue(now, patience);
                gaps.into_iter().map(|gap| (id.clone(), gap))
            })
            .collect();
        for (device, (agent, boot, from, to)) in overdue {
            self.give_up(now, &device, (agent, boot), from, to);
        }
    }

    fn give_up(
        &mut self,
        now: Timestamp,
        device: &DeviceId,
        (agent, boot): (AgentId, Boot),
        from: Seq,
        to: Seq,
    ) {
        self.record(
            now,
            EventBody::FactsMissed {
                device: device.clone(),
                agent: agent.clone(),
                boot: boot.clone(),
                from,
                to,
            },
        );
        let table = self.state.devices.get(device).and_then(|d| d.table);
        if let Some(table) = table {
            let gap = GameEvent::GapNoted { from, to, at: now };
            self.game(now, table, Source::Hub, gap);
        }
        self.take_waiting(now, device, &agent, &boot);
        // What waited for the missing ones is all there is.
        if let Some(table) = table {
            self.behind.remove(&table);
        }
        self.acknowledge(device, agent, boot);
    }

    pub(super) fn presence(&mut self, now: Timestamp, presence: AgentPresence) {
        let known = self.state.agents.get(&presence.agent).map(|a| &a.presence);
        // The last will of an earlier start may come after the next start has said that it is there.
        let late =
            |now: &AgentPresence| !presence.online && now.online && now.boot != presence.boot;
        let full = known.is_none() && self.state.agents.len() >= MOST_DEVICES;
        self.skipped += u64::from(full);
        if !full && known.is_none_or(|now| *now != presence && !late(now)) {
            self.record(now, EventBody::AgentChanged { presence });
        }
    }

    pub(super) fn info(&mut self, now: Timestamp, info: DeviceInfo) {
        if self.is_one_too_many(&info.device) {
            return;
        }
        let known = self.state.devices.get(&info.device);
        if known.is_some_and(|d| d.info.as_ref() == Some(&info)) {
            return;
        }
        let new = known.is_none_or(|d| d.heard.is_none());
        let before = known.map(|d| d.boot.clone());
        let device = info.device.clone();
        self.record(now, EventBody::DeviceChanged { info });
        let after = self.state.devices.get(&device).map(|d| d.boot.clone());
        let restarted = before.is_some() && before != after;
        if new {
            self.new_device(now, &device);
        } else if restarted {
            self.start_again(now, &device);
        }
        self.alerts_of(now, &device);
        let table = self.state.devices.get(&device).and_then(|d| d.table);
        self.touched.extend(table);
    }

    /// In casual play a full set in the initial array after a game begins the next one.
    fn next_casual_game(&mut self, now: Timestamp, id: TableId, fact: &Fact) {
        let Fact::SetUp { correct: true, .. } = fact else {
            return;
        };
        let again = self
            .state
            .tables
            .get(&id)
            .is_some_and(|t| t.casual && t.game.record.len() > 1 && t.game.held.is_none());
        if again {
            let next = EventBody::NextGame {
                table: id,
                annulled: false,
            };
            self.record(now, next);
            self.set_control(now, id, false);
        }
    }
}
