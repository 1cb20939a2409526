//! Which conditions the record and the desk bring about by the Laws: draws that may be claimed and are, ends unclaimed, default time,
//! early draws, results that are missing or told differently, resumptions.

use protocol::{GameResult, ResultHow, ResultState, Side, Timestamp};

use super::clock_conditions::flag_matters;
use super::{Condition, Devices, Patience};
use crate::game::{Claimed, Game, late};
use crate::laws::Code;

/// Everything about the record of a table.
pub(super) fn of_laws(game: &Game, devices: &Devices, now: Timestamp) -> Vec<Condition> {
    let mut found = draws(game);
    found.extend(default_time(game, devices, now));
    found.extend(early_draw(game));
    found.extend(claim(game));
    found.extend(missing(game, devices));
    found
}

/// A claim that waits for its ruling.
fn claim(game: &Game) -> Option<Condition> {
    let open = game.claim.as_ref().filter(|c| !c.postponed)?;
    let code = match open.claimed {
        Claimed::Draw(_) => Code::DrawClaimed,
        Claimed::Quickplay(_) => Code::QuickplayClaim,
    };
    Some(Condition {
        side: Some(open.by),
        ..Condition::new(code, u64::try_from(open.at.0).unwrap_or(0), open.at)
    })
}

/// Cause of a result that is missing when the round closes.
pub(super) const CLOSING: u64 = 1 << 33;

/// The round is being closed and this game has no result that an arbiter has confirmed.
fn missing(game: &Game, devices: &Devices) -> Option<Condition> {
    let told = game
        .open_irregularities()
        .any(|i| i.code == Code::ResultMissing);
    let since = devices.closing.filter(|_| !told)?;
    Some(Condition::new(Code::ResultMissing, CLOSING, since))
}

/// The board, or a flag, says another result than the one that stands.
pub(super) fn conflict(game: &Game) -> Option<Condition> {
    let standing = game.standing?;
    if let Some(witness) = &game.witness
        && witness.standing.result != standing.result
    {
        let cause = number(witness.standing.result) * 16 + number(standing.result);
        return Some(Condition::new(Code::ResultConflict, cause, witness.at));
    }
    let winner = match standing.result {
        GameResult::WhiteWins => Side::White,
        GameResult::BlackWins => Side::Black,
        _ => return None,
    };
    let flag = game.clock.flags.get(winner).as_ref()?;
    let ended_before = game.witness.as_ref().is_some_and(|w| w.at <= flag.at);
    let later = game.standing_since.is_some_and(|since| since > flag.at);
    let conflict = later && !ended_before && flag_matters(game, winner);
    conflict.then(|| Condition {
        side: Some(winner),
        ..Condition::new(Code::ResultConflict, 256, flag.at)
    })
}

fn number(result: GameResult) -> u64 {
    let place = GameResult::ALL.iter().position(|r| *r == result);
    place.map_or(0, |place| place as u64)
}

/// Somebody has not come to the resumption in time (I.10).
pub(super) fn late_for_resumption(
    game: &Game,
    devices: &Devices,
    patience: &Patience,
    now: Timestamp,
) -> Option<Condition> {
    if game
        .standing
        .is_some_and(|s| s.state > ResultState::Proposed)
    {
        return None;
    }
    let (side, since) = late(game, devices.default_ms, patience.resumption, now)?;
    Some(Condition {
        side,
        ..Condition::new(Code::LateForResumption, 0, since)
    })
}

fn draws(game: &Game) -> Vec<Condition> {
    let laws = game.laws();
    let draws = &game.draws;
    let at = |ply: u32| game.record.get(ply).map_or(Timestamp(0), |p| p.made_at);
    if game.standing.is_some() {
        return Vec::new();
    }
    let ended = [
        (Code::Fivefold, draws.fivefold),
        (Code::SeventyFive, draws.seventy_five),
    ];
    let ends = ended.into_iter().filter(|_| laws.ends_unclaimed);
    let mut found: Vec<Condition> = ends
        .filter_map(|(code, ply)| Some(Condition::new(code, u64::from(ply?), at(ply?))))
        .collect();
    if !found.is_empty() {
        return found;
    }
    let len = game.record.len();
    let side = Some(game.record.position().turn());
    if draws.threefold() {
        found.push(Condition {
            side,
            ..Condition::new(Code::ThreefoldClaimable, u64::from(len), at(len))
        });
    }
    if draws.fifty() {
        let since = len.saturating_sub(draws.quiet);
        found.push(Condition {
            side,
            ..Condition::new(Code::FiftyClaimable, u64::from(since), at(len))
        });
    }
    found
}

/// No move by a player at the default time; with a default time of zero nothing can be told from the board.
fn default_time(game: &Game, devices: &Devices, now: Timestamp) -> Option<Condition> {
    let started = devices.started?;
    let due = started.after(devices.default_ms);
    if devices.default_ms == 0 || now < due || game.standing.is_some() {
        return None;
    }
    let side = match game.record.len() {
        0 => Side::White,
        1 => Side::Black,
        _ => return None,
    };
    Some(Condition {
        side: Some(side),
        ..Condition::new(
            Code::DefaultTimeReached,
            u64::from(side == Side::Black),
            due,
        )
    })
}

/// A draw agreed before both have moved (5.2.3).
pub(super) fn early_draw(game: &Game) -> Option<Condition> {
    game.standing.filter(|s| s.how == ResultHow::Agreed)?;
    let both_moved = !game.laws().agreement_needs_moves || game.record.len() >= 2;
    let limit = game.setup.regulations.no_draw_before;
    let completed = game.record.completed_moves();
    let early = !both_moved || completed.white.min(completed.black) < limit;
    let since = game.standing_since.unwrap_or(Timestamp(0));
    early.then(|| Condition::new(Code::EarlyDraw, 0, since))
}
