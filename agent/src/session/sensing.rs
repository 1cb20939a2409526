//! Boards that only know occupied squares: which piece is taken to stand where, for those who look at the raw board.

use protocol::Millis;
use shakmaty::{Bitboard, Color, Piece, Role, Square};

use super::device::Device;
use super::recorder::placement_of;
use crate::devices::{self, Pace, Placement};
use crate::tracker::{Profile, Reading, Readings, Sensing};

/// Pieces that were lifted and not seen again, at most so many.
const LIFTED: usize = 4;

impl Device {
    /// How quickly the board reports.
    pub(super) fn profile(&self) -> Profile {
        let family = devices::driver(self.memory.device.family());
        match family.map_or(Pace::Sweep, |driver| driver.about().pace) {
            _ if self.bluetooth => Profile::Bluetooth,
            Pace::Sweep => Profile::Usb,
            Pace::Frames => Profile::Rfid,
            Pace::Fast => Profile::Fast,
        }
    }

    /// One square as the tracker takes it.
    pub(super) fn reading(&self, piece: Option<Piece>) -> Reading {
        self.sensing.see(piece.map_or(Reading::EMPTY, Reading::of))
    }

    /// All squares as the tracker takes them.
    pub(super) fn readings(&self, placement: &Placement) -> Box<Readings> {
        Box::new(placement.squares().map(|piece| self.reading(piece)))
    }

    /// One square of a board that cannot tell pieces apart.
    pub(super) fn hear_occupied(&mut self, now: Millis, square: Square, occupied: bool) {
        self.senses_occupied_squares();
        let board = self.board.unwrap_or(Placement::EMPTY);
        let piece = match (board.at(square), occupied) {
            (Some(piece), false) => {
                self.lift(piece);
                None
            }
            (known @ Some(_), true) => known,
            (None, true) => Some(self.put_down()),
            (None, false) => None,
        };
        self.hear_square(now, square, piece);
    }

    /// The whole of such a board: where the game has a piece, it is that one.
    pub(super) fn hear_occupancy(&mut self, now: Millis, occupied: Bitboard) {
        self.senses_occupied_squares();
        self.flush_squares(now);
        let before = self.board.unwrap_or(Placement::EMPTY);
        let position = self.position();
        let mut placement = Placement::EMPTY;
        for square in occupied {
            let piece = position.at(square).or(before.at(square));
            let piece = piece.unwrap_or_else(|| self.put_down());
            placement.set(square, Some(piece));
        }
        self.hear_dump(now, placement);
    }

    /// The record went on: what stands where the game has a piece is that piece.
    pub(super) fn name_pieces(&mut self) {
        if self.sensing != Sensing::Occupancy {
            return;
        }
        let position = self.position();
        let Some(board) = &mut self.board else { return };
        for (square, piece) in position.iter() {
            if piece.is_some() && board.at(square).is_some() {
                board.set(square, piece);
            }
        }
    }

    fn senses_occupied_squares(&mut self) {
        if self.sensing != Sensing::Occupancy {
            self.sensing = Sensing::Occupancy;
            self.begin_recording();
        }
    }

    fn position(&self) -> Placement {
        placement_of(&self.start().reach(self.memory.played()).now)
    }

    fn lift(&mut self, piece: Piece) {
        if self.lifted.len() == LIFTED {
            self.lifted.remove(0);
        }
        self.lifted.push(piece);
    }

    fn put_down(&mut self) -> Piece {
        self.lifted.pop().unwrap_or(Role::Pawn.of(Color::White))
    }
}
