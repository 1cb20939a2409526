//! PGN export (standard of 1994, supplement of 2001): the clean kind and e-PGN, which every reader accepts, and e-PGN letter for letter
//! as LiveChess writes it. Only completed and settled moves, all of them once the game is over.

mod livechess;
mod movetext;
mod tags;
#[cfg(test)]
mod tests;

use protocol::{GameResult, HallBoard, HallPly, HallState, Timestamp};
use shakmaty::fen::Fen;
use shakmaty::uci::UciMove;
use shakmaty::{CastlingMode, Chess, Position};

use super::PgnForm;
use livechess::{Times, livechess_games};
pub(crate) use movetext::{first_move, wrapped};
pub(crate) use tags::{tag, tags};

/// Several games in a form, one after the other.
pub fn written<'a>(form: PgnForm, boards: impl Iterator<Item = &'a HallBoard>) -> String {
    match form {
        PgnForm::Clean => games(boards),
        PgnForm::EPgn => livechess_games(boards, Times::Together),
        PgnForm::Livechess => livechess_games(boards, Times::Apart),
    }
}

/// Several games of the clean kind, one after the other.
pub fn games<'a>(boards: impl Iterator<Item = &'a HallBoard>) -> String {
    boards.map(game).collect()
}

/// One game with its tags, ending with an empty line.
pub fn game(board: &HallBoard) -> String {
    let marker = marker(board);
    let tags: String = tags(board, marker)
        .iter()
        .map(|(name, value)| tag(name, value))
        .collect();
    format!("{tags}\n{}\n", wrapped(&movetext::movetext(board, marker)))
}

/// `1-0`, `0-1`, `1/2-1/2` or `*`: what stands in the tag and at the end.
pub(crate) fn marker(board: &HallBoard) -> &'static str {
    let result = board.result.or_else(|| ended_by_a_move(board));
    result.map_or("*", GameResult::pgn)
}

/// Checkmate and stalemate end the game at once (5.1.1, 5.2.1) whether or not somebody has confirmed it yet, and readers complain of
/// a `*` behind them.
fn ended_by_a_move(board: &HallBoard) -> Option<GameResult> {
    let mode = CastlingMode::from_chess960(board.chess960);
    let fen = board.start_fen.as_deref().map(str::parse::<Fen>);
    let mut position: Chess = match fen {
        Some(fen) => fen.ok()?.into_position(mode).ok()?,
        None => Chess::default(),
    };
    for ply in clean_moves(board) {
        let legal = ply.uci.parse::<UciMove>().ok()?.to_move(&position).ok()?;
        position.play_unchecked(legal);
    }
    let mated = position.turn();
    match (position.is_checkmate(), position.is_stalemate()) {
        (true, _) => Some(mated.fold_wb(GameResult::BlackWins, GameResult::WhiteWins)),
        (_, true) => Some(GameResult::Draw),
        _ => None,
    }
}

/// When the game began, for files that hold a move of it.
pub(crate) fn began(board: &HallBoard) -> Option<Timestamp> {
    board.began.filter(|_| !clean_moves(board).is_empty())
}

/// The half-moves a clean file may hold.
pub fn clean_moves(board: &HallBoard) -> &[HallPly] {
    let sure = board.settled_ply.min(board.completed_ply) as usize;
    let shown = if board.state == HallState::Over {
        board.moves.len()
    } else {
        sure.min(board.moves.len())
    };
    &board.moves[..shown]
}
