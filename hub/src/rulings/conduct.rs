//! Penalties for conduct (12.9): time and result are changed, everything else is written down.

use protocol::{BySide, GameResult, LogLine, Penalty, ResultHow, ResultState, Side, Standing};

use super::{Around, Prepared, Refusal, time};
use crate::game::{Game, GameEvent};
use crate::laws::penalties;

/// Half points of a won game (11.1).
const WON: u8 = 2;

pub(super) fn prepare(
    game: &Game,
    offender: Side,
    penalty: &Penalty,
    around: Around<'_>,
) -> Result<Prepared, Refusal> {
    let article = article_in(game, penalty)?;
    let mut ruling = match penalty {
        Penalty::OpponentTime { ms } => more(game, offender.other(), *ms, 1, around),
        Penalty::OffenderTime { ms } => more(game, offender, *ms, -1, around),
        Penalty::Loss if game.is_over() => {
            Err(Refusal::state("the game is over; counter its result first"))
        }
        Penalty::Loss => Ok(loss(game, offender)),
        other => Ok(written(game, offender, other, around)),
    }?;
    ruling.article = article.to_owned();
    ruling.lines.extend(points_words(game, offender, penalty));
    Ok(ruling)
}

/// Where the penalty stands in the edition; the rule of 1929 has no list, and leaves penalties to the opponent's demand.
fn article_in(game: &Game, penalty: &Penalty) -> Result<&'static str, Refusal> {
    let laws = game.laws();
    match penalties::article(laws, penalty) {
        Some(article) => Ok(article),
        None if penalties::offered(laws).is_empty() => Ok(laws.articles.penalties),
        None => Err(Refusal::value(format!(
            "{} knows no such penalty: it has {} ({})",
            laws.name,
            penalties::offered(laws).len(),
            laws.articles.penalties
        ))),
    }
}

/// The points of a game that is over, after a penalty in points; they are for the pairing program to count.
fn points_words(game: &Game, offender: Side, penalty: &Penalty) -> Option<String> {
    let result = game.standing.filter(|_| game.is_over())?.result;
    let halves = match result {
        GameResult::WhiteWins | GameResult::WhiteByDefault => (2, 0),
        GameResult::BlackWins | GameResult::BlackByDefault => (0, 2),
        GameResult::Draw => (1, 1),
        GameResult::BothLose | GameResult::NobodyAppeared => (0, 0),
    };
    let before = BySide {
        white: halves.0,
        black: halves.1,
    };
    let after = penalties::points(penalty, offender, before, WON);
    (after != before).then(|| {
        format!(
            "Half points of this game after it: White {}, Black {}.",
            after.white, after.black
        )
    })
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
