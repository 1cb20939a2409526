//! The board's own log: what it saw while nobody listened, played through the inference again.

use super::core::Core;
use super::inference::Code;
use super::machine::Tracker;
use super::observation::{LogEntry, Millis};

/// Entries whose distance the log does not know, in milliseconds.
const USUAL: Millis = 300;

impl Tracker {
    /// Replays the log from before the gap; keeps the result if it explains the board better.
    pub(super) fn replay_log(&mut self, entries: &[LogEntry]) {
        let Some(gap) = self.gap.take() else { return };
        let mut replayed = *gap;
        let span: Millis = entries
            .iter()
            .map(|entry| entry.after.unwrap_or(USUAL))
            .sum();
        let start = self.core.now.saturating_sub(span + USUAL).max(replayed.now);
        replayed.now = start;
        for entry in entries {
            let square = if self.rotated {
                entry.square.rotate_180()
            } else {
                entry.square
            };
            replayed.now = (replayed.now + entry.after.unwrap_or(USUAL)).min(self.core.now);
            replayed.square(square.to_usize(), entry.reading);
        }
        replayed.now = self.core.now;
        replayed.dump(self.core.picture.readings());
        if explains(&replayed) || !explains(&self.core) {
            self.core = replayed;
            self.alarms.clear(Code::Ambiguous);
            self.alarms.tell(
                Code::Resynced,
                Vec::new(),
                "the board's own log tells what was missed",
            );
        }
    }
}

fn explains(core: &Core) -> bool {
    core.node(core.best()).mask == 0
}
