//! What the hall saw of each table, change by change, kept for those who see it later.
//!
//! Kept with the state of the venue, made again by every replay: a restart shows neither more nor less than before.

use std::collections::{BTreeMap, VecDeque};

use protocol::{
    ChessclockView, GameResult, HallBoard, HallPly, HallState, Ply, Side, TableId, Timestamp,
};
use serde::{Deserialize, Serialize};

use super::Audience;
use super::cut::with_position;
use crate::views::Unreleased;

/// More changes than a table has within the longest sensible delay; beyond, older ones are put together and come later.
const CHANGES: usize = 4_096;

/// One change of a table as the hall saw it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
struct Change {
    at: Timestamp,
    /// Another game, other players; none: as before.
    head: Option<Box<HallBoard>>,
    /// The table has gone.
    gone: bool,
    keep: u32,
    add: Vec<HallPly>,
    settled: Ply,
    completed: Ply,
    clock: Option<ChessclockView>,
    state: HallState,
    result: Option<GameResult>,
}

/// The histories of all tables.
pub type Histories = BTreeMap<TableId, History>;

/// One table.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct History {
    changes: VecDeque<Change>,
    held: Option<Timestamp>,
    /// Since when games of earlier rounds were held, and until when they were at this table.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    left_held: Vec<(Timestamp, Timestamp)>,
}

impl History {
    /// Notes what the hall sees now, if it is something else than before; forgets what everybody has seen who is `longest_ms` behind.
    pub fn note(&mut self, at: Timestamp, board: &Unreleased, longest_ms: u64) {
        let at = self.changes.back().map_or(at, |last| last.at.max(at));
        self.note_change(at, &board.0);
        self.forget(at, longest_ms);
    }

    /// The table has gone.
    pub fn note_gone(&mut self, at: Timestamp) {
        if let Some(last) = self.changes.back().filter(|last| !last.gone) {
            let gone = Change {
                at: last.at.max(at),
                head: None,
                gone: true,
                add: Vec::new(),
                ..last.clone()
            };
            self.changes.push_back(gone);
        }
    }

    /// Whether nothing is left that somebody could be shown at this moment.
    pub fn is_over(&self, now: Timestamp, longest_ms: u64) -> bool {
        self.changes
            .back()
            .is_none_or(|last| last.gone && last.at.after(longest_ms) <= now)
    }

    /// From now on nobody outside sees more, until it is let go.
    pub fn hold(&mut self, at: Option<Timestamp>) {
        self.held = at;
    }

    /// Another game begins here. One that is held goes on being held elsewhere: nobody ever sees more of it at this table.
    pub fn leave(&mut self, at: Timestamp) -> Option<History> {
        let held = self.held?;
        let left = self.clone();
        self.held = None;
        self.left_held.push((held, at));
        Some(left)
    }

    /// The hub's clock was set: everything happened so much later, or earlier, by the new time.
    pub fn shift(&mut self, by_ms: i64) {
        for change in &mut self.changes {
            change.at = change.at.shifted(by_ms);
            if let Some(view) = &mut change.clock {
                view.at = view.at.shifted(by_ms);
            }
        }
        self.held = self.held.map(|held| held.shifted(by_ms));
        for (held, left) in &mut self.left_held {
            *held = held.shifted(by_ms);
            *left = left.shifted(by_ms);
        }
    }

    /// Since when it is held.
    pub fn held(&self) -> Option<Timestamp> {
        self.held
    }

    /// Up to when an audience sees what the hall saw. A game that is held stays as it was when it was held, until the next one is due.
    pub(super) fn due_until(&self, audience: &Audience, now: Timestamp) -> Timestamp {
        let held = |now: Timestamp| self.held.map_or(now, |held| held.min(now));
        let until = audience.sees_of(held, now);
        let left = self.left_held.iter().find(|(_, left)| until < *left);
        left.map_or(until, |(since, _)| {
            let held = |now: Timestamp| now.min(*since);
            until.min(audience.sees_of(held, now))
        })
    }

    /// The next moment at which an audience will see more, if nothing else happens.
    pub(super) fn next_due(&self, audience: &Audience, now: Timestamp) -> Option<Timestamp> {
        if self.held.is_some_and(|held| held <= now) {
            return None;
        }
        let mut left = self.left_held.iter().map(|(_, left)| *left);
        let next = left
            .find(|left| now < left.after(audience.delay_ms))
            .or_else(|| {
                let until = self.due_until(audience, now);
                let next = self.changes.partition_point(|c| c.at <= until);
                self.changes.get(next).map(|c| c.at)
            });
        next.map(|at| at.after(audience.delay_ms))
    }

    /// What the hall saw up to a moment: `Some(None)` when the table had gone by then, `None` when nothing was there yet.
    pub(super) fn seen_until(&self, until: Timestamp) -> Option<Option<HallBoard>> {
        let count = self.changes.partition_point(|c| c.at <= until);
        let last = self.changes.get(count.checked_sub(1)?)?;
        if last.gone {
            return Some(None);
        }
        Some(self.board(count))
    }

    /// The round of the game, or of the pairing alone, that is shown to those who see what the hall saw until a moment; none: the
    /// table has gone.
    pub(super) fn round_until(&self, until: Timestamp) -> Option<u16> {
        let count = self.changes.partition_point(|c| c.at <= until).max(1);
        let last = self.changes.get(count - 1)?;
        let head = self.head(count).filter(|_| !last.gone)?;
        Some(head.round)
    }

    /// Since when there is anything, if nothing of it is due at a moment.
    pub(super) fn comes_after(&self, until: Timestamp) -> Option<Timestamp> {
        let first = self.changes.front()?;
        (until < first.at).then_some(first.at)
    }

    /// What does not change while a game is played, after so many changes.
    fn head(&self, count: usize) -> Option<&HallBoard> {
        let mut changes = self.changes.iter().take(count).rev();
        changes.find_map(|c| c.head.as_deref())
    }

    /// Who plays, and nothing of the game.
    pub(super) fn pairing(&self) -> Option<HallBoard> {
        let head = self.changes.front()?.head.as_deref()?;
        Some(with_position(HallBoard {
            began: None,
            unconfirmed: false,
            ..head.clone()
        }))
    }

    /// The board after so many changes.
    fn board(&self, count: usize) -> Option<HallBoard> {
        let last = self.changes.get(count.checked_sub(1)?)?;
        let head = self.head(count)?;
        Some(HallBoard {
            moves: self.line(count).into_iter().cloned().collect(),
            settled_ply: last.settled,
            completed_ply: last.completed,
            clock: last.clock,
            state: last.state,
            result: last.result,
            ..head.clone()
        })
    }

    fn line(&self, count: usize) -> Vec<&HallPly> {
        let mut line = Vec::new();
        for change in self.changes.iter().take(count) {
            line.truncate(usize::try_from(change.keep).unwrap_or(usize::MAX));
            line.extend(&change.add);
        }
        line
    }

    fn note_change(&mut self, at: Timestamp, board: &HallBoard) {
        let count = self.changes.len();
        let line = self.line(count);
        let same = line.iter().zip(&board.moves).take_while(|(a, b)| **a == *b);
        let keep = same.count();
        let cut = keep < line.len();
        let head = head_of(board);
        let other_head = self.head(count) != Some(&head);
        let change = Change {
            at,
            head: other_head.then(|| Box::new(head)),
            gone: false,
            keep: u32::try_from(keep).unwrap_or(u32::MAX),
            add: board.moves[keep..].to_vec(),
            settled: board.settled_ply,
            completed: board.completed_ply,
            clock: board.clock,
            state: board.state,
            result: board.result,
        };
        if other_head
            || cut
            || self
                .changes
                .back()
                .is_none_or(|last| differs(last, &change))
        {
            self.changes.push_back(change);
        }
    }

    /// Puts together what is due for everybody, and what is too much.
    fn forget(&mut self, now: Timestamp, longest_ms: u64) {
        let moment = self.held.map_or(now, |held| held.min(now));
        self.left_held
            .retain(|(_, left)| left.after(longest_ms) > moment);
        let left = self.left_held.iter().map(|(held, _)| *held);
        let moment = left.fold(moment, Timestamp::min);
        while self.changes.len() > 1 && self.changes[1].at.after(longest_ms) <= moment {
            self.put_together(0);
        }
        while self.changes.len() > CHANGES {
            self.put_together(1);
        }
    }

    /// Makes one change of two, at the time of the later one.
    fn put_together(&mut self, index: usize) {
        let Some(first) = self.changes.remove(index) else {
            return;
        };
        if let Some(second) = self.changes.get_mut(index) {
            let kept =
                usize::try_from(second.keep.saturating_sub(first.keep)).unwrap_or(usize::MAX);
            let mut add = first.add;
            add.truncate(kept);
            add.append(&mut second.add);
            second.add = add;
            second.keep = second.keep.min(first.keep);
            if second.head.is_none() {
                second.head = first.head;
            }
        }
    }
}

/// A change that adds a move, or of which anything but the clock's reading is another; a clock that runs on tells nothing new.
fn differs(last: &Change, new: &Change) -> bool {
    let stands = |c: &Change| (c.settled, c.completed, c.state, c.result, c.gone);
    !new.add.is_empty() || stands(last) != stands(new) || set_otherwise(last.clock, new.clock)
}

/// Milliseconds by which two readings of a running clock may disagree.
const READING: u64 = 2_000;

fn set_otherwise(last: Option<ChessclockView>, new: Option<ChessclockView>) -> bool {
    let (Some(last), Some(new)) = (last, new) else {
        return last.is_some() != new.is_some();
    };
    let expected = |side: Side| {
        let passed = if last.running == Some(side) {
            new.at.since(last.at)
        } else {
            0
        };
        last.time.get(side).saturating_sub(passed)
    };
    let off = |side: Side| expected(side).abs_diff(*new.time.get(side)) > READING;
    (last.running, last.flag) != (new.running, new.flag) || Side::BOTH.into_iter().any(off)
}

/// What does not change while a game is played.
fn head_of(board: &HallBoard) -> HallBoard {
    HallBoard {
        moves: Vec::new(),
        settled_ply: 0,
        completed_ply: 0,
        position: protocol::Placement::default(),
        turn: Side::White,
        check: false,
        clock: None,
        state: HallState::Waiting,
        result: None,
        at: Timestamp(0),
        revision: 0,
        ..board.clone()
    }
}
