//! The driver's line against the virtual board, on a simulated clock: does a game come out as it went in?

use rand::{Rng, SeedableRng, rngs::SmallRng};
use shakmaty::uci::UciMove;
use shakmaty::{ByColor, Chess, Color, Move, Piece, Position, Square};

use super::{CaptureBoard, ClockAction, FarEnd, VirtualDgt, VirtualOptions};
use crate::devices::{
    Chunk, ClockSide, ClockType, Command, DeviceEvent, Driver, Line, LineOptions, LogEntry,
    LostBecause, Millis, NoClockBecause, Orientation, OrientationChoice, Placement, SidesKnownBy,
    dgt::Dgt,
};

/// Captures, both castlings, en passant, a piece taken back at once.
const GAME: &str = "e2e4 d7d5 e4d5 d8d5 b1c3 d5a5 g1f3 b8c6 f1c4 c8g4 e1g1 e8c8 d2d4 f7f5 d4d5 e7e5 d5e6 d8d1 f1d1 g4f3 g2f3";

/// A table: a far end, a line, and what the cable between them does to bytes.
struct Table<F> {
    far: F,
    line: Box<dyn Line>,
    now: Millis,
    connected: bool,
    loss: f64,
    dice: SmallRng,
    events: Vec<(Millis, DeviceEvent)>,
    recorded: Vec<Chunk>,
    writes: Vec<(Millis, Vec<u8>)>,
}

impl<F: FarEnd> Table<F> {
    fn new(far: F, how: LineOptions) -> Table<F> {
        let mut table = Table {
            far,
            line: Dgt.open(how),
            now: 1_000,
            connected: true,
            loss: 0.0,
            dice: SmallRng::seed_from_u64(7),
            events: Vec::new(),
            recorded: Vec::new(),
            writes: Vec::new(),
        };
        table.line.opened(table.now);
        table
    }

    fn pass(&mut self, millis: Millis) {
        let until = self.now + millis;
        while self.now < until {
            self.now += 5;
            self.exchange();
        }
    }

    fn exchange(&mut self) {
        let mut bytes = self.far.take_output(self.now);
        let (loss, dice) = (self.loss, &mut self.dice);
        bytes.retain(|_| !dice.random_bool(loss));
        if self.connected && !bytes.is_empty() {
            self.line.receive(self.now, &bytes);
            self.recorded.push(Chunk {
                at: self.now,
                bytes,
            });
        }
        if self.line.wake().is_some_and(|wake| wake <= self.now) {
            self.line.tick(self.now);
        }
        while let Some(bytes) = self.line.next_write() {
            self.writes.push((self.now, bytes.clone()));
            if self.connected {
                self.far.host_bytes(self.now, &bytes);
            }
        }
        while let Some(event) = self.line.next_event() {
            self.events.push((self.now, event));
        }
    }

    fn command(&mut self, command: Command) {
        self.line.command(self.now, command);
        self.exchange();
    }

    fn saw(&self, wanted: &DeviceEvent) -> bool {
        self.events.iter().any(|(_, event)| event == wanted)
    }

    fn game(&self) -> String {
        read_game(self.events.iter().map(|(_, event)| event))
    }

    fn last_board(&self) -> Placement {
        let mut board = Placement::EMPTY;
        self.events
            .iter()
            .for_each(|(_, event)| apply(&mut board, event));
        board
    }
}

impl Table<VirtualDgt> {
    fn virtual_board(options: VirtualOptions) -> Table<VirtualDgt> {
        Table::new(VirtualDgt::new("01025", options), LineOptions::default())
    }

    /// The players sit down: the line is found, the chessclock set and started.
    fn sit_down(&mut self) {
        let time = ByColor {
            white: 180_000,
            black: 200_000,
        };
        self.far.clock(
            self.now,
            ClockAction::Set {
                time,
                increment: 2_000,
            },
        );
        self.pass(6_000);
        self.far.clock(
            self.now,
            ClockAction::Start {
                running: Color::White,
            },
        );
        self.pass(1_500);
    }

    fn play(&mut self, moves: &[(Move, Color)]) {
        for (played, color) in moves {
            self.hand(played, *color);
            self.far.clock(self.now, ClockAction::Press { by: *color });
            self.pass(2_600);
        }
    }

    fn hand(&mut self, played: &Move, color: Color) {
        for (square, piece) in touches(played, color) {
            self.far.set_square(self.now, square, piece);
            self.pass(350);
        }
    }
}

fn touches(played: &Move, color: Color) -> Vec<(Square, Option<Piece>)> {
    let piece = |role: shakmaty::Role| Some(role.of(color));
    match *played {
        Move::Castle { king, rook } => {
            let side = shakmaty::CastlingSide::from_queen_side(rook < king);
            let (king_to, rook_to) = (side.king_to(color), side.rook_to(color));
            let (k, r) = (piece(shakmaty::Role::King), piece(shakmaty::Role::Rook));
            vec![(king, None), (king_to, k), (rook, None), (rook_to, r)]
        }
        Move::EnPassant { from, to } => {
            let taken = Square::from_coords(to.file(), from.rank());
            vec![
                (from, None),
                (to, piece(shakmaty::Role::Pawn)),
                (taken, None),
            ]
        }
        Move::Normal {
            from,
            to,
            role,
            promotion,
            ..
        } => vec![(from, None), (to, piece(promotion.unwrap_or(role)))],
        Move::Put { role, to } => vec![(to, piece(role))],
    }
}

fn moves(game: &str) -> Vec<(Move, Color)> {
    let mut position = Chess::default();
    let mut moves = Vec::new();
    for word in game.split_whitespace() {
        let uci: UciMove = word.parse().expect("the game is written in UCI");
        let played = uci.to_move(&position).expect("the game is legal");
        moves.push((played, position.turn()));
        position.play_unchecked(played);
    }
    moves
}

fn apply(board: &mut Placement, event: &DeviceEvent) {
    match event {
        DeviceEvent::Dump(placement) => *board = *placement,
        DeviceEvent::Square { square, piece } => board.set(*square, *piece),
        _ => {}
    }
}

/// The game as a reader sees it who waits for presses and believes a position that one legal move explains.
fn read_game<'a>(events: impl Iterator<Item = &'a DeviceEvent>) -> String {
    let (mut position, mut board) = (Chess::default(), Placement::EMPTY);
    let mut game = Vec::new();
    let mut presses = 0;
    for event in events {
        apply(&mut board, event);
        if let DeviceEvent::Press { by, .. } = event {
            presses += u32::from(*by == position.turn() || presses > 0);
        }
        let explained = (presses > 0).then(|| explain(&position, &board)).flatten();
        if let Some(played) = explained {
            presses -= 1;
            game.push(played.to_uci(shakmaty::CastlingMode::Standard).to_string());
            position.play_unchecked(played);
        }
    }
    game.join(" ")
}

fn explain(position: &Chess, board: &Placement) -> Option<Move> {
    position.legal_moves().into_iter().find(|&played| {
        let mut after = position.clone();
        after.play_unchecked(played);
        Square::ALL
            .into_iter()
            .all(|square| after.board().piece_at(square) == board.at(square))
    })
}

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
    for seed in 0..8 {
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
    for (off_for, lost) in [(800, false), (3_000, false), (9_000, true)] {
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
        table.pass(22_000);
        table.play(&all[6..8]);
        assert_eq!(
            table.last_board(),
            table.far.placement(),
            "off for {off_for} ms"
        );
        let squares = table
            .events
            .iter()
            .rev()
            .take(20)
            .filter(|(_, event)| matches!(event, DeviceEvent::Square { .. }));
        assert!(
            squares.count() >= 4,
            "changes are reported again after {off_for} ms"
        );
    }
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
    let reading = crate::devices::ClockFace {
        seconds: 0,
        flag: crate::devices::Flag::Up,
        per_move: false,
    };
    let events: Vec<DeviceEvent> = std::iter::once(DeviceEvent::Dump(Placement::start()))
        .chain(entries.iter().filter_map(|entry| match *entry {
            LogEntry::Square { square, piece, .. } => Some(DeviceEvent::Square { square, piece }),
            LogEntry::Press { by, .. } => Some(DeviceEvent::Press {
                by,
                reading: crate::devices::ClockReading {
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
}
