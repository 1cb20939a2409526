//! Which rule an illegal move breaks, in words: the comparison of the board before and after it (3.1-3.10, 4.7).

use protocol::{Side, lenient_position};
use shakmaty::{
    Bitboard, Board, CastlingMode, Color, Piece, Role, Setup, Square, attacks, fen::Fen,
};

/// What is wrong with a half-move.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Fault {
    /// In words: "after the move the king on c1 is attacked by the bishop on h6 (3.9.2)".
    pub words: String,
    /// Of what kind.
    pub kind: FaultKind,
}

/// Kinds of faults that are treated each in its own way.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FaultKind {
    /// A rule of the moves is broken (7.5.1).
    Rule,
    /// A pawn was left on the last rank, from one square to another, and nothing else is wrong (7.5.2).
    PawnLeft(Square, Square),
    /// A piece of the player moved who had not the move.
    OutOfTurn,
    /// The half-move itself breaks no rule: only the position before it was illegal already.
    Inherited,
}

impl Fault {
    fn of(words: impl Into<String>) -> Fault {
        Fault {
            words: words.into(),
            kind: FaultKind::Rule,
        }
    }
}

/// Whose piece moved between two positions (full FEN each), where it is one piece of one player.
pub fn moved_by(from_fen: &str, to_fen: &str) -> Option<Side> {
    let board = |fen: &str| Some(fen.parse::<Fen>().ok()?.into_setup().board);
    let (before, after) = (board(from_fen)?, board(to_fen)?);
    let moved = |side: &Side| mover(&before, &after, Color::from(*side)).is_some();
    let mut movers = Side::BOTH.into_iter().filter(moved);
    movers.next().filter(|_| movers.next().is_none())
}

/// What is wrong with the step between two positions (full FEN each); words for "nobody can tell" where they do not read.
pub fn fault(from_fen: &str, to_fen: &str, by: Side) -> Fault {
    let setup = |fen: &str| fen.parse::<Fen>().ok().map(Fen::into_setup);
    match (setup(from_fen), setup(to_fen)) {
        (Some(before), Some(after)) => compare(&before, &after.board, by.into()),
        _ => Fault::of("which rule is broken cannot be told from the board"),
    }
}

fn compare(before: &Setup, after: &Board, by: Color) -> Fault {
    if (after.kings() & after.by_color(!by)).is_empty() {
        return Fault::of("the king was taken: an illegal move, not a win");
    }
    match mover(&before.board, after, by) {
        Some((piece, from, to)) => moved(before, after, piece, from, to),
        None => Fault::of("the change is no move of one piece"),
    }
}

/// The one piece of the player that left a square and stands on another.
fn mover(before: &Board, after: &Board, by: Color) -> Option<(Piece, Square, Square)> {
    let left = before.by_color(by) & !after.by_color(by);
    let came = after
        .into_iter()
        .filter(|(square, piece)| piece.color == by && before.piece_at(*square) != Some(*piece))
        .map(|(square, _)| square)
        .collect::<Bitboard>();
    let (from, to) = (left.single_square()?, came.single_square()?);
    Some((before.piece_at(from)?, from, to))
}

fn moved(before: &Setup, after: &Board, piece: Piece, from: Square, to: Square) -> Fault {
    if before.turn != piece.color {
        return Fault {
            words: format!("{} moved out of turn", Side::from(piece.color).word()),
            kind: FaultKind::OutOfTurn,
        };
    }
    if !reaches(&before.board, piece, from, to) {
        return Fault::of(format!(
            "the {} on {from} cannot move to {to} ({})",
            word(piece.role),
            movement_article(piece.role)
        ));
    }
    if let Some(words) = king_attacked(after, piece.color) {
        return Fault::of(words);
    }
    let last = matches!(to.rank(), shakmaty::Rank::First | shakmaty::Rank::Eighth);
    if piece.role == Role::Pawn && last && after.role_at(to) == Some(Role::Pawn) {
        return Fault {
            words: format!("the pawn on {to} was not exchanged for a new piece (3.7.3)"),
            kind: FaultKind::PawnLeft(from, to),
        };
    }
    if !is_position(before) && makes(&before.board, after, from, to) {
        return Fault {
            words: "a legal move from a position that is not legal".to_owned(),
            kind: FaultKind::Inherited,
        };
    }
    Fault::of("the board afterwards is not the one this move makes")
}

fn is_position(setup: &Setup) -> bool {
    lenient_position(setup.clone(), CastlingMode::Chess960).is_ok()
}

/// Nothing but the piece that moved, and what it took, is another than before.
fn makes(before: &Board, after: &Board, from: Square, to: Square) -> bool {
    let mut made = before.clone();
    made.discard_piece_at(from);
    made.discard_piece_at(to);
    let mut rest = after.clone();
    rest.discard_piece_at(to);
    made == rest
}

fn reaches(board: &Board, piece: Piece, from: Square, to: Square) -> bool {
    let own = board.by_color(piece.color);
    if own.contains(to) {
        return false;
    }
    if piece.role != Role::Pawn {
        return attacks::attacks(from, piece, board.occupied()).contains(to);
    }
    let takes = attacks::pawn_attacks(piece.color, from).contains(to);
    if board.occupied().contains(to) {
        return takes;
    }
    let step = i32::from(to) - i32::from(from);
    let ahead = piece.color.fold_wb(8, -8);
    let first = piece
        .color
        .fold_wb(shakmaty::Rank::Second, shakmaty::Rank::Seventh);
    let crossed = from.offset(ahead);
    let free = crossed.is_some_and(|s| !board.occupied().contains(s));
    free && (step == ahead || (step == 2 * ahead && from.rank() == first))
}

fn king_attacked(board: &Board, color: Color) -> Option<String> {
    let king = board.king_of(color)?;
    let attacker = board
        .attacks_to(king, !color, board.occupied())
        .into_iter()
        .next()?;
    let role = board.role_at(attacker)?;
    Some(format!(
        "after the move the king on {king} is attacked by the {} on {attacker} (3.9.2)",
        word(role)
    ))
}

fn word(role: Role) -> &'static str {
    match role {
        Role::Pawn => "pawn",
        Role::Knight => "knight",
        Role::Bishop => "bishop",
        Role::Rook => "rook",
        Role::Queen => "queen",
        Role::King => "king",
    }
}

fn movement_article(role: Role) -> &'static str {
    match role {
        Role::Bishop => "3.2",
        Role::Rook => "3.3",
        Role::Queen => "3.4",
        Role::Knight => "3.6",
        Role::Pawn => "3.7",
        Role::King => "3.8",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn art_7_5_1_which_rule_is_broken() {
        let rows = [
            (
                "2k5/8/7b/6N1/8/8/8/2K5 w - - 0 1",
                "2k5/5N2/7b/8/8/8/8/2K5 b - - 0 1",
                "king on c1 is attacked by the bishop on h6",
            ),
            (
                "4k3/8/8/8/8/8/4N3/4K3 w - - 0 1",
                "4k3/8/8/4N3/8/8/8/4K3 b - - 0 1",
                "knight on e2 cannot move to e5 (3.6)",
            ),
            (
                "4k3/4Q3/8/8/8/8/8/4K3 w - - 0 1",
                "4Q3/8/8/8/8/8/8/4K3 b - - 0 1",
                "king was taken",
            ),
            (
                "4k3/8/8/8/8/8/4P3/4K3 b - - 0 1",
                "4k3/8/8/8/8/4P3/8/4K3 b - - 0 1",
                "out of turn",
            ),
            (
                "4k3/8/8/8/8/8/P3P3/4K3 w - - 0 1",
                "4k3/8/8/8/8/P3P3/8/4K3 b - - 0 1",
                "no move of one piece",
            ),
            ("nonsense", "nonsense", "cannot be told"),
        ];
        for (from, to, words) in rows {
            let got = fault(from, to, Side::White);
            assert!(got.words.contains(words), "{from}: {}", got.words);
        }
    }

    #[test]
    fn art_a_5_2_a_legal_reply_to_an_illegal_move_is_none_itself() {
        let rows = [
            // The pawn was left on the last rank; the king of White was left in check.
            (
                "4P3/7k/8/8/8/8/8/4K3 b - - 0 1",
                "4P3/8/6k1/8/8/8/8/4K3 w - - 1 2",
                true,
            ),
            (
                "4r3/7k/8/8/8/8/8/4K3 b - - 0 1",
                "4r3/8/6k1/8/8/8/8/4K3 w - - 1 2",
                true,
            ),
            (
                "4r3/7k/8/8/8/8/8/4K3 b - - 0 1",
                "4r3/8/8/6k1/8/8/8/4K3 w - - 1 2",
                false,
            ),
            (
                "7k/8/8/8/8/8/8/4K3 b - - 0 1",
                "8/6k1/8/8/8/8/8/4K3 w - - 1 2",
                false,
            ),
        ];
        for (from, to, inherited) in rows {
            let kind = fault(from, to, Side::Black).kind;
            assert_eq!(kind == FaultKind::Inherited, inherited, "{to}");
        }
    }

    #[test]
    fn art_7_5_2_a_pawn_left_on_the_last_rank() {
        let got = fault(
            "8/4P2k/8/8/8/8/8/4K3 w - - 0 1",
            "4P3/7k/8/8/8/8/8/4K3 b - - 0 1",
            Side::White,
        );
        assert_eq!(got.kind, FaultKind::PawnLeft(Square::E7, Square::E8));
        assert!(got.words.contains("3.7.3"), "{}", got.words);
    }
}
