//! Names the stored facts that an alert rests on: readings of the clock, half-moves, what stood on the board.

use protocol::{Evidence, FactId, Ply, Timestamp};

use super::Condition;
use crate::game::Game;
use crate::laws::Code;

/// Facts of one alert at most.
const MOST: usize = 8;

/// The facts of a condition whose words name none.
pub(super) fn of(game: &Game, condition: &Condition) -> Vec<Evidence> {
    let mut found = match condition.code {
        Code::ThreefoldClaimable | Code::Fivefold => stood(game),
        Code::FiftyClaimable | Code::SeventyFive => quiet(game),
        Code::DrawClaimed
        | Code::QuickplayClaim
        | Code::EarlyDraw
        | Code::Checkmate
        | Code::Stalemate => last_ply(game),
        Code::MoveWithoutPress => [last_ply(game), last_reading(game)].concat(),
        Code::WrongClockRunning => [last_ply(game), last_reading(game)].concat(),
        Code::BothFlagsFallen => flags(game),
        Code::ResultProposed | Code::ResultConflict => witness(game),
        Code::PiecesDisplaced | Code::PositionMismatch | Code::BoardsExchanged => board(game),
        Code::InitialPositionWrong | Code::BoardTurned => array(game),
        code if is_of_the_clock(code) => readings(game, condition.since),
        _ => Vec::new(),
    };
    found.truncate(MOST);
    found
}

fn is_of_the_clock(code: Code) -> bool {
    matches!(
        code,
        Code::ClockNotStarted
            | Code::TimeControlWrong
            | Code::IncrementWrong
            | Code::ClockSumWrong
            | Code::ClockJumped
            | Code::ClockLost
            | Code::ClockSideWrong
            | Code::ClocksStopped
            | Code::ClockBatteryLow
            | Code::MoveCounterWrong
            | Code::Scramble
    )
}

fn evidence(fact: FactId, at: Timestamp, words: &str) -> Evidence {
    Evidence {
        fact,
        at,
        words: words.to_owned(),
    }
}

fn readings(game: &Game, moment: Timestamp) -> Vec<Evidence> {
    let told = game.clock.told_at(moment).into_iter();
    told.map(|(at, fact)| evidence(fact, at, "clock read"))
        .collect()
}

fn last_reading(game: &Game) -> Vec<Evidence> {
    let told = game.clock.told_last().into_iter();
    told.map(|(at, fact)| evidence(fact, at, "clock read"))
        .collect()
}

fn ply(game: &Game, number: Ply) -> Option<Evidence> {
    let made = game.record.get(number)?;
    let fact = game.record.fact_of(number)?;
    Some(evidence(
        fact,
        made.made_at,
        &format!("half-move {number}, {}", made.san),
    ))
}

fn last_ply(game: &Game) -> Vec<Evidence> {
    ply(game, game.record.len()).into_iter().collect()
}

/// The half-moves after which the position has stood.
fn stood(game: &Game) -> Vec<Evidence> {
    let plies = game.record.stood_at().into_iter();
    plies.filter_map(|number| ply(game, number)).collect()
}

/// The last capture or pawn move, the first quiet half-move after it and the last one.
fn quiet(game: &Game) -> Vec<Evidence> {
    let len = game.record.len();
    let zero = len.saturating_sub(game.draws.quiet);
    let plies = [zero, zero + 1, len].into_iter();
    plies.filter_map(|number| ply(game, number)).collect()
}

fn flags(game: &Game) -> Vec<Evidence> {
    let flags = &game.clock.flags;
    let seen = [
        (&flags.white, "White's flag"),
        (&flags.black, "Black's flag"),
    ]
    .into_iter();
    seen.filter_map(|(flag, words)| {
        let flag = flag.as_ref()?;
        Some(evidence(flag.fact.clone()?, flag.at, words))
    })
    .collect()
}

fn witness(game: &Game) -> Vec<Evidence> {
    let Some(witness) = &game.witness else {
        return flags(game);
    };
    let words = format!(
        "{} by {}",
        witness.standing.result,
        witness.standing.how.words()
    );
    let fact = witness.fact.clone().into_iter();
    fact.map(|fact| evidence(fact, witness.at, &words))
        .collect()
}

fn board(game: &Game) -> Vec<Evidence> {
    let Some(differs) = &game.differs else {
        return Vec::new();
    };
    let fact = differs.fact.clone().into_iter();
    fact.map(|fact| evidence(fact, differs.since, "what stands on the board"))
        .collect()
}

fn array(game: &Game) -> Vec<Evidence> {
    let Some(wrong) = &game.wrong_array else {
        return Vec::new();
    };
    let fact = wrong.fact.clone().into_iter();
    fact.map(|fact| evidence(fact, wrong.since, "the array that stands"))
        .collect()
}
