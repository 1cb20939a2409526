//! Rulings on illegal moves (7.5): the count, the opponent's time, the position before, the loss.

use protocol::{
    BySide, DeskPly, GameResult, Incident, Judgement, Played, Ply, ResultHow, ResultState, Side,
    Standing,
};

use super::{Around, Prepared, Refusal, time};
use crate::game::{Game, GameEvent, GamePosition, Irregularity, Over};
use crate::laws::{
    AfterPromotion, Code, EndByMove, FaultKind, LossVerdict, MateVerdict, article_of_end,
    end_by_move, fault, illegal_proposal, loss_or_draw,
};

pub(super) fn prepare(
    game: &Game,
    (offender, incident): (Side, Option<&Incident>),
    judgement: Judgement,
    take_increment: bool,
    around: Around<'_>,
) -> Result<Prepared, Refusal> {
    if game.is_over() {
        return Err(Refusal::state("the game is over; counter its result first"));
    }
    let seen = ruled_upon(game, offender, incident);
    if matches!(judgement, Judgement::First | Judgement::Second) {
        still_played(game)?;
    }
    let mut ruling = known(game, offender, seen);
    match judgement {
        Judgement::First => first(game, offender, seen, take_increment, around, &mut ruling),
        Judgement::Second => last(game, offender, seen, around, &mut ruling),
        Judgement::NoIllegalMove => undone(game, seen, "no illegal move", &mut ruling)?,
        Judgement::NotCompleted => undone(game, seen, "not completed", &mut ruling)?,
        Judgement::Stands => stands(seen, &mut ruling)?,
    }
    // Without a name the ruling answers whatever is open of the kind.
    ruling.closes_only = seen.filter(|_| incident.is_some()).map(|i| (i.code, i.ply));
    if let Some(seen) = seen.filter(|i| i.over.is_none()) {
        ruling.events.push(GameEvent::IrregularityOver {
            code: seen.code,
            ply: seen.ply,
            how: Over::Ruled,
        });
        ruling.undo.push(GameEvent::IrregularityFound(Irregularity {
            over: None,
            ..seen.clone()
        }));
    }
    Ok(ruling)
}

/// A legal move that mates or stalemates has ended the game at once (5.1.1, 5.2.1): what came before it has no penalty.
fn still_played(game: &Game) -> Result<(), Refusal> {
    let legal = game.record.last().is_some_and(|ply| !is_irregular(ply));
    let ended = legal
        .then(|| game.record.position().legal().and_then(end_by_move))
        .flatten();
    match ended {
        None => Ok(()),
        Some(EndByMove { how, .. }) => Err(Refusal::state(format!(
            "the game ended with half-move {}, {} ({}): an illegal move is ruled during the game; confirm the result, \
             choose that it stands, or correct the record first",
            game.record.len(),
            how.words(),
            article_of_end(how, game.laws()),
        ))),
    }
}

/// The irregularity that is ruled upon: the one of the incident, though the players may have put it right; else the offender's latest
/// open one.
fn ruled_upon<'a>(
    game: &'a Game,
    offender: Side,
    incident: Option<&Incident>,
) -> Option<&'a Irregularity> {
    let his = |i: &&Irregularity| is_illegal_move(i.code) && i.by == Some(offender);
    match incident {
        Some(incident) => game
            .irregularities
            .iter()
            .rev()
            .filter(his)
            .find(|i| i.code.name() == incident.code && i.ply == incident.ply),
        None => game.open_irregularities().filter(his).last(),
    }
}

fn is_illegal_move(code: Code) -> bool {
    matches!(
        code,
        Code::IllegalMove | Code::PromotionNotReplaced | Code::PressWithoutMove | Code::TwoMoves
    )
}

fn known(game: &Game, offender: Side, seen: Option<&Irregularity>) -> Prepared {
    let before = *game.illegal_moves.get(offender);
    let code = seen.map_or(Code::IllegalMove, |i| i.code);
    let mut lines = vec![match seen {
        Some(i) => format!("Seen: {} ({})", i.words, i.code),
        None => "Nothing was seen by the board: entered by the arbiter.".to_owned(),
    }];
    lines.push(format!(
        "Before: {} has {before} completed illegal moves in this game.",
        offender.word()
    ));
    lines.extend(illegal_proposal(
        code,
        game.laws(),
        game.setup.regime,
        offender,
        before,
    ));
    Prepared {
        lines,
        article: game.laws().articles.illegal_penalty.to_owned(),
        closes: vec![
            Code::IllegalMove,
            Code::PromotionNotReplaced,
            Code::PressWithoutMove,
            Code::TwoMoves,
        ],
        ..Prepared::default()
    }
}

fn count(game: &Game, offender: Side, ruling: &mut Prepared) {
    let before = *game.illegal_moves.get(offender);
    ruling.events.push(GameEvent::IllegalCounted {
        offender,
        count: before + 1,
    });
    ruling.undo.push(GameEvent::IllegalCounted {
        offender,
        count: before,
    });
}

fn first(
    game: &Game,
    offender: Side,
    seen: Option<&Irregularity>,
    take_increment: bool,
    around: Around<'_>,
    ruling: &mut Prepared,
) {
    let opponent = offender.other();
    let rule = game.laws().illegal.of(game.setup.regime);
    if rule.loses_at.is_some() || rule.bonus_ms > 0 {
        count(game, offender, ruling);
    }
    let mut change = BySide { white: 0, black: 0 };
    *change.get_mut(opponent) = i64::try_from(rule.bonus_ms).unwrap_or(0);
    if take_increment {
        *change.get_mut(offender) = -time::earned_ms(game, offender);
    }
    if change != (BySide { white: 0, black: 0 }) {
        time::add(game, change, around.now, ruling);
    }
    if let Some(seen) = seen {
        restore(game, seen, ruling);
    }
    let number = *game.illegal_moves.get(offender) + 1;
    ruling.words = format!(
        "illegal move no. {number} by {}: {} {}",
        offender.word(),
        opponent.word(),
        time::signed(*change.get(opponent))
    );
}

/// The position before the irregularity, or the pawn as a queen (7.5.2).
fn restore(game: &Game, seen: &Irregularity, ruling: &mut Prepared) {
    let Some(ply) = game.record.get(seen.ply).filter(|p| is_irregular(p)) else {
        let queen = game.record.get(seen.ply).map(|p| p.san.as_str());
        ruling
            .then
            .push(match queen.filter(|_| is_pawn_left(seen)) {
                Some(san) => format!("the pawn is a queen: {san}; the position stands"),
                None => "nothing in the record to restore".to_owned(),
            });
        ruling.adopt |= seen.code != Code::PressWithoutMove;
        return;
    };
    let queen = queen_due(game, seen, ply);
    let line: Vec<DeskPly> = queen.into_iter().collect();
    ruling.then.push(match line.first() {
        Some(ply) => format!("the pawn is a queen: {}", ply.san),
        None => format!(
            "the record ends before half-move {}; set the pieces back",
            seen.ply
        ),
    });
    replace(game, seen.ply, line, ruling);
}

fn is_pawn_left(seen: &Irregularity) -> bool {
    seen.code == Code::PromotionNotReplaced
}

fn is_irregular(ply: &DeskPly) -> bool {
    matches!(ply.played, Played::Irregular { .. })
}

/// Puts a line into the record, ruled, with what undoes it.
pub(super) fn replace(game: &Game, from: Ply, line: Vec<DeskPly>, ruling: &mut Prepared) {
    let first = usize::try_from(from.saturating_sub(1)).unwrap_or(usize::MAX);
    let old = game.record.entries().iter().skip(first);
    ruling.undo.push(GameEvent::LineRevised {
        from_ply: from,
        line: old.map(|e| e.ply.clone()).collect(),
        ruled: true,
    });
    ruling.events.push(GameEvent::LineRevised {
        from_ply: from,
        line,
        ruled: true,
    });
    ruling.adopt = true;
}

/// The half-move with a queen where the edition puts one in the place of the pawn (7.5.2).
fn queen_due(game: &Game, seen: &Irregularity, ply: &DeskPly) -> Option<DeskPly> {
    let due = is_pawn_left(seen) && game.laws().promotion == AfterPromotion::Queen;
    due.then(|| as_queen(game, seen.ply, ply)).flatten()
}

fn as_queen(game: &Game, number: Ply, ply: &DeskPly) -> Option<DeskPly> {
    let Played::Irregular {
        from_fen, to_fen, ..
    } = &ply.played
    else {
        return None;
    };
    let FaultKind::PawnLeft(from, to) = fault(from_fen, to_fen, ply.by).kind else {
        return None;
    };
    let played = Played::Legal(format!("{from}{to}q"));
    let (played, san) = game.record.checked_line(number, &[played]).ok()?.pop()?;
    Some(DeskPly {
        played,
        san,
        settled: true,
        certainty: 1.0,
        ..ply.clone()
    })
}

fn last(
    game: &Game,
    offender: Side,
    seen: Option<&Irregularity>,
    around: Around<'_>,
    ruling: &mut Prepared,
) {
    count(game, offender, ruling);
    let opponent = offender.other();
    let mates = match judged(game, seen).legal() {
        Some(position) => around.prospects.can_mate(position, opponent),
        None => MateVerdict::Undecided("the position is not legal".to_owned()),
    };
    let (result, why) = match loss_or_draw(game.laws(), game.setup.regime, &mates) {
        LossVerdict::Drawn(why) => (GameResult::Draw, why),
        LossVerdict::Lost if offender == Side::White => {
            (GameResult::BlackWins, mates.words().to_owned())
        }
        LossVerdict::Lost => (GameResult::WhiteWins, mates.words().to_owned()),
    };
    ruling.lines.push(why);
    ruling
        .then
        .push(format!("result {result}; both clocks stay stopped"));
    ruling.ends_game = true;
    ruling.words = format!("illegal moves by {}: {result}", offender.word());
    ruling.events.push(GameEvent::ResultSet {
        standing: Some(Standing {
            result,
            how: ResultHow::IllegalMoves,
            state: ResultState::Confirmed,
        }),
        signed: game.signed,
    });
    ruling.undo.push(GameEvent::ResultSet {
        standing: game.standing,
        signed: game.signed,
    });
}

/// The position in which the opponent must be able to mate: the one that is put back, where there is one (7.5.1).
fn judged(game: &Game, seen: Option<&Irregularity>) -> GamePosition {
    let irregular =
        seen.and_then(|i| Some((i, game.record.get(i.ply).filter(|p| is_irregular(p))?)));
    let Some((seen, ply)) = irregular else {
        return game.record.position().clone();
    };
    let before = game.record.position_before(seen.ply);
    let with_queen = queen_due(game, seen, ply).and_then(|queen| {
        let mut position = before.clone();
        position.play(&queen.played).ok().map(|_| position)
    });
    with_queen.unwrap_or(before)
}

fn undone(
    game: &Game,
    seen: Option<&Irregularity>,
    why: &str,
    ruling: &mut Prepared,
) -> Result<(), Refusal> {
    let seen = seen.ok_or_else(|| Refusal::nothing("no illegal move of this player is open"))?;
    ruling.words = format!("{why}; nothing is counted");
    ruling.then.push("nothing is counted".to_owned());
    if game.record.get(seen.ply).is_some_and(is_irregular) {
        ruling
            .then
            .push(format!("the record ends before half-move {}", seen.ply));
        replace(game, seen.ply, Vec::new(), ruling);
    }
    Ok(())
}

fn stands(seen: Option<&Irregularity>, ruling: &mut Prepared) -> Result<(), Refusal> {
    seen.ok_or_else(|| Refusal::nothing("no illegal move of this player is open"))?;
    ruling.words = "the illegal move stands; nothing is counted".to_owned();
    ruling
        .then
        .push("the game goes on from the position on the board".to_owned());
    Ok(())
}
