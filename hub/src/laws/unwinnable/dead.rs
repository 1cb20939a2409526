//! Dead positions: neither side can mate by any series of legal moves, and the game is over (5.2.2).

use shakmaty::{Chess, Color, Move, Position};

use super::{
    budget::Budget,
    verdict::{Certificate, Reason, Verdict, verdict},
};

/// Whether a position is dead, with the proof.
#[derive(Clone, Debug, PartialEq)]
pub enum Dead {
    /// Neither side can mate.
    Dead {
        /// Why White cannot.
        white: Certificate,
        /// Why Black cannot.
        black: Certificate,
    },
    /// One side can.
    Alive {
        /// Who.
        winner: Color,
        /// By which moves.
        line: Vec<Move>,
    },
    /// Not found out in the work allowed.
    Undecided {
        /// Nodes spent.
        work: u64,
        /// Why the work ended.
        reason: Reason,
    },
}

/// Shares of the budget in turn: a little for each side, then the rest. The side with more men is asked first.
const SHARES: [u64; 3] = [600, 20_000, u64::MAX];

/// Whether `pos` is dead.
pub fn dead(pos: &Chess, budget: &mut Budget<'_>) -> Dead {
    let strength = |color: Color| pos.board().by_color(color).count();
    let first = Color::from_white(strength(Color::White) >= strength(Color::Black));
    let mut proofs: [Option<Certificate>; 2] = [None, None];
    let mut reason = Reason::Nodes;
    for share in SHARES {
        for (side, winner) in [first, !first].into_iter().enumerate() {
            if proofs[side].is_some() {
                continue;
            }
            match budget.with_part(share, |part| verdict(pos, winner, part)) {
                Verdict::Winnable { line } => return Dead::Alive { winner, line },
                Verdict::Unwinnable { certificate } => proofs[side] = Some(certificate),
                Verdict::Undecided { reason: why, .. } => reason = why,
            }
        }
        if proofs.iter().all(Option::is_some) || budget.left() == 0 {
            break;
        }
    }
    match proofs {
        [Some(mine), Some(other)] => {
            let (white, black) = first.fold_wb((mine.clone(), other.clone()), (other, mine));
            Dead::Dead { white, black }
        }
        _ => Dead::Undecided {
            work: budget.spent(),
            reason,
        },
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::laws::unwinnable::position_from_fen;

    fn ask(fen: &str) -> Dead {
        let mut never = || false;
        let pos = position_from_fen(fen).expect("a position");
        dead(&pos, &mut Budget::new(50_000, &mut never))
    }

    #[test]
    fn art_5_2_2_material_alone() {
        for fen in [
            "4k3/8/8/8/8/8/8/4K3 w - - 0 1",
            "4k3/8/8/8/8/8/8/4KN2 w - - 0 1",
            "4kb2/8/8/8/8/8/8/4K1B1 w - - 0 1",
        ] {
            assert!(matches!(ask(fen), Dead::Dead { .. }), "{fen}");
        }
    }

    #[test]
    fn art_5_2_2_closed_walls() {
        let wall = "8/8/4k3/p1p1p1p1/P1P1P1P1/4K3/8/8 w - - 0 1";
        assert!(matches!(
            ask(wall),
            Dead::Dead {
                white: Certificate::Closed { .. },
                black: Certificate::Closed { .. }
            }
        ));
    }

    #[test]
    fn a_position_where_one_side_can_mate_is_alive() {
        let queen = "4k3/8/8/8/8/8/8/4KQ2 b - - 0 1";
        assert!(matches!(
            ask(queen),
            Dead::Alive {
                winner: Color::White,
                ..
            }
        ));
    }
}
