//! What each half-move may bring about: ends and illegal positions that nobody needs to claim (5.2.2, A.5.4), a first move from a wrong
//! array or by the wrong player (7.2, 7.3), and games left without a result.

use protocol::{
    DeskPly, FactId, GameResult, Ply, ResultHow, ResultState, Side, Standing, Timestamp,
};
use shakmaty::{Chess, Position};

use super::{Game, GameEvent, Irregularity, Seen};
use crate::laws::Code;
use crate::laws::by_lemma;
use crate::laws::rapid_blitz::{
    IllegalPosition, Stands, illegal_position, illegal_position_stands,
};

/// What follows, beside what was decided, from a fact about half-moves.
pub(super) fn watch(game: &Game, seen: Seen<'_>, decided: &[GameEvent]) -> Vec<GameEvent> {
    let mut found = Vec::new();
    for event in decided {
        match event {
            GameEvent::PlyMade { number, ply } => {
                if *number == 1 {
                    found.extend(first_move(game, ply.by, seen));
                }
                found.extend(by_material(game, *number, ply, seen));
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

/// The men that a half-move leaves on the board are too few: seen at once, without any search.
fn by_material(game: &Game, number: Ply, ply: &DeskPly, seen: Seen<'_>) -> Vec<GameEvent> {
    let mut position = game.record.position().clone();
    let after = position.play(&ply.played).ok().and(position.legal());
    let over = |position: &&Chess| position.legal_moves().is_empty();
    match after.filter(|p| !over(p)).and_then(why_by_lemma) {
        Some(why) => dead(game, number, seen.at, why, vec![seen.id.clone()]),
        None => Vec::new(),
    }
}

fn why_by_lemma(position: &Chess) -> Option<String> {
    let why = Side::BOTH.map(|side| by_lemma(position, side));
    match &why {
        [Some(white), Some(black)] => Some(format!("{white}; {black}")),
        _ => None,
    }
}

/// Neither side can mate after this half-move: it ends the game, and is completed without a press (5.2.2, 6.2.1.1).
pub fn dead_position(game: &Game, ply: Ply, at: Timestamp, why: String) -> Vec<GameEvent> {
    let told = game.record.fact_of(ply);
    dead(game, ply, at, why, told.into_iter().collect())
}

fn dead(game: &Game, ply: Ply, at: Timestamp, why: String, facts: Vec<FactId>) -> Vec<GameEvent> {
    if game.standing.is_some() || game.irregularity(Code::DeadPosition, ply).is_some() {
        return Vec::new();
    }
    let drawn = Standing {
        result: GameResult::Draw,
        how: ResultHow::DeadPosition,
        state: ResultState::Proposed,
    };
    let words = format!("dead position: {why}");
    vec![
        found(Code::DeadPosition, ply, None, why, at, facts),
        GameEvent::ResultProposed {
            standing: drawn,
            at,
            words,
        },
    ]
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
    found(code, ply, by, words, seen.at, vec![seen.id.clone()])
}

fn found(
    code: Code,
    ply: Ply,
    by: Option<Side>,
    words: String,
    at: Timestamp,
    facts: Vec<FactId>,
) -> GameEvent {
    GameEvent::IrregularityFound(Irregularity {
        code,
        ply,
        by,
        at,
        words,
        facts,
        over: None,
    })
}
