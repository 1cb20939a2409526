//! What happened while the board was not heard: when to ask for the device's own log, and what becomes of it.
//!
//! **A gap stays open, over a restart of the agent too, until the log told what was missed or cannot tell it.** What is
//! concluded meanwhile is a guess, and judged again.

use protocol::{Fact, Millis};
use serde::{Deserialize, Serialize};

use super::device::Device;
use super::way::{Change, News, news, trail_after, trail_of, unheard};
use crate::devices::{LogEntry, Placement};
use crate::tracker::{self, Observation};

/// Reading the log keeps a board busy for seconds: it is asked for when nobody has moved for this long, milliseconds.
const QUIET: Millis = 900;
/// But not later than this after the board is back.
const LATEST: Millis = 2_500;
/// A board that has not sent its log by then has none, milliseconds.
const ANSWER: Millis = 20_000;
/// How often a log that does not lead to the board is asked for again.
const TRIES: u8 = 3;
/// Squares that changed soon after others did so within this, milliseconds.
const FAST: Millis = 250;

/// A time without the board.
#[derive(Debug)]
pub(super) struct Gap {
    /// The board as it was last understood or heard.
    before: Placement,
    /// When the board was heard again.
    since: Millis,
    /// When the log was asked for.
    asked: Option<Millis>,
    tries: u8,
}

/// Where a gap began, for the next start of the agent.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct KeptGap {
    /// Half-moves that were told before it.
    pub given: usize,
    /// The squares that changed last before it, see `trail` in the [memory](super::Memory).
    pub trail: String,
    /// They are not known: where in the log the gap began is found by the board alone.
    #[serde(default)]
    pub lost_trail: bool,
}

impl Device {
    /// The board was not heard for a while; before that, this stood on it. A gap that is open already counts from there.
    pub(super) fn note_gap(&mut self, now: Millis, before: Option<Placement>) {
        let Some(before) = before.filter(|_| self.can_be_told()) else {
            return;
        };
        if self.memory.gap.is_none() {
            let trail = self.memory.trail_given();
            self.memory.gap = Some(KeptGap {
                given: self.memory.given(),
                lost_trail: trail.is_none(),
                trail: trail.unwrap_or_default(),
            });
            self.dirty = true;
        }
        let before = self.gap.take().map_or(before, |gap| gap.before);
        self.gap = Some(Gap {
            before,
            since: now,
            asked: None,
            tries: 0,
        });
    }

    /// The board speaks for the first time since the agent started: what it did before is not known.
    pub(super) fn begin_after_gap(&mut self, now: Millis) {
        let recorded = self.recorded_board();
        self.note_gap(now, Some(recorded));
        if self.gap.is_some() {
            self.observe(now, Observation::Link(false));
            self.observe(now, Observation::Link(true));
        } else {
            self.lose_sight(self.memory.given());
        }
    }

    /// A game is being recorded whose first position stood on the board, and the board can tell what nobody heard.
    fn can_be_told(&self) -> bool {
        self.keeps_log
            && self.recorder.is_some()
            && (self.memory.set_up || !self.memory.line.is_empty())
    }

    /// What stands on the board after the part of the record that is taken for given, for an agent that has not heard it yet.
    pub(super) fn recorded_board(&self) -> Placement {
        let given = self.memory.played().take(self.memory.given());
        super::recorder::placement_of(&self.start().reach(given).now)
    }

    /// Whether the device's own log should be read now; each call may be the one that asks.
    pub(super) fn wants_log(&mut self, now: Millis) -> bool {
        let due = self.log_due().is_some_and(|due| due <= now);
        let Some(gap) = self.gap.as_mut().filter(|_| due) else {
            return false;
        };
        if gap.asked.is_some() {
            self.give_up_log(now);
            return false;
        }
        gap.asked = Some(now);
        true
    }

    /// When the log is to be asked for, or no longer waited for.
    pub(super) fn log_due(&self) -> Option<Millis> {
        let gap = self.gap.as_ref().filter(|_| self.dump_heard)?;
        Some(match gap.asked {
            Some(asked) => asked + ANSWER,
            None => (self.last_change + QUIET).clamp(gap.since, gap.since + LATEST),
        })
    }

    fn give_up_log(&mut self, now: Millis) {
        if let Some(gap) = self.close_gap() {
            self.lose_sight(gap.given);
        }
        self.observe(now, Observation::Log(Vec::new()));
    }

    fn close_gap(&mut self) -> Option<KeptGap> {
        self.gap = None;
        self.dirty |= self.memory.gap.is_some();
        self.memory.gap.take()
    }

    /// The log came: what nobody heard of it is heard now.
    pub(super) fn hear_log(&mut self, now: Millis, entries: &[LogEntry]) {
        let Some((gap, kept)) = self.gap.as_mut().zip(self.memory.gap.as_ref()) else {
            return;
        };
        let news = news(entries);
        let Some(found) = unheard(&news, &gap.before, &kept.trail) else {
            return self.give_up_log(now);
        };
        let (unheard, board) = (found.rest, found.board);
        let (given, lost_trail) = (kept.given, kept.lost_trail);
        if self.board != Some(board) && gap.tries < TRIES {
            // A message was lost, or is on its way.
            (gap.since, gap.asked, gap.tries) = (now, None, gap.tries + 1);
            return;
        }
        let times: Vec<_> = unheard.iter().filter_map(time).collect();
        if !times.is_empty() {
            self.say(now, Fact::Logged { times });
        }
        let tells_all = !unheard.iter().any(News::hides) && found.only && !lost_trail;
        let heard = unheard.iter().filter_map(|news| self.logged(news));
        let heard = heard.collect();
        self.memory.trail = trail_of(&news);
        self.close_gap();
        if tells_all {
            self.regain_sight(given);
        } else {
            self.lose_sight(given);
        }
        self.observe(now, Observation::Log(heard));
        // Where in the log the record is now is known; where older half-moves are in it, no longer.
        self.dirty |= self.memory.settle(self.memory.completed);
    }

    /// A square changed: remembered, to find the place in the log.
    pub(super) fn leave_trail(&mut self, change: Change) {
        self.memory.trail = trail_after(&self.memory.trail, [change]);
        self.memory.heard += 1;
    }

    /// Another record: what the board remembers of the way here is no part of it.
    pub(super) fn forget_the_way(&mut self) {
        self.close_gap();
        self.memory.set_up = false;
        self.memory.unseen = None;
        (self.memory.trail, self.memory.heard) = (String::new(), 0);
    }

    fn logged(&self, news: &News) -> Option<tracker::LogEntry> {
        let entry = match news {
            News::Entry(entry) => entry,
            News::Stood(board) => return Some(tracker::LogEntry::Stood(self.readings(board))),
            News::Power => return None,
        };
        match *entry {
            LogEntry::Square {
                square,
                piece,
                fast,
            } => Some(tracker::LogEntry::Square {
                square,
                reading: self.reading(piece),
                after: fast.then_some(FAST),
            }),
            LogEntry::Press { by, .. } => Some(tracker::LogEntry::Press { by }),
            _ => None,
        }
    }
}

fn time(news: &News) -> Option<protocol::BySide<Option<Millis>>> {
    match *news {
        News::Entry(LogEntry::Press { by, seconds }) => {
            let side = protocol::Side::from(by);
            let left = |one| (one == side).then_some(u64::from(seconds) * 1000);
            Some(protocol::BySide::new_with(left))
        }
        _ => None,
    }
}
