//! From an order about a game to a prepared ruling, one kind after the other.

use protocol::{LogLine, OrderBody, Placement, Timestamp};

use super::adjournment::{self, Terms};
use super::{
    Prepared, Refusal, claim, clock_replacement, conduct, illegal_move, record, report, result,
    time,
};
use crate::game::{Game, GameEvent};
use crate::laws::Prospects;

/// What a ruling needs to know beside the game.
#[derive(Debug, Clone, Copy)]
pub struct Around<'a> {
    /// The hub's time.
    pub now: Timestamp,
    /// What is known of whether a player can mate.
    pub prospects: &'a Prospects,
    /// What stands on the board, as it was read last.
    pub board: Option<&'a Placement>,
    /// The arbiter's note.
    pub note: &'a str,
}

/// What the order would do.
///
/// # Errors
/// [`Refusal`] when it cannot be carried out; orders that do not concern a game are refused too.
pub fn prepare(game: &Game, order: &OrderBody, around: Around<'_>) -> Result<Prepared, Refusal> {
    match order {
        OrderBody::IllegalMove {
            offender,
            judgement,
            incident,
            take_increment,
            ..
        } => {
            let whom = (*offender, incident.as_ref());
            illegal_move::prepare(game, whom, *judgement, *take_increment, around)
        }
        OrderBody::AdjustTime {
            change_ms, article, ..
        } => time::adjust(game, *change_ms, article, around),
        OrderBody::Result {
            result,
            how,
            confirm,
            signed,
            ..
        } => result::enter(game, (*result, *how), *confirm, *signed, around),
        OrderBody::Confirm { .. } => result::confirm(game),
        OrderBody::Strike { from_ply, .. } => record::strike(game, *from_ply),
        OrderBody::Insert {
            from_ply, moves, ..
        } => record::insert(game, *from_ply, moves, around),
        OrderBody::AdoptBoard { turn, .. } => record::adopt_board(game, *turn, around),
        OrderBody::Conduct {
            offender, penalty, ..
        } => conduct::prepare(game, *offender, penalty, around),
        OrderBody::Note { .. } => note(game, around),
        OrderBody::Promotion { ply, piece, .. } => record::promotion(game, *ply, *piece, around),
        OrderBody::ReplaceClock { .. } => clock_replacement::replace_clock(game, around),
        OrderBody::Report { what, .. } => report::report(game, *what, around),
        OrderBody::ClaimDraw { .. }
        | OrderBody::ClaimQuickplay { .. }
        | OrderBody::RuleClaim { .. } => about_claims(game, order, around),
        OrderBody::Adjourn { .. } | OrderBody::Resume { .. } => {
            about_adjournment(game, order, around)
        }
        OrderBody::Take { .. }
        | OrderBody::GiveBack { .. }
        | OrderBody::Snooze { .. }
        | OrderBody::Dismiss { .. }
        | OrderBody::Counter { .. }
        | OrderBody::Bind { .. }
        | OrderBody::BindByGesture { .. }
        | OrderBody::Resync { .. }
        | OrderBody::ReadBoard { .. }
        | OrderBody::Blink { .. }
        | OrderBody::Hold { .. }
        | OrderBody::AddTime { .. }
        | OrderBody::StartRound { .. }
        | OrderBody::Restart { .. }
        | OrderBody::CloseRound { .. } => Err(no_ruling()),
    }
}

fn no_ruling() -> Refusal {
    Refusal::state("this order is no ruling on a game")
}

fn about_claims(game: &Game, order: &OrderBody, around: Around<'_>) -> Result<Prepared, Refusal> {
    match order {
        OrderBody::ClaimDraw {
            claimant,
            claim,
            written,
            ..
        } => claim::draw(game, *claimant, *claim, written.as_deref(), around),
        OrderBody::ClaimQuickplay { claimant, asks, .. } => {
            claim::quickplay(game, *claimant, *asks, around)
        }
        OrderBody::RuleClaim {
            judgement, bonus, ..
        } => claim::rule(game, *judgement, *bonus, around),
        _ => Err(no_ruling()),
    }
}

fn about_adjournment(
    game: &Game,
    order: &OrderBody,
    around: Around<'_>,
) -> Result<Prepared, Refusal> {
    match order {
        OrderBody::Adjourn {
            sealed_by,
            time_ms,
            draw_offer,
            session_ends,
            resumes,
            place,
            ..
        } => {
            let terms = Terms {
                session_ends: *session_ends,
                sealed_by: *sealed_by,
                time_ms: *time_ms,
                draw_offer: *draw_offer,
                resumes: *resumes,
                place,
            };
            adjournment::adjourn(game, &terms, around)
        }
        OrderBody::Resume { lost: true, .. } => adjournment::without_envelope(game, around),
        OrderBody::Resume {
            missing, sealed, ..
        } => adjournment::resume(game, *missing, sealed.as_deref(), around),
        _ => Err(no_ruling()),
    }
}

fn note(game: &Game, around: Around<'_>) -> Result<Prepared, Refusal> {
    if around.note.trim().is_empty() {
        return Err(Refusal::value("the note is empty"));
    }
    let words: String = around.note.trim().chars().take(500).collect();
    let same = |line: &LogLine| line.kind == "note" && line.words == words;
    if game.log.back().is_some_and(|last| same(&last.line)) {
        return Err(Refusal::nothing("this note stands in the journal already"));
    }
    Ok(Prepared {
        then: vec!["the note stands in the journal".to_owned()],
        events: vec![GameEvent::Noted(LogLine {
            at: around.now,
            kind: "note".to_owned(),
            words: words.clone(),
            source: String::new(),
        })],
        words: format!("note: {words}"),
        ..Prepared::default()
    })
}
