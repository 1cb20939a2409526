//! Hands at a table: moves made square by square, the clock pressed, boards rearranged.

use agent::simulate::dgt::ClockAction;
use protocol::{Millis, TableId};
use shakmaty::san::San;
use shakmaty::uci::UciMove;
use shakmaty::{Board, ByColor, CastlingMode, Chess, Color, Move, Piece, Position, Role, Square};

use super::run::{Stage, turn};
use super::story::Act;

/// Between two touches of a hand, milliseconds.
const TOUCH: Millis = 350;

/// From the last touch to the press.
const TO_PRESS: Millis = 400;

/// After moves were played, until everything is shown everywhere.
const SHOWN: Millis = 1_000;

/// A square and what stands on it then.
type Touch = (Square, Option<Piece>);

impl Stage {
    /// Moves made and completed, each after its thinking time.
    pub(super) fn play(
        &mut self,
        table: TableId,
        moves: &[(Millis, String)],
    ) -> Result<(), String> {
        let place = self.place(table)?;
        if !place.clock_started {
            let first = turn(place);
            self.act(table, &Act::Start(first))?;
        }
        for (pace, text) in moves {
            let began = self.hall.now();
            let mover = turn(self.place(table)?);
            let touches = self.touches(table, text)?;
            let gesture = (touches.len().saturating_sub(1)) as Millis * TOUCH + TO_PRESS;
            self.hall.pass(pace.saturating_sub(gesture));
            self.make(table, text, &touches)?;
            self.hall.pass(TO_PRESS);
            self.act(table, &Act::Press(mover))?;
            let spent = self.hall.now().since(began);
            self.hall.pass(pace.saturating_sub(spent));
        }
        self.hall.pass(SHOWN);
        Ok(())
    }

    /// One act of a hand.
    pub(super) fn act(&mut self, table: TableId, act: &Act) -> Result<(), String> {
        let device = self.place(table)?.device.clone();
        let mut clock = |action| self.hall.clock(&device, action);
        match act {
            Act::Hand(text) => {
                let touches = self.touches(table, text)?;
                self.make(table, text, &touches)?;
                self.hall.pass(TO_PRESS);
            }
            Act::Press(by) => clock(ClockAction::Press { by: (*by).into() }),
            Act::Lift(square) => self.feel(table, &[(*square, None)])?,
            Act::Put(piece, square) => self.feel(table, &[(*square, Some(*piece))])?,
            Act::Arrange(board) => self.arrange(table, board)?,
            Act::Kings(white, black) => {
                let (white, black) = (*white, *black);
                let wanted = kings(&self.physical(table)?, ByColor { white, black });
                self.arrange(table, &wanted)?;
            }
            Act::Restore => self.restore(table)?,
            Act::Set(white, black) => {
                let place = self.places.remove(&table).ok_or("no such table")?;
                self.set_clock(&place, *white, *black);
                self.places.insert(table, place);
            }
            Act::Programme(programme) => {
                if let Some(place) = self.places.get_mut(&table) {
                    place.programme = programme.clone();
                }
            }
            Act::Start(side) => {
                clock(ClockAction::Start {
                    running: (*side).into(),
                });
                if let Some(place) = self.places.get_mut(&table) {
                    place.clock_started = true;
                }
            }
            Act::Drift(per_mille) => clock(ClockAction::Drift(*per_mille)),
            Act::Stop => clock(ClockAction::Stop),
            Act::FlagFalls(side) => clock(ClockAction::FlagFall { of: (*side).into() }),
            Act::Plugged(true) => clock(ClockAction::Plug),
            Act::Plugged(false) => clock(ClockAction::Unplug),
            Act::Battery(low) => clock(ClockAction::LowBattery(*low)),
            Act::Wait(ms) => self.hall.pass(*ms),
        }
        Ok(())
    }

    /// The touches of a move as the pieces stand now.
    fn touches(&self, table: TableId, text: &str) -> Result<Vec<Touch>, String> {
        let board = self.physical(table)?;
        match squares(text) {
            Some((from, to, promoted)) => by_squares(&board, from, to, promoted)
                .ok_or_else(|| format!("{text}: nothing stands on {from}")),
            None => {
                let position = self.known(table, &board)?;
                Ok(by_rules(&position, by_notation(&position, text)?))
            }
        }
    }

    /// The position for a move in notation: it must be the one on the board.
    fn known(&self, table: TableId, board: &Board) -> Result<Chess, String> {
        let desk = || {
            let fen: shakmaty::fen::Fen = self.hall.desk(table)?.fen.parse().ok()?;
            fen.into_position::<Chess>(CastlingMode::Standard).ok()
        };
        let own = self.place(table)?.position.clone();
        own.or_else(desk)
            .filter(|position| position.board() == board)
            .ok_or_else(|| {
                "the pieces stand in no position of the game: name squares, as in g5f7".to_owned()
            })
    }

    /// Makes a move and takes note of the position it leads to, if it was legal.
    fn make(&mut self, table: TableId, text: &str, touches: &[Touch]) -> Result<(), String> {
        let board = self.physical(table)?;
        let position = self.known(table, &board).ok();
        self.feel(table, touches)?;
        let played = position.as_ref().and_then(|p| legal(p, text));
        if let Some(place) = self.places.get_mut(&table) {
            place.position = match (position, played) {
                (Some(mut position), Some(played)) => {
                    position.play_unchecked(played);
                    Some(position)
                }
                _ => None,
            };
        }
        Ok(())
    }

    /// Touches squares one after the other.
    fn feel(&mut self, table: TableId, touches: &[Touch]) -> Result<(), String> {
        let device = self.place(table)?.device.clone();
        for (index, (square, piece)) in touches.iter().enumerate() {
            if index > 0 {
                self.hall.pass(TOUCH);
            }
            self.hall.touch(&device, *square, *piece);
        }
        Ok(())
    }

    /// Every piece that stands wrong is taken off, and what is missing is put up.
    fn arrange(&mut self, table: TableId, wanted: &Board) -> Result<(), String> {
        let board = self.physical(table)?;
        let differs = |square: &Square| board.piece_at(*square) != wanted.piece_at(*square);
        let wrong = || Square::ALL.into_iter().filter(differs);
        let off = wrong()
            .filter(|s| board.piece_at(*s).is_some())
            .map(|s| (s, None));
        let on = wrong().filter_map(|s| wanted.piece_at(s).map(|piece| (s, Some(piece))));
        let touches: Vec<Touch> = off.chain(on).collect();
        self.feel(table, &touches)?;
        if let Some(place) = self.places.get_mut(&table) {
            let array = *wanted == Board::new();
            place.position = array.then(Chess::default);
        }
        Ok(())
    }

    /// The pieces are set back to the position of the hub's record.
    fn restore(&mut self, table: TableId) -> Result<(), String> {
        let desk = self.hall.desk(table).ok_or("the hub shows no such table")?;
        self.arrange(table, &desk.position.0)?;
        let fen: shakmaty::fen::Fen = desk.fen.parse().map_err(|_| "no position to restore")?;
        if let Some(place) = self.places.get_mut(&table) {
            place.position = fen.into_position(CastlingMode::Standard).ok();
        }
        Ok(())
    }

    /// What really stands on the board.
    fn physical(&self, table: TableId) -> Result<Board, String> {
        let device = &self.place(table)?.device;
        let seat = self.hall.seat(device).ok_or("no such board")?;
        let mut board = Board::empty();
        for (square, piece) in seat.board().placement().iter() {
            if let Some(piece) = piece {
                board.set_piece_at(square, piece);
            }
        }
        Ok(board)
    }
}

/// `g5f7`, `e7e8q`: two squares and a promotion.
fn squares(text: &str) -> Option<(Square, Square, Option<Role>)> {
    let square =
        |range: std::ops::Range<usize>| Square::from_ascii(text.get(range)?.as_bytes()).ok();
    let (from, to) = (square(0..2)?, square(2..4)?);
    match text.get(4..)?.chars().collect::<Vec<_>>()[..] {
        [] => Some((from, to, None)),
        [letter] => Some((from, to, Some(Role::from_char(letter)?))),
        _ => None,
    }
}

/// A move in squares, whatever the rules say of it: captures, castling and en passant as a player would do them.
fn by_squares(
    board: &Board,
    from: Square,
    to: Square,
    promoted: Option<Role>,
) -> Option<Vec<Touch>> {
    let piece = board.piece_at(from)?;
    let put = promoted.map_or(piece, |role| role.of(piece.color));
    let victim = board.piece_at(to).map(|_| (to, None));
    let mut touches: Vec<Touch> = victim.into_iter().collect();
    touches.extend([(from, None), (to, Some(put))]);
    touches.extend(rook_of_castling(board, piece, from, to));
    touches.extend(taken_in_passing(board, piece, from, to));
    Some(touches)
}

fn rook_of_castling(board: &Board, king: Piece, from: Square, to: Square) -> Vec<Touch> {
    let two_files = from.rank() == to.rank() && from.file().distance(to.file()) == 2;
    if king.role != Role::King || !two_files {
        return Vec::new();
    }
    let short = to > from;
    let corner = Square::from_coords(
        if short {
            shakmaty::File::H
        } else {
            shakmaty::File::A
        },
        from.rank(),
    );
    let beside = Square::from_coords(
        if short {
            shakmaty::File::F
        } else {
            shakmaty::File::D
        },
        from.rank(),
    );
    match board.piece_at(corner) {
        Some(rook) if rook == Role::Rook.of(king.color) => {
            vec![(corner, None), (beside, Some(rook))]
        }
        _ => Vec::new(),
    }
}

fn taken_in_passing(board: &Board, pawn: Piece, from: Square, to: Square) -> Option<Touch> {
    let aslant = from.file() != to.file() && board.piece_at(to).is_none();
    let beside = Square::from_coords(to.file(), from.rank());
    let victim = board.piece_at(beside) == Some(Role::Pawn.of(pawn.color.other()));
    (pawn.role == Role::Pawn && aslant && victim).then_some((beside, None))
}

fn by_notation(position: &Chess, text: &str) -> Result<Move, String> {
    let san: San = text
        .parse()
        .map_err(|_| format!("“{text}” is no move: write Nf3, O-O, e8=Q, or squares as in g5f7"))?;
    san.to_move(position)
        .map_err(|_| format!("{text} is no legal move here"))
}

/// A legal move as a player makes it.
fn by_rules(position: &Chess, played: Move) -> Vec<Touch> {
    let uci = played.to_uci(CastlingMode::Standard);
    let UciMove::Normal {
        from,
        to,
        promotion,
    } = uci
    else {
        return Vec::new();
    };
    by_squares(position.board(), from, to, promotion).unwrap_or_default()
}

fn legal(position: &Chess, text: &str) -> Option<Move> {
    match text.parse::<UciMove>() {
        Ok(uci) => uci.to_move(position).ok(),
        Err(_) => by_notation(position, text).ok(),
    }
}

/// The kings on these squares, the rest as it stands: the players' sign for a result.
fn kings(board: &Board, squares: ByColor<Square>) -> Board {
    let mut wanted = board.clone();
    for color in Color::ALL {
        if let Some(king) = board.king_of(color) {
            wanted.discard_piece_at(king);
        }
    }
    for color in Color::ALL {
        wanted.set_piece_at(squares[color], color.king());
    }
    wanted
}
