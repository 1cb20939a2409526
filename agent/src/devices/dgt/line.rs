//! One open line to one board: the conversation from the first question to the last change.
//!
//! **Every byte is either part of a message that was understood or counted as garbage, and after garbage the whole
//! board is read again.** Bytes are cut into messages ([`Splitter`]), a message goes to whom it concerns
//! (detection, [`Board`], [`Dial`]), and [`Watch`] asks what is due; [`Pacing`] keeps the commands apart.

mod asking;
mod hearing;

use std::collections::VecDeque;

use super::board::Board;
use super::command::HostCommand;
use super::detection::Detection;
use super::dial::Dial;
use super::frame::Splitter;
use super::pacing::Pacing;
use super::watch::Watch;
use crate::devices::{Command, DeviceEvent, Identity, Line, LineOptions, Millis};

/// A line to a DGT board in single-board mode.
pub(super) struct DgtLine {
    how: LineOptions,
    family: &'static str,
    splitter: Splitter,
    detection: Detection,
    identity: Identity,
    stranger: Option<String>,
    /// There while the board is in use and may be asked.
    watch: Option<Watch>,
    pacing: Pacing,
    board: Board,
    dial: Dial,
    events: VecDeque<DeviceEvent>,
}

impl DgtLine {
    pub(super) fn new(family: &'static str, how: LineOptions) -> DgtLine {
        DgtLine {
            family,
            splitter: Splitter::default(),
            detection: Detection::new(family, &how),
            identity: Identity {
                family,
                ..Identity::default()
            },
            stranger: None,
            watch: None,
            pacing: Pacing::default(),
            board: Board::new(how.orientation),
            dial: Dial::new(how.white_at, how.orientation.known(), !how.recording),
            events: VecDeque::new(),
            how,
        }
    }

    /// A line to a board that knows nothing but occupied squares.
    pub(super) fn of_occupied_squares(family: &'static str, how: LineOptions) -> DgtLine {
        DgtLine {
            board: Board::of_occupied_squares(how.orientation),
            pacing: Pacing::of_squares_only(),
            ..DgtLine::new(family, how)
        }
    }
}

impl Line for DgtLine {
    fn opened(&mut self, now: Millis) {
        self.close();
        self.dial.reopened();
        self.board.reopened();
        if !self.how.recording {
            self.detection.start(now);
        }
    }

    fn receive(&mut self, now: Millis, bytes: &[u8]) {
        if self.is_listening() {
            let stretches = self.splitter.receive(now, bytes);
            self.take(now, stretches);
        }
        self.ask(now);
    }

    fn tick(&mut self, now: Millis) {
        let stretches = self.splitter.tick(now);
        self.take(now, stretches);
        self.ask(now);
    }

    fn command(&mut self, now: Millis, command: Command) {
        match command {
            Command::Dump => self.want_dump(),
            Command::Clock => self.send(HostCommand::Clock),
            Command::Log => self.send(HostCommand::Log),
            Command::Battery => self.send(HostCommand::Battery),
            // The word for lamps stops boards that have none.
            Command::Blink => {}
            Command::Orientation(choice) => {
                let events = self.board.choose(choice);
                self.tell_of_board(events);
            }
            Command::WhiteAt(side) => self.events.extend(self.dial.configure(side)),
            Command::WhitePressedAt(side) => self.events.extend(self.dial.pressed_before(side)),
        }
        self.ask(now);
    }

    fn next_event(&mut self) -> Option<DeviceEvent> {
        self.events.pop_front()
    }

    fn keeps_log(&self) -> bool {
        self.pacing.knows_log()
    }

    fn reads_clock(&self) -> bool {
        self.pacing.knows_clock()
    }

    fn next_write(&mut self) -> Option<Vec<u8>> {
        self.pacing.next().map(|command| command.bytes().to_vec())
    }

    fn wake(&self) -> Option<Millis> {
        let watch = self
            .watch
            .as_ref()
            .map(|watch| self.pacing.deaf_until().unwrap_or(watch.wake()));
        let parts = [
            self.splitter.wake(),
            self.detection.wake(),
            watch,
            self.pacing.wake(),
            self.dial_wake(),
        ];
        parts.into_iter().flatten().min()
    }
}
