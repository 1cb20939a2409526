//! The driver's line against the virtual board, on a simulated clock: does a game come out as it went in?

mod answers;
mod table;

use rand::{SeedableRng, rngs::SmallRng};
use shakmaty::ByColor;

use super::{CaptureBoard, ClockAction, VirtualDgt, VirtualOptions};
use crate::devices::{
    Battery, Chunk, ClockFace, ClockReading, ClockSide, ClockType, Command, DeviceEvent, Disbelief,
    Driver, Flag, LineOptions, LogEntry, LostBecause, Millis, NoClockBecause, Orientation,
    OrientationChoice, Placement, SidesKnownBy, dgt::Dgt,
};
use table::{Table, moves, read_game};

/// Captures, both castlings, en passant, a piece taken back at once.
const GAME: &str = "e2e4 d7d5 e4d5 d8d5 b1c3 d5a5 g1f3 b8c6 f1c4 c8g4 e1g1 e8c8 d2d4 f7f5 d4d5 e7e5 d5e6 d8d1 f1d1 g4f3 g2f3";

fn options(orientation: Orientation) -> VirtualOptions {
    VirtualOptions {
        orientation,
        ..VirtualOptions::default()
    }
}

#[test]
fn a_game_comes_out_as_it_went_in_however_board_and_clock_stand() {
    for orientation in [Orientation::Normal, Orientation::Rotated] {
        for clock_turned in [false, true] {
            let mut table = Table::virtual_board(VirtualOptions {
                clock_turned,
                ..options(orientation)
            });
            table.sit_down();
            table.play(&moves(GAME));
            assert_eq!(table.game(), GAME, "{orientation} {clock_turned}");
            assert!(table.saw(&DeviceEvent::Orientation(orientation)));
            assert!(table.saw(&DeviceEvent::ClockType(ClockType { main: 2, sub: 0 })));
            assert_eq!(table.last_board(), table.far.placement());
            let odd = table.events.iter().any(|(_, event)| {
                matches!(
                    event,
                    DeviceEvent::ChessclockSides {
                        known_by: SidesKnownBy::FirstPress,
                        contradicts_board: true,
                        ..
                    }
                )
            });
            assert_eq!(odd, clock_turned);
            assert_eq!(table.far.harmful_commands(), 0);
        }
    }
}

#[test]
fn every_press_has_the_presser_and_both_times_of_its_moment() {
    let mut table = Table::virtual_board(options(Orientation::Rotated));
    table.sit_down();
    for (played, color) in moves(GAME) {
        table.hand(&played, color);
        table.far.clock(table.now, ClockAction::Press { by: color });
        let (pressed_at, presser_has) = (table.now, table.far.seconds(color));
        table.pass(2_600);
        let press = table
            .events
            .iter()
            .rev()
            .find(|(_, event)| matches!(event, DeviceEvent::Press { .. }));
        let Some((at, DeviceEvent::Press { by, reading })) = press else {
            panic!("a press was heard")
        };
        assert!(
            *at >= pressed_at && *at < pressed_at + 600,
            "{at} is not soon after {pressed_at}"
        );
        assert_eq!((*by, reading.faces[color].seconds), (color, presser_has));
        assert_eq!((reading.to_move, reading.running), (!color, true));
        assert!(reading.faces.white.per_move && reading.faces.black.per_move);
    }
}

#[test]
fn lost_bytes_are_repaired_by_reading_the_whole_board_again() {
    for seed in 0..8 {
        let mut table = Table::virtual_board(options(Orientation::Normal));
        table.sit_down();
        table.loss = 0.004;
        table.dice = SmallRng::seed_from_u64(seed);
        for one in moves(GAME) {
            table.play(&[one]);
            table.pass(1_500);
        }
        table.loss = 0.0;
        table.pass(3_000);
        assert!(
            table
                .events
                .iter()
                .any(|(_, event)| matches!(event, DeviceEvent::Garbage { .. }))
        );
        assert_eq!(table.last_board(), table.far.placement(), "seed {seed}");
        assert_eq!(table.game(), GAME, "seed {seed}");
    }
}

#[test]
fn a_dump_that_swallowed_a_byte_of_its_neighbour_is_not_believed() {
    for seed in 0..4 {
        let mut table = Table::virtual_board(options(Orientation::Normal));
        table.sit_down();
        table.loss = 0.02;
        table.dice = SmallRng::seed_from_u64(seed);
        for _ in 0..240 {
            table.command(Command::Dump);
            table.pass(500);
        }
        let odd = table
            .events
            .iter()
            .find(|(_, event)| matches!(event, DeviceEvent::Dump(p) if *p != Placement::start()));
        assert_eq!(odd, None, "seed {seed}");
    }
}

#[test]
fn a_board_switched_off_and_on_is_found_again() {
    for (off_for, found_within, lost) in [
        (800, 20_000, false),
        (3_000, 4_000, false),
        (9_000, 4_000, true),
    ] {
        let mut table = Table::virtual_board(options(Orientation::Normal));
        table.sit_down();
        let all = moves(GAME);
        table.play(&all[..5]);
        table.far.power(table.now, false);
        table.pass(off_for / 2);
        table.hand(&all[5].0, all[5].1);
        table
            .far
            .clock(table.now, ClockAction::Press { by: all[5].1 });
        table.pass(off_for / 2);
        assert_eq!(
            table.saw(&DeviceEvent::Lost(LostBecause::Silent)),
            lost,
            "off for {off_for} ms"
        );
        table.far.power(table.now, true);
        if lost {
            table.line.opened(table.now);
        }
        table.pass(found_within);
        table.events.clear();
        table.play(&all[6..8]);
        let squares = table
            .events
            .iter()
            .filter(|(_, event)| matches!(event, DeviceEvent::Square { .. }));
        assert_eq!(
            squares.count(),
            4,
            "changes are reported again after {off_for} ms"
        );
        table.command(Command::Dump);
        table.pass(500);
        assert_eq!(
            table.last_board(),
            table.far.placement(),
            "off for {off_for} ms"
        );
    }
}

#[test]
fn a_board_whose_switch_was_flicked_is_asked_for_changes_again() {
    let mut table = Table::virtual_board(options(Orientation::Normal));
    table.sit_down();
    table.far.power(table.now, false);
    table.pass(300);
    table.far.power(table.now, true);
    table.pass(17_000);
    table.play(&moves("e2e4 e7e5"));
    assert_eq!(table.game(), "e2e4 e7e5");
}

#[test]
fn the_memory_tells_what_was_played_while_nobody_listened() {
    for orientation in [Orientation::Normal, Orientation::Rotated] {
        let mut table = Table::virtual_board(options(orientation));
        table.sit_down();
        let all = moves(GAME);
        table.play(&all[..2]);
        table.connected = false;
        table.play(&all[2..7]);
        assert!(table.saw(&DeviceEvent::Lost(LostBecause::Silent)));
        table.connected = true;
        table.line.opened(table.now);
        table.pass(3_000);
        table.command(Command::Log);
        table.pass(3_000);
        let log = table
            .events
            .iter()
            .rev()
            .find_map(|(_, event)| match event {
                DeviceEvent::Log(entries) => Some(entries.clone()),
                _ => None,
            });
        let log = log.expect("the memory was read");
        let start = log
            .iter()
            .rposition(|entry| *entry == LogEntry::StartPosition(orientation));
        let played = &log[start.expect("the memory holds the start") + 1..];
        assert_eq!(
            game_in_log(played),
            GAME.split(' ').take(7).collect::<Vec<_>>().join(" ")
        );
        table.play(&all[7..9]);
        assert_eq!(table.last_board(), table.far.placement());
    }
}

fn game_in_log(entries: &[LogEntry]) -> String {
    let reading = ClockFace {
        seconds: 0,
        flag: Flag::Up,
        per_move: false,
    };
    let events: Vec<DeviceEvent> = std::iter::once(DeviceEvent::Dump(Placement::start()))
        .chain(entries.iter().filter_map(|entry| match *entry {
            LogEntry::Square { square, piece, .. } => Some(DeviceEvent::Square { square, piece }),
            LogEntry::Press { by, .. } => Some(DeviceEvent::Press {
                by,
                reading: ClockReading {
                    faces: ByColor {
                        white: reading,
                        black: reading,
                    },
                    running: true,
                    to_move: !by,
                    low_battery: false,
                    white_at: ClockSide::Left,
                },
            }),
            _ => None,
        }))
        .collect();
    read_game(events.iter())
}

#[test]
fn commands_leave_a_tenth_of_a_second_apart_and_nothing_else_leaves() {
    let mut table = Table::virtual_board(options(Orientation::Normal));
    table.sit_down();
    for _ in 0..20 {
        for command in [
            Command::Dump,
            Command::Clock,
            Command::Log,
            Command::Battery,
        ] {
            table.command(command);
        }
        table.pass(700);
    }
    table.pass(60_000);
    assert!(
        table
            .writes
            .windows(2)
            .all(|pair| pair[1].0 >= pair[0].0 + 100)
    );
    assert!(
        table
            .writes
            .iter()
            .all(|(_, bytes)| bytes.len() == 1 || bytes == &[0x2B, 3, 3, 9, 0])
    );
    assert_eq!(
        table
            .writes
            .iter()
            .filter(|(_, bytes)| bytes.len() > 1)
            .count(),
        1
    );
    assert_eq!(table.far.harmful_commands(), 0);
}

#[test]
fn a_clock_that_is_unplugged_is_missed_and_welcomed_back() {
    let mut table = Table::virtual_board(options(Orientation::Normal));
    table.sit_down();
    table.far.clock(table.now, ClockAction::Unplug);
    table.pass(2_000);
    assert!(table.saw(&DeviceEvent::NoClock(NoClockBecause::NotConnected)));
    table.events.clear();
    table.far.clock(table.now, ClockAction::Plug);
    table.pass(3_000);
    assert!(table.saw(&DeviceEvent::Disbelieved(Disbelief::FirstAfterConnection)));
    assert!(
        table
            .events
            .iter()
            .any(|(_, event)| matches!(event, DeviceEvent::Clock(_)))
    );
}

#[test]
fn a_fixed_orientation_is_not_moved_by_an_array() {
    let given = OrientationChoice::Given(Orientation::Rotated);
    let how = LineOptions {
        orientation: given,
        ..LineOptions::default()
    };
    let mut table = Table::new(VirtualDgt::new("01025", VirtualOptions::default()), how);
    table.sit_down();
    assert_eq!(table.last_board(), Placement::start().rotated());
    table.command(Command::Orientation(OrientationChoice::Auto));
    table.command(Command::Dump);
    table.pass(500);
    assert_eq!(table.last_board(), Placement::start());
}

#[test]
fn another_board_on_the_same_line_is_not_taken_for_the_old_one() {
    let mut table = Table::virtual_board(options(Orientation::Normal));
    table.sit_down();
    table.far = VirtualDgt::new("02048", options(Orientation::Normal));
    table.pass(4_000);
    assert!(table.saw(&DeviceEvent::Lost(LostBecause::AnotherDevice)));
    table.line.opened(table.now);
    table.pass(4_000);
    let serial = table
        .events
        .iter()
        .rev()
        .find_map(|(_, event)| match event {
            DeviceEvent::Identified(identity) => identity.serial.clone(),
            _ => None,
        });
    assert_eq!(serial.as_deref(), Some("02048"));
}

#[test]
fn a_recording_plays_as_it_was_recorded_and_as_a_device() {
    let mut table = Table::virtual_board(options(Orientation::Rotated));
    table.sit_down();
    table.play(&moves(GAME));
    let mut offline = Dgt.open(LineOptions {
        recording: true,
        ..LineOptions::default()
    });
    offline.opened(0);
    let mut events = Vec::new();
    for chunk in &table.recorded {
        offline.receive(chunk.at, &chunk.bytes);
        events.extend(std::iter::from_fn(|| offline.next_event()));
    }
    assert_eq!(read_game(events.iter()), GAME);

    let bytes: Vec<u8> = table
        .recorded
        .iter()
        .flat_map(|chunk| chunk.bytes.clone())
        .collect();
    for speed in [1.0, 20.0] {
        let mut again = Table::new(CaptureBoard::new(&bytes, speed), LineOptions::default());
        again.pass((120_000.0 / speed) as Millis + 5_000);
        assert!(again.far.is_over());
        assert_eq!(again.game(), GAME, "speed {speed}");
        assert_eq!(again.last_board(), table.far.placement());
    }

    let in_pieces = |chunk: &Chunk| -> Vec<Chunk> {
        let pieces = chunk.bytes.chunks(5).map(<[u8]>::to_vec);
        pieces
            .map(|bytes| Chunk {
                at: chunk.at,
                bytes,
            })
            .collect()
    };
    let recorded: Vec<Chunk> = table.recorded.iter().flat_map(in_pieces).collect();
    let mut again = Table::new(
        CaptureBoard::of_chunks(&recorded, 20.0),
        LineOptions::default(),
    );
    again.pass(15_000);
    assert_eq!(again.game(), GAME, "as it came from a port");
}

#[test]
fn a_wireless_board_tells_its_battery_and_everything_about_itself() {
    let battery = Battery {
        percent: 78,
        minutes_left: None,
        on_minutes: 317,
        standby_minutes: 1302,
        charging: false,
        discharging: true,
    };
    let options = VirtualOptions {
        battery: Some(battery),
        firmware: (3, 10),
        hardware: Some((1, 0)),
        long_serial: Some("3000147740".into()),
        ..VirtualOptions::default()
    };
    let how = LineOptions {
        bluetooth: true,
        ..LineOptions::default()
    };
    let mut table = Table::new(VirtualDgt::new("01025", options), how);
    table.sit_down();
    table.play(&moves("e2e4 e7e5 g1f3"));
    table.pass(70_000);
    assert_eq!(table.game(), "e2e4 e7e5 g1f3");
    let told = table
        .events
        .iter()
        .filter(|(_, event)| *event == DeviceEvent::Battery(battery));
    assert_eq!(told.count(), 2, "at the beginning and once a minute");
    let identity = "identified dgt serial 01025 long serial 3000147740 firmware 3.10 hardware 1.0";
    assert!(
        table
            .events
            .iter()
            .any(|(_, event)| event.to_string() == identity)
    );
}

#[test]
fn a_line_woken_only_when_it_asks_to_be_hears_the_same() {
    let mut table = Table::virtual_board(options(Orientation::Normal));
    table.sit_down();
    let time = ByColor {
        white: 60_000,
        black: 60_000,
    };
    table
        .far
        .clock(table.now, ClockAction::Set { time, increment: 0 });
    let mut wakes = 0;
    let until = table.now + 60_000;
    while table.now < until {
        let wake = [table.line.wake(), crate::simulate::FarEnd::wake(&table.far)]
            .into_iter()
            .flatten()
            .min();
        table.now = wake
            .expect("a board in use has something to do")
            .max(table.now + 1);
        table.exchange();
        wakes += 1;
    }
    assert!(wakes < 3_000, "{wakes} wakes a minute");
    assert_eq!(table.last_board(), Placement::start());
    assert!(!table.saw(&DeviceEvent::Lost(LostBecause::Silent)));
}
