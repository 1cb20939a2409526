//! One phase, looked at square by square.

use shakmaty::{Bitboard, Color, Square, attacks};

use crate::laws::unwinnable::phase::{Kind, Man, Phase};

/// A phase and the squares that are certainly taken in it.
pub(super) struct View<'p> {
    pub phase: &'p Phase,
    fixed: [Bitboard; 2],
    fixed_kings: Bitboard,
}

/// Certainly there, and on which square.
pub(super) fn fixed_square(man: &Man) -> Option<Square> {
    let mut squares = man.squares.into_iter();
    let first = squares.next()?;
    (man.certain && squares.next().is_none()).then_some(first)
}

/// Squares a man of this kind attacks from `at`.
pub(super) fn attacked(kind: Kind, at: Square, occupied: Bitboard) -> Bitboard {
    match kind {
        Kind::King => attacks::king_attacks(at),
        Kind::Queen => attacks::queen_attacks(at, occupied),
        Kind::Rook => attacks::rook_attacks(at, occupied),
        Kind::Bishop => attacks::bishop_attacks(at, occupied),
        Kind::Knight => attacks::knight_attacks(at),
        Kind::Promoted => attacks::queen_attacks(at, occupied) | attacks::knight_attacks(at),
    }
}

pub(super) fn pawns(phase: &Phase, color: Color) -> Bitboard {
    color.fold_wb(phase.white_pawns, phase.black_pawns)
}

impl<'p> View<'p> {
    pub(super) fn new(phase: &'p Phase) -> Self {
        let mut fixed = [phase.white_pawns, phase.black_pawns];
        let mut fixed_kings = Bitboard::EMPTY;
        for man in &phase.men {
            if let Some(at) = fixed_square(man) {
                fixed[side(man.color)].add(at);
                if man.kind == Kind::King {
                    fixed_kings.add(at);
                }
            }
        }
        Self {
            phase,
            fixed,
            fixed_kings,
        }
    }

    /// Pawns and men of `color` that certainly stand there.
    pub(super) fn fixed(&self, color: Color) -> Bitboard {
        self.fixed[side(color)]
    }

    /// The same of both colours.
    pub(super) fn fixed_of_both(&self) -> Bitboard {
        self.fixed[0] | self.fixed[1]
    }

    /// The same of both colours, kings left out.
    pub(super) fn fixed_without_kings(&self) -> Bitboard {
        self.fixed_of_both() & !self.fixed_kings
    }

    /// Squares attacked by pawns of `color`.
    pub(super) fn pawn_guard(&self, color: Color) -> Bitboard {
        let mut guard = Bitboard::EMPTY;
        for at in pawns(self.phase, color) {
            guard |= attacks::pawn_attacks(color, at);
        }
        guard
    }

    /// Squares that the king of `color` can never stand on after a move of its own side.
    pub(super) fn forbidden_to_king(&self, color: Color) -> Bitboard {
        let mut anywhere = self.phase.white_pawns | self.phase.black_pawns;
        for man in &self.phase.men {
            if man.kind != Kind::King || man.color != color {
                anywhere |= man.squares;
            }
        }
        let mut forbidden = self.pawn_guard(!color);
        for man in self
            .phase
            .men
            .iter()
            .filter(|m| m.color != color && m.kind != Kind::Promoted)
        {
            if let Some(at) = fixed_square(man) {
                forbidden |= attacked(man.kind, at, anywhere);
            }
        }
        forbidden
    }

    /// Whether the king on `king` is in check for certain after man `index` of its side has gone to `to`.
    pub(super) fn leaves_in_check(&self, index: usize, to: Square, king: Square) -> bool {
        let man = &self.phase.men[index];
        let mut between = self.phase.white_pawns | self.phase.black_pawns;
        between.add(to);
        for (i, other) in self.phase.men.iter().enumerate() {
            let gone = i == index && fixed_square(other).is_some();
            if !gone && (other.kind != Kind::King || other.color != man.color) {
                between |= other.squares;
            }
        }
        let mut men = self.phase.men.iter();
        self.pawn_guard(!man.color).contains(king)
            || men.any(|enemy| {
                enemy.color != man.color
                    && enemy.kind != Kind::Promoted
                    && fixed_square(enemy)
                        .is_some_and(|at| attacked(enemy.kind, at, between).contains(king))
            })
    }

    /// Whether a pawn or a man of the other side certainly can take the only man of `color` that gives check to the king on `king` from
    /// `at`: it attacks `at` whoever stands where, and no slider of `color` may stand behind it.
    pub(super) fn is_taken_for_certain(&self, at: Square, color: Color, king: Square) -> bool {
        let mut anyone = (self.phase.white_pawns | self.phase.black_pawns).with(king);
        for man in &self.phase.men {
            anyone |= man.squares;
        }
        let pawns = attacks::pawn_attacks(color, at) & pawns(self.phase, !color);
        let men = self.phase.men.iter().filter_map(|man| {
            let known = man.color != color && !matches!(man.kind, Kind::King | Kind::Promoted);
            let from = fixed_square(man).filter(|_| known)?;
            attacked(man.kind, from, anyone)
                .contains(at)
                .then_some(from)
        });
        pawns
            .into_iter()
            .chain(men)
            .any(|from| !self.may_shield(from, color, king))
    }

    /// Whether a man on `from` may stand between the king and a slider of `color`.
    fn may_shield(&self, from: Square, color: Color, king: Square) -> bool {
        self.phase.men.iter().any(|man| {
            let mut squares = man.squares.into_iter();
            man.color == color
                && squares.any(|at| {
                    let sees = attacked(man.kind, at, Bitboard::EMPTY).contains(king);
                    attacks::between(at, king).contains(from) && sees
                })
        })
    }

    /// Every square a man can move to in one move from any of its squares, captures included.
    pub(super) fn goals(&self, man: &Man) -> Bitboard {
        let mut goals = Bitboard::EMPTY;
        for at in man.squares {
            goals |= attacked(man.kind, at, self.fixed_of_both());
        }
        goals &= !self.fixed(man.color);
        if man.kind == Kind::King {
            goals &= !self.forbidden_to_king(man.color);
        }
        goals
    }
}

fn side(color: Color) -> usize {
    usize::from(color.is_black())
}
