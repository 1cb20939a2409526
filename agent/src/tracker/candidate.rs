//! A legal move as a change of squares: what it empties, what it fills, and what it costs before any evidence.

use shakmaty::{CastlingSide, Color, Move, Square};

use super::observation::{Reading, Readings, Sensing};
use super::prices::move_price;

/// A square a move changes and what it then holds; the origin first, then the destination.
pub(super) type Change = (u8, Reading);

/// A legal move with the squares it changes.
#[derive(Clone, Copy, Debug)]
pub(super) struct Candidate {
    pub(super) mv: Move,
    changes: [Change; 4],
    len: u8,
    /// The squares of `changes`.
    pub(super) mask: u64,
    pub(super) from: u8,
    pub(super) to: u8,
    pub(super) price: f32,
}

impl Candidate {
    pub(super) fn new(mv: Move, pred: &Readings, turn: Color, sensing: Sensing) -> Candidate {
        let from = mv.from().unwrap_or(mv.to());
        let mut changes = [(from.to_usize() as u8, Reading::EMPTY); 4];
        let mut len = 1;
        let mut push = |square: Square, reading| {
            changes[len] = (square.to_usize() as u8, reading);
            len += 1;
        };
        match mv {
            Move::Castle { king, rook } => {
                let side = if rook > king {
                    CastlingSide::KingSide
                } else {
                    CastlingSide::QueenSide
                };
                let (king_to, rook_to) = (side.king_to(turn), side.rook_to(turn));
                push(king_to, Reading::of(turn.king()));
                if rook != king_to && rook != rook_to {
                    push(rook, Reading::EMPTY);
                }
                push(rook_to, Reading::of(turn.rook()));
            }
            Move::EnPassant { from, to } => {
                push(to, Reading::of(turn.pawn()));
                push(Square::from_coords(to.file(), from.rank()), Reading::EMPTY);
            }
            _ => {
                let arrives = mv
                    .promotion()
                    .map_or(pred[from.to_usize()], |role| Reading::of(role.of(turn)));
                push(mv.to(), arrives);
            }
        }
        let mut candidate = Candidate {
            mv,
            changes,
            len: len as u8,
            mask: 0,
            from: changes[0].0,
            to: changes[1].0,
            price: move_price(mv, sensing),
        };
        candidate.drop_unmoved(pred);
        candidate.mask = candidate
            .changes()
            .iter()
            .fold(0, |mask, change| mask | 1 << change.0);
        candidate
    }

    /// Chess960: king or rook may stay where it is, or one lands where the other stood.
    fn drop_unmoved(&mut self, pred: &Readings) {
        if !self.mv.is_castle() {
            return;
        }
        let landing: Vec<u8> = self
            .changes()
            .iter()
            .filter(|c| !c.1.is_empty())
            .map(|c| c.0)
            .collect();
        let kept: Vec<Change> = self
            .changes()
            .iter()
            .copied()
            .filter(|&(square, reading)| !(reading.is_empty() && landing.contains(&square)))
            .filter(|&(square, reading)| pred[usize::from(square)] != reading)
            .collect();
        self.len = kept.len() as u8;
        self.changes[..kept.len()].copy_from_slice(&kept);
    }

    #[inline]
    pub(super) fn changes(&self) -> &[Change] {
        &self.changes[..usize::from(self.len)]
    }

    /// What arrives on the destination.
    #[inline]
    pub(super) fn arrival(&self) -> Reading {
        let to = self.to;
        self.changes()
            .iter()
            .find(|c| c.0 == to)
            .map_or(Reading::EMPTY, |c| c.1)
    }
}
