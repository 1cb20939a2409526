//! A table for tests: a far end and a driver's line, a cable between them, and a player's hands.

use rand::{Rng, SeedableRng, rngs::SmallRng};
use shakmaty::uci::UciMove;
use shakmaty::{
    ByColor, CastlingMode, CastlingSide, Chess, Color, Move, Piece, Position, Role, Square,
};

use crate::devices::{
    Chunk, Command, DeviceEvent, Driver, Line, LineOptions, Millis, Placement, dgt::Dgt,
};
use crate::simulate::FarEnd;
use crate::simulate::dgt::{ClockAction, VirtualDgt, VirtualOptions};

/// A table: a far end, a line, and what the cable between them does to bytes.
pub(super) struct Table<F> {
    pub(super) far: F,
    pub(super) line: Box<dyn Line>,
    pub(super) now: Millis,
    pub(super) connected: bool,
    pub(super) loss: f64,
    pub(super) dice: SmallRng,
    pub(super) events: Vec<(Millis, DeviceEvent)>,
    pub(super) recorded: Vec<Chunk>,
    pub(super) writes: Vec<(Millis, Vec<u8>)>,
}

impl<F: FarEnd> Table<F> {
    pub(super) fn new(far: F, how: LineOptions) -> Table<F> {
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

    pub(super) fn pass(&mut self, millis: Millis) {
        let until = self.now + millis;
        while self.now < until {
            self.now += 5;
            self.exchange();
        }
    }

    pub(super) fn exchange(&mut self) {
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

    pub(super) fn command(&mut self, command: Command) {
        self.line.command(self.now, command);
        self.exchange();
    }

    pub(super) fn saw(&self, wanted: &DeviceEvent) -> bool {
        self.events.iter().any(|(_, event)| event == wanted)
    }

    pub(super) fn game(&self) -> String {
        read_game(self.events.iter().map(|(_, event)| event))
    }

    pub(super) fn last_board(&self) -> Placement {
        let mut board = Placement::EMPTY;
        self.events
            .iter()
            .for_each(|(_, event)| apply(&mut board, event));
        board
    }
}

impl Table<VirtualDgt> {
    pub(super) fn virtual_board(options: VirtualOptions) -> Table<VirtualDgt> {
        Table::new(VirtualDgt::new("01025", options), LineOptions::default())
    }

    /// The players sit down: the line is found, the chessclock set and started.
    pub(super) fn sit_down(&mut self) {
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

    pub(super) fn play(&mut self, moves: &[(Move, Color)]) {
        for (played, color) in moves {
            self.hand(played, *color);
            self.far.clock(self.now, ClockAction::Press { by: *color });
            self.pass(2_600);
        }
    }

    pub(super) fn hand(&mut self, played: &Move, color: Color) {
        for (square, piece) in touches(played, color) {
            self.far.set_square(self.now, square, piece);
            self.pass(350);
        }
    }
}

fn touches(played: &Move, color: Color) -> Vec<(Square, Option<Piece>)> {
    let piece = |role: Role| Some(role.of(color));
    match *played {
        Move::Castle { king, rook } => {
            let side = CastlingSide::from_queen_side(rook < king);
            let (king_to, rook_to) = (side.king_to(color), side.rook_to(color));
            let (k, r) = (piece(Role::King), piece(Role::Rook));
            vec![(king, None), (king_to, k), (rook, None), (rook_to, r)]
        }
        Move::EnPassant { from, to } => {
            let taken = Square::from_coords(to.file(), from.rank());
            vec![(from, None), (to, piece(Role::Pawn)), (taken, None)]
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

pub(super) fn moves(game: &str) -> Vec<(Move, Color)> {
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
pub(super) fn read_game<'a>(events: impl Iterator<Item = &'a DeviceEvent>) -> String {
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
            game.push(played.to_uci(CastlingMode::Standard).to_string());
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
