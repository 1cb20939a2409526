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
    }

    fn conclude_one(&mut self, now: Millis, inference: &Inference) {
        let at = inference.at.min(now);
        let board = self.board.unwrap_or(Placement::EMPTY);
        let Some(recorder) = &mut self.recorder else { return };
        match &inference.fact {
            tracker::Fact::Completed { ply, clock, .. } => {
                let ply = recorder.number(*ply);
                self.complete(at, ply, *clock);
            }
            tracker::Fact::SetUp { .. } => self.say_set_up(at, true, &[]),
            other => {
                if let tracker::Fact::Unexplained { squares } = other {
                    let unexplained = !squares.is_empty();
                    self.set_unexplained(unexplained);
                }
                let Some(recorder) = &mut self.recorder else { return };
                if let Some(fact) = recorder.fact(inference, &board, self.last_change) {
                    self.say(at, fact);
                }
                if let tracker::Fact::Alert {
                    code: Code::SetupWrong,
                    squares,
                    ..
                } = other
                {
                    self.say_set_up(at, false, squares);
                }
            }
        }
    }

    fn complete(&mut self, at: Millis, ply: Ply, seconds: Option<(u32, u32)>) {
        let press = self.press_of(ply, seconds);
        let count = usize::try_from(ply).unwrap_or(usize::MAX).min(self.memory.line.len());
        self.dirty |= count != self.memory.completed;
        self.memory.completed = self.memory.completed.max(count);
        self.say(
            at,
            Fact::Completed {
                ply,
                pressed: press.is_some(),
                clock: press.map(|press| press.reading),
            },
        );
    }

    /// The press that completed a ply: the one with the times the tracker names, else the mover's last that completed nothing yet.
    fn press_of(&mut self, ply: Ply, seconds: Option<(u32, u32)>) -> Option<SeenPress> {
        let side = self.recorder.as_ref()?.side(ply);
        let shows = |press: &SeenPress| (press.reading.time.white / 1000, press.reading.time.black / 1000);
        let named = |press: &SeenPress| seconds.is_none_or(|(white, black)| shows(press) == (u64::from(white), u64::from(black)));
        let fits = |press: &&mut SeenPress| press.by == side && !press.used && named(press);
        let press = self.presses.iter_mut().rev().find(fits)?;
        press.used = true;
        let (at, press) = (press.at, press.clone());
        self.presses.retain(|other| other.at >= at || other.by != side);
        Some(press)
    }
}
