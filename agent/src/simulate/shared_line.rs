//! Boards that share one line on a pseudo-terminal, each with the hands that play on it.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use protocol::Millis;
use tokio::sync::mpsc;

use super::bad_line::BadLine;
use super::dgt::{ClockAction, VirtualBus};
use super::far_end::FarEnd;
use super::hands::Act;
use super::pty::Pty;
use super::seat::{Fault, Plan, Script};
use crate::time::Clock;

/// The longest sleep: so late the line may hear what the host asks.
const NAP: Millis = 5;

/// The hands at one board of the line.
pub(super) struct Hands {
    pub(super) acts: VecDeque<(Millis, Act)>,
    pub(super) plan: Arc<Mutex<Plan>>,
}

/// The task of a line.
pub(super) struct LineSeat {
    clock: Clock,
    bus: VirtualBus,
    pty: Option<Pty>,
    line: BadLine,
    tables: Vec<Hands>,
    /// What goes wrong by itself with the whole line, in the time of the games.
    troubles: VecDeque<(Millis, Fault)>,
    lead: Millis,
    began: bool,
    faults: mpsc::UnboundedReceiver<(usize, Fault)>,
}

impl LineSeat {
    pub(super) fn new(
        bus: VirtualBus,
        pty: Pty,
        tables: Vec<Hands>,
        script: Script,
        faults: mpsc::UnboundedReceiver<(usize, Fault)>,
    ) -> LineSeat {
        LineSeat {
            clock: Clock::start(),
            bus,
            pty: Some(pty),
            line: script.line,
            tables,
            troubles: script.troubles,
            lead: script.lead,
            began: false,
            faults,
        }
    }

    /// Plays until nobody can say anything to the line any more.
    pub(super) async fn run(mut self) {
        let mut buffer = [0; 256];
        loop {
            let heard = self.pty.as_ref().map_or(0, |pty| pty.read(&mut buffer));
            self.hear(&buffer[..heard]);
            self.play_due();
            let output = self.line.to_host(self.bus.take_output(self.clock.now()));
            if let (Some(pty), false) = (&self.pty, output.is_empty()) {
                pty.write(&output);
            }
            tokio::select! {
                () = tokio::time::sleep(Duration::from_millis(NAP)) => {}
                fault = self.faults.recv() => match fault {
                    Some((board, fault)) => self.suffer(board, fault),
                    None => return,
                },
            }
        }
    }

    fn hear(&mut self, bytes: &[u8]) {
        if bytes.is_empty() {
            return;
        }
        let now = self.clock.now();
        self.bus.host_bytes(now, &self.line.to_board(bytes));
        if !std::mem::replace(&mut self.began, true) {
            for table in &self.tables {
                locked(&table.plan).begin(now + self.lead);
            }
        }
    }

    fn play_due(&mut self) {
        let now = self.clock.now();
        while self.is_trouble_due(now) {
            if let Some((_, fault)) = self.troubles.pop_front() {
                let all = matches!(fault, Fault::Power(_));
                let boards = 0..if all { self.tables.len() } else { 1 };
                boards.for_each(|board| self.suffer(board, fault.clone()));
            }
        }
        for (board, table) in self.tables.iter_mut().enumerate() {
            let due = |at: Millis| locked(&table.plan).due(at).is_some_and(|at| at <= now);
            while table.acts.front().is_some_and(|(at, _)| due(*at)) {
                if let Some((_, act)) = table.acts.pop_front() {
                    at_the_board(&mut self.bus, board, now, act);
                }
            }
        }
    }

    fn is_trouble_due(&self, now: Millis) -> bool {
        let next = self.troubles.front().zip(self.tables.first());
        let due = next.and_then(|((at, _), table)| locked(&table.plan).due(*at));
        due.is_some_and(|due| due <= now)
    }

    fn suffer(&mut self, board: usize, fault: Fault) {
        match fault {
            Fault::Unplug => self.pty = None,
            Fault::Replug(link) => match Pty::open(&link) {
                Ok(pty) => self.pty = Some(pty),
                Err(why) => tracing::error!(%why, "the line cannot be plugged in"),
            },
            Fault::Silent(silent) => self.line.fall_silent(silent),
            Fault::Power(on) => self.bus.power(board, self.clock.now(), on),
            // A whole line of boards is never held for one of them.
            Fault::Hold | Fault::GoOn => {}
            Fault::Clock(action) => self.bus.clock(board, self.clock.now(), action),
        }
    }
}

fn locked(plan: &Mutex<Plan>) -> std::sync::MutexGuard<'_, Plan> {
    plan.lock().unwrap_or_else(PoisonError::into_inner)
}

/// What hands do at one board of the line.
pub fn at_the_board(bus: &mut VirtualBus, board: usize, now: Millis, act: Act) {
    match act {
        Act::Square { square, piece } => bus.set_square(board, now, square, piece),
        Act::Crowd { square, over, .. } => bus.set_square(board, now, square, Some(over)),
        Act::Press { by } => bus.clock(board, now, ClockAction::Press { by }),
        Act::ClockSet { time, increment } => {
            bus.clock(board, now, ClockAction::Set { time, increment });
        }
        Act::ClockStart { running } => bus.clock(board, now, ClockAction::Start { running }),
        Act::ClockStop => bus.clock(board, now, ClockAction::Stop),
        Act::FlagFall { of } => bus.clock(board, now, ClockAction::FlagFall { of }),
        Act::Power { on } => bus.power(board, now, on),
        Act::Cable { .. } => {}
    }
}
