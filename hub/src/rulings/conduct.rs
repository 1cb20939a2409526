//! Penalties for conduct (12.9): time and result are changed, everything else is written down.

use protocol::{BySide, GameResult, LogLine, Penalty, ResultHow, ResultState, Side, Standing};

use super::{Around, Prepared, Refusal, time};
use crate::game::{Game, GameEvent};

pub(super) fn prepare(
    game: &Game,
    offender: Side,
    penalty: &Penalty,
    around: Around<'_>,
) -> Result<Prepared, Refusal> {
    match penalty {
        Penalty::OpponentTime { ms } => more(game, offender.other(), *ms, 1, around),
        Penalty::OffenderTime { ms } => more(game, offender, *ms, -1, around),
        Penalty::Loss if game.is_over() => {
            Err(Refusal::state("the game is over; counter its result first"))
        }
        Penalty::Loss => Ok(loss(game, offender)),
        other => Ok(written(game, offender, other, around)),
    }
}

fn more(
    game: &Game,
    side: Side,
    ms: u64,
    sign: i64,
    around: Around<'_>,
) -> Result<Prepared, Refusal> {
    let ms = i64::try_from(ms).map_err(|_| Refusal::value("more than a day"))?;
    let mut change = BySide { white: 0, black: 0 };
    *change.get_mut(side) = ms * sign;
    time::adjust(game, change, game.laws().articles.penalties, around)
}

fn loss(game: &Game, offender: Side) -> Prepared {
    let result = match offender {
        Side::White => GameResult::BlackWins,
        Side::Black => GameResult::WhiteWins,
    };
    Prepared {
        article: game.laws().articles.penalties.to_owned(),
        then: vec![format!("result {result}")],
        ends_game: true,
        events: vec![GameEvent::ResultSet {
            standing: Some(Standing {
                result,
                how: ResultHow::Arbiter,
                state: ResultState::Confirmed,
            }),
            signed: game.signed,
        }],
        undo: vec![GameEvent::ResultSet {
            standing: game.standing,
            signed: game.signed,
        }],
        words: format!("conduct of {}: game lost", offender.word()),
        ..Prepared::default()
    }
}

fn written(game: &Game, offender: Side, penalty: &Penalty, around: Around<'_>) -> Prepared {
    let words = format!("conduct of {}: {}", offender.word(), words(penalty));
    Prepared {
        article: game.laws().articles.penalties.to_owned(),
        then: vec!["it stands in the journal".to_owned()],
        events: vec![GameEvent::Noted(LogLine {
            at: around.now,
            kind: "ruling".to_owned(),
            words: words.clone(),
            source: String::new(),
        })],
        words,
        ..Prepared::default()
    }
}

fn words(penalty: &Penalty) -> String {
    match penalty {
        Penalty::Warning => "warning".to_owned(),
        Penalty::OpponentPoints { halves } => format!("opponent +{halves} half points"),
        Penalty::OffenderPoints { halves } => format!("-{halves} half points"),
        Penalty::Fine { amount } => {
            let amount: String = amount.chars().take(40).collect();
            format!("fine {amount}")
        }
        Penalty::Exclusion { rounds } => format!("excluded from {rounds} rounds"),
        Penalty::Expulsion => "expelled".to_owned(),
        Penalty::OpponentTime { .. } | Penalty::OffenderTime { .. } => "time".to_owned(),
        Penalty::Loss => "loss".to_owned(),
    }
}
