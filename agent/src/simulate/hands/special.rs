//! The gestures of castling, en passant and promotion.

use shakmaty::{CastlingSide, Color, Piece, Role, Square};

use super::accident::{Castling, EnPassant, Promoting};
use super::gesture::{Hand, Holds, Touch};

/// King and rook with the squares they leave and reach.
#[derive(Clone, Copy)]
struct Pair {
    king: Piece,
    rook: Piece,
    king_from: Square,
    king_to: Square,
    rook_from: Square,
    rook_to: Square,
}

impl Pair {
    fn new(color: Color, king_from: Square, rook_from: Square) -> Pair {
        let side = CastlingSide::from_queen_side(rook_from < king_from);
        let king_to = Square::from_coords(side.king_to_file(), king_from.rank());
        let rook_to = Square::from_coords(side.rook_to_file(), king_from.rank());
        Pair {
            king: color.king(),
            rook: color.rook(),
            king_from,
            king_to,
            rook_from,
            rook_to,
        }
    }

    /// Whether one piece must go before the other can come (Chess960).
    fn cross(&self) -> bool {
        self.king_to == self.rook_from
            || self.rook_to == self.king_from
            || self.king_from == self.king_to
            || self.rook_from == self.rook_to
    }
}

impl Hand<'_> {
    /// Castles.
    pub(super) fn castle(&mut self, color: Color, king: Square, rook: Square) {
        let pair = Pair::new(color, king, rook);
        let king_takes = self.transit(pair.king_from, pair.king_to).max(90.0);
        let rook_takes = self.transit(pair.rook_from, pair.rook_to).max(90.0);
        let gap = self.dice.around(260.0, 0.4);
        match self.manner.castling {
            _ if pair.cross() => self.castle_at_once(&pair, king_takes, gap),
            Castling::KingFirst => self.king_first(&pair, king_takes, gap, rook_takes),
            Castling::RookFirst => self.rook_first(&pair, king_takes, gap, rook_takes),
            Castling::TwoHands => self.two_hands(&pair, king_takes, rook_takes),
            Castling::LateRook(wait) => {
                self.late_rook(&pair, king_takes, (wait as f64).max(700.0), rook_takes)
            }
            Castling::KingOntoRook => self.king_onto_rook(&pair, king_takes, gap, rook_takes),
        }
    }

    fn king_first(&mut self, pair: &Pair, king_takes: f64, gap: f64, rook_takes: f64) {
        self.king(pair, 0.0, king_takes);
        self.rook(pair, king_takes + gap, rook_takes);
        self.done(king_takes + gap + rook_takes);
    }

    fn rook_first(&mut self, pair: &Pair, king_takes: f64, gap: f64, rook_takes: f64) {
        self.gesture.signs.push("rook first");
        self.rook(pair, 0.0, rook_takes);
        self.king(pair, rook_takes + gap, king_takes);
        self.done(rook_takes + gap + king_takes);
    }

    fn two_hands(&mut self, pair: &Pair, king_takes: f64, rook_takes: f64) {
        self.gesture.signs.push("two hands");
        let lead = self.dice.between(-90.0, 90.0);
        let (king_at, rook_at) = (lead.max(0.0), (-lead).max(0.0));
        self.king(pair, king_at, king_takes);
        self.rook(pair, rook_at, rook_takes);
        self.done((king_at + king_takes).max(rook_at + rook_takes));
    }

    fn late_rook(&mut self, pair: &Pair, king_takes: f64, wait: f64, rook_takes: f64) {
        self.king_first(pair, king_takes, wait, rook_takes);
        self.gesture.signs.push("late rook");
        self.gesture.pressable = king_takes;
    }

    fn king_onto_rook(&mut self, pair: &Pair, king_takes: f64, gap: f64, rook_takes: f64) {
        self.gesture.signs.push("king onto rook");
        let (aside, down, again) = (king_takes * 0.8, king_takes, king_takes + gap);
        self.touch(0.0, pair.king_from, Holds::Nothing);
        self.touch(aside, pair.rook_from, Holds::Nothing);
        self.touch(down, pair.rook_from, Holds::One(pair.king));
        self.touch(again, pair.rook_from, Holds::Nothing);
        self.touch(again + 150.0, pair.king_to, Holds::One(pair.king));
        self.touch(
            again + 150.0 + rook_takes,
            pair.rook_to,
            Holds::One(pair.rook),
        );
        self.done(again + 150.0 + rook_takes);
    }

    /// Both pieces are taken into the hand before either is put down; a piece that stays is not touched.
    fn castle_at_once(&mut self, pair: &Pair, takes: f64, gap: f64) {
        let pieces = [
            (pair.king, pair.king_from, pair.king_to),
            (pair.rook, pair.rook_from, pair.rook_to),
        ];
        let (mut lift, mut put) = (0.0, takes + gap);
        for (piece, from, to) in pieces.into_iter().filter(|(_, from, to)| from != to) {
            self.touch(lift, from, Holds::Nothing);
            self.touch(put, to, Holds::One(piece));
            self.done(put);
            lift += takes * 0.5;
            put += gap;
        }
    }

    fn king(&mut self, pair: &Pair, at: f64, takes: f64) {
        self.touch(at, pair.king_from, Holds::Nothing);
        self.touch(at + takes, pair.king_to, Holds::One(pair.king));
    }

    fn rook(&mut self, pair: &Pair, at: f64, takes: f64) {
        self.touch(at, pair.rook_from, Holds::Nothing);
        self.touch(at + takes, pair.rook_to, Holds::One(pair.rook));
    }

    /// Captures en passant.
    pub(super) fn en_passant(&mut self, color: Color, from: Square, to: Square) {
        let (pawn, victim) = (color.pawn(), Square::from_coords(to.file(), from.rank()));
        if self.manner.en_passant == EnPassant::VictimFirst {
            self.gesture.signs.push("victim first");
            self.touch(0.0, victim, Holds::Nothing);
            let at = self.dice.around(330.0, 0.4);
            let end = self.carry(at, from, to, pawn, Holds::One(pawn));
            return self.done(end);
        }
        let end = self.carry(0.0, from, to, pawn, Holds::One(pawn));
        self.victim_after(end, victim);
    }

    fn victim_after(&mut self, end: f64, victim: Square) {
        let gap = self.dice.around(340.0, 0.4);
        match self.manner.en_passant {
            EnPassant::LateVictim(wait) => {
                self.gesture.signs.push("late victim");
                let off = end + (wait as f64).max(700.0);
                self.touch(off, victim, Holds::Nothing);
                self.done(off);
                self.gesture.pressable = end;
            }
            EnPassant::Forgotten(wait) => {
                self.gesture.signs.push("victim forgotten");
                self.done(end);
                self.later(end + wait as f64, victim, Holds::Nothing);
            }
            _ => {
                self.touch(end + gap, victim, Holds::Nothing);
                self.done(end + gap);
            }
        }
    }

    fn later(&mut self, after: f64, square: Square, holds: Holds) {
        self.gesture.afterwards.push(Touch {
            after,
            square,
            holds,
        });
    }

    /// Promotes, with or without a capture.
    pub(super) fn promote(&mut self, from: Square, to: Square, new: Piece) {
        let mut victim = self.board.piece_at(to).is_some();
        let mut at = 0.0;
        let replaced = !matches!(
            self.manner.promoting,
            Promoting::Direct | Promoting::QueenFirst
        );
        if victim && (!replaced || self.dice.chance(0.5)) {
            self.touch(0.0, to, Holds::Nothing);
            at = self.dice.around(self.habits.taking_extra, 0.4);
            victim = false;
        }
        match self.manner.promoting {
            Promoting::Direct => self.new_piece_directly(at, from, to, new),
            Promoting::QueenFirst => self.new_piece_first(at, from, to, new),
            _ => self.pawn_first(at, from, to, new, victim),
        }
    }

    fn new_piece_directly(&mut self, at: f64, from: Square, to: Square, new: Piece) {
        self.gesture.signs.push("no pawn on the last rank");
        let end = at + self.dice.around(900.0, 0.4);
        self.touch(at, from, Holds::Nothing);
        self.touch(end, to, Holds::One(new));
        self.done(end);
    }

    fn new_piece_first(&mut self, at: f64, from: Square, to: Square, new: Piece) {
        self.gesture.signs.push("new piece first");
        let up = at + self.dice.around(250.0, 0.3);
        let off = up + self.dice.around(600.0, 0.4);
        self.touch(up, to, Holds::One(new));
        self.touch(off, from, Holds::Nothing);
        self.done(off);
    }

    fn pawn_first(&mut self, at: f64, from: Square, to: Square, new: Piece, victim: bool) {
        let down = at + self.transit(from, to);
        self.touch(at, from, Holds::Nothing);
        let down = if victim {
            self.touch(down, to, Holds::Nothing);
            down + self.swap_gap()
        } else {
            down
        };
        self.touch(down, to, Holds::One(new.color.pawn()));
        self.replace(down, to, new);
    }

    fn replace(&mut self, down: f64, to: Square, new: Piece) {
        let pause = self.dice.around(self.habits.promotion_pause, 0.5);
        let change = self.dice.around(450.0, 0.4);
        match self.manner.promoting {
            Promoting::Late(wait) => {
                self.gesture.signs.push("late queen");
                self.change(down + (wait as f64).max(700.0), change, to, new);
                self.gesture.pressable = down;
            }
            Promoting::Waiting(wait) => {
                self.gesture.signs.push("clock stopped for a queen");
                self.gesture.stops_clock = Some(down + 400.0);
                self.change(down + 400.0 + wait as f64, change, to, new);
            }
            Promoting::WrongPiece(wait) => {
                self.gesture.signs.push("wrong piece first");
                let role = if new.role == Role::Bishop {
                    Role::Rook
                } else {
                    Role::Bishop
                };
                let up = self.change(down + pause, change, to, Piece { role, ..new });
                self.change(up + wait as f64, change, to, new);
            }
            Promoting::UpturnedRook(wait) => {
                self.upturned_rook(down + pause, change, wait as f64, to, new)
            }
            _ => {
                self.change(down + pause, change, to, new);
            }
        }
    }

    fn upturned_rook(&mut self, at: f64, change: f64, wait: f64, to: Square, new: Piece) {
        self.gesture.signs.push("upturned rook");
        let up = self.change(at, change, to, new.color.rook());
        if new.role != Role::Rook {
            self.later(up + wait, to, Holds::Nothing);
            self.later(up + wait + change, to, Holds::One(new));
        }
    }

    /// What stands on the square is taken off and `new` put up; gives the time it stands.
    fn change(&mut self, at: f64, takes: f64, square: Square, new: Piece) -> f64 {
        self.touch(at, square, Holds::Nothing);
        self.touch(at + takes, square, Holds::One(new));
        self.done(at + takes);
        at + takes
    }
}
