//! Makes the next state of a game from an event; asks no law, so that a replay gives what was.

use protocol::{
    BySide, ClockReading, DeskPly, FactId, LogLine, Ply, ResultState, Side, Standing, Timestamp,
    Uncertain,
};

use super::{
    Differs, FlagSeen, Game, GameEvent, Gap, Irregularity, Over, Source, Stray, TimeDue, Witness,
    WrongArray, clock_words, increment_ms, log::source_words, log_line,
};
use crate::laws::Code;

/// Irregularities and rulings that are kept with a game.
const KEPT: usize = 64;
/// Half-moves that may be doubtful at once: those of a whole game that nobody saw.
const DOUBTFUL: usize = 600;

/// What an event changed, for those who show the game.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Evolved {
    /// The line of the log.
    pub line: Option<LogLine>,
    /// Arbiters see a difference.
    pub desk: bool,
    /// The hall may see a difference.
    pub hall: bool,
    /// It may be shown together with what follows within a moment.
    pub waits: bool,
}

/// Changes the game by an event that happened at `at`.
pub fn evolve(game: &mut Game, at: Timestamp, source: &Source, event: &GameEvent) -> Evolved {
    if let GameEvent::ClockRead { reading, at } = event {
        let periods = game.clock.model.period;
        let news = read(game, reading, *at, fact_of(source));
        let line = control_passed(game, periods, reading, source);
        if let Some(line) = &line {
            game.remember(line.clone());
        }
        return Evolved {
            desk: news || line.is_some(),
            line,
            hall: news,
            waits: true,
        };
    }
    let line = log_line(game, at, source, event);
    apply(game, at, fact_of(source), event);
    if counts(event) {
        game.revision += 1;
    }
    if let Some(line) = &line {
        game.remember(line.clone());
    }
    Evolved {
        line,
        desk: true,
        hall: in_the_hall(event),
        waits: matches!(event, GameEvent::Settled { .. }),
    }
}

fn fact_of(source: &Source) -> Option<&FactId> {
    match source {
        Source::Fact(fact) => Some(fact),
        Source::Arbiter(_) | Source::Hub => None,
    }
}

/// Takes a reading of the clock in; answers whether it says anything that a screen does not count down by itself.
fn read(game: &mut Game, reading: &ClockReading, at: Timestamp, fact: Option<&FactId>) -> bool {
    let ran = game.clock.view.and_then(|v| v.running);
    let bonus = BySide::new_with(|side| increment_ms(game, side));
    game.clock.watch(reading, at, bonus);
    let news = game.clock.read(reading, at);
    let control = &game.setup.time_control;
    if let Some(fact) = fact {
        game.clock.heard_by(fact);
    }
    if game.clock.model.last.is_none() {
        // Moves that were made before the board had a table brought no reading along.
        let completed = game.record.completed_moves();
        game.clock.model.counts_from(completed);
    }
    game.clock.model.read(reading, at, control);
    if let (true, Some(fact)) = (news, fact) {
        game.clock.remember(at, fact);
    }
    if let (true, Some(by), Some(next)) = (news, ran, reading.running)
        && by != next
        && let Some(last) = game.record.last().filter(|p| p.completed_at.is_none())
    {
        game.clock.hands.pressed(by, last.by);
    }
    news
}

/// A clock has added its next period: what it added, and what was left of the one before (6.2b of 2001).
fn control_passed(
    game: &Game,
    before: BySide<u8>,
    reading: &ClockReading,
    source: &Source,
) -> Option<LogLine> {
    let view = game.clock.view?;
    let passed = |side: &Side| game.clock.model.period.get(*side) > before.get(*side);
    let side = Side::BOTH.into_iter().find(passed)?;
    let number = usize::from(*game.clock.model.period.get(side));
    let period = game.setup.time_control.side(side).periods().get(number)?;
    let shows = *reading.time.get(side);
    let added = u64::from(period.seconds) * 1000;
    let (who, number) = (side.word(), number + 1);
    Some(LogLine {
        at: view.at,
        kind: "clock".to_owned(),
        words: format!(
            "{who}'s period {number}: {} added, {} carried over",
            clock_words(added),
            clock_words(shows.saturating_sub(added))
        ),
        source: source_words(source),
    })
}

/// Whether the hall may see a difference.
fn in_the_hall(event: &GameEvent) -> bool {
    matches!(
        event,
        GameEvent::Begun
            | GameEvent::PlyMade { .. }
            | GameEvent::PlyCompleted { .. }
            | GameEvent::Settled { .. }
            | GameEvent::LineRevised { .. }
            | GameEvent::ResultProposed { .. }
            | GameEvent::ProposalWithdrawn
            | GameEvent::ResultSet { .. }
            | GameEvent::Reinstated
    )
}

/// Whether a ruling that was prepared before this event rests on something else now.
fn counts(event: &GameEvent) -> bool {
    matches!(
        event,
        GameEvent::PlyMade { .. }
            | GameEvent::LineRevised { .. }
            | GameEvent::FlagSeen { .. }
            | GameEvent::IrregularityFound(_)
            | GameEvent::IrregularityOver { .. }
            | GameEvent::ResultProposed { .. }
            | GameEvent::ProposalWithdrawn
            | GameEvent::ResultSet { .. }
            | GameEvent::IllegalCounted { .. }
            | GameEvent::TimeRuled { .. }
            | GameEvent::ClockReplaced { .. }
            | GameEvent::ControlRuled(_)
            | GameEvent::ClaimSet(_)
            | GameEvent::AdjournmentSet(_)
            | GameEvent::Resumed { .. }
            | GameEvent::Reinstated
    )
}

fn apply(game: &mut Game, at: Timestamp, fact: Option<&FactId>, event: &GameEvent) {
    match event {
        GameEvent::Begun => game.begun = game.begun.or(Some(at)),
        GameEvent::PlyMade { number, ply } => revise(game, *number, vec![ply.clone()], fact),
        GameEvent::PlyCompleted {
            number,
            at,
            pressed,
            clock_ms,
            spent_ms,
        } => complete(game, *number, (*at, *pressed), *clock_ms, *spent_ms),
        GameEvent::Settled { ply } => settle(game, *ply),
        GameEvent::LineRevised {
            from_ply,
            line,
            ruled,
        } => {
            revise(game, *from_ply, line.clone(), fact);
            if *ruled {
                game.ruled_ply = game.record.len();
                game.uncertain.clear();
                settle(game, game.ruled_ply);
            }
        }
        GameEvent::FlagSeen { side, at, fact } => {
            let second = game.clock.flags.get(side.other()).is_some();
            *game.clock.flags.get_mut(*side) = Some(FlagSeen {
                at: *at,
                fact: fact.clone(),
                second,
            });
        }
        GameEvent::WitnessSeen { standing, at } => {
            game.witness = Some(Witness {
                standing: *standing,
                at: *at,
                fact: fact.cloned(),
            });
        }
        GameEvent::IrregularityFound(found) => find(game, found),
        GameEvent::IrregularityOver { code, ply, how } => end(game, *code, *ply, *how),
        GameEvent::BoardDiffers {
            since,
            squares,
            board,
        } => {
            game.differs = Some(Differs {
                since: *since,
                squares: squares.clone(),
                board: board.clone(),
                fact: fact.cloned(),
            });
        }
        GameEvent::BoardAgrees => agrees(game),
        GameEvent::PlyUncertain(uncertain, at) => doubt(game, uncertain, *at),
        GameEvent::PlyCertain { ply } => {
            game.uncertain.retain(|(u, _)| u.ply != *ply);
            settle(game, game.record.settled_ply());
        }
        GameEvent::StrayFact { why, at } => stray(game, why, *at),
        GameEvent::BackInLine => {
            game.stray = None;
            game.gap = None;
        }
        GameEvent::GapNoted { from, to, at } => {
            // What was read of the clock meanwhile is not known.
            game.clock.model.goes_unheard();
            game.gap = Some(Gap {
                from: *from,
                to: *to,
                at: *at,
            });
        }
        GameEvent::SetUpSeen {
            correct,
            squares,
            at,
            turned,
            words,
        } => {
            game.array_awaited &= !correct;
            game.wrong_array = (!correct).then(|| WrongArray {
                squares: squares.clone(),
                since: *at,
                turned: *turned,
                words: words.clone(),
                fact: fact.cloned(),
            });
        }
        GameEvent::ResultProposed {
            standing,
            at,
            words,
        } => {
            game.standing = Some(*standing);
            game.standing_since = Some(*at);
            game.standing_words.clone_from(words);
            game.witness = Some(Witness {
                standing: *standing,
                at: *at,
                fact: fact.cloned(),
            });
        }
        GameEvent::ProposalWithdrawn => {
            game.standing = None;
            game.standing_since = None;
            game.witness = None;
        }
        GameEvent::ResultSet { standing, signed } => {
            if entered_again(game, standing.as_ref()) {
                game.witness = None;
            }
            game.standing = *standing;
            game.standing_since = Some(at);
            game.signed = *signed;
        }
        GameEvent::IllegalCounted { offender, count } => {
            *game.illegal_moves.get_mut(*offender) = *count;
        }
        GameEvent::TimeRuled { change_ms, due, at } => {
            game.clock.model.ruled();
            match due {
                Some(due) => game.clock.await_times(*change_ms, *due, *at),
                None => game.clock.due = None,
            }
        }
        GameEvent::TimeSeen => {
            game.clock.due = None;
            game.clock.model.ruled();
        }
        GameEvent::ClockReplaced { due, at } => replaced(game, *due, *at),
        GameEvent::ControlRuled(control) => {
            game.setup.time_control = control.clone();
            game.clock.model.ruled();
        }
        GameEvent::ClaimSet(claim) => game.claim.clone_from(claim),
        GameEvent::AdjournmentSet(adjournment) => {
            game.adjourned = Some(adjournment.clone());
            game.awaited = None;
        }
        GameEvent::Resumed { awaited } => {
            game.adjourned = None;
            game.awaited = *awaited;
            game.clock.stopped_since = Some(at);
        }
        GameEvent::Held { generation, since } => game.held = Some((*generation, *since)),
        GameEvent::Released => {
            game.held = None;
            game.differs = None;
        }
        GameEvent::ClockRead { .. } | GameEvent::Reinstated | GameEvent::Noted(_) => {}
    }
}

/// An arbiter enters once more what he had entered: whatever the board says, he has looked.
fn entered_again(game: &Game, standing: Option<&Standing>) -> bool {
    let (Some(before), Some(now)) = (&game.standing, standing) else {
        return false;
    };
    before.state >= ResultState::Confirmed
        && now.state != ResultState::Published
        && before.result == now.result
}

/// Another clock: nothing it shows is compared with what the old one showed.
fn replaced(game: &mut Game, due: BySide<u64>, at: Timestamp) {
    let completed = game.record.completed_moves();
    game.clock.model.replaced(completed);
    game.clock.due = Some(TimeDue {
        at,
        change_ms: BySide::default(),
        due,
        lacks: None,
        is_set: false,
    });
}

fn revise(game: &mut Game, from: Ply, line: Vec<DeskPly>, fact: Option<&FactId>) {
    game.record.replace(from, line, fact);
    game.uncertain.retain(|(u, _)| u.ply < from);
    game.draws.changed(&game.record, from, game.setup.laws());
    game.wrong_array = None;
    game.array_awaited = false;
    game.ruled_ply = game.ruled_ply.min(game.record.len());
    for side in Side::BOTH {
        *game.clock.after_move.get_mut(side) = last_clock(game, side);
    }
}

/// What could as well be another move is not settled, however sure the position after it is.
fn settle(game: &mut Game, ply: Ply) {
    let uncertain = &game.uncertain;
    game.record
        .settle(ply, |at| uncertain.iter().any(|(u, _)| u.ply == at));
}

/// The board stands in a position of the game; before the first move that is the initial one.
fn agrees(game: &mut Game) {
    game.differs = None;
    if game.record.is_empty() {
        game.wrong_array = None;
    }
}

fn doubt(game: &mut Game, uncertain: &Uncertain, at: Timestamp) {
    let since = game.uncertain.iter().find(|(u, _)| u.ply == uncertain.ply);
    let since = since.map_or(at, |(_, since)| *since);
    game.uncertain.retain(|(u, _)| u.ply != uncertain.ply);
    let place = game
        .uncertain
        .partition_point(|(u, _)| u.ply < uncertain.ply);
    game.uncertain.insert(place, (uncertain.clone(), since));
    game.uncertain.truncate(DOUBTFUL);
    game.record.unsettle(uncertain.ply);
}

/// The mover's time after his last completed half-move.
fn last_clock(game: &Game, side: Side) -> Option<u64> {
    let mine = |e: &&super::Entry| e.ply.by == side && e.ply.completed_at.is_some();
    game.record
        .entries()
        .iter()
        .rev()
        .find(mine)
        .and_then(|e| e.ply.clock_ms)
}

fn complete(
    game: &mut Game,
    number: Ply,
    (at, pressed): (Timestamp, bool),
    clock_ms: Option<u64>,
    spent_ms: Option<u64>,
) {
    let mut by = None;
    game.record.complete(number, |ply| {
        ply.completed_at = ply.completed_at.or(Some(at));
        ply.pressed |= pressed;
        ply.clock_ms = clock_ms.or(ply.clock_ms);
        ply.spent_ms = spent_ms.or(ply.spent_ms);
        by = Some(ply.by);
    });
    if let (Some(by), Some(ms)) = (by, clock_ms) {
        *game.clock.after_move.get_mut(by) = Some(ms);
    }
}

fn find(game: &mut Game, found: &Irregularity) {
    if game.irregularities.len() >= KEPT {
        let over = game.irregularities.iter().position(|i| i.over.is_some());
        game.irregularities.remove(over.unwrap_or(0));
    }
    game.irregularities.push(found.clone());
}

fn end(game: &mut Game, code: Code, ply: Ply, how: Over) {
    let open = |i: &&mut Irregularity| i.code == code && i.ply == ply && i.over.is_none();
    if let Some(irregularity) = game.irregularities.iter_mut().find(open) {
        irregularity.over = Some(how);
    }
}

fn stray(game: &mut Game, why: &str, at: Timestamp) {
    let (since, count) = game.stray.as_ref().map_or((at, 0), |s| (s.since, s.count));
    game.stray = Some(Stray {
        since,
        why: why.to_owned(),
        count: count.saturating_add(1),
    });
}
