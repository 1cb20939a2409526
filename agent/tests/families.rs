//! Whole games on virtual boards of every family, in simulated time: hands, bytes, driver, session, record.

use std::collections::BTreeMap;

use agent::devices::dgt::{Address, Bus, BusMember};
use agent::devices::{DeviceEvent, Driver, LineOptions, Orientation, Placement, driver};
use agent::scoresheet::Scoresheet;
use agent::session::{Agent, Device, Input, Memory, Output, Session};
use agent::simulate::dgt::{ClockAction, VirtualBus};
use agent::simulate::games::classics;
use agent::simulate::hands::{Act, Control, Game, Noise, Performance, Play, Tempo, coils, play};
use agent::simulate::whole::{MAKES, virtual_board};
use agent::simulate::{FarEnd, VirtualBoard, at_the_board};
use protocol::Fact;
use rand::{Rng, SeedableRng, rngs::SmallRng};

/// Milliseconds between two looks of the world.
const STEP: u64 = 10;
/// The hands begin when the board was found.
const LEAD: u64 = 6_000;
/// Until then the port has the wrong speed, where it has.
const WRONG_UNTIL: u64 = 3_500;

/// What happens to the bytes on their way.
#[derive(Clone, Copy, Default)]
struct Flaws {
    /// Of a million bytes so many are lost, and before so many others a false one arrives.
    lost: u32,
    noise: u32,
    /// Messages arrive in pieces.
    split: bool,
    /// Twice during the game the board is away for two seconds.
    away: Option<Away>,
    /// Until the hands begin the port has another speed than the board.
    wrong_speed: bool,
}

/// How a board can be away.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Away {
    /// The cable is pulled: the port is gone.
    Cable,
    /// The board is switched off; the port stays.
    Power,
    /// Nothing arrives; the port stays.
    Silence,
}

/// What happens at a table.
enum Step {
    Act(Act),
    Leave(Away),
    Back(Away),
}

struct Table {
    board: Box<dyn VirtualBoard>,
    session: Session,
    driver: &'static dyn Driver,
    memory: Option<Box<Device>>,
    late: Vec<u8>,
    mute: bool,
    dice: SmallRng,
    flaws: Flaws,
    facts: Vec<Fact>,
    written: Vec<Vec<u8>>,
    now: u64,
}

impl Table {
    fn new(board: Box<dyn VirtualBoard>, driver: &'static dyn Driver, flaws: Flaws) -> Table {
        let mut table = Table {
            board,
            session: Session::new(driver.open(LineOptions::default()), "table-1"),
            driver,
            memory: None,
            late: Vec::new(),
            mute: false,
            dice: SmallRng::seed_from_u64(5),
            flaws,
            facts: Vec::new(),
            written: Vec::new(),
            now: 1_000,
        };
        table.give(Input::Opened);
        table
    }

    fn give(&mut self, input: Input<'_>) {
        let mut outputs: std::collections::VecDeque<Output> =
            self.session.handle(self.now, input).into();
        while let Some(output) = outputs.pop_front() {
            match output {
                Output::Write(bytes) => {
                    self.board.host_bytes(self.now, &bytes);
                    self.written.push(bytes);
                }
                Output::Identified(id) => {
                    let device = self.memory.take().unwrap_or_else(|| {
                        let name = || "test".parse().expect("a good name");
                        let agent = Agent {
                            id: name(),
                            boot: "boot".parse().expect("a good name"),
                        };
                        Box::new(Device::new(agent, Memory::fresh(id), 1, false))
                    });
                    outputs.extend(self.session.handle(self.now, Input::Device(device)));
                }
                Output::Fact(envelope) => self.facts.push(envelope.fact),
                Output::Reopen(_) => self.reopen(),
                Output::Keep(..) | Output::Info(_) => {}
            }
        }
    }

    /// The cable is pulled, or the agent opens the port anew.
    fn reopen(&mut self) {
        let known = LineOptions {
            known: true,
            ..LineOptions::default()
        };
        let line = self.driver.open(known);
        let old = std::mem::replace(&mut self.session, Session::new(line, "table-1"));
        self.memory = old.into_device().or(self.memory.take());
        self.give(Input::Opened);
    }

    /// The board is gone; says whether the port is still there.
    fn leave(&mut self, away: Away) -> bool {
        match away {
            Away::Cable => self.give(Input::Lost),
            Away::Power => self.board.power(self.now, false),
            Away::Silence => self.mute = true,
        }
        away != Away::Cable
    }

    fn back(&mut self, away: Away) {
        match away {
            Away::Cable => self.reopen(),
            Away::Power => self.board.power(self.now, true),
            Away::Silence => self.mute = false,
        }
    }

    fn run_to(&mut self, until: u64, connected: bool) {
        while self.now + STEP <= until {
            self.now += STEP;
            let bytes = self.board.take_output(self.now);
            if connected {
                let bytes = self.spoil(bytes);
                if !bytes.is_empty() {
                    self.give(Input::Bytes(&bytes));
                }
                if self.session.wake().is_some_and(|at| at <= self.now) {
                    self.give(Input::Tick);
                }
            }
        }
    }

    fn spoil(&mut self, bytes: Vec<u8>) -> Vec<u8> {
        let mut spoiled = std::mem::take(&mut self.late);
        let wrong_speed = self.flaws.wrong_speed && self.now < WRONG_UNTIL;
        for byte in bytes.into_iter().filter(|_| !self.mute) {
            let byte = if wrong_speed {
                !byte.rotate_left(3)
            } else {
                byte
            };
            if self.dice.random_ratio(self.flaws.noise, 1_000_000) {
                spoiled.push(self.dice.random());
            }
            if !self.dice.random_ratio(self.flaws.lost, 1_000_000) {
                spoiled.push(byte);
            }
        }
        if self.flaws.split && !spoiled.is_empty() {
            let keep = self.dice.random_range(0..=spoiled.len());
            self.late = spoiled.split_off(keep);
        }
        spoiled
    }

    fn act(&mut self, act: &Act) {
        let (board, now) = (&mut self.board, self.now);
        match *act {
            Act::Square { square, piece } => board.set_square(now, square, piece),
            Act::Crowd { square, over, .. } => board.set_square(now, square, Some(over)),
            Act::Press { by } => board.clock(now, ClockAction::Press { by }),
            Act::ClockSet { time, increment } => {
                board.clock(now, ClockAction::Set { time, increment })
            }
            Act::ClockStart { running } => board.clock(now, ClockAction::Start { running }),
            Act::ClockStop => board.clock(now, ClockAction::Stop),
            Act::FlagFall { of } => board.clock(now, ClockAction::FlagFall { of }),
            Act::Cable { .. } | Act::Power { .. } => {}
        }
    }

    fn moves(&self) -> Vec<String> {
        let mut sheet = Scoresheet::default();
        self.facts.iter().for_each(|fact| sheet.take(fact));
        sheet.moves()
    }
}

fn performance(game: &Game, noise: u8, seed: u64, seconds: u64) -> (Performance, Vec<(u64, Act)>) {
    let mut how = Play::new(Noise::level(noise), seed);
    how.tempo = Tempo::Lasting(seconds * 1000);
    how.control = game.control().unwrap_or(Control::CLASSICAL);
    let performance = play(game, &how);
    let acts = coils(&performance, &how);
    (performance, acts)
}

/// The family whose driver understands a make.
fn spoken_by(make: &str) -> &str {
    if make == "sentio" { "certabo" } else { make }
}

/// Plays a game through; the record and the truth.
fn record(
    family: &str,
    seed: u64,
    game: &Game,
    noise: u8,
    flaws: Flaws,
) -> (Vec<String>, Vec<String>, Table) {
    let orientation = if seed % 3 == 2 {
        Orientation::Rotated
    } else {
        Orientation::Normal
    };
    let (performance, acts) = performance(game, noise, seed, 120);
    let mut start = Placement::EMPTY;
    for (square, piece) in performance.initial.clone() {
        start.set(square, Some(piece));
    }
    let board = virtual_board(family, "01025", orientation, start, seed).expect("rows name boards");
    let driver = driver(spoken_by(family)).expect("rows name families");
    let mut table = Table::new(board, driver, flaws);
    table.run_to(LEAD, true);
    let last = acts.last().map_or(0, |(at, _)| *at);
    let mut connected = true;
    for (at, step) in steps(acts, flaws.away, family, last) {
        table.run_to(LEAD + at, connected);
        match step {
            Step::Act(act) => table.act(&act),
            Step::Leave(away) => connected = table.leave(away),
            Step::Back(away) => {
                table.back(away);
                connected = true;
            }
        }
    }
    table.run_to(LEAD + last + 30_000, true);
    let truth = performance
        .truth
        .iter()
        .filter_map(|ply| ply.uci())
        .map(|uci| uci.to_string())
        .collect();
    (table.moves(), truth, table)
}

/// What the hands do, and between it the times without the board.
fn steps(acts: Vec<(u64, Act)>, away: Option<Away>, make: &str, last: u64) -> Vec<(u64, Step)> {
    let moments = match (away, make) {
        (None, _) => Vec::new(),
        // It says each move once and cannot be asked: what is moved while it is not heard it never tells.
        (Some(_), "ucb") => pauses(&acts, last),
        (Some(_), _) => vec![last / 3, last * 2 / 3],
    };
    let acts = acts.into_iter().map(|(at, act)| (at, Step::Act(act)));
    let mut steps: Vec<(u64, Step)> = acts.collect();
    for (at, away) in moments.into_iter().zip(away.into_iter().cycle()) {
        steps.push((at, Step::Leave(away)));
        steps.push((at + 2_000, Step::Back(away)));
    }
    steps.sort_by_key(|(at, _)| *at);
    steps
}

/// Two moments, one after the other, when nobody moves for a while.
fn pauses(acts: &[(u64, Act)], last: u64) -> Vec<u64> {
    let after = |from: u64| {
        let mut pairs = acts.windows(2).map(|pair| (pair[0].0, pair[1].0));
        let long = |(this, next): &(u64, u64)| *this >= from && next - this > 5_500;
        let found = pairs.find(long).expect("a pause");
        found.0 + 2_600
    };
    let first = after(last / 3);
    vec![first, after(first.max(last / 2))]
}

const SOUND: Flaws = Flaws {
    lost: 0,
    noise: 0,
    split: false,
    away: None,
    wrong_speed: false,
};
/// Bytes are lost, others come from nowhere, messages arrive in pieces.
const BAD_LINE: Flaws = Flaws {
    lost: 200,
    noise: 200,
    split: true,
    ..SOUND
};
const PULLED: Flaws = Flaws {
    away: Some(Away::Cable),
    ..SOUND
};

fn recorded_as_played(make: &str, seeds: std::ops::Range<u64>, noise: u8, flaws: Flaws) {
    let games = classics();
    for seed in seeds {
        let game = &games[seed as usize % games.len()];
        let (record, truth, table) = record(make, seed, game, noise, flaws);
        assert_eq!(
            table.board.harmful_commands(),
            0,
            "{make} heard what no host may say"
        );
        assert_eq!(record, truth, "{make}, seed {seed}");
    }
}

#[test]
fn games_on_sound_lines_are_recorded_as_played() {
    MAKES
        .iter()
        .for_each(|make| recorded_as_played(make, 2..4, 1, SOUND));
}

#[test]
fn games_over_bad_lines_are_recorded_as_played() {
    MAKES
        .iter()
        .for_each(|make| recorded_as_played(make, 3..4, 1, BAD_LINE));
}

/// One thing that goes wrong each.
const FAULTS: [(&str, Flaws); 6] = [
    ("bytes are lost", Flaws { lost: 300, ..SOUND }),
    (
        "bytes come from nowhere",
        Flaws {
            noise: 300,
            ..SOUND
        },
    ),
    (
        "messages arrive in pieces",
        Flaws {
            split: true,
            ..SOUND
        },
    ),
    (
        "the port has the wrong speed at first",
        Flaws {
            wrong_speed: true,
            ..SOUND
        },
    ),
    (
        "the board is switched off and on",
        Flaws {
            away: Some(Away::Power),
            ..SOUND
        },
    ),
    (
        "nothing is heard for a while",
        Flaws {
            away: Some(Away::Silence),
            ..SOUND
        },
    ),
];

#[test]
fn every_fault_alone_leaves_the_games_whole() {
    for (fault, flaws) in FAULTS {
        println!("{fault}");
        MAKES
            .iter()
            .for_each(|make| recorded_as_played(make, 4..5, 1, flaws));
    }
}

#[test]
fn games_whose_cable_is_pulled_twice_are_recorded_as_played() {
    MAKES
        .iter()
        .for_each(|make| recorded_as_played(make, 4..5, 1, PULLED));
}

#[test]
fn a_board_that_is_known_is_read_in_less_than_a_second_of_its_own_time() {
    // A universal board says nothing before a move is made.
    for make in MAKES.iter().filter(|make| **make != "ucb") {
        let start = Placement::start();
        let mut board = virtual_board(make, "01025", Orientation::Normal, start, 1).expect("known");
        let how = LineOptions {
            known: true,
            ..LineOptions::default()
        };
        let mut line = driver(spoken_by(make)).expect("known").open(how);
        line.opened(0);
        let mut read = None;
        for now in (0..3_000).step_by(5) {
            let bytes = board.take_output(now);
            line.receive(now, &bytes);
            line.tick(now);
            while let Some(bytes) = line.next_write() {
                board.host_bytes(now, &bytes);
            }
            let events = std::iter::from_fn(|| line.next_event());
            let whole = |event: &DeviceEvent| {
                matches!(event, DeviceEvent::Dump(_) | DeviceEvent::Occupancy(_))
            };
            read = read.or(events.filter(whole).map(|_| now).next());
        }
        let read = read.expect("it is read");
        println!("{make}: read after {read} ms");
        // Pieces with numbers are believed when several frames agree.
        let limit = if *make == "certabo" { 3_000 } else { 1_000 };
        assert!(read < limit, "{make} is read after {read} ms");
    }
}

#[test]
fn boards_that_were_on_the_line_before_are_met_in_less_than_two_seconds() {
    let mut far = VirtualBus::new(3);
    let addresses: Vec<u16> = (0..20).map(|number| 1001 + 13 * number).collect();
    for address in &addresses {
        far.add(*address, Orientation::Normal, &Placement::start());
    }
    far.add(9_999, Orientation::Normal, &Placement::start());
    let mut bus = Bus::default();
    bus.opened(0, &addresses);
    let mut met = 0;
    for now in (0..20_000).step_by(5) {
        bus.receive(now, &far.take_output(now));
        bus.tick(now);
        while let Some(bytes) = bus.next_write() {
            far.host_bytes(now, &bytes);
        }
        if bus.boards() == 20 && met == 0 {
            met = now;
        }
    }
    println!("twenty boards are met after {met} ms");
    assert!((1..2_000).contains(&met));
    // A board that was plugged in meanwhile is found by the call that follows.
    assert_eq!(bus.boards(), 21);
    assert_eq!(far.harmful_commands(), 0);
}

/// A line of many boards with a session for each, in simulated time.
struct Line {
    far: VirtualBus,
    bus: Bus,
    members: BTreeMap<Address, Table>,
    rounds: Vec<u64>,
    /// When each clock was last read, and the longest it was not.
    clocks: BTreeMap<Address, (u64, u64)>,
    now: u64,
}

/// A clock's answer on a shared line.
const CLOCK: u8 = 0x84;

impl Line {
    fn run_to(&mut self, until: u64) {
        while self.now + 5 <= until {
            self.now += 5;
            let bytes = self.far.take_output(self.now);
            if bytes.is_empty() {
                self.bus.tick(self.now);
            } else {
                self.bus.receive(self.now, &bytes);
            }
            while let Some((address, answer)) = self.bus.next_answer() {
                let member = self.members.entry(address).or_insert_with(|| {
                    let board =
                        virtual_board("zmartfun", "", Orientation::Normal, Placement::EMPTY, 0);
                    let mut member =
                        Table::new(board.expect("any"), driver("dgt").expect("known"), SOUND);
                    let line = BusMember::new(Some(address), &LineOptions::default());
                    member.session = Session::new(Box::new(line), "line-1");
                    member.now = self.now;
                    member.give(Input::Opened);
                    member
                });
                member.now = self.now;
                member.give(Input::Bytes(&answer));
                if self.bus.is_searched() && answer.first() == Some(&CLOCK) {
                    let (last, longest) = self.clocks.entry(address).or_insert((self.now, 0));
                    *longest = (*longest).max(self.now - *last);
                    *last = self.now;
                }
            }
            for member in self.members.values_mut() {
                member.now = self.now;
                if member.session.wake().is_some_and(|at| at <= self.now) {
                    member.give(Input::Tick);
                }
                member
                    .written
                    .drain(..)
                    .for_each(|bytes| self.bus.want(&bytes));
            }
            while let Some(bytes) = self.bus.next_write() {
                self.far.host_bytes(self.now, &bytes);
            }
            if self.rounds.last() != Some(&self.bus.round_took()) {
                self.rounds.push(self.bus.round_took());
            }
        }
    }
}

#[test]
fn twenty_blitz_games_on_one_line_lose_no_ply() {
    let games = classics();
    let mut far = VirtualBus::new(3);
    let (mut acts, mut truths) = (Vec::new(), Vec::new());
    for number in 0..20 {
        let game = &games[number % games.len()];
        let (performance, own) = performance(game, 1, number as u64, 180);
        let mut start = Placement::EMPTY;
        for (square, piece) in performance.initial.clone() {
            start.set(square, Some(piece));
        }
        let lies = if number % 4 == 3 {
            Orientation::Rotated
        } else {
            Orientation::Normal
        };
        let board = far.add(1001 + 13 * number as u16, lies, &start);
        if number % 3 == 1 {
            far.make_newer(board);
        }
        acts.extend(own.into_iter().map(|(at, act)| (at, number, act)));
        let truth: Vec<String> = performance
            .truth
            .iter()
            .filter_map(|ply| ply.uci())
            .map(|uci| uci.to_string())
            .collect();
        truths.push(truth);
    }
    acts.sort_by_key(|(at, number, _)| (*at, *number));
    let mut line = Line {
        far,
        bus: Bus::default(),
        members: BTreeMap::new(),
        rounds: Vec::new(),
        clocks: BTreeMap::new(),
        now: 0,
    };
    line.bus.opened(0, &[]);
    let lead = 25_000;
    for (at, board, act) in acts {
        line.run_to(lead + at);
        at_the_board(&mut line.far, board, line.now, act);
    }
    let end = line.now + 40_000;
    line.run_to(end);
    assert_eq!(
        line.far.harmful_commands(),
        0,
        "the line heard what no host may say"
    );
    assert_eq!(line.members.len(), 20);
    let (longest, count) = (
        line.rounds.iter().max().copied().unwrap_or(0),
        line.rounds.len().max(1) as u64,
    );
    println!(
        "{count} rounds of different length, {} ms on average, {longest} ms at most",
        line.rounds.iter().sum::<u64>() / count
    );
    for (member, truth) in line.members.values().zip(&truths) {
        assert_eq!(member.moves(), *truth);
    }
    let unread = line.clocks.values().map(|(_, longest)| *longest).max();
    let unread = unread.expect("clocks were read");
    println!("every clock was read within {unread} ms");
    assert_eq!(line.clocks.len(), 20);
    assert!(longest <= 1_500, "a round takes {longest} ms");
    assert!(unread <= 3_000, "a clock was not read for {unread} ms");
}

#[test]
fn the_readme_says_what_the_program_says_of_every_family() {
    let readme = std::fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/../README.md"))
        .expect("a README");
    for driver in agent::devices::DRIVERS {
        let about = driver.about();
        let row = format!(
            "| `{}` {} | {} | {} |",
            driver.family(),
            about.names,
            about.connection,
            about.checked_against
        );
        assert!(
            readme.lines().any(|line| line == row),
            "the README lacks\n{row}"
        );
    }
}

#[test]
fn the_udev_rules_know_every_board_that_has_usb_numbers() {
    let rules = include_str!("../packaging/70-eboards.rules");
    for driver in agent::devices::DRIVERS {
        for (vendor, product) in driver.about().usb {
            let vendor = format!("{{idVendor}}==\"{vendor:04x}\"");
            let product = product.map_or(String::new(), |product| format!("\"{product:04x}\""));
            let known = |line: &str| line.contains(&vendor) && line.contains(&product);
            assert!(
                rules.lines().any(known),
                "{} {vendor} {product}",
                driver.family()
            );
        }
    }
}
