//! The board's own log: what it saw while nobody listened, played through the inference again.
//!
//! **An order is taken from the log only where the log alone leads from the board as it was last heard to the board as it
//! is now.**

use super::core::Core;
use super::inference::Code;
use super::machine::Tracker;
use super::observation::{LogEntry, Millis};

/// Entries whose distance the log does not know, in milliseconds.
const USUAL: Millis = 300;

impl Tracker {
    /// Keeps the inference as it is before a dump that brings more than a move, for the log to begin from.
    pub(super) fn remember_gap(&mut self, before: Core) {
        let open = self.relinked || self.wants_log() || !explains(&self.core);
        self.gap = self.gap.take().filter(|_| open).or(Some(before.into()));
    }

    /// Replays the log from before the gap; keeps the result where the log explains the board, or nothing else does.
    pub(super) fn replay_log(&mut self, entries: &[LogEntry]) {
        let Some(gap) = self.gap.take() else { return };
        let doubts = gap.doubts.len();
        let mut replayed = self.replayed(*gap, entries);
        if self.tells_all(&replayed) {
            // The log knows the order, though not the times: lines that differ in the order only are none.
            replayed.doubts.truncate(doubts);
            replayed.tree.keep_line(replayed.best());
            replayed.forget();
            self.core = replayed;
            self.alarms.clear(Code::Ambiguous);
            self.alarms.tell(
                Code::Resynced,
                Vec::new(),
                "the board's own log tells what was missed",
            );
            return;
        }
        if !explains(&self.core) {
            replayed.dump(self.core.picture.readings());
            self.core = replayed;
        }
    }

    /// The inference after the entries, which lie between when the board was last heard and now.
    fn replayed(&self, gap: Core, entries: &[LogEntry]) -> Core {
        let mut replayed = gap;
        let (heard, now) = (replayed.picture.last_change, self.core.now);
        let apart = |entry: &LogEntry| entry.after.unwrap_or(USUAL);
        let span = entries.iter().map(apart).sum::<Millis>() + USUAL;
        let room = now.saturating_sub(heard).min(span);
        let start = now - room;
        let mut passed = 0;
        for entry in entries {
            passed += apart(entry);
            replayed.now = start + passed * room / span;
            let square = if self.rotated {
                entry.square.rotate_180()
            } else {
                entry.square
            };
            replayed.square(square.to_usize(), entry.reading);
        }
        replayed.now = now;
        replayed.forget();
        replayed
    }

    /// The log led to the board as it is, by moves that all were seen.
    fn tells_all(&self, replayed: &Core) -> bool {
        let path = replayed.tree.path(replayed.best());
        replayed.picture.readings() == self.core.picture.readings()
            && explains(replayed)
            && path.iter().all(|&id| !replayed.node(id).bridged)
    }
}

fn explains(core: &Core) -> bool {
    core.node(core.best()).mask == 0
}
