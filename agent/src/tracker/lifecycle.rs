//! The life of a game on the board: set-up, link and restart, the end, the result signal, the next game.

use shakmaty::{Board, Color, Position, Role, Square};

use super::board::{readings_of, turned};
use super::inference::{Code, Fact, PlyNumber};
use super::machine::Tracker;
use super::observation::{ClockState, Millis, Readings, Sensing};

/// A wrong set-up is told after this long at peace, in milliseconds.
const SETUP_AFTER: Millis = 800;
/// A board that has little to do with the game is told after this long.
const UNKNOWN_AFTER: Millis = 2500;
/// Kings in the centre are a result after this long.
const RESULT_AFTER: Millis = 5000;
/// The initial position is a new game after this long.
const NEW_GAME_AFTER: Millis = 3000;
/// A mate must stand for this long before the game counts as over.
const OVER_AFTER: Millis = 2000;
/// Moves after the end are told after this long.
const AFTER_GAME_AFTER: Millis = 1000;
/// The squares of the signal.
const CENTRE: [Square; 4] = [Square::D4, Square::E4, Square::D5, Square::E5];

/// Where in its life the game is.
#[derive(Clone, Debug)]
pub(super) enum Phase {
    /// The position the game starts from has not been seen yet.
    Setup,
    /// The game is on.
    Playing,
    /// It is over; the board as it was then.
    Ended(Box<Readings>),
}

impl Tracker {
    /// The first picture of the whole board.
    pub(super) fn first_board(&mut self, readings: &Readings) -> Readings {
        self.known = true;
        let expected = self
            .core
            .node(self.core.tree.root)
            .pred
            .map(|piece| self.core.sensing.see(piece));
        let differ = |other: &Readings| other.iter().zip(&expected).filter(|(a, b)| a != b).count();
        let other_way = turned(readings);
        self.rotated = differ(&other_way) * 2 < differ(readings);
        if self.rotated {
            self.alarms.raise(
                Code::BoardRotated,
                Vec::new(),
                "the board is used from the other side",
            );
        }
        let readings = if self.rotated { other_way } else { *readings };
        if differ(&readings) == 0 {
            let over = self.start().board().occupied().count() == 2;
            self.phase = if over {
                Phase::Ended(Box::new(readings))
            } else {
                Phase::Playing
            };
            self.say(Fact::SetUp {
                rotated: self.rotated,
            });
        }
        readings
    }

    /// All squares at once.
    pub(super) fn dump(&mut self, readings: &Readings) {
        let readings = if !self.known {
            self.first_board(readings)
        } else if self.rotated {
            turned(readings)
        } else {
            *readings
        };
        let restart =
            !self.dumped && self.core.node(self.core.tree.root).pred != readings_of(&Board::new());
        if self.core.is_more_than_a_move(&readings) {
            self.remember_gap(self.core.clone());
        }
        let caught_up = self.core.dump(&readings) > 0;
        self.caught_up |= caught_up;
        if caught_up || self.relinked || (restart && self.clean()) {
            self.alarms.tell(
                Code::Resynced,
                Vec::new(),
                "the position is established again",
            );
        }
        let missed = self.relinked || (restart && caught_up);
        if missed && self.clock.stopped.is_some() && !self.awaits_log {
            self.show_what_was_missed();
        }
        self.dumped = true;
        self.last_dump = self.core.now;
        self.relinked = false;
        self.asked = None;
    }

    pub(super) fn clean(&self) -> bool {
        self.core.node(self.core.best()).mask == 0
    }

    pub(super) fn link(&mut self, up: bool) {
        if up {
            self.relinked = self.alarms.is_up(Code::LinkLost);
            self.alarms.clear(Code::LinkLost);
            self.asked = Some(self.core.now);
        } else {
            self.begin_gap();
            self.alarms
                .raise(Code::LinkLost, Vec::new(), "no data from the board");
        }
    }

    pub(super) fn clock_state(&mut self, state: ClockState) {
        match state {
            ClockState::Stopped => {
                self.alarms.raise(
                    Code::ClockStopped,
                    Vec::new(),
                    "both sides of the clock stand still",
                );
                self.clock.stopped.get_or_insert(self.core.now);
            }
            ClockState::Running => {
                self.alarms.clear(Code::ClockStopped);
                self.go_on();
            }
            ClockState::Set => {
                self.alarms.tell(
                    Code::ClockChanged,
                    Vec::new(),
                    "the times were changed by hand",
                );
            }
        }
    }

    /// Everything about the game as a whole, after each observation.
    pub(super) fn watch_life(&mut self) {
        self.watch_setup();
        self.watch_result();
        self.watch_end();
        self.watch_new_game();
        self.watch_taken_back();
    }

    fn watch_setup(&mut self) {
        if !matches!(self.phase, Phase::Setup) {
            self.alarms.clear(Code::SetupWrong);
            return;
        }
        let node = self.core.node(self.core.best());
        if !self.known || node.mask == 0 || !self.shown.is_empty() {
            self.phase = Phase::Playing;
            if self.alarms.is_up(Code::SetupWrong) {
                self.alarms.clear(Code::SetupWrong);
                self.say(Fact::Unexplained {
                    squares: Vec::new(),
                });
            }
            return;
        }
        let seen = self
            .core
            .picture
            .readings()
            .iter()
            .filter(|reading| !reading.is_empty())
            .count();
        let expected = node
            .pred
            .iter()
            .filter(|reading| !reading.is_empty())
            .count();
        let wrong: Vec<Square> = super::board::squares(node.mask).collect();
        let nearly = seen * 4 >= expected * 3;
        let due = self.core.picture.steady + if nearly { SETUP_AFTER } else { UNKNOWN_AFTER };
        let (code, detail) = match nearly {
            true => (Code::SetupWrong, "the initial position is wrong"),
            false => (Code::BoardMismatch, "the board shows another game"),
        };
        if self.core.now < due {
            self.alarms.wake(due);
        } else if seen * 4 >= expected && !self.alarms.is_up(code) {
            self.alarms.raise(code, wrong.clone(), detail);
            self.say(Fact::Unexplained { squares: wrong });
        }
    }

    fn watch_result(&mut self) {
        let now = self.core.now;
        if matches!(self.phase, Phase::Ended(_)) {
            return;
        }
        let sign = kings_centred(self.core.picture.readings(), self.core.sensing);
        self.centred = match (sign, self.centred) {
            (Some(winner), Some((before, since))) if winner == before => Some((winner, since)),
            (Some(winner), _) => Some((winner, now)),
            (None, _) => None,
        };
        let Some((winner, since)) = self.centred else {
            return;
        };
        if now < since + RESULT_AFTER {
            self.alarms.wake(since + RESULT_AFTER);
            return;
        }
        self.withdraw_king_steps();
        self.say(Fact::KingsCentred { winner });
        let result = winner.map_or("a draw", |color| color.fold_wb("1-0", "0-1"));
        self.alarms.raise(
            Code::ResultSignal,
            Vec::new(),
            format!("kings in the centre: {result}"),
        );
        self.end();
    }

    /// The steps that brought the kings to the centre are no moves.
    fn withdraw_king_steps(&mut self) {
        let step = |shown: &super::record::Shown| {
            shown.mv.role() == Role::King
                && CENTRE.contains(&shown.mv.to())
                && shown.pressed.is_none()
        };
        let steps = self
            .shown
            .iter()
            .rev()
            .take(2)
            .take_while(|shown| step(shown))
            .count();
        if steps > 0 {
            let left = self.shown.len() - steps;
            self.shown.truncate(left);
            self.say(Fact::Retracted {
                from_ply: left as PlyNumber + 1,
            });
        }
    }

    fn end(&mut self) {
        self.phase = Phase::Ended(Box::new(*self.core.picture.readings()));
    }

    fn watch_end(&mut self) {
        let now = self.core.now;
        if let Phase::Ended(board) = &self.phase {
            let moved = **board != *self.core.picture.readings();
            let holds = moved.then(|| (Vec::new(), "pieces were moved after the end"));
            if !self.alarms.is_up(Code::AfterGame) {
                self.alarms
                    .watch(Code::AfterGame, now, AFTER_GAME_AFTER, holds);
            }
            return;
        }
        let Some(last) = self.shown.last() else {
            return;
        };
        if last.ply.settled.is_none() {
            return;
        }
        let position = &self.core.node(self.shown_node()).position;
        if !position.is_game_over() {
            return;
        }
        let stuck = position.legal_moves().is_empty();
        if self.clean() {
            self.alarms.raise(
                Code::GameEnded,
                Vec::new(),
                "the position on the board ends the game",
            );
        }
        let due = self.core.picture.steady + OVER_AFTER;
        if stuck && self.clean() && self.core.now >= due {
            self.end();
        } else if stuck {
            self.alarms.wake(due);
        }
    }

    fn watch_new_game(&mut self) {
        let stands = !self.clean() && self.initial_array();
        let holds = stands.then(|| (Vec::new(), "the initial position stands on the board"));
        let new = !self.alarms.is_up(Code::NewGame);
        self.alarms
            .watch(Code::NewGame, self.core.now, NEW_GAME_AFTER, holds);
        if new && self.alarms.is_up(Code::NewGame) && !matches!(self.phase, Phase::Ended(_)) {
            self.end();
        }
    }

    /// The pieces stand as at the beginning of a game.
    fn initial_array(&self) -> bool {
        let readings = self.core.picture.readings();
        if readings[Square::E2.to_usize()].is_empty() {
            return false;
        }
        let array = readings_of(&Board::new());
        array
            .iter()
            .zip(readings)
            .all(|(piece, seen)| self.core.sensing.see(*piece) == *seen)
    }
}

/// Both kings on squares of the centre; the winner they signal.
fn kings_centred(readings: &Readings, sensing: Sensing) -> Option<Option<Color>> {
    if sensing != Sensing::Identity {
        return None;
    }
    let king = |color: Color| {
        let wanted = super::observation::Reading::of(color.king());
        let mut found = readings
            .iter()
            .enumerate()
            .filter(|(_, reading)| **reading == wanted);
        let square = found.next().map(|(index, _)| Square::new(index as u32))?;
        (found.next().is_none() && CENTRE.contains(&square)).then_some(square)
    };
    let (white, black) = (king(Color::White)?, king(Color::Black)?);
    Some(match (white.is_light(), black.is_light()) {
        (true, true) => Some(Color::White),
        (false, false) => Some(Color::Black),
        _ => None,
    })
}
