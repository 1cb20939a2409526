//! What happened while the line was away, from the device's own log: when to ask for it, and which part of it nobody heard.

use protocol::{Fact, Millis};

use super::device::Device;
use crate::devices::{LogEntry, Placement};
use crate::tracker::{self, Observation};

/// Reading the log keeps a board busy for seconds: it is asked for when nobody has moved for this long, milliseconds.
const QUIET: Millis = 900;
/// Squares that changed soon after others did so within this, milliseconds.
const FAST: Millis = 250;

/// A time without the board.
#[derive(Debug)]
pub(super) struct Gap {
    /// The board as it was last heard.
    before: Placement,
}

impl Device {
    /// The board was not heard for a while; before that, this stood on it.
    pub(super) fn note_gap(&mut self, before: Option<Placement>) {
        let before = before.filter(|_| !self.memory.line.is_empty());
        self.gap = before.map(|before| Gap { before });
    }

    /// What stands on the board after the record, for an agent that has not heard it yet.
    pub(super) fn recorded_board(&self) -> Option<Placement> {
        let reached = self.start().reach(self.memory.played());
        (!self.memory.line.is_empty()).then(|| super::recorder::placement_of(&reached.now))
    }

    /// Whether the device's own log should be read now: after a gap, quiet, and the board alone does not tell what was played.
    pub(super) fn wants_log(&mut self, now: Millis) -> bool {
        let quiet = now.saturating_sub(self.last_change);
        let puzzled = self.unexplained && quiet > QUIET;
        let wants = puzzled && self.gap.is_some() && !self.log_asked;
        self.log_asked |= wants;
        wants
    }

    /// The log came: what nobody heard of it is heard now.
    pub(super) fn hear_log(&mut self, now: Millis, entries: &[LogEntry]) {
        self.log_asked = false;
        let Some(gap) = self.gap.take() else { return };
        let Some(unheard) = unheard(entries, &gap.before) else {
            return;
        };
        let times: Vec<_> = unheard.iter().filter_map(time).collect();
        if !times.is_empty() {
            self.say(now, Fact::Logged { times });
        }
        let squares = unheard.iter().filter_map(|entry| self.logged(entry));
        let squares = squares.collect();
        self.observe(now, Observation::Log(squares));
    }

    fn logged(&self, entry: &LogEntry) -> Option<tracker::LogEntry> {
        match *entry {
            LogEntry::Square {
                square,
                piece,
                fast,
            } => Some(tracker::LogEntry {
                square,
                reading: self.reading(piece),
                after: fast.then_some(FAST),
            }),
            _ => None,
        }
    }
}

/// The entries after the board last stood as it was last heard; none when the log does not go back so far.
fn unheard<'a>(entries: &'a [LogEntry], before: &Placement) -> Option<&'a [LogEntry]> {
    let mut board = Placement::EMPTY;
    let mut from = None;
    for (at, entry) in entries.iter().enumerate() {
        match *entry {
            LogEntry::Square { square, piece, .. } => board.set(square, piece),
            LogEntry::StartPosition(_) => board = Placement::start(),
            LogEntry::BoardEmpty => board = Placement::EMPTY,
            _ => {}
        }
        if board == *before {
            from = Some(at + 1);
        }
    }
    from.map(|from| &entries[from..])
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
            text => LogEntry::Square {
                square: text[..2].parse().expect("a square"),
                piece: text.chars().nth(2).and_then(shakmaty::Piece::from_char),
                fast: false,
            },
        }
    }

    #[test]
    fn only_what_nobody_heard_is_heard_again() {
        let rows = [
            ("start e2 e4P e7 e5p", "e2 e4P", Some(2)),
            ("start e2 e4P e7 e5p", "", Some(4)),
            ("start e2 e4P power e4P e7 e5p", "e2 e4P", Some(2)),
            ("start e2 e4P e7 e5p", "d2 d4P", None),
            ("a2 start g1 f3N f3 g1N e2 e4P", "", Some(2)),
        ];
        for (log, heard, rest) in rows {
            let entries: Vec<LogEntry> = log.split_whitespace().map(entry).collect();
            let mut before = Placement::start();
            for entry in heard.split_whitespace().map(entry) {
                if let LogEntry::Square { square, piece, .. } = entry {
                    before.set(square, piece);
                }
            }
            assert_eq!(unheard(&entries, &before).map(<[_]>::len), rest, "{log}");
        }
    }
}
