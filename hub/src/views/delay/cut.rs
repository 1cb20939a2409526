//! Cuts a board that is due down to what an audience outside may see of it: completed and settled moves, less those that stay hidden.

use protocol::{
    BySide, ChessclockView, HallBoard, HallPly, HallState, Played, Ply, Side, Timestamp,
};

use super::Audience;
use crate::game::GamePosition;

/// The board as the audience sees it, from the board as the hall saw it.
pub(super) fn cut(board: HallBoard, audience: &Audience, now: Timestamp) -> HallBoard {
    let shown = shown(&board, audience);
    let clock = clock(&board, audience.is_behind(now), shown);
    let plies = Ply::try_from(shown).unwrap_or(Ply::MAX);
    let mut cut = HallBoard {
        clock,
        settled_ply: board.settled_ply.min(plies),
        completed_ply: board.completed_ply.min(plies),
        began: board.began.filter(|_| shown > 0),
        ..board
    };
    cut.moves.truncate(shown);
    with_position(cut)
}

/// How many half-moves are shown: all of them once the game is over.
fn shown(board: &HallBoard, audience: &Audience) -> usize {
    let all = board.moves.len();
    if board.state == HallState::Over {
        return all;
    }
    let sure = board.settled_ply.min(board.completed_ply);
    let open = if audience.settled_only {
        usize::try_from(sure).unwrap_or(usize::MAX).min(all)
    } else {
        all
    };
    open.saturating_sub(2 * usize::from(audience.delay_moves))
}

/// Sets position, turn and check as they are after the moves. A line that cannot be played, which no hall board holds, stays as it is.
pub(super) fn with_position(mut board: HallBoard) -> HallBoard {
    let Ok(mut position) = GamePosition::new(board.start_fen.as_deref(), board.chess960) else {
        return board;
    };
    for ply in &board.moves {
        if position.play(&Played::Legal(ply.uci.clone())).is_err() {
            return board;
        }
    }
    board.position = position.placement();
    board.turn = position.turn();
    board.check = position.is_check();
    board
}

/// The clocks as the hall saw them, counted on from the moment at which they are shown; behind hidden moves, as they stood after the
/// last move that is shown.
fn clock(board: &HallBoard, behind_ms: u64, shown: usize) -> Option<ChessclockView> {
    let view = board.clock?;
    let at = view.at.after(behind_ms);
    if shown == board.moves.len() {
        return Some(ChessclockView { at, ..view });
    }
    let black_first = board
        .start_fen
        .as_deref()
        .is_some_and(|fen| fen.split(' ').nth(1) == Some("b"));
    let last = |side: Side| last_time(&board.moves[..shown], side, black_first);
    Some(ChessclockView {
        time: BySide {
            white: last(Side::White)?,
            black: last(Side::Black)?,
        },
        running: None,
        flag: BySide::default(),
        at,
    })
}

fn last_time(moves: &[HallPly], side: Side, black_first: bool) -> Option<u64> {
    let mine = |index: usize| (index.is_multiple_of(2) == (side == Side::White)) != black_first;
    (0..moves.len())
        .rev()
        .filter(|index| mine(*index))
        .find_map(|index| moves[index].clock_ms)
}
