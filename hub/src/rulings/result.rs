//! Results entered and confirmed by an arbiter (8.7), each under the article that ends the game.

use protocol::{BySide, GameResult, ResultHow, ResultState, Side, Standing};

use super::{Around, Prepared, Refusal};
use crate::game::{Game, GameEvent};
use crate::laws::concordance::{Matter, article_of};
use crate::laws::{Code, Laws, MateVerdict, end_by_move};

pub(super) fn enter(
    game: &Game,
    (result, how): (GameResult, ResultHow),
    confirm: bool,
    signed: BySide<bool>,
    around: Around<'_>,
) -> Result<Prepared, Refusal> {
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
        article: article(game.laws(), standing.how).to_owned(),
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

/// The article that ends a game in this way; where the edition has none, the article on results.
fn article(laws: &Laws, how: ResultHow) -> &'static str {
    let at = &laws.articles;
    let found = match how {
        ResultHow::Checkmate => at.checkmate,
        ResultHow::Stalemate => at.stalemate,
        ResultHow::DeadPosition => at.dead_position,
        ResultHow::Flag => at.flag_result,
        ResultHow::Default => at.default_time,
        ResultHow::IllegalMoves => at.illegal_penalty,
        ResultHow::Resigned => article_of(Matter::Resignation, laws.id),
        ResultHow::Agreed => article_of(Matter::Agreement, laws.id),
        ResultHow::Threefold => article_of(Matter::Threefold, laws.id),
        ResultHow::FiftyMoves => article_of(Matter::Fifty, laws.id),
        ResultHow::Fivefold => article_of(Matter::Fivefold, laws.id),
        ResultHow::SeventyFiveMoves => article_of(Matter::SeventyFive, laws.id),
        ResultHow::KingsSign | ResultHow::Arbiter => at.result,
    };
    match found {
        "" => at.result,
        found => found,
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
        _ => {}
    }
    let winner = match result {
        GameResult::WhiteWins => Some(Side::White),
        GameResult::BlackWins => Some(Side::Black),
        _ => None,
    };
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
