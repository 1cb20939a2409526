//! Results entered and confirmed by an arbiter (8.7), each under the article that ends the game.

use protocol::{BySide, GameResult, ResultHow, ResultState, Side, Standing};

use super::{Around, Prepared, Refusal};
use crate::game::{Game, GameEvent};
use crate::laws::{Code, MateVerdict, article_of_end, end_by_move};

pub(super) fn enter(
    game: &Game,
    (result, how): (GameResult, ResultHow),
    confirm: bool,
    signed: BySide<bool>,
    around: Around<'_>,
) -> Result<Prepared, Refusal> {
    if !how.fits(result) {
        return Err(Refusal::value(format!(
            "a game does not end {result} by {}",
            how.words()
        )));
    }
    let state = match (game.standing.map(|s| s.state), confirm) {
        (Some(ResultState::Published | ResultState::Corrected), _) => ResultState::Corrected,
        (_, false) => ResultState::Proposed,
        (_, true) if signed.white && signed.black => ResultState::Signed,
        (_, true) => ResultState::Confirmed,
    };
    let mut ruling = set(
        game,
        Standing { result, how, state },
        signed,
        format!("result {result}, {}", how.words()),
    );
    ruling.lines = what_the_laws_say(game, result, how, around);
    Ok(ruling)
}

pub(super) fn confirm(game: &Game) -> Result<Prepared, Refusal> {
    match game.standing {
        Some(standing) if standing.state == ResultState::Proposed => {
            let confirmed = Standing {
                state: ResultState::Confirmed,
                ..standing
            };
            let words = format!("result {} confirmed", standing.result);
            Ok(set(game, confirmed, game.signed, words))
        }
        Some(standing) => Err(Refusal::nothing(format!(
            "{} is confirmed already",
            standing.result
        ))),
        None => Err(Refusal::nothing("no result is proposed")),
    }
}

fn set(game: &Game, standing: Standing, signed: BySide<bool>, words: String) -> Prepared {
    let ends = standing.state >= ResultState::Confirmed;
    let then = if ends {
        format!("the game is over; the hall shows {}", standing.result)
    } else {
        "the result waits for its confirmation".to_owned()
    };
    Prepared {
        article: article_of_end(standing.how, game.laws()).to_owned(),
        then: vec![then],
        ends_game: ends && !game.is_over(),
        events: vec![GameEvent::ResultSet {
            standing: Some(standing),
            signed,
        }],
        undo: vec![GameEvent::ResultSet {
            standing: game.standing,
            signed: game.signed,
        }],
        words,
        closes: vec![
            Code::ResultProposed,
            Code::FlagFallen,
            Code::BothFlagsFallen,
            Code::Checkmate,
            Code::Stalemate,
            Code::ClocksStopped,
            Code::DrawClaimed,
            Code::QuickplayClaim,
            Code::ResultMissing,
            Code::LateForResumption,
            Code::SealedMoveVoid,
            Code::DefaultTimeReached,
            Code::DeadPosition,
            Code::Fivefold,
            Code::SeventyFive,
            Code::IllegalPositionStands,
        ],
        ..Prepared::default()
    }
}

fn winner(result: GameResult) -> Option<Side> {
    match result {
        GameResult::WhiteWins | GameResult::WhiteByDefault => Some(Side::White),
        GameResult::BlackWins | GameResult::BlackByDefault => Some(Side::Black),
        _ => None,
    }
}

/// An end that the record or the clock would show, and does not.
fn not_in_the_record(game: &Game, result: GameResult, how: ResultHow) -> Option<String> {
    let loser = winner(result).map(Side::other);
    match how {
        ResultHow::Flag => {
            let up = |side: &Side| game.clock.flags.get(*side).is_none();
            let side = loser.filter(up).filter(|_| game.clock.view.is_some())?;
            Some(format!("No fallen flag of {} was seen.", side.word()))
        }
        ResultHow::Default => {
            let moved = |side: &Side| *game.record.completed_moves().get(*side) > 0;
            let side = loser.filter(moved)?;
            Some(format!("{} has completed a move.", side.word()))
        }
        ResultHow::Threefold if !game.draws.threefold() => {
            Some("The position on the board has not stood three times by this record.".to_owned())
        }
        ResultHow::FiftyMoves if !game.draws.fifty() => {
            Some("Fifty moves without capture or pawn move are not in this record.".to_owned())
        }
        ResultHow::Fivefold if game.draws.fivefold.is_none() => {
            Some("No position has stood five times by this record.".to_owned())
        }
        ResultHow::SeventyFiveMoves if game.draws.seventy_five.is_none() => Some(
            "Seventy-five moves without capture or pawn move are not in this record.".to_owned(),
        ),
        _ => None,
    }
}

/// What the position says about the way a game is said to have ended.
fn what_the_laws_say(
    game: &Game,
    result: GameResult,
    how: ResultHow,
    around: Around<'_>,
) -> Vec<String> {
    let position = game.record.position().legal();
    let end = position.and_then(end_by_move);
    let mut lines = Vec::new();
    if let Some(witness) = &game.witness
        && witness.standing.result != result
    {
        let (says, by) = (witness.standing.result, witness.standing.how.words());
        lines.push(format!("The board says {says} by {by}."));
    }
    match (how, end) {
        (ResultHow::Checkmate | ResultHow::Stalemate, Some(end)) if end.how == how => {
            lines.push(format!("{} stands on the board.", how.words()));
        }
        (ResultHow::Checkmate | ResultHow::Stalemate, _) => {
            lines.push(format!("The record does not show {}.", how.words()));
        }
        (ResultHow::Agreed, _) if game.laws().agreement_needs_moves && game.record.len() < 2 => {
            lines.push("Both must have moved before a draw is agreed (5.2.3).".to_owned());
        }
        _ => lines.extend(not_in_the_record(game, result, how)),
    }
    if result == GameResult::Draw && game.setup.time_control.is_uneven() {
        lines.push("Uneven times: in an Armageddon game a draw counts for Black.".to_owned());
    }
    let winner = winner(result);
    let needs_mate = match how {
        ResultHow::Flag => true,
        ResultHow::Resigned => game.laws().resignation_may_draw,
        _ => false,
    };
    if let (Some(winner), Some(position), true) = (winner, position, needs_mate) {
        let verdict = around.prospects.can_mate(position, winner);
        lines.push(verdict.words().to_owned());
        if matches!(verdict, MateVerdict::Cannot(_)) {
            lines.push(format!(
                "{} cannot mate: the Laws make it a draw.",
                winner.word()
            ));
        }
    }
    lines
}
