//! One device as the hub knows it: its record, its clock, its health, and the numbered facts about them.
//!
//! It outlives the port: when the cable is pulled, the device waits without a line and goes on when its serial number
//! answers again, whatever the port is called then.

use std::collections::VecDeque;

use protocol::{Boot, DeviceId, Envelope, Fact, Millis, Played, Ply, Seq};
use shakmaty::Square;

use super::blind::NOTICEABLE;
use super::doubts::{CERTAIN, Doubts};
use super::gap::Gap;
use super::health::Condition;
use super::memory::Memory;
use super::position::Start;
use super::readings::Readings;
use super::recorder::{Recorder, kept};
use super::{Agent, readings, recorder};
use crate::devices::{
    ClockReading, DeviceEvent, Identity, NoClockBecause, Orientation, Placement, ResultSign,
};
use crate::time::timestamp;
use crate::tracker::{ClockState, Observation, Sensing};

/// A piece set on its own in the initial array counts as a new game after this long, milliseconds.
const NEW_GAME_AFTER: Millis = 3_000;

/// Presses that may still find their move.
pub(super) const PRESSES: usize = 8;

/// A press that was seen.
#[derive(Debug, Clone)]
pub(super) struct SeenPress {
    pub(super) by: protocol::Side,
    pub(super) reading: protocol::ClockReading,
    pub(super) used: bool,
}

/// A device with everything the agent knows about it.
#[derive(Debug)]
pub struct Device {
    pub(super) agent: Agent,
    pub(super) memory: Memory,
    pub(super) recorder: Option<Recorder>,
    pub(super) bluetooth: bool,
    pub(super) board: Option<Placement>,
    /// The whole board was heard since the agent started.
    pub(super) dump_heard: bool,
    /// The device keeps a log of its own.
    pub(super) keeps_log: bool,
    /// The device tells what stands on the board, not only what was moved.
    pub(super) sees_board: bool,
    /// When the line was lost.
    lost_at: Option<Millis>,
    pub(super) condition: Condition,
    pub(super) doubts: Doubts,
    pub(super) presses: VecDeque<SeenPress>,
    pub(super) last_change: Millis,
    pub(super) dirty: bool,
    /// The next dump is said even when nothing changed.
    pub(super) say_dump: bool,
    /// What an arbiter restored and what is to stand on the board.
    pub(super) expected: Option<Placement>,
    /// The line was away: the device's own log may tell what happened meanwhile.
    pub(super) gap: Option<Gap>,
    /// What the board can tell of a piece, and pieces in the air where it cannot tell them apart.
    pub(super) sensing: Sensing,
    pub(super) lifted: Vec<shakmaty::Piece>,
    pub(super) clock_turned: bool,
    readings: Readings,
    running: Option<bool>,
    squares: Vec<(Square, Option<shakmaty::Piece>)>,
    next_seq: Seq,
    offset: Option<i64>,
    out: Vec<Envelope>,
}

/// A dump that contradicts so many squares is more than a lost message: moves went by unseen.
const MISSED: usize = 3;

impl Device {
    /// A device with what was kept of it; `next_seq` numbers its next fact.
    pub fn new(agent: Agent, memory: Memory, next_seq: Seq, bluetooth: bool) -> Device {
        let mut device = Device {
            agent,
            memory,
            recorder: None,
            bluetooth,
            board: None,
            dump_heard: false,
            keeps_log: false,
            sees_board: true,
            lost_at: None,
            condition: Condition::default(),
            doubts: Doubts::default(),
            presses: VecDeque::new(),
            last_change: 0,
            dirty: false,
            say_dump: true,
            expected: None,
            gap: None,
            sensing: Sensing::Identity,
            lifted: Vec::new(),
            clock_turned: false,
            readings: Readings::default(),
            running: None,
            squares: Vec::new(),
            next_seq: next_seq.max(1),
            offset: None,
            out: Vec::new(),
        };
        device.begin_recording();
        device
    }

    /// The device's id.
    pub fn id(&self) -> &DeviceId {
        &self.memory.device
    }

    /// What is kept of it on disk.
    pub fn memory(&self) -> &Memory {
        &self.memory
    }

    /// The record so far.
    pub fn line(&self) -> Vec<Played> {
        self.memory.played().cloned().collect()
    }

    /// Numbering goes on from here unless it is further already.
    pub fn number_from(&mut self, next_seq: Seq) {
        self.next_seq = self.next_seq.max(next_seq);
    }

    /// Milliseconds to add to the agent's clock for the hub's.
    pub fn set_offset(&mut self, offset: Option<i64>) {
        self.offset = offset.or(self.offset);
    }

    /// Facts that were stated since the last call.
    pub(super) fn take_facts(&mut self) -> Vec<Envelope> {
        std::mem::take(&mut self.out)
    }

    /// What to keep on disk, when it changed.
    pub(super) fn take_memory(&mut self) -> Option<Vec<u8>> {
        let last = self.next_seq - 1;
        std::mem::take(&mut self.dirty).then(|| {
            self.memory.said = (last > 0).then(|| (self.agent.boot.clone(), last));
            self.memory.to_bytes()
        })
    }

    /// The last reading of the clock, and when it came.
    pub(super) fn last_reading(&self) -> Option<(Millis, protocol::ClockReading)> {
        self.readings.last_at()
    }

    /// Starts the recorder from the kept line, and compares what stands on the board at once.
    pub(super) fn begin_recording(&mut self) {
        let start = self.start();
        let mut line = self.line();
        let open = line.split_off(self.memory.given());
        let reached = start.reach(&line);
        self.recorder = self.memory.records().then(|| {
            Recorder::new(&start, line, reached, self.sensing, self.profile()).told_beyond(open)
        });
        self.presses.clear();
        self.doubts = Doubts::of_earlier(&self.memory.doubts);
    }

    pub(super) fn start(&self) -> Start {
        let control = self.memory.control.as_ref();
        Start {
            fen: match control {
                Some(control) => control.start_fen.clone(),
                None => self.memory.own_start.clone(),
            },
            chess960: control.is_some_and(|control| control.chess960),
        }
    }

    /// The line to the device is open and it said who it is.
    pub(super) fn found(&mut self, now: Millis, identity: &Identity, port: &str) {
        let was_away = self.condition.found(identity, port);
        self.say_dump = true;
        if was_away {
            self.note_gap(now, self.board);
            let away = self.lost_at.take().map_or(0, |at| now.saturating_sub(at));
            if self.gap.is_none() && away >= NOTICEABLE {
                self.lose_sight(self.memory.completed);
            }
        }
        self.observe(now, Observation::Link(true));
        self.tell_health(now);
    }

    /// The line is gone.
    pub(super) fn lost(&mut self, now: Millis, state: &'static str) {
        self.flush_squares(now);
        self.observe(now, Observation::Link(false));
        self.settle_down(now);
        self.readings.forget();
        self.running = None;
        self.condition.lost(state);
        self.lost_at.get_or_insert(now);
        self.tell_health(now);
    }

    /// What is still to be concluded is concluded now; nobody will look for a while.
    fn settle_down(&mut self, now: Millis) {
        let soon = now + NEW_GAME_AFTER;
        for _ in 0..16 {
            match self
                .recorder
                .as_ref()
                .and_then(Recorder::wake)
                .filter(|&due| due <= soon)
            {
                Some(due) => self.tick_recorder(due.max(now)),
                None => return,
            }
        }
    }

    /// Something the device said.
    pub(super) fn hear(&mut self, now: Millis, event: DeviceEvent) {
        match event {
            DeviceEvent::Square { square, piece } => self.hear_square(now, square, piece),
            DeviceEvent::Occupied { square, occupied } => self.hear_occupied(now, square, occupied),
            other => {
                self.flush_squares(now);
                self.hear_other(now, other);
            }
        }
    }

    fn hear_other(&mut self, now: Millis, event: DeviceEvent) {
        match event {
            DeviceEvent::Dump(placement) => self.hear_dump(now, placement),
            DeviceEvent::Occupancy(squares) => self.hear_occupancy(now, squares),
            DeviceEvent::Keep(what) => {
                self.memory.kept = Some(what);
                self.dirty = true;
            }
            DeviceEvent::Press { by, reading } => self.hear_press(now, by, &reading),
            DeviceEvent::Clock(reading) => self.hear_clock(now, &reading),
            DeviceEvent::NoClock(because) => self.hear_no_clock(now, because),
            DeviceEvent::Log(entries) => self.hear_log(now, &entries),
            DeviceEvent::Orientation(orientation) => self.hear_orientation(orientation),
            DeviceEvent::ResultPiece { sign, .. } => self.say(
                now,
                Fact::KingsCentred {
                    result: result(sign),
                },
            ),
            DeviceEvent::ClockType(kind) => self.condition.clock_type(kind),
            DeviceEvent::PiecesUnknown(unknown) => self.condition.pieces_unknown(unknown),
            DeviceEvent::Battery(battery) => self.condition.battery(&battery),
            DeviceEvent::DoesNotFollow(said) => self.hear_stray(now, &said),
            DeviceEvent::Garbage { .. } => self.condition.damaged(),
            DeviceEvent::Identified(identity) => self.condition.learned(&identity),
            DeviceEvent::ChessclockSides {
                white,
                known_by,
                contradicts_board,
            } => self.hear_sides(now, white, known_by, contradicts_board),
            DeviceEvent::Flickers { square } => {
                self.notice(
                    now,
                    "SQUARE_UNRELIABLE",
                    false,
                    &format!("{square} changes all the time"),
                );
            }
            DeviceEvent::Square { .. }
            | DeviceEvent::Occupied { .. }
            | DeviceEvent::NotThisFamily
            | DeviceEvent::Lost(_)
            | DeviceEvent::ClockAck(_)
            | DeviceEvent::ClockButton(_)
            | DeviceEvent::Disbelieved(_) => {}
        }
    }

    pub(super) fn hear_square(
        &mut self,
        now: Millis,
        square: Square,
        piece: Option<shakmaty::Piece>,
    ) {
        if self.board.is_none() {
            self.begin_after_gap(now);
            self.board = Some(self.recorded_board());
        }
        let board = self.board.get_or_insert(Placement::EMPTY);
        if board.at(square) != piece {
            board.set(square, piece);
            self.squares.push((square, piece));
            self.leave_trail((square, piece));
            self.last_change = now;
        }
        let reading = self.reading(piece);
        self.observe(now, Observation::Square { square, reading });
    }

    /// The raw squares that arrived together, as one fact, before anything that came after them.
    pub(super) fn flush_squares(&mut self, now: Millis) {
        if self.squares.is_empty() {
            return;
        }
        let changes = std::mem::take(&mut self.squares);
        let changes = changes.into_iter().map(|(square, piece)| {
            (
                protocol::SquareName(square),
                piece.map(shakmaty::Piece::char),
            )
        });
        let changes = changes.collect();
        self.say(now, Fact::Squares { changes });
    }

    pub(super) fn hear_dump(&mut self, now: Millis, placement: Placement) {
        let first = !std::mem::replace(&mut self.dump_heard, true);
        let known = self.board.filter(|_| !first);
        let missed = known.map_or(0, |board| board.differences(&placement).len());
        if self.board.is_none() {
            self.begin_after_gap(now);
        }
        if missed >= MISSED {
            self.note_gap(now, known);
        }
        if missed >= MISSED {
            // The line looked alive, but the board has not told what its squares did: switched off and on, most likely.
            self.observe(now, Observation::Link(false));
            self.observe(now, Observation::Link(true));
        }
        let changed = missed > 0 || first;
        if changed {
            self.last_change = now;
        }
        if missed > 0 {
            // In which order they changed nobody knows: what is heard from here on is found alone.
            self.memory.trail.clear();
        }
        self.board = Some(placement);
        if changed || std::mem::take(&mut self.say_dump) {
            self.say_dump = false;
            let board = recorder::wire_placement(&placement);
            self.say(now, Fact::Dump { board });
        }
        self.observe(now, Observation::Dump(self.readings(&placement)));
        self.compare_with_expected(now, &placement);
    }

    fn compare_with_expected(&mut self, now: Millis, placement: &Placement) {
        let Some(expected) = self.expected.take() else {
            return;
        };
        let squares = placement.differences(&expected);
        let fact = if squares.is_empty() {
            Fact::Explained
        } else {
            Fact::Unexplained {
                squares: recorder::names(&squares),
                board: recorder::wire_placement(placement),
            }
        };
        self.say(now, fact);
    }

    fn hear_press(&mut self, now: Millis, by: shakmaty::Color, reading: &ClockReading) {
        let clock = readings::wire(reading);
        let side = protocol::Side::from(by);
        if self.presses.len() == PRESSES {
            self.presses.pop_front();
        }
        self.presses.push_back(SeenPress {
            by: side,
            reading: clock,
            used: false,
        });
        self.say(now, Fact::Press { by: side, clock });
        self.observe(
            now,
            Observation::Press {
                by,
                white: Some(reading.faces.white.seconds),
                black: Some(reading.faces.black.seconds),
            },
        );
    }

    fn hear_clock(&mut self, now: Millis, reading: &ClockReading) {
        self.condition.clock(true);
        let wire = readings::wire(reading);
        let before = self.readings.last().copied();
        if self.readings.is_news(now, wire) {
            self.say(now, Fact::Reading(wire));
        }
        let running = Some(reading.running);
        let set = !reading.running
            && before.is_some_and(|before| before.running.is_none() && before.time != wire.time);
        if set {
            self.observe(now, Observation::Clock(ClockState::Set));
        }
        if self.running != running {
            self.running = running;
            let state = if reading.running {
                ClockState::Running
            } else {
                ClockState::Stopped
            };
            self.observe(now, Observation::Clock(state));
        }
    }

    fn hear_no_clock(&mut self, now: Millis, _because: NoClockBecause) {
        self.condition.clock(false);
        self.readings.forget();
        self.running = None;
        self.tell_health(now);
    }

    fn hear_orientation(&mut self, orientation: Orientation) {
        self.dirty |= self.memory.orientation != Some(orientation);
        self.memory.orientation = Some(orientation);
        self.say_dump = true;
    }

    /// Time passed.
    pub(super) fn tick(&mut self, now: Millis) {
        self.flush_squares(now);
        self.tick_recorder(now);
        if self.new_game_at().is_some_and(|at| at <= now) {
            self.begin_own_game(now);
        }
        if self.condition.report_due(now) {
            self.tell_health(now);
        }
        if self.doubts.wake().is_some_and(|at| at <= now) {
            self.tell_doubts(now);
        }
    }

    /// When time should pass at the latest.
    pub(super) fn wake(&self) -> Option<Millis> {
        let parts = [
            self.recorder.as_ref().and_then(Recorder::wake),
            self.new_game_at(),
            self.condition.wake(),
            self.doubts.wake(),
            self.log_due(),
        ];
        parts.into_iter().flatten().min()
    }

    fn tick_recorder(&mut self, now: Millis) {
        if let Some(recorder) = &mut self.recorder {
            let inferences = recorder.tick(now);
            self.conclude(now, inferences);
        }
    }

    pub(super) fn observe(&mut self, now: Millis, observation: Observation) {
        if let Some(recorder) = &mut self.recorder {
            let inferences = recorder.observe(now, observation);
            self.conclude(now, inferences);
        }
    }

    /// A board of its own (no hub has spoken yet) begins a new game when the initial array is put up after one.
    fn new_game_at(&self) -> Option<Millis> {
        let own = self.memory.control.is_none() && !self.memory.line.is_empty();
        let set_up = own && self.board == Some(Placement::start());
        let still_in_play = || {
            let reached = self.start().reach(self.memory.played());
            recorder::placement_of(&reached.now) == Placement::start()
        };
        (set_up && !still_in_play()).then(|| self.last_change + NEW_GAME_AFTER)
    }

    fn begin_own_game(&mut self, now: Millis) {
        self.memory.line.clear();
        self.memory.completed = 0;
        self.dirty = true;
        self.forget_the_way();
        self.begin_recording();
        self.say_set_up(now, true, &[], false);
    }

    /// `turned`: the tracker had to turn what the line says.
    pub(super) fn say_set_up(
        &mut self,
        now: Millis,
        correct: bool,
        squares: &[Square],
        turned: bool,
    ) {
        let Some(board) = self.board else { return };
        self.dirty |= correct && !self.memory.set_up;
        self.memory.set_up |= correct;
        if correct {
            // The way through the log begins here.
            (self.memory.trail, self.memory.heard) = (String::new(), 0);
        }
        let rotated = (self.memory.orientation == Some(Orientation::Rotated)) != turned;
        self.say(
            now,
            Fact::SetUp {
                board: recorder::wire_placement(&board),
                correct,
                squares: recorder::names(squares),
                rotated,
            },
        );
    }

    pub(super) fn notice(&mut self, now: Millis, code: &str, over: bool, detail: &str) {
        self.say(
            now,
            Fact::Notice {
                code: code.to_owned(),
                over,
                detail: detail.to_owned(),
            },
        );
    }

    pub(super) fn tell_health(&mut self, now: Millis) {
        if let Some(health) = self.condition.news(now) {
            self.say(now, Fact::Health(health));
        }
    }

    /// States a fact: numbers it and remembers which plies it told.
    pub(super) fn say(&mut self, at: Millis, fact: Fact) {
        let seq = self.next_seq;
        self.next_seq += 1;
        match &fact {
            Fact::Made { certainty, .. } | Fact::Revised { certainty, .. } => {
                self.remember_line(seq, *certainty < CERTAIN);
            }
            Fact::Retracted { .. } => self.remember_line(seq, false),
            Fact::Settled { ply } => self.take_for_given(*ply),
            // Whoever comes after us has not seen the squares: what was seen and pressed is not judged again.
            Fact::Completed {
                ply, pressed: true, ..
            } if self.is_decided(*ply) => self.take_for_given(*ply),
            _ => {}
        }
        self.out.push(Envelope {
            agent: self.agent.id.clone(),
            boot: self.agent.boot.clone(),
            seq,
            at: timestamp(at),
            offset: self.offset,
            fact,
        });
    }

    fn take_for_given(&mut self, ply: Ply) {
        let ply = usize::try_from(ply).unwrap_or(usize::MAX);
        self.dirty |= self.memory.settle(ply);
    }

    fn remember_line(&mut self, seq: Seq, open: bool) {
        let Some(recorder) = &self.recorder else {
            return;
        };
        let told: (Boot, Seq) = (self.agent.boot.clone(), seq);
        self.memory.line = kept(
            &recorder.line,
            &self.memory.line,
            Some(&told),
            (open, self.memory.heard),
        );
        self.memory.completed = self.memory.completed.min(self.memory.line.len());
        self.dirty = true;
        self.name_pieces();
    }
}

fn result(sign: ResultSign) -> protocol::GameResult {
    match sign {
        ResultSign::Draw => protocol::GameResult::Draw,
        ResultSign::WhiteWins => protocol::GameResult::WhiteWins,
        ResultSign::BlackWins => protocol::GameResult::BlackWins,
    }
}
