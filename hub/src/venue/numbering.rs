//! The numbers of the facts of one device: every fact counts once and in order, whatever the network does with it.

use std::collections::BTreeMap;

use protocol::{AgentId, Boot, Envelope, Seq, Timestamp};
use serde::{Deserialize, Serialize};

/// Starts of agents that are remembered for a device.
const BOOTS: usize = 64;

/// Facts of one start that may wait for earlier ones.
const WAITING: usize = 512;

/// No board says so much in the life of an agent: a number this far ahead is a fault of the agent, and is not taken.
const FARTHEST: Seq = 10_000_000;

/// Gaps that were given up and are remembered for each start.
const MISSED: usize = 32;

/// What a number means.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Turn {
    /// It is known already.
    Known,
    /// It is the next one.
    Next,
    /// Earlier ones are missing.
    Early,
    /// It was given up and comes after all.
    Late,
    /// No fact can have it.
    Absurd,
}

/// The numbers of one start of an agent.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
struct Count {
    agent: AgentId,
    boot: Boot,
    next: Seq,
    waiting: BTreeMap<Seq, Envelope>,
    since: Option<Timestamp>,
    used: u64,
    /// First and last number of each gap that was given up.
    #[serde(default)]
    missed: Vec<(Seq, Seq)>,
}

/// The numbers of one device.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct Numbering {
    counts: Vec<Count>,
    uses: u64,
}

impl Numbering {
    /// What a number means now.
    pub fn turn(&self, agent: &AgentId, boot: &Boot, seq: Seq) -> Turn {
        let count = self.find(agent, boot);
        let next = count.map_or(1, |c| c.next);
        let waits = count.is_some_and(|c| c.waiting.contains_key(&seq));
        match seq {
            _ if count.is_some_and(|c| c.gap_of(seq).is_some()) => Turn::Late,
            _ if waits || seq < next => Turn::Known,
            _ if seq == next => Turn::Next,
            _ if seq - next > FARTHEST => Turn::Absurd,
            _ => Turn::Early,
        }
    }

    /// The last number up to which nothing is missing.
    pub fn last(&self, agent: &AgentId, boot: &Boot) -> Seq {
        self.find(agent, boot).map_or(0, |c| c.next - 1)
    }

    /// Whether a start has been heard of.
    pub fn knows(&self, agent: &AgentId, boot: &Boot) -> bool {
        self.find(agent, boot).is_some()
    }

    /// The number of the fact that waits and is next now.
    pub fn ready(&self, agent: &AgentId, boot: &Boot) -> Option<Seq> {
        self.find(agent, boot)
            .and_then(|c| c.waiting.contains_key(&c.next).then_some(c.next))
    }

    /// The fact that waits under a number.
    pub fn waiting(&self, agent: &AgentId, boot: &Boot, seq: Seq) -> Option<&Envelope> {
        self.find(agent, boot).and_then(|c| c.waiting.get(&seq))
    }

    /// Gaps that are to be given up: older than `patience` milliseconds, or too many facts wait behind them.
    pub fn overdue(&self, now: Timestamp, patience: u64) -> Vec<(AgentId, Boot, Seq, Seq)> {
        self.counts
            .iter()
            .filter_map(|c| {
                let late = c.since.is_some_and(|since| now.since(since) >= patience);
                let first = *c.waiting.first_key_value()?.0;
                (first > c.next && (late || c.waiting.len() >= WAITING))
                    .then(|| (c.agent.clone(), c.boot.clone(), c.next, first - 1))
            })
            .collect()
    }

    /// Whether a start has too many waiting facts to keep more.
    pub fn is_full(&self, agent: &AgentId, boot: &Boot) -> bool {
        self.find(agent, boot)
            .is_some_and(|c| c.waiting.len() >= WAITING)
    }

    /// Takes a fact in. Answers whether it takes effect now.
    pub(super) fn receive(&mut self, envelope: &Envelope, at: Timestamp) -> bool {
        let count = self.count(&envelope.agent, &envelope.boot);
        if envelope.seq == count.next {
            count.next = count.next.saturating_add(1);
            count.settle(at);
            return true;
        }
        if let Some(gap) = count.gap_of(envelope.seq) {
            count.fill(gap, envelope.seq);
            return true;
        }
        if envelope.seq > count.next && count.waiting.len() < WAITING {
            count.waiting.insert(envelope.seq, envelope.clone());
            count.since = count.since.or(Some(at));
        }
        false
    }

    /// Takes the waiting fact that is next.
    pub(super) fn take(
        &mut self,
        agent: &AgentId,
        boot: &Boot,
        seq: Seq,
        at: Timestamp,
    ) -> Option<Envelope> {
        let count = self.count(agent, boot);
        let envelope = count.waiting.remove(&seq)?;
        count.next = count.next.max(seq.saturating_add(1));
        count.settle(at);
        Some(envelope)
    }

    /// Gives up everything before a number.
    pub(super) fn skip_to(&mut self, agent: &AgentId, boot: &Boot, next: Seq, at: Timestamp) {
        let count = self.count(agent, boot);
        if next > count.next {
            count.missed.push((count.next, next - 1));
            let spare = count.missed.len().saturating_sub(MISSED);
            count.missed.drain(..spare);
            count.next = next;
        }
        count.settle(at);
    }

    fn find(&self, agent: &AgentId, boot: &Boot) -> Option<&Count> {
        self.counts
            .iter()
            .find(|c| c.boot == *boot && c.agent == *agent)
    }

    fn count(&mut self, agent: &AgentId, boot: &Boot) -> &mut Count {
        self.uses += 1;
        let known = |c: &Count| c.boot == *boot && c.agent == *agent;
        let index = match self.counts.iter().position(known) {
            Some(index) => index,
            None => self.open(agent, boot),
        };
        let count = &mut self.counts[index];
        count.used = self.uses;
        count
    }

    fn open(&mut self, agent: &AgentId, boot: &Boot) -> usize {
        if self.counts.len() >= BOOTS {
            let oldest = (0..self.counts.len()).min_by_key(|i| self.counts[*i].used);
            self.counts.remove(oldest.unwrap_or(0));
        }
        self.counts.push(Count {
            agent: agent.clone(),
            boot: boot.clone(),
            next: 1,
            waiting: BTreeMap::new(),
            since: None,
            used: 0,
            missed: Vec::new(),
        });
        self.counts.len() - 1
    }
}

impl Count {
    /// The clock of the gap: from now on where another gap is left, none where nothing waits.
    fn settle(&mut self, at: Timestamp) {
        self.since = (!self.waiting.is_empty()).then_some(at);
    }

    /// The gap given up that a number lies in, by its place.
    fn gap_of(&self, seq: Seq) -> Option<usize> {
        let inside = |gap: &(Seq, Seq)| (gap.0..=gap.1).contains(&seq);
        self.missed.iter().position(inside)
    }

    /// A number of a gap came after all: what is left of the gap stays.
    fn fill(&mut self, gap: usize, seq: Seq) {
        let (from, to) = self.missed.remove(gap);
        let left = [(from, seq - 1), (seq.saturating_add(1), to)];
        let parts = left.into_iter().filter(|(from, to)| from <= to);
        self.missed.splice(gap..gap, parts);
        self.missed.truncate(MISSED);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use protocol::{Fact, Health};

    fn envelope(seq: Seq) -> Envelope {
        Envelope {
            agent: "a1".parse().expect("id"),
            boot: "b1".parse().expect("id"),
            seq,
            at: Timestamp(0),
            offset: None,
            fact: Fact::Health(Health::default()),
        }
    }

    #[test]
    fn numbers_count_once_and_in_order() {
        let mut numbers = Numbering::default();
        let rows = [
            (1, Turn::Next, 1),
            (1, Turn::Known, 1),
            (3, Turn::Early, 1),
            (3, Turn::Known, 1),
            (2, Turn::Next, 2),
        ];
        for (seq, turn, last) in rows {
            let e = envelope(seq);
            assert_eq!(numbers.turn(&e.agent, &e.boot, seq), turn, "{seq}");
            if turn != Turn::Known {
                numbers.receive(&e, Timestamp(0));
            }
            assert_eq!(numbers.last(&e.agent, &e.boot), last, "{seq}");
        }
        let e = envelope(3);
        assert_eq!(numbers.ready(&e.agent, &e.boot), Some(3));
        assert!(numbers.take(&e.agent, &e.boot, 3, Timestamp(0)).is_some());
        assert_eq!(numbers.last(&e.agent, &e.boot), 3);
    }

    #[test]
    fn a_gap_is_given_up_after_a_while() {
        let mut numbers = Numbering::default();
        numbers.receive(&envelope(5), Timestamp(1_000));
        assert!(numbers.overdue(Timestamp(2_000), 5_000).is_empty());
        let overdue = numbers.overdue(Timestamp(6_000), 5_000);
        assert_eq!(overdue.len(), 1);
        assert_eq!((overdue[0].2, overdue[0].3), (1, 4));
    }

    #[test]
    fn a_fact_that_was_given_up_counts_once_when_it_comes_after_all() {
        let mut numbers = Numbering::default();
        let (agent, boot) = (envelope(1).agent, envelope(1).boot);
        numbers.receive(&envelope(5), Timestamp(0));
        numbers.skip_to(&agent, &boot, 5, Timestamp(9_000));
        for (seq, turn) in [
            (3, Turn::Late),
            (3, Turn::Known),
            (1, Turn::Late),
            (4, Turn::Late),
            (2, Turn::Late),
            (2, Turn::Known),
        ] {
            assert_eq!(numbers.turn(&agent, &boot, seq), turn, "{seq}");
            numbers.receive(&envelope(seq), Timestamp(9_000));
        }
        assert_eq!(numbers.ready(&agent, &boot), Some(5));
    }

    #[test]
    fn no_fact_has_an_absurd_number() {
        let mut numbers = Numbering::default();
        let (agent, boot) = (envelope(1).agent, envelope(1).boot);
        for (seq, turn) in [
            (1 << 60, Turn::Absurd),
            (u64::MAX, Turn::Absurd),
            (5_000_000, Turn::Early),
            (0, Turn::Known),
        ] {
            assert_eq!(numbers.turn(&agent, &boot, seq), turn, "{seq}");
        }
        numbers.receive(&envelope(1), Timestamp(0));
        assert_eq!(numbers.turn(&agent, &boot, 2), Turn::Next);
    }

    #[test]
    fn what_waits_is_bounded() {
        let mut numbers = Numbering::default();
        for seq in 2..5_000 {
            numbers.receive(&envelope(seq), Timestamp(0));
        }
        let e = envelope(2);
        assert!(numbers.is_full(&e.agent, &e.boot));
        assert_eq!(
            numbers.overdue(Timestamp(0), 5_000).len(),
            1,
            "given up at once"
        );
    }
}
