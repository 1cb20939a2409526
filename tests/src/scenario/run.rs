//! Plays a story in a hall of its own and says at which lines it went otherwise than told.

use std::collections::{BTreeMap, BTreeSet};

use agent::simulate::dgt::ClockAction;
use hub::game::{GameEvent, Source};
use hub::venue::EventBody;
use protocol::{
    ClientId, DeviceId, GameResult, HallPly, Side, SideControl, TableId, TimeControl, Topic,
};
use shakmaty::{Chess, Position};

use super::Problem;
use super::story::{Fault, Programme, Step, Story};
use crate::hall::{Hall, NOON};

/// What the hall could see of a table at some moment: moves and result.
pub(super) type Shown = (Vec<HallPly>, Option<GameResult>);

/// A story being played.
pub(super) struct Stage {
    pub(super) hall: Hall,
    pub(super) places: BTreeMap<TableId, Place>,
    /// What the hall saw before the last thing that was done.
    pub(super) before: BTreeMap<TableId, Shown>,
    /// The revision of a table when somebody looked.
    pub(super) looked: BTreeMap<String, u64>,
    pub(super) orders: u64,
    pub(super) client: Option<ClientId>,
    /// A refusal that the next line must speak of, with the line of its order.
    pub(super) refused: Option<(usize, String)>,
    /// Events that were told.
    told: usize,
    /// Codes that may be raised.
    allowed: BTreeSet<String>,
}

/// A table as the story knows it.
pub(super) struct Place {
    pub(super) device: DeviceId,
    /// The position of the game as it was really played; none after something that is no legal move.
    pub(super) position: Option<Chess>,
    /// What its clock is programmed to do.
    pub(super) programme: Programme,
    pub(super) clock_started: bool,
}

/// Plays a story.
///
/// # Errors
/// Every line that went otherwise; after a line that could not be carried out the story ends.
pub fn run(story: &Story) -> Result<(), Vec<Problem>> {
    run_and_tell(story, &mut |_| ())
}

/// The same, and tells line by line what the hub wrote down.
///
/// # Errors
/// As [`run`].
pub fn run_and_tell(story: &Story, tell: &mut dyn FnMut(&str)) -> Result<(), Vec<Problem>> {
    let mut stage = Stage::open(story);
    let mut problems = Vec::new();
    for line in &story.steps {
        stage.tell_journal(tell);
        tell(&format!("— line {}: {:?}", line.number, line.step));
        let expects = matches!(line.step, Step::Expect(_));
        let done = stage.step(line.number, &line.step);
        let failed = done.is_err();
        problems.extend(done.err().map(|what| Problem::new(line.number, what)));
        if failed && !expects {
            stage.tell_journal(tell);
            return Err(problems);
        }
    }
    stage.tell_journal(tell);
    if let Some((line, why)) = stage.refused.take() {
        problems.push(Problem::new(line, format!("the order was refused: {why}")));
    }
    problems.extend(stage.unexpected(story.line));
    if problems.is_empty() {
        Ok(())
    } else {
        Err(problems)
    }
}

impl Stage {
    fn open(story: &Story) -> Stage {
        let mut stage = Stage {
            hall: Hall::open((!story.unpaired).then(|| story.round.clone())),
            places: BTreeMap::new(),
            before: BTreeMap::new(),
            looked: BTreeMap::new(),
            orders: 0,
            client: None,
            refused: None,
            told: 0,
            allowed: allowed(story),
        };
        for (table, serial, options) in &story.boards {
            let setup = story.round.tables.iter().find(|t| t.table == *table);
            let control = setup.and_then(|t| t.time_control.as_ref());
            let control = control.unwrap_or(&story.round.time_control);
            let device = stage.hall.add_board(serial, options.clone());
            let place = Place {
                device,
                position: start(setup.and_then(|t| t.start_fen.as_deref())),
                programme: programme(control),
                clock_started: false,
            };
            stage.set_clock(
                &place,
                base(control, Side::White),
                base(control, Side::Black),
            );
            stage.places.insert(*table, place);
        }
        // Long enough for the agent to find its boards and for the hub to tell them their games.
        stage.hall.pass(8_000);
        stage
    }

    fn step(&mut self, number: usize, step: &Step) -> Result<(), String> {
        if !matches!(step, Step::Expect(_)) {
            self.remember();
        }
        if let Some((line, why)) = self.refused.take_if(|_| !speaks_of_answer(step)) {
            return Err(format!("the order of line {line} was refused: {why}"));
        }
        match step {
            Step::Play(table, moves) => self.play(*table, moves),
            Step::Given(table, side, count) => {
                self.given(*table, *side, *count);
                Ok(())
            }
            Step::Acts(table, acts) => acts.iter().try_for_each(|act| self.act(*table, act)),
            Step::Looks(by, table) => self.looks(by, *table),
            Step::Order(ordered) => {
                let done = self.order(number, ordered);
                self.seat_again();
                done
            }
            Step::Pairings(round) => {
                self.hall.pairings((**round).clone());
                self.seat_again();
                Ok(())
            }
            Step::Fact(table, fact) => {
                let device = self.place(*table)?.device.clone();
                self.hall.state(&device, fact.clone());
                Ok(())
            }
            Step::Fault(fault) => self.fault(*fault),
            Step::Expect(expectation) => self.expect(expectation),
            Step::MayRaise(_) => Ok(()),
        }
    }

    /// A table with a board.
    pub(super) fn place(&self, table: TableId) -> Result<&Place, String> {
        self.places
            .get(&table)
            .ok_or_else(|| format!("table {table} has no board of its own"))
    }

    /// Boards are where the hub has them now.
    fn seat_again(&mut self) {
        let mut without = Vec::new();
        for (before, place) in std::mem::take(&mut self.places) {
            let topic = Topic::Control(place.device.clone());
            let control: Option<protocol::Control> = self.hall.hub.retained(&topic);
            match control.and_then(|c| c.table) {
                Some(table) => drop(self.places.insert(table, place)),
                None => without.push((before, place)),
            }
        }
        for (before, place) in without {
            let taken = |table: &TableId| self.places.contains_key(table);
            let free = std::iter::once(before).chain((1..=u16::MAX).map(TableId));
            let free = free.into_iter().find(|table| !taken(table));
            self.places.insert(free.unwrap_or(before), place);
        }
    }

    /// What the hall sees of a table.
    pub(super) fn shown(&self, table: TableId) -> Shown {
        let board = self.hall.board(table);
        board.map_or_else(Default::default, |b| (b.moves, b.result))
    }

    fn remember(&mut self) {
        let tables: Vec<TableId> = self.places.keys().copied().collect();
        self.before = tables.into_iter().map(|t| (t, self.shown(t))).collect();
    }

    /// Before the story begins: written into the hub's journal as it is.
    fn given(&mut self, table: TableId, offender: Side, count: u32) {
        let event = GameEvent::IllegalCounted { offender, count };
        let body = EventBody::Game {
            past: None,
            table,
            source: Source::Arbiter("MK".to_owned()),
            event,
        };
        self.hall.hub.assume(self.hall.now(), body);
    }

    fn fault(&mut self, fault: Fault) -> Result<(), String> {
        match fault {
            Fault::Cable(table, there) => {
                let device = self.place(table)?.device.clone();
                self.hall.at(&device, |seat, now| seat.cable(now, there));
            }
            Fault::Power(table, on) => {
                let device = self.place(table)?.device.clone();
                self.hall.at(&device, |seat, now| seat.power(now, on));
            }
            Fault::Lose(table, facts) => {
                let device = self.place(table)?.device.clone();
                self.hall.at(&device, |seat, _| seat.lose(facts));
            }
            Fault::Agent(true) => self.hall.start_agent(),
            Fault::Agent(false) => self.hall.kill_agent(),
            Fault::Link(whole) => self.hall.link(whole),
            Fault::Hub(true) => self.hall.start_hub(),
            Fault::Hub(false) => self.hall.kill_hub(),
            Fault::Stranger(serial) => {
                self.hall
                    .add_board(&format!("{serial:05}"), Default::default());
            }
            Fault::Disk(table, room) => {
                let device = self.place(table)?.device.clone();
                let state = if room { "ok" } else { "disk-full" };
                self.hall
                    .tell_info(&device, |info| state.clone_into(&mut info.health.state));
            }
            Fault::Reader(table, there) => {
                let device = self.place(table)?.device.clone();
                let agent = "second".parse().map_err(|_| "no name")?;
                let boot = "s1".parse().map_err(|_| "no name")?;
                self.hall.tell_info(&device, |info| {
                    (info.agent, info.boot) = (agent, boot);
                    info.health.board = there;
                });
            }
        }
        Ok(())
    }

    /// The clock set to these times with its whole programme.
    pub(super) fn set_clock(&mut self, place: &Place, white: u64, black: u64) {
        let time = shakmaty::ByColor { white, black };
        let increment = place.programme.increment;
        self.hall
            .clock(&place.device, ClockAction::Set { time, increment });
        if place.programme.delay > 0 {
            self.hall
                .clock(&place.device, ClockAction::Delay(place.programme.delay));
        }
        for period in &place.programme.periods {
            self.hall.clock(&place.device, ClockAction::Period(*period));
        }
    }

    fn tell_journal(&mut self, tell: &mut dyn FnMut(&str)) {
        let journal = self.hall.hub.journal();
        for event in journal.iter().skip(self.told) {
            let seconds = event.at.since(NOON) as f64 / 1000.0;
            tell(&format!("{seconds:>10.3} {:?}", event.body));
        }
        self.told = journal.len();
    }

    /// Alerts that no line speaks of.
    fn unexpected(&self, line: usize) -> Vec<Problem> {
        let strange = |a: &protocol::Alert| !self.allowed.contains(&a.code);
        self.hall
            .alerts()
            .iter()
            .filter(|a| strange(a))
            .map(|a| {
                let what = format!("raised, but no line expects it: {}", super::view::shown(a));
                Problem::new(line, what)
            })
            .collect()
    }
}

fn speaks_of_answer(step: &Step) -> bool {
    matches!(step, Step::Expect(e) if matches!(e.what, super::story::Expected::Answer(_)))
}

/// Codes that the story speaks of.
fn allowed(story: &Story) -> BTreeSet<String> {
    let mut codes = BTreeSet::new();
    for line in &story.steps {
        codes.extend(line.step.code().map(str::to_owned));
        if let Step::MayRaise(more) = &line.step {
            codes.extend(more.iter().cloned());
        }
    }
    codes
}

fn start(fen: Option<&str>) -> Option<Chess> {
    let Some(fen) = fen else {
        return Some(Chess::default());
    };
    let fen: shakmaty::fen::Fen = fen.parse().ok()?;
    fen.into_position(shakmaty::CastlingMode::Standard).ok()
}

/// Whose turn it is in the position, White's where it is not known.
pub(super) fn turn(place: &Place) -> Side {
    let color = place.position.as_ref().map(Position::turn);
    color.map_or(Side::White, Side::from)
}

fn base(control: &TimeControl, side: Side) -> u64 {
    let period = match control.side(side) {
        SideControl::Periods(periods) => periods.first(),
        _ => None,
    };
    period.map_or(0, |p| u64::from(p.seconds) * 1000)
}

/// The programme a clock needs for the announced control.
fn programme(control: &TimeControl) -> Programme {
    let periods = control.side(Side::White).periods();
    let ms = |seconds: u32| u64::from(seconds) * 1000;
    let mut programme = Programme::default();
    match periods.first().map(|p| p.bonus) {
        Some(protocol::Bonus::Increment(s)) => programme.increment = ms(s),
        Some(protocol::Bonus::Delay(s) | protocol::Bonus::Bronstein(s)) => programme.delay = ms(s),
        _ => {}
    }
    programme.periods = periods.iter().skip(1).map(|p| ms(p.seconds)).collect();
    programme
}
