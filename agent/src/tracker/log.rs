//! The board's own log: what it saw while nobody listened, played through the inference again.
//!
//! **An order is taken from the log only where the log alone leads from the board as it was last heard to the board as it
//! is now.**

use super::board::turned;
use super::core::Core;
use super::inference::Code;
use super::lifecycle::Phase;
use super::machine::Tracker;
use super::observation::{LogEntry, Millis};

/// Entries whose distance the log does not know, in milliseconds.
const USUAL: Millis = 300;
/// A press is hardly followed by the next move at once, in milliseconds.
const AFTER_PRESS: Millis = 700;
/// Squares that may disagree while a move is under way.
const UNDER_WAY: u32 = 3;

impl Tracker {
    /// Keeps the inference as it is before a dump that brings more than a move, for the log to begin from.
    pub(super) fn remember_gap(&mut self, before: Core) {
        let open = self.awaits_log || self.wants_log() || !explains(&self.core);
        self.gap = self.gap.take().filter(|_| open).or(Some(before.into()));
    }

    /// The board was not heard for a while: what the log tells will begin from here, if it did not begin earlier.
    pub(super) fn begin_gap(&mut self) {
        if !self.awaits_log {
            self.gap = Some(Box::new(self.core.clone()));
        }
        self.awaits_log = true;
    }

    /// Replays the log from before the gap; keeps the result where the log leads to the board, or nothing else explains it.
    pub(super) fn replay_log(&mut self, entries: &[LogEntry]) {
        self.awaits_log = false;
        let gap = self.gap.take();
        let Some(gap) = gap.filter(|_| !entries.is_empty()) else {
            return self.show_what_was_missed();
        };
        let doubts = gap.doubts.len();
        let mut replayed = self.replayed(*gap, entries);
        if self.leads_here(&replayed) {
            if !entries.iter().any(hides_moves) && tells_all(&replayed) {
                // The log knows the order, though not the times: lines that differ in the order only are none.
                replayed.doubts.truncate(doubts);
                replayed.tree.keep_line(replayed.best());
                replayed.forget();
            }
            self.core = replayed;
            self.alarms.clear(Code::Ambiguous);
            self.alarms.tell(
                Code::Resynced,
                Vec::new(),
                "the board's own log tells what was missed",
            );
            self.show_what_was_missed();
            return;
        }
        if !explains(&self.core) {
            replayed.dump(self.core.picture.readings());
            self.core = replayed;
        }
        self.show_what_was_missed();
    }

    /// What was played before the clock was stopped counts, though it stands still now.
    pub(super) fn show_what_was_missed(&mut self) {
        if !matches!(self.phase, Phase::Ended(_)) && self.centred.is_none() {
            self.publish();
        }
    }

    /// The inference after the entries, which lie between when the board was last heard and now.
    fn replayed(&self, gap: Core, entries: &[LogEntry]) -> Core {
        let mut replayed = gap;
        let entries = &entries[heard_presses(&replayed, entries)..];
        let (heard, now) = (replayed.picture.last_change, self.core.now);
        let times = times(entries);
        let span = times.last().copied().unwrap_or(0) + USUAL;
        let room = now.saturating_sub(heard).min(span);
        let start = now - room;
        for (entry, passed) in entries.iter().zip(times) {
            replayed.now = start + passed * room / span;
            match entry {
                LogEntry::Square {
                    square, reading, ..
                } => {
                    let square = if self.rotated {
                        square.rotate_180()
                    } else {
                        *square
                    };
                    replayed.square(square.to_usize(), *reading);
                }
                LogEntry::Press { by } => replayed.press(*by),
                LogEntry::Stood(readings) => {
                    let readings = match self.rotated {
                        true => turned(readings),
                        false => **readings,
                    };
                    replayed.dump(&readings);
                    replayed.note_silence(Millis::MAX);
                }
            }
        }
        replayed.now = now;
        replayed.forget();
        replayed
    }

    /// The log led to the board as it is, and makes sense of it, or of all but a move that is under way.
    fn leads_here(&self, replayed: &Core) -> bool {
        let left = replayed.node(replayed.best()).mask.count_ones();
        replayed.picture.readings() == self.core.picture.readings()
            && (left <= UNDER_WAY || !explains(&self.core))
    }
}

/// The log led to a board that makes sense, by moves that all were seen.
fn tells_all(replayed: &Core) -> bool {
    let path = replayed.tree.path(replayed.best());
    explains(replayed) && path.iter().all(|&id| !replayed.node(id).bridged)
}

/// What was played without power is not in the log.
fn hides_moves(entry: &LogEntry) -> bool {
    matches!(entry, LogEntry::Stood(_))
}

/// Presses at the beginning that complete a half-move of which that is known already: they were heard.
fn heard_presses(before: &Core, entries: &[LogEntry]) -> usize {
    let node = before.node(before.best());
    let completed = node.parent.is_none() || node.pressed.is_some();
    let pressed = |entry: &&LogEntry| completed && matches!(entry, LogEntry::Press { .. });
    entries.iter().take_while(pressed).count()
}

/// When each entry was written, milliseconds from some moment before the first.
fn times(entries: &[LogEntry]) -> Vec<Millis> {
    let mut passed = 0;
    let mut pressed = false;
    let mut times = Vec::with_capacity(entries.len());
    for entry in entries {
        passed += match entry {
            LogEntry::Square {
                after: Some(after), ..
            } => *after,
            LogEntry::Square { .. } if pressed => AFTER_PRESS,
            _ => USUAL,
        };
        pressed = matches!(entry, LogEntry::Press { .. });
        times.push(passed);
    }
    times
}

fn explains(core: &Core) -> bool {
    core.node(core.best()).mask == 0
}
