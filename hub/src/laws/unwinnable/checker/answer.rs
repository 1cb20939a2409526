//! Whether a proof proves its verdict.

use shakmaty::{Bitboard, Chess, Color, Move, Position, Role};

use super::{cover, phases};
use crate::laws::unwinnable::{budget::Budget, material::Lemma, verdict::Certificate};

/// Replays `line`; its last move, or the position itself if it is empty, must be mate by `winner`.
pub(in crate::laws::unwinnable) fn accepts_line(pos: &Chess, winner: Color, line: &[Move]) -> bool {
    let mut at = pos.clone();
    for &m in line {
        if !at.is_legal(m) {
            return false;
        }
        at.play_unchecked(m);
    }
    at.turn() != winner && at.is_checkmate()
}

/// Whether `certificate` shows that `winner` cannot mate from `pos`; nothing when the budget ended before that was known. Visited
/// positions are taken as counted (see [`super::rewalk`]), the phases at which the search turned back are not.
pub(in crate::laws::unwinnable) fn accepts(
    pos: &Chess,
    winner: Color,
    certificate: &Certificate,
    budget: &mut Budget<'_>,
) -> Option<bool> {
    Some(match certificate {
        Certificate::Mated => pos.is_checkmate() && pos.turn() == winner,
        Certificate::Stalemate => pos.is_stalemate(),
        Certificate::Material(lemma) => !pos.is_checkmate() && lemma_holds(pos, winner, *lemma),
        Certificate::Closed { phases } => {
            !pos.is_checkmate()
                && cover::covers(phases, pos)
                && phases::are_sound(phases, winner, budget)?
        }
        Certificate::Exhausted { positions, phases } => {
            *positions > 0 && phases::are_sound(phases, winner, budget)?
        }
    })
}

/// The three lemmas, by counting men.
pub(super) fn lemma_holds(pos: &Chess, winner: Color, lemma: Lemma) -> bool {
    let count = |color: Color, role: Role| pos.board().by_piece(role.of(color)).count();
    let both = |role: Role| count(winner, role) + count(!winner, role);
    let men = |color: Color| pos.board().by_color(color).count();
    match lemma {
        Lemma::BareKing => men(winner) == 1,
        Lemma::KnightAgainstQueens => {
            men(winner) == 2
                && count(winner, Role::Knight) == 1
                && men(!winner) == 1 + count(!winner, Role::Queen)
        }
        Lemma::OneColouredBishops => {
            let light = (pos.board().bishops() & Bitboard::LIGHT_SQUARES).count();
            men(winner) == 1 + count(winner, Role::Bishop)
                && both(Role::Pawn) + both(Role::Knight) == 0
                && (light == 0 || light == both(Role::Bishop))
        }
    }
}
