//! Games at odds by the rule of 1929: which pawn is given, who has the first move, how far the moves of odds may go.

use protocol::Side;
use shakmaty::{Board, Color, File, Piece, Rank, Role, Square};

/// What breaks the rules of odds in an initial position with a player to move; empty: nothing, or no odds are given.
pub fn odds_problems(start: &Board, turn: Side) -> Vec<String> {
    let usual = Board::default();
    let mut wrong: Vec<String> = Side::BOTH
        .into_iter()
        .filter_map(|side| past_the_middle(start, &usual, side))
        .collect();
    if let Some(giver) = giver(start, &usual) {
        let given = missing(start, &usual, giver);
        let receiver_moved = moved(start, &usual, giver.other()).next().is_some();
        wrong.extend(other_pawn(start, giver, &given));
        if given != [Role::Pawn] && turn != giver && !receiver_moved {
            let (giver, receiver) = (giver.word(), giver.other().word());
            wrong.push(format!(
                "{giver} gives the odds of a piece and has the first move, unless {receiver} was given it too"
            ));
        }
    }
    wrong
}

/// The one player who has fewer men than usual; none where both have, or somebody has more.
fn giver(start: &Board, usual: &Board) -> Option<Side> {
    let fewer = |side: &Side| !missing(start, usual, *side).is_empty();
    let mut givers = Side::BOTH.into_iter().filter(fewer);
    let giver = givers.next()?;
    givers.next().is_none().then_some(giver)
}

fn missing(start: &Board, usual: &Board, side: Side) -> Vec<Role> {
    let count = |board: &Board, role| (board.by_color(side.into()) & board.by_role(role)).count();
    Role::ALL
        .into_iter()
        .flat_map(|role| {
            let fewer = count(usual, role).saturating_sub(count(start, role));
            std::iter::repeat_n(role, fewer)
        })
        .collect()
}

/// A single pawn that is given is that of the king's bishop.
fn other_pawn(start: &Board, giver: Side, given: &[Role]) -> Option<String> {
    let pawns = given.iter().filter(|role| **role == Role::Pawn).count();
    let rank = match giver {
        Side::White => Rank::Second,
        Side::Black => Rank::Seventh,
    };
    let due = Square::from_coords(File::F, rank);
    let stands = start.piece_at(due).is_some_and(|p| p.role == Role::Pawn);
    (pawns == 1 && stands)
        .then(|| format!("the pawn that is given is that of the king's bishop, {due}"))
}

/// Men of a player that stand where his army does not stand at the start.
fn moved<'a>(
    start: &'a Board,
    usual: &'a Board,
    side: Side,
) -> impl Iterator<Item = (Square, Piece)> + 'a {
    let color = Color::from(side);
    let men = start.clone().into_iter();
    men.filter(move |(square, piece)| {
        piece.color == color && usual.piece_at(*square) != Some(*piece)
    })
}

fn past_the_middle(start: &Board, usual: &Board, side: Side) -> Option<String> {
    let far = |square: Square| match side {
        Side::White => square.rank() >= Rank::Fifth,
        Side::Black => square.rank() <= Rank::Fourth,
    };
    let squares: Vec<String> = moved(start, usual, side)
        .filter(|(square, _)| far(*square))
        .map(|(square, _)| square.to_string())
        .collect();
    (!squares.is_empty()).then(|| {
        format!(
            "moves given as odds may not pass the middle of the board: {} on {}",
            side.word(),
            squares.join(", ")
        )
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rule_of_1929_odds_of_pawn_piece_and_moves() {
        let rows = [
            (
                "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR",
                Side::White,
                "",
            ),
            (
                "rnbqkbnr/ppppp1pp/8/8/8/8/PPPPPPPP/RNBQKBNR",
                Side::White,
                "",
            ),
            (
                "rnbqkbnr/pppp1ppp/8/8/8/8/PPPPPPPP/RNBQKBNR",
                Side::White,
                "king's bishop, f7",
            ),
            (
                "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/R1BQKBNR",
                Side::White,
                "",
            ),
            (
                "r1bqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR",
                Side::Black,
                "",
            ),
            (
                "r1bqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR",
                Side::White,
                "Black gives the odds",
            ),
            (
                "r1bqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR",
                Side::White,
                "",
            ),
            (
                "rnbqkbnr/pppppppp/8/8/3PP3/8/PPP2PPP/RNBQKBNR",
                Side::White,
                "",
            ),
            (
                "rnbqkbnr/pppppppp/8/4P3/8/8/PPPP1PPP/RNBQKBNR",
                Side::White,
                "White on e5",
            ),
            (
                "rnbqkb1r/pppppppp/8/8/4n3/8/PPPPPPPP/RNBQKBNR",
                Side::White,
                "Black on e4",
            ),
        ];
        for (fen, turn, wrong) in rows {
            let board = Board::from_ascii_board_fen(fen.as_bytes()).expect("board");
            let found = odds_problems(&board, turn).join("; ");
            assert_eq!(found.is_empty(), wrong.is_empty(), "{fen}: {found}");
            assert!(found.contains(wrong), "{fen}: {found}");
        }
    }
}
