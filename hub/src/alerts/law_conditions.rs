//! Which conditions the record brings about by the Laws: draws that may be claimed, ends unclaimed, default time, early draws.

use protocol::{ResultHow, Side, Timestamp};

use super::{Condition, Devices};
use crate::game::Game;
use crate::laws::Code;

/// Everything about the record of a table.
pub(super) fn of_laws(game: &Game, devices: &Devices, now: Timestamp) -> Vec<Condition> {
    let mut found = draws(game);
    found.extend(default_time(game, devices, now));
    found.extend(early_draw(game));
    found
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
    let early = game.laws().agreement_needs_moves && game.record.len() < 2;
    let since = game.standing_since.unwrap_or(Timestamp(0));
    early.then(|| Condition::new(Code::EarlyDraw, 0, since))
}
