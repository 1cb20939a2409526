//! From the tracker's conclusions to facts: which press completed a move, and what else the hub should hear.

use protocol::{Fact, Millis, Ply};

use super::device::{Device, SeenPress};
use crate::devices::Placement;
use crate::tracker::{self, Code, Inference};

impl Device {
    pub(super) fn conclude(&mut self, now: Millis, inferences: Vec<Inference>) {
        if inferences.is_empty() {
            return;
        }
        self.flush_squares(now);
        for inference in inferences {
            self.conclude_one(now, &inference);
        }
        self.tell_doubts(now);
    }

    fn conclude_one(&mut self, now: Millis, inference: &Inference) {
        let at = inference.at.min(now);
        match &inference.fact {
            tracker::Fact::Completed { ply, clock, .. } => {
                if let Some(ply) = self.recorder.as_ref().map(|recorder| recorder.number(*ply)) {
                    let press = clock.and_then(|seconds| self.press_of(ply, Some(seconds)));
                    self.complete(at, ply, clock.is_some(), press);
                }
            }
            // A tracker that starts in mid-game calls its own first position set up.
            tracker::Fact::SetUp { rotated } if self.memory.line.is_empty() => {
                self.say_set_up(at, true, &[], *rotated)
            }
            tracker::Fact::SetUp { .. } => {}
            other => self.tell(at, inference, other),
        }
    }

    fn tell(&mut self, at: Millis, inference: &Inference, concluded: &tracker::Fact) {
        let board = self.board.unwrap_or(Placement::EMPTY);
        let Some(recorder) = &mut self.recorder else {
            return;
        };
        if let Some(fact) = recorder.fact(inference, &board, self.last_change) {
            self.say(at, fact);
        }
        match concluded {
            tracker::Fact::Irregular { ply, .. } => self.complete_irregular(at, *ply),
            tracker::Fact::Alert {
                code: Code::SetupWrong,
                squares,
                ..
            } => self.say_set_up(at, false, squares, false),
            tracker::Fact::Alert {
                code: Code::NewGame,
                ..
            } if self.memory.control.is_some() => {
                self.say_set_up(at, true, &[], false);
            }
            _ => {}
        }
    }

    /// An irregular half-move is told when it stands; mostly because its player pressed.
    fn complete_irregular(&mut self, at: Millis, ply: tracker::PlyNumber) {
        let Some(ply) = self.recorder.as_ref().map(|recorder| recorder.number(ply)) else {
            return;
        };
        let press = self.press_of(ply, None);
        if press.is_some() {
            self.complete(at, ply, true, press);
        }
    }

    fn complete(&mut self, at: Millis, ply: Ply, pressed: bool, press: Option<SeenPress>) {
        let count = usize::try_from(ply)
            .unwrap_or(usize::MAX)
            .min(self.memory.line.len());
        self.dirty |= count > self.memory.completed;
        self.memory.completed = self.memory.completed.max(count);
        let clock = press.map(|press| press.reading);
        self.say(
            at,
            Fact::Completed {
                ply,
                pressed,
                clock,
            },
        );
    }

    /// The press that completed a ply: the mover's last one with these times, else his last that completed nothing yet.
    fn press_of(&mut self, ply: Ply, seconds: Option<(u32, u32)>) -> Option<SeenPress> {
        let side = self.recorder.as_ref()?.side(ply);
        let shows = |press: &SeenPress| {
            (
                press.reading.time.white / 1000,
                press.reading.time.black / 1000,
            )
        };
        let named = |press: &SeenPress| {
            seconds
                .is_some_and(|(white, black)| shows(press) == (u64::from(white), u64::from(black)))
        };
        let free = |press: &SeenPress| press.by == side && !press.used;
        let exact = self
            .presses
            .iter()
            .rposition(|press| free(press) && named(press));
        let index = exact.or_else(|| self.presses.iter().rposition(free))?;
        for earlier in self
            .presses
            .iter_mut()
            .take(index + 1)
            .filter(|press| press.by == side)
        {
            earlier.used = true;
        }
        self.presses.get(index).cloned()
    }
}
