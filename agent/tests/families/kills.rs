//! An agent that is killed again and again while a game is played: what it finds when it starts again must be enough.

use std::collections::VecDeque;

use agent::devices::{Driver, LineOptions, Orientation, driver};
use agent::session::{Agent, Device, Input, Memory, Output, Session};
use agent::simulate::games::classics;
use agent::simulate::hands::{Act, Game};
use agent::simulate::whole::{family_of, virtual_board};
use agent::simulate::{VirtualBoard, touch};
use protocol::{Control, Envelope};
use rand::{Rng, SeedableRng, rngs::SmallRng};
use shakmaty::{CastlingMode, Chess, Outcome, Position};

use crate::honesty::Heard;
use crate::played::{array, performance, truth};

/// Milliseconds between two looks of the world.
const STEP: u64 = 10;
/// What is to be written down is on the disk after this long.
const WRITING: u64 = 200;
/// The hands begin when the board was found.
const LEAD: u64 = 6_000;

/// How long the agent lives and how long it is away, milliseconds.
struct Row {
    name: &'static str,
    up: std::ops::Range<u64>,
    away: std::ops::Range<u64>,
    /// What it wrote into its memory at that moment is lost with the agent; the facts are not.
    torn: bool,
    /// Every other time the board is switched off meanwhile too.
    power: bool,
}

const ROWS: [Row; 4] = [
    Row {
        name: "16 s up and 5 s away",
        up: 16_000..16_001,
        away: 5_000..5_001,
        torn: false,
        power: false,
    },
    Row {
        name: "killed at any moment",
        up: 500..12_000,
        away: 500..8_000,
        torn: true,
        power: false,
    },
    Row {
        name: "away for many moves",
        up: 20_000..30_000,
        away: 10_000..25_000,
        torn: false,
        power: false,
    },
    Row {
        name: "hardly away",
        up: 2_000..9_000,
        away: 100..1_500,
        torn: true,
        power: false,
    },
];

#[test]
fn a_fast_game_is_recorded_as_played_however_often_the_agent_is_killed() {
    for row in &ROWS {
        for seed in 0..3 {
            let (heard, truth) = killed_game("dgt", &random_game(seed, 80), row, seed);
            assert_eq!(heard.moves(), truth, "{}, seed {seed}", row.name);
        }
    }
}

#[test]
fn moves_made_before_the_agent_was_back_for_the_first_time_are_recorded() {
    let row = Row {
        name: "killed before the first move",
        up: 500..501,
        away: 20_000..20_001,
        torn: false,
        power: false,
    };
    let (heard, truth) = killed_game("dgt", &random_game(0, 80), &row, 0);
    assert_eq!(heard.moves(), truth);
}

/// What was moved while the board had no power is in no log.
#[test]
fn what_nobody_and_no_board_saw_is_recorded_right_or_as_uncertain() {
    let row = Row {
        name: "board and agent off",
        up: 1_000..12_000,
        away: 500..8_000,
        torn: true,
        power: true,
    };
    for seed in [3, 10, 17, 45, 75, 82, 88, 102, 114, 155, 156] {
        let (heard, truth) = killed_game("dgt", &random_game(seed, 80), &row, seed);
        assert_eq!(heard.is_honest(&truth), Ok(()), "seed {seed}");
    }
}

/// Boards without a log of their own tell what stands on them now, a Citrine what was played.
#[test]
fn boards_without_a_log_are_recorded_right_or_as_uncertain_when_the_agent_was_away() {
    let makes = [
        "certabo",
        "chessnut",
        "citrine",
        "club",
        "ichessone",
        "millennium",
        "zmartfun",
    ];
    for make in makes {
        // In 5 a board stands for long as no record has it, in 17 moves are repeated while the agent is away.
        for seed in [1, 2, 4, 5, 14, 17] {
            let (heard, truth) = killed_game(make, &classics()[seed as usize], &ROWS[0], seed);
            assert_eq!(heard.is_honest(&truth), Ok(()), "{make}, game {seed}");
        }
    }
}

/// A Universal board says each move once: what it said while the agent was away is never known, and the arbiter is told so.
#[test]
fn a_board_that_repeats_nothing_is_recorded_as_uncertain_from_the_first_move_nobody_heard() {
    for seed in 0..8 {
        let game = &classics()[seed as usize];
        let (heard, truth) = killed_game("ucb", game, &ROWS[0], seed);
        let told = heard.is_honest(&truth).is_ok() || heard.asks_for_help();
        assert!(told, "game {seed}: {:?}", heard.is_honest(&truth));
    }
}

fn killed_game(make: &str, game: &Game, row: &Row, seed: u64) -> (Heard, Vec<String>) {
    let (performance, acts) = performance(game, 0, seed, 150);
    let start = array(&performance);
    let board = virtual_board(make, "01025", Orientation::Normal, start, seed);
    let family = driver(family_of(make)).expect("a family");
    let mut table = Table::new(board.expect("a make"), family);
    table.start();
    let last = acts.last().map_or(0, |(at, _)| *at);
    let acts = acts.into_iter().map(|(at, act)| (at, Step::Act(act)));
    let mut steps: Vec<(u64, Step)> = acts.chain(kills(row, last, seed)).collect();
    steps.sort_by_key(|(at, _)| *at);
    let end = steps.last().map_or(0, |(at, _)| *at);
    for (at, step) in steps {
        table.run_to(LEAD + at);
        match step {
            Step::Act(act) => touch(table.board.as_mut(), table.now, act),
            Step::Kill => table.kill(row.torn),
            Step::Start => table.start(),
            Step::Power(on) => table.board.power(table.now, on),
        }
    }
    table.run_to(LEAD + end + 30_000);
    (table.heard, truth(&performance))
}

enum Step {
    Act(Act),
    Kill,
    Start,
    Power(bool),
}

fn kills(row: &Row, last: u64, seed: u64) -> Vec<(u64, Step)> {
    let mut dice = SmallRng::seed_from_u64(seed);
    let mut steps = Vec::new();
    let mut at = dice.random_range(row.up.clone());
    while at < last {
        let back = at + dice.random_range(row.away.clone());
        steps.extend([(at, Step::Kill), (back, Step::Start)]);
        if row.power && dice.random_bool(0.5) {
            let third = (back - at) / 3;
            steps.extend([
                (at + third, Step::Power(false)),
                (back - third, Step::Power(true)),
            ]);
        }
        at = back + dice.random_range(row.up.clone());
    }
    steps
}

/// Moves chosen by lot: nothing about them helps to guess their order.
fn random_game(seed: u64, plies: usize) -> Game {
    let mut dice = SmallRng::seed_from_u64(seed);
    let mut position = Chess::default();
    let mut moves = Vec::new();
    while moves.len() < plies && !position.is_game_over() {
        let legal = position.legal_moves();
        let mv = legal[dice.random_range(0..legal.len())];
        position.play_unchecked(mv);
        moves.push(mv);
    }
    Game {
        tags: Vec::new(),
        start: Chess::default(),
        castling: CastlingMode::Standard,
        clocks: vec![None; moves.len()],
        moves,
        result: Outcome::Unknown,
    }
}

/// A board that goes on by itself, and the starts of the agent one after the other.
struct Table {
    board: Box<dyn VirtualBoard>,
    family: &'static dyn Driver,
    session: Option<Session>,
    boots: u32,
    /// What the agent wrote down last, and before.
    kept: [Option<Vec<u8>>; 2],
    kept_at: u64,
    /// Every fact that was stated; all of them are durable before they are told.
    said: Vec<Envelope>,
    heard: Heard,
    now: u64,
}

impl Table {
    fn new(board: Box<dyn VirtualBoard>, family: &'static dyn Driver) -> Table {
        Table {
            board,
            family,
            session: None,
            boots: 0,
            kept: [None, None],
            kept_at: 0,
            said: Vec::new(),
            heard: Heard::default(),
            now: 1_000,
        }
    }

    fn start(&mut self) {
        self.boots += 1;
        // What the board said while nobody listened is gone.
        let _unheard = self.board.take_output(self.now);
        let known = self.kept[0].is_some();
        let how = LineOptions {
            known,
            ..LineOptions::default()
        };
        self.session = Some(Session::new(self.family.open(how), "table-1"));
        self.give(Input::Opened);
    }

    fn kill(&mut self, torn: bool) {
        self.session = None;
        if torn && self.now - self.kept_at <= WRITING {
            self.kept[0] = self.kept[1].clone();
        }
    }

    fn run_to(&mut self, until: u64) {
        while self.now + STEP <= until {
            self.now += STEP;
            let Some(session) = &self.session else {
                continue;
            };
            let due = session.wake().is_some_and(|at| at <= self.now);
            let bytes = self.board.take_output(self.now);
            if !bytes.is_empty() {
                self.give(Input::Bytes(&bytes));
            }
            if due {
                self.give(Input::Tick);
            }
        }
    }

    fn give(&mut self, input: Input<'_>) {
        let Some(session) = &mut self.session else {
            return;
        };
        let mut outputs = VecDeque::from(session.handle(self.now, input));
        while let Some(output) = outputs.pop_front() {
            match output {
                Output::Write(bytes) => self.board.host_bytes(self.now, &bytes),
                Output::Identified(id) => {
                    let mut memory = Memory::read(&id, self.kept[0].as_deref());
                    memory.catch_up(&self.said);
                    let device = Box::new(Device::new(agent(self.boots), memory, 1, false));
                    outputs.extend(session.handle(self.now, Input::Device(device)));
                    outputs.extend(session.handle(self.now, Input::Control(&game_of_the_hub())));
                }
                Output::Fact(envelope) => {
                    self.heard.take(&envelope.fact);
                    self.said.push(envelope);
                }
                Output::Keep(_, bytes) => {
                    self.kept_at = self.now;
                    let before = self.kept[0].replace(bytes);
                    self.kept[1] = before.or(self.kept[1].take());
                }
                Output::Reopen(why) => panic!("the board was lost: {why}"),
                Output::Nobody => panic!("the board was not known"),
                Output::Info(_) => {}
            }
        }
    }
}

fn agent(boots: u32) -> Agent {
    Agent {
        id: "a1".parse().expect("good"),
        boot: format!("b{boots}").parse().expect("good"),
    }
}

fn game_of_the_hub() -> Control {
    Control {
        generation: 1,
        game: "r1-t5".parse().ok(),
        ..Control::default()
    }
}
