//! A phase: the pawns as they stand, and for every other man the squares it may stand on.

use shakmaty::{Bitboard, Chess, Color, Position, Role};

use super::kings::Kings;

/// How a man moves; a promoted man may be any piece, so it moves as queen and knight in one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Kind {
    /// King.
    King,
    /// Queen.
    Queen,
    /// Rook.
    Rook,
    /// Bishop.
    Bishop,
    /// Knight.
    Knight,
    /// A man that came out of a promotion: queen, rook, bishop or knight.
    Promoted,
}

impl Kind {
    fn of(role: Role) -> Option<Self> {
        match role {
            Role::King => Some(Self::King),
            Role::Queen => Some(Self::Queen),
            Role::Rook => Some(Self::Rook),
            Role::Bishop => Some(Self::Bishop),
            Role::Knight => Some(Self::Knight),
            Role::Pawn => None,
        }
    }

    /// Moves along ranks and files.
    pub(super) fn is_straight(self) -> bool {
        matches!(self, Self::Queen | Self::Rook | Self::Promoted)
    }

    /// Moves along diagonals.
    pub(super) fn is_diagonal(self) -> bool {
        matches!(self, Self::Queen | Self::Bishop | Self::Promoted)
    }

    /// Leaps as a knight.
    pub(super) fn is_leaper(self) -> bool {
        matches!(self, Self::Knight | Self::Promoted)
    }
}

/// A man that is no pawn, somewhere on `squares`; nowhere when `squares` is empty.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Man {
    /// Its side.
    pub color: Color,
    /// Its way of moving.
    pub kind: Kind,
    /// Every square it may stand on.
    pub squares: Bitboard,
    /// False when it may have been captured.
    pub certain: bool,
    /// Keeps its one square for as long as the phase lasts: each of its moves leads into another phase.
    pub anchored: bool,
}

impl Man {
    /// Stands on one known square and cannot have been captured.
    pub(super) fn is_hard(&self) -> bool {
        self.certain && self.squares.single_square().is_some()
    }

    pub(super) fn is_king(&self) -> bool {
        self.kind == Kind::King
    }

    fn within(&self, other: &Man) -> bool {
        self.kind == other.kind
            && self.color == other.color
            && self.squares.is_subset(other.squares)
            && (self.certain || !other.certain)
    }
}

/// Pawns exactly, the other men by sets of squares. Men keep their index from phase to phase; promoted men are added at the end.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Phase {
    /// White pawns.
    pub white_pawns: Bitboard,
    /// Black pawns.
    pub black_pawns: Bitboard,
    /// Every other man.
    pub men: Vec<Man>,
    /// The kings as pairs with the side to move, where the proof needs to know.
    pub kings: Option<Box<Kings>>,
}

impl Phase {
    /// The phase of exactly one position, before anything has moved.
    pub(super) fn of(pos: &Chess) -> Self {
        let board = pos.board();
        let mut men = Vec::with_capacity(20);
        for (square, piece) in board.iter() {
            if let Some(kind) = Kind::of(piece.role) {
                men.push(Man {
                    color: piece.color,
                    kind,
                    squares: Bitboard::from_square(square),
                    certain: true,
                    anchored: false,
                });
            }
        }
        Self {
            white_pawns: board.pawns() & board.white(),
            black_pawns: board.pawns() & board.black(),
            men,
            kings: None,
        }
    }

    /// The same with the kings as a pair.
    pub(super) fn sharp(pos: &Chess) -> Self {
        Self {
            kings: Some(Box::new(Kings::of(pos))),
            ..Self::of(pos)
        }
    }

    /// A copy that leaves the pairs of kings behind; whoever moves on brings his own.
    pub(super) fn without_kings(&self) -> Self {
        Self {
            white_pawns: self.white_pawns,
            black_pawns: self.black_pawns,
            men: self.men.clone(),
            kings: None,
        }
    }

    pub(super) fn pawns(&self, color: Color) -> Bitboard {
        color.fold_wb(self.white_pawns, self.black_pawns)
    }

    pub(super) fn pawns_mut(&mut self, color: Color) -> &mut Bitboard {
        color.fold_wb(&mut self.white_pawns, &mut self.black_pawns)
    }

    pub(super) fn all_pawns(&self) -> Bitboard {
        self.white_pawns | self.black_pawns
    }

    /// Squares of men of `color` that certainly stand there.
    pub(super) fn hard(&self, color: Color) -> Bitboard {
        let hard = self.men.iter().filter(|m| m.color == color && m.is_hard());
        hard.fold(Bitboard::EMPTY, |all, m| all | m.squares)
    }

    /// Nothing is left of `color` but the king.
    pub(super) fn is_bare(&self, color: Color) -> bool {
        let mut men = self.men.iter().filter(|m| m.color == color);
        self.pawns(color).is_empty() && men.all(|m| m.is_king() || m.squares.is_empty())
    }

    /// Every position of this phase is also one of `other`.
    pub(super) fn within(&self, other: &Phase) -> bool {
        self.men_within(other, Man::within)
            && match (&self.kings, &other.kings) {
                (_, None) => true,
                (Some(mine), Some(theirs)) => mine.within(theirs),
                (None, Some(_)) => false,
            }
    }

    /// The same, wherever the kings may stand.
    pub(super) fn within_but_for_kings(&self, other: &Phase) -> bool {
        self.men_within(other, |mine, theirs| mine.is_king() || mine.within(theirs))
    }

    /// Lets the kings stand where those of `more` may.
    pub(super) fn join_kings(&mut self, more: &Phase) {
        for (king, more) in self.men.iter_mut().zip(&more.men) {
            if king.is_king() {
                king.squares |= more.squares;
            }
        }
        if let (Some(pairs), Some(more)) = (&mut self.kings, &more.kings) {
            pairs.join(more);
        }
    }

    fn men_within(&self, other: &Phase, within: impl Fn(&Man, &Man) -> bool) -> bool {
        let (shared, extra) = self.men.split_at(self.men.len().min(other.men.len()));
        self.white_pawns == other.white_pawns
            && self.black_pawns == other.black_pawns
            && shared.iter().zip(&other.men).all(|(a, b)| within(a, b))
            && extra.iter().all(|m| m.squares.is_empty())
            && other.men[shared.len()..].iter().all(|m| !m.certain)
    }
}
