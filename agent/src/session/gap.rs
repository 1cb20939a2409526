//! What happened while the board was not heard, from the device's own log: when to ask for it, and which part of it nobody
//! heard.
//!
//! **A gap stays open until the log told what was missed, or cannot tell it.**

use protocol::{Fact, Millis};
use shakmaty::{Piece, Square};

use super::device::Device;
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
/// Changes of squares that are remembered, to find their place in the log.
const TRAIL: usize = 32;

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

/// A square that changed and what it held afterwards.
pub(super) type Change = (Square, Option<Piece>);

impl Device {
    /// The board was not heard for a while; before that, this stood on it. An older gap that is still open counts from there.
    pub(super) fn note_gap(&mut self, now: Millis, before: Option<Placement>) {
        let Some(before) = before.filter(|_| self.is_in_play()) else {
            return;
        };
        let before = self.gap.take().map_or(before, |gap| gap.before);
        self.gap = Some(Gap {
            before,
            since: now,
            asked: None,
            tries: 0,
        });
    }

    /// A game is being recorded whose first position stood on the board.
    fn is_in_play(&self) -> bool {
        self.recorder.is_some() && (self.memory.set_up || !self.memory.line.is_empty())
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
        let gap = self.gap.as_ref()?;
        self.board?;
        Some(match gap.asked {
            Some(asked) => asked + ANSWER,
            None => (self.last_change + QUIET).clamp(gap.since, gap.since + LATEST),
        })
    }

    fn give_up_log(&mut self, now: Millis) {
        self.gap = None;
        self.observe(now, Observation::Log(Vec::new()));
    }

    /// The log came: what nobody heard of it is heard now.
    pub(super) fn hear_log(&mut self, now: Millis, entries: &[LogEntry]) {
        let Some(gap) = self.gap.take() else { return };
        let Some((unheard, board)) = unheard(entries, &gap.before, &self.memory.trail()) else {
            return self.give_up_log(now);
        };
        // What is on its way to us as a message is not in the log twice.
        if self.board != Some(board) && gap.tries < TRIES {
            let tries = gap.tries + 1;
            self.gap = Some(Gap {
                since: now,
                asked: None,
                tries,
                ..gap
            });
            return;
        }
        let times: Vec<_> = unheard.iter().filter_map(time).collect();
        if !times.is_empty() {
            self.say(now, Fact::Logged { times });
        }
        self.memory.lay_trail(entries);
        let heard = unheard.iter().filter_map(|entry| self.logged(entry));
        let heard = heard.collect();
        self.observe(now, Observation::Log(heard));
    }

    /// A square changed: remembered, to find the place in the log.
    pub(super) fn leave_trail(&mut self, change: Change) {
        self.memory.leave_trail(std::iter::once(change));
    }

    fn logged(&self, entry: &LogEntry) -> Option<tracker::LogEntry> {
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

/// Places on the way of a game through the log.
impl super::Memory {
    /// The last changes that were heard, oldest first.
    pub(super) fn trail(&self) -> Vec<Change> {
        let words = self.trail.split_whitespace();
        words.filter_map(change).collect()
    }

    fn leave_trail(&mut self, changes: impl IntoIterator<Item = Change>) {
        let words = changes.into_iter().map(word);
        let mut trail: Vec<String> = self.trail.split_whitespace().map(str::to_owned).collect();
        trail.extend(words);
        let spare = trail.len().saturating_sub(TRAIL);
        self.trail = trail[spare..].join(" ");
    }

    /// The whole log was heard: its end is where we are.
    fn lay_trail(&mut self, entries: &[LogEntry]) {
        self.trail.clear();
        let last = entries.iter().rev().filter_map(square).take(TRAIL);
        let mut last: Vec<Change> = last.collect();
        last.reverse();
        self.leave_trail(last);
    }
}

/// The entries after the board last stood as it was last heard, and the board after all of them; none when the log does not
/// go back so far. `trail` are changes heard before; where it fits best is where we stopped listening.
fn unheard<'a>(
    entries: &'a [LogEntry],
    before: &Placement,
    trail: &[Change],
) -> Option<(&'a [LogEntry], Placement)> {
    let mut board = Placement::EMPTY;
    let mut said: Vec<Change> = Vec::new();
    let (mut stood, mut best) = (None, None);
    for (at, entry) in entries.iter().enumerate() {
        match *entry {
            LogEntry::Square { square, piece, .. } => {
                board.set(square, piece);
                said.push((square, piece));
            }
            LogEntry::StartPosition(_) => board = Placement::start(),
            LogEntry::BoardEmpty => board = Placement::EMPTY,
            _ => continue,
        }
        if board == *before {
            stood = Some(at + 1);
        }
        let fits = common_end(&said, trail);
        if let Some(from) = stood
            && best.is_none_or(|(most, _)| fits >= most)
        {
            best = Some((fits, from));
        }
    }
    best.map(|(_, from)| (&entries[from..], board))
}

/// How many of the last changes are the same.
fn common_end(said: &[Change], trail: &[Change]) -> usize {
    let pairs = said.iter().rev().zip(trail.iter().rev());
    pairs.take_while(|(one, other)| one == other).count()
}

fn square(entry: &LogEntry) -> Option<Change> {
    match *entry {
        LogEntry::Square { square, piece, .. } => Some((square, piece)),
        _ => None,
    }
}

/// `e2` for an empty square, `e4P` for one with a piece.
fn word((square, piece): Change) -> String {
    let piece = piece.map(Piece::char);
    square.to_string() + &piece.map(String::from).unwrap_or_default()
}

fn change(word: &str) -> Option<Change> {
    let square = word.get(..2)?.parse().ok()?;
    let piece = word.chars().nth(2);
    Some((square, piece.and_then(Piece::from_char)))
}

fn time(entry: &LogEntry) -> Option<protocol::BySide<Option<Millis>>> {
    match *entry {
        LogEntry::Press { by, seconds } => {
            let side = protocol::Side::from(by);
            let left = |one| (one == side).then_some(u64::from(seconds) * 1000);
            Some(protocol::BySide::new_with(left))
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::devices::Orientation;

    fn entry(text: &str) -> LogEntry {
        match text {
            "start" => LogEntry::StartPosition(Orientation::Normal),
            "power" => LogEntry::PowerUp,
            text => {
                let (square, piece) = change(text).expect("a change");
                LogEntry::Square {
                    square,
                    piece,
                    fast: false,
                }
            }
        }
    }

    #[test]
    fn only_what_nobody_heard_is_heard_again() {
        let rows = [
            ("start e2 e4P e7 e5p", "e2 e4P", Some(2)),
            ("start e2 e4P e7 e5p", "", Some(4)),
            ("start e2 e4P power e4P e7 e5p", "e2 e4P", Some(2)),
            ("start e2 e4P e7 e5p", "d2 d4P", None),
            ("a2 start g1 f3N f3 g1N e2 e4P", "g1 f3N f3 g1N", Some(2)),
            (
                "start g1 f3N b8 c6n f3 g1N c6 b8n g1 f3N",
                "g1 f3N",
                Some(8),
            ),
            (
                "start g1 f3N b8 c6n f3 g1N c6 b8n g1 f3N",
                "g1 f3N b8 c6n f3 g1N c6 b8n g1 f3N",
                Some(0),
            ),
        ];
        for (log, heard, rest) in rows {
            let entries: Vec<LogEntry> = log.split_whitespace().map(entry).collect();
            let trail: Vec<Change> = heard.split_whitespace().filter_map(change).collect();
            let mut before = Placement::start();
            for &(square, piece) in &trail {
                before.set(square, piece);
            }
            let found = unheard(&entries, &before, &trail);
            assert_eq!(found.map(|(rest, _)| rest.len()), rest, "{log}");
        }
    }
}
