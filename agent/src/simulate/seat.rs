//! One table: a board on a pseudo-terminal, and the hands that play on it while time passes.

use std::collections::VecDeque;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use protocol::{Millis, Timestamp};
use tokio::sync::mpsc;

use super::bad_line::BadLine;
use super::dgt::{CaptureBoard, ClockAction};
use super::far_end::{FarEnd, VirtualBoard};
use super::hands::{Act, Done, Performance};
use super::pty::Pty;
use crate::time::{Clock, timestamp};

/// The longest sleep of a board that is plugged in: so late it may hear what the host asks.
const NAP: Millis = 20;

/// The longest sleep of a board without a cable.
const NAP_UNPLUGGED: Millis = 500;

/// What can go wrong at a table from outside.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Fault {
    Unplug,
    Replug(PathBuf),
    Power(bool),
    /// Nothing comes through the line.
    Silent(bool),
    Clock(ClockAction),
    /// After the next press nobody moves any more, until the hands go on.
    Hold,
    GoOn,
}

/// What sits at the far end of the line.
pub(super) enum Board {
    Played(Box<dyn VirtualBoard>),
    Capture(Box<CaptureBoard>),
}

/// What happens at a table, and over which line.
pub(super) struct Script {
    /// The hands' movements, in the time of the game.
    pub(super) acts: Vec<(Millis, Act)>,
    /// What goes wrong by itself, in the time of the game.
    pub(super) troubles: VecDeque<(Millis, Fault)>,
    pub(super) line: BadLine,
    /// Real milliseconds between the host's first word and the first act.
    pub(super) lead: Millis,
}

/// What is true about a table, whatever anybody made of it.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Truth {
    /// The half-moves made so far.
    pub plies: Vec<TruthPly>,
    /// How many there will be.
    pub planned: usize,
    /// Nothing more will happen.
    pub finished: bool,
    /// The result of the game in PGN's words.
    pub result: String,
}

/// A half-move as it was played.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TruthPly {
    /// The move, or the words for something that is no legal move.
    pub uci: String,
    /// Whether it is a legal move.
    pub legal: bool,
    /// When the last hand movement that belongs to it was over.
    pub made_at: Timestamp,
    /// When its player pressed the clock, if he did.
    pub pressed_at: Option<Timestamp>,
    /// Whole seconds shown to White and Black after it.
    pub clock: (u64, u64),
}

/// The plan of a table and how far it is; shared with whoever wants the truth.
#[derive(Debug)]
pub(super) struct Plan {
    performance: Option<Performance>,
    speed: f64,
    /// When the hands began, real time.
    began: Option<Millis>,
    over: bool,
    /// Since when nobody moves.
    held: Option<Millis>,
}

/// The task of one table.
pub(super) struct Seat {
    clock: Clock,
    pub(super) board: Board,
    pub(super) pty: Option<Pty>,
    line: BadLine,
    link: PathBuf,
    acts: VecDeque<(Millis, Act)>,
    troubles: VecDeque<(Millis, Fault)>,
    plan: Arc<Mutex<Plan>>,
    lead: Millis,
    speed: f64,
    opened: Millis,
    hold_wanted: bool,
    faults: mpsc::UnboundedReceiver<Fault>,
}

impl Plan {
    pub(super) fn new(performance: Option<Performance>, speed: f64) -> Plan {
        Plan {
            performance,
            speed,
            began: None,
            over: false,
            held: None,
        }
    }

    /// The hands begin then, unless they have begun.
    pub(super) fn begin(&mut self, at: Millis) {
        self.began = self.began.or(Some(at));
    }

    /// When something of the game happens; not before the hands began.
    pub(super) fn due(&self, game: Millis) -> Option<Millis> {
        self.began.map(|_| self.real(game))
    }

    fn real(&self, game: Millis) -> Millis {
        self.began.unwrap_or(0) + (game as f64 / self.speed) as Millis
    }

    /// Since when nobody moves, if the hands were told to stop.
    pub(super) fn held(&self) -> Option<Millis> {
        self.held
    }

    /// Everything that is to come comes later by the time nobody moved.
    fn go_on(&mut self, now: Millis) {
        if let (Some(held), Some(began)) = (self.held.take(), &mut self.began) {
            *began += now.saturating_sub(held);
        }
    }

    /// What is true at `now`.
    pub(super) fn truth(&self, now: Millis) -> Truth {
        let now = self.held.map_or(now, |held| now.min(held));
        let Some(performance) = &self.performance else {
            return Truth {
                finished: self.over,
                ..Truth::default()
            };
        };
        let planned = performance.truth.len();
        let made = |ply: &&super::hands::Ply| self.began.is_some() && self.real(ply.made_at) <= now;
        let plies = performance
            .truth
            .iter()
            .take_while(made)
            .map(|ply| self.ply(ply))
            .collect();
        Truth {
            plies,
            planned,
            finished: self.began.is_some() && self.real(performance.ended.quiet_at) <= now,
            result: performance.ended.result.to_string(),
        }
    }

    fn ply(&self, ply: &super::hands::Ply) -> TruthPly {
        let (uci, legal) = match &ply.done {
            Done::Legal(uci) => (uci.to_string(), true),
            Done::Irregular { words, .. } => (words.clone(), false),
        };
        TruthPly {
            uci,
            legal,
            made_at: timestamp(self.real(ply.made_at)),
            pressed_at: ply.pressed_at.map(|at| timestamp(self.real(at))),
            clock: (ply.clock_after.white / 1000, ply.clock_after.black / 1000),
        }
    }
}

impl Seat {
    pub(super) fn new(
        board: Board,
        pty: Pty,
        script: Script,
        plan: Arc<Mutex<Plan>>,
        faults: mpsc::UnboundedReceiver<Fault>,
    ) -> Seat {
        let clock = Clock::start();
        let speed = plan.lock().unwrap_or_else(PoisonError::into_inner).speed;
        Seat {
            clock,
            board,
            link: pty.link().to_owned(),
            pty: Some(pty),
            line: script.line,
            acts: script.acts.into(),
            troubles: script.troubles,
            plan,
            lead: script.lead,
            speed,
            opened: clock.now(),
            hold_wanted: false,
            faults,
        }
    }

    /// Plays until nobody can say anything to the table any more.
    pub(super) async fn run(mut self) {
        let mut buffer = [0; 256];
        loop {
            let heard = self.pty.as_ref().map_or(0, |pty| pty.read(&mut buffer));
            self.hear(&buffer[..heard]);
            self.play_due();
            self.speak();
            let nap = self.nap();
            tokio::select! {
                () = tokio::time::sleep(nap) => {}
                fault = self.faults.recv() => match fault {
                    Some(fault) => self.suffer(fault),
                    None => return,
                },
            }
        }
    }

    fn speak(&mut self) {
        let now = self.board_now();
        let output = self.line.to_host(self.board.far_end().take_output(now));
        if let (Some(pty), false) = (&self.pty, output.is_empty()) {
            pty.write(&output);
        }
    }

    /// The board lives in the time of the game, which may pass quicker than the real one.
    fn board_now(&self) -> Millis {
        ((self.clock.now() - self.opened) as f64 * self.speed) as Millis
    }

    fn hear(&mut self, bytes: &[u8]) {
        let by_itself = matches!(&self.board, Board::Played(board) if board.talks_by_itself());
        let listened_to = by_itself && self.pty.as_ref().is_some_and(Pty::is_open);
        if bytes.is_empty() && !listened_to {
            return;
        }
        if !bytes.is_empty() {
            let now = self.board_now();
            let bytes = self.line.to_board(bytes);
            if !bytes.is_empty() {
                self.board.far_end().host_bytes(now, &bytes);
            }
        }
        let mut plan = self.locked();
        if plan.began.is_none() {
            plan.began = Some(self.clock.now() + self.lead);
        }
    }

    fn locked(&self) -> std::sync::MutexGuard<'_, Plan> {
        self.plan.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn play_due(&mut self) {
        while self.next_trouble().is_some_and(|at| at <= self.clock.now()) {
            if let Some((_, fault)) = self.troubles.pop_front() {
                self.suffer(fault);
            }
        }
        while self.next_act().is_some_and(|at| at <= self.clock.now()) {
            if let Some((at, act)) = self.acts.pop_front() {
                let pressed = matches!(act, Act::Press { .. });
                self.act(act);
                if self.hold_wanted && pressed {
                    self.hold_wanted = false;
                    // By the plan, which a busy machine may be behind: what comes after the press has not been played.
                    let mut plan = self.locked();
                    plan.held = Some(plan.real(at));
                }
            }
        }
        if let Board::Capture(board) = &self.board {
            let over = board.is_over();
            self.locked().over = over;
        }
    }

    fn next_act(&self) -> Option<Millis> {
        let plan = self.locked();
        plan.began.filter(|_| plan.held.is_none())?;
        self.acts.front().map(|(at, _)| plan.real(*at))
    }

    fn next_trouble(&self) -> Option<Millis> {
        let (at, _) = self.troubles.front()?;
        self.locked().due(*at)
    }

    fn nap(&self) -> Duration {
        let now = self.clock.now();
        let board = self
            .board
            .wake()
            .map(|at| self.opened + (at as f64 / self.speed).ceil() as Millis);
        let longest = if self.pty.is_some() {
            NAP
        } else {
            NAP_UNPLUGGED
        };
        let next = board
            .into_iter()
            .chain(self.next_act())
            .chain(self.next_trouble())
            .min()
            .unwrap_or(Millis::MAX);
        Duration::from_millis(next.saturating_sub(now).clamp(1, longest))
    }

    fn act(&mut self, act: Act) {
        let now = self.board_now();
        match act {
            Act::Cable { connected: false } => self.suffer(Fault::Unplug),
            Act::Cable { connected: true } => self.suffer(Fault::Replug(self.link.clone())),
            Act::Power { on } => self.suffer(Fault::Power(on)),
            other => {
                if let Board::Played(board) = &mut self.board {
                    touch(board.as_mut(), now, other);
                }
            }
        }
    }

    fn suffer(&mut self, fault: Fault) {
        let now = self.board_now();
        match (fault, &mut self.board) {
            (Fault::Unplug, _) => self.pty = None,
            (Fault::Replug(link), _) => {
                self.pty = None;
                match Pty::open(&link) {
                    Ok(pty) => (self.link, self.pty) = (link, Some(pty)),
                    Err(why) => {
                        tracing::error!(link = %link.display(), %why, "the board cannot be plugged in")
                    }
                }
            }
            (Fault::Hold, _) => self.hold_wanted = true,
            (Fault::GoOn, _) => {
                let now = self.clock.now();
                self.hold_wanted = false;
                self.locked().go_on(now);
            }
            (Fault::Silent(silent), _) => self.line.fall_silent(silent),
            (Fault::Power(on), Board::Played(board)) => board.power(now, on),
            (Fault::Clock(action), Board::Played(board)) => board.clock(now, action),
            (Fault::Power(_) | Fault::Clock(_), Board::Capture(_)) => {}
        }
    }
}

impl Board {
    fn far_end(&mut self) -> &mut dyn FarEnd {
        match self {
            Board::Played(board) => board.as_mut(),
            Board::Capture(board) => board.as_mut(),
        }
    }

    fn wake(&self) -> Option<Millis> {
        match self {
            Board::Played(board) => board.wake(),
            Board::Capture(board) => board.wake(),
        }
    }
}

/// A hand does something at a board; cables and power are the seat's.
pub fn touch(board: &mut dyn VirtualBoard, now: Millis, act: Act) {
    match act {
        Act::Square { square, piece } => board.set_square(now, square, piece),
        Act::Crowd { square, over, .. } => board.set_square(now, square, Some(over)),
        Act::Press { by } => board.clock(now, ClockAction::Press { by }),
        Act::ClockSet { time, increment } => board.clock(now, ClockAction::Set { time, increment }),
        Act::ClockStart { running } => board.clock(now, ClockAction::Start { running }),
        Act::ClockStop => board.clock(now, ClockAction::Stop),
        Act::FlagFall { of } => board.clock(now, ClockAction::FlagFall { of }),
        Act::Cable { .. } | Act::Power { .. } => {}
    }
}
