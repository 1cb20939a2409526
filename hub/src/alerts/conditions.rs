//! Which conditions hold at a table: computed from its state at every fact and tick, without texts, so that it costs next to nothing.

use protocol::{BySide, Millis, Ply, ResultHow, ResultState, Side, TableId, Timestamp, Urgency};

use super::{Condition, PAST, Patience, clock_conditions, law_conditions};
use crate::game::{Differs, Game};
use crate::laws::Code;
use crate::laws::chessclock::Odd;
use crate::laws::start::urgency_after;

/// What the devices of a table say about themselves.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Devices {
    /// A board is bound to the table.
    pub bound: bool,
    /// Since when the board does not answer, by its own agent.
    pub board_out: Option<Timestamp>,
    /// Its agent has asked it for some time before it said so.
    pub asked_long: bool,
    /// Since when there is no clock, by the board.
    pub clock_out: Option<Timestamp>,
    /// When anything was heard from the board, or could be heard again: since the hub and the agent are there.
    pub heard: Option<Timestamp>,
    /// Whether its agent is there.
    pub agent_there: bool,
    /// When the round's clocks may run.
    pub started: Option<Timestamp>,
    /// Default time of the round, milliseconds.
    pub default_ms: Millis,
    /// Since when the round is being closed.
    pub closing: Option<Timestamp>,
    /// The table whose position stands on this board.
    pub exchanged: Option<TableId>,
    /// The hub's time.
    pub now: Timestamp,
    /// How the clock differs from those of the neighbours.
    pub odd: Option<Odd>,
}

impl Devices {
    /// Board and clock are there and tell what they do.
    pub(super) fn are_read(&self) -> bool {
        self.agent_there && self.board_out.is_none() && self.clock_out.is_none()
    }
}

/// Everything that holds at a table.
pub fn of_game(
    game: &Game,
    devices: &Devices,
    patience: &Patience,
    now: Timestamp,
) -> Vec<Condition> {
    let mut found = Vec::new();
    found.extend(law_conditions::conflict(game));
    if game.is_over() {
        found.extend(law_conditions::early_draw(game));
        return found;
    }
    found.extend(law_conditions::late_for_resumption(
        game, devices, patience, now,
    ));
    if game.adjourned.is_some() {
        found.extend(irregular(game).filter(|c| c.code == Code::SealedMoveVoid));
        return found;
    }
    found.extend(irregular(game));
    found.extend(flags(game));
    found.extend(clocks(game, devices, patience, now));
    found.extend(record(game, devices, patience, now));
    found.extend(ends(game, patience, now));
    found.extend(silent(game, devices, patience, now));
    found.extend(clock_conditions::of_clock(game, devices, patience, now));
    found.extend(law_conditions::of_laws(game, devices, now));
    let mut completed = None;
    for condition in &mut found {
        if is_past(game, condition.code, &mut completed) {
            condition.cause |= PAST;
        }
    }
    found
}

/// Whether the moves played have made a call silent (7.3, A.5.1).
fn is_past(game: &Game, code: Code, completed: &mut Option<BySide<u32>>) -> bool {
    let may = matches!(
        code,
        Code::InitialPositionWrong
            | Code::BoardTurned
            | Code::ColoursReversed
            | Code::TimeControlWrong
            | Code::IncrementWrong
    );
    may && {
        let completed = *completed.get_or_insert_with(|| game.record.completed_moves());
        let (laws, regime) = (game.laws(), game.setup.regime);
        urgency_after(code, laws, regime, completed, Urgency::Call) == Urgency::Silent
    }
}

/// Few enough pieces stand elsewhere to be put back: up to two squares, or men that are only missing from theirs.
fn displaced(differs: &Differs) -> bool {
    let empty = |s: &protocol::SquareName| differs.board.0.piece_at(s.0).is_none();
    differs.squares.len() < 3 || differs.squares.iter().all(empty)
}

fn irregular(game: &Game) -> impl Iterator<Item = Condition> + '_ {
    game.open_irregularities()
        .filter(|i| !told_by_state(i.code))
        .map(|i| Condition {
            code: i.code,
            cause: u64::from(i.ply),
            side: i.by,
            since: i.at,
        })
}

/// What is told from the state of the game, with its squares and its patience.
fn told_by_state(code: Code) -> bool {
    matches!(code, Code::PositionMismatch | Code::PiecesDisplaced)
}

fn flags(game: &Game) -> impl Iterator<Item = Condition> + '_ {
    let decided = game
        .standing
        .is_some_and(|s| s.state > ResultState::Proposed);
    Side::BOTH.into_iter().filter_map(move |side| {
        let seen = game.clock.flags.get(side).as_ref()?;
        // A result proposed after the flag fell does not take the call away; a game that ended before does (6.9).
        let ended_before =
            game.standing.is_some() && game.standing_since.is_some_and(|since| since <= seen.at);
        let matters = !decided && !ended_before && clock_conditions::flag_matters(game, side);
        matters.then_some(Condition {
            code: Code::FlagFallen,
            cause: u64::from(side == Side::Black),
            side: Some(side),
            since: seen.at,
        })
    })
}

fn clocks(game: &Game, devices: &Devices, patience: &Patience, now: Timestamp) -> Vec<Condition> {
    let mut found = Vec::new();
    let mut add = |code, cause, since: Option<Timestamp>, wait| {
        found.extend(lasting(code, cause, since, wait, now));
    };
    let clock = &game.clock;
    let stands = clock.view.is_some() && !clock.runs();
    if game.begun.is_none() && stands {
        add(
            Code::ClockNotStarted,
            0,
            devices.started,
            patience.clock_not_started,
        );
    }
    let flag = clock.flags.white.is_some() || clock.flags.black.is_some();
    if game.in_play() && !game.record.is_empty() && !flag {
        let count = u64::from(game.record.len());
        add(
            Code::ClocksStopped,
            count,
            clock.stopped_since,
            patience.clocks_stopped,
        );
    }
    if let Some(ply) = game.record.last().filter(|p| p.completed_at.is_none())
        && game.in_play()
        && clock.view.is_some_and(|v| v.running == Some(ply.by))
    {
        let wait = patience.without_press(game.setup.regime);
        let count = u64::from(game.record.len());
        let waits = lasting(Code::MoveWithoutPress, count, Some(ply.made_at), wait, now);
        found.extend(waits.map(|c| Condition {
            side: Some(ply.by),
            ..c
        }));
    }
    if game.in_play() && clock.view.is_some() {
        let lost = devices.clock_out;
        found.extend(lasting(Code::ClockLost, 0, lost, patience.clock_lost, now));
    }
    found
}

/// Before the round the pieces are being set up; whatever stands there is no game.
fn round_is_on(game: &Game, devices: &Devices, now: Timestamp) -> bool {
    game.begun.is_some() || devices.started.is_some_and(|started| now >= started)
}

/// Since when pieces that stand wrong matter: before the first move not before the start of the round.
fn set_up_by(game: &Game, since: Timestamp, devices: &Devices) -> Timestamp {
    match devices.started {
        Some(started) if game.begun.is_none() => since.max(started),
        _ => since,
    }
}

/// The tracker has waited already; a little more for the hand that puts them back.
fn told_displaced(game: &Game) -> Option<(u64, Timestamp)> {
    let mut open = game.open_irregularities();
    let told = open.find(|i| i.code == Code::PiecesDisplaced)?;
    Some((u64::from(told.ply) + 1, told.at))
}

fn record(game: &Game, devices: &Devices, patience: &Patience, now: Timestamp) -> Vec<Condition> {
    let mut found = Vec::new();
    let mut add = |code, cause, since: Option<Timestamp>, wait| {
        found.extend(lasting(code, cause, since, wait, now));
    };
    if game.wrong_array.is_some() {
        // The array tells what differs.
    } else if let Some(differs) = game
        .differs
        .as_ref()
        .filter(|_| round_is_on(game, devices, now))
    {
        let since = Some(set_up_by(game, differs.since, devices));
        match devices.exchanged {
            Some(TableId(other)) => add(
                Code::BoardsExchanged,
                u64::from(other),
                since,
                patience.boards_exchanged,
            ),
            None if displaced(differs) => {
                add(Code::PiecesDisplaced, 0, since, patience.position_mismatch);
            }
            None => add(Code::PositionMismatch, 0, since, patience.position_mismatch),
        }
    } else {
        if let Some((cause, since)) = told_displaced(game) {
            add(
                Code::PiecesDisplaced,
                cause,
                Some(since),
                patience.displaced,
            );
        }
        let stray = game.stray.as_ref().filter(|s| s.count > 1);
        add(Code::PositionMismatch, 1, stray.map(|s| s.since), 0);
        let held = game.held.map(|(_, since)| since);
        add(Code::PositionMismatch, 2, held, patience.not_adopted);
    }
    if let Some(gap) = game.gap {
        add(Code::RecordGap, gap.from, Some(gap.at), 0);
    }
    // Neighbours have one cause: moves that went by unseen.
    let in_doubt = |ply: Ply| game.uncertain.iter().any(|(u, _)| u.ply == ply);
    for (first, since) in game
        .uncertain
        .iter()
        .filter(|(u, _)| !in_doubt(u.ply.wrapping_sub(1)))
    {
        add(
            Code::ReadingAmbiguous,
            u64::from(first.ply),
            Some(*since),
            patience.ambiguous,
        );
    }
    if let Some(wrong) = &game.wrong_array {
        let code = if wrong.turned {
            Code::BoardTurned
        } else {
            Code::InitialPositionWrong
        };
        add(code, 0, Some(wrong.since), patience.position_mismatch);
    }
    found
}

fn ends(game: &Game, patience: &Patience, now: Timestamp) -> Vec<Condition> {
    let standing = game.standing.filter(|s| s.state == ResultState::Proposed);
    let since = game.standing_since;
    let end = match standing.map(|s| s.how) {
        Some(ResultHow::KingsSign) => None,
        Some(ResultHow::Checkmate) => Some(Code::Checkmate),
        Some(ResultHow::Stalemate) => Some(Code::Stalemate),
        _ => return Vec::new(),
    };
    let goes_on = end
        .filter(|_| game.clock.runs())
        .and_then(|code| lasting(code, 0, since, patience.after_the_end, now));
    let waits = lasting(Code::ResultProposed, proposal(game), since, 0, now);
    waits.into_iter().chain(goes_on).collect()
}

/// Tells one proposed result from another.
fn proposal(game: &Game) -> u64 {
    game.standing
        .map_or(0, |s| s.how as u64 * 16 + s.result as u64)
}

fn silent(
    game: &Game,
    devices: &Devices,
    patience: &Patience,
    now: Timestamp,
) -> Option<Condition> {
    if !devices.bound || !devices.agent_there {
        return None;
    }
    // Without a clock nothing is said while nobody moves: that is quiet, not silent.
    let speaks = game.in_play() && game.clock.runs() && devices.clock_out.is_none();
    let quiet = devices.heard.filter(|_| speaks);
    let (since, wait) = match devices.board_out {
        Some(since) if devices.asked_long => (Some(since), 0),
        Some(since) => (Some(since), patience.board_lost),
        None => (quiet, patience.board_silent),
    };
    lasting(Code::BoardSilent, 0, since, wait, now)
}

/// The condition, once it has lasted.
pub(super) fn lasting(
    code: Code,
    cause: u64,
    since: Option<Timestamp>,
    wait: Millis,
    now: Timestamp,
) -> Option<Condition> {
    since
        .filter(|since| now.since(*since) >= wait && now >= *since)
        .map(|since| Condition::new(code, cause, since))
}
