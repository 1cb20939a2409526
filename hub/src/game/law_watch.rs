//! What each half-move may bring about: ends and illegal positions that nobody needs to claim (5.2.2, A.5.4), a first move from a wrong
//! array or by the wrong player (7.2, 7.3), and games left without a result.

use protocol::{DeskPly, Ply, Side, Timestamp};
use shakmaty::{Chess, Position};

use super::{Game, GameEvent, Irregularity, Seen};
use crate::laws::Code;
use crate::laws::rapid_blitz::{
    IllegalPosition, Stands, illegal_position, illegal_position_stands,
};
use crate::laws::unwinnable::{Budget, Dead, dead, words};

/// Work for one position: a few milliseconds at most, and only where few men can move.
const NODES: u64 = 400;

/// Men on the board, at most, for the search to be asked.
const FEW_MEN: usize = 10;

/// What follows, beside what was decided, from a fact about half-moves.
pub(super) fn watch(game: &Game, seen: Seen<'_>, decided: &[GameEvent]) -> Vec<GameEvent> {
    let mut found = Vec::new();
    for event in decided {
        match event {
            GameEvent::PlyMade { number, ply } => {
                if *number == 1 {
                    found.extend(first_move(game, ply.by, seen));
                }
                found.extend(after(game, *number, ply, seen));
            }
            GameEvent::PlyCompleted { number, .. } => {
                found.extend(still_illegal(game, *number, seen));
            }
            _ => {}
        }
    }
    found
}

/// The first move from an array that was told to be wrong, or by the player who has not the first move.
fn first_move(game: &Game, mover: Side, seen: Seen<'_>) -> Vec<GameEvent> {
    let mut found = Vec::new();
    if let Some(wrong) = &game.wrong_array {
        let code = if wrong.turned {
            Code::BoardTurned
        } else {
            Code::InitialPositionWrong
        };
        found.push(GameEvent::IrregularityFound(Irregularity {
            code,
            ply: 0,
            by: None,
            at: wrong.since,
            words: wrong.words.join("; "),
            facts: wrong.fact.iter().cloned().collect(),
            over: None,
        }));
    }
    if mover != game.record.start().turn() {
        let words = format!("{} made the first move.", mover.word());
        found.push(irregular(
            Code::ColoursReversed,
            1,
            Some(mover),
            words,
            seen,
        ));
    }
    found
}

fn after(game: &Game, number: Ply, ply: &DeskPly, seen: Seen<'_>) -> Option<GameEvent> {
    // A move takes one man at most.
    let men = game.record.position().legal()?.board().occupied().count();
    if men > FEW_MEN + 1 {
        return None;
    }
    let mut position = game.record.position().clone();
    position.play(&ply.played).ok()?;
    dead_position(game, number, position.legal()?, seen)
}

fn dead_position(game: &Game, ply: Ply, position: &Chess, seen: Seen<'_>) -> Option<GameEvent> {
    if game.standing.is_some() || position.board().occupied().count() > FEW_MEN {
        return None;
    }
    if position.legal_moves().is_empty() {
        return None;
    }
    let mut never = || false;
    let found = dead(position, &mut Budget::new(NODES, &mut never));
    let is_dead = matches!(found, Dead::Dead { .. });
    is_dead.then(|| {
        let why = words::dead_reason(position, &found);
        irregular(Code::DeadPosition, ply, None, why, seen)
    })
}

/// Another move was completed and both kings are in check, or a pawn stands on the last rank, as before it.
fn still_illegal(game: &Game, ply: Ply, seen: Seen<'_>) -> Option<GameEvent> {
    if ply < 2 || ply != game.record.len() || game.record.position().legal().is_some() {
        return None;
    }
    let board = |ply: Ply| game.record.position_before(ply).placement().0;
    let now = illegal_position(&game.record.position().placement().0)?;
    illegal_position(&board(ply))?;
    let known = game
        .irregularity(Code::IllegalPositionStands, ply)
        .is_some();
    let rule = illegal_position_stands(game.laws(), game.setup.regime, true);
    let what = match now {
        IllegalPosition::BothKingsInCheck => "both kings are in check".to_owned(),
        IllegalPosition::PawnOnLastRank(square) => format!("a pawn stands on {square}"),
    };
    let words = format!("Another move was completed and {what}: the game is drawn.");
    let code = Code::IllegalPositionStands;
    (rule == Stands::Drawn && !known).then(|| irregular(code, ply, None, words, seen))
}

/// The array is set up again and the game has no result.
pub(super) fn set_up_again(game: &Game, correct: bool, seen: Seen<'_>) -> Option<GameEvent> {
    let ply = game.record.len();
    let open = correct && game.standing.is_none() && ply >= 2;
    let known = game.irregularity(Code::ResultMissing, ply).is_some();
    let words = "The array is set up again and no result was entered.".to_owned();
    (open && !known).then(|| irregular(Code::ResultMissing, ply, None, words, seen))
}

fn irregular(code: Code, ply: Ply, by: Option<Side>, words: String, seen: Seen<'_>) -> GameEvent {
    let at: Timestamp = seen.at;
    GameEvent::IrregularityFound(Irregularity {
        code,
        ply,
        by,
        at,
        words,
        facts: vec![seen.id.clone()],
        over: None,
    })
}
