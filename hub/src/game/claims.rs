//! Claims of a player as the desk enters them: what is claimed, and what the record says of it (9.2, 9.3, III.4, III.5).

use protocol::{DrawClaim, Ply, QuickplayAsk, Side, Timestamp};
use serde::{Deserialize, Serialize};
use shakmaty::uci::UciMove;

use super::{Game, NotPlayable, Scoresheet};
use crate::laws::drawn_game::{Claim, ClaimKind, ClaimVerdict, claim, fifty_demanded};
use crate::laws::guidelines::{MayAsk, may_ask};
use crate::laws::repetition::History;

/// What is claimed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Claimed {
    /// A draw by the record.
    Draw(DrawClaim),
    /// Something at the end of a game without increment.
    Quickplay(QuickplayAsk),
}

/// A claim that was entered.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct OpenClaim {
    /// What.
    pub claimed: Claimed,
    /// Whose.
    pub by: Side,
    /// The move he wrote down, in the usual form.
    pub written: Option<String>,
    /// When, hub's time.
    pub at: Timestamp,
    /// Half-moves in the record then.
    pub ply: Ply,
    /// His time then, milliseconds; 0 where no clock is read.
    pub left_ms: u64,
    /// The arbiter watches and decides later (III.5).
    pub postponed: bool,
}

/// The verdict on a claim of a draw by the record.
///
/// # Errors
/// [`NotPlayable`] when the move written down cannot be read here, or no verdict rests on a record that is not legal throughout.
pub fn draw_verdict(
    game: &Game,
    open: &OpenClaim,
    what: DrawClaim,
) -> Result<ClaimVerdict, NotPlayable> {
    let history = history(&game.record)
        .ok_or_else(|| NotPlayable("a position of the record is not legal".to_owned()))?;
    if what == DrawClaim::FiftyMoves && game.laws().fifty_on_demand {
        return Ok(fifty_demanded(&history, open.ply as usize));
    }
    let written = open.written.as_deref().map(|text| written(&history, text));
    let made = Claim {
        kind: match what {
            DrawClaim::Threefold => ClaimKind::Threefold,
            DrawClaim::FiftyMoves => ClaimKind::Fifty,
        },
        by: open.by,
        written: written.transpose()?,
        left_ms: open.left_ms,
    };
    Ok(claim(&history, &made, game.laws(), game.setup.regime))
}

fn written(history: &History, uci: &str) -> Result<shakmaty::Move, NotPlayable> {
    let illegal = || NotPlayable(format!("{uci:?} is no legal move here"));
    let uci: UciMove = uci.parse().map_err(|_| illegal())?;
    uci.to_move(history.current()).map_err(|_| illegal())
}

/// Every position of the record, none where one of them is not legal.
pub(super) fn history(record: &Scoresheet) -> Option<History> {
    let mut position = record.start().clone();
    let mut history = History::new(position.legal()?.clone());
    for entry in record.entries() {
        position.play(&entry.ply.played).ok()?;
        history.stands(position.legal()?.clone());
    }
    Some(history)
}

/// What a player may ask for in his period with his time.
pub fn may_ask_now(game: &Game, side: Side, left_ms: u64) -> MayAsk {
    let periods = game.setup.time_control.side(side).periods();
    let number = usize::from(*game.clock.model.period.get(side));
    let number = number.min(periods.len().saturating_sub(1));
    let announced = game.setup.regulations.guidelines_iii;
    periods.get(number).map_or(MayAsk::default(), |period| {
        let last = number + 1 == periods.len();
        may_ask(
            game.laws(),
            game.setup.regime,
            announced,
            period,
            last,
            left_ms,
        )
    })
}
