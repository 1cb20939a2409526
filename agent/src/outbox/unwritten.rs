//! Envelopes of one device that the disk refused: kept in memory, sent from there, written when there is room again.

use std::collections::VecDeque;

use protocol::Seq;

use super::record::MAX_PAYLOAD;

/// Envelopes kept in memory at most; then the oldest goes.
const ROOM: usize = 2000;

#[derive(Debug, Default)]
pub(super) struct Unwritten {
    queue: VecDeque<(Seq, Vec<u8>)>,
    sent: usize,
}

impl Unwritten {
    /// Takes one; returns how many were lost for it.
    pub(super) fn push(&mut self, seq: Seq, payload: Vec<u8>) -> u64 {
        if payload.is_empty() || payload.len() > MAX_PAYLOAD {
            return 1;
        }
        self.queue.push_back((seq, payload));
        if self.queue.len() <= ROOM {
            return 0;
        }
        self.queue.pop_front();
        self.sent = self.sent.saturating_sub(1);
        1
    }

    /// The next to send.
    pub(super) fn next(&mut self) -> Option<Vec<u8>> {
        let (_, payload) = self.queue.get(self.sent)?;
        self.sent += 1;
        Some(payload.clone())
    }

    /// The oldest, to be written; it counts as not yet sent from then on.
    pub(super) fn pop(&mut self) -> Option<(Seq, Vec<u8>)> {
        self.sent = self.sent.saturating_sub(1);
        self.queue.pop_front()
    }

    /// The oldest could not be written after all.
    pub(super) fn put_back(&mut self, seq: Seq, payload: Vec<u8>) {
        self.queue.push_front((seq, payload));
    }

    /// The hub has everything up to `seq`.
    pub(super) fn free(&mut self, seq: Seq) {
        while self.queue.front().is_some_and(|(known, _)| *known <= seq) {
            let _journalled = self.pop();
        }
    }

    /// Everything is to be sent again.
    pub(super) fn rewind(&mut self) {
        self.sent = 0;
    }

    pub(super) fn sent(&self) -> u64 {
        self.sent as u64
    }

    pub(super) fn len(&self) -> u64 {
        self.queue.len() as u64
    }

    pub(super) fn is_empty(&self) -> bool {
        self.queue.is_empty()
    }

    pub(super) fn last(&self) -> Option<Seq> {
        self.queue.back().map(|(seq, _)| *seq)
    }
}
