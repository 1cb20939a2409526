//! Decides what facts about half-moves mean for the record: taken when they follow it, never when they would damage it.

use protocol::{DeskPly, Fact, Played, Ply, ResultState, Side, Standing, Timestamp};

use super::{Game, GameEvent, GamePosition, Irregularity, Over, Pressed, Seen};
use crate::laws::{Code, FaultKind, Lapse, end_by_move, fault, moved_by};

pub(super) fn decide(game: &Game, seen: Seen<'_>) -> Vec<GameEvent> {
    if takes_nothing(game) {
        return Vec::new();
    }
    match seen.fact {
        Fact::Made {
            ply,
            played,
            by,
            certainty,
            ..
        } => made(game, *ply, played, *by, *certainty, seen.at),
        Fact::Completed {
            ply,
            pressed,
            clock,
        } => {
            let times = clock.map(|c| c.time);
            completed(game, *ply, *pressed, times, seen)
        }
        Fact::Settled { ply } => settled(game, *ply, seen.at),
        Fact::Revised {
            from_ply,
            line,
            certainty,
        } => revised(game, *from_ply, line, *certainty, seen.at),
        Fact::Retracted { from_ply } => taken_back(game, *from_ply, seen.at),
        _ => Vec::new(),
    }
}

/// A press of a chessclock beside the board completes the half-move that its player has made.
pub(super) fn pressed_beside(game: &Game, seen: Seen<'_>) -> Vec<GameEvent> {
    let Some(last) = game.record.last().filter(|last| !last.pressed) else {
        return Vec::new();
    };
    let number = game.record.len();
    match *game.clock.pressed.get(last.by) {
        Some(press) if !takes_nothing(game) && is_of(game, number, last.by, press) => {
            let at = press.at.max(last.made_at);
            completed(game, number, true, Some(press.times), Seen { at, ..seen })
        }
        _ => Vec::new(),
    }
}

/// A press is no press for the half-move of the same player before; that of the first two comes after what was played before.
fn is_of(game: &Game, number: Ply, by: Side, press: Pressed) -> bool {
    let earlier = |back| {
        number
            .checked_sub(back)
            .and_then(|ply| game.record.get(ply))
    };
    match (earlier(2), earlier(1)) {
        (Some(own), _) => press.at > own.made_at && own.clock_ms != Some(*press.times.get(by)),
        (None, Some(other)) => press.at > other.made_at,
        (None, None) => true,
    }
}

fn takes_nothing(game: &Game) -> bool {
    let waits = game.held.is_some() || game.array_awaited;
    game.is_over() || waits || game.adjourned.is_some()
}

fn made(
    game: &Game,
    ply: Ply,
    played: &Played,
    by: Side,
    certainty: f32,
    at: Timestamp,
) -> Vec<GameEvent> {
    let next = game.record.len() + 1;
    match game.record.get(ply) {
        Some(known) if known.played == *played => Vec::new(),
        Some(known) if ply + 1 == next && known.completed_at.is_none() && !known.settled => {
            revised(game, ply, std::slice::from_ref(played), certainty, at)
        }
        Some(known) => same_or_stray(game, ply, known, played, at),
        None if ply == next => follows(game, ply, played, by, certainty, at),
        None => stray(
            format!("half-move {ply} came with {} in the record", next - 1),
            at,
        ),
    }
}

/// A half-move that is in the record already, perhaps written another way.
fn same_or_stray(
    game: &Game,
    ply: Ply,
    known: &DeskPly,
    played: &Played,
    at: Timestamp,
) -> Vec<GameEvent> {
    let usual = game.record.position_before(ply).play(played);
    match usual {
        Ok((usual, _)) if usual == known.played => Vec::new(),
        _ => stray(
            format!("half-move {ply} is {} in the record", known.san),
            at,
        ),
    }
}

fn follows(
    game: &Game,
    ply: Ply,
    played: &Played,
    by: Side,
    certainty: f32,
    at: Timestamp,
) -> Vec<GameEvent> {
    let mut position = game.record.position().clone();
    let mover = match played {
        Played::Legal(_) => position.turn(),
        // The agent names the player whose half-move the number is; two moves in a row are both of one player.
        Played::Irregular {
            from_fen, to_fen, ..
        } => moved_by(from_fen, to_fen).unwrap_or(by),
    };
    if game.record.is_full() {
        return stray("the record is full".to_owned(), at);
    }
    let (played, san) = match position.play(played) {
        Ok(done) => done,
        Err(why) => return stray(why.to_string(), at),
    };
    let mut events = on_with_the_game(game, mover);
    events.push(GameEvent::PlyMade {
        number: ply,
        ply: fresh(played, san, mover, certainty, at),
    });
    if let Some(end) = end(&position, at) {
        events.push(completed_by_the_end(ply, at));
        events.push(end);
    }
    events
}

/// A move that ends the game is completed without a press (6.2.1).
fn completed_by_the_end(number: Ply, at: Timestamp) -> GameEvent {
    GameEvent::PlyCompleted {
        number,
        at,
        pressed: false,
        clock_ms: None,
        spent_ms: None,
    }
}

/// What a new half-move brings with it: the beginning, proposals withdrawn, irregularities lapsed, the record followed again.
fn on_with_the_game(game: &Game, mover: Side) -> Vec<GameEvent> {
    let mut events = Vec::new();
    if game.begun.is_none() {
        events.push(GameEvent::Begun);
    }
    if game.standing.is_some() {
        events.push(GameEvent::ProposalWithdrawn);
    }
    if game.stray.is_some() || game.gap.is_some() {
        events.push(GameEvent::BackInLine);
    }
    events.extend(lapses(game, mover));
    events
}

fn lapses(game: &Game, mover: Side) -> Vec<GameEvent> {
    let rule = game.laws().illegal.of(game.setup.regime);
    if rule.lapse == Lapse::Never {
        return Vec::new();
    }
    game.open_irregularities()
        .filter(|i| i.by == Some(mover.other()) && lapses_with_the_reply(i.code))
        .map(|i| GameEvent::IrregularityOver {
            code: i.code,
            ply: i.ply,
            how: Over::Lapsed,
        })
        .collect()
}

fn lapses_with_the_reply(code: Code) -> bool {
    matches!(
        code,
        Code::IllegalMove | Code::PromotionNotReplaced | Code::PressWithoutMove | Code::TwoMoves
    )
}

fn fresh(played: Played, san: String, by: Side, certainty: f32, at: Timestamp) -> DeskPly {
    DeskPly {
        played,
        san,
        by,
        made_at: at,
        completed_at: None,
        pressed: false,
        settled: false,
        certainty: sane(certainty),
        clock_ms: None,
        spent_ms: None,
    }
}

/// A certainty from outside, within 0 to 1.
fn sane(certainty: f32) -> f32 {
    if certainty.is_nan() {
        0.0
    } else {
        certainty.clamp(0.0, 1.0)
    }
}

fn end(position: &GamePosition, at: Timestamp) -> Option<GameEvent> {
    let end = position.legal().and_then(end_by_move)?;
    Some(GameEvent::ResultProposed {
        standing: Standing {
            result: end.result,
            how: end.how,
            state: ResultState::Proposed,
        },
        at,
        words: format!("{} on the board", end.how.words()),
    })
}

fn completed(
    game: &Game,
    ply: Ply,
    pressed: bool,
    times: Option<protocol::BySide<u64>>,
    seen: Seen<'_>,
) -> Vec<GameEvent> {
    let Some(known) = game.record.get(ply) else {
        return stray(
            format!(
                "half-move {ply} completed with {} in the record",
                game.record.len()
            ),
            seen.at,
        );
    };
    if known.completed_at.is_some() && (known.pressed || !pressed) {
        return Vec::new();
    }
    let clock_ms = times.map(|t| *t.get(known.by));
    let mut events = earlier_ones(game, ply, seen.at);
    events.push(GameEvent::PlyCompleted {
        number: ply,
        at: known.completed_at.unwrap_or(seen.at),
        pressed,
        clock_ms,
        spent_ms: spent(game, ply, known, clock_ms, seen.at),
    });
    events.extend(illegal(game, ply, known, pressed, seen));
    events
}

/// Half-moves before a completed one are completed too (6.2.1).
fn earlier_ones(game: &Game, ply: Ply, at: Timestamp) -> Vec<GameEvent> {
    (game.record.completed_ply() + 1..ply)
        .filter(|p| {
            game.record
                .get(*p)
                .is_some_and(|e| e.completed_at.is_none())
        })
        .map(|number| GameEvent::PlyCompleted {
            number,
            at,
            pressed: false,
            clock_ms: None,
            spent_ms: None,
        })
        .collect()
}

fn spent(
    game: &Game,
    ply: Ply,
    known: &DeskPly,
    clock_ms: Option<u64>,
    at: Timestamp,
) -> Option<u64> {
    let by_clock = clock_ms.and_then(|ms| game.clock.spent(known.by, ms, &game.setup.time_control));
    let before = match ply {
        1 => game.begun,
        _ => game.record.get(ply - 1).and_then(|p| p.completed_at),
    };
    by_clock.or_else(|| before.map(|b| at.since(b)))
}

/// A completed half-move that is no legal move (7.5.1, 7.5.2).
fn illegal(
    game: &Game,
    ply: Ply,
    known: &DeskPly,
    pressed: bool,
    seen: Seen<'_>,
) -> Option<GameEvent> {
    let Played::Irregular {
        from_fen, to_fen, ..
    } = &known.played
    else {
        return None;
    };
    let fault = fault(from_fen, to_fen, known.by);
    let code = match fault.kind {
        FaultKind::Inherited => return None,
        FaultKind::PawnLeft(..) => Code::PromotionNotReplaced,
        FaultKind::OutOfTurn => Code::TwoMoves,
        FaultKind::Rule => Code::IllegalMove,
    };
    // The same half-move can be illegal once more after the position was restored.
    let this_one = |i: &Irregularity| i.over.is_none() || i.at >= known.made_at;
    let known_already = [
        Code::PromotionNotReplaced,
        Code::IllegalMove,
        Code::TwoMoves,
    ]
    .iter()
    .any(|code| game.irregularity(*code, ply).is_some_and(this_one));
    (pressed && !known_already && ply > game.ruled_ply).then(|| {
        GameEvent::IrregularityFound(Irregularity {
            code,
            ply,
            by: Some(known.by),
            at: seen.at,
            words: fault.words,
            facts: vec![seen.id.clone()],
            over: None,
        })
    })
}

fn settled(game: &Game, ply: Ply, at: Timestamp) -> Vec<GameEvent> {
    let known = game.record.len();
    if ply > known {
        let why = format!("half-move {ply} was settled with {known} in the record");
        return stray(why, at);
    }
    if ply > game.record.settled_ply() {
        vec![GameEvent::Settled { ply }]
    } else {
        Vec::new()
    }
}

/// Half-moves taken back on the board; an illegal move that was completed stays one (7.5.1), whoever puts the position right.
fn taken_back(game: &Game, from: Ply, at: Timestamp) -> Vec<GameEvent> {
    if game.record.get(from).is_none() {
        return Vec::new();
    }
    let stays = |event: &GameEvent| match event {
        GameEvent::IrregularityOver { code, ply, .. } => was_completed(game, *code, *ply),
        _ => false,
    };
    let mut events = revised(game, from, &[], 1.0, at);
    events.retain(|event| !stays(event));
    events
}

fn was_completed(game: &Game, code: Code, ply: Ply) -> bool {
    match code {
        Code::IllegalMove | Code::PromotionNotReplaced => true,
        Code::TwoMoves => game.record.get(ply).is_some_and(|known| known.pressed),
        _ => false,
    }
}

fn revised(
    game: &Game,
    from: Ply,
    line: &[Played],
    certainty: f32,
    at: Timestamp,
) -> Vec<GameEvent> {
    let checked = match game.record.checked_line(from, line) {
        Ok(checked) => checked,
        Err(why) => return stray(why.to_string(), at),
    };
    let same = checked
        .iter()
        .zip(from..)
        .take_while(|((played, _), ply)| {
            game.record
                .get(*ply)
                .is_some_and(|known| known.played == *played)
        })
        .count();
    let first = from + Ply::try_from(same).unwrap_or(0);
    if same == checked.len() && first > game.record.len() {
        return Vec::new();
    }
    if first <= game.ruled_ply {
        return stray(
            format!("the board wants to change half-move {first}, which was ruled"),
            at,
        );
    }
    replace(game, first, checked.into_iter().skip(same), certainty, at)
}

fn replace(
    game: &Game,
    first: Ply,
    line: impl Iterator<Item = (Played, String)>,
    certainty: f32,
    at: Timestamp,
) -> Vec<GameEvent> {
    let mut position = game.record.position_before(first);
    let mut plies = Vec::new();
    for ((played, san), number) in line.zip(first..) {
        let mover = position.turn();
        if position.play(&played).is_err() {
            return stray("the line does not follow itself".to_owned(), at);
        }
        plies.push(dated(game, number, played, san, mover, certainty, at));
    }
    let mut events = Vec::new();
    if game.standing.is_some() {
        events.push(GameEvent::ProposalWithdrawn);
    }
    events.extend(corrected(game, first, &plies));
    events.push(GameEvent::LineRevised {
        from_ply: first,
        line: plies,
        ruled: false,
    });
    events.extend(end(&position, at));
    events
}

/// The new half-move with the times of the one it replaces.
fn dated(
    game: &Game,
    number: Ply,
    played: Played,
    san: String,
    mover: Side,
    certainty: f32,
    at: Timestamp,
) -> DeskPly {
    let new = fresh(played, san, mover, certainty, at);
    match game.record.get(number) {
        Some(old) if old.by == mover => DeskPly {
            made_at: old.made_at,
            completed_at: old.completed_at,
            pressed: old.pressed,
            clock_ms: old.clock_ms,
            spent_ms: old.spent_ms,
            ..new
        },
        _ => new,
    }
}

/// Irregularities that the new line no longer shows.
fn corrected(game: &Game, first: Ply, line: &[DeskPly]) -> Vec<GameEvent> {
    let irregular = |ply: Ply| {
        let index = usize::try_from(ply - first).unwrap_or(usize::MAX);
        line.get(index)
            .is_some_and(|p| matches!(p.played, Played::Irregular { .. }))
    };
    game.open_irregularities()
        .filter(|i| i.ply >= first && i.code != Code::PressWithoutMove && !irregular(i.ply))
        .map(|i| GameEvent::IrregularityOver {
            code: i.code,
            ply: i.ply,
            how: Over::Corrected,
        })
        .collect()
}

fn stray(why: String, at: Timestamp) -> Vec<GameEvent> {
    vec![GameEvent::StrayFact { why, at }]
}
