//! Sessions on a line that says what a test wants it to say.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex};

use protocol::{Adopt, BySide, Control, Fact, GameResult, Health, Played, Side};
use shakmaty::{Color, Square};

use super::*;
use crate::devices::{ClockFace, ClockReading, ClockSide, Flag, Placement};

/// What a line is fed by a test.
#[derive(Clone, Default)]
struct Script {
    events: Arc<Mutex<VecDeque<DeviceEvent>>>,
    asked: Arc<Mutex<Vec<devices::Command>>>,
}

impl Line for Script {
    fn opened(&mut self, _: Millis) {}
    fn receive(&mut self, _: Millis, _: &[u8]) {}
    fn tick(&mut self, _: Millis) {}
    fn command(&mut self, _: Millis, command: devices::Command) {
        self.asked.lock().expect("whole").push(command);
    }
    fn next_event(&mut self) -> Option<DeviceEvent> {
        self.events.lock().expect("whole").pop_front()
    }
    fn next_write(&mut self) -> Option<Vec<u8>> {
        None
    }
    fn wake(&self) -> Option<Millis> {
        None
    }
    fn keeps_log(&self) -> bool {
        true
    }
}

/// A table whose clock and hands a test moves.
struct Table {
    script: Script,
    session: Session,
    now: Millis,
    white: u32,
    black: u32,
    out: Vec<Output>,
}

fn agent(boot: &str) -> Agent {
    Agent {
        id: "a1".parse().expect("good"),
        boot: boot.parse().expect("good"),
    }
}

fn fresh(boot: &str) -> Box<Device> {
    Box::new(Device::new(
        agent(boot),
        Memory::fresh("dgt-01025".parse().expect("good")),
        1,
        false,
    ))
}

fn identity() -> Identity {
    Identity {
        family: "dgt",
        serial: Some("01025".to_owned()),
        ..Identity::default()
    }
}

impl Table {
    fn with(device: Box<Device>, board: Placement) -> Table {
        let mut table = Table::unknown();
        table.say(DeviceEvent::Identified(identity()));
        table.input(|session, now| session.handle(now, Input::Device(device)));
        table.say(DeviceEvent::Dump(board));
        table
    }

    fn unknown() -> Table {
        let script = Script::default();
        let session = Session::new(Box::new(script.clone()), "/dev/ttyACM0");
        Table {
            script,
            session,
            now: 1_000_000,
            white: 5400,
            black: 5400,
            out: Vec::new(),
        }
    }

    fn input(&mut self, give: impl FnOnce(&mut Session, Millis) -> Vec<Output>) {
        let outputs = give(&mut self.session, self.now);
        self.out.extend(outputs);
    }

    fn say(&mut self, event: DeviceEvent) {
        self.script.events.lock().expect("whole").push_back(event);
        self.input(|session, now| session.handle(now, Input::Bytes(&[0])));
    }

    fn wait(&mut self, ms: Millis) {
        let until = self.now + ms;
        while let Some(at) = self
            .session
            .wake()
            .filter(|&at| at <= until && at > self.now)
        {
            self.now = at;
            self.input(|session, now| session.handle(now, Input::Tick));
        }
        self.now = until;
        self.input(|session, now| session.handle(now, Input::Tick));
    }

    fn reading(&self, running: bool, to_move: Color) -> ClockReading {
        let face = |seconds| ClockFace {
            seconds,
            flag: Flag::Up,
            per_move: true,
        };
        ClockReading {
            faces: shakmaty::ByColor {
                white: face(self.white),
                black: face(self.black),
            },
            running,
            to_move,
            low_battery: false,
            white_at: ClockSide::Left,
        }
    }

    /// A piece is carried from square to square and the clock pressed.
    fn play(&mut self, from: Square, to: Square, by: Color) {
        self.carry(from, to);
        self.wait(700);
        *if by.is_white() {
            &mut self.white
        } else {
            &mut self.black
        } -= 7;
        let reading = self.reading(true, by.other());
        self.say(DeviceEvent::Press { by, reading });
        self.say(DeviceEvent::Clock(reading));
        self.wait(2_000);
    }

    fn carry(&mut self, from: Square, to: Square) {
        let piece = self.board().at(from);
        self.say(DeviceEvent::Square {
            square: from,
            piece: None,
        });
        self.wait(400);
        self.say(DeviceEvent::Square { square: to, piece });
    }

    fn board(&self) -> Placement {
        self.session
            .device()
            .and_then(|device| device.board)
            .expect("a board was seen")
    }

    fn control(&mut self, control: &Control) {
        self.input(|session, now| session.handle(now, Input::Control(control)));
    }

    fn facts(&self) -> Vec<&Fact> {
        let facts = self.out.iter().filter_map(|output| match output {
            Output::Fact(envelope) => Some(&envelope.fact),
            _ => None,
        });
        facts.collect()
    }

    fn line(&self) -> Vec<String> {
        let line = self.session.device().expect("known").line();
        line.into_iter()
            .map(|played| match played {
                Played::Legal(uci) => uci,
                Played::Irregular { words, .. } => words,
            })
            .collect()
    }
}

fn game(generation: u64, line: &[&str], fen: &str) -> Control {
    Control {
        generation,
        game: "r1-t5".parse().ok(),
        adopt: Some(Adopt {
            after: None,
            line: line
                .iter()
                .map(|uci| Played::Legal((*uci).to_owned()))
                .collect(),
            position: fen.to_owned(),
        }),
        ..Control::default()
    }
}

const AFTER_E4: &str = "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1";

#[test]
fn facts_are_numbered_without_gaps_from_the_first_word_of_the_board() {
    let mut table = Table::unknown();
    table.say(DeviceEvent::Identified(identity()));
    table.say(DeviceEvent::Dump(Placement::start()));
    assert!(
        matches!(&table.out[..], [Output::Identified(id)] if id.as_str() == "dgt-01025"),
        "{:?}",
        table.out
    );
    table.input(|session, now| session.handle(now, Input::Device(fresh("b1"))));
    table.play(Square::E2, Square::E4, Color::White);
    let numbers: Vec<u64> = table
        .out
        .iter()
        .filter_map(|output| match output {
            Output::Fact(envelope) => Some(envelope.seq),
            _ => None,
        })
        .collect();
    assert_eq!(numbers, (1..=numbers.len() as u64).collect::<Vec<_>>());
    assert!(
        table
            .facts()
            .iter()
            .any(|fact| matches!(fact, Fact::Dump { .. })),
        "the dump waited for the device"
    );
}

#[test]
fn a_move_and_its_press_become_made_and_completed_with_the_clock_of_the_press() {
    let mut table = Table::with(fresh("b1"), Placement::start());
    table.play(Square::E2, Square::E4, Color::White);
    table.play(Square::E7, Square::E5, Color::Black);
    let completed: Vec<_> = table
        .facts()
        .into_iter()
        .filter_map(|fact| match fact {
            Fact::Completed {
                ply,
                pressed,
                clock,
            } => Some((*ply, *pressed, clock.map(|clock| clock.time))),
            _ => None,
        })
        .collect();
    let time = |white: u64, black: u64| {
        Some(BySide {
            white: white * 1000,
            black: black * 1000,
        })
    };
    assert_eq!(
        completed,
        [(1, true, time(5393, 5400)), (2, true, time(5393, 5393))]
    );
    let made = table
        .facts()
        .into_iter()
        .find(|fact| matches!(fact, Fact::Made { .. }));
    assert!(
        matches!(
            made,
            Some(Fact::Made {
                ply: 1,
                by: Side::White,
                ..
            })
        ),
        "{made:?}"
    );
}

#[test]
fn a_device_that_comes_back_goes_on_in_its_game() {
    let mut first = Table::with(fresh("b1"), Placement::start());
    first.play(Square::E2, Square::E4, Color::White);
    first.input(|session, now| session.handle(now, Input::Lost));
    let unplugged = first.facts().into_iter().any(|fact| matches!(fact, Fact::Health(Health { board: false, state, .. }) if state == "unplugged"));
    assert!(unplugged);
    let board = first.board();
    let device = first.session.into_device().expect("it is known");
    let mut second = Table::with(device, board);
    second.play(Square::E7, Square::E5, Color::Black);
    assert_eq!(second.line(), ["e2e4", "e7e5"]);
}

#[test]
fn an_agent_killed_in_mid_game_goes_on_from_its_state_folder() {
    let mut first = Table::with(fresh("b1"), Placement::start());
    first.play(Square::E2, Square::E4, Color::White);
    let kept = first.out.iter().rev().find_map(|output| match output {
        Output::Keep(_, bytes) => Some(bytes.clone()),
        _ => None,
    });
    let id = "dgt-01025".parse().expect("good");
    let memory = Memory::read(&id, kept.as_deref());
    let board = first.board();
    let mut second = Table::with(Box::new(Device::new(agent("b2"), memory, 1, false)), board);
    second.play(Square::E7, Square::E5, Color::Black);
    assert_eq!(second.line(), ["e2e4", "e7e5"]);
    let second_move = second
        .facts()
        .into_iter()
        .any(|fact| matches!(fact, Fact::Made { ply: 2, .. }));
    assert!(second_move, "plies are numbered on");
    let set_up = second
        .facts()
        .into_iter()
        .any(|fact| matches!(fact, Fact::SetUp { .. }));
    assert!(!set_up, "a board in mid-game is not set up for a new one");
}

#[test]
fn damaged_memory_is_as_good_as_none() {
    let id = "dgt-01025".parse().expect("good");
    for kept in [&b""[..], b"{", b"{\"device\":\"dgt-9\"}", b"null"] {
        assert_eq!(
            Memory::read(&id, Some(kept)),
            Memory::fresh("dgt-01025".parse().expect("good"))
        );
    }
}

#[test]
fn each_generation_is_applied_once() {
    let mut table = Table::with(fresh("b1"), Placement::start());
    table.carry(Square::E2, Square::E4);
    table.wait(1_000);
    for generation in [5, 5, 4] {
        table.control(&game(generation, &["e2e4"], AFTER_E4));
    }
    let adopted: Vec<_> = table
        .facts()
        .into_iter()
        .filter(|fact| matches!(fact, Fact::Adopted { .. }))
        .collect();
    assert_eq!(adopted, [&Fact::Adopted { generation: 5 }]);
}

#[test]
fn the_hubs_record_prevails_but_moves_it_has_not_read_are_kept() {
    let rows: [(&str, u64, &[&str]); 3] = [
        ("nothing was read since", 0, &["d2d4", "e7e5"]),
        ("everything was read", 1_000, &["d2d4"]),
        ("a start it has not heard of", 0, &["d2d4", "e7e5"]),
    ];
    for (why, seen, expect) in rows {
        let mut table = Table::with(fresh("b1"), Placement::start());
        table.play(Square::E2, Square::E4, Color::White);
        table.play(Square::E7, Square::E5, Color::Black);
        let mut control = game(
            9,
            &["d2d4"],
            "rnbqkbnr/pppppppp/8/8/3P4/8/PPP1PPPP/RNBQKBNR b KQkq - 0 1",
        );
        let adopt = control.adopt.as_mut().expect("there");
        adopt.after = Some(("b1".parse().expect("good"), seen));
        if why.starts_with("a start") {
            adopt.after = Some(("b0".parse().expect("good"), 1_000));
        }
        table.control(&control);
        assert_eq!(table.line(), expect, "{why}");
    }
}

/// Killed before anything settled the last move, an agent asks the board again instead of taking its own word for it.
#[test]
fn a_move_told_in_doubt_before_the_agent_died_is_judged_again() {
    let after = |reply: &str| {
        let moves = ["e2e4", reply].map(|uci| Played::Legal(uci.to_owned()));
        let start = position::Start::default();
        recorder::placement_of(&start.reach(&moves).now)
    };
    for (reply, line) in [("e7e5", ["e2e4", "e7e5"]), ("e7e6", ["e2e4", "e7e6"])] {
        let mut memory = Memory::fresh("dgt-01025".parse().expect("good"));
        memory.line = [("e2e4", false), ("e7e5", true)]
            .map(|(uci, open)| KeptPly {
                played: Played::Legal(uci.to_owned()),
                told: Some(("b1".parse().expect("good"), 7)),
                open,
                heard: 0,
            })
            .to_vec();
        let device = Box::new(Device::new(agent("b2"), memory, 1, false));
        let mut table = Table::with(device, after(reply));
        table.wait(8_000);
        assert_eq!(table.line(), line);
        let told = table.facts();
        let revised = told
            .iter()
            .any(|fact| matches!(fact, Fact::Revised { from_ply: 2, .. }));
        assert_eq!(revised, reply != "e7e5", "{told:?}");
    }
}

#[test]
fn a_move_that_was_seen_and_pressed_is_given_to_the_next_start() {
    let given = |table: &Table| table.session.device().expect("known").memory().given();
    let mut table = Table::with(fresh("b1"), Placement::start());
    table.play(Square::E2, Square::E4, Color::White);
    table.carry(Square::E7, Square::E5);
    table.wait(300);
    assert_eq!(table.line(), ["e2e4", "e7e5"]);
    assert_eq!(given(&table), 1, "made, and the hand may come back");
    let reading = table.reading(true, Color::White);
    let by = Color::Black;
    table.say(DeviceEvent::Press { by, reading });
    assert_eq!(given(&table), 2, "pressed");
}

#[test]
fn after_the_end_nothing_on_the_board_is_a_move() {
    let mut table = Table::with(fresh("b1"), Placement::start());
    table.play(Square::E2, Square::E4, Color::White);
    let mut control = game(2, &["e2e4"], AFTER_E4);
    control.over = true;
    table.control(&control);
    let before = table.out.len();
    table.play(Square::E7, Square::E5, Color::Black);
    let later = table.out[before..].iter().any(|output| match output {
        Output::Fact(envelope) => {
            matches!(envelope.fact, Fact::Made { .. } | Fact::Completed { .. })
        }
        _ => false,
    });
    assert!(!later && table.line() == ["e2e4"]);
    assert!(
        table
            .facts()
            .iter()
            .any(|fact| matches!(fact, Fact::Squares { .. })),
        "raw squares go on"
    );
}

#[test]
fn a_game_recorded_before_the_hub_spoke_is_told_to_it_whole() {
    let mut table = Table::with(fresh("b1"), Placement::start());
    table.play(Square::E2, Square::E4, Color::White);
    let control = Control {
        generation: 1,
        game: "r1-t5".parse().ok(),
        ..Control::default()
    };
    table.control(&control);
    let line = vec![Played::Legal("e2e4".to_owned())];
    let told = table
        .facts()
        .into_iter()
        .any(|fact| matches!(fact, Fact::Revised { from_ply: 1, line: l, .. } if *l == line));
    assert!(told);
    table.play(Square::E7, Square::E5, Color::Black);
    assert_eq!(table.line(), ["e2e4", "e7e5"]);
}

#[test]
fn kings_in_the_centre_are_a_result() {
    let board = Placement::from_fen("8/8/8/8/8/4K3/4k3/7Q").expect("good");
    let mut control = game(1, &[], "8/8/8/8/8/4K3/4k3/7Q w - - 0 1");
    control.start_fen = Some("8/8/8/8/8/4K3/4k3/7Q w - - 0 1".to_owned());
    let mut table = Table::with(fresh("b1"), board);
    table.control(&control);
    table.wait(1_000);
    let stopped = table.reading(false, Color::White);
    table.say(DeviceEvent::Clock(stopped));
    table.carry(Square::E3, Square::E4);
    table.carry(Square::E2, Square::D5);
    table.wait(8_000);
    let results: Vec<_> = table
        .facts()
        .into_iter()
        .filter(|fact| matches!(fact, Fact::KingsCentred { .. }))
        .collect();
    assert_eq!(
        results,
        [&Fact::KingsCentred {
            result: GameResult::WhiteWins
        }]
    );
    assert!(table.line().is_empty(), "{:?}", table.line());
}

#[test]
fn commands_reach_the_board_and_are_remembered() {
    let mut table = Table::with(fresh("b1"), Placement::start());
    let command = Command::Orientation { rotated: true };
    table.input(|session, now| session.handle(now, Input::Command(&command)));
    let command = Command::ClockSide { left: Side::Black };
    table.input(|session, now| session.handle(now, Input::Command(&command)));
    let asked = table.script.asked.lock().expect("whole").clone();
    let rotated =
        devices::Command::Orientation(OrientationChoice::Given(devices::Orientation::Rotated));
    assert_eq!(
        asked,
        [
            rotated,
            devices::Command::Dump,
            devices::Command::WhiteAt(Some(ClockSide::Right))
        ]
    );
    let memory = table.session.device().expect("known").memory().clone();
    assert_eq!(
        (memory.orientation_fixed, memory.white_at),
        (true, Some(ClockSide::Right))
    );
}

#[test]
fn pieces_put_up_again_begin_another_game_of_the_boards_own() {
    let mut table = Table::with(fresh("b1"), Placement::start());
    table.play(Square::E2, Square::E4, Color::White);
    table.carry(Square::E4, Square::E2);
    table.wait(20_000);
    table.play(Square::D2, Square::D4, Color::White);
    assert_eq!(table.line(), ["d2d4"]);
}

#[test]
fn silence_and_a_stranger_close_the_port() {
    for (because, state) in [
        (LostBecause::Silent, "silent"),
        (LostBecause::AnotherDevice, "other-board"),
    ] {
        let mut table = Table::with(fresh("b1"), Placement::start());
        table.say(DeviceEvent::Lost(because));
        assert!(table.out.contains(&Output::Reopen(state)));
        let told = table
            .facts()
            .into_iter()
            .any(|fact| matches!(fact, Fact::Health(health) if health.state == state));
        assert!(told, "{state}");
    }
}

#[test]
fn boards_without_a_number_on_two_computers_are_two_devices() {
    let long = "a-name-of-sixty-four-letters-that-many-agents-of-a-large-hall-have";
    let rows = [
        ("laptop-1", "ttyUSB0", "certabo-laptop-1-ttyusb0"),
        ("laptop-2", "ttyUSB0", "certabo-laptop-2-ttyusb0"),
        (
            long,
            "a-very-long-serial-number-of-a-chip-1-1.2",
            "certabo-a-name-of-sixty-four-l--serial-number-of-a-chip-1-1-2",
        ),
    ];
    for (name, port, id) in rows {
        let script = Script::default();
        let agent = Agent {
            id: name[..name.len().min(64)].parse().expect("good"),
            ..agent("b1")
        };
        let mut session = Session::hinted(Box::new(script.clone()), port, &agent.hint(port));
        let found = DeviceEvent::Identified(Identity {
            family: "certabo",
            ..Identity::default()
        });
        script.events.lock().expect("whole").push_back(found);
        let out = session.handle(0, Input::Opened);
        assert_eq!(out, [Output::Identified(id.parse().expect("good"))]);
    }
}
