//! What the hub wants of a device: another game, a corrected record, a look at the board.

use protocol::{Adopt, Boot, Command, Control, Fact, Millis, Played, Ply, Seq, Side};

use super::device::Device;
use super::doubts::{CERTAIN, Doubts};
use super::lasting::Doubt;
use super::memory::KeptPly;
use super::position::{Reached, position};
use super::recorder::{Recorder, wire_placement};
use crate::devices::{self, ClockSide, Orientation, OrientationChoice, Placement};
use crate::tracker::Observation;

impl Device {
    /// The hub's wish; each generation is applied once.
    pub(super) fn control(&mut self, now: Millis, control: &Control) {
        if control.generation <= self.memory.generation() {
            return;
        }
        let before = self.memory.control.replace(control.clone());
        self.dirty = true;
        let own_game = before.is_none();
        let same_game = before.is_some_and(|before| {
            before.game == control.game && before.start_fen == control.start_fen
        });
        match &control.adopt {
            Some(adopt) => self.adopt(now, control.generation, adopt),
            None if same_game => self.pause_or_go_on(now),
            None if own_game && self.can_carry_over(control) => self.carry_over(now),
            None => self.take_line(now, Vec::new()),
        }
    }

    /// The record is the hub's from now on; what was told after the last fact the hub had seen is not lost.
    fn adopt(&mut self, now: Millis, generation: u64, adopt: &Adopt) {
        if self.is_at(adopt) {
            self.say(now, Fact::Adopted { generation });
            return self.pause_or_go_on(now);
        }
        let doubts = self.doubts_now();
        self.forget_the_way();
        let mode = self.start().mode();
        let unread = self.unread(adopt.line.len(), adopt.after.as_ref());
        let there =
            Reached::at(&adopt.position, mode).unwrap_or_else(|| self.start().reach(&adopt.line));
        let more: Vec<KeptPly> = unread[..there.playable(&plays(&unread))].to_vec();
        self.memory.line = adopt
            .line
            .iter()
            .map(given)
            .chain(more.iter().cloned())
            .collect();
        self.memory.completed = self.memory.line.len();
        self.keep_doubts_about(doubts, adopt.line.len());
        self.begin_recording_at(adopt);
        self.say(now, Fact::Adopted { generation });
        if !more.is_empty() {
            self.say_line(now, adopt.line.len(), plays(&more));
        }
        self.look_again(now);
    }

    /// The record is the hub's already: what the tracker knows beyond it is kept.
    fn is_at(&self, adopt: &Adopt) -> bool {
        let start = self.start();
        let same_line = self.memory.played().eq(&adopt.line);
        let there = position(&adopt.position, start.mode());
        same_line
            && self.recorder.is_some()
            && there.is_some_and(|there| there == start.reach(&adopt.line).now)
    }

    /// Plies that were told by facts the hub had not read when it spoke.
    fn unread(&self, from: usize, after: Option<&(Boot, Seq)>) -> Vec<KeptPly> {
        let is_unread = |ply: &KeptPly| match (&ply.told, after) {
            (None, _) => false,
            (Some(_), None) => true,
            (Some((boot, seq)), Some((seen, until))) => {
                if boot == seen {
                    seq > until
                } else {
                    *boot == self.agent.boot
                }
            }
        };
        let tail = self.memory.line.get(from..).unwrap_or_default();
        if tail.first().is_some_and(is_unread) {
            tail.to_vec()
        } else {
            Vec::new()
        }
    }

    /// What the hub had not read yet is as doubtful as it was.
    fn keep_doubts_about(&mut self, doubts: Vec<Doubt>, given: usize) {
        let last = self.memory.line.len();
        let unread = |ply: Ply| usize::try_from(ply).is_ok_and(|ply| ply > given && ply <= last);
        let doubts = doubts.iter().filter(|doubt| unread(doubt.ply));
        self.memory.doubts = doubts.map(Doubt::to_wire).collect();
    }

    fn begin_recording_at(&mut self, adopt: &Adopt) {
        let start = self.start();
        let line = self.line();
        let mut reached = start.reach(&adopt.line);
        let given = position(&adopt.position, start.mode());
        if given.is_some_and(|given| given != reached.now) {
            reached = Reached::at(&adopt.position, start.mode()).unwrap_or(reached);
        }
        for played in &line[adopt.line.len()..] {
            reached.follow(played, start.mode());
        }
        self.recorder = self
            .memory
            .records()
            .then(|| Recorder::new(&start, line, reached, self.sensing, self.profile()));
        self.presses.clear();
        self.doubts = Doubts::of_earlier(&self.memory.doubts);
    }

    /// A game that the board recorded by itself becomes the hub's when it began where the hub's begins.
    fn can_carry_over(&self, control: &Control) -> bool {
        control.start_fen.is_none()
            && self.memory.own_start.is_none()
            && !control.chess960
            && !control.over
            && !self.memory.line.is_empty()
    }

    fn carry_over(&mut self, now: Millis) {
        if self.recorder.is_some() && self.memory.records() {
            let line = self.line();
            self.say_line(now, 0, line);
        } else {
            self.pause_or_go_on(now);
        }
    }

    fn take_line(&mut self, now: Millis, line: Vec<KeptPly>) {
        self.forget_the_way();
        self.memory.doubts.clear();
        self.memory.completed = line.len();
        self.memory.line = line;
        self.begin_recording();
        self.look_again(now);
    }

    /// A game of the board's own begins at this position.
    pub(super) fn begin_at(&mut self, now: Millis, fen: &str) {
        self.memory.own_start = Some(fen.to_owned());
        self.dirty = true;
        self.take_line(now, Vec::new());
    }

    fn pause_or_go_on(&mut self, now: Millis) {
        match (self.memory.records(), self.recorder.is_some()) {
            (true, false) => {
                self.begin_recording();
                self.look_again(now);
            }
            (false, true) => self.recorder = None,
            _ => {}
        }
    }

    /// The recorder is new: it sees the board as it stands.
    fn look_again(&mut self, now: Millis) {
        if let Some(board) = self.board {
            self.observe(now, Observation::Dump(self.readings(&board)));
        }
    }

    fn say_line(&mut self, now: Millis, given: usize, line: Vec<Played>) {
        let from_ply = Ply::try_from(given + 1).unwrap_or(Ply::MAX);
        let doubted = self.doubts_now().iter().any(|doubt| doubt.ply >= from_ply);
        let certainty = if doubted { CERTAIN / 2.0 } else { 1.0 };
        self.say(
            now,
            Fact::Revised {
                from_ply,
                line,
                certainty,
            },
        );
        self.doubts.tell_again();
        self.tell_doubts(now);
    }

    /// A short command; returns what the line is to be asked.
    pub(super) fn command(&mut self, now: Millis, command: &Command) -> Option<devices::Command> {
        match command {
            Command::Resync => Some(devices::Command::Dump),
            Command::Blink => {
                let in_play = self.memory.records() && !self.memory.line.is_empty();
                (!in_play).then_some(devices::Command::Blink)
            }
            Command::Read => {
                self.flush_squares(now);
                if let Some(board) = self.board {
                    self.say(
                        now,
                        Fact::Dump {
                            board: wire_placement(&board),
                        },
                    );
                }
                self.say_dump = self.board.is_none();
                Some(devices::Command::Dump)
            }
            Command::Orientation { rotated } => {
                let orientation = if *rotated {
                    Orientation::Rotated
                } else {
                    Orientation::Normal
                };
                self.memory.orientation = Some(orientation);
                self.memory.orientation_fixed = true;
                (self.dirty, self.say_dump) = (true, true);
                Some(devices::Command::Orientation(OrientationChoice::Given(
                    orientation,
                )))
            }
            Command::ClockSide { left } => {
                let side = if *left == Side::White {
                    ClockSide::Left
                } else {
                    ClockSide::Right
                };
                self.memory.white_at = Some(side);
                self.dirty = true;
                Some(devices::Command::WhiteAt(Some(side)))
            }
            Command::Expect { board } => {
                self.expected = Placement::from_fen(&board.to_string());
                Some(devices::Command::Dump)
            }
        }
    }
}

fn plays(line: &[KeptPly]) -> Vec<Played> {
    line.iter().map(|ply| ply.played.clone()).collect()
}

fn given(played: &Played) -> KeptPly {
    KeptPly {
        played: played.clone(),
        told: None,
        open: false,
        heard: 0,
    }
}
