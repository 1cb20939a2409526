//! What waits to go to an external broker: the newest of each retained topic and of each acknowledgement, in order.

use std::collections::{BTreeMap, HashMap};
use std::sync::{Mutex, MutexGuard, PoisonError};

use tokio::sync::Notify;

use super::message::Outgoing;

/// Messages that are not replaced by newer ones (answers, commands) beyond this many are dropped, oldest first.
const MOST_HAPPENINGS: usize = 10_000;

/// A queue that never grows beyond the number of topics: while the broker is away only the newest state is kept.
#[derive(Debug, Default)]
pub(crate) struct Outbox {
    waiting: Mutex<Waiting>,
    news: Notify,
}

#[derive(Debug, Default)]
struct Waiting {
    next: u64,
    queue: BTreeMap<u64, Outgoing>,
    newest: HashMap<String, u64>,
}

impl Outbox {
    /// Puts a message at the end; one it replaces is taken out.
    pub(crate) fn push(&self, message: Outgoing) {
        let mut waiting = self.waiting();
        let place = waiting.next;
        waiting.next += 1;
        if message.retain || message.topic.ends_with("/ack") {
            let older = waiting.newest.insert(message.topic.clone(), place);
            older.and_then(|older| waiting.queue.remove(&older));
        } else if waiting.queue.len() - waiting.newest.len() >= MOST_HAPPENINGS {
            waiting.drop_oldest_happening();
        }
        waiting.queue.insert(place, message);
        drop(waiting);
        self.news.notify_one();
    }

    /// Takes the first message, waiting for one.
    pub(crate) async fn pop(&self) -> Outgoing {
        loop {
            if let Some(message) = self.try_pop() {
                return message;
            }
            self.news.notified().await;
        }
    }

    /// Whether nothing waits.
    pub(crate) fn is_empty(&self) -> bool {
        self.waiting().queue.is_empty()
    }

    fn try_pop(&self) -> Option<Outgoing> {
        let mut waiting = self.waiting();
        let (place, message) = waiting.queue.pop_first()?;
        if waiting.newest.get(&message.topic) == Some(&place) {
            waiting.newest.remove(&message.topic);
        }
        Some(message)
    }

    fn waiting(&self) -> MutexGuard<'_, Waiting> {
        self.waiting.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The newest message of every retained topic.
#[derive(Debug, Default)]
pub(crate) struct Retained(Mutex<BTreeMap<String, Outgoing>>);

impl Retained {
    /// Notes a message that is to stay; an empty one takes its topic away.
    pub(crate) fn note(&self, message: &Outgoing) {
        let mut known = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if message.retain && message.payload.is_empty() {
            known.remove(&message.topic);
        } else if message.retain {
            known.insert(message.topic.clone(), message.clone());
        }
    }

    /// Whether something stays at the topic.
    pub(crate) fn knows(&self, topic: &str) -> bool {
        let known = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        known.contains_key(topic)
    }

    /// Puts everything that stays into the outbox.
    pub(crate) fn say_again(&self, outbox: &Outbox) {
        let known = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        known
            .values()
            .for_each(|message| outbox.push(message.clone()));
    }
}

impl Waiting {
    fn drop_oldest_happening(&mut self) {
        let newest = &self.newest;
        let replaced = |(place, m): &(&u64, &Outgoing)| newest.get(&m.topic) != Some(*place);
        let oldest = self.queue.iter().find(replaced).map(|(place, _)| *place);
        oldest.and_then(|place| self.queue.remove(&place));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn message(topic: &str, retain: bool, payload: &str) -> Outgoing {
        Outgoing {
            topic: topic.to_owned(),
            retain,
            expires_s: None,
            payload: payload.as_bytes().to_vec(),
        }
    }

    fn drain(outbox: &Outbox) -> Vec<String> {
        std::iter::from_fn(|| outbox.try_pop())
            .map(|m| format!("{}={}", m.topic, String::from_utf8_lossy(&m.payload)))
            .collect()
    }

    #[test]
    fn newer_state_replaces_older_and_happenings_stay() {
        let outbox = Outbox::default();
        outbox.push(message("board/1", true, "a"));
        outbox.push(message("answer", false, "x"));
        outbox.push(message("d/ack", false, "1"));
        outbox.push(message("board/1", true, "b"));
        outbox.push(message("answer", false, "y"));
        outbox.push(message("d/ack", false, "2"));
        assert_eq!(
            drain(&outbox),
            ["answer=x", "board/1=b", "answer=y", "d/ack=2"]
        );
        assert!(outbox.is_empty());
    }

    #[test]
    fn a_long_absence_does_not_fill_the_memory() {
        let outbox = Outbox::default();
        for n in 0..3 * MOST_HAPPENINGS {
            outbox.push(message("board/1", true, &n.to_string()));
            outbox.push(message("answer", false, &n.to_string()));
        }
        let left = drain(&outbox);
        assert_eq!(left.len(), MOST_HAPPENINGS + 1);
        assert_eq!(left.last().expect("last"), "answer=29999");
    }
}
