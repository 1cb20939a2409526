//! What the men on the board alone can tell: three lemmas.

use shakmaty::{Bitboard, Board, Color, Role};

/// A lemma that shows that `winner` cannot mate, whatever happens, where no mate stands on the board already.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Lemma {
    /// The winner has a bare king.
    BareKing,
    /// King and one knight against a king with nothing but queens: no man can block the last flight square.
    KnightAgainstQueens,
    /// King and bishops of one square colour, with no pawn, knight or bishop of the other colour on the board: the squares of the
    /// other colour next to the king can be neither guarded nor blocked.
    OneColouredBishops,
}

/// The lemma that applies to `board`, if any.
pub fn lemma(board: &Board, winner: Color) -> Option<Lemma> {
    let ours = board.by_color(winner) & !board.kings();
    let theirs = board.by_color(!winner) & !board.kings();
    if ours.is_empty() {
        return Some(Lemma::BareKing);
    }
    if ours.single_square().is_some() && ours.is_subset(board.knights()) {
        return theirs
            .is_subset(board.queens())
            .then_some(Lemma::KnightAgainstQueens);
    }
    let bishops = board.bishops();
    let one_coloured =
        bishops.is_subset(Bitboard::LIGHT_SQUARES) || bishops.is_subset(Bitboard::DARK_SQUARES);
    let strangers = board.by_role(Role::Pawn) | board.by_role(Role::Knight);
    (ours.is_subset(bishops) && one_coloured && strangers.is_empty())
        .then_some(Lemma::OneColouredBishops)
}
