//! Illegal moves of every kind a position offers.

use shakmaty::{
    Bitboard, Board, CastlingMode, CastlingSide, Chess, Color, EnPassantMode, FromSetup, Move,
    Position, Role, Square, attacks,
};

use super::accident::Irregularity;
use super::sitting::used;

/// An illegal move: what the board looks like after it, and what it was.
#[derive(Clone, Debug)]
pub(super) struct Wrong {
    pub(super) board: Board,
    pub(super) words: String,
}

/// All illegal moves of a kind that the player to move could make in place of `m`.
pub(super) fn wrong_moves(position: &Chess, m: Move, what: Irregularity) -> Vec<Wrong> {
    match what {
        Irregularity::WrongSquare => wrong_squares(position, m),
        Irregularity::IntoCheck | Irregularity::KingTaken => into_check(position),
        Irregularity::Castling => castlings(position),
        Irregularity::EnPassant => en_passants(position),
        Irregularity::Unpromoted => unpromoted(position, m),
        Irregularity::MovesTwice | Irregularity::OpponentsPiece => opponents_moves(position),
    }
}

/// The position the game would go on from, with the other player to move; `None` when chess cannot go on from there.
pub(super) fn goes_on(position: &Chess, board: &Board, castling: CastlingMode) -> Option<Chess> {
    let mut setup = position.to_setup(EnPassantMode::Legal);
    setup.board = board.clone();
    setup.turn = position.turn().other();
    setup.ep_square = None;
    setup.castling_rights &= board.rooks();
    let error = match Chess::from_setup(setup, castling) {
        Ok(position) => return Some(position),
        Err(error) => error,
    };
    match error.ignore_invalid_castling_rights() {
        Ok(position) => Some(position),
        Err(error) => error.ignore_impossible_check().ok(),
    }
}

/// How many of the moves ahead are still legal from a position, and as what.
pub(super) fn still_playable(
    position: &Chess,
    moves: &[Move],
    castling: CastlingMode,
) -> Vec<Move> {
    let mut position = position.clone();
    let mut playable = Vec::new();
    for m in moves {
        let Ok(m) = m.to_uci(castling).to_move(&position) else {
            break;
        };
        position.play_unchecked(m);
        playable.push(m);
    }
    playable
}

fn wrong_squares(position: &Chess, m: Move) -> Vec<Wrong> {
    let (board, legal) = (position.board(), position.legal_moves());
    let Some(from) = m.from().filter(|_| !m.is_castle()) else {
        return Vec::new();
    };
    let Some(piece) = board.piece_at(from) else {
        return Vec::new();
    };
    let reachable: Bitboard = legal
        .iter()
        .filter(|other| other.from() == Some(from))
        .map(|other| used(*other))
        .fold(Bitboard::EMPTY, |a, b| a | b);
    let near = |to: &Square| {
        to.distance(m.to()) <= 2 && !reachable.contains(*to) && board.piece_at(*to).is_none()
    };
    let stands = |to: &Square| piece.role != Role::Pawn || !Bitboard::BACKRANKS.contains(*to);
    Square::ALL
        .into_iter()
        .filter(|to| near(to) && stands(to))
        .map(|to| moved(board, from, to))
        .collect()
}

fn into_check(position: &Chess) -> Vec<Wrong> {
    let (board, us, legal) = (position.board(), position.turn(), position.legal_moves());
    let mut wrong = Vec::new();
    for from in board.by_color(us) {
        let Some(piece) = board.piece_at(from) else {
            continue;
        };
        let mut targets = attacks::attacks(from, piece, board.occupied())
            & !board.by_color(us)
            & !board.by_role(Role::King);
        if piece.role == Role::Pawn {
            targets &= board.by_color(us.other()) & !Bitboard::BACKRANKS;
        }
        let illegal = |to: &Square| {
            !legal
                .iter()
                .any(|m| m.from() == Some(from) && m.to() == *to)
        };
        wrong.extend(
            targets
                .into_iter()
                .filter(illegal)
                .map(|to| moved(board, from, to)),
        );
    }
    wrong.retain(|wrong| {
        wrong.board.king_of(us).is_some_and(|king| {
            wrong
                .board
                .attacks_to(king, us.other(), wrong.board.occupied())
                .any()
        })
    });
    wrong
}

/// The enemy pieces that attack a king, and the board after one of them has taken it.
pub(super) fn king_taken(board: &Board, king_of: Color) -> Option<Board> {
    let king = board.king_of(king_of)?;
    let from = board
        .attacks_to(king, king_of.other(), board.occupied())
        .first()?;
    Some(moved(board, from, king).board)
}

fn castlings(position: &Chess) -> Vec<Wrong> {
    let (board, us) = (position.board(), position.turn());
    let king = Square::from_coords(shakmaty::File::E, us.backrank());
    let mut wrong = Vec::new();
    for side in CastlingSide::ALL {
        let rook = Square::from_coords(
            if side.is_king_side() {
                shakmaty::File::H
            } else {
                shakmaty::File::A
            },
            us.backrank(),
        );
        let stand =
            board.piece_at(king) == Some(us.king()) && board.piece_at(rook) == Some(us.rook());
        if stand
            && (attacks::between(king, rook) & board.occupied()).is_empty()
            && position.castling_moves(side).is_empty()
        {
            let mut after = board.clone();
            after.discard_piece_at(king);
            after.discard_piece_at(rook);
            after.set_piece_at(side.king_to(us), us.king());
            after.set_piece_at(side.rook_to(us), us.rook());
            wrong.push(Wrong {
                board: after,
                words: format!("castled from {king} although it is not allowed"),
            });
        }
    }
    wrong
}

fn en_passants(position: &Chess) -> Vec<Wrong> {
    let (board, us) = (position.board(), position.turn());
    let rank = us.fold_wb(shakmaty::Rank::Fifth, shakmaty::Rank::Fourth);
    let mut wrong = Vec::new();
    for from in board.pawns() & board.by_color(us) & Bitboard::from(rank) {
        for to in attacks::pawn_attacks(us, from) & !board.occupied() {
            let victim = Square::from_coords(to.file(), rank);
            let legal = position.en_passant_moves().iter().any(|m| m.to() == to);
            if board.piece_at(victim) == Some(us.other().pawn()) && !legal {
                let mut after = moved(board, from, to).board;
                after.discard_piece_at(victim);
                wrong.push(Wrong {
                    board: after,
                    words: format!("captured en passant on {to} although it is not possible"),
                });
            }
        }
    }
    wrong
}

fn unpromoted(position: &Chess, m: Move) -> Vec<Wrong> {
    match (m.promotion(), m.from()) {
        (Some(_), Some(from)) => vec![Wrong {
            words: format!("left a pawn on {}", m.to()),
            ..moved(position.board(), from, m.to())
        }],
        _ => Vec::new(),
    }
}

fn opponents_moves(position: &Chess) -> Vec<Wrong> {
    let Ok(other) = position.clone().swap_turn() else {
        return Vec::new();
    };
    let quiet = |m: &&Move| !m.is_capture() && !m.is_castle() && !m.is_promotion();
    let moves = other.legal_moves();
    moves
        .iter()
        .filter(quiet)
        .filter_map(|m| Some(moved(position.board(), m.from()?, m.to())))
        .collect()
}

fn moved(board: &Board, from: Square, to: Square) -> Wrong {
    let mut after = board.clone();
    if let Some(piece) = after.remove_piece_at(from) {
        after.set_piece_at(to, piece);
    }
    Wrong {
        board: after,
        words: format!("moved from {from} to {to}"),
    }
}
