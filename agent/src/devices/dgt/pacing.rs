//! Commands leave one at a time: a board has room for ten bytes and loses what comes too fast.

use std::collections::VecDeque;

use super::command::HostCommand;
use crate::devices::Millis;

/// The least time between two commands.
pub(super) const SPACING: Millis = 100;

/// The longest the board's memory may take.
const LOG_TAKES: Millis = 15_000;

/// Commands on their way out. Each waits at most once, so the queue cannot grow.
#[derive(Debug, Default)]
pub(super) struct Pacing {
    waiting: VecDeque<HostCommand>,
    leaving: Option<HostCommand>,
    last: Option<Millis>,
    /// The board is sending its memory and hears nothing before this time.
    deaf_until: Option<Millis>,
    /// The board has no chessclock and no memory, and tells of squares only.
    squares_only: bool,
}

impl Pacing {
    /// For a board without chessclock and memory.
    pub(super) fn of_squares_only() -> Pacing {
        Pacing {
            squares_only: true,
            ..Pacing::default()
        }
    }

    /// Whether the board can be asked for its memory.
    pub(super) fn knows_log(&self) -> bool {
        !self.squares_only
    }

    /// Whether the board can be asked for a chessclock.
    pub(super) fn knows_clock(&self) -> bool {
        !self.squares_only
    }

    /// Asks for a command to be sent, unless it is waiting already.
    pub(super) fn send(&mut self, command: HostCommand) {
        let command = match command {
            HostCommand::UpdateNice if self.squares_only => HostCommand::UpdateBoard,
            HostCommand::Clock | HostCommand::ClockVersion | HostCommand::Log
                if self.squares_only =>
            {
                return;
            }
            other => other,
        };
        if !self.waiting.contains(&command) {
            self.waiting.push_back(command);
        }
    }

    /// Lets the next command go when it is time.
    pub(super) fn tick(&mut self, now: Millis) {
        self.deaf_until = self.deaf_until.filter(|&until| now < until);
        if self.leaving.is_some()
            || self.is_deaf(now)
            || self.last.is_some_and(|last| now < last + SPACING)
        {
            return;
        }
        if let Some(command) = self.waiting.pop_front() {
            self.leaving = Some(command);
            self.last = Some(now);
            self.deaf_until = (command == HostCommand::Log).then_some(now + LOG_TAKES);
        }
    }

    /// Whether the board is busy sending its memory.
    pub(super) fn is_deaf(&self, now: Millis) -> bool {
        self.deaf_until.is_some_and(|until| now < until)
    }

    /// Until when the board may be busy sending its memory.
    pub(super) fn deaf_until(&self) -> Option<Millis> {
        self.deaf_until
    }

    /// The memory arrived.
    pub(super) fn log_arrived(&mut self) {
        self.deaf_until = None;
    }

    /// The command to write now.
    pub(super) fn next(&mut self) -> Option<HostCommand> {
        self.leaving.take()
    }

    /// Forgets what has not left.
    pub(super) fn clear(&mut self) {
        self.waiting.clear();
        self.leaving = None;
        self.deaf_until = None;
    }

    /// When the next command may leave.
    pub(super) fn wake(&self) -> Option<Millis> {
        let free_at = self.last.map_or(0, |last| last + SPACING);
        (!self.waiting.is_empty()).then_some(free_at.max(self.deaf_until.unwrap_or(0)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn commands_keep_their_distance_and_do_not_pile_up() {
        let mut pacing = Pacing::default();
        for _ in 0..50 {
            pacing.send(HostCommand::Dump);
            pacing.send(HostCommand::Clock);
        }
        let mut sent = Vec::new();
        for now in 1000..1500 {
            pacing.tick(now);
            sent.extend(pacing.next().map(|command| (now, command)));
        }
        assert_eq!(
            sent,
            [(1000, HostCommand::Dump), (1100, HostCommand::Clock)]
        );
        assert_eq!(pacing.wake(), None);
    }

    #[test]
    fn nothing_is_said_to_a_board_that_sends_its_memory() {
        let mut pacing = Pacing::default();
        pacing.send(HostCommand::Log);
        pacing.send(HostCommand::Serial);
        pacing.tick(0);
        assert_eq!(pacing.next(), Some(HostCommand::Log));
        pacing.tick(8_000);
        assert_eq!(pacing.next(), None);
        assert_eq!(pacing.wake(), Some(LOG_TAKES));
        pacing.log_arrived();
        pacing.tick(8_400);
        assert_eq!(pacing.next(), Some(HostCommand::Serial));
    }
}
