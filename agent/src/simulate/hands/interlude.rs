//! What happens between two moves because an accident wants it.

use shakmaty::{Bitboard, Board, Piece, Position, Square};

use super::accident::{Accident, Kind};
use super::act::{Act, Millis};
use super::gesture::Holds;
use super::sitting::{Sitting, used};
use super::timeline::{Whose, ms};

/// More moves are neither tried out nor taken back.
const MOST_TRIED: usize = 60;

impl Sitting<'_> {
    /// Spoils the set-up, or the start of the clock, before the game; false for every other accident.
    pub(super) fn spoil_setup(&mut self, accident: Accident) -> bool {
        match accident.kind {
            Kind::BlackStarts => {
                let by = self.mover().other();
                self.line
                    .push(Whose::Player(by), self.ready - 1.0, Act::Press { by });
                true
            }
            Kind::WrongSetup | Kind::MissingPiece => self.spoil_pieces(accident),
            _ => false,
        }
    }

    fn spoil_pieces(&mut self, accident: Accident) -> bool {
        if self.moves.is_empty() {
            return false;
        }
        let right = self.initial.clone();
        let near = self.moves.iter().take(accident.ply + 2);
        let idle = near.fold(right.occupied() & !self.spoiled(), |idle, &m| {
            idle & !used(m)
        });
        let Some((a, first)) = self.some_piece(&right, idle) else {
            return false;
        };
        if accident.kind == Kind::MissingPiece {
            self.initial.discard_piece_at(a);
        } else {
            let other =
                |square: &Square| right.piece_at(*square).is_some_and(|piece| piece != first);
            let others: Vec<Square> = idle.into_iter().filter(other).collect();
            let Some(b) = self.dice.pick(&others) else {
                return false;
            };
            self.initial = exchanged(&right, a, b);
        }
        self.repairs.push((
            accident.ply.min(self.moves.len()),
            self.initial.clone(),
            right,
        ));
        true
    }

    /// Puts right what was set up wrong, when its ply has come.
    pub(super) fn repair_setup(&mut self) {
        for (ply, wrong, right) in std::mem::take(&mut self.repairs) {
            if ply > self.ply + 1 {
                self.repairs.push((ply, wrong, right));
                continue;
            }
            let at = self.calm();
            self.shuffle_about(at, &wrong, &right);
        }
    }

    /// When nothing on the table moves any more and a player can do something out of the ordinary; whatever was set up
    /// wrong is noticed and put right first.
    pub(super) fn stillness(&mut self) -> f64 {
        for repair in &mut self.repairs {
            repair.0 = repair.0.min(self.ply);
        }
        self.repair_setup();
        self.calm()
    }

    /// Squares that are set up wrong.
    pub(super) fn spoiled(&self) -> Bitboard {
        let differs = |square: &Square, (_, wrong, right): &(usize, Board, Board)| {
            wrong.piece_at(*square) != right.piece_at(*square)
        };
        let spoiled = |square: &Square| self.repairs.iter().any(|repair| differs(square, repair));
        Square::ALL.into_iter().filter(spoiled).collect()
    }

    /// A scripted accident between two moves, before the ply that is next; false if there is no occasion for it.
    pub(super) fn interlude(&mut self, kind: Kind) -> bool {
        match kind {
            Kind::Adjust(pieces) => self.adjust_scripted(pieces),
            Kind::AdjustTogether => self.exchange(0, true),
            Kind::AdjustOffTurn => self.adjust_off_turn(),
            Kind::TouchReturn(wait) => self.touch_return_scripted(wait),
            Kind::Exchanged(wait) => self.exchange(wait, false),
            Kind::Swept(pieces) => self.sweep_off(pieces),
            Kind::Analysis(moves) => self.analyse(moves),
            Kind::ForeignPiece(wait) => self.foreign_piece(wait),
            Kind::PressWithoutMove => self.press_and_back(1200.0),
            Kind::LeverKnocked => self.press_and_back(220.0),
            Kind::ClockPaused(wait) => self.clock_paused(wait),
            Kind::TimeAdded(time) => self.time_added(time),
            Kind::TakenBack(plies) => self.take_back(plies),
            Kind::MoveChanged(wait) => self.change_move(wait),
            Kind::Illegal(what, remedy) => self.illegal(what, remedy),
            _ => false,
        }
    }

    /// The player to move turns one arrangement into another.
    fn shuffle_about(&mut self, at: f64, from: &Board, to: &Board) -> f64 {
        let by = self.mover();
        let end = self.rearrange(Whose::Player(by), at, from, to);
        self.use_hand(by, end);
        self.ready = self.ready.max(end + 300.0);
        end
    }

    /// One piece after the other goes where it belongs: first those whose square is empty; gives the time it is done.
    pub(super) fn rearrange(&mut self, whose: Whose, mut at: f64, from: &Board, to: &Board) -> f64 {
        let mut board = from.clone();
        while let Some((square, home)) = next_step(&board, to) {
            let takes = self.dice.around(280.0, 0.3);
            let piece = board.remove_piece_at(square);
            if piece.is_some() {
                self.line.square(whose, at, square, Holds::Nothing);
                at += takes;
            }
            if let (Some(home), Some(piece)) = (home, piece.or(to.piece_at(square))) {
                self.line.square(whose, at, home, Holds::One(piece));
                board.set_piece_at(home, piece);
                at += takes * 0.6;
            }
        }
        at
    }

    fn adjust_scripted(&mut self, pieces: usize) -> bool {
        let (by, mut at) = (self.mover(), self.stillness());
        let board = self.position.board().clone();
        let squares = self.dice.shuffled(board.occupied().into_iter().collect());
        for square in squares.into_iter().take(pieces) {
            at = self.lift_and_return(Whose::Player(by), at, square, 420.0)
                + self.dice.between(150.0, 500.0);
        }
        self.use_hand(by, at);
        self.ready = at + 200.0;
        pieces > 0
    }

    fn adjust_off_turn(&mut self) -> bool {
        let (by, at) = (self.mover().other(), self.stillness());
        let idle = self.quiet();
        let Some((square, _)) = self.some_piece(&self.position.board().clone(), idle) else {
            return false;
        };
        let end = self.lift_and_return(Whose::Player(by), at, square, 420.0);
        self.use_hand(by, end);
        self.ready = end + 100.0;
        true
    }

    fn touch_return_scripted(&mut self, wait: Millis) -> bool {
        let at = self.stillness();
        let Some(square) = self.touchable(Bitboard::FULL) else {
            return false;
        };
        let by = self.mover();
        self.line
            .square(Whose::Player(by), at, square, Holds::Nothing);
        let end = at + wait as f64;
        self.put_back(Whose::Player(by), end, square);
        self.use_hand(by, end);
        self.ready = end + 500.0;
        true
    }

    /// A piece of the player to move that could move and is not the one he will move.
    pub(super) fn touchable(&mut self, among: Bitboard) -> Option<Square> {
        let next = self.moves.get(self.ply).and_then(|m| m.from());
        let legal = self.position.legal_moves();
        let movable: Bitboard = legal
            .iter()
            .filter_map(|m| m.from())
            .filter(|from| Some(*from) != next)
            .collect();
        self.some_piece(&self.position.board().clone(), movable & among)
            .map(|(square, _)| square)
    }

    /// Two own pieces are lifted together and put back: rightly, or for a while on each other's square.
    fn exchange(&mut self, wait: Millis, rightly: bool) -> bool {
        let (by, at) = (self.mover(), self.stillness());
        let board = self.position.board().clone();
        let own = board.by_color(by);
        let Some((a, first)) = self.some_piece(&board, own) else {
            return false;
        };
        let others = own & !board.by_role(first.role);
        let Some((b, _)) = self.some_piece(&board, others) else {
            return false;
        };
        let wrong = if rightly {
            board.clone()
        } else {
            exchanged(&board, a, b)
        };
        for (after, square) in [(0.0, a), (180.0, b)] {
            self.line
                .square(Whose::Player(by), at + after, square, Holds::Nothing);
        }
        let mut lifted = board.clone();
        lifted.discard_piece_at(a);
        lifted.discard_piece_at(b);
        let mut end = self.shuffle_about(at + 700.0, &lifted, &wrong);
        if !rightly {
            end = self.shuffle_about(end + wait as f64, &wrong, &board);
        }
        self.ready = end + 300.0;
        true
    }

    fn sweep_off(&mut self, pieces: usize) -> bool {
        let (by, mut at) = (self.mover(), self.stillness());
        let board = self.position.board().clone();
        let squares = self.dice.shuffled(board.occupied().into_iter().collect());
        let mut left = board.clone();
        for &square in squares.iter().take(pieces) {
            left.discard_piece_at(square);
            self.line
                .square(Whose::Player(by), at, square, Holds::Nothing);
            at += self.dice.between(40.0, 200.0);
        }
        self.shuffle_about(at + 1500.0, &left, &board);
        pieces > 0
    }

    fn analyse(&mut self, moves: usize) -> bool {
        let mut at = self.stillness();
        let start = self.position.clone();
        let mut tried = start.clone();
        for _ in 0..moves.min(MOST_TRIED) {
            let Some(m) = self.dice.pick(&tried.legal_moves()) else {
                break;
            };
            let before = tried.board().clone();
            tried.play_unchecked(m);
            at = self.shuffle_about(at, &before, tried.board()) + self.dice.between(300.0, 900.0);
        }
        self.shuffle_about(at + 600.0, tried.board(), start.board());
        moves > 0
    }

    fn foreign_piece(&mut self, wait: Millis) -> bool {
        let at = self.stillness();
        let empty: Vec<Square> = (!self.position.board().occupied() & self.quiet())
            .into_iter()
            .collect();
        let Some(square) = self.dice.pick(&empty) else {
            return false;
        };
        let piece = self.mover().other().knight();
        self.line
            .square(Whose::Other, at, square, Holds::One(piece));
        self.line
            .square(Whose::Other, at + wait as f64, square, Holds::Nothing);
        self.ready = at + 500.0;
        true
    }

    fn press_and_back(&mut self, wait: f64) -> bool {
        let (by, at) = (self.mover(), self.stillness());
        if self.push_rocker(at, by).is_none() {
            return false;
        }
        self.push_rocker(at + wait, by.other());
        self.ready = at + wait + 300.0;
        true
    }

    fn clock_paused(&mut self, wait: Millis) -> bool {
        let at = self.stillness();
        self.pause_clock(at, at + wait as f64);
        self.ready = at + wait as f64 + 300.0;
        true
    }

    fn time_added(&mut self, time: Millis) -> bool {
        let (at, by) = (self.stillness(), self.mover());
        let Some(running) = self.clock.running() else {
            return false;
        };
        self.stop_clock(at);
        let mut left = self.clock.left(ms(at));
        *left.get_mut(by.other()) += time;
        self.clock.set(left);
        self.line.push(
            Whose::Other,
            at + 4000.0,
            Act::ClockSet {
                time: left,
                increment: self.clock.increment(),
            },
        );
        self.start_clock(at + 6000.0, running);
        self.ready = at + 6500.0;
        true
    }

    /// A few legal moves are played and pressed, then taken back.
    fn take_back(&mut self, plies: usize) -> bool {
        let (start, mut at) = (self.position.clone(), self.stillness());
        let mut position = start.clone();
        for _ in 0..plies.min(MOST_TRIED) {
            let next = self.moves.get(self.ply).copied();
            let legal = position.legal_moves();
            let others: Vec<_> = legal.iter().copied().filter(|m| Some(*m) != next).collect();
            let Some(m) = self.dice.pick(&others) else {
                break;
            };
            let (before, by) = (position.board().clone(), position.turn());
            position.play_unchecked(m);
            let made = self.rearrange(Whose::Player(by), at, &before, position.board());
            self.push_rocker(made + 500.0, by);
            at = made + self.dice.between(1500.0, 4000.0);
        }
        self.stop_clock(at);
        let end = self.shuffle_about(at + 3000.0, position.board(), start.board());
        self.start_clock(end + 2000.0, start.turn());
        self.ready = end + 2500.0;
        plies > 0
    }

    /// The player who has just moved changes his move, and changes it back.
    fn change_move(&mut self, wait: Millis) -> bool {
        let Some(&last) = self.ply.checked_sub(1).and_then(|ply| self.moves.get(ply)) else {
            return false;
        };
        let (by, at, board) = (
            self.mover().other(),
            self.stillness(),
            self.position.board().clone(),
        );
        let square = last.to();
        let Some(piece) = board
            .piece_at(square)
            .filter(|_| !last.is_castle() && !last.is_promotion())
        else {
            return false;
        };
        let near: Vec<Square> = (!board.occupied())
            .into_iter()
            .filter(|other| other.distance(square) == 1)
            .collect();
        let Some(other) = self.dice.pick(&near) else {
            return false;
        };
        let mut changed = board.clone();
        changed.discard_piece_at(square);
        changed.set_piece_at(other, piece);
        let there = self.rearrange(Whose::Player(by), at, &board, &changed);
        let end = self.rearrange(Whose::Player(by), there + wait as f64, &changed, &board);
        self.use_hand(by, end);
        self.ready = end + 300.0;
        true
    }

    fn lift_and_return(&mut self, whose: Whose, at: f64, square: Square, median: f64) -> f64 {
        let end = at + self.dice.around(median, 0.5);
        self.line.square(whose, at, square, Holds::Nothing);
        self.put_back(whose, end, square);
        end
    }

    /// What stands on a square in the game stands there again.
    pub(super) fn put_back(&mut self, whose: Whose, at: f64, square: Square) {
        if let Some(piece) = self.position.board().piece_at(square) {
            self.line.square(whose, at, square, Holds::One(piece));
        }
    }

    /// One of the pieces on `squares` of a board.
    pub(super) fn some_piece(
        &mut self,
        board: &Board,
        squares: Bitboard,
    ) -> Option<(Square, Piece)> {
        let squares: Vec<Square> = (squares & board.occupied()).into_iter().collect();
        let square = self.dice.pick(&squares)?;
        board.piece_at(square).map(|piece| (square, piece))
    }
}

/// The next piece to take up and where it goes: to its square, aside if it is in the way, or from aside to its square.
fn next_step(board: &Board, to: &Board) -> Option<(Square, Option<Square>)> {
    let wrong = |square: &Square| board.piece_at(*square) != to.piece_at(*square);
    let misplaced: Vec<Square> = Square::ALL
        .into_iter()
        .filter(|square| wrong(square) && board.piece_at(*square).is_some())
        .collect();
    let open: Vec<Square> = Square::ALL
        .into_iter()
        .filter(|square| wrong(square) && board.piece_at(*square).is_none())
        .collect();
    for &from in &misplaced {
        let home = open
            .iter()
            .find(|home| to.piece_at(**home) == board.piece_at(from));
        if let Some(&home) = home {
            return Some((from, Some(home)));
        }
    }
    misplaced
        .first()
        .map(|&square| (square, None))
        .or(open.first().map(|&square| (square, Some(square))))
}

fn exchanged(board: &Board, a: Square, b: Square) -> Board {
    let mut board = board.clone();
    let (first, second) = (board.remove_piece_at(a), board.remove_piece_at(b));
    if let (Some(first), Some(second)) = (first, second) {
        board.set_piece_at(b, first);
        board.set_piece_at(a, second);
    }
    board
}
