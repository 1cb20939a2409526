//! Appendices A and B: until when an irregularity can be acted upon, what stands afterwards, and the draw of A.5.4.

use protocol::Regime;
use shakmaty::{Bitboard, Board, Color, Rank, Role, Square};

use super::{Lapse, Laws};

/// What the opponent has done since the irregular move.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Reply {
    /// Nothing.
    None,
    /// He has touched a piece.
    Touched,
    /// He has made his move: the piece is released (4.7).
    Made,
    /// He has completed it.
    Completed,
}

/// Whether an irregular move can no longer be acted upon (A.5.2; 2001 B.5b, C.3).
pub fn lapsed(laws: &Laws, regime: Regime, reply: Reply) -> bool {
    match laws.illegal.of(regime).lapse {
        Lapse::Never => false,
        Lapse::OpponentTouches => reply >= Reply::Touched,
        Lapse::OpponentMoves => reply >= Reply::Made,
    }
}

/// A position that no legal game reaches and that the rules name.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum IllegalPosition {
    /// Both kings are in check.
    BothKingsInCheck,
    /// A pawn stands on the last rank.
    PawnOnLastRank(Square),
}

/// Whether a board shows one.
pub fn illegal_position(board: &Board) -> Option<IllegalPosition> {
    if in_check(board, Color::White) && in_check(board, Color::Black) {
        return Some(IllegalPosition::BothKingsInCheck);
    }
    last_rank_pawn(board, Color::White)
        .or_else(|| last_rank_pawn(board, Color::Black))
        .map(IllegalPosition::PawnOnLastRank)
}

fn in_check(board: &Board, color: Color) -> bool {
    let king = board.king_of(color);
    king.is_some_and(|k| board.attacks_to(k, !color, board.occupied()).any())
}

fn last_rank_pawn(board: &Board, color: Color) -> Option<Square> {
    let last = Bitboard::from_rank(color.fold_wb(Rank::Eighth, Rank::First));
    (board.by_color(color) & board.by_role(Role::Pawn) & last).first()
}

/// What is to be done about an illegal position.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Stands {
    /// The arbiter acts at once (7.5).
    Act,
    /// Wait until the next move is completed.
    Wait,
    /// It is still there: the game is drawn.
    Drawn,
}

/// The rule for an illegal position; `completed_since` says that another move was completed while it stood (A.5.4).
pub fn illegal_position_stands(laws: &Laws, regime: Regime, completed_since: bool) -> Stands {
    let rule = laws.illegal.of(regime);
    match (rule.lapse, completed_since) {
        (Lapse::Never, _) => Stands::Act,
        (_, _) if !laws.ends_unclaimed => Stands::Act,
        (_, false) => Stands::Wait,
        (_, true) => Stands::Drawn,
    }
}

/// Who may claim a win on time, and what makes the claim valid.
pub fn flag_claim_words(laws: &Laws, regime: Regime) -> Vec<&'static str> {
    match laws.flag.of(regime) {
        super::FlagCall::Arbiter => vec![
            "You call the flag as soon as you see it.",
            "The claimant may stop the clocks; drawn if he cannot mate by any series of legal moves.",
        ],
        super::FlagCall::Player => vec![
            "Say nothing: only a player's claim counts.",
            "The claimant stops both clocks; his own flag must be up and the other down.",
        ],
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use protocol::{EditionId, Speed};

    fn regime(speed: Speed, supervised: bool) -> Regime {
        Regime { speed, supervised }
    }

    #[test]
    fn art_a_5_2_an_illegal_move_lapses() {
        use EditionId::*;
        let rows = [
            (Fide2023, Speed::Blitz, false, Reply::Touched, false),
            (Fide2023, Speed::Blitz, false, Reply::Made, true),
            (Fide2023, Speed::Rapid, false, Reply::Made, true),
            (Fide2023, Speed::Rapid, true, Reply::Completed, false),
            (Fide2023, Speed::Standard, true, Reply::Completed, false),
            (Fide2001, Speed::Rapid, false, Reply::Touched, true),
            (Fide2001, Speed::Blitz, false, Reply::Touched, false),
            (Fide2001, Speed::Blitz, false, Reply::Made, true),
            (Fide1929, Speed::Standard, true, Reply::Touched, true),
        ];
        for (edition, speed, supervised, reply, want) in rows {
            let laws = Laws::of(edition);
            let at = regime(speed, supervised);
            assert_eq!(lapsed(laws, at, reply), want, "{edition} {at:?} {reply:?}");
        }
    }

    #[test]
    fn art_a_5_4_positions_that_are_illegal() {
        use IllegalPosition::*;
        let rows = [
            ("4k3/8/8/8/8/8/8/4R1K1", None),
            ("4k1r1/8/8/8/8/8/8/4R1K1", Some(BothKingsInCheck)),
            ("4P2k/8/8/8/8/8/8/4K3", Some(PawnOnLastRank(Square::E8))),
            ("7k/8/8/8/8/8/8/p3K3", Some(PawnOnLastRank(Square::A1))),
            ("p6k/8/8/8/8/8/8/4K3", None),
            ("8/8/8/8/8/8/8/8", None),
        ];
        for (fen, want) in rows {
            let board = Board::from_ascii_board_fen(fen.as_bytes()).expect("board");
            assert_eq!(illegal_position(&board), want, "{fen}");
        }
    }

    #[test]
    fn art_a_5_4_wait_for_the_next_move_then_draw() {
        use EditionId::*;
        let rows = [
            (Fide2023, regime(Speed::Blitz, false), false, Stands::Wait),
            (Fide2023, regime(Speed::Blitz, false), true, Stands::Drawn),
            (Fide2023, regime(Speed::Rapid, true), true, Stands::Act),
            (Fide2023, Regime::default(), true, Stands::Act),
        ];
        for (edition, at, since, want) in rows {
            assert_eq!(illegal_position_stands(Laws::of(edition), at, since), want);
        }
        let blitz = regime(Speed::Blitz, false);
        assert!(flag_claim_words(Laws::of(Fide2001), blitz)[0].contains("Say nothing"));
        assert!(flag_claim_words(Laws::of(Fide2023), blitz)[0].contains("You call"));
    }
}
