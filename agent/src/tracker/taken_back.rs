//! Moves taken back: the board returns to an earlier position, while the clock stands or after moves that nobody pressed.

use shakmaty::{Chess, Move, Position, Square};

use super::board::readings_of;
use super::core::Core;
use super::inference::{Code, Fact, PlyNumber};
use super::lifecycle::Phase;
use super::machine::Tracker;
use super::margin::{SURE, choices};
use super::observation::Millis;
use super::orders::after;
use super::record::{Past, Shown};
use super::tree::Tree;

/// An earlier position is a take-back after this long; longer while the clock runs.
const TAKEN_BACK_AFTER: Millis = 3000;
const TAKEN_BACK_RUNNING_AFTER: Millis = 5000;
/// Plies that were tried out and put back, at most.
const TRIED_OUT: usize = 16;

impl Tracker {
    /// The clock runs again: where the pieces were put back meanwhile, the game goes on from there.
    pub(super) fn go_on(&mut self) {
        let stopped = self.clock.stopped.take();
        let moved = stopped.is_some_and(|stopped| self.core.picture.steady >= stopped);
        let playing = matches!(self.phase, Phase::Playing);
        if !moved || !playing || self.irregular.is_some() || !self.moved_off() {
            return;
        }
        let back = self.earlier_position();
        let left = back.and_then(|back| self.shown.len().checked_sub(back));
        if let Some((left, back)) = left.zip(back) {
            self.alarms
                .tell(Code::TakenBack, Vec::new(), went_back(back));
            self.stand_again(left);
        }
    }

    /// Moves that nobody pressed, though the clock is in use, and that led nowhere: they were tried out on the board.
    pub(super) fn watch_trying_out(&mut self) {
        let Some((_, pressed)) = self.clock.last else {
            return;
        };
        let since = |shown: &&Shown| shown.ply.made > pressed;
        let tried = self.shown.iter().rev().take_while(since).count();
        let first = self.shown.len() - tried;
        if !(4..=TRIED_OUT).contains(&tried) || !self.clean() {
            return;
        }
        let line: Vec<Move> = self.shown.iter().map(|shown| shown.mv).collect();
        let from = (first..line.len()).find(|&from| led_nowhere(&line[from..]));
        let Some(from) = from.filter(|_| self.agreed == line.len()) else {
            return;
        };
        let due = self.core.picture.steady + TAKEN_BACK_AFTER;
        if self.core.now < due {
            self.alarms.wake(due);
        } else {
            self.stand_again(from);
        }
    }

    /// The record ends after so many plies, and the board is as it was then.
    fn stand_again(&mut self, length: usize) {
        let line: Vec<Move> = self.shown[..length].iter().map(|shown| shown.mv).collect();
        self.core.stand_again(&line, after(&self.start(), &line));
        self.shown.truncate(length);
        self.agreed = length;
        self.unpressed_told = self.unpressed_told.min(length);
        self.undecided = None;
        self.say(Fact::Retracted {
            from_ply: length as PlyNumber + 1,
        });
    }

    pub(super) fn watch_taken_back(&mut self) {
        if matches!(self.phase, Phase::Ended(_)) {
            return;
        }
        let after = if self.clock.stopped.is_some() {
            TAKEN_BACK_AFTER
        } else {
            TAKEN_BACK_RUNNING_AFTER
        };
        let due = self.core.picture.steady + after;
        if self.core.now < due {
            if self.moved_off() {
                self.alarms.wake(due);
            }
            return;
        }
        let earlier = self.moved_off().then(|| self.earlier_position()).flatten();
        match earlier {
            Some(plies) => {
                self.alarms
                    .raise(Code::TakenBack, Vec::new(), went_back(plies));
            }
            None => self.alarms.clear(Code::TakenBack),
        }
    }

    /// The board is not what the shown line says.
    fn moved_off(&self) -> bool {
        self.core.node(self.shown_node()).mask != 0
    }

    /// How many plies back the board stands, if it does.
    fn earlier_position(&self) -> Option<usize> {
        let now = self.core.picture.readings();
        let mut boards = self.history.clone();
        let mut position = boards.pop()?;
        let mut line = vec![position.clone()];
        for shown in &self.shown {
            position.play_unchecked(shown.mv);
            line.push(position.clone());
        }
        boards.extend(line);
        boards.pop();
        let stands = |position: &Chess| {
            readings_of(position.board()).map(|r| self.core.sensing.see(r)) == *now
        };
        boards.iter().rev().position(stands).map(|back| back + 1)
    }
}

impl Core {
    /// The game stands at the end of this line again; what followed has never been.
    fn stand_again(&mut self, line: &[Move], position: Chess) {
        let (best, margins, known) = (self.best(), self.margins(), self.past.len());
        let later = line.iter().enumerate().skip(known).map(|(index, &mv)| {
            let margin = margins.get(index - known).copied().unwrap_or(f64::INFINITY);
            let close = (self.now, SURE);
            let unsure = margin < SURE;
            let others = || choices(&self.tree, best, index - known, self.mode, close);
            Past {
                mv,
                margin,
                choices: if unsure { others() } else { Vec::new() },
            }
        });
        let later: Vec<Past> = later.collect();
        self.past.extend(later);
        self.past.truncate(line.len());
        self.tree = Tree::new(position, &self.picture, self.sensing, self.now);
        self.forget();
    }
}

fn went_back(plies: usize) -> String {
    format!("the board went back {plies} plies")
}

/// The moves end where they began, and every piece that moved is back on its square.
fn led_nowhere(moves: &[Move]) -> bool {
    let mut at: Vec<(Square, Square)> = Vec::new();
    for mv in moves {
        let (Some(from), true) = (mv.from(), !mv.is_capture() && !mv.is_castle()) else {
            return false;
        };
        match at.iter_mut().find(|(_, now)| *now == from) {
            Some((_, now)) => *now = mv.to(),
            None => at.push((from, mv.to())),
        }
    }
    moves.len() >= 4 && at.iter().all(|(home, now)| home == now)
}
